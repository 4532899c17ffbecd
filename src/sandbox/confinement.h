#pragma once

#include <string>
#include <vector>

#include "base/file.h"
#include "sandbox/policy.h"
#include "sandbox/status_page.h"

namespace tritonrl::sandbox {

// What the trusted side gives a guest's process on its way.
struct GuestSetup {
  Policy policy;
  int namespaces = 0;            // flags of clone(2): those that the process is in already
  bool own_id = false;           // kGuestId is mapped in its user namespace
  bool landlock = true;          // the kernel has it
  std::string folder;            // for its files, where it gets no root of its own
  std::string filter;            // compile_filter()'s bytes; empty where there are none
  std::vector<int> descriptors;  // those that stay open
  int watch = -1;                // CallWatch::guest_fd(); closed by the lock-down

  base::Json to_json() const;  // without filter and descriptors, which travel by themselves
  static GuestSetup from_json(const base::Json& json);
};

// The way of a forked process, single-threaded, into its sandbox. In two steps, so that a CUDA context can be made
// between them: it needs the namespace's own /proc, and would not come up after the lock-down. Each step throws
// HostError; under Enforcement::kBest what the kernel lacks is noted in the page instead. One a process.
class Confinement {
 public:
  Confinement(GuestSetup setup, StatusPage& page);

  void isolate();    // a world of its own: session, descriptors, root, ids; no privileges
  void lock_down();  // limits, Landlock, seccomp; the guest's code may run after this

 private:
  template <typename Step>
  void apply(const std::string& facility, const Step& step);
  bool in_namespace(int flag) const { return (setup_.namespaces & flag) != 0; }

  GuestSetup setup_;
  StatusPage& page_;
  base::UniqueFd watch_;
  base::UniqueFd proc_;  // the old /proc, until the lock-down
  bool private_root_ = false;
};

// Both steps.
void confine(GuestSetup setup, StatusPage& page);

// Hands the completion token back: the guest's work is done.
void complete(StatusPage& page);

}  // namespace tritonrl::sandbox
