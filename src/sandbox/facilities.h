#pragma once

#include <string>
#include <vector>

#include "sandbox/policy.h"

namespace tritonrl::sandbox {

// What this machine offers to confine guests with.
struct Facilities {
  int namespaces = 0;    // flags of clone(2): those that a process without privileges can make
  int landlock_abi = 0;  // 0: none
  bool seccomp = false;  // the kernel filters system calls
  bool filters = false;  // this program can compile filters for it

  // What is not there, each with what to do: "net namespaces: ...". Empty: all that `require` needs.
  std::vector<std::string> missing() const;
};

// Tried out once, in a child process.
const Facilities& facilities();

// HostError that names what is missing, unless `enforcement` is kBest or nothing is.
void require_facilities(const Facilities& facilities, Enforcement enforcement);

}  // namespace tritonrl::sandbox
