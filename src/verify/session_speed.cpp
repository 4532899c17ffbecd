// The layer of speed: modelled from counts, or measured where there is a GPU.
#include "verify/session.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"

namespace tritonrl::verify {
namespace {

// Sets of inputs that calls are timed on: the one of the task's own sizes, and another.
constexpr std::array<int, 2> kTimedSets = {0, -1};

// Processes differ by more than a process's runs do.
constexpr TimingPlan kTimedElsewhere = {.warm_ups = 3, .runs = 15};

// By how many processes each side is timed. Those of a reference are for all its candidates, and can be more.
struct ProcessesOf {
  Certainty reference;
  Certainty candidate;
};

// A candidate that takes less than this is timed by one process: a context costs more than what it would tell.
constexpr double kShortUs = 15;
constexpr ProcessesOf kForShort = {.reference = {.least = 3, .enough = 6, .standard_error = 0.01},
                                   .candidate = {.least = 1, .enough = 1, .standard_error = 0}};
constexpr ProcessesOf kForOthers = {.reference = {.least = 3, .enough = 8, .standard_error = 0.005},
                                    .candidate = {.least = 2, .enough = 4, .standard_error = 0.007}};

const ProcessesOf& processes_for(const Timings& timings) {
  return median(timings.candidate_us.front()) < kShortUs ? kForShort : kForOthers;
}

// Turns alone in which runs may settle.
constexpr int kMostTurns = 3;

bool both_settled(const Timings& timings) {
  return settled(timings.reference_us.front()) && settled(timings.candidate_us.front());
}

// Calls on inputs that a candidate has seen and on others, where one of the latter took longer.
constexpr TimingPlan kUnseen = {.warm_ups = 0, .runs = 5};

// Less of a call's time in its own kernels is suspicious.
constexpr double kLeastShare = 0.5;

}  // namespace

SpeedModel Session::speed_model() const {
  ttir::Product product = ttir::Product::k16Bit;
  if (working_dtype_ == "float32")
    product = task_.precision == task::Precision::kTf32 ? ttir::Product::kTf32 : ttir::Product::kFloat32;
  if (working_dtype_ == "float64") product = ttir::Product::kFloat64;
  SpeedModel model(profile_, product);
  for (const auto& [kernel, pending] : compiling_) {
    const auto result = pending.get();
    if (const auto* compiled = std::get_if<CompiledKernel>(result.get()))
      model.compiled(*kernel, {{"registers", compiled->registers},
                               {"spills", compiled->spill_bytes / 4},
                               {"shared", compiled->shared_bytes}});
  }
  return model;
}

std::optional<Speedup> Session::model_speed() {
  if (timed_.empty()) return std::nullopt;
  if (timed_.size() < config_.stand_ins.size()) return std::nullopt;
  std::vector<CountedCall> ours;
  std::vector<CountedCall> theirs;
  for (const auto& [number, trace] : timed_) {
    const auto traced = oracle_.trace(static_cast<int>(number));
    if (std::holds_alternative<Oracle::Broken>(traced)) return std::nullopt;
    const auto& dims = plan_.sizes[number].variant;
    ours.push_back({.dims = dims, .trace = &trace});
    theirs.push_back({.dims = dims, .trace = std::get<const DeviceTrace*>(traced)});
  }
  const SpeedModel model = speed_model();
  const std::vector<task::Dimension> dims = config_.stand_ins.empty() ? std::vector<task::Dimension>{} : task_.dims;
  const ModelledCall reference = model.at(dims, theirs);
  const ModelledCall candidate = model.at(dims, ours);
  if (candidate.large_grid && config_.depth == Depth::kTrain) {
    judge_own_sizes();
    if (rejected()) return std::nullopt;
  }
  Speedup speedup;
  speedup.reference_us = reference.us;
  speedup.candidate_us = candidate.us;
  speedup.value = speedup.low = speedup.high = speedup.reference_us / speedup.candidate_us;
  const double in_kernels_us = candidate.us - profile_.call_us - candidate.operators_us;
  const double share = in_kernels_us / std::max(in_kernels_us + candidate.operators_us, 1e-9);
  behaviour_.evidence["share_in_kernels"] = share;
  if (share < kLeastShare) {
    suspect(behaviour_, "little-in-kernels",
            fmt::format("{:.0f} % of the time is torch's: copies, fills and what the policy lets it compute",
                        100 * (1 - share)));
  }
  speed_.evidence = {{"launches", timed_.begin()->second.launches.size()},
                     {"operators", timed_.begin()->second.operators.size()},
                     {"candidate", candidate.evidence},
                     {"reference", reference.evidence}};
  return speedup;
}

// One process after the other times the candidate, until they say enough.
std::optional<Speedup> Session::measure_speed(const CandidateSource& source, const GpuTiming& gpu) {
  if (timed_.empty()) return std::nullopt;
  const std::size_t steps = timed_.begin()->second.launches.size() + timed_.begin()->second.operators.size();
  auto timings = time_process(gpu, true);
  const auto wants_another = [&] {
    return timings && !rejected() && processes_differ(median(timings->candidate_us.front()), steps) &&
           !processes_for(*timings).candidate.reached(medians(timings->candidate_us));
  };
  while (wants_another()) {
    // Kernels and memory of the process that ends were spoken of there.
    timed_.clear();
    compiling_.clear();
    kept_.clear();
    constructed_.reset();
    candidate_.start_again();
    if (compile(source) == Next::kStop) return std::nullopt;
    auto more = time_process(gpu, false);
    if (!more) return std::nullopt;
    timings->candidate_us.push_back(std::move(more->candidate_us.front()));
    timings->reference_us = std::move(more->reference_us);
  }
  if (!timings) return std::nullopt;
  speed_.evidence["candidate_us"] = medians(timings->candidate_us);
  speed_.evidence["reference_us"] = medians(timings->reference_us);
  base::Random random(config_.seed, 2);
  return measured_speedup(*timings, random);
}

// In the candidate's process as it is now. Nothing: it failed, which is noted.
std::optional<Timings> Session::time_process(const GpuTiming& gpu, bool first) {
  auto guard = share_gpu();
  const auto cases = timed_cases();
  const auto call = cases && loads_kernels() ? estimate_call(oracle_) : std::nullopt;
  guard.reset();
  if (!call) return std::nullopt;
  auto timings = time_alone(gpu, *cases, *call, first ? TimingPlan::for_reference(call->us) : kTimedElsewhere);
  oracle_.let_go();
  return timings;
}

// Its first calls may tune and compile, which nobody is to wait for. Whether they are right is judged later.
bool Session::loads_kernels() {
  return std::ranges::all_of(kTimedSets, [&](int set) {
    const auto answer = candidate_.call(set, false);
    const auto* failure = std::get_if<GuestFailure>(&answer);
    if (failure != nullptr) fail(*failure, correct_);
    return failure == nullptr;
  });
}

// The candidate and its reference, in another turn where runs disagree; and the reference in as many other processes as
// it takes. The first of these are ready before, since nobody else works while somebody is alone.
std::optional<Timings> Session::time_alone(const GpuTiming& gpu, const std::vector<TimedCase>& cases,
                                           const ReferenceCall& call, const TimingPlan& plan) {
  std::optional<Timings> timings;
  Others others = others_that_time(gpu, call, kForShort.reference);
  bool goes_on = true;
  for (int turn = 0; turn == 0 || (turn < kMostTurns && !both_settled(*timings)); ++turn) {
    const auto alone = gpu.gate->alone();
    timings = time_in_turn(cases, plan);
    // Beside a candidate that was rejected the reference may have been held up: that counts for no other.
    if (!timings || rejected()) return timings;
    gpu.reference_times->tell(oracle_.process_number(), timings->reference_us.front());
    goes_on = goes_on && time_elsewhere(gpu, others);
    others.clear();  // who waits for others keeps none
  }
  const Certainty& certainty = processes_for(*timings).reference;
  for (; goes_on && !(others = others_that_time(gpu, call, certainty)).empty(); others.clear()) {
    const auto alone = gpu.gate->alone();
    goes_on = time_elsewhere(gpu, others);
  }
  timings->reference_us = gpu.reference_times->by_process();
  return timings;
}

// About what a call of a reference takes; the first one loads its kernels.
std::optional<ReferenceCall> Session::estimate_call(Oracle& reference) {
  ReferenceCall quickest{.us = std::numeric_limits<double>::infinity()};
  for (int n = 0; n < 2; ++n) {
    const auto call = reference.time(0);
    if (std::holds_alternative<Oracle::Broken>(call)) return std::nullopt;
    quickest = std::ranges::min(quickest, std::get<ReferenceCall>(call), {}, &ReferenceCall::us);
  }
  return quickest;
}

// Other processes of the reference, as many as are still to time it, with its two sets of inputs. Fewer where they
// fail: they would add certainty, and no verdict hangs on them.
Session::Others Session::others_that_time(const GpuTiming& gpu, const ReferenceCall& call, const Certainty& certainty) {
  const std::size_t wanted = gpu.reference_times->wanted_beside(oracle_.process_number(), call, certainty);
  if (wanted == 0) return {};
  Others others = gpu.others->lend(task_, *gpu.reference_times, wanted);
  for (auto& other : others) other->oracle().begin();
  const auto guard = share_gpu();
  std::erase_if(others, [this](const auto& other) { return !ready_to_time(other->oracle()); });
  return others;
}

bool Session::ready_to_time(Oracle& other) {
  const auto holds = [&](const auto& made, int slot) {
    return !std::holds_alternative<Oracle::Broken>(made) && !other.hold(slot);
  };
  return !other.add(0, plan_.sizes.front().variant) && holds(other.make(0, next_seed(), "as-given"), 0) &&
         holds(other.redraw(next_seed()), 1) && estimate_call(other);
}

// In turn with each other, or with the candidate's reference: as the candidate, all are timed behind another process's
// call. False where one fails.
bool Session::time_elsewhere(const GpuTiming& gpu, Others& others) {
  std::vector<TimedCall> calls;
  const auto add = [&](Oracle& reference) {
    calls.emplace_back([&reference](int run) -> std::optional<double> {
      const auto call = reference.time(run % 2);
      if (std::holds_alternative<Oracle::Broken>(call)) return std::nullopt;
      return std::get<ReferenceCall>(call).us;
    });
  };
  for (auto& other : others) add(other->oracle());
  if (calls.size() == 1) add(oracle_);
  auto runs_us = time_by_turns(calls, kTimedElsewhere);
  if (!runs_us) return false;
  for (std::size_t n = 0; n < others.size(); ++n) {
    gpu.reference_times->tell(others[n]->oracle().process_number(), std::move((*runs_us)[n]));
  }
  return true;
}

// Two sets of inputs in turn, so that no call is the one before it again; and the second of them with one element
// changed.
std::optional<std::vector<Session::TimedCase>> Session::timed_cases() {
  std::vector<TimedCase> cases;
  std::optional<OracleCase> made;
  std::optional<Expectation> expected;
  if (prepare({}, made, expected) == Next::kStop || oracle_.hold(0)) return std::nullopt;
  cases.push_back({.inputs = std::move(made->inputs), .expected = *std::move(expected)});
  const auto add = [&](std::variant<OracleValues, Oracle::Broken> inputs) {
    auto timed = timed_case(std::move(inputs));
    if (timed) cases.push_back(*std::move(timed));
    return timed.has_value();
  };
  if (!add(oracle_.redraw(next_seed())) || !add(oracle_.poke(next_seed())) || oracle_.hold(1)) return std::nullopt;
  if (const auto failure = candidate_.set_inputs(kTimedSets[1], cases[1].inputs, true)) {
    fail(*failure, correct_);
    return std::nullopt;
  }
  return cases;
}

std::optional<Session::TimedCase> Session::timed_case(std::variant<OracleValues, Oracle::Broken> inputs) {
  if (std::holds_alternative<Oracle::Broken>(inputs)) return std::nullopt;
  auto right = oracle_.expect(next_seed());
  if (std::holds_alternative<Oracle::Broken>(right)) return std::nullopt;
  return TimedCase{.inputs = std::get<OracleValues>(std::move(inputs)),
                   .expected = std::get<Expectation>(std::move(right))};
}

// Every output is looked at. Once, at a time that nobody can foresee, the changed inputs lie where the first ones were:
// who remembers answers, by where inputs lie or by a sample of them, gives a wrong one, and who knows them by all of
// their inputs takes longer.
std::optional<Timings> Session::time_in_turn(const std::vector<TimedCase>& cases, const TimingPlan& plan) {
  const int unforeseen = plan.even_run(random_);
  Timings timings{.reference_us = {{}}, .candidate_us = {{}}};
  std::vector<LaunchRecord> usual;
  for (int n = 0; n < plan.warm_ups + plan.runs; ++n) {
    const int slot = n % 2;
    const auto reference_call = oracle_.time(slot);
    if (std::holds_alternative<Oracle::Broken>(reference_call)) return std::nullopt;
    const bool changed = n == unforeseen;
    const TimedCase& timed = changed ? cases.back() : cases[static_cast<std::size_t>(slot)];
    const bool rewritten = n == 0 || changed || n == unforeseen + 2;
    if (rewritten && candidate_.set_inputs(kTimedSets[0], timed.inputs, false)) return std::nullopt;
    std::vector<LaunchRecord> launches;
    const auto candidate_us = time_candidate(kTimedSets[static_cast<std::size_t>(slot)], timed.expected, launches);
    if (!candidate_us) return std::nullopt;
    if (n < plan.warm_ups) continue;
    timings.reference_us.front().push_back(std::get<ReferenceCall>(reference_call).us);
    timings.candidate_us.front().push_back(*candidate_us);
    const auto same = [](const LaunchRecord& a, const LaunchRecord& b) {
      return a.kernel == b.kernel && a.grid == b.grid;
    };
    if (n > plan.warm_ups && !std::ranges::equal(usual, launches, same)) {
      reject(behaviour_, "call-state", "calls on inputs of the same sizes launch different kernels");
      return std::nullopt;
    }
    usual = std::move(launches);
  }
  auto seen_us = timings.candidate_us.front();
  const auto unseen = seen_us.begin() + (unforeseen - plan.warm_ups);
  const double unseen_us = *unseen;
  seen_us.erase(unseen);
  if (slower_on_unseen({unseen_us}, seen_us) && remembers(cases.front())) return std::nullopt;
  return timings;
}

// One slow call may be chance. Before each timed call on what was seen there is another like it, so that a memory of
// one answer has this one.
bool Session::remembers(const TimedCase& seen) {
  const auto time = [&](const TimedCase& timed) -> std::optional<double> {
    if (candidate_.set_inputs(kTimedSets[0], timed.inputs, false)) return std::nullopt;
    std::vector<LaunchRecord> launches;
    return time_candidate(kTimedSets[0], timed.expected, launches);
  };
  const TimedCall on_seen = [&](int) { return time(seen) ? time(seen) : std::nullopt; };
  const TimedCall on_unseen = [&](int) {
    const auto drawn = timed_case(oracle_.redraw(next_seed()));
    return drawn ? time(*drawn) : std::nullopt;
  };
  const auto runs_us = time_by_turns({on_seen, on_unseen}, kUnseen);
  if (!runs_us) return rejected();
  if (!slower_on_unseen(runs_us->back(), runs_us->front())) return false;
  reject(behaviour_, "call-state",
         fmt::format("a call on inputs that were seen before takes {:.1f} us, and one on others {:.1f}",
                     median(runs_us->front()), median(runs_us->back())));
  return true;
}

// Nothing: the candidate failed, which is noted.
std::optional<double> Session::time_candidate(int set, const Expectation& expected,
                                              std::vector<LaunchRecord>& launches) {
  GuestDevice& device = candidate_.process().device();
  device.take_trace();
  device.set_timed(true);
  auto answer = candidate_.call(set, false);
  device.set_timed(false);
  if (const auto* failure = std::get_if<GuestFailure>(&answer)) {
    fail(*failure, correct_);
    return std::nullopt;
  }
  const auto& result = std::get<CallResult>(answer);
  DeviceTrace trace = device.take_trace();
  judge_outputs({}, result, expected);
  judge_findings(trace);
  judge_memory(result, expected);
  judge_trace(trace);
  if (const auto changed = candidate_.changed_input(set)) {
    reject(behaviour_, "writes-input", *changed + " no longer holds what it held before the call");
  }
  if (rejected() && config_.stop_at_rejection) return std::nullopt;
  if (!trace.timed) throw base::HostError("the candidate's process timed nothing", base::Retry::kYes);
  launches = std::move(trace.launches);
  return call_us(*trace.timed);
}

}  // namespace tritonrl::verify
