#include <algorithm>
#include <array>

#include "analysis/interpreter.h"

namespace tritonrl::analysis {

using pysource::kAbsentNode;
using pysource::Kind;
using pysource::NodeId;
using pysource::Op;

namespace {

constexpr std::size_t kMaxCallDepth = 40;
constexpr int kMaxRecursion = 10;
constexpr std::size_t kMaxFolded = 1 << 16;  // bytes of a string that is worked out
constexpr std::size_t kStepsPerNode = 60;
constexpr std::size_t kStepsAtLeast = 200'000;

// Options that a launch takes beside the kernel's own parameters, on any backend.
constexpr std::array<std::string_view, 26> kLaunchOptions = {"num_warps",
                                                             "num_stages",
                                                             "num_ctas",
                                                             "maxnreg",
                                                             "grid",
                                                             "warmup",
                                                             "stream",
                                                             "enable_fp_fusion",
                                                             "debug",
                                                             "launch_cooperative_grid",
                                                             "launch_pdl",
                                                             "num_buffers_warp_spec",
                                                             "num_consumer_groups",
                                                             "reg_dec_producer",
                                                             "reg_inc_consumer",
                                                             "waves_per_eu",
                                                             "matrix_instr_nonkdim",
                                                             "kpack",
                                                             "cluster_dims",
                                                             "ptx_version",
                                                             "ir_override",
                                                             "allow_fp8e4nv",
                                                             "max_num_imprecise_acc_default",
                                                             "default_dot_input_precision",
                                                             "extern_libs",
                                                             "sanitize_overflow"};

}  // namespace

Value* Arguments::keyword(std::string_view name) const {
  Value* const* value = keywords.find(name);
  return value == nullptr ? nullptr : *value;
}

void Arguments::limit() {
  constexpr std::size_t kMaxArguments = 1024;
  if (positional.size() > kMaxArguments) {
    positional.resize(kMaxArguments);
    definite = std::min(definite, kMaxArguments);
    open_ended = true;
  }
  if (keywords.size() > kMaxArguments) {
    keywords.truncate(kMaxArguments);
    open_ended = true;
  }
}

Interpreter::Interpreter(const pysource::SyntaxTree& tree, Following following, Findings& findings)
    : tree_(tree),
      following_(following),
      findings_(findings),
      module_(heap_.scope(nullptr)),
      scope_(module_),
      tensor_attributes_(heap_.scope(nullptr)),
      visited_(tree.size(), false),
      steps_left_(kStepsAtLeast + kStepsPerNode * tree.size()) {}

void Interpreter::report(std::string_view rule, NodeId node, std::string message) {
  findings_.add(rule, Severity::kReject, node, std::move(message));
}

void Interpreter::suspect(std::string_view rule, NodeId node, std::string message) {
  findings_.add(rule, Severity::kSuspect, node, std::move(message));
}

Value* Interpreter::make_container(Value::Kind kind) {
  Value* value = heap_.make(kind);
  value->created_in_call = call_;
  return value;
}

Value* Interpreter::input_tensor() {
  Storage* storage = heap_.storage();
  storage->input = true;
  return heap_.tensor(storage);
}

Value* Interpreter::instantiate_entry(Value* cls, const std::vector<Value*>& arguments) {
  Arguments given;
  given.positional = arguments;
  given.open_ended = true;
  in_entry_init_ = true;
  Value* instance = instantiate(cls, given, cls->node);
  in_entry_init_ = false;
  return instance;
}

void Interpreter::call_entry(const Value* entry, Value* callable, const std::vector<Value*>& arguments) {
  Arguments given;
  given.positional = arguments;
  on_path_ = true;
  ++call_;
  call_launches_ = 0;
  const std::size_t first_torch_op = trace_.torch_ops.size();
  Value* returned = call(callable, given, callable->node);
  trace_.calls.push_back({entry, call_, returned, call_launches_, first_torch_op, trace_.torch_ops.size()});
  on_path_ = false;
}

void Interpreter::run_unreached_functions() {
  if (call_ == 0) call_ = 1;
  // By index: running a function may define more of them.
  for (std::size_t i = 0; i < functions_.size(); ++i) {
    Value* function = functions_[i];
    if (visited_[function->node]) continue;
    const bool kernel = std::ranges::any_of(kernels_, [&](const Value* each) { return each->node == function->node; });
    if (kernel) continue;
    Value* self = nullptr;
    if (const auto owner = class_of_method_.find(function->node); owner != class_of_method_.end()) {
      Value*& stand_in = stand_ins_[owner->second];
      if (stand_in == nullptr) {
        const int call = std::exchange(call_, 0);  // its attributes outlive the calls that follow
        stand_in = heap_.unknown();
        stand_in = instantiate(owner->second, {.open_ended = true}, function->node);
        call_ = call;
      }
      if (visited_[function->node]) continue;
      self = stand_in;
    }
    // The second run sees what the first left behind.
    for (int round = 0; round < (library() ? 2 : 1); ++round) {
      call_function(function, {.open_ended = true}, self);
    }
  }
}

const KernelSummary& Interpreter::summary(const Value* kernel, const KnownArguments& known) {
  // A kernel that is launched in ever new ways is summed up once for all of them.
  constexpr std::size_t kMaxSummaries = 16;
  const bool many = summaries_of_[kernel->node] >= kMaxSummaries;
  const auto key = std::pair(kernel->node, many ? KnownArguments{} : known);
  if (const auto found = summaries_.find(key); found != summaries_.end()) return found->second;
  const ResolveName look_up = [&](std::string_view name) { return resolve(kernel->scope, name); };
  ++summaries_of_[kernel->node];
  return summaries_.emplace(key, summarize_kernel(tree_, kernel->node, look_up, key.second)).first->second;
}

Value* Interpreter::call(Value* callee, const Arguments& arguments, NodeId node) {
  if (!take_step()) return heap_.unknown();
  ++nesting_;
  Value* result = nullptr;
  each_alternative(callee, [&](Value* each) { result = heap_.join(result, call_one(each, arguments, node)); });
  --nesting_;
  return result == nullptr ? heap_.unknown() : result;
}

Value* Interpreter::call_one(Value* each, const Arguments& arguments, NodeId node) {
  Value* value = nullptr;
  switch (each->kind) {
    case Value::Kind::kFunction:
      value = call_function(each, arguments, nullptr);
      break;
    case Value::Kind::kClass:
      value = instantiate(each, arguments, node);
      break;
    case Value::Kind::kMethod:
      if (each->target->is(Value::Kind::kFunction)) {
        value = call_function(each->target, arguments, each->self);
      } else if (each->target->is(Value::Kind::kExternal) && each->self->is(Value::Kind::kTensor)) {
        value = call_tensor_method(each->self, each->target->text, arguments, node);
      } else if (each->target->is(Value::Kind::kExternal) && each->self->is(Value::Kind::kString)) {
        value = string_method(each->self, each->target->text, arguments);
      } else if (each->target->is(Value::Kind::kExternal)) {
        value = container_method(each->self, each->target->text, arguments, node);
      } else {
        value = call(each->target, arguments, node);
      }
      break;
    case Value::Kind::kPartial: {
      Arguments whole;
      whole.positional = each->items;
      whole.positional.insert(whole.positional.end(), arguments.positional.begin(), arguments.positional.end());
      whole.keywords = each->keyed;
      whole.keywords.set_all(arguments.keywords);
      whole.open_ended = arguments.open_ended || each->open_ended;
      whole.limit();
      value = call(each->target, whole, node);
      break;
    }
    case Value::Kind::kKernel:
      if (each->target != nullptr) {
        ++wrapped_kernel_calls_;
      } else if (judged()) {
        report("kernel-called-without-grid", node, "a kernel is launched as kernel[grid](...)");
      }
      break;
    case Value::Kind::kLauncher:
      value = launch(each->target, arguments, node);
      break;
    case Value::Kind::kExternal:
      value = call_external(each, arguments, node);
      break;
    case Value::Kind::kInstance:
      value = call_instance(each, arguments, node);
      break;
    case Value::Kind::kObject:
      value = call_object(each, arguments, node);
      break;
    case Value::Kind::kSequence:
      if (each->text == "torch.nn.Sequential") {
        value = arguments.at(0) == nullptr ? heap_.unknown() : arguments.positional[0];
        for (Value* layer : each->items) value = call(layer, {.positional = {value}}, node);
      }
      break;
    case Value::Kind::kUnknown:
      value = call_unknown(arguments, node);
      break;
    default:
      break;
  }
  return value == nullptr ? heap_.unknown() : value;
}

Value* Interpreter::call_unknown(const Arguments& arguments, NodeId node) {
  if (on_path_) trace_.unresolved_calls.push_back(node);
  run_callbacks(arguments, node);
  // An unknown decorator most likely gives back what it decorates, or wraps it.
  if (arguments.positional.size() == 1 && arguments.keywords.empty()) {
    Value* only = arguments.positional[0];
    if (only->is(Value::Kind::kFunction) || only->is(Value::Kind::kClass)) return only;
    if (only->is(Value::Kind::kKernel)) {
      Value* wrapped = heap_.copy(*only);
      wrapped->target = only;
      wrapped->configured = true;
      return wrapped;
    }
  }
  return heap_.unknown();
}

void Interpreter::run_callbacks(const Arguments& arguments, NodeId node) {
  const auto run_one = [&](Value* value) {
    each_alternative(value, [&](Value* each) {
      const bool function = each->is(Value::Kind::kFunction) ||
                            (each->is(Value::Kind::kMethod) && each->target->is(Value::Kind::kFunction));
      if (!function) return;
      const NodeId definition = each->is(Value::Kind::kFunction) ? each->node : each->target->node;
      if (on_path_ || !visited_[definition]) call(each, {.open_ended = true}, node);
    });
  };
  for (Value* value : arguments.positional) run_one(value);
  for (const auto& [name, value] : arguments.keywords) run_one(value);
}

std::vector<Value*> Interpreter::tensors_among(const Arguments& arguments) {
  std::vector<Value*> tensors;
  const auto take = [&](Value* value) {
    each_alternative(value, [&](Value* each) {
      if (each->is(Value::Kind::kTensor)) tensors.push_back(each);
      if (each->is(Value::Kind::kSequence)) {
        for (Value* item : each->items)
          if (may_be_tensor(item))
            each_alternative(item, [&](Value* part) {
              if (part->is(Value::Kind::kTensor)) tensors.push_back(part);
            });
      }
    });
  };
  for (Value* value : arguments.positional) take(value);
  for (const auto& [name, value] : arguments.keywords) take(value);
  return tensors;
}

void Interpreter::bind(Value* function, Scope* scope, const Arguments& arguments) {
  const bool lambda = tree_.kind(function->node) == Kind::kLambda;
  const auto parameters = tree_.kids(tree_.kid(function->node, lambda ? 0 : 1));
  std::size_t next = 0;
  for (const NodeId parameter : parameters) {
    const std::string_view name = tree_.text(parameter);
    const Op op = tree_.op(parameter);
    Value* value = nullptr;
    if (op == Op::kStar) {
      std::vector<Value*> rest(
          arguments.positional.begin() + static_cast<std::ptrdiff_t>(std::min(next, arguments.positional.size())),
          arguments.positional.end());
      next = arguments.positional.size();
      value = heap_.sequence(std::move(rest), arguments.open_ended);
      value->created_in_call = call_;
    } else if (op == Op::kDoubleStar) {
      value = make_container(Value::Kind::kDict);
      value->open_ended = arguments.open_ended;
      for (const auto& [key, given] : arguments.keywords)
        if (!scope->names.contains(key)) value->keyed.set(key, given);
    } else if (op != Op::kKeywordOnly && next < arguments.positional.size()) {
      value = arguments.positional[next++];
    } else {
      value = arguments.keyword(name);
    }
    if (value == nullptr) {
      if (Value* const* fallback = function->keyed.find(name)) value = *fallback;
      if (value != nullptr && arguments.open_ended) value = heap_.join(value, heap_.unknown());
    }
    if (value == nullptr) {
      // Nobody knows the argument; an annotation may say that it is a tensor.
      const std::string_view annotation = tree_.source_of(tree_.kid(parameter, 1));
      if (annotation.find("Tensor") != std::string_view::npos && tree_.kid(parameter, 1) != kAbsentNode) {
        value = heap_.tensor(heap_.storage());
      } else {
        value = heap_.unknown();
      }
    }
    scope->names.at(name).value = value;
  }
}

Value* Interpreter::call_function(Value* function, const Arguments& arguments, Value* self) {
  // The same method of another object is no recursion.
  const auto active = std::ranges::count_if(frames_, [&](const Frame& frame) {
    return frame.node == function->node && (self == nullptr || frame.self == self);
  });
  if (frames_.size() > kMaxCallDepth || active > kMaxRecursion || steps_left_ == 0) return heap_.unknown();
  if (call_ > 0) visited_[function->node] = true;
  Arguments whole = arguments;
  if (self != nullptr && function->binding != Value::Binding::kStatic)
    whole.positional.insert(whole.positional.begin(), self);

  Scope* const outer = scope_;
  scope_ = heap_.scope(function->scope);
  scope_->created_in_call = call_;
  scope_->conditional_depth = conditional_depth_;
  bind(function, scope_, whole);
  Frame frame;
  frame.node = function->node;
  frame.self = self != nullptr ? self : whole.at(0);
  if (const auto owner = class_of_method_.find(function->node); owner != class_of_method_.end())
    frame.cls = owner->second;
  frames_.push_back(frame);
  const int handlers = handlers_;
  const bool inside_path = std::exchange(inside_path_, false);
  const int loops = std::exchange(loops_, loops_ > 0 ? 1 : 0);
  Value* result = nullptr;
  if (tree_.kind(function->node) == Kind::kLambda) {
    result = eval(tree_.kid(function->node, 1));
  } else {
    if (run_block(tree_.kid(function->node, 2)) == Flow::kNext && frames_.back().returned == nullptr)
      frames_.back().returned = heap_.none();
    result = frames_.back().returned;
  }
  loops_ = loops;
  handlers_ = handlers;
  inside_path_ = inside_path;
  const Frame finished = std::move(frames_.back());
  frames_.pop_back();
  scope_ = outer;
  if (!finished.yielded.empty()) {
    result = heap_.sequence(finished.yielded, finished.yields_open);
    result->created_in_call = call_;
  }
  if (result == nullptr) result = heap_.none();
  if (function->memoized) {
    // Both the answer of an earlier call and this one.
    Value*& earlier = memoized_results_[function];
    result = earlier = heap_.join(earlier, result);
  }
  return result;
}

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

Value* Interpreter::instantiate(Value* cls, const Arguments& arguments, NodeId node) {
  Value* instance = heap_.make(Value::Kind::kInstance);
  instance->target = cls;
  instance->created_in_call = call_;
  instance->node = cls->node;
  instance->attributes = heap_.scope(nullptr);
  instance->attributes->created_in_call = call_;
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
        if (value == nullptr && name == "run") {
          value = heap_.make(Value::Kind::kLauncher);
          value->target = each;
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

Value* Interpreter::apply_autograd_function(Value* cls, const Arguments& arguments, NodeId node) {
  Value* forward = class_attribute(cls, "forward");
  if (forward == nullptr) return heap_.unknown();
  Arguments whole = arguments;
  // With setup_context of its own, forward takes no context.
  if (class_attribute(cls, "setup_context") == nullptr)
    whole.positional.insert(whole.positional.begin(), heap_.object("autograd context"));
  return call(forward, whole, node);
}

Value* Interpreter::make_kernel(Value* function) {
  Value* kernel = heap_.make(Value::Kind::kKernel);
  kernel->node = function->node;
  kernel->scope = function->scope;
  kernel->created_in_call = call_;
  kernels_.push_back(kernel);
  return kernel;
}

Value* Interpreter::decorate(Value* decorator, Value* definition, NodeId node) {
  Arguments only;
  only.positional = {definition};
  Value* value = call(decorator, only, node);
  // What an unknown decorator returns is unknown; the definition itself is the best guess.
  return value->is(Value::Kind::kUnknown) || value->is(Value::Kind::kNone) ? definition : value;
}

void Interpreter::check_launch_arguments(Value* kernel, const Arguments& arguments, NodeId node) {
  const auto parameters = tree_.kids(tree_.kid(kernel->node, 1));
  const bool variadic = std::ranges::any_of(parameters, [&](NodeId each) { return tree_.op(each) == Op::kStar; });
  if (arguments.positional.size() > parameters.size() && !arguments.open_ended && !variadic) {
    report("launch-arguments", node,
           "the kernel takes " + std::to_string(parameters.size()) + " arguments, the launch gives " +
               std::to_string(arguments.positional.size()));
    return;
  }
  for (const auto& [name, value] : arguments.keywords) {
    if (kernel->keyed.contains(name)) {
      report("launch-arguments", node, "the launch gives '" + std::string(name) + "', which autotune sets");
      return;
    }
  }
  if (arguments.open_ended || variadic) return;
  Named<bool> given;  // by parameter
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    given.set(tree_.text(parameters[i]), i < arguments.positional.size());
  }
  std::string_view repeated = arguments.repeated;
  for (const auto& [name, value] : arguments.keywords) {
    bool* parameter = given.find(name);
    if (parameter == nullptr && std::ranges::find(kLaunchOptions, name) == kLaunchOptions.end() && !library()) {
      report("launch-arguments", node, "the kernel has no parameter '" + std::string(name) + "'");
      return;
    }
    if (parameter != nullptr && std::exchange(*parameter, true)) repeated = name;
  }
  if (!repeated.empty()) {
    report("launch-arguments", node, "the launch gives '" + std::string(repeated) + "' twice");
    return;
  }
  if (kernel->configured) return;
  for (const NodeId parameter : parameters) {
    const std::string_view name = tree_.text(parameter);
    if (tree_.kid(parameter, 0) != kAbsentNode || *given.find(name)) continue;
    report("launch-arguments", node, "the launch gives nothing for the kernel's parameter '" + std::string(name) + "'");
    return;
  }
}

Value* Interpreter::launch(Value* kernel, const Arguments& arguments, NodeId node) {
  if (tree_.kind(kernel->node) != Kind::kFunctionDef) return heap_.unknown();
  if (Value* warmup = arguments.keyword("warmup"); warmup != nullptr && truth(warmup) == true) return heap_.unknown();
  if (judged()) check_launch_arguments(kernel, arguments, node);
  const auto parameters = tree_.kids(tree_.kid(kernel->node, 1));
  KnownArguments known;
  const auto note_known = [&](std::string_view name, const Value* value) {
    if (value->is(Value::Kind::kNumber) && value->has_integer && value->taint == 0) {
      known.push_back({name, value->integer, {}});
    } else if (value->is(Value::Kind::kExternal)) {
      known.push_back({name, std::nullopt, value->text});
    }
  };
  for (std::size_t i = 0; i < std::min({arguments.positional.size(), parameters.size(), arguments.definite}); ++i) {
    note_known(tree_.text(parameters[i]), arguments.positional[i]);
  }
  for (const auto& [name, value] : arguments.keywords) note_known(name, value);
  const KernelSummary& flow = summary(kernel, known);
  if (judged()) {
    trace_.launches.push_back({kernel, node, &flow});
    ++call_launches_;
  } else {
    trace_.launched_elsewhere.push_back(kernel->node);
    trace_.launched_elsewhere.insert(trace_.launched_elsewhere.end(), flow.called.begin(), flow.called.end());
  }
  const auto mark = [&](Value* value, bool stored) {
    if (!stored) return;
    each_alternative(value, [&](Value* each) {
      if (each->is(Value::Kind::kTensor)) {
        mark_written(each->storage, node, "stores into");
        each->storage->kernel_written = true;
        for (Storage* alias = each->storage->may_alias; alias != nullptr; alias = alias->may_alias)
          alias->kernel_written = true;
      } else if (each->is(Value::Kind::kSequence) || each->is(Value::Kind::kObject)) {
        // A tuple of tensors, or a tensor descriptor made from one.
        for (Value* item : each->items) {
          each_alternative(item, [&](Value* part) {
            if (!part->is(Value::Kind::kTensor)) return;
            mark_written(part->storage, node, "stores into");
            part->storage->kernel_written = true;
          });
        }
      }
    });
  };
  for (std::size_t i = 0; i < arguments.positional.size(); ++i) {
    if (i < arguments.definite && i < flow.stored.size()) {
      mark(arguments.positional[i], flow.stores && (flow.stored.begin()[i].value || flow.stores_through_unknown));
    } else if (flow.stores) {  // behind *args: it may be what is stored into
      each_alternative(arguments.positional[i], [](Value* each) {
        if (each->is(Value::Kind::kTensor)) each->storage->kernel_written = true;
      });
    }
  }
  for (const auto& [name, value] : arguments.keywords) {
    const bool* stored = flow.stored.find(name);
    mark(value, flow.stores && (flow.stores_through_unknown || (stored != nullptr && *stored)));
  }
  return heap_.object("triton.compiler.CompiledKernel");
}

Value* Interpreter::string_method(Value* self, std::string_view name, const Arguments& arguments) {
  if (!self->has_text) return name == "split" ? heap_.sequence({heap_.string()}, true) : heap_.string();
  const std::string_view text = self->text;
  std::string out(text);
  if (name == "lower" || name == "casefold") {
    std::ranges::transform(out, out.begin(),
                           [](char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
  } else if (name == "upper") {
    std::ranges::transform(out, out.begin(),
                           [](char c) { return static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c); });
  } else if (name == "swapcase") {
    std::ranges::transform(out, out.begin(), [](char c) {
      return static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c >= 'A' && c <= 'Z' ? c + 32 : c);
    });
  } else if (name == "replace") {
    Value* from = arguments.at(0);
    Value* to = arguments.at(1);
    if (from == nullptr || to == nullptr || !from->has_text || !to->has_text || from->text.empty())
      return heap_.string();
    for (std::size_t at = 0; (at = out.find(from->text, at)) != std::string::npos; at += to->text.size()) {
      out.replace(at, from->text.size(), to->text);
      if (out.size() > kMaxFolded) return heap_.string();
    }
  } else if (name == "strip" || name == "lstrip" || name == "rstrip") {
    std::string_view blanks = " \t\n\r";
    if (Value* given = arguments.at(0)) blanks = given->has_text ? given->text : "";
    std::string_view rest = text;
    while (name != "rstrip" && !rest.empty() && blanks.find(rest.front()) != std::string_view::npos)
      rest.remove_prefix(1);
    while (name != "lstrip" && !rest.empty() && blanks.find(rest.back()) != std::string_view::npos)
      rest.remove_suffix(1);
    out = rest;
  } else if (name == "join") {
    out.clear();
    Value* parts = arguments.at(0);
    if (parts == nullptr || !parts->is(Value::Kind::kSequence) || parts->open_ended) {
      if (parts != nullptr && parts->is(Value::Kind::kString) && parts->has_text) {
        for (std::size_t i = 0; i < parts->text.size(); ++i) out += (i > 0 ? std::string(text) : "") + parts->text[i];
        return heap_.string(out);
      }
      return heap_.string();
    }
    bool first = true;
    for (Value* part : parts->items) {
      if (!part->has_text) return heap_.string();
      if (!std::exchange(first, false)) out += text;
      out += part->text;
      if (out.size() > kMaxFolded) return heap_.string();
    }
  } else if (name == "split") {
    Value* separator = arguments.at(0);
    std::vector<Value*> parts;
    const std::string_view mark = separator != nullptr && separator->has_text ? separator->text : " ";
    std::string_view rest = text;
    while (!mark.empty()) {
      const auto at = rest.find(mark);
      const std::string_view part = rest.substr(0, at);
      if (!part.empty() || separator != nullptr) parts.push_back(heap_.string(part));
      if (at == std::string_view::npos) break;
      rest.remove_prefix(at + mark.size());
    }
    return heap_.sequence(std::move(parts));
  } else if (name == "format") {
    for (Value* value : arguments.positional) {
      const auto at = out.find("{}");
      if (at == std::string::npos || !value->has_text) return heap_.string();
      out.replace(at, 2, value->text);
    }
    if (!arguments.keywords.empty()) return heap_.string();
  } else if (name == "removeprefix" || name == "removesuffix") {
    Value* cut = arguments.at(0);
    if (cut == nullptr || !cut->has_text) return heap_.string();
    if (name == "removeprefix" && text.starts_with(cut->text)) out = text.substr(cut->text.size());
    if (name == "removesuffix" && text.ends_with(cut->text)) out = text.substr(0, text.size() - cut->text.size());
  } else if (name == "startswith" || name == "endswith" || name == "isdigit" || name == "find" || name == "count" ||
             name == "index") {
    return heap_.number();
  } else if (name != "encode" && name != "decode" && name != "__str__") {
    return heap_.string();
  }
  return heap_.string(out);
}

Value* Interpreter::container_method(Value* self, std::string_view name, const Arguments& arguments, NodeId node) {
  if (!self->is(Value::Kind::kSequence) && !self->is(Value::Kind::kDict)) return call_unknown(arguments, node);
  const bool outlives = self->created_in_call < call_;
  const auto grow = [&](Value* value) {
    self->items.push_back(value);
    constexpr std::size_t kMaxItems = 64;
    if (self->items.size() > kMaxItems) {
      self->items = {element_of(self)};
      self->open_ended = true;
    }
    if (conditional_depth_ > 0) self->open_ended = true;
    if (outlives) self->mutated_by_call = true;
  };
  Value* first = arguments.at(0);
  if (name == "append" || name == "add" || name == "appendleft") {
    if (first != nullptr) {
      note_remembered(*self, first, node);
      grow(first);
    }
    return heap_.none();
  }
  if (name == "extend" && first != nullptr) {
    if (first->is(Value::Kind::kSequence)) {
      const auto items = first->items;
      for (Value* item : items) grow(item);
      self->open_ended |= first->open_ended;
    } else {
      grow(element_of(first));
      self->open_ended = true;
    }
    return heap_.none();
  }
  if (name == "insert" && arguments.at(1) != nullptr) {
    grow(arguments.at(1));
    return heap_.none();
  }
  if (name == "pop" || name == "popleft" || name == "popitem") {
    if (outlives) self->mutated_by_call = true;
    if (self->is(Value::Kind::kSequence) && !self->open_ended && !self->items.empty() && conditional_depth_ == 0) {
      const bool front = name == "popleft" || (first != nullptr && first->has_integer && first->integer == 0);
      if (first == nullptr || (first->has_integer && (first->integer == 0 || first->integer == -1))) {
        Value* item = front ? self->items.front() : self->items.back();
        self->items.erase(front ? self->items.begin() : self->items.end() - 1);
        return item;
      }
    }
    if (self->is(Value::Kind::kDict) && first != nullptr) return subscript(self, first, kAbsentNode, node);
    return element_of(self);
  }
  if (name == "get" || name == "setdefault" || name == "__getitem__") {
    if (first == nullptr) return heap_.unknown();
    Value* fallback = arguments.at(1) == nullptr ? heap_.none() : arguments.at(1);
    note_remembered(*self, first, node);
    const auto key = constant_key(first);
    if (name == "setdefault") {
      if (outlives) self->mutated_by_call = true;
      self->open_ended = true;
      self->items.push_back(fallback);
    }
    Value* found = nullptr;
    if (!key) {
      for (const auto& [entry, value] : self->keyed) found = heap_.join(found, value);
    } else if (Value* const* value = self->keyed.find(*key)) {
      found = *value;
    }
    const bool certain = found != nullptr && key.has_value();
    if (!certain) {
      for (Value* item : self->items) found = heap_.join(found, item);
      found = heap_.join(found, fallback);
    }
    if (holds_state(*self) && call_ > 0) {
      found = heap_.copy(*found);
      found->taint |= kState;
    }
    return found;
  }
  if (name == "values" || name == "copy" || name == "items" || name == "keys") {
    if (name == "copy") {
      Value* twin = heap_.copy(*self);
      twin->created_in_call = call_;
      twin->mutated_by_call = false;
      return twin;
    }
    Value* values = make_container(Value::Kind::kSequence);
    values->open_ended = self->open_ended;
    const auto entry = [&](Value* key, Value* value) {
      values->items.push_back(name == "keys" ? key : name == "values" ? value : heap_.sequence({key, value}));
    };
    for (const auto& [key, value] : self->keyed) entry(heap_.string(key), value);
    for (Value* value : self->items) entry(heap_.unknown(), value);
    return values;
  }
  if (name == "update" || name == "clear") {
    if (outlives) self->mutated_by_call = true;
    self->open_ended = true;
    if (first != nullptr && first->is(Value::Kind::kDict)) {
      for (const auto& [key, value] : first->keyed) put(self, key, value);
      for (Value* value : first->items) self->items.push_back(value);
    }
    for (const auto& [key, value] : arguments.keywords) put(self, key, value);
    heap_.limit(*self);
    return heap_.none();
  }
  if (name == "index" || name == "count" || name == "__len__")
    return heap_.number(self->mutated_by_call ? kCounter | kState : 0);
  if (name == "forward" && self->text == "torch.nn.Sequential") return call(self, arguments, node);
  if (name == "send" || name == "__next__") {
    Value* item = heap_.copy(*element_of(self));
    if (outlives) item->taint |= kCounter | kState;
    return item;
  }
  if (name == "union" || name == "difference" || name == "intersection" || name == "reverse" || name == "sort" ||
      name == "to" || name == "eval" || name == "cuda")
    return self;
  return heap_.unknown();
}

}  // namespace tritonrl::analysis
