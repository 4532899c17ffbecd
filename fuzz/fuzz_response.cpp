// A model's response, cut into plan and code: spans lie inside the text and in order, whatever the bytes are.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "tests/analysis/invariants.h"

namespace {

using namespace tritonrl;

void require(const std::string& broken) {
  if (broken.empty()) return;
  std::fprintf(stderr, "does not hold: %s\n", broken.c_str());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const analysis::Response any = analysis::split_response(text, std::nullopt);
  const analysis::Response named = analysis::split_response(text, "ModelNew");
  require(tests::broken_invariant(any, text));
  require(tests::broken_invariant(named, text));
  if (any.plan != named.plan || any.blocks != named.blocks) require("blocks do not depend on the entry");
  if (named.code && !any.code) require("a block that defines the entry is a block");
  // In a fence of its own, the code is found again.
  if (named.code) {
    const std::string again = "``````````\n" + std::string(named.code->of(text)) + "``````````\n";
    const analysis::Response second = analysis::split_response(again, "ModelNew");
    const bool fenced = named.code->of(text).find("``````````") != std::string_view::npos;
    const bool thinks = named.code->of(text).find("think>") != std::string_view::npos;
    if (!fenced && !thinks && (!second.code || second.code->of(again) != named.code->of(text)))
      require("code is found again");
  }
  return 0;
}
