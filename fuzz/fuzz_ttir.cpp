// Bytes as Triton IR: a module or an error that names its place, and nothing else.
#include <cstddef>
#include <string_view>

#include "base/error.h"
#include "ttir/ir/program.h"
#include "ttir/unsupported.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace tritonrl;
  try {
    ttir::parse_module({reinterpret_cast<const char*>(data), size});
  } catch (const base::InputError&) {
  } catch (const ttir::UnsupportedError&) {
  }
  return 0;
}
