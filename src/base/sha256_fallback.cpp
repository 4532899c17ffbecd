#include "base/digest.h"

namespace tritonrl::base {

// Chosen by CMake where there is no OpenSSL.
Digest sha256(std::string_view message) { return sha256_portable(message); }

}  // namespace tritonrl::base
