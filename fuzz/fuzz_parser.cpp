// The quick parser against its slow twin, the grammar. A little of what is Python only the quick parser reads.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "tests/pysource/same_tree.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace tritonrl::pysource;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto parsed = SyntaxTree::parse(text);
  const auto by_grammar = SyntaxTree::parse_by_grammar(text);
  if (std::holds_alternative<SyntaxTree>(parsed) && std::holds_alternative<SourceError>(by_grammar)) return 0;
  const std::string found = tree_difference(parsed, by_grammar);
  if (found.empty()) return 0;
  std::fprintf(stderr, "the parsers disagree: %s\n", found.c_str());
  std::abort();
}
