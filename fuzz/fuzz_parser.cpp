// The quick parser against its slow twin, the grammar.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "tests/pysource/same_tree.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace tritonrl::pysource;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string found = tree_difference(SyntaxTree::parse(text), SyntaxTree::parse_by_grammar(text));
  if (found.empty()) return 0;
  std::fprintf(stderr, "the parsers disagree: %s\n", found.c_str());
  std::abort();
}
