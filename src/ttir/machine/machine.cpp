#include "ttir/machine/machine.h"

#include <cstring>
#include <new>
#include <string>

namespace tritonrl::ttir {

Frame::Frame(const Code& code)
    : code_(&code),
      memory_(static_cast<std::byte*>(::operator new[](code.frame_bytes + 64, std::align_val_t{64}))),
      slots_(code.slots.size()) {
  restart();
  for (const Constant& constant : code.constants)
    std::memcpy(slot(constant.slot), constant.lanes.data(), constant.lanes.size());
}

void Frame::restart() {
  next_step = 0;
  started = false;
  waits = false;
  for (std::size_t i = 0; i < slots_.size(); ++i) slots_[i] = memory_.get() + code_->slots[i].offset_bytes;
}

Machine::Machine(const Code& code, MemoryView& memory, ProgramId grid, std::uint64_t budget)
    : code_(code), memory_(memory), grid_(grid), budget_(budget), executions_(code.body.size()) {}

Progress Machine::run(Frame& frame, Turn turn) {
  frame_ = &frame;
  next_step_ = &frame.next_step;
  yields_ = turn.yields;
  state_ = State::kRunning;
  memory_.enter(frame.number, frame.program);
  if (!frame.prologue_done) {
    for (const auto& step : code_.prologue) step->run(*this);
    frame.prologue_done = true;
  }
  charge(turn.price + (frame.started ? 0 : code_.program_cost), code_.body[frame.next_step]->location);
  frame.started = true;
  may_touch_shared_ = std::exchange(frame.waits, false);
  while (state_ == State::kRunning) {
    const std::size_t step = frame.next_step++;
    ++executions_[step];
    code_.body[step]->run(*this);
  }
  switch (state_) {
    case State::kWaiting:
      return Progress::kWaiting;
    case State::kOutOfBudget:
      return Progress::kOutOfBudget;
    default:
      return Progress::kFinished;
  }
}

void Machine::run_combine(const Steps& steps, std::size_t lanes) {
  std::size_t next = 0;
  std::size_t* outer_next = std::exchange(next_step_, &next);
  const std::size_t outer_lanes = std::exchange(combine_lanes_, lanes);
  while (next < steps.size() && state_ == State::kRunning) steps[next++]->run(*this);
  combine_lanes_ = outer_lanes;
  next_step_ = outer_next;
}

void Machine::charge(std::uint64_t cost, LocationId location) {
  if (cost <= budget_) {
    budget_ -= cost;
    return;
  }
  budget_ = 0;
  state_ = State::kOutOfBudget;
  memory_.report(rules::kStepBudget, location, -1, "the launch's budget of steps ran out here; does this loop end?");
}

bool Machine::may_touch_shared() {
  if (!yields_ || may_touch_shared_) {
    may_touch_shared_ = false;
    return true;
  }
  --frame_->next_step;
  --executions_[frame_->next_step];
  frame_->waits = true;
  state_ = State::kWaiting;
  return false;
}

std::byte* Machine::scratch(std::size_t bytes) {
  if (scratch_.size() < bytes) scratch_.resize(bytes);
  return scratch_.data();
}

std::byte* Machine::second_scratch(std::size_t bytes) {
  if (second_scratch_.size() < bytes) second_scratch_.resize(bytes);
  return second_scratch_.data();
}

}  // namespace tritonrl::ttir
