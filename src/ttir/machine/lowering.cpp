#include "ttir/machine/lowering.h"

#include <algorithm>
#include <cstring>

#include "ttir/lanes/lanes.h"
#include "ttir/machine/machine.h"
#include "ttir/unsupported.h"

namespace tritonrl::ttir {
namespace {

constexpr int kMaxCallDepth = 64;
constexpr std::size_t kMaxSteps = 1U << 20U;
constexpr std::uint64_t kMaxFrameBytes = std::uint64_t{4} << 30U;

std::size_t slot_bytes(const Type& type, bool uniform) {
  if (type.element == Element::kDescriptor) return sizeof(Descriptor);
  return lanes::bytes_of_lane(type.element) * (uniform ? 1 : static_cast<std::size_t>(element_count(type.shape)));
}

class Fill final : public Step {
 public:
  Fill(Element element, SlotId out, SlotId in, std::uint32_t count)
      : element_(element), out_(out), in_(in), count_(count) {}
  void run(Machine& m) const override { lanes::fill(element_, m.at(out_), m.at(in_), m.count(count_)); }

 private:
  Element element_;
  SlotId out_, in_;
  std::uint32_t count_;
};

class Copy final : public Step {
 public:
  Copy(SlotId out, SlotId in, std::size_t bytes) : out_(out), in_(in), bytes_(bytes) {}
  void run(Machine& m) const override { std::memcpy(m.at(out_), m.at(in_), bytes_); }

 private:
  SlotId out_, in_;
  std::size_t bytes_;
};

// Whether operations of the region come in no fixed order.
bool branches(const Region& region) {
  return region.blocks.size() > 1 || std::ranges::any_of(region.blocks[0].operations, [](const Operation& op) {
           return !op.regions.empty() || op.opcode == Opcode::kTtCall;
         });
}

class Finish final : public Step {
 public:
  void run(Machine& m) const override { m.finish(); }
};

}  // namespace

Lowering::Lowering(const Module& module) : module_(module), function_(&module.kernel()) {}

Code lower(const Module& module) { return Lowering(module).lower(); }

Code Lowering::lower() {
  bind_parameters();
  ReturnPoint end;
  return_point_ = &end;
  lower_region(function_->body);
  patch_jumps(*this, end.jumps);
  emit(std::make_unique<Finish>(), {});
  for (const auto& step : code_.body) code_.program_cost += 1 + step->work.operations;
  code_.name = function_->name;
  code_.locations = module_.locations;
  code_.can_wait = code_.synchronises && may_wait(module_, *function_);
  code_.slots = layout_.place(code_.frame_bytes);
  if (code_.frame_bytes > kMaxFrameBytes)
    throw UnsupportedError("a program that needs " + std::to_string(code_.frame_bytes >> 20U) + " MiB of tensors");
  return std::move(code_);
}

void Lowering::bind_parameters() {
  std::vector<ValueFacts> parameters(function_->parameters.size());
  for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i].argument = static_cast<std::int32_t>(i);
  facts_ = value_facts(module_, *function_, parameters);
  values_.assign(function_->value_types.size(), {});
  for (const Parameter& parameter : function_->parameters) {
    Binding binding = new_binding(parameter.value, true);
    layout_.pin(binding.slot);
    binding.invariant = true;
    code_.parameter_slots.push_back(binding.slot);
    code_.parameter_types.push_back(binding.type);
    code_.parameters.push_back(parameter);
    code_.parameter_locations.push_back(function_->value_locations[parameter.value]);
    bind(parameter.value, std::move(binding));
  }
}

const Type& Lowering::result_type(std::size_t index) const { return type_of(operation_->results[index]); }

void Lowering::bind(ValueId id, Binding binding) {
  binding.type = type_of(id);
  binding.argument = facts_[id].argument;
  binding.split = facts_[id].is_split;
  binding.loaded = facts_[id].is_loaded;
  values_[id] = std::move(binding);
}

SlotId Lowering::new_lanes(Element element, std::uint64_t lanes) {
  return new_slot(lanes::bytes_of_lane(element) * lanes);
}

Binding Lowering::new_binding(ValueId id, bool uniform) {
  Binding binding{.type = type_of(id), .uniform = uniform};
  if (in_combine() && !uniform) {
    binding.slot = new_lanes(binding.type.element, combine_capacity_);
    return binding;
  }
  binding.slot = new_slot(slot_bytes(binding.type, uniform));
  if (facts_[id].may_be_undefined && !in_combine()) binding.undefined = new_slot(binding.lanes());
  return binding;
}

SlotId Lowering::constant(std::span<const std::byte> lanes) {
  const SlotId slot = new_slot(lanes.size());
  layout_.pin(slot);
  code_.constants.push_back({slot, {lanes.begin(), lanes.end()}});
  return slot;
}

SlotId Lowering::constant_bytes(std::uint8_t byte, std::size_t count) {
  return constant(std::vector<std::byte>(count, std::byte{byte}));
}

Binding Lowering::spread(const Binding& binding) {
  if (!binding.uniform || (!binding.type.is_tensor() && !in_combine())) return binding;
  Binding all = binding;
  all.uniform = false;
  const auto count = in_combine() ? 0 : all.lanes();
  const std::uint64_t capacity = in_combine() ? combine_capacity_ : all.lanes();
  all.slot = new_lanes(binding.type.element, capacity);
  emit(std::make_unique<Fill>(binding.type.element, all.slot, binding.slot, count), {all.slot, binding.slot},
       binding.invariant);
  if (binding.undefined != kNoSlot && !in_combine()) {
    all.undefined = new_slot(capacity);
    emit(std::make_unique<Fill>(Element::kI1, all.undefined, binding.undefined, count),
         {all.undefined, binding.undefined}, binding.invariant);
  }
  return all;
}

SlotId Lowering::undefined_lanes(const Binding& binding) {
  return binding.undefined != kNoSlot ? binding.undefined : constant_bytes(0, binding.lanes());
}

Step& Lowering::emit(std::unique_ptr<Step> step, std::initializer_list<SlotId> slots, bool invariant) {
  return emit(std::move(step), std::span(slots.begin(), slots.size()), invariant);
}

Step& Lowering::emit(std::unique_ptr<Step> step, std::span<const SlotId> slots, bool invariant) {
  if (operation_ != nullptr) step->location = operation_->location;
  Step& added = *step;
  if (in_combine()) {
    combine_->touched.insert(combine_->touched.end(), slots.begin(), slots.end());
    combine_->steps.push_back(std::move(step));
  } else if (invariant) {
    for (const SlotId slot : slots)
      if (slot != kNoSlot) layout_.pin(slot);
    code_.prologue.push_back(std::move(step));
  } else {
    for (const SlotId slot : slots)
      if (slot != kNoSlot) layout_.touch(slot, code_.body.size());
    code_.body.push_back(std::move(step));
    if (code_.body.size() > kMaxSteps) throw UnsupportedError("a kernel of over a million operations");
  }
  return added;
}

std::uint32_t Lowering::add_site(Element element, const Binding& pointer, AccessKind kind) {
  const AccessSite site{.location = operation_->location,
                        .number = static_cast<std::uint32_t>(code_.sites.size()),
                        .element = element,
                        .argument = std::max(pointer.argument, ValueFacts::kUnknownArgument),
                        .kind = kind,
                        .follows_memory = !pointer.split || pointer.type.shape.size() < 2};
  if (kind != AccessKind::kLoad &&
      std::ranges::find(code_.stored_arguments, site.argument) == code_.stored_arguments.end())
    code_.stored_arguments.push_back(site.argument);
  code_.sites.push_back(site);
  return site.number;
}

void Lowering::lower_region(const Region& region) {
  if (region.blocks.size() == 1) {
    lower_block(region.blocks[0]);
    return;
  }
  lower_branches(*this, region);
}

void Lowering::lower_block(const Block& block) {
  for (const Operation& op : block.operations) lower_operation(op);
}

void Lowering::lower_operation(const Operation& op) {
  const Operation* outer = stand_at(&op);
  const bool known = lower_elementwise(*this) || lower_rearrangement(*this) || lower_memory_access(*this) ||
                     lower_descriptor_access(*this) || lower_combination(*this) || lower_product(*this) ||
                     lower_control(*this) || lower_diagnostic(*this);
  if (!known) unsupported();
  operation_ = outer;
}

void Lowering::lower_call() {
  const Function* callee = module_.find(operation_->word("callee", ""));
  if (callee == nullptr) unsupported("of a function that the module does not define");
  if (call_depth_ == kMaxCallDepth) unsupported("nested over " + std::to_string(kMaxCallDepth) + " deep");

  std::vector<Binding> arguments;
  std::vector<ValueFacts> facts;
  for (std::size_t i = 0; i < operands(); ++i) {
    arguments.push_back(operand(i));
    facts.push_back(facts_of(operation_->operands[i]));
  }
  ReturnPoint end;
  for (std::size_t i = 0; i < operation_->results.size(); ++i) {
    end.results.push_back(new_result(!result_type(i).is_tensor(), i));
    bind_result(end.results.back(), i);
  }

  const Operation* call = operation_;
  const Function* caller = std::exchange(function_, callee);
  auto outer_facts = std::exchange(facts_, value_facts(module_, *callee, facts));
  auto outer_values = std::exchange(values_, std::vector<Binding>(callee->value_types.size()));
  ReturnPoint* outer_return = std::exchange(return_point_, &end);
  ++call_depth_;
  for (std::size_t i = 0; i < arguments.size(); ++i) bind(callee->parameters[i].value, std::move(arguments[i]));
  lower_region(callee->body);
  --call_depth_;
  return_point_ = outer_return;
  values_ = std::move(outer_values);
  facts_ = std::move(outer_facts);
  function_ = caller;
  operation_ = call;
  patch_jumps(*this, end.jumps);
}

void Lowering::unsupported(const std::string& detail) const {
  throw UnsupportedError(std::string(name_of(operation_->opcode)) + (detail.empty() ? "" : " " + detail));
}

Lowering::Combine Lowering::lower_combine(const Region& region, std::uint32_t capacity) {
  Combine combine;
  combine.lane_by_lane = branches(region);
  Combine* outer = std::exchange(combine_, &combine);
  const std::uint32_t outer_capacity = std::exchange(combine_capacity_, capacity);
  for (const ValueId argument : region.blocks[0].arguments) {
    Binding binding = new_binding(argument, combine.lane_by_lane);
    combine.arguments.push_back(binding.slot);
    bind(argument, std::move(binding));
  }
  if (combine.lane_by_lane)
    lower_branching_combine(region);
  else
    lower_straight_combine(region.blocks[0]);
  for (const auto* slots : {&combine.arguments, &combine.results})
    combine.touched.insert(combine.touched.end(), slots->begin(), slots->end());
  combine_ = outer;
  combine_capacity_ = outer_capacity;
  return combine;
}

void Lowering::lower_straight_combine(const Block& block) {
  for (const Operation& op : block.operations) {
    if (&op != &block.operations.back()) {
      lower_operation(op);
      continue;
    }
    const Operation* around = stand_at(&op);
    for (const ValueId result : op.operands) combine_->results.push_back(spread(value(result)).slot);
    operation_ = around;
  }
}

void Lowering::lower_branching_combine(const Region& region) {
  ReturnPoint end;
  for (const ValueId result : region.blocks.back().operations.back().operands) {
    end.results.push_back(new_binding(result, true));
    combine_->results.push_back(end.results.back().slot);
  }
  ReturnPoint* outer = std::exchange(return_point_, &end);
  lower_region(region);
  return_point_ = outer;
  patch_jumps(*this, end.jumps);
}

void copy_value(Lowering& lowering, const Binding& target, const Binding& source) {
  if (target.slot == source.slot) return;
  const Element element = target.type.element;
  if (source.uniform && !target.uniform) {
    lowering.emit(std::make_unique<Fill>(element, target.slot, source.slot, target.lanes()),
                  {target.slot, source.slot});
  } else {
    const std::size_t bytes = slot_bytes(target.type, target.uniform);
    lowering.emit(std::make_unique<Copy>(target.slot, source.slot, bytes), {target.slot, source.slot});
  }
  if (target.undefined == kNoSlot) return;
  if (source.undefined == kNoSlot) {
    const SlotId zero = lowering.constant_bytes(0, 1);
    lowering.emit(std::make_unique<Fill>(Element::kI1, target.undefined, zero, target.lanes()),
                  {target.undefined, zero});
  } else if (source.uniform && !target.uniform) {
    lowering.emit(std::make_unique<Fill>(Element::kI1, target.undefined, source.undefined, target.lanes()),
                  {target.undefined, source.undefined});
  } else {
    lowering.emit(std::make_unique<Copy>(target.undefined, source.undefined, target.lanes()),
                  {target.undefined, source.undefined});
  }
}

}  // namespace tritonrl::ttir
