#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ttir/cost_model.h"
#include "ttir/launch.h"
#include "verify/arena.h"
#include "verify/wire.h"

namespace tritonrl::verify {

// A finding of the executor, with the place in the candidate's source.
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
  ttir::Code code;
};

struct LaunchRecord {
  const GuestKernel* kernel = nullptr;
  ttir::ProgramId grid{};
  ttir::LaunchCost cost;
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
  std::string unsupported;  // what the executor lacks, if it met something: a limit of this machine
};

// The device of one guest, on the trusted side: its memory map, its kernels, and their launches.
class GuestDevice {
 public:
  GuestDevice(const Arena& arena, const ttir::DeviceProfile& profile, ttir::LaunchOptions options);

  // Bytes of an Event frame. False when they make no sense.
  bool take_events(std::string_view records);
  std::int64_t first_undefined(std::uint64_t address, std::uint64_t bytes);
  // Payloads and answers as wire.h says. An empty answer: the request makes no sense.
  std::string load_kernel(std::string_view payload);
  std::string launch(std::string_view payload);

  // Kernels do nothing while this is on, as if their bodies were empty.
  void set_ghost(bool ghost) { ghost_ = ghost; }
  void set_order(ttir::ProgramOrder order, std::uint64_t seed);

  DeviceTrace take_trace();
  const std::vector<std::unique_ptr<GuestKernel>>& kernels() const { return kernels_; }

  // The allocation that holds all of [address, address + bytes); nullptr when there is none.
  const ttir::MemoryRegion* allocation(std::uint64_t address, std::uint64_t bytes);
  bool undefined(std::uint64_t address, std::uint64_t bytes) {
    return space_.first_undefined(address, bytes).has_value();
  }
  void mark_defined(std::uint64_t address, std::uint64_t bytes) { space_.mark_defined(address, bytes); }

 private:
  bool take_event(const wire::Event& event);
  void keep(const GuestKernel& kernel, const ttir::LaunchReport& report, ttir::ProgramId grid);

  const Arena& arena_;
  const ttir::DeviceProfile& profile_;
  ttir::LaunchOptions options_;
  ttir::AddressSpace space_;
  std::vector<std::unique_ptr<GuestKernel>> kernels_;
  std::map<std::string, std::size_t, std::less<>> known_;  // kernels by their text
  DeviceTrace trace_;
  bool ghost_ = false;
};

}  // namespace tritonrl::verify
