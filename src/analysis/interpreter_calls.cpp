#include <algorithm>
#include <utility>

#include "analysis/interpreter.h"

namespace tritonrl::analysis {

using pysource::kAbsentNode;
using pysource::Kind;
using pysource::NodeId;
using pysource::Op;

namespace {

constexpr std::size_t kMaxCallDepth = 40;
constexpr int kMaxRecursion = 10;

}  // namespace

Value* Interpreter::call(Value* callee, const Arguments& arguments, NodeId node) {
  if (!take_step()) return heap_.unknown();
  if (callee->is(Value::Kind::kUnion)) note_decision(callee->taint, node);
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
      run_callbacks({.positional = each->items}, node);
      if (each->target->is(Value::Kind::kExternal)) {
        if (on_path_ && !library())
          report("library-kernel", node, "'" + std::string(each->target->text) + "' is another module's kernel");
        break;
      }
      value = each->text == "warmup" ? compiled(*each->target) : launch(each->target, arguments, node);
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
  if (on_path_) reached_[function->node] = true;
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

Value* Interpreter::decorate(Value* decorator, Value* definition, NodeId node) {
  Arguments only;
  only.positional = {definition};
  Value* value = call(decorator, only, node);
  // What an unknown decorator returns is unknown; the definition itself is the best guess.
  return value->is(Value::Kind::kUnknown) || value->is(Value::Kind::kNone) ? definition : value;
}

}  // namespace tritonrl::analysis
