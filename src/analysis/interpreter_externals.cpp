#include <algorithm>
#include <array>
#include <unordered_map>

#include "analysis/external_rules.h"
#include "analysis/imports.h"
#include "analysis/interpreter.h"

namespace tritonrl::analysis {

using pysource::kAbsentNode;
using pysource::NodeId;
using pysource::Op;

namespace {

constexpr TorchOp kPointwise{};

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('.') + 1); }

bool is_below(std::string_view path, std::string_view module) {
  return path == module || (path.starts_with(module) && path[module.size()] == '.');
}

// Free operators that make memory instead of viewing it.
bool allocates(std::string_view name) {
  for (const std::string_view word : {"empty", "zeros", "ones", "full", "arange", "tensor", "rand", "eye", "range",
                                      "asarray", "linspace", "from_numpy"}) {
    if (name.find(word) != std::string_view::npos && name != "unfold" && name != "tensor_split") return true;
  }
  return false;
}

bool returns_several(std::string_view name) {
  static constexpr std::array<std::string_view, 12> kNames = {
      "split",        "chunk",       "unbind",           "tensor_split",      "hsplit",
      "vsplit",       "dsplit",      "split_with_sizes", "broadcast_tensors", "meshgrid",
      "unsafe_chunk", "unsafe_split"};
  return std::ranges::find(kNames, name) != kNames.end();
}

// Copies that give back their input when there is nothing to convert.
bool may_return_itself(std::string_view name) {
  static constexpr std::array<std::string_view, 20> kNames = {
      "contiguous", "to",   "type",           "float",     "half",    "bfloat16", "double",
      "int",        "long", "cuda",           "cpu",       "type_as", "bool",     "short",
      "char",       "byte", "requires_grad_", "as_tensor", "asarray", "to_dense"};
  return std::ranges::find(kNames, name) != kNames.end();
}

std::optional<Op> operator_function(std::string_view name) {
  static const std::unordered_map<std::string_view, Op> ops = {
      {"add", Op::kAdd},      {"iadd", Op::kAdd},          {"concat", Op::kAdd},       {"sub", Op::kSub},
      {"isub", Op::kSub},     {"mul", Op::kMul},           {"imul", Op::kMul},         {"truediv", Op::kDiv},
      {"itruediv", Op::kDiv}, {"floordiv", Op::kFloorDiv}, {"mod", Op::kMod},          {"pow", Op::kPow},
      {"ipow", Op::kPow},     {"matmul", Op::kMatMul},     {"imatmul", Op::kMatMul},   {"and_", Op::kBitAnd},
      {"or_", Op::kBitOr},    {"xor", Op::kBitXor},        {"lshift", Op::kShiftLeft}, {"rshift", Op::kShiftRight},
      {"lt", Op::kLess},      {"le", Op::kLessEqual},      {"eq", Op::kEqual},         {"ne", Op::kNotEqual},
      {"gt", Op::kGreater},   {"ge", Op::kGreaterEqual},   {"neg", Op::kSub},          {"inv", Op::kInvert},
      {"abs", Op::kSub},
  };
  if (name.starts_with("__") && name.ends_with("__")) name = name.substr(2, name.size() - 4);
  const auto found = ops.find(name);
  return found == ops.end() ? std::nullopt : std::optional(found->second);
}

bool is_module_class(std::string_view path) {
  return path.starts_with("torch.nn.") && !path.starts_with("torch.nn.functional.") &&
         !path.starts_with("torch.nn.init.") && !last_part(path).empty() && last_part(path)[0] >= 'A' &&
         last_part(path)[0] <= 'Z';
}

std::string module_class_path(std::string_view path) { return "torch.nn." + std::string(last_part(path)); }

}  // namespace

void Interpreter::note_external(std::string_view path, NodeId node) {
  if (inside_path_) return;
  const ExternalRule* found = find_external_rule(path);
  if (found == nullptr || found->when != ExternalRule::When::kUsed) return;
  // A module's own name means nothing yet; what is taken from it does.
  if (path == found->path && path.find('.') == std::string_view::npos) return;
  std::string message = "'" + std::string(path) + "' is not for candidates";
  if (found->libraries_may && library()) {
    suspect(found->rule, node, std::move(message));
  } else {
    report(found->rule, node, std::move(message));
  }
}

Value* Interpreter::external_below(std::string_view path, std::string_view name, NodeId node) {
  const std::string whole = std::string(path) + "." + std::string(name);
  const std::string_view plain = without_detour(whole);
  if (plain != whole && plain.find('.') == std::string_view::npos && plain != "builtins" && plain != "warnings")
    note_import(plain, node);
  Value* value = heap_.external(plain);
  note_external(value->text, node);
  return value;
}

void Interpreter::note_external_assignment(std::string_view path, NodeId node) {
  const std::string_view rule = rule_for_assignment(path);
  if (library() && rule == "backend-flags" && is_below(path, "os.environ")) {
    suspect(rule, node, "this changes the environment of the whole process");
    return;
  }
  report(rule, node,
         rule == "backend-flags" ? "'" + std::string(path) + "' is a setting of the whole process"
                                 : "'" + std::string(path) + "' belongs to another module, and is overwritten here");
}

void Interpreter::note_attribute_name(std::string_view name, NodeId node) {
  const std::string_view rule = rule_for_attribute(name);
  if (!rule.empty()) report(rule, node, "'" + std::string(name) + "' reaches behind the program");
}

void Interpreter::note_torch_op(std::string_view name, const TorchOp& op, NodeId node) {
  if (!judged() || op.cls == OpClass::kFree) return;
  if (on_path_ || handlers_ > 0)
    trace_.torch_ops.push_back({heap_.intern(std::string(name)), op.cls, op.main, handlers_ > 0, node});
}

Value* Interpreter::fresh_tensor() {
  Storage* storage = heap_.storage();
  storage->created_in_call = call_;
  return heap_.tensor(storage);
}

Value* Interpreter::derived_tensor(const TorchOp& op, const std::vector<Value*>& from) {
  Value* tensor = fresh_tensor();
  Storage* storage = tensor->storage;
  storage->torch_computed = op.cls == OpClass::kCompute;
  storage->written_in_call = call_;
  for (Value* source : from) {
    each_alternative(source, [&](Value* each) {
      if (!each->is(Value::Kind::kTensor)) return;
      storage->kernel_written |= each->storage->kernel_written;
      // What __init__ prepared may be computed with; only handing it out again is an answer from before.
      const bool answer = each->storage->created_in_call > 0 || op.cls == OpClass::kCopy;
      storage->from_stale |= answer && is_answer_from_before(*each->storage, call_);
    });
  }
  return tensor;
}

void Interpreter::mark_written(Storage* storage, NodeId node, const std::string& how) {
  if (on_path_ && storage->input) report("writes-input", node, "this " + how + " a tensor that was passed in");
  bool alias_of_input = false;
  for (Storage* alias = storage->may_alias; alias != nullptr; alias = alias->may_alias) alias_of_input |= alias->input;
  if (on_path_ && alias_of_input)
    suspect("writes-input", node, "this " + how + " what may be a tensor that was passed in");
  // Under a branch that depends on earlier calls, memory that outlives this call may not be written at all.
  if (state_guards_ == 0 || storage->created_in_call == call_) storage->written_in_call = call_;
}

void Interpreter::overwrite(Value* tensor, Value* source, NodeId node) {
  mark_written(tensor->storage, node, "overwrites");
  if (conditional_depth_ > 0) return;
  bool kernel = false;
  bool stale = false;
  each_alternative(source, [&](Value* each) {
    if (!each->is(Value::Kind::kTensor)) return;
    kernel |= each->storage->kernel_written;
    stale |= is_answer_from_before(*each->storage, call_);
  });
  tensor->storage->kernel_written = kernel;
  tensor->storage->from_stale = stale;
}

Value* Interpreter::torch_result(const TorchOp& op, std::string_view name, Value* first,
                                 const std::vector<Value*>& tensors) {
  switch (op.returns) {
    case OpReturns::kScalar:
      return heap_.number();
    case OpReturns::kNone:
      return heap_.none();
    case OpReturns::kOther:
    case OpReturns::kTensor:
      break;
  }
  if (op.returns == OpReturns::kOther && op.cls != OpClass::kCompute)
    return heap_.object(name == "size" || name == "shape" || name == "stride" ? "torch.Size" : "torch.other");
  if (op.cls == OpClass::kFree && !allocates(name)) {
    if (first == nullptr) return fresh_tensor();
    return returns_several(name) ? heap_.sequence({first}, true) : first;
  }
  if (op.cls == OpClass::kFree) return fresh_tensor();
  Value* result = derived_tensor(op, tensors);
  if (first != nullptr && first->is(Value::Kind::kTensor) && may_return_itself(name)) {
    result->storage->may_alias = first->storage;
    result->storage->written_in_call = first->storage->written_in_call;
  }
  return result;
}

Value* Interpreter::call_external(Value* callee, const Arguments& arguments, NodeId node) {
  const std::string_view path = callee->text;
  if (const ExternalRule* found = find_external_rule(path);
      found != nullptr && found->when == ExternalRule::When::kCalled) {
    const std::string message = "'" + std::string(path) + "' changes a setting of the whole process";
    found->libraries_may&& library() ? suspect(found -> rule, node, message) : report(found->rule, node, message);
  }
  if (last_part(path) == "__setattr__" && arguments.at(1) != nullptr) {
    const bool on_class = path == "builtins.object.__setattr__" || path == "builtins.type.__setattr__";
    Value* owner = on_class ? arguments.positional[0] : heap_.external(path.substr(0, path.rfind('.')));
    Value* key = on_class ? arguments.positional[1] : arguments.positional[0];
    Value* value = on_class ? arguments.at(2) : arguments.at(1);
    return call_builtin("setattr", {.positional = {owner, key, value == nullptr ? heap_.unknown() : value}}, node);
  }
  if (path.starts_with("builtins.")) return call_builtin(path.substr(9), arguments, node);
  if (path.starts_with("operator.")) return call_operator(path.substr(9), arguments, node);
  if (path.starts_with("functools.") || path.starts_with("itertools.") || path.starts_with("contextlib.") ||
      path.starts_with("copy.") || path.starts_with("dataclasses.") || path.starts_with("collections.") ||
      path == "function.__get__") {
    return call_functools(path, arguments, node);
  }
  if (is_below(path, "torch")) return call_torch(path, arguments, node);
  if (is_below(path, "triton")) return call_triton(path, arguments, node);
  if (path.starts_with("math.") || path.starts_with("cmath.")) {
    if (!tensors_among(arguments).empty()) note_torch_op(path, kPointwise, node);
    return heap_.number();
  }
  if (path == "vars.update") {
    Value* owner = arguments.at(0) == nullptr ? nullptr : arguments.positional[0]->target;
    if (owner != nullptr && owner->is(Value::Kind::kExternal)) note_external_assignment(owner->text, node);
    return heap_.none();
  }
  if (is_below(path, "os.environ") && path != "os.environ.get" && path != "os.environ.copy") {
    note_external_assignment(path, node);
    return heap_.none();
  }
  if (path == "random.shuffle" && arguments.at(0) != nullptr && arguments.positional[0]->is(Value::Kind::kSequence)) {
    arguments.positional[0]->items = {heap_.unknown()};
    arguments.positional[0]->open_ended = true;
    return heap_.none();
  }
  if (path == "importlib.import_module")
    return import_by_value(arguments.at(0) == nullptr ? heap_.unknown() : arguments.positional[0], node);
  if (path.starts_with("numpy.")) {
    const auto tensors = tensors_among(arguments);
    if (!tensors.empty()) {
      note_torch_op(path, {.main = true}, node);
      return derived_tensor({}, tensors);
    }
    return heap_.number();
  }
  if (path.starts_with("typing.") || path.starts_with("enum.") || path.starts_with("logging.") ||
      path.starts_with("warnings.")) {
    run_callbacks(arguments, node);
    if (arguments.positional.size() == 2 && path == "typing.cast") return arguments.positional[1];
    return arguments.positional.size() == 1 && (arguments.positional[0]->is(Value::Kind::kFunction) ||
                                                arguments.positional[0]->is(Value::Kind::kClass))
               ? arguments.positional[0]
               : heap_.object(path);
  }
  return call_unknown(arguments, node);
}

Value* Interpreter::get_attribute_by_value(Value* object, Value* name, Value* fallback, NodeId node) {
  Value* result = nullptr;
  each_alternative(name, [&](Value* each) {
    if (each->is(Value::Kind::kString) && each->has_text) {
      Value* found = attribute(object, each->text, node);
      if (fallback != nullptr && found->is(Value::Kind::kUnknown)) found = heap_.join(found, fallback);
      result = heap_.join(result, found);
      return;
    }
    const bool module = any_alternative(object, [](const Value* holder) { return holder->is(Value::Kind::kExternal); });
    if (module && !library())
      report("opaque-attribute", node, "the name of what is looked up here cannot be worked out");
    if (may_be_tensor(object) && on_path_)
      report("opaque-attribute", node, "a method of a tensor is looked up under a name that cannot be worked out");
    result = heap_.join(result, fallback == nullptr ? heap_.unknown() : heap_.join(heap_.unknown(), fallback));
  });
  return result == nullptr ? heap_.unknown() : result;
}

Value* Interpreter::import_by_value(Value* name, NodeId node) {
  Value* result = nullptr;
  each_alternative(name, [&](Value* each) {
    if (each->is(Value::Kind::kString) && each->has_text) {
      note_import(each->text, node);
      Value* module = heap_.external(each->text);
      note_external(module->text, node);
      result = heap_.join(result, module);
    } else {
      if (library()) {
        suspect("dynamic-code", node, "a module is imported under a name that cannot be worked out");
      } else {
        report("dynamic-code", node, "a module is imported under a name that cannot be worked out");
      }
      result = heap_.join(result, heap_.unknown());
    }
  });
  return result == nullptr ? heap_.unknown() : result;
}

Value* Interpreter::call_builtin(std::string_view name, const Arguments& arguments, NodeId node) {
  Value* first = arguments.at(0);
  const auto over_tensor = [&] { return first != nullptr && may_be_tensor(first); };
  if (name == "getattr" && first != nullptr && arguments.at(1) != nullptr) {
    return get_attribute_by_value(first, arguments.positional[1], arguments.at(2), node);
  }
  if (name == "setattr" && first != nullptr && arguments.at(2) != nullptr) {
    Value* key = arguments.positional[1];
    if (key->has_text) {
      assign_attribute(first, key->text, arguments.positional[2], node, false);
    } else {
      each_alternative(first, [&](Value* each) {
        if (each->is(Value::Kind::kExternal)) note_external_assignment(each->text, node);
      });
    }
    return heap_.none();
  }
  if (name == "delattr" && first != nullptr) {
    each_alternative(first, [&](Value* each) {
      if (each->is(Value::Kind::kExternal)) note_external_assignment(each->text, node);
    });
    return heap_.none();
  }
  if (name == "hasattr" && first != nullptr && arguments.at(1) != nullptr) {
    Value* key = arguments.positional[1];
    if (first->is(Value::Kind::kInstance) && key->has_text) {
      Slot* slot = first->attributes->names.find(key->text);
      if (slot != nullptr && slot->written_by_call) {
        Value* value = heap_.integer(1);
        value->taint = kState;
        return value;
      }
      if (slot == nullptr && class_attribute(first->target, key->text) == nullptr &&
          external_base(first->target) == nullptr)
        return heap_.integer(0);
      if (slot == nullptr && key->text.starts_with('_') && class_attribute(first->target, key->text) == nullptr)
        return heap_.integer(0);
    }
    return heap_.number();
  }
  if (name == "vars" || name == "globals" || name == "locals") {
    Value* value = heap_.object("vars");
    value->target = name == "vars" ? first : nullptr;
    if (name == "vars" && first == nullptr) value->target = nullptr;
    return value;
  }
  if ((name == "object.__getattribute__" || name == "type.__getattribute__") && arguments.at(1) != nullptr) {
    return get_attribute_by_value(first, arguments.positional[1], nullptr, node);
  }
  if (name == "__import__") return import_by_value(first == nullptr ? heap_.unknown() : first, node);
  if (name == "type") {
    if (first == nullptr) return heap_.unknown();
    if (arguments.positional.size() == 3) {
      // type(name, bases, namespace) makes a class.
      Value* cls = heap_.make(Value::Kind::kClass);
      cls->attributes = heap_.scope(module_);
      cls->attributes->created_in_call = call_;
      cls->created_in_call = call_;
      cls->node = node;
      if (arguments.positional[1]->is(Value::Kind::kSequence)) cls->items = arguments.positional[1]->items;
      for (Value* base : cls->items) {
        if (base->is(Value::Kind::kExternal) && is_tensor_class(base->text))
          report("tensor-subclass", node, "a class that derives from torch.Tensor can answer whatever it likes");
      }
      for (const auto& [key, value] : arguments.positional[2]->keyed) cls->attributes->names.at(key).value = value;
      return cls;
    }
    if (first->is(Value::Kind::kTensor)) return heap_.external("torch.Tensor");
    if (first->is(Value::Kind::kInstance)) return first->target;
    if (first->is(Value::Kind::kObject)) return heap_.external(first->text);
    return heap_.unknown();
  }
  if (name == "id" || name == "hash") return heap_.number(over_tensor() || name == "id" ? kAddress : 0);
  if (name == "len") {
    Taint taint = 0;
    if (first != nullptr) {
      each_alternative(first, [&](Value* each) {
        if (each->mutated_by_call) taint |= kCounter | kState;
      });
      if (taint == 0 && first->is(Value::Kind::kSequence) && !first->open_ended)
        return heap_.integer(static_cast<std::int64_t>(first->items.size()));
    }
    return heap_.number(taint);
  }
  if (name == "isinstance" || name == "issubclass") {
    Value* cls = arguments.at(1);
    if (first != nullptr && cls != nullptr && first->is(Value::Kind::kTensor) && cls->is(Value::Kind::kExternal) &&
        cls->text == "torch.Tensor")
      return heap_.integer(1);
    return heap_.number();
  }
  if (name == "range") {
    const auto known = [&](std::size_t at) {
      return arguments.at(at) != nullptr && arguments.positional[at]->has_integer &&
             arguments.positional[at]->taint == 0;
    };
    if (first != nullptr && arguments.positional.size() <= 2 && known(0) &&
        (arguments.positional.size() == 1 || known(1))) {
      const std::int64_t low = arguments.positional.size() == 1 ? 0 : first->integer;
      const std::int64_t high = arguments.positional.size() == 1 ? first->integer : arguments.positional[1]->integer;
      std::int64_t length = 0;
      if (!__builtin_sub_overflow(high, low, &length) && length <= 8) {
        Value* items = make_container(Value::Kind::kSequence);
        for (std::int64_t i = low; i < high; ++i) items->items.push_back(heap_.integer(i));
        return items;
      }
    }
    Value* value = heap_.object("range");
    for (Value* bound : arguments.positional) value->taint |= bound->taint;
    return value;
  }
  if (name == "enumerate" || name == "zip") {
    Value* value = make_container(Value::Kind::kSequence);
    if (name == "enumerate" && first != nullptr && first->is(Value::Kind::kSequence) && !first->open_ended) {
      std::int64_t at = 0;
      for (Value* item : first->items) value->items.push_back(heap_.sequence({heap_.integer(at++), item}));
      return value;
    }
    const bool closed = std::ranges::all_of(
        arguments.positional, [](const Value* each) { return each->is(Value::Kind::kSequence) && !each->open_ended; });
    if (name == "zip" && closed && first != nullptr) {
      for (std::size_t i = 0;; ++i) {
        std::vector<Value*> row;
        for (Value* each : arguments.positional)
          if (i < each->items.size()) row.push_back(each->items[i]);
        if (row.size() < arguments.positional.size()) return value;
        value->items.push_back(heap_.sequence(std::move(row)));
      }
    }
    std::vector<Value*> row;
    if (name == "enumerate") row.push_back(heap_.number());
    for (Value* each : arguments.positional) row.push_back(element_of(each));
    value->items.push_back(heap_.sequence(std::move(row)));
    value->open_ended = true;
    return value;
  }
  if (name == "list" || name == "tuple" || name == "set" || name == "frozenset" || name == "sorted" ||
      name == "reversed" || name == "iter") {
    for (const auto& [key, value] : arguments.keywords)
      if (key == "key") call(value, {.positional = {element_of(first)}}, node);
    if (name == "iter" && first != nullptr) return first;
    Value* value = make_container(Value::Kind::kSequence);
    if (first == nullptr) return value;
    if (first->is(Value::Kind::kString) && first->has_text && first->text.size() < 64) {
      for (const char c : first->text) value->items.push_back(heap_.string(std::string(1, c)));
      if (name == "reversed") std::ranges::reverse(value->items);
      return value;
    }
    if (first->is(Value::Kind::kSequence)) {
      value->items = first->items;
      value->open_ended = first->open_ended;
      if (name == "reversed") std::ranges::reverse(value->items);
    } else {
      value->items.push_back(element_of(first));
      value->open_ended = true;
    }
    return value;
  }
  if (name == "dict") {
    Value* value = make_container(Value::Kind::kDict);
    if (first != nullptr && first->is(Value::Kind::kDict)) {
      value->keyed = first->keyed;
      value->items = first->items;
      value->open_ended = first->open_ended;
    } else if (first != nullptr && first->is(Value::Kind::kSequence)) {
      value->open_ended = first->open_ended;
      for (Value* pair : first->items) {
        if (!pair->is(Value::Kind::kSequence) || pair->items.size() != 2) {
          value->open_ended = true;
        } else if (const auto key = constant_key(pair->items[0])) {
          value->keyed.set(*key, pair->items[1]);
        } else {
          value->open_ended = true;
          value->items.push_back(pair->items[1]);
        }
      }
    } else if (first != nullptr) {
      value->open_ended = true;
    }
    value->keyed.set_all(arguments.keywords);
    heap_.limit(*value);
    return value;
  }
  if (name == "next") {
    if (first == nullptr) return heap_.unknown();
    Value* item = first->is(Value::Kind::kInstance) ? dunder(first, "__next__", {}, node) : element_of(first);
    bool outlives = false;
    each_alternative(first, [&](Value* each) {
      outlives |= call_ > 0 && each->created_in_call < call_ && !each->is(Value::Kind::kInstance);
    });
    if (outlives) {
      item = heap_.copy(*item);
      item->taint |= kState;
      if (!may_be_tensor(item)) item->taint |= kCounter;
      item->has_integer = false;
    }
    if (Value* fallback = arguments.at(1)) item = heap_.join(item, fallback);
    return item;
  }
  if (name == "map" || name == "filter") {
    if (first == nullptr) return heap_.unknown();
    Value* value = make_container(Value::Kind::kSequence);
    const bool closed = arguments.positional.size() == 2 && arguments.positional[1]->is(Value::Kind::kSequence) &&
                        !arguments.positional[1]->open_ended;
    if (closed && arguments.positional[1]->items.size() <= 24) {
      const auto items = arguments.positional[1]->items;
      for (Value* item : items) {
        Value* mapped = call(first, {.positional = {item}}, node);
        value->items.push_back(name == "map" ? mapped : item);
      }
      value->open_ended = name == "filter";
      return value;
    }
    Arguments row;
    for (std::size_t i = 1; i < arguments.positional.size(); ++i)
      row.positional.push_back(element_of(arguments.positional[i]));
    Value* mapped = call(first, row, node);
    value->items.push_back(name == "map" || row.positional.empty() ? mapped : row.positional[0]);
    value->open_ended = true;
    return value;
  }
  if (name == "sum" || name == "max" || name == "min" || name == "abs" || name == "pow" || name == "divmod" ||
      name == "round" || name == "any" || name == "all") {
    for (const auto& [key, value] : arguments.keywords)
      if (key == "key") call(value, {.positional = {first == nullptr ? heap_.unknown() : element_of(first)}}, node);
    const auto tensors = tensors_among(arguments);
    if (!tensors.empty()) {
      note_torch_op(name, {.main = name != "abs" && name != "pow"}, node);
      return derived_tensor({}, tensors);
    }
    Taint taint = 0;
    for (Value* value : arguments.positional) taint |= value->taint;
    return heap_.number(taint);
  }
  if (name == "int" || name == "float" || name == "bool" || name == "ord" || name == "callable" || name == "complex") {
    if (first != nullptr && first->has_integer) return first;
    return heap_.number(first == nullptr ? 0 : first->taint);
  }
  if (name == "chr") {
    if (first != nullptr && first->has_integer && first->integer > 0 && first->integer < 128)
      return heap_.string(std::string(1, static_cast<char>(first->integer)));
    return heap_.string();
  }
  if (name == "str" || name == "repr" || name == "format" || name == "ascii" || name == "bytes" ||
      name == "bytearray" || name == "hex") {
    if (first != nullptr && first->has_text) return first;
    Value* value = heap_.string();
    if (first != nullptr) value->taint = first->taint;
    if (first != nullptr && (name == "bytes" || name == "bytearray") && first->is(Value::Kind::kSequence) &&
        !first->open_ended) {
      std::string text;
      for (Value* item : first->items) {
        if (!item->has_integer || item->integer <= 0 || item->integer > 127) return value;
        text += static_cast<char>(item->integer);
      }
      return heap_.string(text);
    }
    return value;
  }
  if (name == "staticmethod" || name == "classmethod" || name == "property") {
    if (first == nullptr || !first->is(Value::Kind::kFunction)) return first == nullptr ? heap_.unknown() : first;
    first->binding = name == "staticmethod"  ? Value::Binding::kStatic
                     : name == "classmethod" ? Value::Binding::kClass
                                             : Value::Binding::kProperty;
    return first;
  }
  if (name == "print") return heap_.none();
  if (name == "object") return heap_.object("builtins.object");
  if (name == "slice") return heap_.object("slice");
  if (name.ends_with("Error") || name.ends_with("Exception") || name.ends_with("Warning"))
    return heap_.object("builtins.Exception");
  if (name == "exec" || name == "eval" || name == "compile" || name == "open") return heap_.unknown();
  return call_unknown(arguments, node);
}

Value* Interpreter::call_operator(std::string_view name, const Arguments& arguments, NodeId node) {
  if (name == "attrgetter" || name == "methodcaller" || name == "itemgetter") {
    Value* getter = heap_.make(Value::Kind::kPartial);
    getter->target = heap_.external("operator." + std::string(name) + ".call");
    getter->items = {heap_.sequence(arguments.positional)};
    return getter;
  }
  if (name.ends_with(".call") && arguments.at(1) != nullptr) {
    const auto& given = arguments.positional[0]->items;
    Value* object = arguments.positional[1];
    if (given.empty()) return heap_.unknown();
    if (name == "itemgetter.call") return subscript(object, given[0], kAbsentNode, node);
    if (name == "methodcaller.call") {
      Arguments rest;
      rest.positional.assign(given.begin() + 1, given.end());
      return call(get_attribute_by_value(object, given[0], nullptr, node), rest, node);
    }
    if (!given[0]->has_text) return get_attribute_by_value(object, given[0], nullptr, node);
    Value* value = object;
    for (std::string_view rest = given[0]->text; !rest.empty();) {
      const auto dot = rest.find('.');
      value = attribute(value, rest.substr(0, dot), node);
      if (dot == std::string_view::npos) break;
      rest.remove_prefix(dot + 1);
    }
    return value;
  }
  if (name == "getitem" && arguments.at(1) != nullptr)
    return subscript(arguments.positional[0], arguments.positional[1], kAbsentNode, node);
  if (name == "call" && arguments.at(0) != nullptr) {
    Arguments rest = arguments;
    rest.positional.erase(rest.positional.begin());
    return call(arguments.positional[0], rest, node);
  }
  if (const auto op = operator_function(name); op && arguments.at(0) != nullptr) {
    Value* right = arguments.at(1) == nullptr ? arguments.positional[0] : arguments.positional[1];
    return binary(*op, arguments.positional[0], right, node);
  }
  const auto tensors = tensors_among(arguments);
  if (!tensors.empty()) {
    note_torch_op("operator." + std::string(name), kPointwise, node);
    return derived_tensor({}, tensors);
  }
  return heap_.number();
}

Value* Interpreter::call_functools(std::string_view path, const Arguments& arguments, NodeId node) {
  const std::string_view name = last_part(path);
  Value* first = arguments.at(0);
  if (name == "partial" || name == "partialmethod" || path == "function.__get__") {
    if (first == nullptr) return heap_.unknown();
    Value* partial = heap_.make(Value::Kind::kPartial);
    partial->target = first;
    partial->items.assign(arguments.positional.begin() + 1, arguments.positional.end());
    partial->keyed = arguments.keywords;
    partial->open_ended = arguments.open_ended;
    return partial;
  }
  if (name == "reduce" && arguments.at(1) != nullptr) {
    Value* element = element_of(arguments.positional[1]);
    Value* start = arguments.at(2) == nullptr ? element : arguments.positional[2];
    Value* once = call(first, {.positional = {start, element}}, node);
    return heap_.join(start, call(first, {.positional = {heap_.join(start, once), element}}, node));
  }
  if (name == "lru_cache" || name == "cache" || name == "cached_property") {
    if (first == nullptr || !first->is(Value::Kind::kFunction)) return heap_.external(path);  // lru_cache(maxsize=...)
    Value* memo = heap_.copy(*first);
    memo->memoized = true;
    if (name == "cached_property") memo->binding = Value::Binding::kProperty;
    return memo;
  }
  if (name == "wraps") return heap_.external("functools.wraps.of");
  if (path == "functools.wraps.of" || name == "update_wrapper") return first == nullptr ? heap_.unknown() : first;
  if (name == "starmap" && arguments.at(1) != nullptr) {
    Value* row = element_of(arguments.positional[1]);
    Arguments spread;
    if (row->is(Value::Kind::kSequence))
      spread.positional = row->items;
    else
      spread.open_ended = true;
    return heap_.sequence({call(first, spread, node)}, true);
  }
  if (name == "accumulate" && first != nullptr) {
    Value* element = element_of(first);
    Value* function = arguments.at(1) == nullptr ? arguments.keyword("func") : arguments.at(1);
    if (function == nullptr) return heap_.sequence({binary(Op::kAdd, element, element, node)}, true);
    return heap_.sequence({call(function, {.positional = {element, element}}, node)}, true);
  }
  if (name == "count" || name == "cycle" || name == "repeat") {
    Value* value = make_container(Value::Kind::kSequence);
    value->open_ended = true;
    value->items.push_back(name == "count" || first == nullptr ? heap_.number()
                           : name == "cycle"                   ? element_of(first)
                                                               : first);
    return value;
  }
  if (name == "chain" || name == "from_iterable" || name == "islice" || name == "product" || name == "permutations") {
    std::vector<Value*> items(arguments.positional.size());
    std::ranges::transform(arguments.positional, items.begin(), [&](Value* each) { return element_of(each); });
    if (name == "product") return heap_.sequence({heap_.sequence(std::move(items))}, true);
    return heap_.sequence(std::move(items), true);
  }
  if (name == "deepcopy" || (name == "copy" && path.starts_with("copy."))) {
    if (first != nullptr && first->is(Value::Kind::kTensor)) return derived_tensor({.cls = OpClass::kCopy}, {first});
    return first == nullptr ? heap_.unknown() : first;
  }
  if (name == "OrderedDict" || name == "defaultdict" || name == "Counter") {
    Value* value = make_container(Value::Kind::kDict);
    value->open_ended = name == "defaultdict";
    if (first != nullptr && first->is(Value::Kind::kDict)) *value = *first;
    return value;
  }
  if (name == "deque") {
    Value* value = make_container(Value::Kind::kSequence);
    if (first != nullptr && first->is(Value::Kind::kSequence)) value->items = first->items;
    return value;
  }
  if (name == "suppress") {
    Value* value = heap_.object("contextlib.suppress");
    return value;
  }
  if (name == "field") {
    if (Value* fallback = arguments.keyword("default")) return fallback;
    if (Value* factory = arguments.keyword("default_factory")) return call(factory, {}, node);
    return heap_.unknown();
  }
  if (name == "replace" && path.starts_with("dataclasses.")) return first == nullptr ? heap_.unknown() : first;
  if (first != nullptr && (first->is(Value::Kind::kFunction) || first->is(Value::Kind::kClass)))
    return first;  // decorators
  if (name == "dataclass" || name == "total_ordering" || name == "singledispatch")
    return heap_.external("functools.wraps.of");
  run_callbacks(arguments, node);
  if (name == "namedtuple") return heap_.unknown();
  return heap_.object(path);
}

Value* Interpreter::make_module(std::string_view path, const Arguments& arguments) {
  const std::string cls = module_class_path(path);
  if (cls == "torch.nn.Parameter" || cls == "torch.nn.Buffer") {
    Value* tensor = fresh_tensor();
    tensor->storage->parameter = true;
    return tensor;
  }
  if (cls == "torch.nn.Sequential" || cls == "torch.nn.ModuleList" || cls == "torch.nn.ParameterList") {
    Value* value = make_container(Value::Kind::kSequence);
    value->text = heap_.intern(cls);
    value->open_ended = arguments.open_ended;
    value->items = arguments.positional;
    if (arguments.positional.size() == 1) {
      Value* only = arguments.positional[0];
      if (only->is(Value::Kind::kSequence) && only->text.empty()) {
        value->items = only->items;
        value->open_ended = only->open_ended;
      } else if (only->is(Value::Kind::kDict)) {
        value->items.clear();
        for (const auto& [name, item] : only->keyed) value->items.push_back(item);
      }
    }
    return value;
  }
  if (cls == "torch.nn.ModuleDict" || cls == "torch.nn.ParameterDict") {
    Value* value = make_container(Value::Kind::kDict);
    if (Value* given = arguments.at(0); given != nullptr && given->is(Value::Kind::kDict)) {
      value->keyed = given->keyed;
      value->items = given->items;
      value->open_ended = given->open_ended;
    }
    return value;
  }
  Value* module = heap_.object(cls);
  module->created_in_call = call_;
  return module;
}

Value* Interpreter::call_object(Value* object, const Arguments& arguments, NodeId node) {
  if (object->text.starts_with("torch.nn.")) {
    const auto op = find_torch_op(object->text);
    note_torch_op(object->text, op.value_or(TorchOp{.main = true}), node);
    Value* first = arguments.at(0) == nullptr ? heap_.unknown() : arguments.positional[0];
    if (op && op->cls == OpClass::kFree) return first;
    return derived_tensor(op.value_or(TorchOp{}), tensors_among(arguments));
  }
  // A context manager used as decorator (@torch.no_grad()), a generic alias, a method of something opaque.
  if (arguments.positional.size() == 1 && arguments.keywords.empty()) {
    Value* only = arguments.positional[0];
    if (only->is(Value::Kind::kFunction) || only->is(Value::Kind::kKernel) || only->is(Value::Kind::kClass))
      return only;
  }
  run_callbacks(arguments, node);
  if (object->text == "torch.Size") return heap_.number();
  return heap_.unknown();
}

Value* Interpreter::external_base_attribute(Value* base, Value* self, std::string_view name) {
  const std::string_view path = base->text;
  if (is_module_class(path)) {
    const std::string cls = module_class_path(path);
    if (name == "forward" || name == "__call__") {
      if (cls == "torch.nn.Module") return heap_.unknown();
      return heap_.object(cls);
    }
    if (name == "register_buffer" || name == "register_parameter" || name == "add_module" ||
        name == "register_module" || name == "__setattr__") {
      Value* partial = heap_.make(Value::Kind::kPartial);
      partial->target = heap_.external("builtins.setattr");
      partial->items = {self == nullptr ? heap_.unknown() : self};
      return partial;
    }
    if (name == "register_forward_hook") {
      Value* partial = heap_.make(Value::Kind::kPartial);
      partial->target = heap_.external("torch.nn.Module.register_forward_hook");
      partial->items = {self == nullptr ? heap_.unknown() : self};
      return partial;
    }
    if (name == "training") return heap_.number();
    if (name == "parameters" || name == "buffers" || name == "modules" || name == "children" ||
        name == "named_parameters" || name == "state_dict") {
      return heap_.object("torch.nn.Module.listing");
    }
    if (name == "__init__" || name == "extra_repr" || name == "_load_from_state_dict")
      return heap_.object("builtins.object");
    if (name == "compile") {
      note_external("torch.compile", frames_.empty() ? tree_.root() : self == nullptr ? tree_.root() : self->node);
      return heap_.unknown();
    }
    if (name == "train" || name == "eval" || name == "to" || name == "cuda" || name == "half" || name == "float" ||
        name == "bfloat16" || name == "requires_grad_" || name == "apply" || name == "zero_grad" || name == "double" ||
        name == "cpu") {
      return heap_.object("builtins.object");
    }
    const auto parameter = [](std::string_view each) {
      return each == "weight" || each == "bias" || each.starts_with("weight_") || each.starts_with("bias_") ||
             each.ends_with("_weight") || each.ends_with("_bias") || each.starts_with("running_");
    };
    if (cls != "torch.nn.Module" && parameter(name)) {
      Value* tensor = heap_.tensor(heap_.storage());
      tensor->storage->parameter = true;
      return tensor;
    }
    return heap_.unknown();
  }
  if (name == "__init__" || name == "__new__" || name == "__setattr__" || name == "__init_subclass__")
    return heap_.object("builtins.object");
  return heap_.unknown();
}

Value* Interpreter::object_attribute(Value* object, std::string_view name, NodeId node) {
  if (object->attributes != nullptr) {
    if (Slot* slot = object->attributes->names.find(name); slot != nullptr && slot->value != nullptr)
      return read_slot(*slot);
  }
  if (object->text == "torch.Size") return name == "numel" ? object : heap_.number();
  if (object->text == "vars" && (name == "get" || name == "__getitem__" || name == "pop" || name == "setdefault")) {
    Value* partial = heap_.make(Value::Kind::kPartial);
    partial->target = heap_.external("operator.getitem");
    partial->items = {object};
    return partial;
  }
  if (object->text == "vars" && name == "update") {
    Value* partial = heap_.make(Value::Kind::kPartial);
    partial->target = heap_.external("vars.update");
    partial->items = {object};
    return partial;
  }
  if (object->text.starts_with("torch.nn.") && object->text != "torch.nn.Module.listing") {
    if (name == "forward" || name == "__call__") return object;
    if (name == "compile") {
      note_external("torch.compile", node);
      return heap_.unknown();
    }
    if (name == "to" || name == "cuda" || name == "eval" || name == "half" || name == "train" ||
        name == "requires_grad_" || name == "float" || name == "bfloat16") {
      Value* same = heap_.make(Value::Kind::kPartial);
      same->target = heap_.external("copy.copy");
      same->items = {object};
      return same;
    }
    // One tensor per module and name, so that writes through it are seen.
    Value* found = external_base_attribute(heap_.external(object->text), object, name);
    if (found->is(Value::Kind::kTensor)) {
      if (object->attributes == nullptr) object->attributes = heap_.scope(nullptr);
      object->attributes->names.at(name).value = found;
    }
    return found;
  }
  if (object->text == "autograd context") {
    return name == "saved_tensors" ? heap_.sequence({heap_.unknown()}, true) : heap_.object("torch.other");
  }
  return heap_.unknown();
}

Value* Interpreter::tensor_attribute(Value* tensor, std::string_view name, NodeId node) {
  if (Slot* slot = tensor_attributes_->names.find(name); slot != nullptr && slot->value != nullptr)
    return read_slot(*slot);
  static constexpr std::array<std::string_view, 8> kViews = {"T", "mT", "H", "mH", "data", "real", "imag", "grad"};
  static constexpr std::array<std::string_view, 16> kNumbers = {
      "ndim",         "is_cuda", "requires_grad", "itemsize", "nbytes", "is_leaf",   "is_cpu",    "is_sparse",
      "is_quantized", "is_meta", "is_nested",     "is_mps",   "is_xpu", "output_nr", "is_mkldnn", "retains_grad"};
  static constexpr std::array<std::string_view, 5> kOthers = {"dtype", "device", "layout", "names", "grad_fn"};
  if (std::ranges::find(kViews, name) != kViews.end()) return tensor;
  if (std::ranges::find(kNumbers, name) != kNumbers.end()) return heap_.number(tensor->taint);
  if (std::ranges::find(kOthers, name) != kOthers.end()) return heap_.object("torch.other");
  if (name == "shape") {
    Value* shape = heap_.object("torch.Size");
    shape->taint = tensor->taint;
    return shape;
  }
  if (name == "_version") return heap_.number(kAddress);
  if (name == "__class__") return heap_.external("torch.Tensor");
  if (name == "__dict__") {
    Value* vars = heap_.object("vars");
    vars->target = tensor;
    return vars;
  }
  if (name == "set_") report("native-memory", node, "set_() swaps the memory under a tensor");
  Value* method = heap_.make(Value::Kind::kMethod);
  method->target = heap_.external(name);
  method->self = tensor;
  return method;
}

Value* Interpreter::call_tensor_method(Value* self, std::string_view name, const Arguments& arguments, NodeId node) {
  if (name == "__getattribute__" || name == "__getattr__")
    return get_attribute_by_value(self, arguments.at(0) == nullptr ? heap_.unknown() : arguments.positional[0], nullptr,
                                  node);
  if (name == "__getitem__" && arguments.at(0) != nullptr)
    return subscript(self, arguments.positional[0], kAbsentNode, node);
  if (name == "data_ptr" || name == "storage_offset") return heap_.number(name == "data_ptr" ? kAddress : 0);
  if (name == "untyped_storage" || name == "storage") {
    // Only its address is of use to honest code.
    Value* object = heap_.object("torch.UntypedStorage");
    object->attributes = heap_.scope(nullptr);
    object->attributes->names.at("data_ptr").value = heap_.external("torch.Tensor.data_ptr");
    object->attributes->names.at("_cdata").value = heap_.number(kAddress);
    return object;
  }
  if (name == "size" || name == "stride")
    return arguments.positional.empty() && arguments.keywords.empty() ? heap_.object("torch.Size") : heap_.number();
  if (name == "copy_" || name == "zero_" || name == "fill_") {
    if (name == "copy_") note_torch_op("Tensor.copy_", {.cls = OpClass::kCopy}, node);
    overwrite(self, arguments.at(0) == nullptr ? heap_.none() : arguments.positional[0], node);
    return self;
  }
  if (name == "apply_" || name == "map_" || name == "register_hook") run_callbacks(arguments, node);
  const auto found = find_tensor_method(name);
  if (!found) {
    // No method of torch: an attribute that somebody hung on the tensor.
    run_callbacks(arguments, node);
    return heap_.unknown();
  }
  auto tensors = tensors_among(arguments);
  tensors.insert(tensors.begin(), self);
  const TorchOp op = *found;
  note_narrowing(self, name, arguments, node);
  note_torch_op("Tensor." + std::string(name), op, node);
  const bool in_place =
      name.ends_with('_') && !name.ends_with("__") && op.returns == OpReturns::kTensor && op.cls != OpClass::kFree;
  if (in_place) {
    mark_written(self->storage, node, "changes");
    self->storage->torch_computed |= op.cls == OpClass::kCompute;
    return self;
  }
  if (name.starts_with("new_")) return fresh_tensor();
  return torch_result(op, name, self, tensors);
}

// x.half() or x.to(torch.bfloat16) of something that no kernel made.
void Interpreter::note_narrowing(const Value* self, std::string_view name, const Arguments& arguments, NodeId node) {
  if (!on_path_ || self->storage->kernel_written) return;
  bool narrow = name == "half" || name == "bfloat16";
  if (name == "to" || name == "type") {
    const auto is_narrow = [](const Value* type) {
      return type->is(Value::Kind::kExternal) &&
             (type->text == "torch.float16" || type->text == "torch.half" || type->text == "torch.bfloat16");
    };
    narrow = std::ranges::any_of(arguments.positional, is_narrow) ||
             std::ranges::any_of(arguments.keywords, [&](const auto& entry) { return is_narrow(entry.value); });
  }
  if (narrow) suspect("precision-downgrade", node, "an input is narrowed before it is computed with");
}

Value* Interpreter::call_torch(std::string_view path, const Arguments& arguments, NodeId node) {
  Value* first = arguments.at(0);
  if (path == "torch.autograd.Function.apply" && first != nullptr && first->is(Value::Kind::kClass)) {
    Arguments rest = arguments;
    rest.positional.erase(rest.positional.begin());
    return apply_autograd_function(first, rest, node);
  }
  if (path == "torch.nn.Module.register_forward_hook" && arguments.at(1) != nullptr) {
    if (first->is(Value::Kind::kInstance)) first->items.push_back(arguments.positional[1]);
    return heap_.object("torch.other");
  }
  if (path == "torch.Tensor.data_ptr") return heap_.number(kAddress);
  for (const std::string_view tensor_class :
       {"torch.Tensor.", "torch._C.TensorBase.", "torch._C._TensorBase.", "torch._tensor.Tensor."}) {
    if (path.starts_with(tensor_class) && first != nullptr) {
      Arguments rest = arguments;
      rest.positional.erase(rest.positional.begin());
      Value* self = may_be_tensor(first) ? first : heap_.tensor(heap_.storage());
      Value* result = nullptr;
      each_alternative(self, [&](Value* each) {
        if (each->is(Value::Kind::kTensor))
          result = heap_.join(result, call_tensor_method(each, last_part(path), rest, node));
      });
      return result == nullptr ? heap_.unknown() : result;
    }
  }
  if (is_module_class(path) && last_part(path) != "Module") return make_module(path, arguments);
  if (path == "torch.library.wrap_triton" || path == "torch.compile" || path == "torch.jit.script" ||
      path.starts_with("torch.compiler.") || path.starts_with("torch._dynamo.")) {
    return first == nullptr ? heap_.external(path) : first;
  }
  if (path.starts_with("torch.library.") && first != nullptr && first->has_text &&
      (first->text == "aten" || first->text.starts_with("aten::"))) {
    report("dispatch-tampering", node, "torch's own operators are overridden for the whole process");
  }
  if (path.starts_with("torch.library.") || path.starts_with("torch.amp.") || path.starts_with("torch.cuda.amp.") ||
      path == "torch.no_grad" || path == "torch.inference_mode" || path == "torch.enable_grad" ||
      path == "torch.autograd.function.once_differentiable") {
    if (first != nullptr && (first->is(Value::Kind::kFunction) || first->is(Value::Kind::kClass))) return first;
    return heap_.object(path);
  }
  // vmap and friends give back a function that computes in torch.
  if (path.starts_with("torch.func.") || path == "torch.vmap" || path.starts_with("torch._vmap")) {
    if (first != nullptr) {
      note_torch_op(path, {.main = true}, node);
      return first;
    }
  }
  const auto found = find_torch_op(path);
  auto tensors = tensors_among(arguments);
  if (!found) {
    // No operator we know: it counts as compute as soon as it is given a tensor.
    run_callbacks(arguments, node);
    if (tensors.empty()) return heap_.object(path);
    note_torch_op(path, {.main = true}, node);
    return derived_tensor({}, tensors);
  }
  const std::string_view name =
      path.starts_with("torch.ops.") ? path.substr(15, path.find('.', 15) - 15) : last_part(path);
  note_torch_op(path, *found, node);
  if (Value* out = arguments.keyword("out"); out != nullptr && may_be_tensor(out)) {
    each_alternative(out, [&](Value* each) {
      if (!each->is(Value::Kind::kTensor)) return;
      overwrite(each, heap_.none(), node);
      each->storage->torch_computed = true;
    });
    return out;
  }
  if (found->returns == OpReturns::kOther && found->cls != OpClass::kCompute) return heap_.object(path);
  Value* viewed = first != nullptr && may_be_tensor(first) ? first : tensors.empty() ? nullptr : tensors[0];
  return torch_result(*found, name, viewed, tensors);
}

Value* Interpreter::call_triton(std::string_view path, const Arguments& arguments, NodeId node) {
  Value* first = arguments.at(0);
  const std::string_view name = last_part(path);
  if (name == "jit" || name == "JITFunction") {
    Value* function = first != nullptr ? first : arguments.keyword("fn");
    if (function == nullptr || function->is(Value::Kind::kNone))
      return heap_.external("triton.jit");  // triton.jit(debug=True)
    if (function->is(Value::Kind::kKernel)) return function;
    if (!function->is(Value::Kind::kFunction)) return heap_.unknown();
    return make_kernel(function);
  }
  if (name == "autotune" || name == "heuristics" || name == "Autotuner" || name == "Heuristics") {
    if (name == "Autotuner" || name == "Heuristics") {
      if (first != nullptr && first->is(Value::Kind::kKernel)) {
        first->configured = true;
        return first;
      }
      return heap_.unknown();
    }
    run_callbacks(arguments, node);
    Value* tuned = heap_.make(Value::Kind::kPartial);
    tuned->target = heap_.external("triton.configured");
    tuned->items = {make_container(Value::Kind::kDict)};
    Value* configs = first != nullptr ? first : arguments.keyword("configs");
    if (name == "autotune" && configs != nullptr && configs->is(Value::Kind::kSequence)) {
      for (Value* config : configs->items) {
        if (!config->is(Value::Kind::kObject) || config->items.empty() || !config->items[0]->is(Value::Kind::kDict))
          continue;
        tuned->items[0]->keyed.set_all(config->items[0]->keyed);
      }
    }
    for (Value* table : arguments.positional)
      if (table->is(Value::Kind::kDict))
        for (const auto& [key, rule] : table->keyed) run_callbacks({.positional = {rule}}, node);
    return tuned;
  }
  if (path == "triton.configured") {
    Value* definition = arguments.at(1);
    if (definition == nullptr || !definition->is(Value::Kind::kKernel))
      return definition == nullptr ? heap_.unknown() : definition;
    Value* kernel = heap_.copy(*definition);
    kernel->configured = true;
    kernel->keyed.set_all(first->keyed);
    return kernel;
  }
  if (name == "Config") {
    Value* config = heap_.object(path);
    if (Value* settings = first != nullptr ? first : arguments.keyword("kwargs")) config->items = {settings};
    if (Value* hook = arguments.keyword("pre_hook")) run_callbacks({.positional = {hook}}, node);
    return config;
  }
  if (name == "cdiv" || name == "next_power_of_2" || name == "prev_power_of_2" ||
      path.starts_with("triton.language.")) {
    Taint taint = 0;
    for (Value* value : arguments.positional) taint |= value->taint;
    return heap_.number(taint);
  }
  if (name == "TensorDescriptor" || name == "from_tensor") {
    Value* descriptor = heap_.object(path);
    descriptor->items = arguments.positional;
    if (Value* base = arguments.keyword("base")) descriptor->items.push_back(base);
    return descriptor;
  }
  if (path == "triton.set_allocator") {
    run_callbacks(arguments, node);
    return heap_.none();
  }
  if (first != nullptr && (first->is(Value::Kind::kKernel) || first->is(Value::Kind::kFunction)) &&
      arguments.positional.size() == 1 && name != "do_bench")
    return first;
  run_callbacks(arguments, node);
  return heap_.object(path);
}

}  // namespace tritonrl::analysis
