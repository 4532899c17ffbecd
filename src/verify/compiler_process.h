#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <variant>

#include "base/file.h"
#include "base/temporary_folder.h"
#include "verify/compiler.h"

namespace tritonrl::verify {

// One process of harness/tritonrl_harness/compile_server.py. It ends with this object, or with the program.
class CompilerProcess {
 public:
  enum class Silence : std::uint8_t { kEnded, kTimedOut };

  // HostError when it cannot be started.
  explicit CompilerProcess(const CompilerConfig& config);
  ~CompilerProcess();
  CompilerProcess(const CompilerProcess&) = delete;
  CompilerProcess& operator=(const CompilerProcess&) = delete;
  CompilerProcess(CompilerProcess&&) = delete;
  CompilerProcess& operator=(CompilerProcess&&) = delete;

  // After a silence the process is of no more use.
  std::variant<std::string, Silence> ask(const std::string& request, double patience_s);

 private:
  using Clock = std::chrono::steady_clock;
  std::variant<std::string, Silence> receive(Clock::time_point deadline);
  void stop();

  base::TemporaryFolder folder_;
  base::UniqueFd socket_;
  pid_t pid_ = 0;
};

}  // namespace tritonrl::verify
