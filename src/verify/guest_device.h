#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/gate.h"
#include "ttir/cost_model.h"
#include "ttir/launch.h"
#include "verify/tensor_memory.h"
#include "verify/wire.h"

namespace tritonrl::verify {

// A finding about a guest's kernels, with the place in the candidate's source.
struct DeviceFinding {
  std::string rule;
  bool error = true;  // a warning else
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string kernel;
  std::string message;
};

// A kernel that a guest loaded: the IR that it emitted, and what its compiler was told.
struct GuestKernel {
  std::string name;
  std::string options;  // JSON
  std::string text;     // Triton IR
  ttir::Code code;      // where the executor runs it
  ttir::KernelShape shape;
};

// What the executor says of a kernel.
DeviceFinding finding_of(const GuestKernel& kernel, const ttir::Finding& finding);
inline constexpr std::string_view kStepBudget = "step-budget";  // the rule of a launch that did not end in time

struct LaunchRecord {
  const GuestKernel* kernel = nullptr;
  ttir::ProgramId grid{};
  ttir::LaunchCost cost;           // of the executor
  std::uint64_t unique_bytes = 0;  // read or written, each counted once
};

struct OperatorRecord {
  std::string name;  // without "aten::" and overload
  std::uint64_t bytes = 0;
  wire::OperatorEvent detail;
};

// What a guest's process did since the last look.
struct DeviceTrace {
  std::vector<LaunchRecord> launches;
  std::vector<OperatorRecord> operators;
  std::vector<DeviceFinding> findings;
  bool step_budget_spent = false;
  std::string overflow;     // of what there was more than is kept here
  std::string unsupported;  // what the executor lacks, if it met something: a limit of this machine
  std::optional<wire::TimedEvent> timed;
  std::size_t replayed = 0;  // launches that the executor ran too
  std::string not_replayed;  // why some were not
};

// The device of one guest, on the trusted side: its memory, its kernels, and their launches.
class GuestDevice {
 public:
  GuestDevice() = default;
  virtual ~GuestDevice() = default;
  GuestDevice(const GuestDevice&) = delete;
  GuestDevice& operator=(const GuestDevice&) = delete;
  GuestDevice(GuestDevice&&) = delete;
  GuestDevice& operator=(GuestDevice&&) = delete;

  // The memory that a guest shares: its descriptor, what the guest is told of it, and where a range of the guest's
  // lies here, for memory(); nullptr when that is not all inside.
  virtual int descriptor() const = 0;
  virtual wire::Hello hello() const = 0;
  virtual std::byte* at(std::uint64_t address, std::uint64_t bytes) const = 0;
  virtual TensorMemory& memory() = 0;
  // "module:function" that a guest runs before it is locked down; empty: nothing.
  virtual std::string before_confinement() const { return {}; }

  // Bytes of an Event frame. False when they make no sense.
  bool take_events(std::string_view records);
  virtual std::int64_t first_undefined(std::uint64_t address, std::uint64_t bytes) = 0;
  // Payloads and answers as wire.h says. An empty answer: the request makes no sense.
  std::string load_kernel(std::string_view payload);
  virtual std::string launch(std::string_view payload) = 0;
  virtual std::string resources(std::string_view /*payload*/) { return {}; }

  // The guest was killed: its memory is free for others once the function returns.
  virtual void let_go(const std::function<void()>& /*wait_for_guest*/) {}
  // Who asks for its commands has this share of the GPU, and may do without it while compilers work. nullptr: it has
  // none.
  virtual void set_share(gpu::Gate::Share* /*share*/) {}
  // Around each command; an order of programs where it can be chosen.
  virtual void before_command() {}
  virtual void after_command() {}
  virtual void set_order(ttir::ProgramOrder /*order*/, std::uint64_t /*seed*/) {}

  // Kernels do nothing while this is on, as if their bodies were empty.
  void set_ghost(bool ghost) { ghost_ = ghost; }
  // The same for kernels of one name, where launches run on this side. Empty: none.
  void set_ghost_kernel(std::string name) { ghost_kernel_ = std::move(name); }
  void set_timed(bool timed) { timed_ = timed; }
  // Launches of a GPU are run by the executor too, before, over copies of what they may touch.
  void set_replayed(bool replayed) { replayed_ = replayed; }
  std::uint32_t command_flags() const {
    return (ghost_ ? wire::kGhostFlag : 0) | (timed_ ? wire::kTimedFlag : 0) | (replayed_ ? wire::kReplayFlag : 0);
  }

  DeviceTrace take_trace();
  const std::vector<std::unique_ptr<GuestKernel>>& kernels() const { return kernels_; }

  // The allocation that holds all of [address, address + bytes).
  virtual std::optional<wire::MemoryRange> allocation(std::uint64_t address, std::uint64_t bytes) = 0;
  virtual bool undefined(std::uint64_t address, std::uint64_t bytes) = 0;
  virtual void mark_defined(std::uint64_t address, std::uint64_t bytes) = 0;

 protected:
  // False when the event makes no sense. `more` is what follows it, of which it may take.
  virtual bool take_event(const wire::Event& event, std::string_view& more) = 0;
  // Fills the kernel in and gives the answer. UnsupportedError and InputError say why not.
  virtual std::string load(GuestKernel& kernel, std::uint64_t number) = 0;

  void add_finding(DeviceFinding finding);
  const GuestKernel* kernel(std::uint64_t number) const;
  void add_launch(LaunchRecord record);
  bool is_ghost(const GuestKernel& kernel) const { return ghost_ || kernel.name == ghost_kernel_; }
  DeviceTrace& trace() { return trace_; }

 private:
  bool take_operator(const wire::Event& event, std::string_view& more);

  std::vector<std::unique_ptr<GuestKernel>> kernels_;
  std::map<std::string, std::string, std::less<>> known_;  // answers by payload
  DeviceTrace trace_;
  bool ghost_ = false;
  std::string ghost_kernel_;
  bool timed_ = false;
  bool replayed_ = false;
};

}  // namespace tritonrl::verify
