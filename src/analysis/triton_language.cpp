#include "analysis/triton_language.h"

#include <unordered_map>

#include "analysis/data/triton_language.txt.h"
#include "base/error.h"
#include "base/text.h"

namespace tritonrl::analysis {
namespace {

using Table = std::unordered_map<std::string_view, TritonClass>;

Table read_table() {
  const std::unordered_map<std::string_view, TritonClass> classes = {
      {"load", TritonClass::kLoad},       {"store", TritonClass::kStore},     {"atomic", TritonClass::kAtomic},
      {"pointer", TritonClass::kPointer}, {"index", TritonClass::kIndex},     {"constant", TritonClass::kConstant},
      {"copy", TritonClass::kCopy},       {"compute", TritonClass::kCompute}, {"meta", TritonClass::kMeta},
  };
  Table table;
  for (std::string_view line : base::split(kTritonLanguage, '\n')) {
    line = base::strip(line);
    if (line.empty() || line.starts_with('#')) continue;
    const auto space = line.find(' ');
    const auto cls = classes.find(line.substr(0, space));
    base::check(space != std::string_view::npos && cls != classes.end(), "data/triton_language.txt has a broken row");
    table.emplace(base::strip(line.substr(space)), cls->second);
  }
  return table;
}

}  // namespace

std::optional<TritonClass> find_triton_function(std::string_view path) {
  static const Table table = read_table();
  const auto found = table.find(path);
  if (found == table.end()) return std::nullopt;
  return found->second;
}

}  // namespace tritonrl::analysis
