// Bytes as a safetensors file: tensors that fill the data without overlap, or an error that names the file.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <span>

#include "base/error.h"
#include "model/safetensors.h"

namespace {

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace tritonrl;
  const auto content = std::as_bytes(std::span(data, size));
  try {
    const auto header = model::parse_safetensors(content, "model.safetensors");
    std::size_t total = 0;
    for (const auto& tensor : header.tensors) {
      for (const std::byte byte : tensor.bytes) total += byte == std::byte{0} ? 1 : 1;  // every byte can be read
    }
    expect(total <= size, "the tensors fit into the file");
  } catch (const base::InputError& error) {
    expect(error.where().file == "model.safetensors", "an error names the file");
  }
  return 0;
}
