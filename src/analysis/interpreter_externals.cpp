#include <unordered_set>

#include "analysis/external_rules.h"
#include "analysis/interpreter.h"
#include "analysis/paths.h"

namespace tritonrl::analysis {

using pysource::NodeId;

namespace {

// NumPy's functions that kernels' hosts have no use for, whatever they are given: it may be memory under another name.
bool multiplies_arrays(std::string_view path) {
  static const std::unordered_set<std::string_view> products = {"matmul", "dot",  "einsum", "tensordot",
                                                                "inner",  "vdot", "outer",  "convolve"};
  return products.contains(last_part(path)) || path.starts_with("numpy.linalg.") || path.starts_with("numpy.fft.");
}

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
  if (!tells_of_build(plain)) return value;
  Value* version = heap_.string();
  version->taint = kBuild;
  return version;
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
  if (last_part(path) == "__getitem__" && arguments.at(0) != nullptr) {
    return subscript(heap_.external(path.substr(0, path.rfind('.'))), arguments.positional[0], pysource::kAbsentNode,
                     node);
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
    if (!tensors_among(arguments).empty()) note_torch_op(path, {}, node);
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
    if (!tensors.empty() || multiplies_arrays(path)) {
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
  const bool of_module = object->target != nullptr && object->target->is(Value::Kind::kExternal);
  if (object->text == "vars" && of_module && (name == "values" || name == "items" || name == "copy") && !library())
    report("opaque-attribute", node, "everything in a module is looked at; what is taken cannot be worked out");
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

}  // namespace tritonrl::analysis
