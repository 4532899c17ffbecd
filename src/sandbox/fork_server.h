#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sandbox/environment.h"
#include "sandbox/facilities.h"
#include "sandbox/outcome.h"
#include "sandbox/policy.h"

namespace tritonrl::sandbox {

struct ForkServerConfig {
  std::filesystem::path python;                    // absolute
  std::filesystem::path harness;                   // the folder that holds tritonrl_harness
  std::filesystem::path library;                   // libtritonrl_sandbox.so
  std::vector<std::filesystem::path> import_from;  // more folders for the server's imports
  std::vector<std::string> preload = {"torch", "triton"};
  std::string warm_up;      // "module:function", called once, before the first guest; empty: nothing
  Environment environment;  // added to the server's and the guests'
  Enforcement enforcement = Enforcement::kRequire;  // of the namespaces that the server itself lives in
  Facilities machine = facilities();
  double start_timeout_s = 300;
  double spawn_timeout_s = 60;  // until the guest's code runs
};

// An open descriptor of the caller's, which keeps it; the guest gets a copy.
struct HandedDescriptor {
  std::string name;
  int fd = -1;
};

struct SpawnRequest {
  std::string entry;               // "module:function", called as function(descriptors: dict[str, int])
  std::string before_confinement;  // likewise, with the guest's root but before the lock-down: a CUDA context
  std::vector<HandedDescriptor> descriptors;
  Policy policy;
};

struct GuestState;
struct ServerLife;

// A guest that runs, or ran. Its destructor kills it. One owner; pid() and kill() are safe from any thread.
class Guest {
 public:
  explicit Guest(std::shared_ptr<GuestState> state);
  ~Guest();
  Guest(Guest&&) noexcept = default;
  Guest& operator=(Guest&& other) noexcept;

  pid_t pid() const;  // as this program sees it
  int pidfd() const;  // readable once the guest has ended; ours
  void kill();        // the outcome is then Killed, unless it had ended before
  bool ended() const;

  // Blocks until the end, which the wall limit bounds. HostError when the failure is ours; again on every call.
  Outcome wait();
  // Nothing at `deadline` when the guest still runs.
  std::optional<Outcome> wait_until(std::chrono::steady_clock::time_point deadline);

 private:
  std::shared_ptr<GuestState> state_;
};

// A Python process that has torch and Triton imported and the compiler warm, and forks a confined guest for each
// request. It starts with the first spawn (or start()) and again after its death. All calls are safe from any thread.
class ForkServer {
 public:
  explicit ForkServer(ForkServerConfig config);
  ~ForkServer();  // ends the server and its guests
  ForkServer(const ForkServer&) = delete;
  ForkServer& operator=(const ForkServer&) = delete;

  void start();
  // Returns once the guest's process exists. HostError when the server cannot start or died, with its last words.
  Guest spawn(const SpawnRequest& request);
  // The running server's process; 0: none.
  pid_t pid() const;

 private:
  std::shared_ptr<ServerLife> life();

  struct Lives;
  std::unique_ptr<Lives> lives_;
};

}  // namespace tritonrl::sandbox
