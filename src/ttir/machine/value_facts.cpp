#include "ttir/machine/value_facts.h"

#include <algorithm>

namespace tritonrl::ttir {
namespace {

// Joins facts along every edge that values flow, until nothing changes.
class FactFlow {
 public:
  FactFlow(const Module& module, const Function& function, std::span<const ValueFacts> parameters)
      : module_(module), function_(function), facts_(function.value_types.size()) {
    for (std::size_t i = 0; i < function.parameters.size() && i < parameters.size(); ++i)
      facts_[function.parameters[i].value] = parameters[i];
    for (const Parameter& parameter : function.parameters)
      facts_[parameter.value].is_multiple = parameter.divisibility % kMultiple == 0;
  }

  std::vector<ValueFacts> settle() {
    do {
      changed_ = false;
      visit(function_.body);
    } while (changed_);
    return std::move(facts_);
  }

 private:
  static constexpr std::int64_t kMultiple = 16;

  void visit(const Region& region) {
    for (const Block& block : region.blocks)
      for (const Operation& operation : block.operations) visit(operation, region);
  }

  void visit(const Operation& op, const Region& region) {
    for (const Successor& successor : op.successors)
      join_all(region.blocks[successor.block].arguments, successor.arguments);
    switch (op.opcode) {
      case Opcode::kScfFor:
        join_all(std::span(op.regions[0].blocks[0].arguments).subspan(1), std::span(op.operands).subspan(3));
        join_all(op.results, std::span(op.operands).subspan(3));
        join_terminator(op.regions[0], op.results);
        join_terminator(op.regions[0], std::span(op.regions[0].blocks[0].arguments).subspan(1));
        break;
      case Opcode::kScfWhile: {
        const Operation& condition = op.regions[0].blocks[0].operations.back();
        join_all(op.regions[0].blocks[0].arguments, op.operands);
        join_all(op.regions[1].blocks[0].arguments, std::span(condition.operands).subspan(1));
        join_all(op.results, std::span(condition.operands).subspan(1));
        join_terminator(op.regions[1], op.regions[0].blocks[0].arguments);
        break;
      }
      case Opcode::kScfIf:
      case Opcode::kScfExecuteRegion:
      case Opcode::kScfIndexSwitch:
        for (const Region& inner : op.regions) join_terminator(inner, op.results);
        break;
      case Opcode::kTtCall:
        call(op);
        break;
      case Opcode::kTtLoad:
        load(op);
        break;
      case Opcode::kUbPoison:
        for (const ValueId result : op.results) join(result, {.may_be_undefined = true});
        break;
      case Opcode::kArithConstant:
        facts_[op.results[0]].is_never_zero = all_bits(op, [](std::uint64_t bits) { return bits != 0; });
        facts_[op.results[0]].is_multiple = all_bits(op, [](std::uint64_t bits) { return bits % kMultiple == 0; });
        break;
      case Opcode::kTtSplat:
      case Opcode::kTtBroadcast:
      case Opcode::kTtExpandDims:
        facts_[op.results[0]].is_never_zero = facts_[op.operands[0]].is_never_zero;
        facts_[op.results[0]].is_multiple = facts_[op.operands[0]].is_multiple;
        join(op.results[0], facts_[op.operands[0]]);
        break;
      case Opcode::kTtIntToPtr:
        for (const ValueId result : op.results) join(result, {.argument = ValueFacts::kUnknownArgument});
        [[fallthrough]];
      default:
        for (const ValueId result : op.results)
          for (const ValueId operand : op.operands)
            if (operand != kNoValue) join(result, facts_[operand]);
        if (divides(op.opcode) && function_.value_types[op.results[0]].is_tensor() &&
            !facts_[op.operands[1]].is_never_zero)
          join(op.results[0], {.may_be_undefined = true});
        if (divides(op.opcode) && function_.value_types[op.results[0]].is_tensor() &&
            !facts_[op.operands[1]].is_multiple)
          join(op.results[0], {.is_split = true});
        if (op.opcode == Opcode::kArithMulI)
          facts_[op.results[0]].is_multiple = facts_[op.operands[0]].is_multiple || facts_[op.operands[1]].is_multiple;
        if (op.opcode == Opcode::kArithExtSI || op.opcode == Opcode::kArithTruncI)
          facts_[op.results[0]].is_multiple = facts_[op.operands[0]].is_multiple;
    }
    for (const Region& inner : op.regions) visit(inner);
  }

  template <typename Test>
  static bool all_bits(const Operation& constant, Test&& test) {
    const Attribute& value = *constant.attribute("value");
    if (const auto* dense = std::get_if<DenseAttribute>(&value)) return std::ranges::all_of(dense->bits, test);
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return test(static_cast<std::uint64_t>(*integer));
    return false;
  }

  void load(const Operation& op) {
    const bool masked_without_other = op.operands.size() == 2;
    ValueFacts loaded;
    loaded.may_be_undefined = masked_without_other;
    loaded.is_loaded = true;
    if (op.operands.size() == 3) loaded.may_be_undefined = facts_[op.operands[2]].may_be_undefined;
    if (function_.value_types[op.results[0]].element == Element::kPointer)
      loaded.argument = ValueFacts::kUnknownArgument;
    join(op.results[0], loaded);
  }

  void call(const Operation& op) {
    const Function* callee = module_.find(op.word("callee", ""));
    if (callee == nullptr) return;
    ValueFacts all;
    for (const ValueId operand : op.operands) all.may_be_undefined |= facts_[operand].may_be_undefined;
    all.may_be_undefined |= loads_undefined(callee->body);
    for (const ValueId result : op.results) {
      if (function_.value_types[result].element == Element::kPointer) all.argument = ValueFacts::kUnknownArgument;
      join(result, all);
    }
  }

  static bool loads_undefined(const Region& region) {
    return std::ranges::any_of(region.blocks, [](const Block& block) {
      return std::ranges::any_of(block.operations, [](const Operation& op) {
        return op.opcode == Opcode::kUbPoison || divides(op.opcode) ||
               (op.opcode == Opcode::kTtLoad && op.operands.size() == 2) ||
               std::ranges::any_of(op.regions, loads_undefined);
      });
    });
  }

  void join_terminator(const Region& region, std::span<const ValueId> to) {
    if (!region.blocks.empty()) join_all(to, region.blocks.back().operations.back().operands);
  }

  void join_all(std::span<const ValueId> to, std::span<const ValueId> from) {
    for (std::size_t i = 0; i < to.size() && i < from.size(); ++i) join(to[i], facts_[from[i]]);
  }

  void join(ValueId to, const ValueFacts& from) {
    ValueFacts joined = facts_[to];
    joined.may_be_undefined |= from.may_be_undefined;
    joined.is_split |= from.is_split;
    joined.is_loaded |= from.is_loaded;
    if (from.argument != ValueFacts::kNoArgument && is_address(to)) {
      joined.argument = joined.argument == ValueFacts::kNoArgument || joined.argument == from.argument
                            ? from.argument
                            : ValueFacts::kUnknownArgument;
    }
    if (joined != facts_[to]) {
      facts_[to] = joined;
      changed_ = true;
    }
  }

  bool is_address(ValueId value) const {
    const Element element = function_.value_types[value].element;
    return element == Element::kPointer || element == Element::kDescriptor;
  }

  const Module& module_;
  const Function& function_;
  std::vector<ValueFacts> facts_;
  bool changed_ = false;
};

bool asks_memory(const Module& module, const Operation& op) {
  if (op.opcode == Opcode::kTtAtomicCas || op.opcode == Opcode::kTtAtomicRmw) return true;
  if (op.opcode == Opcode::kTtLoad) {
    const Attribute* attribute = op.attribute("isVolatile");
    return attribute != nullptr && std::holds_alternative<bool>(*attribute) && std::get<bool>(*attribute);
  }
  if (op.opcode == Opcode::kTtCall) {
    const Function* callee = module.find(op.word("callee", ""));
    if (callee != nullptr)
      for (const Block& block : callee->body.blocks)
        for (const Operation& inner : block.operations)
          if (asks_memory(module, inner)) return true;
  }
  for (const Region& region : op.regions)
    for (const Block& block : region.blocks)
      for (const Operation& inner : block.operations)
        if (asks_memory(module, inner)) return true;
  return false;
}

bool region_may_wait(const Module& module, const Region& region) {
  for (std::size_t i = 0; i < region.blocks.size(); ++i) {
    for (const Operation& op : region.blocks[i].operations) {
      if (op.opcode == Opcode::kScfWhile && asks_memory(module, op)) return true;
      for (const Region& inner : op.regions)
        if (region_may_wait(module, inner)) return true;
      for (const Successor& successor : op.successors)
        if (successor.block <= i)  // a loop of branches: it may wait for anything in it
          for (std::size_t k = successor.block; k <= i; ++k)
            for (const Operation& inner : region.blocks[k].operations)
              if (asks_memory(module, inner)) return true;
    }
  }
  return false;
}

}  // namespace

bool divides(Opcode opcode) {
  switch (opcode) {
    case Opcode::kArithDivSI:
    case Opcode::kArithDivUI:
    case Opcode::kArithRemSI:
    case Opcode::kArithRemUI:
    case Opcode::kArithCeilDivSI:
    case Opcode::kArithCeilDivUI:
    case Opcode::kArithFloorDivSI:
      return true;
    default:
      return false;
  }
}

std::vector<ValueFacts> value_facts(const Module& module, const Function& function,
                                    std::span<const ValueFacts> parameters) {
  return FactFlow(module, function, parameters).settle();
}

bool may_wait(const Module& module, const Function& function) {
  if (region_may_wait(module, function.body)) return true;
  return std::ranges::any_of(module.functions, [&](const Function& other) {
    return &other != &function && region_may_wait(module, other.body);
  });
}

}  // namespace tritonrl::ttir
