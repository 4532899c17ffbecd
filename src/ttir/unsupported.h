#pragma once

#include <string>

#include "base/error.h"

namespace tritonrl::ttir {

// The executor does not know this construct: a limit of this machine, never a verdict about the kernel.
class UnsupportedError : public base::HostError {
 public:
  // `what` as the IR names it: "tt.foo".
  explicit UnsupportedError(const std::string& what) : HostError(what + " is not supported") {}
};

}  // namespace tritonrl::ttir
