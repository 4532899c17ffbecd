#include "verify/session.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "analysis/torch_ops.h"
#include "base/error.h"

namespace tritonrl::verify {
namespace {

using base::Json;

// Tensors of no more elements than this may be handled on the host: sizes, strides, a scalar or two.
constexpr std::uint64_t kFewElements = 64;
// Sets of inputs that calls are timed on: the one of the task's own sizes, and another.
constexpr std::array<int, 2> kTimedSets = {0, -1};

class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds) {}
  ~Stopwatch() { seconds_ += std::chrono::duration<double>(Clock::now() - began_).count(); }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  Stopwatch(Stopwatch&&) = delete;
  Stopwatch& operator=(Stopwatch&&) = delete;

 private:
  double& seconds_;
  Clock::time_point began_ = Clock::now();
};

bool is_floating(std::string_view dtype) { return dtype.starts_with("float") || dtype == "bfloat16"; }

// Rules that say that a candidate is hostile or no honest one, whenever they are found.
bool about_behaviour(std::string_view rule) {
  return rule == "forbidden-call" || rule == "channel-forged" || rule == "background-work";
}

// Types that a kernel multiplies in, by its IR, narrower than fp32; empty: none.
std::string_view narrow_product(std::string_view ttir) {
  for (std::size_t at = ttir.find("tt.dot"); at != std::string_view::npos; at = ttir.find("tt.dot", at + 1)) {
    const std::string_view line = ttir.substr(at, ttir.find('\n', at) - at);
    for (const std::string_view type : {"f16", "bf16", "f8E4M3FN", "f8E5M2"}) {
      if (line.find(fmt::format("x{}> *", type)) != std::string_view::npos) return type;
    }
  }
  return {};
}

std::string sizes_text(const task::Variant& sizes) {
  if (sizes.empty()) return "the task's sizes";
  std::string text;
  for (const auto& dimension : sizes)
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", dimension.name, dimension.value);
  return text;
}

// The type of a 16-bit or narrower float that the kernel is given memory of; empty when there is none.
std::string narrow_pointer(const GuestKernel& kernel) {
  for (const auto& type : kernel.code.parameter_types) {
    const bool memory = type.element == ttir::Element::kPointer || type.element == ttir::Element::kDescriptor;
    if (memory && ttir::is_float(type.pointee) && ttir::bytes_of(type.pointee) < 4) return ttir::name_of(type.pointee);
  }
  return {};
}

}  // namespace

Session::Session(const task::Task& task, const analysis::ReferenceProfile& reference, Oracle& oracle,
                 GuestProcess& process, Compiler& compiler, const ttir::DeviceProfile& profile,
                 const SessionConfig& config)
    : task_(task),
      reference_(reference),
      oracle_(oracle),
      candidate_(process),
      compiler_(compiler),
      profile_(profile),
      config_(config),
      random_(config.seed, 1),
      plan_(plan_trials(task, config.depth, config.seed)) {}

void Session::examine(const std::string& code, const std::string& entry, Verdict& verdict) {
  if (compile(code, entry) == Next::kGoOn) {
    for (const Trial& trial : plan_.trials) {
      const auto guard = share_gpu();
      if (run(trial) == Next::kStop) break;
    }
  }
  correct_.evidence["trials"] = trials_run_;
  correct_.evidence["worst_error_in_spreads"] = worst_;
  correct_.evidence["worst_rms_in_spreads"] = worst_rms_;
  judge_compiled();
  if (!rejected() || !config_.stop_at_rejection) {
    const Stopwatch watch(speed_.seconds);
    verdict.speedup = config_.gate != nullptr ? measure_speed() : model_speed();
  }
  verdict.layers.push_back(compile_);
  if (called_) verdict.layers.push_back(correct_);
  if ((called_ && correct_.passed()) || !behaviour_.passed()) verdict.layers.push_back(behaviour_);
  if (verdict.speedup) verdict.layers.push_back(speed_);
  verdict.general = general_;
}

// Others may use the GPU too, but none may be timing something.
std::optional<gpu::Gate::Guard> Session::share_gpu() {
  if (config_.gate == nullptr) return std::nullopt;
  return config_.gate->share();
}

Session::Next Session::compile(const std::string& code, const std::string& entry) {
  const Stopwatch watch(compile_.seconds);
  // A process takes long to get its context on a GPU, and disturbs nobody's timing with it.
  candidate_.begin();
  const auto guard = share_gpu();
  if (const auto failure = candidate_.import(code, entry)) {
    fail(*failure, compile_);
    return Next::kStop;
  }
  threads_at_start_ = candidate_.process().threads();
  return Next::kGoOn;
}

// Nothing can be compared with a reference whose results depend on more than inputs and parameters.
void Session::require_function(const Oracle::Traits& traits) const {
  if (traits.repeats && !traits.random) return;
  throw base::InputError(task_.where,
                         traits.random
                             ? "the reference is random: its results depend on torch's random numbers"
                             : "the reference keeps state: a second call on the same inputs gives another result",
                         "its results must follow from its inputs and parameters alone");
}

// The reference's half of a trial: inputs, the module for their sizes, and what is right.
Session::Next Session::prepare(const Trial& trial, std::optional<OracleCase>& made,
                               std::optional<Expectation>& expected) {
  const Sizes& sizes = plan_.sizes[trial.sizes];
  const auto broken = [&](const Oracle::Broken& why) {
    if (trial.sizes == 0 && trial.distribution == "as-given") {
      throw base::InputError(task_.where, "the reference fails at its own sizes: " + why.message,
                             "mend the task: it must import, make its inputs and run on the CPU");
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
  if (!trial.poke) {
    if (constructed_ != trial.sizes) {
      if (const auto why = oracle_.add(static_cast<int>(trial.sizes), sizes.variant)) return broken(*why);
    }
    auto answer = oracle_.make(static_cast<int>(trial.sizes), next_seed(), trial.distribution);
    if (const auto* why = std::get_if<Oracle::Broken>(&answer)) return broken(*why);
    made = std::get<OracleCase>(std::move(answer));
    auto traits = oracle_.traits();
    if (const auto* why = std::get_if<Oracle::Broken>(&traits)) return broken(*why);
    require_function(std::get<Oracle::Traits>(traits));
  }
  if (made && constructed_ != trial.sizes) {
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
        general_ = false;
      }
      return Next::kStop;
    }
    constructed_ = trial.sizes;
  }
  if (made) {
    const Binding binding = candidate_.bind_state(*made);
    unbound_ = {binding.unbound.begin(), binding.unbound.end()};
    if (!binding.unbound.empty()) {
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
    auto answer = oracle_.poke(next_seed());
    if (const auto* why = std::get_if<Oracle::Broken>(&answer)) return broken(*why);
    inputs = std::get<OracleValues>(std::move(answer));
  } else {
    inputs = made->inputs;
  }
  auto answer = oracle_.expect(next_seed());
  if (const auto* why = std::get_if<Oracle::Broken>(&answer)) return broken(*why);
  expected = std::get<Expectation>(std::move(answer));
  if (!expected->finite && trial.distribution != "as-given") {
    return broken({"the reference is not finite on these inputs"});
  }
  if (const auto failure = candidate_.set_inputs(static_cast<int>(trial.sizes), inputs, trial.fresh_memory)) {
    fail(*failure, correct_);
    return Next::kStop;
  }
  if (trial.sizes == 0 && made) {
    all_single_ = std::ranges::all_of(
                      expected->results,
                      [](const auto& result) { return !is_floating(result.dtype) || result.dtype == "float32"; }) &&
                  std::ranges::all_of(made->inputs.tensors, [](const auto& tensor) {
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
      general_ = false;
      trials_run_.push_back({{"sizes", sizes_text(plan_.sizes[trial.sizes].variant)},
                             {"distribution", trial.distribution},
                             {"outcome", failure->rule + ": " + failure->message}});
      return Next::kStop;
    }
    if (trace.step_budget_spent) {
      reject(correct_, "step-limit", "a launch did not end within its budget of operations");
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

Session::Next Session::judge_call(const Trial& trial, const CallResult& result, const Expectation& expected) {
  DeviceTrace trace = candidate_.process().device().take_trace();
  if (!trace.unsupported.empty()) {
    throw base::HostError("the executor lacks what the candidate needs: " + trace.unsupported);
  }
  if (!listed(trial)) {
    LayerRecord apart;
    std::swap(apart, correct_);
    judge_outputs(trial, result, expected);
    std::swap(apart, correct_);
    const auto found = std::ranges::find_if(trace.findings, &DeviceFinding::error);
    if (found != trace.findings.end()) reject(apart, found->rule, found->message);
    general_ = general_.value_or(true) && apart.passed();
    if (general_.value()) return Next::kGoOn;
    trials_run_.push_back({{"sizes", sizes_text(plan_.sizes[trial.sizes].variant)},
                           {"distribution", trial.distribution},
                           {"outcome", apart.findings.front().rule + ": " + apart.findings.front().message}});
    return Next::kStop;
  }
  if (trace.step_budget_spent) reject(correct_, "step-limit", "a launch did not end within its budget of operations");
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
  if (trial.sizes == 0 && !trial.poke && !trial.fresh_memory && !timed_) {
    start_compiling(trace);
    timed_ = std::move(trace);
  }
  return Next::kGoOn;
}

void Session::judge_outputs(const Trial& trial, const CallResult& result, const Expectation& expected) {
  if (result.structure != expected.structure || result.outputs.size() != expected.results.size()) {
    reject(correct_, "wrong-structure", "the outputs are not nested as the reference's are");
    return;
  }
  for (std::size_t n = 0; n < result.outputs.size(); ++n) {
    const auto& output = result.outputs[n];
    if (!output.exact_type) {
      reject(behaviour_, "tensor-subclass",
             "an output is a subclass of torch.Tensor, which may compute when it is read");
    }
    if (!output.on_device) {
      reject(correct_, "wrong-device", "an output lies on the CPU");
      continue;
    }
    const auto report = candidate_.process().device().memory().compare(output.view, expected.results[n]);
    worst_ = std::max(worst_, std::isfinite(report.worst) ? report.worst : worst_);
    if (output.view.elements() >= 32) worst_rms_ = std::max(worst_rms_, report.rms);
    if (!report.mismatch) continue;
    const bool state_differs = !unbound_.empty() && report.mismatch->rule == "wrong-result";
    const std::string where = fmt::format("{}, inputs {}: output {}", sizes_text(plan_.sizes[trial.sizes].variant),
                                          trial.poke ? "with one element changed" : trial.distribution, n);
    if (state_differs) {
      reject(compile_, "parameters-unmatched",
             fmt::format("the candidate has no parameter to hold {} of the reference, and its results differ ({}: {})",
                         fmt::join(unbound_, ", "), where, report.mismatch->message));
    } else {
      reject(correct_, report.mismatch->rule, where + ": " + report.mismatch->message);
    }
    return;
  }
}

void Session::judge_ghost(const CallResult& result, const Expectation& expected) {
  if (result.structure != expected.structure || result.outputs.size() != expected.results.size()) return;
  GuestDevice& device = candidate_.process().device();
  for (std::size_t n = 0; n < result.outputs.size(); ++n) {
    const auto& output = result.outputs[n];
    if (!output.on_device || output.bytes == 0) continue;
    if (device.undefined(output.address, output.bytes)) return;
    if (device.memory().compare(output.view, expected.results[n]).mismatch) return;
  }
  reject(behaviour_, "kernel-result-unused",
         "the output is right even when no kernel does anything: the work is done elsewhere");
}

void Session::judge_memory(const CallResult& result, const Expectation& expected) {
  GuestDevice& device = candidate_.process().device();
  for (const auto& output : result.outputs) {
    if (!output.on_device || output.bytes == 0) continue;
    if (!expected.aliases_input && candidate_.overlaps_inputs(output.address)) {
      reject(behaviour_, "output-aliases-input", "an output lies in the memory of an input or a parameter");
    }
    // Gaps between the elements of a strided output may well be unwritten.
    if (output.bytes ==
            static_cast<std::uint64_t>(output.view.elements()) * item_bytes(output.view.dtype).value_or(1) &&
        device.undefined(output.address, output.bytes)) {
      reject(behaviour_, "unwritten-output", "bytes of an output were never written");
    }
  }
}

void Session::judge_trace(const DeviceTrace& trace) {
  if (trace.launches.empty()) reject(behaviour_, "no-launch", "no Triton kernel was launched in this call");
  judge_operators(trace);
  if (!all_single_) return;
  for (const auto& launch : trace.launches) {
    if (const std::string narrow = narrow_pointer(*launch.kernel); !narrow.empty()) {
      reject(correct_, "precision-downgrade",
             fmt::format("{} keeps numbers in {} where the task has fp32", launch.kernel->name, narrow));
      return;
    }
    // A GPU counts no operations.
    if (const auto type = narrow_product(launch.kernel->text); config_.gate != nullptr && !type.empty()) {
      reject(correct_, "precision-downgrade",
             fmt::format("{} multiplies in {} what the task has in fp32", launch.kernel->name, type));
      return;
    }
    for (const auto& [operation, count] : launch.cost.operations) {
      if (count > 0 && (operation == "dot f16" || operation == "dot bf16" || operation.starts_with("dot f8"))) {
        reject(correct_, "precision-downgrade",
               fmt::format("{} multiplies in {} what the task has in fp32", launch.kernel->name, operation.substr(4)));
        return;
      }
    }
  }
}

void Session::judge_operators(const DeviceTrace& trace) {
  for (const auto& op : trace.operators) {
    const auto known = analysis::find_torch_op("torch.ops.aten." + op.name);
    const auto cls = known ? known->cls : analysis::OpClass::kCompute;
    if (op.detail.to_host != 0 && op.detail.elements > kFewElements) {
      reject(behaviour_, "host-compute", fmt::format("{} elements are copied to the CPU", op.detail.elements));
      return;
    }
    if (op.detail.on_host != 0) {
      if (cls == analysis::OpClass::kCompute && op.detail.elements > kFewElements) {
        reject(behaviour_, "host-compute", fmt::format("torch computes on the CPU: {}", op.name));
        return;
      }
      continue;
    }
    const bool core = reference_.main_operators.contains(analysis::operator_family(op.name));
    const bool forbidden =
        config_.policy == analysis::Policy::kStrict || (config_.policy == analysis::Policy::kCore && core);
    if (cls == analysis::OpClass::kCompute && forbidden) {
      reject(behaviour_, "torch-compute", fmt::format("torch computes in the call: {}", op.name));
      return;
    }
    if (cls == analysis::OpClass::kCopy && reference_.only_moves_data && op.detail.elements > kFewElements) {
      reject(behaviour_, "copy-counts", fmt::format("the task only moves data, and torch moves it: {}", op.name));
      return;
    }
  }
}

void Session::judge_findings(const DeviceTrace& trace) {
  for (const auto& finding : trace.findings) {
    const std::string message =
        finding.kernel.empty() ? finding.message : fmt::format("{}: {}", finding.kernel, finding.message);
    if (finding.error) {
      reject(behaviour_, finding.rule == "step-budget" ? "step-limit" : finding.rule, message, finding.line);
    } else {
      suspect(behaviour_, finding.rule, message, finding.line);
    }
  }
}

void Session::judge_kept_outputs() {
  GuestDevice& device = candidate_.process().device();
  for (const Kept& kept : kept_) {
    const std::byte* now = device.at(kept.address, kept.bytes.size);
    if (now != nullptr && !device.memory().same(now, kept.bytes)) {
      reject(behaviour_, "output-overwritten", "what an earlier call returned changed in a later one");
      kept_.clear();
      return;
    }
  }
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
  if (!timed_ || timed_->launches.empty()) return std::nullopt;
  auto made = oracle_.make(0, next_seed(), "as-given");
  if (std::holds_alternative<Oracle::Broken>(made)) return std::nullopt;
  auto traced = oracle_.trace();
  if (std::holds_alternative<Oracle::Broken>(traced)) return std::nullopt;
  const SpeedModel model = speed_model();
  const ModelledCall reference = model.as_counted(std::get<DeviceTrace>(traced));
  const ModelledCall candidate = model.as_counted(*timed_);
  Speedup speedup;
  speedup.reference_us = reference.us;
  speedup.candidate_us = candidate.us;
  speedup.value = speedup.low = speedup.high = speedup.reference_us / speedup.candidate_us;
  speed_.evidence = {{"launches", timed_->launches.size()},
                     {"operators", timed_->operators.size()},
                     {"candidate", candidate.evidence},
                     {"reference", reference.evidence}};
  return speedup;
}

// On two sets of inputs, so that no call is the one before it again; every output is looked at.
std::optional<Speedup> Session::measure_speed() {
  if (!timed_) return std::nullopt;
  auto guard = share_gpu();
  std::optional<OracleCase> made;
  std::vector<Expectation> expected(2);
  std::optional<Expectation> first;
  if (prepare({}, made, first) == Next::kStop) return std::nullopt;
  expected[0] = *std::move(first);
  if (oracle_.hold(0)) return std::nullopt;
  auto inputs = oracle_.redraw(next_seed());
  if (std::holds_alternative<Oracle::Broken>(inputs)) return std::nullopt;
  auto second = oracle_.expect(next_seed());
  if (std::holds_alternative<Oracle::Broken>(second) || oracle_.hold(1)) return std::nullopt;
  expected[1] = std::get<Expectation>(std::move(second));
  if (const auto failure = candidate_.set_inputs(kTimedSets[1], std::get<OracleValues>(inputs), true)) {
    fail(*failure, correct_);
    return std::nullopt;
  }
  guard.reset();
  guard = config_.gate->alone();
  const auto timings = time_in_turn(expected);
  oracle_.let_go();
  if (!timings) return std::nullopt;
  speed_.evidence["runs"] = timings->candidate_us.size();
  base::Random random(config_.seed, 2);
  return measured_speedup(*timings, random);
}

std::optional<Timings> Session::time_in_turn(const std::vector<Expectation>& expected) {
  const auto reference = oracle_.time(0);
  if (std::holds_alternative<Oracle::Broken>(reference)) return std::nullopt;
  const TimingPlan plan = TimingPlan::for_reference(std::get<double>(reference));
  Timings timings;
  std::vector<LaunchRecord> usual;
  for (int n = 0; n < plan.warm_ups + plan.runs; ++n) {
    const int slot = n % 2;
    const auto reference_us = oracle_.time(slot);
    std::vector<LaunchRecord> launches;
    const auto candidate_us =
        time_candidate(kTimedSets[static_cast<std::size_t>(slot)], expected[static_cast<std::size_t>(slot)], launches);
    if (std::holds_alternative<Oracle::Broken>(reference_us) || !candidate_us) return std::nullopt;
    if (n < plan.warm_ups) continue;
    timings.reference_us.push_back(std::get<double>(reference_us));
    timings.candidate_us.push_back(*candidate_us);
    const auto same = [](const LaunchRecord& a, const LaunchRecord& b) {
      return a.kernel == b.kernel && a.grid == b.grid;
    };
    if (n > plan.warm_ups && !std::ranges::equal(usual, launches, same)) {
      reject(behaviour_, "call-state", "calls on inputs of the same sizes launch different kernels");
      return std::nullopt;
    }
    usual = std::move(launches);
  }
  return timings;
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

void Session::fail(const GuestFailure& failure, LayerRecord& layer) {
  out_of_time_ = out_of_time_ || failure.out_of_time;
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
