#include <algorithm>
#include <limits>
#include <utility>

#include "analysis/builtin_names.h"
#include "analysis/imports.h"
#include "analysis/interpreter.h"
#include "analysis/paths.h"

namespace tritonrl::analysis {

using pysource::kAbsentNode;
using pysource::Kind;
using pysource::NodeId;
using pysource::Op;

namespace {

// Evaluation recurses over calls and expressions; deeper than this nothing honest goes.
constexpr int kMaxNesting = 1500;

std::string_view operator_name(Op op) {
  switch (op) {
    case Op::kAdd:
      return "+";
    case Op::kSub:
      return "-";
    case Op::kMul:
      return "*";
    case Op::kDiv:
      return "/";
    case Op::kFloorDiv:
      return "//";
    case Op::kMod:
      return "%";
    case Op::kPow:
      return "**";
    case Op::kMatMul:
      return "@";
    case Op::kBitAnd:
      return "&";
    case Op::kBitOr:
      return "|";
    case Op::kBitXor:
      return "^";
    case Op::kShiftLeft:
      return "<<";
    case Op::kShiftRight:
      return ">>";
    case Op::kInvert:
      return "~";
    default:
      return "a comparison";
  }
}

std::string_view dunder_of(Op op) {
  switch (op) {
    case Op::kAdd:
      return "__add__";
    case Op::kSub:
      return "__sub__";
    case Op::kMul:
      return "__mul__";
    case Op::kDiv:
      return "__truediv__";
    case Op::kFloorDiv:
      return "__floordiv__";
    case Op::kMod:
      return "__mod__";
    case Op::kPow:
      return "__pow__";
    case Op::kMatMul:
      return "__matmul__";
    case Op::kBitAnd:
      return "__and__";
    case Op::kBitOr:
      return "__or__";
    case Op::kBitXor:
      return "__xor__";
    case Op::kShiftLeft:
      return "__lshift__";
    case Op::kShiftRight:
      return "__rshift__";
    default:
      return "";
  }
}

std::optional<std::int64_t> fold(Op op, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  switch (op) {
    case Op::kAdd:
      return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case Op::kSub:
      return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case Op::kMul:
      return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case Op::kFloorDiv:
      return a >= 0 && b > 0 ? std::optional(a / b) : std::nullopt;
    case Op::kMod:
      return a >= 0 && b > 0 ? std::optional(a % b) : std::nullopt;
    case Op::kPow:
      if (b < 0 || b > 62 || a != 2) return std::nullopt;
      return std::int64_t{1} << b;
    case Op::kShiftLeft:
      return a >= 0 && a < (1 << 20) && b >= 0 && b < 40 ? std::optional(a << b) : std::nullopt;
    case Op::kShiftRight:
      return a >= 0 && b >= 0 && b < 63 ? std::optional(a >> b) : std::nullopt;
    case Op::kBitAnd:
      return a & b;
    case Op::kBitOr:
      return a | b;
    case Op::kBitXor:
      return a ^ b;
    default:
      return std::nullopt;
  }
}

std::optional<bool> compare(Op op, std::int64_t a, std::int64_t b) {
  switch (op) {
    case Op::kLess:
      return a < b;
    case Op::kLessEqual:
      return a <= b;
    case Op::kEqual:
    case Op::kIs:
      return a == b;
    case Op::kNotEqual:
    case Op::kIsNot:
      return a != b;
    case Op::kGreater:
      return a > b;
    case Op::kGreaterEqual:
      return a >= b;
    default:
      return std::nullopt;
  }
}

}  // namespace

bool Interpreter::take_step() {
  if (nesting_ >= kMaxNesting) steps_left_ = 0;
  if (steps_left_ > 0) {
    --steps_left_;
    return true;
  }
  const char* const message = "the analysis gave up: following every call would take too much work";
  library() ? suspect("too-complex", tree_.root(), message) : report("too-complex", tree_.root(), message);
  return false;
}

Value* Interpreter::eval(NodeId node) {
  if (node == kAbsentNode) return heap_.none();
  if (!take_step()) return heap_.unknown();
  ++nesting_;
  Value* value = eval_node(node);
  --nesting_;
  return value;
}

Value* Interpreter::eval_node(NodeId node) {
  switch (tree_.kind(node)) {
    case Kind::kName:
      return eval_name(node);
    case Kind::kAttribute: {
      const Kind inner = tree_.kind(tree_.kid(node, 0));
      const bool outer = std::exchange(inside_path_, inner == Kind::kName || inner == Kind::kAttribute);
      Value* object = eval(tree_.kid(node, 0));
      inside_path_ = outer;
      return attribute(object, tree_.text(node), node);
    }
    case Kind::kCall:
      return eval_call(node);
    case Kind::kSubscript:
      return eval_subscript(node);
    case Kind::kBinary: {
      Value* left = eval(tree_.kid(node, 0));
      return binary(tree_.op(node), left, eval(tree_.kid(node, 1)), node);
    }
    case Kind::kBool:
      return eval_bool(node);
    case Kind::kUnary:
      return eval_unary(node);
    case Kind::kCompare:
      return eval_compare(node);
    case Kind::kConditional:
      return eval_conditional(node);
    case Kind::kNamed: {
      Value* value = eval(tree_.kid(node, 0));
      assign_name(tree_.text(node), value, false);
      return value;
    }
    case Kind::kAssign: {
      const NodeId right = tree_.kid(node, 1);
      eval(tree_.kid(node, 2));    // Python runs annotations
      if (right == kAbsentNode) {  // a bare annotation; dataclasses count these as fields
        if (scope_->is_class && tree_.kind(tree_.kid(node, 0)) == Kind::kName) {
          scope_->names.at(tree_.text(tree_.kid(node, 0))).value = heap_.unknown();
        }
        return heap_.none();
      }
      Value* value = eval(right);
      assign(tree_.kid(node, 0), value, node);
      return value;
    }
    case Kind::kAugAssign:
      augment(node);
      return heap_.none();
    case Kind::kLambda: {
      Value* function = heap_.make(Value::Kind::kFunction);
      function->node = node;
      function->scope = scope_;
      function->created_in_call = call_;
      for (const NodeId parameter : tree_.kids(tree_.kid(node, 0))) {
        if (tree_.kid(parameter, 0) != kAbsentNode)
          function->keyed.set(tree_.text(parameter), eval(tree_.kid(parameter, 0)));
      }
      functions_.push_back(function);
      return function;
    }
    case Kind::kTuple:
    case Kind::kListDisplay:
    case Kind::kSet:
      return eval_sequence(node);
    case Kind::kDict:
      return eval_dict(node);
    case Kind::kComprehension:
      return eval_comprehension(node);
    case Kind::kAwait:
      return eval(tree_.kid(node, 0));
    case Kind::kYield: {
      Value* value = eval(tree_.kid(node, 0));
      if (!frames_.empty()) {
        frames_.back().yielded.push_back(value);
        frames_.back().yields_open |= loops_ > 0 || conditional_depth_ > scope_->conditional_depth;
      }
      return heap_.unknown();
    }
    case Kind::kInt:
      if (const auto value = tree_.int_value(node)) return heap_.integer(*value);
      return heap_.number();
    case Kind::kFloat:
    case Kind::kEllipsis:
      return heap_.number();
    case Kind::kTrue:
      return heap_.integer(1);
    case Kind::kFalse:
      return heap_.integer(0);
    case Kind::kNone:
      return heap_.none();
    case Kind::kString:
    case Kind::kBytes: {
      if (tree_.text(node).starts_with("/proc/"))
        report("native-memory", node, "/proc shows the process's memory and its judges");
      return heap_.string(tree_.text(node));
    }
    case Kind::kFString:
      return eval_fstring(node);
    case Kind::kSlice: {
      Value* slice = heap_.object("slice");
      for (const NodeId kid : tree_.kids(node)) slice->taint |= about(eval(kid)->taint);
      return slice;
    }
    case Kind::kAssert:
    default: {
      for (const NodeId kid : tree_.kids(node)) eval(kid);
      return heap_.unknown();
    }
  }
}

Value* Interpreter::read_slot(Slot& slot) {
  Value* value = slot.value;
  if (!slot.written_by_call || call_ == 0 || value == nullptr) return value;
  const bool container = value->is(Value::Kind::kSequence) || value->is(Value::Kind::kDict);
  const bool shared = value->is(Value::Kind::kInstance) || value->is(Value::Kind::kFunction) ||
                      value->is(Value::Kind::kObject) || value->is(Value::Kind::kClass) ||
                      (container && !value->immutable);
  if (shared) return value;  // has an identity of its own: a copy would miss what happens to it
  Value* marked = heap_.copy(*value);
  marked->taint |= kState;
  if (slot.counts) {
    marked->taint |= kCounter;
    marked->has_integer = false;
  }
  return marked;
}

bool Interpreter::holds_state(const Value& container) const {
  return container.mutated_by_call || (container.created_in_call > 0 && container.created_in_call < call_);
}

// What is known of where a value came from, its elements included.
Taint Interpreter::origin(Value* value) const {
  Taint taint = value->taint;
  each_alternative(value, [&](const Value* each) {
    taint |= each->taint;
    const bool container = each->is(Value::Kind::kSequence) || each->is(Value::Kind::kDict);
    if (container && call_ > 0 && holds_state(*each)) taint |= kState;
    if (container) {
      for (const Value* item : each->items) taint |= item->taint;
    }
    if (each->is(Value::Kind::kInstance) && each->self != nullptr && holds_state(*each->self)) taint |= kState;
  });
  return taint;
}

Value* Interpreter::lookup(Scope* scope, std::string_view name) {
  const bool global = scope->global_names.contains(name);
  for (Scope* each = global ? module_ : scope; each != nullptr; each = each->parent) {
    if (each->is_class && each != scope) continue;  // class bodies are not visible from inside their functions
    if (Slot* slot = each->names.find(name); slot != nullptr && slot->value != nullptr) return read_slot(*slot);
  }
  return nullptr;
}

Value* Interpreter::resolve(Scope* scope, std::string_view name) {
  if (Value* value = lookup(scope, name)) return value;
  if (name == "__builtins__") return heap_.external("builtins");
  if (is_builtin_name(name)) return heap_.external("builtins." + std::string(name));
  for (Scope* each = scope; each != nullptr; each = each->parent) {
    if (!each->star_imports.empty())
      return heap_.external(std::string(each->star_imports.back()) + "." + std::string(name));
  }
  return nullptr;
}

Value* Interpreter::global(std::string_view name) {
  Slot* slot = module_->names.find(name);
  return slot == nullptr ? nullptr : slot->value;
}

Value* Interpreter::eval_name(NodeId node) {
  const std::string_view name = tree_.text(node);
  note_attribute_name(name, node);
  if (Value* value = resolve(scope_, name)) {
    each_alternative(value, [&](const Value* each) {
      if (each->is(Value::Kind::kExternal)) note_external(each->text, node);
    });
    return value;
  }
  if (name == "__class__" && !frames_.empty() && frames_.back().cls != nullptr) return frames_.back().cls;
  if (name == "__file__" || name == "__spec__" || name == "__loader__") {
    const std::string message = "'" + std::string(name) + "' tells where the candidate was loaded from";
    library() ? suspect("evaluator-sniffing", node, message) : report("evaluator-sniffing", node, message);
    return heap_.string();
  }
  if (is_reference_name(name)) {
    if (!library())
      report("reference-access", node,
             "'" + std::string(name) + "' belongs to the reference; the candidate does not define it");
  } else if (on_path_ || in_entry_init_) {
    report("undefined-name", node, "nothing defines '" + std::string(name) + "'");
  }
  return heap_.unknown();
}

std::optional<bool> Interpreter::truth(Value* value) {
  if ((value->taint & (kCounter | kAbout)) != 0) return std::nullopt;
  switch (value->kind) {
    case Value::Kind::kNone:
      return false;
    case Value::Kind::kNumber:
      return value->has_integer ? std::optional(value->integer != 0) : std::nullopt;
    case Value::Kind::kString:
      return value->has_text ? std::optional(!value->text.empty()) : std::nullopt;
    case Value::Kind::kSequence:
      return value->open_ended || value->mutated_by_call ? std::nullopt : std::optional(!value->items.empty());
    case Value::Kind::kDict:
      return value->open_ended || value->mutated_by_call ? std::nullopt : std::optional(!value->keyed.empty());
    case Value::Kind::kExternal:
      return value->text == "typing.TYPE_CHECKING" ? std::optional(false) : std::nullopt;
    case Value::Kind::kFunction:
    case Value::Kind::kKernel:
    case Value::Kind::kClass:
      return true;
    default:
      return std::nullopt;
  }
}

void Interpreter::note_condition(Value* condition, NodeId node) {
  if (!judged()) return;
  const Taint taint = origin(condition);
  if ((taint & kCounter) != 0) {
    report("call-counter", node, "this branch depends on how often the code was called");
  } else if ((taint & kState) != 0) {
    suspect("call-state", node, "this branch depends on what an earlier call left behind");
  }
  note_decision(taint, node);
}

void Interpreter::note_decision(Taint taint, NodeId node) {
  if (!judged() || (taint & kAbout) == 0) return;
  const std::string message = (taint & kProcess) != 0 ? "memory, seeds or threads of the process decide here"
                              : (taint & kBuild) != 0 ? "what torch was built for decides here"
                                                      : "a version number decides here";
  const bool certain = (taint & (kProcess | kBuild)) != 0 && !library();
  certain ? report("evaluator-sniffing", node, message) : suspect("evaluator-sniffing", node, message);
}

void Interpreter::note_decisions(const Arguments& arguments, NodeId node) {
  for (Value* value : arguments.positional) note_decision(origin(value), node);
  for (const auto& [name, value] : arguments.keywords) note_decision(origin(value), node);
}

void Interpreter::note_remembered(const Value& container, Value* key, NodeId node) {
  if (!judged() || container.created_in_call >= call_) return;
  if ((origin(key) & kAddress) != 0)
    report("pointer-keyed-cache", node, "a pointer, id or version number is used to recognise a tensor seen before");
}

Value* Interpreter::eval_bool(NodeId node) {
  Value* left = eval(tree_.kid(node, 0));
  const bool is_and = tree_.op(node) == Op::kAnd;
  note_condition(left, tree_.kid(node, 0));
  if (const auto known = truth(left)) return *known == is_and ? eval(tree_.kid(node, 1)) : left;
  const Conditionally branch(*this, origin(left));
  Value* right = eval(tree_.kid(node, 1));
  Value* joined = heap_.join(left, right);
  if ((left->taint | right->taint) != joined->taint) {
    joined = heap_.copy(*joined);
    joined->taint |= left->taint | right->taint;
  }
  // Before a version is compared it is asked whether there is one.
  if (is_and && (right->taint & kVersion) != 0) joined->taint &= static_cast<Taint>(~(left->taint & kBuild));
  return joined;
}

Value* Interpreter::eval_unary(NodeId node) {
  Value* operand = eval(tree_.kid(node, 0));
  const Op op = tree_.op(node);
  if (op == Op::kNot) {
    if (const auto known = truth(operand)) {
      Value* value = heap_.integer(*known ? 0 : 1);
      value->taint = origin(operand);
      return value;
    }
    return heap_.number(origin(operand));
  }
  if (may_be_tensor(operand)) {
    note_torch_op(operator_name(op), {}, node);
    return derived_tensor({}, {operand});
  }
  if (operand->is(Value::Kind::kInstance)) {
    return dunder(operand, op == Op::kInvert ? "__invert__" : op == Op::kSub ? "__neg__" : "__pos__", {}, node);
  }
  if (op == Op::kSub && operand->has_integer && operand->integer != std::numeric_limits<std::int64_t>::min()) {
    Value* value = heap_.integer(-operand->integer);
    value->taint = operand->taint;
    return value;
  }
  return operand->is(Value::Kind::kNumber) ? heap_.number(operand->taint) : heap_.unknown();
}

Value* Interpreter::eval_compare(NodeId node) {
  std::vector<Value*> operands;
  for (const NodeId kid : tree_.kids(node)) operands.push_back(eval(kid));
  const Op op = tree_.op(node);
  const bool identity = op == Op::kIs || op == Op::kIsNot;
  const bool membership = op == Op::kIn || op == Op::kNotIn;
  Taint taint = 0;
  bool remembered = false;
  for (Value* operand : operands) {
    taint |= origin(operand);
    const bool outlives = any_alternative(operand, [&](const Value* each) {
      return (each->is(Value::Kind::kSequence) || each->is(Value::Kind::kDict)) && each->created_in_call < call_;
    });
    remembered |= membership && outlives;
    if (!identity && !membership && may_be_tensor(operand)) {
      note_torch_op(operator_name(op), {}, node);
      return derived_tensor({}, operands);
    }
  }
  // Two pointers of this call may be compared: that asks whether tensors overlap.
  remembered |= (taint & kState) != 0;
  if ((taint & kAddress) != 0 && remembered && (op == Op::kEqual || op == Op::kNotEqual || identity || membership)) {
    if (judged())
      report("pointer-keyed-cache", node, "a pointer, id or version number is compared with a remembered one");
  }
  taint &= static_cast<Taint>(~kAddress);
  const bool ordered = !identity && !membership && op != Op::kEqual && op != Op::kNotEqual;
  if (ordered && (taint & kBuild) != 0) taint = static_cast<Taint>((taint & ~kBuild) | kVersion);
  note_decision(taint, node);
  std::optional<bool> known;
  if (operands.size() == 2) {
    Value* a = operands[0];
    Value* b = operands[1];
    if (a->has_integer && b->has_integer && (taint & kCounter) == 0) {
      known = compare(op, a->integer, b->integer);
    } else if (a->has_text && b->has_text && (op == Op::kEqual || op == Op::kNotEqual)) {
      known = (a->text == b->text) == (op == Op::kEqual);
    } else if (identity && b->is(Value::Kind::kNone)) {
      const bool none = a->is(Value::Kind::kNone);
      const bool open = a->is(Value::Kind::kUnknown) || a->is(Value::Kind::kUnion) || a->is(Value::Kind::kExternal) ||
                        a->is(Value::Kind::kObject);
      if (none || !open) known = none == (op == Op::kIs);
    } else if (membership && a->has_text && b->is(Value::Kind::kDict) && !b->open_ended && !b->mutated_by_call) {
      known = b->keyed.contains(a->text) == (op == Op::kIn);
    }
  }
  Value* value = known ? heap_.integer(*known ? 1 : 0) : heap_.number();
  value->taint = taint;
  return value;
}

Value* Interpreter::eval_conditional(NodeId node) {
  Value* condition = eval(tree_.kid(node, 1));
  note_condition(condition, tree_.kid(node, 1));
  if (const auto known = truth(condition)) return eval(tree_.kid(node, *known ? 0 : 2));
  const Conditionally branch(*this, origin(condition));
  Value* taken = eval(tree_.kid(node, 0));
  return heap_.chosen_by(about(origin(condition)), heap_.join(taken, eval(tree_.kid(node, 2))));
}

Arguments Interpreter::eval_arguments(NodeId list) {
  Arguments arguments;
  const auto give = [&](std::string_view name, Value* value) {
    if (arguments.keywords.contains(name)) arguments.repeated = name;
    arguments.keywords.set(name, value);
  };
  for (const NodeId argument : tree_.kids(list)) {
    switch (tree_.kind(argument)) {
      case Kind::kKeyword:
        give(tree_.text(argument), eval(tree_.kid(argument, 0)));
        break;
      case Kind::kStarred: {
        Value* value = eval(tree_.kid(argument, 0));
        if (value->is(Value::Kind::kSequence) && !value->open_ended) {
          arguments.positional.insert(arguments.positional.end(), value->items.begin(), value->items.end());
        } else {
          arguments.open_ended = true;
          arguments.definite = std::min(arguments.definite, arguments.positional.size());
          arguments.positional.push_back(element_of(value));
        }
        break;
      }
      case Kind::kDoubleStarred: {
        Value* value = eval(tree_.kid(argument, 0));
        if (value->is(Value::Kind::kDict)) {
          for (const auto& [name, given] : value->keyed) give(name, given);
          arguments.open_ended |= value->open_ended;
        } else {
          arguments.open_ended = true;
        }
        break;
      }
      default:
        arguments.positional.push_back(eval(argument));
    }
  }
  arguments.limit();
  return arguments;
}

Value* Interpreter::eval_call(NodeId node) {
  const NodeId function = tree_.kid(node, 0);
  // super() needs the frame, not a value.
  if (tree_.kind(function) == Kind::kName && tree_.text(function) == "super" && lookup(scope_, "super") == nullptr) {
    const auto arguments = eval_arguments(tree_.kid(node, 1));
    Value* value = heap_.make(Value::Kind::kSuper);
    for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame) {
      if (frame->cls == nullptr) continue;
      value->self = frame->self;
      value->target = frame->cls;
      break;
    }
    if (Value* cls = arguments.at(0); cls != nullptr && cls->is(Value::Kind::kClass)) value->target = cls;
    if (Value* self = arguments.at(1)) value->self = self;
    return value;
  }
  Value* callee = eval(function);
  const Arguments arguments = eval_arguments(tree_.kid(node, 1));
  return call(callee, arguments, node);
}

Value* Interpreter::eval_sequence(NodeId node) {
  Value* value = make_container(Value::Kind::kSequence);
  value->immutable = tree_.kind(node) == Kind::kTuple;
  for (const NodeId element : tree_.kids(node)) {
    if (tree_.kind(element) != Kind::kStarred) {
      value->items.push_back(eval(element));
      continue;
    }
    Value* spread = eval(tree_.kid(element, 0));
    if (spread->is(Value::Kind::kSequence) && !spread->open_ended) {
      value->items.insert(value->items.end(), spread->items.begin(), spread->items.end());
      heap_.limit(*value);
    } else {
      value->open_ended = true;
      value->items.push_back(element_of(spread));
    }
  }
  return value;
}

std::optional<std::string_view> Interpreter::constant_key(Value* value) {
  if (value->taint != 0) return std::nullopt;
  if (value->is(Value::Kind::kString) && value->has_text) return value->text;
  if (value->is(Value::Kind::kNumber) && value->has_integer) return heap_.intern(std::to_string(value->integer));
  if (value->is(Value::Kind::kExternal)) return value->text;
  return std::nullopt;
}

Value* Interpreter::eval_dict(NodeId node) {
  Value* value = make_container(Value::Kind::kDict);
  for (const NodeId entry : tree_.kids(node)) {
    if (tree_.kind(entry) == Kind::kDoubleStarred) {
      Value* spread = eval(tree_.kid(entry, 0));
      if (spread->is(Value::Kind::kDict)) {
        value->keyed.set_all(spread->keyed);
        value->items.insert(value->items.end(), spread->items.begin(), spread->items.end());
        heap_.limit(*value);
        value->open_ended |= spread->open_ended;
      } else {
        value->open_ended = true;
      }
      continue;
    }
    Value* key = eval(tree_.kid(entry, 0));
    Value* element = eval(tree_.kid(entry, 1));
    if (const auto name = constant_key(key)) {
      value->keyed.set(*name, element);
    } else {
      value->open_ended = true;
      value->items.push_back(element);
    }
  }
  return value;
}

void Interpreter::iterate_comprehension(NodeId node, std::size_t clause, std::vector<Value*>& items, bool& open_ended) {
  const auto kids = tree_.kids(node);
  if (clause == kids.size()) {
    const NodeId element = kids[0];
    if (tree_.kind(element) == Kind::kPair) {
      Value* key = eval(tree_.kid(element, 0));
      items.push_back(heap_.sequence({key, eval(tree_.kid(element, 1))}));
    } else {
      items.push_back(eval(element));
    }
    return;
  }
  const NodeId step = kids[clause];
  if (tree_.kind(step) == Kind::kCompIf) {
    Value* condition = eval(tree_.kid(step, 0));
    note_condition(condition, step);
    const auto known = truth(condition);
    if (known == false) return;
    if (!known) open_ended = true;
    iterate_comprehension(node, clause + 1, items, open_ended);
    return;
  }
  Value* iterable = eval(tree_.kid(step, 1));
  constexpr std::size_t kMaxItems = 24;
  const bool closed = iterable->is(Value::Kind::kSequence) && !iterable->open_ended &&
                      iterable->items.size() <= kMaxItems && items.size() <= kMaxItems;
  if (closed) {
    const auto elements = iterable->items;
    for (Value* element : elements) {
      assign(tree_.kid(step, 0), element, step);
      iterate_comprehension(node, clause + 1, items, open_ended);
    }
  } else {
    open_ended = true;
    assign(tree_.kid(step, 0), element_of(iterable), step);
    iterate_comprehension(node, clause + 1, items, open_ended);
  }
}

Value* Interpreter::eval_comprehension(NodeId node) {
  Scope* const outer = scope_;
  scope_ = heap_.scope(outer);
  scope_->created_in_call = call_;
  scope_->conditional_depth = conditional_depth_;
  std::vector<Value*> items;
  bool open_ended = false;
  iterate_comprehension(node, 1, items, open_ended);
  scope_ = outer;
  if (tree_.kind(tree_.kid(node, 0)) != Kind::kPair) {
    Value* value = make_container(Value::Kind::kSequence);
    value->items = std::move(items);
    value->open_ended = open_ended;
    return value;
  }
  Value* dict = make_container(Value::Kind::kDict);
  dict->open_ended = open_ended;
  for (Value* pair : items) {
    if (const auto key = constant_key(pair->items[0])) {
      dict->keyed.set(*key, pair->items[1]);
    } else {
      dict->open_ended = true;
      dict->items.push_back(pair->items[1]);
    }
  }
  return dict;
}

Value* Interpreter::eval_fstring(NodeId node) {
  std::string whole;
  bool known = true;
  Taint taint = 0;
  for (const NodeId part : tree_.kids(node)) {
    Value* value = tree_.kind(part) == Kind::kOpaque ? eval_formatted_field(part) : eval(part);
    taint |= value->taint;
    if (value->has_text) {
      whole += value->text;
    } else if (value->has_integer && value->taint == 0) {
      whole += std::to_string(value->integer);
    } else {
      known = false;
    }
  }
  Value* value = known ? heap_.string(whole) : heap_.string();
  value->taint = taint;
  return value;
}

// What a conversion and a format make of a value is not worked out.
Value* Interpreter::eval_formatted_field(NodeId node) {
  Value* text = heap_.string();
  for (const NodeId part : tree_.kids(node)) text->taint |= eval(part)->taint;
  return text;
}

Value* Interpreter::eval_subscript(NodeId node) {
  Value* object = eval(tree_.kid(node, 0));
  const NodeId index_node = tree_.kid(node, 1);
  // Slices of constant strings are worked out: "lumtam"[::-1] hides a name.
  if (object->is(Value::Kind::kString) && object->has_text && tree_.kind(index_node) == Kind::kSlice) {
    const auto bound = [&](std::size_t slot) -> std::optional<std::int64_t> {
      Value* value = eval(tree_.kid(index_node, slot));
      return value->has_integer ? std::optional(value->integer) : std::nullopt;
    };
    const auto length = static_cast<std::int64_t>(object->text.size());
    const std::int64_t step = std::clamp(bound(2).value_or(1), -length - 1, length + 1);
    if (step == 0) return heap_.string();
    const auto clamp = [&](std::optional<std::int64_t> at, std::int64_t fallback) {
      if (!at) return fallback;
      const std::int64_t low = step > 0 ? 0 : -1;
      const std::int64_t high = step > 0 ? length : length - 1;
      return std::clamp(*at < 0 ? *at + length : *at, low, high);
    };
    const std::int64_t start = clamp(bound(0), step > 0 ? 0 : length - 1);
    const std::int64_t stop = clamp(bound(1), step > 0 ? length : -1);
    std::string cut;
    for (std::int64_t at = start; step > 0 ? at < stop : at > stop; at += step) {
      cut += object->text[static_cast<std::size_t>(at)];
    }
    return heap_.string(cut);
  }
  return subscript(object, eval(index_node), index_node, node);
}

Value* Interpreter::subscript(Value* object, Value* index, NodeId index_node, NodeId node) {
  note_decision(origin(index), node);
  if (object->is(Value::Kind::kUnion)) note_decision(object->taint, node);
  Value* result = nullptr;
  each_alternative(object, [&](Value* each) {
    Value* item = heap_.unknown();
    switch (each->kind) {
      case Value::Kind::kKernel: {
        item = heap_.make(Value::Kind::kLauncher);
        item->target = each;
        item->items = {index};
        break;
      }
      case Value::Kind::kTensor: {
        const bool computed = may_be_tensor(index) ||
                              (index->is(Value::Kind::kSequence) && std::ranges::any_of(index->items, [](Value* part) {
                                 return may_be_tensor(part) || part->is(Value::Kind::kSequence);
                               }));
        if (computed) {
          note_torch_op("indexing by a tensor", {.main = true}, node);
          item = derived_tensor({}, {each, index});
        } else {
          item = each;  // a view
        }
        break;
      }
      case Value::Kind::kSequence:
      case Value::Kind::kDict: {
        note_remembered(*each, index, node);
        if (judged() && (index->taint & kCounter) != 0 && each->items.size() + each->keyed.size() > 1)
          note_condition(index, node);
        const bool slice = index->is(Value::Kind::kObject) && index->text == "slice";
        const auto key = each->is(Value::Kind::kDict) ? constant_key(index) : std::nullopt;
        item = nullptr;
        if (key) {
          if (Value* const* value = each->keyed.find(*key)) item = *value;
          if (item == nullptr && each->open_ended) item = element_of(heap_.sequence(each->items));
          if (item == nullptr) item = heap_.unknown();
        } else if (each->is(Value::Kind::kSequence) && index->has_integer && !each->open_ended && !slice) {
          const auto size = static_cast<std::int64_t>(each->items.size());
          const std::int64_t at = index->integer < 0 ? index->integer + size : index->integer;
          item = at >= 0 && at < size ? each->items[static_cast<std::size_t>(at)] : heap_.unknown();
        } else if (slice) {
          item = heap_.copy(*each);
          item->open_ended = true;
          const auto parts = tree_.kids(index_node);
          if (tree_.kind(index_node) == Kind::kSlice &&
              std::ranges::all_of(parts, [](NodeId part) { return part == kAbsentNode; }))
            item->open_ended = each->open_ended;
        } else {
          for (Value* value : each->items) item = heap_.join(item, value);
          for (const auto& [name, value] : each->keyed) item = heap_.join(item, value);
          if (item == nullptr) item = heap_.unknown();
        }
        if (holds_state(*each) && call_ > 0) {
          item = heap_.copy(*item);
          item->taint |= kState;
        }
        break;
      }
      case Value::Kind::kObject:
        if (each->text == "torch.Size") {
          item = index->is(Value::Kind::kObject) ? each : heap_.number(each->taint);
        } else if (each->text == "vars") {
          item = each->target == nullptr ? (index->has_text ? lookup(module_, index->text) : nullptr)
                                         : get_attribute_by_value(each->target, index, nullptr, node);
          if (item == nullptr && each->target == nullptr && index->has_text && is_reference_name(index->text) &&
              !library()) {
            report("reference-access", node, "'" + std::string(index->text) + "' belongs to the reference");
          }
          if (item == nullptr) {
            if (each->target == nullptr && on_path_ && !index->has_text) {
              report("opaque-attribute", node, "a global is looked up under a name that cannot be worked out");
            }
            item = heap_.unknown();
          }
        } else if (each->text == "sys.modules") {
          item = import_by_value(index, node);
        }
        break;
      case Value::Kind::kExternal:
        if (each->text == "sys.modules") {
          item = import_by_value(index, node);
        } else if (each->text == "builtins") {
          item = get_attribute_by_value(each, index, nullptr, node);
        } else if (each->text == "os.environ") {
          item = heap_.string();
        } else if (is_below(each->text, "torch") || is_below(each->text, "triton")) {
          item = heap_.make(Value::Kind::kLauncher);
          item->target = each;
          item->items = {index};
        } else {
          item = heap_.object(each->text);  // a generic alias such as list[int]
        }
        break;
      case Value::Kind::kInstance:
        item = dunder(each, "__getitem__", {index}, node);
        break;
      case Value::Kind::kClass:
        if (Value* hook = class_attribute(each, "__class_getitem__")) {
          item = call(bind_method(hook, nullptr, each, node), {.positional = {index}}, node);
        } else {
          item = each;
        }
        break;
      case Value::Kind::kString:
        item = each->has_text && index->has_integer && index->integer >= 0 &&
                       static_cast<std::size_t>(index->integer) < each->text.size()
                   ? heap_.string(each->text.substr(static_cast<std::size_t>(index->integer), 1))
                   : heap_.string();
        break;
      case Value::Kind::kNumber:
        item = heap_.number(each->taint);
        break;
      default:
        break;
    }
    result = heap_.join(result, item);
  });
  return result == nullptr ? heap_.unknown() : result;
}

Value* Interpreter::binary(Op op, Value* left, Value* right, NodeId node) {
  if (left->is(Value::Kind::kString) && op == Op::kMod) {
    if (left->has_text && right->has_text && left->text.find("%s") != std::string_view::npos) {
      std::string whole(left->text);
      whole.replace(whole.find("%s"), 2, right->text);
      return heap_.string(whole);
    }
    return heap_.string();
  }
  if (may_be_tensor(left) || may_be_tensor(right)) {
    note_torch_op(operator_name(op), {.main = op == Op::kMatMul}, node);
    return derived_tensor({}, {left, right});
  }
  for (Value* side : {left, right}) {
    if (!side->is(Value::Kind::kInstance)) continue;
    std::string name(dunder_of(op));
    if (side == right && !name.empty()) name.insert(2, "r");
    if (Value* method = class_attribute(side->target, name)) {
      return call(bind_method(method, side, side->target, node), {.positional = {side == left ? right : left}}, node);
    }
  }
  if (op == Op::kMatMul) {  // numbers have no @: whatever these are, they are arrays
    note_torch_op("@", {.main = true}, node);
    return derived_tensor({}, {left, right});
  }
  if (left->is(Value::Kind::kString) && right->is(Value::Kind::kString) && op == Op::kAdd) {
    if (left->has_text && right->has_text) return heap_.string(std::string(left->text) + std::string(right->text));
    return heap_.string();
  }
  if (left->is(Value::Kind::kSequence) && right->is(Value::Kind::kSequence) && op == Op::kAdd) {
    Value* value = make_container(Value::Kind::kSequence);
    value->items = left->items;
    value->items.insert(value->items.end(), right->items.begin(), right->items.end());
    value->open_ended = left->open_ended || right->open_ended;
    heap_.limit(*value);
    return value;
  }
  if (left->is(Value::Kind::kSequence) && op == Op::kMul) {
    if (right->has_integer && right->integer == 1) return left;
    return heap_.sequence(left->items, true);
  }
  if (left->is(Value::Kind::kDict) && op == Op::kBitOr) {
    Value* value = heap_.copy(*left);
    value->open_ended |= right->open_ended || !right->is(Value::Kind::kDict);
    value->keyed.set_all(right->keyed);
    value->items.insert(value->items.end(), right->items.begin(), right->items.end());
    heap_.limit(*value);
    return value;
  }
  auto taint = static_cast<Taint>(left->taint | right->taint);
  const bool steps = (op == Op::kAdd || op == Op::kSub) && (left->has_integer || right->has_integer);
  if (steps && (taint & kState) != 0) taint |= kStepped;
  if (op == Op::kMod || op == Op::kBitAnd) taint &= static_cast<Taint>(~kAddress);  // an alignment, no identity
  if (left->has_integer && right->has_integer) {
    if (const auto folded = fold(op, left->integer, right->integer)) {
      Value* value = heap_.integer(*folded);
      value->taint = taint;
      return value;
    }
  }
  if (left->is(Value::Kind::kNumber) && right->is(Value::Kind::kNumber)) return heap_.number(taint);
  Value* value = heap_.make(Value::Kind::kUnknown);
  value->taint = taint;
  return value;
}

}  // namespace tritonrl::analysis
