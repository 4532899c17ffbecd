#include "analysis/torch_ops.h"

#include <string>
#include <unordered_map>

#include "analysis/data/torch_ops.txt.h"
#include "base/error.h"
#include "base/text.h"

namespace tritonrl::analysis {
namespace {

using Table = std::unordered_map<std::string_view, TorchOp>;

std::string_view next_word(std::string_view& line) {
  line = base::strip(line);
  const auto length = line.find_first_of(" \t");
  const std::string_view word = line.substr(0, length);
  line.remove_prefix(word.size());
  return word;
}

Table read_table() {
  Table table;
  for (std::string_view line : base::split(kTorchOps, '\n')) {
    line = base::strip(line);
    if (line.empty() || line.starts_with('#')) continue;
    const auto cls = next_word(line);
    const auto returns = next_word(line);
    const auto name = next_word(line);
    TorchOp op;
    op.cls = cls == "free" ? OpClass::kFree : cls == "copy" ? OpClass::kCopy : OpClass::kCompute;
    op.returns = returns == "scalar"  ? OpReturns::kScalar
                 : returns == "other" ? OpReturns::kOther
                 : returns == "none"  ? OpReturns::kNone
                                      : OpReturns::kTensor;
    op.main = next_word(line) == "main";
    base::check(!name.empty(), "data/torch_ops.txt has a broken row");
    table.emplace(name, op);
  }
  return table;
}

const Table& table() {
  static const Table instance = read_table();
  return instance;
}

std::optional<TorchOp> find(std::string_view name) {
  const auto found = table().find(name);
  if (found == table().end()) return std::nullopt;
  return found->second;
}

}  // namespace

std::optional<TorchOp> find_torch_op(std::string_view path) {
  if (auto op = find(path)) return op;
  // Other doors to the same operators.
  for (const std::string_view door :
       {"torch.ops.aten.", "torch.ops.prims.", "torch._C._VariableFunctions.", "torch._C._nn.", "torch._C._linalg.",
        "torch._C._special.", "torch._C._fft.", "torch._VF.", "torch.functional.", "torch._refs.", "torch.sparse.",
        "torch.func.", "torch.masked.", "torch.signal."}) {
    if (!path.starts_with(door)) continue;
    std::string_view name = path.substr(door.size());
    name = name.substr(0, name.find('.'));
    if (auto op = find("aten::" + std::string(name))) return op;
    return TorchOp{};
  }
  return std::nullopt;
}

std::optional<TorchOp> find_tensor_method(std::string_view name) {
  if (auto op = find("torch.Tensor." + std::string(name))) return op;
  return find("aten::" + std::string(name));
}

}  // namespace tritonrl::analysis
