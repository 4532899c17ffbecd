#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "ttir/machine/code.h"
#include "ttir/memory/memory_view.h"

namespace tritonrl::ttir {

// A tensor descriptor as a lane holds it.
struct Descriptor {
  Address base = 0;
  std::int64_t shape[5] = {};
  std::int64_t strides[5] = {};  // in elements
  std::int32_t rank = 0;
  bool nan_padding = false;
};

// The state of one program: all that has to be kept to go on with it later.
class Frame {
 public:
  explicit Frame(const Code& code);

  std::byte* slot(SlotId id) const { return slots_[id]; }
  void swap(SlotId a, SlotId b) { std::swap(slots_[a], slots_[b]); }
  std::byte* redirect(SlotId id, std::byte* lanes) { return std::exchange(slots_[id], lanes); }
  // Ready for another program: prologue and constants stay.
  void restart();

  std::size_t next_step = 0;
  std::uint64_t number = 0;  // of the program, in the order of the launch
  ProgramId program{};
  bool prologue_done = false;
  bool started = false;  // this program
  bool waits = false;    // it stopped before the step that is next

 private:
  struct FreeAligned {
    void operator()(std::byte* memory) const { ::operator delete[](memory, std::align_val_t{64}); }
  };
  const Code* code_;
  std::unique_ptr<std::byte[], FreeAligned> memory_;
  std::vector<std::byte*> slots_;
};

enum class Progress : std::uint8_t { kFinished, kWaiting, kOutOfBudget };

struct Turn {
  bool yields = false;      // stops at an atomic of a kernel that can wait
  std::uint64_t price = 0;  // charged beside what steps cost
};

// Runs frames of one kernel, one at a time, on one thread.
class Machine {
 public:
  Machine(const Code& code, MemoryView& memory, ProgramId grid, std::uint64_t budget);

  // Until the program ends or its turn does.
  Progress run(Frame& frame, Turn turn = {});

  // For steps.
  template <typename T = void>
  T* at(SlotId id) {
    return reinterpret_cast<T*>(frame_->slot(id));
  }
  std::size_t count(std::uint32_t lanes) const { return lanes != 0 ? lanes : combine_lanes_; }
  void swap(SlotId a, SlotId b) { frame_->swap(a, b); }
  // The slot stands for lanes that lie elsewhere; returns where it pointed before.
  std::byte* redirect(SlotId id, std::byte* lanes) { return frame_->redirect(id, lanes); }
  void jump(std::size_t step) { *next_step_ = step; }
  // A list of steps of its own, from its first to its end, on `lanes` lanes at a time.
  void run_combine(const Steps& steps, std::size_t lanes);
  void finish() { state_ = State::kFinished; }
  // Charges a trip round a loop; the program stops when the launch's budget is spent.
  void charge(std::uint64_t cost, LocationId location);
  // True when an atomic may go ahead; false when the program must yield first and will come back to the same step.
  bool may_touch_shared();
  MemoryView& memory() { return memory_; }
  const Code& code() const { return code_; }
  ProgramId program() const { return frame_->program; }
  ProgramId grid() const { return grid_; }
  std::byte* scratch(std::size_t bytes);
  std::byte* second_scratch(std::size_t bytes);
  // The last integer division by zero, in case its result is used.
  struct ZeroDivision {
    LocationId location = 0;
    std::int64_t lane = 0;
  };
  void note_zero_division(ZeroDivision division) { zero_division_ = division; }
  const ZeroDivision& zero_division() const { return zero_division_; }
  void print(std::string line) { printed_.push_back(std::move(line)); }

  const std::vector<std::string>& printed() const { return printed_; }
  const std::vector<std::uint64_t>& executions() const { return executions_; }  // by step of the body
  std::uint64_t budget_left() const { return budget_; }

 private:
  enum class State : std::uint8_t { kRunning, kFinished, kWaiting, kOutOfBudget };

  const Code& code_;
  MemoryView& memory_;
  ProgramId grid_;
  std::uint64_t budget_;
  Frame* frame_ = nullptr;
  std::size_t* next_step_ = nullptr;
  State state_ = State::kRunning;
  bool yields_ = false;
  bool may_touch_shared_ = false;
  ZeroDivision zero_division_;
  std::size_t combine_lanes_ = 1;
  std::vector<std::byte> scratch_;
  std::vector<std::byte> second_scratch_;
  std::vector<std::string> printed_;
  std::vector<std::uint64_t> executions_;
};

}  // namespace tritonrl::ttir
