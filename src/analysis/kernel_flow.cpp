#include "analysis/kernel_flow.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>

#include "analysis/paths.h"
#include "analysis/triton_language.h"

namespace tritonrl::analysis {
namespace {

using pysource::kAbsentNode;
using pysource::Kind;
using pysource::NodeId;
using pysource::Op;

using Parameters = std::uint64_t;  // one bit a kernel parameter
constexpr Parameters kSomewhere = Parameters{1} << 63U;
constexpr int kMaxCallDepth = 8;
constexpr int kMaxNesting = 900;
constexpr int kMaxSteps = 60'000;

// What is known of a value inside a kernel.
struct Lane {
  Parameters pointers = 0;  // it is an address made from these parameters
  Parameters loads = 0;     // it depends on memory reached through these
  Parameters steps = 0;     // it is what was loaded through these, plus or minus a constant
  bool computed = false;    // it is more than a rearranged copy of what was loaded
  std::optional<std::int64_t> constant;
  Value* host = nullptr;    // a module, function or kernel of the host program
  std::vector<Lane> parts;  // of a tuple
};

Lane merge(const Lane& a, const Lane& b) {
  Lane lane;
  lane.pointers = a.pointers | b.pointers;
  lane.loads = a.loads | b.loads;
  lane.steps = a.steps | b.steps;
  lane.computed = a.computed || b.computed;
  if (a.constant == b.constant) lane.constant = a.constant;
  if (a.host == b.host) lane.host = a.host;
  if (a.parts.size() == b.parts.size()) {
    for (std::size_t i = 0; i < a.parts.size(); ++i) lane.parts.push_back(merge(a.parts[i], b.parts[i]));
  }
  return lane;
}

// Tuples of tuples double; past this their parts are forgotten.
constexpr std::size_t kMaxParts = 256;

std::size_t size_of(const Lane& lane) {
  std::size_t size = 1;
  for (const Lane& part : lane.parts) size += size_of(part);
  return size;
}

class KernelFlow {
 public:
  KernelFlow(const pysource::SyntaxTree& tree, const ResolveName& resolve) : tree_(tree), resolve_(resolve) {}

  KernelSummary run(NodeId definition, const KnownArguments& known) {
    const auto parameters = tree_.kids(tree_.kid(definition, 1));
    Named<const KnownArgument*> given;
    for (const KnownArgument& argument : known) given.set(argument.parameter, &argument);
    Locals locals;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const std::string_view name = tree_.text(parameters[i]);
      summary_.stored.set(name, false);
      Lane lane;
      lane.pointers = i < 63 ? Parameters{1} << i : kSomewhere;
      if (const NodeId fallback = tree_.kid(parameters[i], 0); fallback != kAbsentNode)
        lane.constant = eval(fallback).constant;
      if (const KnownArgument* const* argument = given.find(name)) {
        lane.constant = (*argument)->integer;
        if (!(*argument)->path.empty()) lane.host = external(std::string((*argument)->path));
      }
      locals.set(name, std::move(lane));
    }
    run_body(definition, std::move(locals));
    const Parameters counters = counted_ & decisive_ & ~overwritten_;
    for (std::size_t i = 0; i < parameters.size() && i < 63; ++i)
      if ((counters & (Parameters{1} << i)) != 0) summary_.counters.push_back(tree_.text(parameters[i]));
    return std::move(summary_);
  }

 private:
  using Locals = Named<Lane>;
  struct Frame {
    Locals locals;
    std::optional<Lane> returned;
    int conditional = 0;
  };

  Lane run_body(NodeId definition, Locals locals) {
    frames_.push_back({std::move(locals), std::nullopt, 0});
    run(tree_.kid(definition, 2));
    Lane result = frames_.back().returned.value_or(Lane{});
    frames_.pop_back();
    return result;
  }

  void use(std::string_view rule, Severity severity, NodeId node, std::string message) {
    summary_.uses.push_back({rule, severity, node, std::move(message)});
  }

  Lane* local(std::string_view name) { return frames_.back().locals.find(name); }

  void assign(NodeId target, const Lane& value) {
    switch (tree_.kind(target)) {
      case Kind::kName:
        if (Lane* old = local(tree_.text(target))) {
          *old = frames_.back().conditional > 0 ? merge(*old, value) : value;
        } else {
          frames_.back().locals.set(tree_.text(target), value);
        }
        return;
      case Kind::kTuple:
      case Kind::kListDisplay: {
        const auto targets = tree_.kids(target);
        for (std::size_t i = 0; i < targets.size(); ++i)
          assign(targets[i], i < value.parts.size() ? value.parts[i] : value);
        return;
      }
      case Kind::kStarred:
        assign(tree_.kid(target, 0), value);
        return;
      default:
        eval(target);
    }
  }

  // Runs a block; true if it always leaves the function.
  bool run(NodeId node) {
    if (++steps_ > kMaxSteps) {
      give_up();
      return true;
    }
    switch (tree_.kind(node)) {
      case Kind::kBlock:
        for (const NodeId statement : tree_.kids(node))
          if (run(statement)) return true;
        return false;
      case Kind::kReturn: {
        const Lane value = eval(tree_.kid(node, 0));
        auto& returned = frames_.back().returned;
        returned = returned ? merge(*returned, value) : value;
        return true;
      }
      case Kind::kIf: {
        const Lane condition = eval(tree_.kid(node, 0));
        if (condition.constant) return run(tree_.kid(node, *condition.constant != 0 ? 1 : 2));
        return run_branches(condition, {tree_.kid(node, 1), tree_.kid(node, 2)});
      }
      case Kind::kFor: {
        const Lane range = eval(tree_.kid(node, 1));
        Lane counter = range;
        counter.constant.reset();
        counter.pointers = 0;
        for (int round = 0; round < 2; ++round) {
          assign(tree_.kid(node, 0), counter);
          run_branches(range, {tree_.kid(node, 2)});
        }
        return run(tree_.kid(node, 3));
      }
      case Kind::kWhile: {
        Lane condition = eval(tree_.kid(node, 0));
        if (condition.constant == 0) return false;
        for (int round = 0; round < 2; ++round) {
          run_branches(condition, {tree_.kid(node, 1)});
          condition = eval(tree_.kid(node, 0));
        }
        return false;
      }
      case Kind::kAugAssign: {
        const Lane value = binary(tree_.op(node), eval(tree_.kid(node, 0)), eval(tree_.kid(node, 1)));
        assign(tree_.kid(node, 0), value);
        return false;
      }
      case Kind::kWith:
        for (const NodeId item : tree_.kids(tree_.kid(node, 0))) eval(tree_.kid(item, 0));
        return run(tree_.kid(node, 1));
      case Kind::kFunctionDef:
      case Kind::kClassDef:
      case Kind::kPass:
      case Kind::kAbsent:
        return false;
      default:
        eval(node);
        return false;
    }
  }

  bool run_branches(const Lane& condition, std::initializer_list<NodeId> branches) {
    ++frames_.back().conditional;
    const Parameters outer = control_;
    control_ |= condition.loads;
    decisive_ |= condition.loads;
    bool all_leave = branches.size() > 1;
    for (const NodeId branch : branches) all_leave &= run(branch);
    control_ = outer;
    --frames_.back().conditional;
    return all_leave;
  }

  // Whatever happens here could be anything.
  void give_up() {
    summary_.stores = true;
    summary_.stores_through_unknown = true;
    summary_.depends_on_loads = true;
    summary_.only_copies = false;
  }

  void store(const Lane& address, const Lane& value, const Lane& mask, bool atomic) {
    summary_.stores = true;
    if (address.pointers == 0 || (address.pointers & kSomewhere) != 0) summary_.stores_through_unknown = true;
    for (std::size_t i = 0; i < summary_.stored.size() && i < 63; ++i) {
      if ((address.pointers & (Parameters{1} << i)) != 0)
        summary_.stored.begin()[static_cast<std::ptrdiff_t>(i)].value = true;
    }
    const Parameters sources = value.loads | address.loads | mask.loads | control_;
    if (sources != 0) summary_.depends_on_loads = true;
    decisive_ |= sources & ~address.pointers;
    const bool steps = !atomic && (value.steps & address.pointers) != 0;
    (steps ? counted_ : overwritten_) |= address.pointers;
    if (atomic || value.loads == 0 || value.computed) summary_.only_copies = false;
  }

  Lane eval(NodeId node) {
    if (node == kAbsentNode) return {};
    if (++steps_ > kMaxSteps || nesting_ > kMaxNesting) {
      give_up();
      return {};
    }
    ++nesting_;
    Lane lane = eval_node(node);
    --nesting_;
    return lane;
  }

  Lane eval_node(NodeId node) {
    switch (tree_.kind(node)) {
      case Kind::kName:
        return eval_name(node);
      case Kind::kAttribute:
        return eval_attribute(node);
      case Kind::kCall:
        return eval_call(node);
      case Kind::kBinary: {
        const Lane left = eval(tree_.kid(node, 0));
        return binary(tree_.op(node), left, eval(tree_.kid(node, 1)));
      }
      case Kind::kAssign: {
        const Lane value = eval(tree_.kid(node, 1));
        assign(tree_.kid(node, 0), value);
        return value;
      }
      case Kind::kConditional: {
        const Lane condition = eval(tree_.kid(node, 1));
        if (condition.constant) return eval(tree_.kid(node, *condition.constant != 0 ? 0 : 2));
        Lane lane = merge(eval(tree_.kid(node, 0)), eval(tree_.kid(node, 2)));
        lane.loads |= condition.loads;
        lane.computed |= condition.loads != 0;
        return lane;
      }
      case Kind::kUnary: {
        Lane lane = eval(tree_.kid(node, 0));
        if (tree_.op(node) == Op::kNot && lane.constant) {
          lane.constant = *lane.constant == 0 ? 1 : 0;
        } else if (tree_.op(node) == Op::kSub && lane.constant) {
          lane.constant = *lane.constant == std::numeric_limits<std::int64_t>::min() ? lane.constant : -*lane.constant;
        } else {
          lane.constant.reset();
        }
        lane.computed |= lane.loads != 0;
        return lane;
      }
      case Kind::kCompare:
        return eval_compare(node);
      case Kind::kBool: {
        const Lane left = eval(tree_.kid(node, 0));
        const bool is_and = tree_.op(node) == Op::kAnd;
        if (left.constant) return (*left.constant != 0) == is_and ? eval(tree_.kid(node, 1)) : left;
        Lane lane = merge(left, eval(tree_.kid(node, 1)));
        lane.constant.reset();
        return lane;
      }
      case Kind::kSubscript: {
        Lane lane = eval(tree_.kid(node, 0));
        const Lane index = eval(tree_.kid(node, 1));
        lane.loads |= index.loads;
        if (index.constant && *index.constant >= 0 && static_cast<std::size_t>(*index.constant) < lane.parts.size()) {
          return lane.parts[static_cast<std::size_t>(*index.constant)];
        }
        lane.constant.reset();
        lane.host = nullptr;
        return lane;
      }
      case Kind::kTuple:
      case Kind::kListDisplay: {
        Lane lane;
        for (const NodeId kid : tree_.kids(node)) {
          const Lane part = eval(kid);
          Lane whole = merge(lane, part);
          whole.parts = std::move(lane.parts);
          lane = std::move(whole);
          lane.parts.push_back(part);
        }
        lane.constant.reset();
        lane.host = nullptr;
        if (size_of(lane) > kMaxParts) lane.parts.clear();
        return lane;
      }
      case Kind::kInt: {
        Lane lane;
        lane.constant = tree_.int_value(node);
        return lane;
      }
      case Kind::kFloat: {
        Lane lane;
        if (tree_.text(node) == "1.0" || tree_.text(node) == "1.") lane.constant = 1;
        if (tree_.text(node) == "0.0" || tree_.text(node) == "0.") lane.constant = 0;
        return lane;
      }
      case Kind::kTrue: {
        Lane lane;
        lane.constant = 1;
        return lane;
      }
      case Kind::kFalse: {
        Lane lane;
        lane.constant = 0;
        return lane;
      }
      case Kind::kString:
        if (tree_.text(node).find("%globaltimer") != std::string_view::npos ||
            tree_.text(node).find("%clock") != std::string_view::npos) {
          use("clock-access", Severity::kReject, node, "a kernel has no business with a clock");
        }
        return {};
      case Kind::kNone:
      case Kind::kLambda:
        return {};
      case Kind::kAssert:
        // `tl.static_assert` has a message; a plain assert only compiles in debug builds. Neither stores.
        eval(tree_.kid(node, 0));
        return {};
      default: {
        Lane lane;
        for (const NodeId kid : tree_.kids(node)) lane = merge(lane, eval(kid));
        lane.constant.reset();
        lane.host = nullptr;
        return lane;
      }
    }
  }

  Lane eval_compare(NodeId node) {
    const auto operands = tree_.kids(node);
    const Lane left = eval(tree_.kid(node, 0));
    const Lane right = eval(tree_.kid(node, 1));
    Lane lane = merge(left, right);
    for (std::size_t i = 2; i < operands.size(); ++i) lane = merge(lane, eval(operands[i]));
    lane.computed |= lane.loads != 0;
    lane.constant.reset();
    lane.host = nullptr;
    if (left.constant && right.constant && operands.size() == 2) {
      switch (tree_.op(node)) {
        case Op::kEqual:
          lane.constant = *left.constant == *right.constant;
          break;
        case Op::kNotEqual:
          lane.constant = *left.constant != *right.constant;
          break;
        case Op::kLess:
          lane.constant = *left.constant < *right.constant;
          break;
        case Op::kLessEqual:
          lane.constant = *left.constant <= *right.constant;
          break;
        case Op::kGreater:
          lane.constant = *left.constant > *right.constant;
          break;
        case Op::kGreaterEqual:
          lane.constant = *left.constant >= *right.constant;
          break;
        default:
          break;
      }
    }
    return lane;
  }

  Lane binary(Op op, const Lane& left, const Lane& right) {
    Lane lane = merge(left, right);
    lane.host = nullptr;
    lane.steps = 0;
    lane.parts.clear();
    lane.constant.reset();
    for (const auto& [one, other] : {std::pair(&left, &right), std::pair(&right, &left)})
      if ((op == Op::kAdd || op == Op::kSub) && one->constant && !other->computed) lane.steps |= other->loads;
    if (left.constant && right.constant) {
      const std::int64_t a = *left.constant;
      const std::int64_t b = *right.constant;
      std::int64_t result = 0;
      if (op == Op::kMul && !__builtin_mul_overflow(a, b, &result)) lane.constant = result;
      if (op == Op::kAdd && !__builtin_add_overflow(a, b, &result)) lane.constant = result;
      if (op == Op::kSub && !__builtin_sub_overflow(a, b, &result)) lane.constant = result;
      if (op == Op::kFloorDiv && a >= 0 && b > 0) lane.constant = a / b;
      if (op == Op::kMod && a >= 0 && b > 0) lane.constant = a % b;
      return lane;
    }
    // x * 1 and x + 0 are x.
    const auto is = [](const Lane& side, std::int64_t value) { return side.constant == value && side.loads == 0; };
    const bool identity = (op == Op::kMul && (is(left, 1) || is(right, 1))) ||
                          (op == Op::kAdd && (is(left, 0) || is(right, 0))) || ((op == Op::kSub) && is(right, 0)) ||
                          ((op == Op::kDiv || op == Op::kPow) && is(right, 1));
    const bool address = lane.pointers != 0 && lane.loads == 0;
    if (!identity && !address && lane.loads != 0) lane.computed = true;
    // An offset that was loaded makes the address depend on memory, not a computed value of it.
    // What may be a pointer by its place may be a number, too: no pointer is multiplied.
    const bool moves = op == Op::kAdd || op == Op::kSub;
    if (moves && left.loads == 0 && left.pointers != 0 && right.pointers == 0) lane.computed = false;
    return lane;
  }

  Lane eval_name(NodeId node) {
    const std::string_view name = tree_.text(node);
    if (const Lane* lane = local(name)) return *lane;
    Lane lane;
    Value* value = resolve_(name);
    if (value == nullptr) {
      use("undefined-name", Severity::kReject, node,
          "nothing defines '" + std::string(name) + "', which this kernel uses");
      give_up();
      return lane;
    }
    if (value->is(Value::Kind::kNumber) && value->has_integer) lane.constant = value->integer;
    lane.host = value;
    note_host(value, node);
    return lane;
  }

  void note_host(const Value* value, NodeId node) {
    if (!value->is(Value::Kind::kExternal)) return;
    const std::string_view path = value->text;
    const auto below = [&](std::string_view module) {
      return path.starts_with(module) && path.size() > module.size() && path[module.size()] == '.';
    };
    if (path.ends_with(".globaltimer") || path.ends_with(".clock")) {
      use("clock-access", Severity::kReject, node, "a kernel has no business with a clock");
    }
    if (below("torch") || below("numpy") || below("math")) {
      if (!below("math"))
        use("torch-in-kernel", Severity::kReject, node, "'" + std::string(path) + "' cannot be compiled into a kernel");
      return;
    }
    if (!below("triton.language")) return;
    std::string_view rest = path.substr(std::string_view("triton.language.").size());
    if (rest.starts_with("math.")) rest.remove_prefix(5);
    const bool single = rest.find('.') == std::string_view::npos;
    if (single && !find_triton_function(path)) {
      use("unknown-triton-api", Severity::kReject, node, "no supported Triton has '" + std::string(path) + "'");
      give_up();
    }
  }

  Lane eval_attribute(NodeId node) {
    const Lane object = eval(tree_.kid(node, 0));
    if (object.host != nullptr && object.host->is(Value::Kind::kExternal)) {
      Lane lane;
      lane.host = external(std::string(object.host->text) + "." + std::string(tree_.text(node)));
      note_host(lane.host, node);
      return lane;
    }
    Lane lane = object;
    lane.constant.reset();
    lane.host = nullptr;
    const std::string_view name = tree_.text(node);
    if (name == "shape" || name == "dtype" || name == "type" || name == "numel" || name == "element_ty") return {};
    return lane;
  }

  Value* external(std::string path) {
    Value& value = external_.emplace_back();
    value.kind = Value::Kind::kExternal;
    value.text = names_.emplace_back(std::move(path));
    return &value;
  }

  struct Arguments {
    std::vector<Lane> positional;
    Named<Lane> keywords;
    std::vector<NodeId> nodes;
    const Lane* get(std::size_t index, std::string_view name) const {
      return index < positional.size() ? &positional[index] : keywords.find(name);
    }
    Lane all() const {
      Lane lane;
      for (const Lane& each : positional) lane = merge(lane, each);
      for (const auto& [key, each] : keywords) lane = merge(lane, each);
      lane.constant.reset();
      lane.host = nullptr;
      lane.steps = 0;
      lane.parts.clear();
      return lane;
    }
  };

  Arguments eval_arguments(NodeId list) {
    Arguments arguments;
    for (const NodeId argument : tree_.kids(list)) {
      if (tree_.kind(argument) == Kind::kKeyword) {
        arguments.keywords.set(tree_.text(argument), eval(tree_.kid(argument, 0)));
      } else if (tree_.kind(argument) == Kind::kStarred) {
        const Lane spread = eval(tree_.kid(argument, 0));
        if (spread.parts.empty()) arguments.positional.push_back(spread);
        for (const Lane& part : spread.parts) arguments.positional.push_back(part);
      } else {
        arguments.positional.push_back(eval(argument));
        arguments.nodes.push_back(argument);
      }
    }
    return arguments;
  }

  Lane eval_call(NodeId node) {
    const NodeId function = tree_.kid(node, 0);
    // A method of a value: x.to(...), descriptor.load(...).
    if (tree_.kind(function) == Kind::kAttribute) {
      const Lane object = eval(tree_.kid(function, 0));
      const bool value =
          object.host == nullptr || object.host->is(Value::Kind::kNumber) || object.host->is(Value::Kind::kUnknown);
      if (value) return call_method(node, object, tree_.text(function), eval_arguments(tree_.kid(node, 1)));
    }
    const Lane callee = eval(function);
    Arguments arguments = eval_arguments(tree_.kid(node, 1));
    if (callee.host == nullptr) {
      // A function that the launch hands over, such as an activation: it stores through pointers that it is given.
      Lane lane = arguments.all();
      if (lane.pointers != 0) give_up();
      lane.computed |= lane.loads != 0;
      return lane;
    }
    Lane result;
    bool first = true;
    each_alternative(callee.host, [&](Value* each) {
      Lane lane = call_host(node, each, arguments);
      result = first ? lane : merge(result, lane);
      first = false;
    });
    return result;
  }

  Lane call_host(NodeId node, Value* callee, const Arguments& arguments) {
    if (callee->is(Value::Kind::kKernel)) return call_kernel(callee->node, arguments);
    if (callee->is(Value::Kind::kFunction)) {
      // A host function can only run at compile time (constexpr_function) or be jitted by someone we do not see.
      return tree_.kind(callee->node) == Kind::kFunctionDef ? call_kernel(callee->node, arguments) : arguments.all();
    }
    if (callee->is(Value::Kind::kExternal)) {
      note_host(callee, node);  // it may have come as an argument
      if (callee->text.starts_with("builtins.")) {
        Lane lane = arguments.all();
        const std::string_view name = callee->text.substr(9);
        if (name == "range") return lane;
        if (arguments.positional.size() == 1 && arguments.positional[0].constant && (name == "int" || name == "bool"))
          lane.constant = arguments.positional[0].constant;
        lane.computed |= lane.loads != 0 && (name == "min" || name == "max" || name == "abs" || name == "sum");
        return lane;
      }
      if (callee->text.starts_with("triton.")) {
        const auto cls = find_triton_function(callee->text);
        if (cls) return call_triton(node, *cls, callee->text, arguments);
        // libdevice and other backends' functions: pure arithmetic.
        Lane lane = arguments.all();
        lane.computed |= lane.loads != 0;
        if (callee->text.find("libdevice") == std::string_view::npos &&
            callee->text.find(".math.") == std::string_view::npos)
          give_up();
        return lane;
      }
    }
    if (callee->is(Value::Kind::kObject) || callee->is(Value::Kind::kUnknown)) give_up();
    Lane lane = arguments.all();
    lane.computed |= lane.loads != 0;
    if (!callee->is(Value::Kind::kNumber)) give_up();
    return lane;
  }

  Lane call_kernel(NodeId definition, const Arguments& arguments) {
    if (std::ranges::find(summary_.called, definition) == summary_.called.end()) summary_.called.push_back(definition);
    if (depth_ >= kMaxCallDepth) {
      give_up();
      return arguments.all();
    }
    Locals locals;
    const auto parameters = tree_.kids(tree_.kid(definition, 1));
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const Lane* given = arguments.get(i, tree_.text(parameters[i]));
      Lane lane;
      if (given != nullptr) {
        lane = *given;
      } else if (const NodeId fallback = tree_.kid(parameters[i], 0); fallback != kAbsentNode) {
        lane = eval(fallback);
      }
      locals.set(tree_.text(parameters[i]), std::move(lane));
    }
    ++depth_;
    Lane result = run_body(definition, std::move(locals));
    --depth_;
    return result;
  }

  Lane call_triton(NodeId node, TritonClass cls, std::string_view path, const Arguments& arguments) {
    const std::string_view name = last_part(path);
    Lane all = arguments.all();
    switch (cls) {
      case TritonClass::kLoad: {
        const Lane* address = arguments.get(0, "pointer");
        if (const Lane* mask = arguments.get(1, "mask")) decisive_ |= mask->loads;
        return loaded(address == nullptr ? Lane{} : *address, arguments.get(2, "other"));
      }
      case TritonClass::kStore:
      case TritonClass::kAtomic: {
        const Lane nothing;
        const Lane* address = arguments.get(0, "pointer");
        const bool exchange = name == "atomic_cas";
        const Lane* value = arguments.get(exchange ? 2 : 1, cls == TritonClass::kStore ? "value" : "val");
        const Lane* mask = arguments.get(2, "mask");
        store(address == nullptr ? nothing : *address, value == nullptr ? nothing : *value,
              mask == nullptr ? nothing : *mask, cls == TritonClass::kAtomic);
        if (cls == TritonClass::kStore) return {};
        Lane old = loaded(address == nullptr ? nothing : *address, nullptr);
        old.computed = true;
        return old;
      }
      case TritonClass::kPointer:
        return all;
      case TritonClass::kIndex:
        if (name == "arange") check_arange(node, arguments);
        return {};
      case TritonClass::kConstant:
        return {};
      case TritonClass::kCopy: {
        if (name == "cast") note_narrowing(node, arguments.get(0, "input"), 1);
        all.computed = !arguments.positional.empty() &&
                       std::ranges::any_of(arguments.positional, [](const Lane& each) { return each.computed; });
        return all;
      }
      case TritonClass::kMeta: {
        if (name == "constexpr" && arguments.positional.size() == 1) return arguments.positional[0];
        return all;
      }
      case TritonClass::kCompute:
        break;
    }
    const auto same = [&](std::size_t a, std::size_t b) {
      return arguments.nodes.size() > std::max(a, b) &&
             tree_.source_of(arguments.nodes[a]) == tree_.source_of(arguments.nodes[b]);
    };
    if (name == "where" && arguments.positional.size() == 3) {
      const Lane& condition = arguments.positional[0];
      const Lane& yes = arguments.positional[1];
      const Lane& no = arguments.positional[2];
      Lane lane = merge(yes, no);
      lane.constant.reset();
      if (same(1, 2)) return yes;
      const bool masks = condition.loads == 0 && (yes.loads == 0 || no.loads == 0);
      lane.loads |= condition.loads;
      lane.computed |= !masks && lane.loads != 0;
      return lane;
    }
    if ((name == "maximum" || name == "minimum") && same(0, 1)) return arguments.positional[0];
    for (const auto& [key, lane] : arguments.keywords) note_combiner(lane);
    for (const Lane& lane : arguments.positional) note_combiner(lane);
    all.computed |= all.loads != 0;
    return all;
  }

  // The function that reduce and associative_scan combine with is called, too.
  void note_combiner(const Lane& lane) {
    if (lane.host != nullptr && lane.host->is(Value::Kind::kKernel) &&
        std::ranges::find(summary_.called, lane.host->node) == summary_.called.end()) {
      summary_.called.push_back(lane.host->node);
    }
  }

  Lane loaded(const Lane& address, const Lane* other) {
    Lane lane;
    lane.loads = address.loads | (address.pointers == 0 ? kSomewhere : address.pointers);
    lane.computed = address.loads != 0;  // a gather is more than a copy
    if (other != nullptr && other->loads != 0) {
      lane.loads |= other->loads;
      lane.computed |= other->computed;
    }
    return lane;
  }

  Lane call_method(NodeId node, const Lane& object, std::string_view name, const Arguments& arguments) {
    const auto descriptor = find_triton_function("triton.language.tensor_descriptor." + std::string(name));
    if (object.pointers != 0 && descriptor) {
      const Lane nothing;
      if (*descriptor == TritonClass::kLoad) return loaded(object, nullptr);
      if (*descriptor == TritonClass::kStore || *descriptor == TritonClass::kAtomic) {
        const Lane* value = arguments.get(1, "value");
        store(object, value == nullptr ? arguments.all() : *value, nothing, *descriptor == TritonClass::kAtomic);
        return {};
      }
    }
    const auto method = find_triton_function("triton.language.tensor." + std::string(name));
    Lane lane = merge(object, arguments.all());
    lane.constant.reset();
    lane.host = nullptr;
    if (name == "to") {
      note_narrowing(node, &object, 0);
      lane = object;
      return lane;
    }
    if (method && *method == TritonClass::kCopy) {
      lane.computed = object.computed;
      return lane;
    }
    lane.computed |= lane.loads != 0;
    if (!method && !descriptor && object.pointers != 0) give_up();
    return lane;
  }

  void note_narrowing(NodeId node, const Lane* value, std::size_t type_slot) {
    if (value == nullptr || value->loads == 0 || value->computed) return;
    const auto list = tree_.kids(tree_.kid(node, 1));
    if (type_slot >= list.size()) return;
    const Lane type = eval(list[type_slot]);
    if (type.host == nullptr || !type.host->is(Value::Kind::kExternal)) return;
    const std::string_view name = last_part(type.host->text);
    if (name != "float16" && name != "bfloat16" && !name.starts_with("float8") && name != "int8") return;
    use("precision-downgrade", Severity::kSuspect, node,
        "loaded values are narrowed to " + std::string(name) + " before they are computed with");
  }

  void check_arange(NodeId node, const Arguments& arguments) {
    const Lane* low = arguments.get(0, "start");
    const Lane* high = arguments.get(1, "end");
    if (low == nullptr || high == nullptr || !low->constant || !high->constant) return;
    std::int64_t length = 0;
    if (__builtin_sub_overflow(*high->constant, *low->constant, &length)) return;
    if (length > 0 && std::has_single_bit(static_cast<std::uint64_t>(length))) return;
    use("arange-size", Severity::kReject, node,
        "tl.arange over " + std::to_string(length) + " elements: the length must be a power of two");
  }

  const pysource::SyntaxTree& tree_;
  const ResolveName& resolve_;
  KernelSummary summary_;
  std::vector<Frame> frames_ = std::vector<Frame>(1);
  std::deque<Value> external_;
  std::deque<std::string> names_;
  Parameters control_ = 0;
  Parameters counted_ = 0;      // a step from what was there is stored through these
  Parameters overwritten_ = 0;  // something else is
  Parameters decisive_ = 0;     // what is loaded through these decides something
  int depth_ = 0;
  int nesting_ = 0;
  int steps_ = 0;
};

}  // namespace

KernelSummary summarize_kernel(const pysource::SyntaxTree& tree, NodeId definition, const ResolveName& resolve,
                               const KnownArguments& known) {
  return KernelFlow(tree, resolve).run(definition, known);
}

}  // namespace tritonrl::analysis
