#include "analysis/reference_profile.h"

#include <algorithm>

namespace tritonrl::analysis {
namespace {

std::string lowered(std::string_view name) {
  std::string out(name);
  std::ranges::transform(out, out.begin(), [](char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
  return out;
}

}  // namespace

std::string operator_family(std::string_view name) {
  for (const auto& [symbol, word] :
       {std::pair{"@", "matmul"}, {"+", "add"}, {"-", "sub"}, {"*", "mul"}, {"/", "div"}, {"**", "pow"}})
    if (name == symbol) return word;
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

std::vector<std::string> computed_operators(const Trace& trace, const Trace::Call& call) {
  std::vector<std::string> families;
  for (std::size_t i = call.first_torch_op; i < call.last_torch_op; ++i) {
    if (trace.torch_ops[i].cls == OpClass::kCompute) families.push_back(operator_family(trace.torch_ops[i].name));
  }
  std::ranges::sort(families);
  return families;
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
  interpreter.call_entry(model, interpreter.instantiate_entry(model, init), inputs);
  const Trace& trace = interpreter.trace();
  profile.operators = computed_operators(trace, trace.calls.front());
  profile.only_moves_data = profile.operators.empty();
  for (const auto& op : trace.torch_ops) {
    if (op.cls == OpClass::kCompute && op.main) profile.main_operators.insert(operator_family(op.name));
  }
  if (profile.main_operators.empty()) profile.main_operators.insert(profile.operators.begin(), profile.operators.end());
  return profile;
}

}  // namespace tritonrl::analysis
