#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"
#include "sandbox/fork_server.h"
#include "verify/comparison.h"
#include "verify/failure.h"
#include "verify/guest_channel.h"
#include "verify/guest_device.h"

namespace tritonrl::verify {

// The executor lacks what the candidate needs: a limit of this machine, and no waiting helps.
class ExecutorLimit : public base::HostError {
 public:
  explicit ExecutorLimit(const std::string& what) : HostError("the executor lacks what the candidate needs: " + what) {}
};

// What every guest gets of this machine.
struct GuestConfig {
  std::string entry;  // "module:function" of the harness
  sandbox::Policy policy;
  double command_seconds = 20;  // that one command may take
  double total_seconds = 1e9;   // that all of them may take together
};

// A sandboxed process of the harness, and its device.
class GuestProcess {
 public:
  GuestProcess(sandbox::ForkServer& server, const GuestConfig& config, std::unique_ptr<GuestDevice> device);
  ~GuestProcess();
  GuestProcess(const GuestProcess&) = delete;
  GuestProcess& operator=(const GuestProcess&) = delete;
  GuestProcess(GuestProcess&&) = delete;
  GuestProcess& operator=(GuestProcess&&) = delete;

  // `phase_rule` is the rule for an exception that the command raises. ExecutorLimit where there is one.
  std::variant<base::Json, GuestFailure> command(const base::Json& command, std::string_view phase_rule);

  GuestDevice& device() { return *device_; }
  // No two of this program's have the same.
  std::uint64_t number() const { return number_; }
  // Threads of the process, itself among them; 0 when it has gone.
  int threads() const;
  // Facilities that its sandbox lacks.
  const std::vector<std::string>& missing() const { return missing_; }

  // A tensor that the guest described: where its bytes lie here. Nothing when they do not lie in one live allocation.
  std::optional<TensorView> tensor(const base::Json& described);

 private:
  GuestFailure failure_of(Silence silence, double budget_seconds);

  std::uint64_t number_;
  std::unique_ptr<GuestDevice> device_;
  std::shared_ptr<sandbox::Guest> guest_;  // its memory may be held until it is gone
  std::unique_ptr<GuestChannel> channel_;
  double command_seconds_;
  double total_seconds_;
  double spent_seconds_ = 0;
  std::vector<std::string> missing_;
};

}  // namespace tritonrl::verify
