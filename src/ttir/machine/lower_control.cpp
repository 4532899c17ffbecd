// Branches, loops, calls and returns: jumps in a flat list of steps.
#include <algorithm>
#include <cstring>

#include "ttir/lanes/lanes.h"
#include "ttir/machine/lowering.h"
#include "ttir/machine/machine.h"
#include "ttir/machine/undefined_lanes.h"

namespace tritonrl::ttir {
namespace {

// Exchanging memory costs less than copying it from this size on.
constexpr std::uint64_t kSwapBytes = 256;

class Jump : public Step {
 public:
  void run(Machine& m) const override { m.jump(target); }
  std::size_t target = 0;
};

class JumpUnless final : public Jump {
 public:
  explicit JumpUnless(SlotId condition) : condition_(condition) {}
  void run(Machine& m) const override {
    if (*m.at<const std::uint8_t>(condition_) == 0) m.jump(target);
  }

 private:
  SlotId condition_;
};

// Back to the start of a loop, for a price: a loop that never ends uses the launch's budget up.
class LoopBack final : public Jump {
 public:
  void run(Machine& m) const override {
    m.jump(target);
    m.charge(cost, location);
  }
  std::uint64_t cost = 1;
};

struct Counter {
  SlotId index, limit, step;
  bool is_64_bit, is_unsigned;
};

class JumpAtEnd final : public Jump {
 public:
  explicit JumpAtEnd(Counter counter) : counter_(counter) {}
  void run(Machine& m) const override {
    if (!goes_on(m)) m.jump(target);
  }

 private:
  bool goes_on(Machine& m) const {
    if (counter_.is_64_bit) {
      const auto index = *m.at<const std::int64_t>(counter_.index);
      const auto limit = *m.at<const std::int64_t>(counter_.limit);
      return counter_.is_unsigned ? static_cast<std::uint64_t>(index) < static_cast<std::uint64_t>(limit)
                                  : index < limit;
    }
    const auto index = *m.at<const std::int32_t>(counter_.index);
    const auto limit = *m.at<const std::int32_t>(counter_.limit);
    return counter_.is_unsigned ? static_cast<std::uint32_t>(index) < static_cast<std::uint32_t>(limit) : index < limit;
  }
  Counter counter_;
};

class Advance final : public Step {
 public:
  explicit Advance(Counter counter) : counter_(counter) {}
  void run(Machine& m) const override {
    if (counter_.is_64_bit)
      *m.at<std::uint64_t>(counter_.index) += *m.at<const std::uint64_t>(counter_.step);
    else
      *m.at<std::uint32_t>(counter_.index) += *m.at<const std::uint32_t>(counter_.step);
  }

 private:
  Counter counter_;
};

class Swap final : public Step {
 public:
  Swap(SlotId a, SlotId b) : a_(a), b_(b) {}
  void run(Machine& m) const override { m.swap(a_, b_); }

 private:
  SlotId a_, b_;
};

std::uint64_t cost_of(const Steps& steps, std::size_t first, std::size_t last) {
  std::uint64_t cost = 1;
  for (std::size_t i = first; i < last; ++i) cost += 1 + steps[i]->work.operations;
  return cost;
}

// Jumps, and the values that go along with them.
class JumpLowering {
 public:
  explicit JumpLowering(Lowering& lowering) : l_(lowering) {}

  void lower_branches(const Region& region) {
    std::vector<std::vector<Binding>> arguments(region.blocks.size());
    for (std::size_t i = 1; i < region.blocks.size(); ++i)
      for (const ValueId argument : region.blocks[i].arguments) arguments[i].push_back(carried(argument));
    std::vector<std::size_t> starts(region.blocks.size());
    struct Pending {
      Jump* jump;
      std::size_t block;
    };
    std::vector<Pending> pending;
    const auto go = [&](const Successor& successor, std::size_t from) {
      assign(arguments[successor.block], successor.arguments);
      if (successor.block > from) {
        pending.push_back({&jump<Jump>({}), successor.block});
        return;
      }
      go_back(starts[successor.block], arguments[successor.block]);
    };
    for (std::size_t i = 0; i < region.blocks.size(); ++i) {
      starts[i] = l_.next_step();
      l_.lower_block(region.blocks[i]);
      const Operation& last = region.blocks[i].operations.back();
      const Operation* around = l_.stand_at(&last);
      if (last.opcode == Opcode::kCfBr) {
        go(last.successors[0], i);
      } else if (last.opcode == Opcode::kCfCondBr) {
        lower_undefined_use(l_, l_.value(last.operands[0]), nullptr, "the condition of a branch");
        const SlotId condition = l_.value(last.operands[0]).slot;
        auto& otherwise = jump<JumpUnless>({condition}, condition);
        go(last.successors[0], i);
        otherwise.target = l_.next_step();
        go(last.successors[1], i);
      }
      l_.stand_at(around);
    }
    for (const auto& [to_block, block] : pending) to_block->target = starts[block];
  }

 protected:
  template <typename JumpType, typename... Arguments>
  JumpType& jump(std::initializer_list<SlotId> slots, Arguments&&... arguments) {
    auto step = std::make_unique<JumpType>(std::forward<Arguments>(arguments)...);
    JumpType& added = *step;
    l_.emit(std::move(step), slots);
    return added;
  }

  // Values that a loop carries: a slot of their own with all their lanes, whatever the first value looks like.
  Binding carried(ValueId argument) {
    Binding binding = l_.new_binding(argument, !l_.type_of(argument).is_tensor());
    l_.bind(argument, binding);
    return l_.value(argument);
  }

  // targets = sources, all at once.
  void assign(std::span<const Binding> targets, std::span<const ValueId> sources) {
    std::vector<Binding> values;
    for (const ValueId source : sources) values.push_back(l_.value(source));
    for (std::size_t i = 0; i < values.size(); ++i) {
      // A source that an earlier assignment overwrites is kept aside first.
      const bool overwritten =
          std::ranges::any_of(targets.first(i), [&](const Binding& target) { return target.slot == values[i].slot; });
      if (!overwritten) continue;
      Binding aside = values[i];
      aside.slot = l_.new_slot(l_.layout().bytes(values[i].slot));
      if (aside.undefined != kNoSlot) aside.undefined = l_.new_slot(l_.layout().bytes(values[i].undefined));
      copy_value(l_, aside, values[i]);
      values[i] = aside;
    }
    // Copies aside must come before any assignment.
    for (std::size_t i = 0; i < values.size(); ++i) copy_value(l_, targets[i], values[i]);
  }

  // Ends a loop that starts at `start`.
  void go_back(std::size_t start, std::span<const Binding> targets) {
    std::vector<SlotId> slots;
    for (const Binding& target : targets) slots.push_back(target.slot);
    auto step = std::make_unique<LoopBack>();
    step->target = start;
    step->cost = cost_of(l_.steps(), start, l_.next_step());
    step->work = {.kind = WorkKind::kLoopTrip, .operations = 1, .loop_start = start};
    l_.emit(std::move(step), slots);
    if (!l_.in_combine()) l_.layout().add_loop(start, l_.next_step() - 1);
  }

  Lowering& l_;
};

class ControlLowering : JumpLowering {
 public:
  explicit ControlLowering(Lowering& lowering) : JumpLowering(lowering), op_(lowering.operation()) {}

  bool lower() {
    switch (op_.opcode) {
      case Opcode::kScfFor:
        lower_for();
        return true;
      case Opcode::kScfWhile:
        lower_while();
        return true;
      case Opcode::kScfIf:
        lower_if();
        return true;
      case Opcode::kTtCall:
        l_.lower_call();
        return true;
      case Opcode::kTtReturn:
      case Opcode::kTtReduceReturn:
      case Opcode::kTtScanReturn:
      case Opcode::kTtMapElementwiseReturn:
        lower_return();
        return true;
      case Opcode::kCfBr:
      case Opcode::kCfCondBr:
      case Opcode::kScfYield:
      case Opcode::kScfCondition:
        return true;  // lowered by the operation around them
      default:
        return false;
    }
  }

 private:
  // The next values of a loop. A big tensor made in this very trip exchanges memory with the one it replaces.
  void carry(std::span<const Binding> targets, std::span<const ValueId> sources, std::size_t loop_start) {
    std::vector<Binding> copied_targets;
    std::vector<ValueId> copied_sources;
    std::vector<std::pair<SlotId, SlotId>> swaps;
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const Binding& source = l_.value(sources[i]);
      if (may_swap(targets, sources, i, loop_start)) {
        swaps.emplace_back(targets[i].slot, source.slot);
        if (source.undefined != kNoSlot) swaps.emplace_back(targets[i].undefined, source.undefined);
      } else {
        copied_targets.push_back(targets[i]);
        copied_sources.push_back(sources[i]);
      }
    }
    assign(copied_targets, copied_sources);
    for (const auto& [a, b] : swaps) {
      l_.emit(std::make_unique<Swap>(a, b), {a, b});
      l_.layout().pair(a, b);
    }
  }

  bool may_swap(std::span<const Binding> targets, std::span<const ValueId> sources, std::size_t index,
                std::size_t loop_start) const {
    const Binding& source = l_.value(sources[index]);
    const Binding& target = targets[index];
    if (l_.in_combine() || source.uniform || target.uniform || l_.layout().bytes(source.slot) < kSwapBytes)
      return false;
    if ((source.undefined == kNoSlot) != (target.undefined == kNoSlot)) return false;
    // Made in this trip, under no other name that a later trip reads.
    if (l_.layout().first_touch(source.slot) < loop_start || l_.layout().is_pinned(source.slot)) return false;
    if (source.undefined != kNoSlot &&
        (l_.layout().first_touch(source.undefined) < loop_start || l_.layout().is_pinned(source.undefined)))
      return false;
    for (std::size_t i = 0; i < sources.size(); ++i)
      if (i != index && (l_.value(sources[i]).slot == source.slot || targets[i].slot == source.slot)) return false;
    return target.slot != source.slot;
  }

  void bind_results(std::span<const Binding> bindings) {
    for (std::size_t i = 0; i < op_.results.size(); ++i) l_.bind_result(bindings[i], i);
  }

  void lower_for() {
    const Block& body = op_.regions[0].blocks[0];
    const Binding first = l_.operand(0);
    const Binding limit = l_.operand(1);
    const Binding stride = l_.operand(2);
    for (const Binding* bound : {&first, &limit, &stride}) lower_undefined_use(l_, *bound, nullptr, "a loop bound");
    const Binding index = carried(body.arguments[0]);
    copy_value(l_, index, first);
    std::vector<Binding> targets;
    for (std::size_t i = 1; i < body.arguments.size(); ++i) targets.push_back(carried(body.arguments[i]));
    assign(targets, std::span(op_.operands).subspan(3));

    const Attribute* unsigned_attribute = op_.attribute("unsignedCmp");
    const Counter counter{index.slot, limit.slot, stride.slot, first.type.element == Element::kI64,
                          unsigned_attribute != nullptr};
    const std::size_t start = l_.next_step();
    auto& leave = jump<JumpAtEnd>({counter.index, counter.limit}, counter);
    l_.lower_block(body);
    carry(targets, body.operations.back().operands, start);
    l_.emit(std::make_unique<Advance>(counter), {counter.index, counter.step});
    go_back(start, targets);
    leave.target = l_.next_step();
    bind_results(targets);
  }

  void lower_while() {
    const Block& before = op_.regions[0].blocks[0];
    const Block& after = op_.regions[1].blocks[0];
    std::vector<Binding> targets;
    targets.reserve(before.arguments.size());
    for (const ValueId argument : before.arguments) targets.push_back(carried(argument));
    assign(targets, op_.operands);
    std::vector<Binding> passed;
    passed.reserve(after.arguments.size());
    for (const ValueId argument : after.arguments) passed.push_back(carried(argument));

    const std::size_t start = l_.next_step();
    l_.lower_block(before);
    const Operation& condition = before.operations.back();
    lower_undefined_use(l_, l_.value(condition.operands[0]), nullptr, "a loop's condition");
    assign(passed, std::span(condition.operands).subspan(1));
    const SlotId goes_on = l_.value(condition.operands[0]).slot;
    auto& leave = jump<JumpUnless>({goes_on}, goes_on);
    l_.lower_block(after);
    assign(targets, after.operations.back().operands);
    go_back(start, passed);
    leave.target = l_.next_step();
    bind_results(passed);
  }

  void lower_if() {
    const Binding condition = l_.operand(0);
    lower_undefined_use(l_, condition, nullptr, "the condition of a branch");
    std::vector<Binding> results;
    results.reserve(op_.results.size());
    for (std::size_t i = 0; i < op_.results.size(); ++i)
      results.push_back(l_.new_result(!l_.result_type(i).is_tensor(), i));
    auto& to_else = jump<JumpUnless>({condition.slot}, condition.slot);
    lower_branch(op_.regions[0], results);
    if (op_.regions.size() < 2 || op_.regions[1].blocks.empty()) {
      to_else.target = l_.next_step();
      return;
    }
    Jump& to_end = jump<Jump>({});
    to_else.target = l_.next_step();
    lower_branch(op_.regions[1], results);
    to_end.target = l_.next_step();
    bind_results(results);
  }

  void lower_branch(const Region& region, std::span<const Binding> results) {
    const Block& block = region.blocks[0];
    l_.lower_block(block);
    if (!block.operations.empty() && block.operations.back().opcode == Opcode::kScfYield)
      assign(results, block.operations.back().operands);
  }

  void lower_return() {
    Lowering::ReturnPoint& end = *l_.return_point();
    assign(end.results, op_.operands);
    end.jumps.push_back(l_.next_step());
    jump<Jump>({});
  }

 private:
  const Operation& op_;
};

}  // namespace

bool lower_control(Lowering& lowering) { return ControlLowering(lowering).lower(); }

void lower_branches(Lowering& lowering, const Region& region) { JumpLowering(lowering).lower_branches(region); }

void patch_jumps(Lowering& lowering, std::span<const std::size_t> jumps) {
  for (const std::size_t step : jumps) static_cast<Jump&>(*lowering.steps()[step]).target = lowering.next_step();
}

}  // namespace tritonrl::ttir
