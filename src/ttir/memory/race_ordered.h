#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ttir/memory/memory_view.h"
#include "ttir/memory/race_clock.h"
#include "ttir/memory/race_conflict.h"
#include "ttir/memory/shadow_memory.h"

namespace tritonrl::ttir {

// Who used the bytes of a cell. An epoch is a stretch of one program between two releases; ids count from 1.
struct OrderedCell {
  std::uint32_t writer = 0;   // epoch of the last plain write
  std::uint32_t readers = 0;  // sets of epochs, see OrderedRaces::insert
  std::uint32_t atomic_readers = 0;
  std::uint32_t atomic_writers = 0;
  std::uint32_t released = 0;  // clock that an acquiring read takes over

  bool operator==(const OrderedCell&) const = default;
};

// Races of a kernel whose programs order each other by atomics: happens-before by vector clocks, as in FastTrack. An
// atomic of many lanes acquires for all of them first and releases for all of them last.
class OrderedRaces {
 public:
  static constexpr std::uint64_t kMaxPrograms = ~std::uint32_t{0} - 2;

  OrderedRaces();

  void enter(std::uint32_t program);
  // Record an access to [begin, end), and append what it conflicts with.
  void read(Address begin, Address end, RaceConflicts& conflicts);
  void write(Address begin, Address end, RaceConflicts& conflicts);

  // One atomic operation: begin, observe each lane, record each lane, end.
  void begin_atomic(Ordering ordering);
  void observe(Address begin, Address end);
  void record_atomic_read(Address begin, Address end, RaceConflicts& conflicts);
  void record_atomic_write(Address begin, Address end, RaceConflicts& conflicts);
  void end_atomic();

  void barrier();

  const ShadowMemory<OrderedCell>& shadow() const { return shadow_; }

 private:
  using Epoch = std::uint32_t;
  using EpochSet = std::uint32_t;  // an epoch, or kSetBit and the number of a link
  static constexpr std::uint32_t kSetBit = std::uint32_t{1} << 31U;
  // An epoch that is before all others: a program read what it had written itself.
  static constexpr Epoch kOwnRead = 1;

  struct EpochTime {
    std::uint32_t program;
    std::uint32_t time;
  };
  struct Link {
    Epoch newest;
    EpochSet rest;
  };
  struct Program {
    RaceClock known;         // of the other programs; its own time is `time`
    RaceClock observed;      // by relaxed reads: known after the next barrier
    RaceClock fenced;        // by the last barrier: released by relaxed writes
    std::uint32_t time = 0;  // 0: has not run yet
    Epoch epoch = 0;
    bool released = false;  // another program may know `time`: what follows needs a later one
  };

  Program& self() { return programs_[current_]; }
  // The epoch of an access that is about to be made.
  Epoch now();
  bool acquires() const { return ordering_ == Ordering::kAcquire || ordering_ == Ordering::kAcquireRelease; }
  bool releases() const { return ordering_ == Ordering::kRelease || ordering_ == Ordering::kAcquireRelease; }
  RaceClock published() { return self().known.with(current_, self().time); }

  bool is_before(Epoch epoch);
  // An epoch of the set that is not ordered before the current program, or 0.
  Epoch unordered(EpochSet set);
  // The set with the current epoch; without those that are ordered before it, where that is cheap to tell.
  EpochSet insert(EpochSet set);
  EpochSet link(Epoch newest, EpochSet rest);
  void learn(const RaceClock& clock);
  std::uint32_t released_clock(std::uint32_t before);
  std::uint32_t keep_clock(RaceClock clock);
  void drop_unused_clocks();
  RaceConflict with(Epoch epoch, RaceConflict::Other other) const;

  ShadowMemory<OrderedCell> shadow_;
  std::vector<Program> programs_;
  std::vector<EpochTime> epochs_;
  std::vector<Link> links_;
  std::uint32_t current_ = 0;
  Ordering ordering_ = Ordering::kRelaxed;

  // Clocks of cells, by number; those that no cell names any more are found now and then.
  std::vector<RaceClock> clocks_;
  std::vector<std::uint32_t> unused_clocks_;
  std::size_t clock_limit_;
  std::uint32_t operation_clock_ = 0;  // what the atomic operation under way releases
  std::uint32_t observed_last_ = 0;
  std::uint32_t joined_from_ = 0;  // the last clock that operation_clock_ was joined to, and the result
  std::uint32_t joined_to_ = 0;

  // Answers of unordered() and link() that are asked for again and again, by hash.
  struct Answer {
    EpochSet set = 0;
    std::uint64_t generation = 0;
    Epoch found = 0;
  };
  struct LinkAnswer {
    Link link{};
    EpochSet set = 0;
  };
  static constexpr std::size_t kAnswers = 64;
  std::array<Answer, kAnswers> answers_{};
  std::array<LinkAnswer, kAnswers> links_made_{};
  std::uint64_t generation_ = 1;  // changes with what the current program knows
};

}  // namespace tritonrl::ttir
