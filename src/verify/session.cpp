#include "verify/session.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "verify/stand_in.h"
#include "verify/stopwatch.h"

namespace tritonrl::verify {
namespace {

using base::Json;

bool is_floating(std::string_view dtype) { return dtype.starts_with("float") || dtype == "bfloat16"; }

// Rules that say that a candidate is hostile or no honest one, whenever they are found.
bool about_behaviour(std::string_view rule) {
  return rule == "forbidden-call" || rule == "channel-forged" || rule == "background-work";
}

// In the words of Triton's driver.
constexpr std::string_view kRefusedLaunch = "[CUDA]: invalid argument";

// Kernels of one call that are compiled for nothing but to see whether they can be.
constexpr std::size_t kMostCompiled = 8;

// A call after the first that does what every later one would.
bool warm_at_own_sizes(const Trial& trial) {
  return trial.sizes == 0 && !trial.fresh_memory && !trial.poke && !trial.ghost;
}

}  // namespace

Session::Session(const task::Task& task, const analysis::ReferenceProfile& reference, Oracle& oracle,
                 CandidateProcess candidate, Compiler& compiler, const ttir::DeviceProfile& profile,
                 const SessionConfig& config)
    : task_(task),
      reference_(reference),
      oracle_(oracle),
      candidate_(std::move(candidate)),
      compiler_(compiler),
      profile_(profile),
      config_(config),
      random_(config.seed, 1),
      plan_(plan_trials(task, config.depth, config.shared_seed.value_or(config.seed), config.stand_ins,
                        config.gpu.has_value())) {}

void Session::examine(const CandidateSource& source, Verdict& verdict) {
  if (compile(source) == Next::kGoOn) {
    for (Trial& trial : plan_.trials) {
      const auto guard = share_gpu();
      if (run(trial) == Next::kStop) break;
      if (warm_at_own_sizes(trial) && timed_.empty() && trial.distribution != "as-given") {
        trial.distribution = "as-given";  // what was drawn does not apply to this task, and speed wants a warm call
        if (run(trial) == Next::kStop) break;
      }
    }
    if (!rejected() && config_.depth == Depth::kFull && !config_.gpu) judge_each_kernel();
    if (!rejected() && config_.depth == Depth::kFull && !config_.gpu) judge_far_sizes();
    if (!rejected() && config_.depth == Depth::kFull && !config_.gpu) judge_own_sizes();
  }
  correct_.evidence["trials"] = trials_run_;
  if (!config_.stand_ins.empty() && !config_.gpu) correct_.evidence["stand_in"] = sizes_text(config_.stand_ins.front());
  correct_.evidence["worst_error_in_spreads"] = worst_;
  correct_.evidence["worst_rms_in_spreads"] = worst_rms_;
  judge_compiled();
  if (!rejected() || !config_.stop_at_rejection) {
    const Stopwatch watch(speed_.seconds);
    verdict.speedup = config_.gpu ? measure_speed(source, *config_.gpu) : model_speed();
  }
  verdict.layers.push_back(compile_);
  // A call that ended without results has shown neither that they are right nor that they are wrong.
  const bool shown = called_ && answered_;
  if (shown || !correct_.passed()) verdict.layers.push_back(correct_);
  if ((shown && correct_.passed()) || !behaviour_.passed()) verdict.layers.push_back(behaviour_);
  if (verdict.speedup) verdict.layers.push_back(speed_);
  verdict.general = general_;
}

// Others may use the GPU too, but none may be timing something.
std::unique_ptr<Session::OnGpu> Session::share_gpu() {
  if (!config_.gpu) return nullptr;
  return std::make_unique<OnGpu>(*config_.gpu->gate, candidate_.process().device());
}

Session::Next Session::compile(const CandidateSource& source) {
  const Stopwatch watch(compile_.seconds);
  // A process takes long to get its context on a GPU, and slows what others time by up to three percent.
  if (config_.gpu) oracle_.begin();
  candidate_.begin();
  const auto guard = share_gpu();
  if (const auto failure = candidate_.import(source.code, source.entry)) {
    fail(*failure, compile_);
    return Next::kStop;
  }
  threads_at_start_ = candidate_.process().threads();
  return Next::kGoOn;
}

// Nothing can be compared with a reference whose results depend on more than inputs and parameters, or on less.
void Session::require_function(const Oracle::Traits& traits) const {
  if (traits.constant) {
    throw base::InputError(task_.where, "the reference gives the same result whatever its inputs hold",
                           "no kernel can be judged by it; `tritonrl tasks admit` says which tasks can judge");
  }
  if (traits.repeats && !traits.random) return;
  throw base::InputError(task_.where,
                         traits.random
                             ? "the reference is random: its results depend on torch's random numbers"
                             : "the reference keeps state: a second call on the same inputs gives another result",
                         "its results must follow from its inputs and parameters alone");
}

// `expected` is known at once where candidates share their inputs.
std::optional<Oracle::Broken> Session::make_case(const Trial& trial, std::uint64_t seed,
                                                 std::optional<OracleCase>& made,
                                                 std::optional<Expectation>& expected) {
  const int number = static_cast<int>(trial.sizes);
  if (!config_.shared_seed) {
    auto answer = oracle_.make(number, seed, trial.distribution);
    if (auto* why = std::get_if<Oracle::Broken>(&answer)) return std::move(*why);
    made = std::get<OracleCase>(std::move(answer));
    return std::nullopt;
  }
  auto answer = oracle_.ready(number, seed, trial.distribution);
  if (auto* why = std::get_if<Oracle::Broken>(&answer)) return std::move(*why);
  auto& ready = std::get<ReadyCase>(answer);
  made = std::move(ready.made);
  expected = std::move(ready.expected);
  return std::nullopt;
}

// The reference's half of a trial: inputs, the module for their sizes, and what is right.
Session::Next Session::prepare(const Trial& trial, std::optional<OracleCase>& made,
                               std::optional<Expectation>& expected) {
  const Sizes& sizes = plan_.sizes[trial.sizes];
  const auto broken = [&](const Oracle::Broken& why) {
    if (trial.sizes == 0 && trial.distribution == "as-given") {
      throw base::InputError(task_.where, "the reference fails at its own sizes: " + why.message,
                             why.out_of_memory ? "give the task smaller sizes: this machine has not the memory for it"
                                               : "mend the task: it must import, make its inputs and run on the CPU");
    }
    if (why.ended && sizes.listed) {
      throw base::InputError(task_.where,
                             fmt::format("the reference fails at {}, inputs {}: {}", sizes_text(sizes.variant),
                                         trial.distribution, why.message),
                             "give the task smaller sizes, or the reference more time (--reference-seconds)");
    }
    trials_run_.push_back({{"sizes", sizes_text(sizes.variant)},
                           {"distribution", trial.distribution},
                           {"outcome", "not applicable: " + why.message.substr(0, 200)}});
    return Next::kStop;
  };
  const auto shared_draw = [&] {  // the trial is one of the plan's
    return base::Random(*config_.shared_seed, static_cast<std::uint64_t>(&trial - plan_.trials.data())).next_u64();
  };
  const std::uint64_t seed = trial.poke ? 0 : config_.shared_seed ? shared_draw() : next_seed();
  if (!trial.poke) {
    if (constructed_ != trial.sizes) {
      unbound_.clear();
      if (const auto why = oracle_.add(static_cast<int>(trial.sizes), sizes.variant)) return broken(*why);
    }
    if (const auto why = make_case(trial, seed, made, expected)) return broken(*why);
    auto traits = oracle_.traits();
    if (const auto* why = std::get_if<Oracle::Broken>(&traits)) return broken(*why);
    require_function(std::get<Oracle::Traits>(traits));
  }
  // A parameter without a counterpart is what the constructor drew, with this trial's seed.
  if (made && (constructed_ != trial.sizes || !unbound_.empty())) {
    const Stopwatch watch(compile_.seconds);
    constructed_.reset();
    if (const auto failure = candidate_.forget()) {
      fail(*failure, correct_);
      return Next::kStop;
    }
    kept_.clear();
    if (const auto failure = candidate_.construct(*made)) {
      if (listed(trial)) {
        fail(*failure, compile_);
      } else {
        note_not_general(trial, failure->rule, failure->message);
      }
      return Next::kStop;
    }
    constructed_ = trial.sizes;
  }
  if (made) {
    const Binding binding = candidate_.bind_state(made->state);
    unbound_ = {binding.unbound.begin(), binding.unbound.end()};
    if (!binding.unbound.empty()) {
      if (expected) {  // shared, and not about what the constructor gave
        expected.reset();
        auto again = oracle_.make(static_cast<int>(trial.sizes), seed, trial.distribution);
        if (const auto* why = std::get_if<Oracle::Broken>(&again)) return broken(*why);
        made = std::get<OracleCase>(std::move(again));
      }
      auto kept = oracle_.keep_initial(binding.unbound);
      if (const auto* why = std::get_if<Oracle::Broken>(&kept)) return broken(*why);
      if (const auto& constant = std::get<std::vector<std::string>>(kept); !constant.empty()) {
        reject(compile_, "parameters-unmatched",
               fmt::format("the candidate has no place for the reference's {}", fmt::join(constant, ", ")));
        return Next::kStop;
      }
    }
    compile_.evidence["parameters"] = {
        {"by_name", binding.by_name}, {"by_shape", binding.by_shape}, {"unbound", binding.unbound}};
  }
  OracleValues inputs;
  if (trial.poke) {
    auto state = oracle_.poke_state(next_seed(), unbound_);
    if (const auto* why = std::get_if<Oracle::Broken>(&state)) return broken(*why);
    candidate_.bind_state(std::get<std::vector<NamedTensor>>(state));
    auto answer = oracle_.poke(next_seed());
    if (const auto* why = std::get_if<Oracle::Broken>(&answer)) return broken(*why);
    inputs = std::get<OracleValues>(std::move(answer));
  } else if (made) {
    inputs = made->inputs;
  }
  if (!expected) {
    auto answer = oracle_.expect(next_seed());
    if (const auto* why = std::get_if<Oracle::Broken>(&answer)) return broken(*why);
    expected = std::get<Expectation>(std::move(answer));
  }
  if (!expected->finite && trial.distribution != "as-given") {
    return broken({"the reference is not finite on these inputs"});
  }
  if (const auto failure = candidate_.set_inputs(static_cast<int>(trial.sizes), inputs, trial.fresh_memory)) {
    fail(*failure, correct_);
    return Next::kStop;
  }
  if (trial.sizes == 0 && made) {
    all_single_ = !expected->narrow && std::ranges::all_of(expected->results, [](const auto& result) {
      return !is_floating(result.dtype) || result.dtype == "float32";
    }) && std::ranges::all_of(made->inputs.tensors, [](const auto& tensor) {
      return !is_floating(tensor.view.dtype) || tensor.view.dtype == "float32";
    });
    for (const auto& result : expected->results) {
      if (is_floating(result.dtype)) working_dtype_ = result.dtype;
    }
  }
  return Next::kGoOn;
}

Session::Next Session::run(const Trial& trial) {
  if (!listed(trial) && unlisted_tried_ >= kEnoughUnlisted) return Next::kGoOn;
  LayerRecord& layer = trial.ghost ? behaviour_ : correct_;
  const Stopwatch watch(layer.seconds);
  std::optional<OracleCase> made;
  std::optional<Expectation> expected;
  if (prepare(trial, made, expected) == Next::kStop) {
    return rejected() && config_.stop_at_rejection ? Next::kStop : Next::kGoOn;
  }
  if (!listed(trial)) ++unlisted_tried_;
  GuestDevice& device = candidate_.process().device();
  device.set_ghost(trial.ghost);
  device.set_order(static_cast<ttir::ProgramOrder>(trials_run_.size() % 3), next_seed());
  device.take_trace();
  called_ = true;
  const int set = static_cast<int>(trial.sizes);
  const bool keep = trial.sizes == 0 && kept_.empty() && !trial.ghost;
  auto answer = candidate_.call(set, keep);
  device.set_ghost(false);
  if (const auto* failure = std::get_if<GuestFailure>(&answer)) {
    if (trial.ghost && (failure->rule == "run-error" || failure->rule == "wrong-structure")) return Next::kGoOn;
    const DeviceTrace trace = device.take_trace();
    if (!listed(trial)) {
      if (trace.step_budget_spent) return Next::kGoOn;  // nobody said that there are steps for these sizes
      note_not_general(trial, failure->rule, failure->message);
      return Next::kStop;
    }
    if (trace.step_budget_spent) {
      judge_spent_budget(trial);
    } else {
      fail(*failure, failure->rule == "compile-error" ? compile_ : correct_);
    }
    judge_findings(trace);
    return Next::kStop;
  }
  const auto& result = std::get<CallResult>(answer);
  if (trial.ghost) {
    judge_ghost(result, *expected);
    device.take_trace();
  } else {
    if (judge_call(trial, result, *expected) == Next::kStop) return Next::kStop;
    if (trial.replayed && config_.gpu && replay_warm_call(trial) == Next::kStop) return Next::kStop;
    if (keep) {
      for (const auto& output : result.outputs)
        kept_.push_back({output.address, device.memory().snapshot(output.view.data, output.bytes)});
    }
  }
  trials_run_.push_back(
      {{"sizes", sizes_text(plan_.sizes[trial.sizes].variant)},
       {"distribution", trial.ghost ? "ghost" : (trial.poke ? "one element changed" : trial.distribution)},
       {"outcome", rejected() ? "rejected" : "passed"}});
  return rejected() && config_.stop_at_rejection ? Next::kStop : Next::kGoOn;
}

// At sizes that nobody listed something went wrong.
void Session::note_not_general(const Trial& trial, const std::string& rule, const std::string& message) {
  general_ = false;
  trials_run_.push_back({{"sizes", sizes_text(plan_.sizes[trial.sizes].variant)},
                         {"distribution", trial.distribution},
                         {"outcome", rule + ": " + message}});
}

// Whether the candidate is right at sizes that decide nothing by themselves. Nothing: it cannot be told.
std::optional<bool> Session::right_at(const task::Variant& sizes, std::string_view distribution) {
  const auto general = std::exchange(general_, std::nullopt);
  const int tried = std::exchange(unlisted_tried_, 0);
  if (plan_.sizes.back().variant != sizes) plan_.sizes.push_back({.variant = sizes, .listed = false});
  run({.sizes = plan_.sizes.size() - 1, .distribution = distribution});
  unlisted_tried_ = tried;
  return std::exchange(general_, general);
}

// What stands in for the task's sizes is smaller in every dimension: a kernel that ends before a long one does, or does
// less behind its first block, is right there.
void Session::judge_far_sizes() {
  if (config_.stand_ins.empty()) return;
  for (const auto& [far, near] : far_sizes(task_, config_.stand_ins.front(), oracle_)) {
    for (const auto* distribution : {"as-given", "sign-varied", "large", "around-one"}) {
      if (right_at(far, distribution).value_or(true)) continue;
      const auto outcome = trials_run_.back().at("outcome").get<std::string>();  // "rule: message"
      if (!right_at(near, distribution).value_or(false)) continue;
      const std::size_t colon = outcome.find(": ");
      reject(correct_, outcome.substr(0, colon),
             fmt::format("right at {}, and not at {}, inputs {}: {}", sizes_text(near), sizes_text(far), distribution,
                         outcome.substr(colon + 2)));
      return;
    }
  }
}

// What stands in for the task's sizes is smaller than them. Kernels that do nothing can be called at these all the
// same: whether the call makes them and its launches fit, and that it leaves nothing to torch, shows there alone. Where
// there is not the memory for it, nothing is known.
void Session::judge_own_sizes() {
  if (config_.stand_ins.empty() || !can_call_at_own_sizes(oracle_)) return;
  const int number = static_cast<int>(plan_.sizes.size());
  if (oracle_.add(number, {})) return;
  const auto made = oracle_.make(number, next_seed(), "as-given");
  if (std::holds_alternative<Oracle::Broken>(made)) return;
  const auto& own = std::get<OracleCase>(made);
  if (candidate_.forget() || candidate_.construct(own)) return;
  candidate_.bind_state(own.state);
  if (candidate_.set_inputs(number, own.inputs, true)) return;
  GuestDevice& device = candidate_.process().device();
  device.take_trace();
  device.set_ghost(true);
  const auto answer = candidate_.call(number, false);
  device.set_ghost(false);
  const DeviceTrace trace = device.take_trace();
  const std::string where = ": at the task's own sizes ";
  if (const auto* failure = std::get_if<GuestFailure>(&answer)) {
    if (!failure->message.ends_with(kRefusedLaunch)) return;  // numbers that no kernel wrote may lead anywhere
    reject(correct_, failure->rule, failure->message + where + "a grid is too large along an axis");
    return;
  }
  if (const auto refusal = refused_by_compiler(trace)) {
    reject(compile_, "compile-error", *refusal + where + "the kernel cannot be made");
    return;
  }
  if (trace.launches.empty()) reject(behaviour_, "no-launch", "no Triton kernel was launched" + where + "alone");
  judge_operators(trace);
}

// What the compiler says of a kernel that was launched, and of all its forms: a tuner tries some that do not fit.
std::optional<std::string> Session::refused_by_compiler(const DeviceTrace& trace) {
  std::map<std::string, std::vector<PendingCompile>> forms;
  std::set<const GuestKernel*> started;
  for (const auto& launch : trace.launches) {
    if (started.size() == kMostCompiled) return std::nullopt;
    if (!started.insert(launch.kernel).second) continue;
    forms[launch.kernel->name].push_back(compiler_.start(launch.kernel->text, Json::parse(launch.kernel->options)));
  }
  for (const auto& [name, compiled] : forms) {
    std::string why;
    const bool none = std::ranges::all_of(compiled, [&](const PendingCompile& form) {
      const auto& result = form.get();
      const auto* refusal = std::get_if<CompileRefusal>(result.get());
      if (refusal != nullptr) why = refusal->message;
      return refusal != nullptr;
    });
    if (none) return fmt::format("{}: {}", name, why);
  }
  return std::nullopt;
}

Session::Next Session::judge_call(const Trial& trial, const CallResult& result, const Expectation& expected) {
  DeviceTrace trace = candidate_.process().device().take_trace();
  if (!trace.unsupported.empty()) throw ExecutorLimit(trace.unsupported);
  if (!listed(trial)) {
    if (trace.step_budget_spent) return Next::kGoOn;
    LayerRecord apart;
    std::swap(apart, correct_);
    judge_outputs(trial, result, expected);
    std::swap(apart, correct_);
    const auto found = std::ranges::find_if(trace.findings, &DeviceFinding::error);
    if (found != trace.findings.end()) reject(apart, found->rule, found->message);
    general_ = general_.value_or(true);
    if (apart.passed()) return Next::kGoOn;
    note_not_general(trial, apart.findings.front().rule, apart.findings.front().message);
    return Next::kStop;
  }
  if (trace.step_budget_spent) judge_spent_budget(trial);
  if (result.inputs_moved) reject(behaviour_, "writes-input", "an input tensor was made to lie in other memory");
  judge_outputs(trial, result, expected);
  judge_findings(trace);
  judge_memory(result, expected);
  judge_trace(trace);
  if (const auto changed = candidate_.changed_input(static_cast<int>(trial.sizes))) {
    reject(behaviour_, "writes-input", *changed + " no longer holds what it held before the call");
  }
  judge_kept_outputs();
  if (const int threads = candidate_.process().threads(); threads > threads_at_start_) {
    reject(behaviour_, "background-work",
           fmt::format("{} threads are running after the call returned", threads - threads_at_start_));
  }
  if (trial.counted) {
    timed_.emplace(trial.sizes, std::move(trace));
  } else if (warm_at_own_sizes(trial) && timed_.empty()) {
    start_compiling(trace);
    timed_.emplace(0, std::move(trace));
  }
  return Next::kGoOn;
}

// The executor as a second opinion on what a GPU ran: the same call, launch by launch.
Session::Next Session::replay_warm_call(const Trial& trial) {
  GuestDevice& device = candidate_.process().device();
  device.set_replayed(true);
  const auto answer = candidate_.call(static_cast<int>(trial.sizes), false);
  device.set_replayed(false);
  const DeviceTrace trace = device.take_trace();
  Json opinion = {{"sizes", sizes_text(plan_.sizes[trial.sizes].variant)}, {"launches", trace.replayed}};
  if (!trace.not_replayed.empty()) opinion["left_out"] = trace.not_replayed;
  behaviour_.evidence["second_opinion"].push_back(std::move(opinion));
  judge_findings(trace);
  const auto* failure = std::get_if<GuestFailure>(&answer);
  if (failure == nullptr) return Next::kGoOn;
  fail(*failure, correct_);
  return Next::kStop;
}

// At depth `train` kernels stop at Triton IR.
void Session::start_compiling(const DeviceTrace& trace) {
  if (config_.depth != Depth::kFull) return;
  for (const auto& launch : trace.launches) {
    if (compiling_.contains(launch.kernel)) continue;
    compiling_.emplace(launch.kernel, compiler_.start(launch.kernel->text, Json::parse(launch.kernel->options)));
  }
}

void Session::judge_compiled() {
  Json kernels = Json::array();
  for (const auto& kernel : candidate_.process().device().kernels()) {
    Json entry = {{"name", kernel->name}};
    const auto pending = compiling_.find(kernel.get());
    if (pending != compiling_.end() && (!rejected() || !config_.stop_at_rejection)) {
      const auto result = pending->second.get();
      if (const auto* refusal = std::get_if<CompileRefusal>(result.get())) {
        reject(compile_, "compile-error", fmt::format("{}: {}", kernel->name, refusal->message));
      } else {
        const auto& compiled = std::get<CompiledKernel>(*result);
        entry.update({{"registers", compiled.registers},
                      {"spills", compiled.spill_bytes / 4},
                      {"shared_bytes", compiled.shared_bytes}});
      }
    }
    kernels.push_back(std::move(entry));
  }
  if (!kernels.empty()) compile_.evidence["kernels"] = std::move(kernels);
}

void Session::fail(const GuestFailure& failure, LayerRecord& layer) {
  answered_ = false;
  if (failure.out_of_time) shortage_ = Shortage::kTime;
  if (config_.gpu && failure.rule == "memory-limit") shortage_ = Shortage::kMemory;
  reject(about_behaviour(failure.rule) ? behaviour_ : layer, failure.rule, failure.message, failure.line);
}

void Session::reject(LayerRecord& layer, std::string_view rule, std::string message, std::uint32_t line) {
  const auto same =
      std::ranges::find_if(layer.findings, [&](const auto& found) { return found.rule == rule && found.rejects; });
  if (same == layer.findings.end()) {
    layer.findings.push_back(
        {.rule = std::string(rule), .rejects = true, .line = line, .column = 0, .message = std::move(message)});
  }
}

void Session::suspect(LayerRecord& layer, std::string_view rule, std::string message, std::uint32_t line) {
  const auto same = std::ranges::find_if(layer.findings, [&](const auto& found) { return found.rule == rule; });
  if (same == layer.findings.end()) {
    layer.findings.push_back(
        {.rule = std::string(rule), .rejects = false, .line = line, .column = 0, .message = std::move(message)});
  }
}

}  // namespace tritonrl::verify
