// A candidate through the whole static path, with an entry and without, as source and as a response: always a sound
// report, and the same one twice.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tests/analysis/invariants.h"

namespace {

using namespace tritonrl;

constexpr std::string_view kReference =
    "import torch\nN = 8\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        return torch.softmax(x @ "
    "x, -1)\n"
    "def get_inputs():\n    return [torch.rand(N, N)]\ndef get_init_inputs():\n    return []\n";

void judge(analysis::StaticReport (*check)(std::string_view, const analysis::CheckOptions&), std::string_view text,
           const analysis::CheckOptions& options) {
  const std::string broken = tests::broken_invariant(check(text, options), text, options);
  if (broken.empty()) return;
  std::fprintf(stderr, "does not hold: %s\n", broken.c_str());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  static const analysis::ReferenceProfile reference = analysis::profile_reference(kReference);
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  analysis::CheckOptions options;
  options.policy = size % 3 == 0   ? analysis::Policy::kAny
                   : size % 3 == 1 ? analysis::Policy::kCore
                                   : analysis::Policy::kStrict;
  options.reference = size % 2 == 0 ? &reference : nullptr;
  judge(analysis::check_source, text, options);
  judge(analysis::check_response, text, options);
  options.entry.reset();
  judge(analysis::check_source, text, options);
  return 0;
}
