#include "analysis/reference_profile.h"

#include <algorithm>

namespace tritonrl::analysis {
namespace {

using pysource::Kind;
using pysource::NodeId;

constexpr std::size_t kRunLength = 5;

struct ShapeWalk {
  const pysource::SyntaxTree& tree;
  std::vector<std::uint64_t> tokens;

  static std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    a ^= b + 0x9e3779b97f4a7c15ULL + (a << 6U) + (a >> 2U);
    return a * 0xff51afd7ed558ccdULL;
  }

  void walk(NodeId node) {
    const Kind kind = tree.kind(node);
    // What a formatter or a renamer changes is left out: docstrings, annotations, class and local names.
    if (kind == Kind::kAbsent || kind == Kind::kString) return;
    if (kind == Kind::kAttribute || kind == Kind::kKeyword || kind == Kind::kInt || kind == Kind::kFloat) {
      tokens.push_back(mix(static_cast<std::uint64_t>(kind), std::hash<std::string_view>{}(tree.text(node))));
    } else if (kind == Kind::kCall || kind == Kind::kBinary || kind == Kind::kSubscript || kind == Kind::kReturn ||
               kind == Kind::kFor || kind == Kind::kIf) {
      tokens.push_back(mix(static_cast<std::uint64_t>(kind), static_cast<std::uint64_t>(tree.op(node))));
    }
    if (kind == Kind::kParam) return;
    for (const NodeId kid : tree.kids(node)) walk(kid);
  }
};

std::string lowered(std::string_view name) {
  std::string out(name);
  std::ranges::transform(out, out.begin(), [](char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
  return out;
}

}  // namespace

std::string operator_family(std::string_view name) {
  if (name == "@") return "matmul";
  if (name.starts_with("torch.ops.aten.")) {
    name.remove_prefix(15);
    name = name.substr(0, name.find('.'));
  }
  std::string last = lowered(name.substr(name.rfind('.') + 1));
  while (last.ends_with('_')) last.pop_back();
  while (last.starts_with('_')) last.erase(0, 1);
  const auto any_of = [&](std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(words, [&](std::string_view word) { return last.find(word) != std::string::npos; });
  };
  if (any_of({"attention"})) return "attention";
  if (any_of({"matmul", "linear", "einsum", "tensordot"}) || last == "mm" || last == "bmm" || last == "mv" ||
      last == "dot" || last.starts_with("addm") || last == "baddbmm" || last == "addbmm" || last == "addr" ||
      last == "inner" || last == "outer" || last == "matrix_multiply") {
    return "matmul";
  }
  if (any_of({"conv"})) return "convolution";
  if (any_of({"loss", "cross_entropy", "kl_div"})) return "loss";
  if (any_of({"softmax", "softmin"})) return "softmax";
  if (any_of({"layer_norm", "layernorm", "group_norm", "groupnorm", "batch_norm", "batchnorm", "instance_norm",
              "instancenorm", "rms_norm", "rmsnorm", "normalize"}))
    return "normalisation";
  if (any_of({"pool"})) return "pooling";
  return last;
}

std::vector<std::uint64_t> class_shape(const pysource::SyntaxTree& tree, NodeId class_def) {
  ShapeWalk walk{tree, {}};
  walk.walk(tree.kid(class_def, 2));
  std::vector<std::uint64_t> runs;
  for (std::size_t i = 0; i + kRunLength <= walk.tokens.size(); ++i) {
    std::uint64_t hash = 0;
    for (std::size_t j = 0; j < kRunLength; ++j) hash = ShapeWalk::mix(hash, walk.tokens[i + j]);
    runs.push_back(hash);
  }
  if (runs.empty()) runs = walk.tokens;
  std::ranges::sort(runs);
  return runs;
}

double similarity(const std::vector<std::uint64_t>& candidate, const std::vector<std::uint64_t>& reference) {
  if (reference.empty()) return 0;
  std::vector<std::uint64_t> shared;
  std::ranges::set_intersection(candidate, reference, std::back_inserter(shared));
  return static_cast<double>(shared.size()) / static_cast<double>(reference.size());
}

ReferenceProfile profile_reference(std::string_view source) {
  ReferenceProfile profile;
  auto parsed = pysource::SyntaxTree::parse(source);
  if (!std::holds_alternative<pysource::SyntaxTree>(parsed)) return profile;
  const auto& tree = std::get<pysource::SyntaxTree>(parsed);
  Findings ignored;
  Interpreter interpreter(tree, Following::kEntry, ignored);
  interpreter.run_module();
  const auto list_from = [&](std::string_view name) -> Value* {
    Value* function = interpreter.global(name);
    if (function == nullptr || !function->is(Value::Kind::kFunction)) return nullptr;
    Value* result = interpreter.call(function, {}, function->node);
    return result->is(Value::Kind::kSequence) && !result->open_ended ? result : nullptr;
  };
  std::vector<Value*> inputs;
  if (Value* given = list_from("get_inputs")) {
    profile.inputs_known = true;
    for (Value* each : given->items) {
      const bool tensor = may_be_tensor(each) || each->is(Value::Kind::kUnknown);
      profile.inputs.push_back(tensor ? ReferenceProfile::ArgumentKind::kTensor
                                      : ReferenceProfile::ArgumentKind::kOther);
      inputs.push_back(tensor ? interpreter.input_tensor() : each);
    }
  }
  std::vector<Value*> init;
  if (Value* given = list_from("get_init_inputs")) {
    profile.init_arguments_known = true;
    profile.init_arguments = given->items.size();
    init = given->items;
  }
  Value* model = interpreter.global("Model");
  if (model == nullptr || !model->is(Value::Kind::kClass)) return profile;
  profile.shape = class_shape(tree, model->node);
  interpreter.call_entry(interpreter.instantiate_entry(model, init), inputs);
  std::set<std::string, std::less<>> everything;
  for (const auto& op : interpreter.trace().torch_ops) {
    if (op.cls != OpClass::kCompute) continue;
    everything.insert(operator_family(op.name));
    if (op.main) profile.main_operators.insert(operator_family(op.name));
  }
  profile.only_moves_data = everything.empty();
  if (profile.main_operators.empty()) profile.main_operators = everything;
  return profile;
}

}  // namespace tritonrl::analysis
