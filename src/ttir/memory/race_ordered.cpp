#include "ttir/memory/race_ordered.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "ttir/memory/race_cells.h"

namespace tritonrl::ttir {
namespace {

using Other = RaceConflict::Other;

constexpr std::size_t kFirstClockLimit = 4096;
// Sets up to this size are cleaned of ordered epochs when they grow; longer ones just grow.
constexpr std::size_t kCleanedSize = 8;

std::size_t hash(std::uint32_t a, std::uint32_t b) {
  return ((std::uint64_t{a} << 32U) + b) * 0x9E3779B97F4A7C15U >> 40U;
}

}  // namespace

OrderedRaces::OrderedRaces() : epochs_(2), links_(1), clocks_(1), clock_limit_(kFirstClockLimit) {}

void OrderedRaces::enter(std::uint32_t program) {
  if (program >= programs_.size()) {
    programs_.resize(std::max<std::size_t>(program + std::size_t{1}, programs_.size() + programs_.size() / 2));
  }
  if (current_ != program) ++generation_;
  current_ = program;
  if (self().time == 0) self().released = true;
}

OrderedRaces::Epoch OrderedRaces::now() {
  Program& program = self();
  if (program.released) {
    program.released = false;
    ++program.time;
    base::check(epochs_.size() < kSetBit, "too many releases in one launch for the race detector");
    program.epoch = static_cast<Epoch>(epochs_.size());
    epochs_.push_back({current_, program.time});
  }
  return program.epoch;
}

bool OrderedRaces::is_before(Epoch epoch) {
  const EpochTime& at = epochs_[epoch];
  return at.program == current_ || at.time <= self().known.at(at.program);
}

OrderedRaces::Epoch OrderedRaces::unordered(EpochSet set) {
  if (set == 0 || set == self().epoch) return 0;
  Answer& answer = answers_[hash(set, 0) % kAnswers];
  if (answer.set == set && answer.generation == generation_) return answer.found;
  Epoch found = 0;
  for (EpochSet rest = set; rest != 0 && found == 0;) {
    const bool is_link = (rest & kSetBit) != 0;
    const Epoch epoch = is_link ? links_[rest & ~kSetBit].newest : rest;
    rest = is_link ? links_[rest & ~kSetBit].rest : 0;
    if (!is_before(epoch)) found = epoch;
  }
  answer = {set, generation_, found};
  return found;
}

OrderedRaces::EpochSet OrderedRaces::link(Epoch newest, EpochSet rest) {
  if (rest == 0) return newest;
  LinkAnswer& answer = links_made_[hash(rest, newest) % kAnswers];
  if (answer.set == 0 || answer.link.newest != newest || answer.link.rest != rest) {
    base::check(links_.size() < kSetBit, "too many unordered accesses in one launch for the race detector");
    answer = {{newest, rest}, kSetBit | static_cast<std::uint32_t>(links_.size())};
    links_.push_back(answer.link);
  }
  return answer.set;
}

OrderedRaces::EpochSet OrderedRaces::insert(EpochSet set) {
  const Epoch epoch = self().epoch;
  if (set == 0 || set == epoch) return epoch;
  if ((set & kSetBit) == 0) return is_before(set) ? epoch : link(epoch, set);
  if (links_[set & ~kSetBit].newest == epoch) return set;
  std::array<Epoch, kCleanedSize> kept{};
  std::size_t count = 0;
  bool all_kept = true;
  EpochSet rest = set;
  for (std::size_t i = 0; i < kCleanedSize && rest != 0; ++i) {
    const bool is_link = (rest & kSetBit) != 0;
    const Epoch member = is_link ? links_[rest & ~kSetBit].newest : rest;
    rest = is_link ? links_[rest & ~kSetBit].rest : 0;
    if (is_before(member)) {
      all_kept = false;
    } else {
      kept[count++] = member;
    }
  }
  if (all_kept) return link(epoch, set);
  while (count != 0) rest = link(kept[--count], rest);
  return link(epoch, rest);
}

RaceConflict OrderedRaces::with(Epoch epoch, Other other) const {
  return {.other = other, .program = epochs_[epoch].program};
}

void OrderedRaces::read(Address begin, Address end, RaceConflicts& conflicts) {
  const Epoch epoch = now();
  update_cells(shadow_, begin, end, conflicts, [&](OrderedCell cell, std::optional<RaceConflict>& conflict) {
    if (cell.writer == epoch) {
      if (cell.readers == 0) cell.readers = kOwnRead;
      return cell;
    }
    if (const Epoch writer = unordered(cell.writer)) {
      conflict = with(writer, Other::kWrote);
    } else if (const Epoch atomic = unordered(cell.atomic_writers)) {
      conflict = with(atomic, Other::kUsedAtomically);
    }
    cell.readers = insert(cell.readers);
    return cell;
  });
}

void OrderedRaces::write(Address begin, Address end, RaceConflicts& conflicts) {
  const Epoch epoch = now();
  update_cells(shadow_, begin, end, conflicts, [&](OrderedCell cell, std::optional<RaceConflict>& conflict) {
    if (const Epoch reader = unordered(cell.readers)) {
      conflict = with(reader, Other::kRead);
    } else if (const Epoch atomic = unordered(cell.atomic_writers)) {
      conflict = with(atomic, Other::kUsedAtomically);
    } else if (const Epoch atomic_reader = unordered(cell.atomic_readers)) {
      conflict = with(atomic_reader, Other::kUsedAtomically);
    } else if (const Epoch writer = unordered(cell.writer)) {
      conflict = with(writer, Other::kWrote);
    }
    cell.writer = epoch;
    // A plain write ends the release sequences that were headed here.
    cell.released = 0;
    return cell;
  });
}

void OrderedRaces::begin_atomic(Ordering ordering) {
  now();
  ordering_ = ordering;
  operation_clock_ = 0;
  observed_last_ = 0;
  joined_from_ = 0;
}

void OrderedRaces::learn(const RaceClock& clock) {
  Program& program = self();
  RaceClock& target = acquires() ? program.known : program.observed;
  RaceClock joined = target.joined(clock);
  if (joined.same(target)) return;
  target = std::move(joined);
  if (acquires()) ++generation_;
}

void OrderedRaces::observe(Address begin, Address end) {
  shadow_.peek(begin, end, [&](const OrderedCell& cell) {
    if (cell.released == observed_last_ || cell.released == 0) return;
    observed_last_ = cell.released;
    learn(clocks_[cell.released]);
  });
}

std::uint32_t OrderedRaces::released_clock(std::uint32_t before) {
  if (releases() && acquires()) {
    // All that was released here is known already: the operation observed it.
    if (operation_clock_ == 0) operation_clock_ = keep_clock(published());
    return operation_clock_;
  }
  if (!releases() && self().fenced.empty()) return before;
  if (operation_clock_ == 0) operation_clock_ = keep_clock(releases() ? published() : self().fenced);
  if (before == 0 || before == operation_clock_) return operation_clock_;
  if (before != joined_from_) {
    const std::uint32_t joined = keep_clock(clocks_[before].joined(clocks_[operation_clock_]));
    joined_from_ = before;
    joined_to_ = joined;
  }
  return joined_to_;
}

void OrderedRaces::record_atomic_read(Address begin, Address end, RaceConflicts& conflicts) {
  update_cells(shadow_, begin, end, conflicts, [&](OrderedCell cell, std::optional<RaceConflict>& conflict) {
    if (const Epoch writer = unordered(cell.writer)) conflict = with(writer, Other::kWrote);
    cell.atomic_readers = insert(cell.atomic_readers);
    return cell;
  });
}

void OrderedRaces::record_atomic_write(Address begin, Address end, RaceConflicts& conflicts) {
  update_cells(shadow_, begin, end, conflicts, [&](OrderedCell cell, std::optional<RaceConflict>& conflict) {
    if (const Epoch writer = unordered(cell.writer)) {
      conflict = with(writer, Other::kWrote);
    } else if (const Epoch reader = unordered(cell.readers)) {
      conflict = with(reader, Other::kRead);
    }
    cell.atomic_writers = insert(cell.atomic_writers);
    cell.released = released_clock(cell.released);
    return cell;
  });
}

void OrderedRaces::end_atomic() {
  if (releases() && operation_clock_ != 0) self().released = true;
}

void OrderedRaces::barrier() {
  if (self().time == 0) return;
  ordering_ = Ordering::kAcquireRelease;
  if (!self().observed.empty()) learn(std::exchange(self().observed, {}));
  self().fenced = published();
  self().released = true;
}

std::uint32_t OrderedRaces::keep_clock(RaceClock clock) {
  if (unused_clocks_.empty() && clocks_.size() >= clock_limit_) drop_unused_clocks();
  if (unused_clocks_.empty()) {
    clocks_.push_back(std::move(clock));
    return static_cast<std::uint32_t>(clocks_.size() - 1);
  }
  const std::uint32_t id = unused_clocks_.back();
  unused_clocks_.pop_back();
  clocks_[id] = std::move(clock);
  return id;
}

void OrderedRaces::drop_unused_clocks() {
  std::vector<bool> used(clocks_.size());
  used[0] = used[operation_clock_] = used[joined_from_] = used[joined_to_] = true;
  shadow_.for_each_page([&](const ShadowMemory<OrderedCell>::Cells& cells) {
    for (std::size_t i = 0; i < cells.count; ++i) used[cells.first[i].released] = true;
  });
  for (std::uint32_t id = 1; id < clocks_.size(); ++id) {
    if (used[id]) continue;
    clocks_[id] = RaceClock();
    unused_clocks_.push_back(id);
  }
  // Twice what is in use before the next time: the search costs a constant share.
  clock_limit_ = std::max(kFirstClockLimit, 2 * (clocks_.size() - unused_clocks_.size()));
}

}  // namespace tritonrl::ttir
