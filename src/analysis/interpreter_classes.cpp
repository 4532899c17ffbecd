#include <algorithm>
#include <array>

#include "analysis/interpreter.h"

namespace tritonrl::analysis {

using pysource::kAbsentNode;
using pysource::NodeId;

// Depth first from the left, each class once, bounded: bases can form chains and diamonds of any size.
template <typename Visit>
Value* Interpreter::first_in_lineage(Value* cls, Visit visit) {
  constexpr std::size_t kMaxClasses = 256;
  if (cls == nullptr) return nullptr;
  std::vector<Value*> open = {cls};
  std::vector<const Value*> seen;
  while (!open.empty() && seen.size() < kMaxClasses) {
    Value* each = open.back();
    open.pop_back();
    if (std::ranges::find(seen, each) != seen.end()) continue;
    seen.push_back(each);
    if (Value* found = visit(each)) return found;
    if (!each->is(Value::Kind::kClass)) continue;
    for (auto base = each->items.rbegin(); base != each->items.rend(); ++base) {
      each_alternative(*base, [&](Value* alternative) { open.push_back(alternative); });
    }
  }
  return nullptr;
}

Value* Interpreter::class_attribute(Value* cls, std::string_view name) {
  if (cls == nullptr || !cls->is(Value::Kind::kClass)) return nullptr;
  return first_in_lineage(cls, [&](Value* each) -> Value* {
    if (!each->is(Value::Kind::kClass)) return nullptr;
    Slot* slot = each->attributes->names.find(name);
    return slot == nullptr || slot->value == nullptr ? nullptr : read_slot(*slot);
  });
}

bool Interpreter::inherits(Value* cls, std::string_view external_path) {
  return first_in_lineage(cls, [&](Value* each) {
           return each->is(Value::Kind::kExternal) && each->text == external_path ? each : nullptr;
         }) != nullptr;
}

Value* Interpreter::external_base(Value* cls) {
  return first_in_lineage(cls, [](Value* each) { return each->is(Value::Kind::kExternal) ? each : nullptr; });
}

Value* Interpreter::bind_method(Value* found, Value* self, Value* cls, NodeId node) {
  if (found->is(Value::Kind::kUnion)) {
    Value* result = nullptr;
    each_alternative(found, [&](Value* each) { result = heap_.join(result, bind_method(each, self, cls, node)); });
    return result;
  }
  if (found->is(Value::Kind::kInstance)) {  // a descriptor of the file
    if (class_attribute(found->target, "__get__") != nullptr) {
      return dunder(found, "__get__", {self == nullptr ? heap_.none() : self, cls == nullptr ? heap_.none() : cls},
                    node);
    }
    return found;
  }
  if (!found->is(Value::Kind::kFunction)) return found;
  switch (found->binding) {
    case Value::Binding::kStatic:
      return found;
    case Value::Binding::kProperty:
      return self == nullptr ? found : call_function(found, {}, self);
    case Value::Binding::kClass:
      self = cls;
      break;
    case Value::Binding::kInstance:
      break;
  }
  if (self == nullptr) return found;
  Value* method = heap_.make(Value::Kind::kMethod);
  method->target = found;
  method->self = self;
  return method;
}

void Interpreter::remember_instance(Value* instance) {
  if (instance_of_.contains(instance->target)) return;
  first_in_lineage(instance->target, [&](Value* each) -> Value* {
    instance_of_.emplace(each, instance);
    return nullptr;
  });
}

Value* Interpreter::self_for_unnamed_call(const Value* method, Value* cls) {
  const std::string_view name = tree_.text(method->node);
  const bool made_now = method->created_in_call == call_;
  // These make the object, or are called by name.
  static constexpr std::array<std::string_view, 6> kOthers = {"__init__",          "__new__",      "__post_init__",
                                                              "__init_subclass__", "__set_name__", "__call__"};
  const bool special =
      name.starts_with("__") && name.ends_with("__") && std::ranges::find(kOthers, name) == kOthers.end();
  if (!special && !made_now && method->binding != Value::Binding::kProperty) return nullptr;
  if (inherits(cls, "torch.autograd.Function")) return nullptr;
  if (const auto found = instance_of_.find(cls); found != instance_of_.end()) return found->second;
  return made_now ? instantiate(cls, {.open_ended = true}, method->node) : nullptr;
}

Value* Interpreter::instantiate(Value* cls, const Arguments& arguments, NodeId node) {
  Value* instance = heap_.make(Value::Kind::kInstance);
  instance->target = cls;
  instance->created_in_call = call_;
  instance->node = cls->node;
  instance->attributes = heap_.scope(nullptr);
  instance->attributes->created_in_call = call_;
  remember_instance(instance);
  if (Value* base = external_base(cls)) {
    const std::string_view name = base->text;
    if (name == "builtins.dict" || name == "collections.OrderedDict" || name == "collections.defaultdict" ||
        name == "collections.UserDict") {
      instance->self = make_container(Value::Kind::kDict);
    } else if (name == "builtins.list" || name == "collections.deque" || name == "collections.UserList") {
      instance->self = make_container(Value::Kind::kSequence);
    }
  }
  Value* constructor = class_attribute(cls, "__init__");
  if (Value* maker = class_attribute(cls, "__new__"); maker != nullptr && maker->is(Value::Kind::kFunction)) {
    Value* made = call_function(maker, arguments, cls);
    if (made->is(Value::Kind::kTensor) || made->is(Value::Kind::kFunction)) return made;
  }
  if (constructor != nullptr) {
    call(bind_method(constructor, instance, cls, node), arguments, node);
    return instance;
  }
  // A dataclass or named tuple: fields in order, then by name.
  std::size_t next = 0;
  for (const auto& [name, slot] : cls->attributes->names) {
    if (slot.value == nullptr || slot.value->is(Value::Kind::kFunction)) continue;
    if (next >= arguments.positional.size()) break;
    instance->attributes->names.at(name).value = arguments.positional[next++];
  }
  for (const auto& [name, value] : arguments.keywords) instance->attributes->names.at(name).value = value;
  if (Value* hook = class_attribute(cls, "__post_init__")) call(bind_method(hook, instance, cls, node), {}, node);
  run_callbacks(arguments, node);
  return instance;
}

Value* Interpreter::dunder(Value* instance, std::string_view name, std::vector<Value*> arguments, NodeId node) {
  Value* method = class_attribute(instance->target, name);
  if (method == nullptr && name == "__getitem__" && instance->self != nullptr && !arguments.empty()) {
    return subscript(instance->self, arguments[0], kAbsentNode, node);
  }
  if (method == nullptr) return name == "__enter__" || name == "__iter__" ? instance : heap_.unknown();
  Arguments given;
  given.positional = std::move(arguments);
  return call(bind_method(method, instance, instance->target, node), given, node);
}

Value* Interpreter::call_instance(Value* instance, const Arguments& arguments, NodeId node) {
  for (const std::string_view name : {"__call__", "forward"}) {
    // An attribute of the object itself shadows a method for forward, never for __call__.
    if (name == "forward") {
      if (Slot* slot = instance->attributes->names.find(name); slot != nullptr && slot->value != nullptr)
        return call(read_slot(*slot), arguments, node);
    }
    if (Value* method = class_attribute(instance->target, name)) {
      Value* result = call(bind_method(method, instance, instance->target, node), arguments, node);
      // Forward hooks have the last word.
      for (std::size_t i = 0; i < instance->items.size(); ++i) {
        Value* given = heap_.sequence(arguments.positional);
        result = heap_.join(result, call(instance->items[i], {.positional = {instance, given, result}}, node));
      }
      return result;
    }
  }
  if (Value* base = external_base(instance->target))
    return call(external_base_attribute(base, instance, "forward"), arguments, node);
  return call_unknown(arguments, node);
}

Value* Interpreter::instance_attribute(Value* instance, std::string_view name, NodeId node) {
  if (Slot* slot = instance->attributes->names.find(name); slot != nullptr && slot->value != nullptr)
    return read_slot(*slot);
  if (name == "__class__") return instance->target;
  if (name == "__dict__") {
    Value* vars = heap_.object("vars");
    vars->target = instance;
    return vars;
  }
  if (Value* found = class_attribute(instance->target, name))
    return bind_method(found, instance, instance->target, node);
  if (Value* hook = class_attribute(instance->target, "__getattr__")) {
    return call(bind_method(hook, instance, instance->target, node), {.positional = {heap_.string(name)}}, node);
  }
  if (instance->self != nullptr) return attribute(instance->self, name, node);
  if (Value* base = external_base(instance->target)) return external_base_attribute(base, instance, name);
  return heap_.unknown();
}

Value* Interpreter::attribute(Value* object, std::string_view name, NodeId node) {
  note_attribute_name(name, node);
  Value* result = nullptr;
  each_alternative(object, [&](Value* each) {
    Value* value = nullptr;
    switch (each->kind) {
      case Value::Kind::kExternal:
        if (name == "__dict__") {
          value = heap_.object("vars");
          value->target = each;
        } else {
          value = external_below(each->text, name, node);
        }
        break;
      case Value::Kind::kTensor:
        value = tensor_attribute(each, name, node);
        break;
      case Value::Kind::kInstance:
        value = instance_attribute(each, name, node);
        break;
      case Value::Kind::kClass:
        if (Value* found = class_attribute(each, name)) {
          value = bind_method(found, nullptr, each, node);
        } else if (name == "apply" &&
                   (inherits(each, "torch.autograd.Function") || inherits(each, "torch.autograd.function.Function"))) {
          value = heap_.make(Value::Kind::kPartial);
          value->target = heap_.external("torch.autograd.Function.apply");
          value->items = {each};
        } else if (name == "__dict__") {
          value = heap_.object("vars");
          value->target = each;
        } else if (Value* base = external_base(each)) {
          value = heap_.external(std::string(base->text) + "." + std::string(name));
          note_external(value->text, node);
        }
        break;
      case Value::Kind::kSuper: {
        Value* cls = each->target;
        if (cls == nullptr) break;
        for (Value* base : cls->items) {
          Value* found = nullptr;
          each_alternative(base, [&](Value* part) {
            if (found != nullptr) return;
            if (part->is(Value::Kind::kExternal)) {
              found = external_base_attribute(part, each->self, name);
            } else if (Value* inherited = class_attribute(part, name)) {
              found = bind_method(inherited, each->self, cls, node);
            } else if (Value* outside = external_base(part)) {
              found = external_base_attribute(outside, each->self, name);
            }
          });
          if (found != nullptr) {
            value = found;
            break;
          }
        }
        break;
      }
      case Value::Kind::kFunction:
        if (each->attributes != nullptr) {
          if (Slot* slot = each->attributes->names.find(name); slot != nullptr && slot->value != nullptr)
            value = read_slot(*slot);
        }
        if (value == nullptr && name == "__wrapped__") value = each;
        if (value == nullptr && name == "__call__") value = each;
        if (value == nullptr && name == "__get__") value = heap_.external("function.__get__");
        if (value == nullptr && (name == "setter" || name == "getter")) value = heap_.external("builtins.property");
        if (value == nullptr && name == "cache_clear") value = heap_.external("functools.cache_clear");
        break;
      case Value::Kind::kKernel:
        if (each->attributes != nullptr) {
          if (Slot* slot = each->attributes->names.find(name); slot != nullptr && slot->value != nullptr)
            value = read_slot(*slot);
        }
        if (value == nullptr && (name == "run" || name == "warmup")) {
          value = heap_.make(Value::Kind::kLauncher);
          value->target = each;
          value->text = name == "warmup" ? "warmup" : "";
        } else if (value == nullptr && name == "fn") {
          value = each;
        } else if (value == nullptr && name == "__getitem__") {
          value = heap_.make(Value::Kind::kPartial);
          value->target = heap_.external("operator.getitem");
          value->items = {each};
        } else if (value == nullptr) {
          value = heap_.object("triton.jit");
        }
        break;
      case Value::Kind::kLauncher:
        value = name == "__call__" ? each : nullptr;
        break;
      case Value::Kind::kMethod:
        if (name == "__func__") value = each->target;
        if (name == "__self__") value = each->self;
        if (name == "__call__") value = each;
        break;
      case Value::Kind::kPartial:
        value = name == "func" ? each->target : name == "__call__" ? each : nullptr;
        break;
      case Value::Kind::kString:
      case Value::Kind::kSequence:
      case Value::Kind::kDict: {
        value = heap_.make(Value::Kind::kMethod);
        value->target = heap_.external(name);
        value->self = each;
        break;
      }
      case Value::Kind::kObject:
        value = object_attribute(each, name, node);
        break;
      case Value::Kind::kNumber:
        value = heap_.number(each->taint);
        break;
      case Value::Kind::kUnknown:
        if (name == "data_ptr") {
          value = heap_.external("torch.Tensor.data_ptr");
        } else if (name == "_version") {
          value = heap_.number(kAddress);
        } else if (const auto method = find_tensor_method(name);
                   on_path_ && method && method->cls == OpClass::kCompute && method->main) {
          value = heap_.make(Value::Kind::kMethod);
          value->target = heap_.external(name);
          value->self = heap_.tensor(heap_.storage());
        }
        break;
      default:
        break;
    }
    result = heap_.join(result, value == nullptr ? heap_.unknown() : value);
  });
  return result == nullptr ? heap_.unknown() : result;
}

}  // namespace tritonrl::analysis
