#include "ttir/turns.h"

#include <algorithm>
#include <deque>
#include <list>
#include <utility>

#include <fmt/format.h>

#include "base/random.h"
#include "ttir/memory/watch.h"
#include "ttir/unsupported.h"

namespace tritonrl::ttir {
namespace {

// Programs on the device are all alive at a time, so their frames must fit.
constexpr std::uint64_t kMaxWaitingBytes = std::uint64_t{8} << 30U;
// What a turn costs beside its steps, mostly in the race detector.
constexpr std::uint64_t kTurnPrice = 256;

// The device makes room for programs in the order of the grid; those it has room for begin in the order that was asked
// for. So whoever waits only for programs before it waits for one that has begun or will.
class Arrivals {
 public:
  Arrivals(const Schedule& schedule, const LaunchOptions& options)
      : order_(options.order), random_(options.seed), count_(schedule.size()) {
    for (std::uint64_t i = 0; i < std::min(options.resident, count_); ++i) admit();
  }

  void admit() {
    if (admitted_ < count_) here_.push_back(admitted_++);
  }
  bool empty() const { return here_.empty(); }
  std::uint64_t still_outside() const { return count_ - admitted_; }

  // The index of the program that begins next.
  std::uint64_t take() {
    if (order_ == ProgramOrder::kShuffled) std::swap(here_.back(), here_[random_.below(here_.size())]);
    std::uint64_t& next = order_ == ProgramOrder::kInOrder ? here_.front() : here_.back();
    const std::uint64_t index = next;
    order_ == ProgramOrder::kInOrder ? here_.pop_front() : here_.pop_back();
    return index;
  }

 private:
  ProgramOrder order_;
  base::Random random_;
  std::uint64_t count_;
  std::uint64_t admitted_ = 0;
  std::deque<std::uint64_t> here_;  // has not begun
};

// Tells a program that waits: time and again it comes round to the same step, has changed nothing and asked the same
// bytes.
class Spin {
 public:
  // What the turn that comes asks of memory belongs here.
  Watch& watch() { return trip_; }

  // After a turn that stopped before `step`: whether the program waits.
  bool waits(std::size_t step, bool changed_memory) {
    if (changed_memory) limit_ = 1;
    if (changed_memory || (step != mark_ && ++turns_ == limit_)) {
      begin_at(step);
      return false;
    }
    return step == mark_ && came_round();
  }

  bool has_news() const { return last_.has_news(); }
  std::size_t watched_bytes() const { return last_.bytes(); }

  // It may be counting how often it has asked.
  void insist() { patience_ = kMostIdleTrips; }
  bool has_insisted() const { return patience_ != 0; }

 private:
  static constexpr std::size_t kLongestTrip = 64;  // in turns
  static constexpr std::size_t kMostIdleTrips = 100;

  // A trip of unknown length that may begin late is found by marks that lie ever farther apart.
  void begin_at(std::size_t step) {
    mark_ = step;
    turns_ = 0;
    limit_ = std::min(2 * limit_, kLongestTrip);
    trip_.clear();
    last_.clear();
    idle_trips_ = patience_ = 0;
  }

  bool came_round() {
    const bool again = trip_.same_places(last_);
    if (again && trip_.same_contents(last_))
      ++idle_trips_;
    else
      idle_trips_ = patience_ = 0;
    std::swap(last_, trip_);
    trip_.clear();
    turns_ = 0;
    return again && idle_trips_ >= patience_;
  }

  std::size_t mark_ = ~std::size_t{0};  // the step at which the trip under way began
  std::size_t turns_ = 0;               // since then
  std::size_t limit_ = 1;
  Watch trip_;
  Watch last_;                  // of the trip before
  std::size_t idle_trips_ = 0;  // in a row in which nothing was new
  std::size_t patience_ = 0;    // idle trips before it waits
};

struct Program {
  std::unique_ptr<Frame> frame;
  Spin spin;
};

class Turns {
 public:
  Turns(Machine& machine, const Schedule& schedule, const LaunchOptions& options,
        const std::function<std::unique_ptr<Frame>()>& new_frame)
      : machine_(machine), schedule_(schedule), new_frame_(new_frame), arrivals_(schedule, options) {}

  // Rounds: one program more begins and one that waited looks again, then each of those that go on has its turn. So a
  // crowd that waits for the last to come costs each of its programs a few turns.
  std::uint64_t run() {
    while (!arrivals_.empty() || !ready_.empty() || !waiting_.empty()) {
      if (!arrivals_.empty()) begin_one();
      wake_one();
      if (ready_.empty() && !insist_on_one()) {
        report_deadlock();
        break;
      }
      if (!give_turns()) break;
    }
    machine_.memory().watch(nullptr);
    return begun_;
  }

 private:
  std::uint64_t alive() const { return ready_.size() + waiting_.size(); }

  void begin_one() {
    const Code& code = machine_.code();
    if ((alive() + 1) * code.frame_bytes > kMaxWaitingBytes)
      throw UnsupportedError(fmt::format("over {} programs of {} that wait for each other", alive(), code.name));
    if (spare_.empty()) spare_.push_back({.frame = new_frame_(), .spin = {}});
    Program& program = spare_.front();
    program.spin = {};
    program.frame->restart();
    program.frame->number = begun_++;
    program.frame->program = schedule_.program(arrivals_.take());
    ready_.splice(ready_.end(), spare_, spare_.begin());
  }

  void wake_one() {
    const std::uint64_t changes = machine_.memory().changes();
    if (changes == searched_) return;
    const auto found = std::ranges::find_if(waiting_, [&](const Program& program) {
      owed_ += 1 + program.spin.watched_bytes() / sizeof(std::uint64_t);
      return program.spin.has_news();
    });
    if (found == waiting_.end())
      searched_ = changes;
    else
      ready_.splice(ready_.end(), waiting_, found);
  }

  // False when every program has insisted already.
  bool insist_on_one() {
    const auto found = std::ranges::find_if(waiting_, [](const Program& each) { return !each.spin.has_insisted(); });
    if (found == waiting_.end()) return false;
    found->spin.insist();
    ready_.splice(ready_.end(), waiting_, found);
    return true;
  }

  // False when the budget is spent.
  bool give_turns() {
    MemoryView& memory = machine_.memory();
    for (auto next = ready_.begin(); next != ready_.end();) {
      const auto program = next++;
      Frame& frame = *program->frame;
      const std::uint64_t changes = memory.changes();
      memory.watch(&program->spin.watch());
      // What programs tell each other grows with their number.
      const std::uint64_t price = kTurnPrice + alive() + std::exchange(owed_, 0);
      const Progress progress = machine_.run(frame, {.yields = true, .price = price});
      if (progress == Progress::kOutOfBudget) return false;
      if (progress == Progress::kFinished) {
        spare_.splice(spare_.begin(), ready_, program);
        arrivals_.admit();
      } else if (program->spin.waits(frame.next_step, memory.changes() != changes)) {
        waiting_.splice(waiting_.end(), ready_, program);
      }
    }
    return true;
  }

  void report_deadlock() {
    const Frame& first =
        *std::ranges::min_element(waiting_, {}, [](const Program& each) { return each.frame->number; })->frame;
    const std::uint64_t outside = arrivals_.still_outside();
    machine_.memory().enter(first.number, first.program);
    machine_.memory().report(
        rules::kStepBudget, machine_.code().body[first.next_step]->location, -1,
        outside == 0 ? "every program that is left waits here for something that no program does"
                     : fmt::format("{} programs can be on the device at once, and each of them waits for something "
                                   "that none of them does, this one here; {} more start only when one of them ends",
                                   waiting_.size(), outside));
  }

  Machine& machine_;
  const Schedule& schedule_;
  const std::function<std::unique_ptr<Frame>()>& new_frame_;
  Arrivals arrivals_;
  std::list<Program> ready_;
  std::list<Program> waiting_;
  std::list<Program> spare_;
  std::uint64_t begun_ = 0;
  std::uint64_t searched_ = 0;  // the count of changes at which nobody who waits had news
  std::uint64_t owed_ = 0;      // for looking who has
};

}  // namespace

std::uint64_t run_taking_turns(Machine& machine, const Schedule& schedule, const LaunchOptions& options,
                               const std::function<std::unique_ptr<Frame>()>& new_frame) {
  return Turns(machine, schedule, options, new_frame).run();
}

}  // namespace tritonrl::ttir
