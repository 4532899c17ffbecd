#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ttir/machine/code.h"
#include "ttir/machine/slot_layout.h"
#include "ttir/machine/value_facts.h"

namespace tritonrl::ttir {

// How a value of the IR is held.
struct Binding {
  SlotId slot = kNoSlot;
  Type type;
  bool uniform = true;         // the slot holds one lane that stands for all
  SlotId undefined = kNoSlot;  // bytes beside the lanes, 1: undefined; kNoSlot: all are defined
  std::int32_t argument = ValueFacts::kNoArgument;
  bool split = false;  // see ValueFacts
  bool loaded = false;
  bool invariant = false;  // the same in every program

  // As steps count lanes.
  std::uint32_t lanes() const { return uniform ? 1 : static_cast<std::uint32_t>(element_count(type.shape)); }
};

// Turns a kernel into steps. Each family of operations has its file, which holds both its lowering and its steps.
class Lowering {
 public:
  explicit Lowering(const Module& module);
  Code lower();

  // For the families.
  const Operation& operation() const { return *operation_; }
  // Steps that follow belong to `operation`; returns the one that they belonged to.
  const Operation* stand_at(const Operation* operation) { return std::exchange(operation_, operation); }
  const Binding& operand(std::size_t index) const { return value(operation_->operands[index]); }
  std::size_t operands() const { return operation_->operands.size(); }
  bool has_operand(std::size_t index) const {
    return index < operation_->operands.size() && operation_->operands[index] != kNoValue;
  }
  const Type& result_type(std::size_t index = 0) const;
  const Binding& value(ValueId id) const { return values_[id]; }
  void bind(ValueId id, Binding binding);
  void bind_result(Binding binding, std::size_t index = 0) { bind(operation_->results[index], std::move(binding)); }
  const Type& type_of(ValueId id) const { return function_->value_types[id]; }
  const ValueFacts& facts_of(ValueId id) const { return facts_[id]; }

  SlotId new_slot(std::uint64_t bytes) { return layout_.add(bytes); }
  SlotId new_lanes(Element element, std::uint64_t lanes);
  // A fresh slot for a value of `type`, and one for its undefined lanes where the facts of `id` ask for it.
  Binding new_binding(ValueId id, bool uniform);
  Binding new_result(bool uniform, std::size_t index = 0) { return new_binding(operation_->results[index], uniform); }
  SlotId constant(std::span<const std::byte> lanes);
  SlotId constant_bytes(std::uint8_t byte, std::size_t count);

  // `binding` with one lane for each element, and with undefined bytes if `with_undefined`.
  Binding spread(const Binding& binding);
  SlotId undefined_lanes(const Binding& binding);  // bytes for every lane, zeros where all are defined

  // Adds a step that touches `slots` to the body; or to the prologue when `invariant`.
  Step& emit(std::unique_ptr<Step> step, std::initializer_list<SlotId> slots, bool invariant = false);
  Step& emit(std::unique_ptr<Step> step, std::span<const SlotId> slots, bool invariant = false);
  // The list that steps are being added to, and the number of its next one.
  Steps& steps() { return in_combine() ? combine_->steps : code_.body; }
  std::size_t next_step() { return steps().size(); }
  std::uint32_t add_site(Element element, const Binding& pointer, AccessKind kind);
  Code& code() { return code_; }
  SlotLayout& layout() { return layout_; }

  void lower_region(const Region& region);
  void lower_block(const Block& block);
  void lower_operation(const Operation& op);
  // Runs `body` with its own values: a called function's.
  void lower_call();
  [[noreturn]] void unsupported(const std::string& detail = {}) const;

  // The body of a reduce, scan or map: steps that are no part of the flat list.
  struct Combine {
    Steps steps;
    std::vector<SlotId> arguments;
    std::vector<SlotId> results;
    std::vector<SlotId> touched;
    bool lane_by_lane = false;  // it branches, so lanes can not go together
  };
  // For up to `capacity` lanes at a time.
  Combine lower_combine(const Region& region, std::uint32_t capacity);
  bool in_combine() const { return combine_ != nullptr; }

  // Where a return of the function being lowered goes.
  struct ReturnPoint {
    std::vector<Binding> results;
    std::vector<std::size_t> jumps;  // steps to be patched
  };
  ReturnPoint* return_point() { return return_point_; }

 private:
  void bind_parameters();
  void lower_straight_combine(const Block& block);
  void lower_branching_combine(const Region& region);

  const Module& module_;
  const Function* function_;
  const Operation* operation_ = nullptr;
  std::vector<ValueFacts> facts_;
  std::vector<Binding> values_;
  Code code_;
  SlotLayout layout_;
  Combine* combine_ = nullptr;
  std::uint32_t combine_capacity_ = 0;
  ReturnPoint* return_point_ = nullptr;
  int call_depth_ = 0;
};

// Each lowers the operation at hand if it belongs to the family, and says whether it did.
bool lower_elementwise(Lowering& lowering);
bool lower_rearrangement(Lowering& lowering);
bool lower_memory_access(Lowering& lowering);
bool lower_descriptor_access(Lowering& lowering);
bool lower_combination(Lowering& lowering);
bool lower_product(Lowering& lowering);
bool lower_control(Lowering& lowering);
bool lower_diagnostic(Lowering& lowering);

// The blocks of a region that branches among them.
void lower_branches(Lowering& lowering, const Region& region);
// Jumps recorded earlier go to the next step.
void patch_jumps(Lowering& lowering, std::span<const std::size_t> jumps);

// Copies a value into `target`, spreading it where the target has more lanes.
void copy_value(Lowering& lowering, const Binding& target, const Binding& source);

}  // namespace tritonrl::ttir
