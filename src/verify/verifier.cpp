#include "verify/verifier.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "analysis/response.h"
#include "analysis/rule.h"
#include "base/digest.h"
#include "base/error.h"
#include "gpu/context.h"
#include "gpu/gate.h"
#include "sandbox/facilities.h"
#include "sandbox/fork_server.h"
#include "verify/admission.h"
#include "verify/code_digest.h"
#include "verify/compiler.h"
#include "verify/cuda_arena.h"
#include "verify/cuda_device.h"
#include "verify/cuda_memory.h"
#include "verify/executor_device.h"
#include "verify/guest_process.h"
#include "verify/idle_references.h"
#include "verify/oracle.h"
#include "verify/reference_times.h"
#include "verify/secret.h"
#include "verify/session.h"
#include "verify/stand_in.h"
#include "verify/stopwatch.h"
#include "verify/task_queue.h"
#include "verify/timing_processes.h"
#include "verify/verdict.h"
#include "verify/verdict_cache.h"

namespace tritonrl::verify {
namespace {

using base::Json;

constexpr std::uint64_t kArenaBytes = std::uint64_t{1} << 30;
constexpr std::uint64_t kMostArenaBytes = std::uint64_t{16} << 30U;  // on a GPU
// References that wait, each a process: those of the tasks in a step of training.
constexpr std::size_t kMostIdle = 24;
// Of what guests have of a GPU's memory: for one candidate and its reference, to which the share of a job is too
// little.
constexpr double kForOne = 0.2;
constexpr int kTries = 3;
constexpr std::chrono::milliseconds kPause{500};  // before the next
constexpr double kAlone = 1.5;                    // times as long for a candidate that is tried alone

Stage stage_of(analysis::Layer layer) {
  return layer == analysis::Layer::kSyntax ? Stage::kSyntax : Stage::kFunctionality;
}

LayerRecord layer_of(const analysis::LayerReport& report) {
  LayerRecord layer{.stage = stage_of(report.layer), .seconds = report.seconds};
  for (const auto& finding : report.findings) {
    layer.findings.push_back({.rule = std::string(finding.rule),
                              .rejects = finding.severity == analysis::Severity::kReject,
                              .line = static_cast<std::uint32_t>(finding.where.line),
                              .column = static_cast<std::uint32_t>(finding.where.column),
                              .message = finding.message});
  }
  return layer;
}

// What the task is, for seeds and keys: not where it lies.
std::string task_key(const task::Task& task) { return base::sha256_hex(task::task_row(task)); }

std::string version_of(const std::filesystem::path& python, std::string_view package) {
  const std::string command =
      fmt::format("'{}' -c 'import importlib.metadata as m; print(m.version(\"{}\"), end=\"\")' 2>/dev/null",
                  python.string(), package);
  struct Close {
    void operator()(std::FILE* file) const { pclose(file); }
  };
  const std::unique_ptr<std::FILE, Close> pipe(popen(command.c_str(), "r"));
  std::array<char, 64> buffer{};
  if (!pipe || std::fgets(buffer.data(), buffer.size(), pipe.get()) == nullptr) return "unknown";
  return buffer.data();
}

// "full", or what the kernel lacks: "without net namespaces, Landlock".
std::string sandbox_text() {
  std::string lacking;
  for (const std::string& missing : sandbox::facilities().missing()) {
    lacking += (lacking.empty() ? "without " : ", ") + missing.substr(0, missing.find(':'));
  }
  return lacking.empty() ? "full" : lacking;
}

bool on_gpu(const VerifierConfig& config) { return config.device == "cuda"; }

// Whether guests import another torch than their Python's.
bool own_torch(const VerifierConfig& config) { return !on_gpu(config) && !config.cpu_torch.empty(); }

sandbox::ForkServerConfig server_config(const VerifierConfig& config) {
  return {
      .python = config.python,
      .harness = config.harness,
      .library = config.libraries / "libtritonrl_sandbox.so",
      .import_from = own_torch(config) ? std::vector<std::filesystem::path>{config.cpu_torch}
                                       : std::vector<std::filesystem::path>{},
      .warm_up = on_gpu(config) ? "tritonrl_harness.cuda_guest:preload" : "tritonrl_harness.serving:preload",
      // Tensors are taken from the heap and stay there: fresh pages for every result cost more than most arithmetic.
      .environment = {{"OMP_NUM_THREADS", "1"},
                      {"MALLOC_MMAP_THRESHOLD_", "67108864"},
                      {"MALLOC_TRIM_THRESHOLD_", "268435456"},
                      {"FBGEMM_NO_ASMJIT", "1"},  // code that an embedding bag writes at run time the sandbox forbids
                      {"TRITONRL_BUILD_DIR", config.libraries.parent_path().string()}},
      .enforcement = config.enforcement};
}

// What workers share of a GPU.
struct CudaParts {
  CudaParts(const gpu::Context& given, const VerifierConfig& config, Compiler& compiler)
      : context(given),
        memory(context, compiler),
        gate(context.device()),
        // A worker's candidate is killed while the next one starts; its reference stays for a while, and computes in
        // fp64. Contexts take memory too.
        candidates(context.device(), arena_bytes(context, config, of_candidate(config)), candidate_arenas(config)),
        references(context.device(), arena_bytes(context, config, of_reference(config)), reference_arenas(config)),
        large_candidate(context.device(), arena_bytes(context, config, std::max(kForOne / 4, of_candidate(config))), 1),
        large_reference(context.device(), arena_bytes(context, config, std::max(kForOne * 3 / 4, of_reference(config))),
                        1) {}

  static std::uint64_t arena_bytes(const gpu::Context& context, const VerifierConfig& config, double part) {
    const double share = config.memory_share * static_cast<double>(context.memory_bytes());
    return std::min(static_cast<std::uint64_t>(share * part), kMostArenaBytes) >> 21U << 21U;
  }
  static std::size_t candidate_arenas(const VerifierConfig& config) { return std::size_t{2} * config.jobs; }
  static std::size_t reference_arenas(const VerifierConfig& config) { return config.jobs + timing_processes(config); }
  // Beside those of workers: pairs, since a short reference wants two more.
  static std::size_t timing_processes(const VerifierConfig& config) { return std::size_t{2} * ((config.jobs + 3) / 4); }
  // The part of one guest's.
  static double of_candidate(const VerifierConfig& config) {
    return (1 - kForOne) / static_cast<double>(candidate_arenas(config) + 3 * reference_arenas(config));
  }
  static double of_reference(const VerifierConfig& config) { return 3 * of_candidate(config); }

  const gpu::Context& context;
  CudaMemory memory;
  gpu::Gate gate;
  CudaArenas candidates;
  CudaArenas references;
  std::mutex large;  // for one worker at a time
  CudaArenas large_candidate;
  CudaArenas large_reference;

  std::shared_ptr<ReferenceTimes> reference_times(const std::string& task_key) {
    const std::scoped_lock lock(times_mutex_);
    auto& times = times_[task_key];
    if (!times) times = std::make_shared<ReferenceTimes>();
    return times;
  }

 private:
  std::mutex times_mutex_;
  std::map<std::string, std::shared_ptr<ReferenceTimes>> times_;  // by the task's key
};

}  // namespace

// What workers share.
struct VerifierParts {
  explicit VerifierParts(VerifierConfig given)
      : config(std::move(given)),
        secret(Secret::load(config.secret)),
        profile(ttir::device_profile(config.profile)),
        server(server_config(config)),
        context(on_gpu(config) ? std::make_unique<const gpu::Context>(0) : nullptr),
        compiler({.python = config.python,
                  .harness = config.harness,
                  .architecture = context ? context->architecture() : profile.architecture,
                  .shared_bytes =
                      context ? context->shared_bytes() : static_cast<std::uint64_t>(profile.shared_memory_bytes),
                  .processes = config.jobs}),
        idle({.most_open = config.depth == Depth::kTrain && !on_gpu(config) ? kMostIdle : 0,
              .most_processes = on_gpu(config) ? config.jobs : 0}) {
    if (config.cache) cache.emplace(*config.cache);
    if (on_gpu(config)) {
      cuda = std::make_unique<CudaParts>(*context, config, compiler);
      timing = std::make_unique<TimingProcesses>(CudaParts::timing_processes(config),
                                                 [this] { return start_reference(false); });
    }
    provenance = {{"tritonrl", config.version},
                  {"rules", analysis::rules_version()},
                  {"layers", kCodeDigest.substr(0, 12)},
                  {"policy", analysis::policy_name(config.policy)},
                  {"depth", depth_name(config.depth)},
                  {"entry", config.entry},
                  {"torch", version_of(config.python, "torch")},
                  {"triton", version_of(config.python, "triton")},
                  {"profile", config.profile},
                  {"sandbox", sandbox_text()}};
  }

  GuestConfig guest_config(std::string entry, bool oracle, double patience) const {
    sandbox::Policy policy = sandbox::Policy::deny_all();
    for (const auto& path : sandbox::python_paths(config.python, config.harness)) policy.allow_read(path);
    if (own_torch(config)) policy.allow_read(config.cpu_torch);
    policy.allow_read(config.libraries).allow_code_loading().enforce(config.enforcement);
    if (cuda) policy.allow_gpu(cuda->context.device());
    sandbox::Limits limits;
    limits.wall_s = 24 * 3600.0;  // deadlines that do not count waiting for a core come first
    limits.cpu_s = oracle ? 24 * 3600.0 : 2 * config.command_seconds;
    policy.limits(limits);
    GuestConfig guest{.entry = std::move(entry), .policy = std::move(policy)};
    guest.command_seconds = oracle ? config.reference_seconds : config.command_seconds * patience;
    if (!oracle) guest.total_seconds = 10 * config.command_seconds * patience;
    return guest;
  }

  std::unique_ptr<GuestDevice> make_device(bool oracle, bool large) {
    if (cuda) {
      auto& of_reference = large ? cuda->large_reference : cuda->references;
      auto& of_candidate = large ? cuda->large_candidate : cuda->candidates;
      return std::make_unique<CudaDevice>(oracle ? of_reference : of_candidate, cuda->memory, compiler, !oracle);
    }
    ttir::LaunchOptions launch;
    launch.step_budget = std::uint64_t{1} << 34U;
    return std::make_unique<ExecutorDevice>(kArenaBytes, profile, launch, compiler);
  }

  std::unique_ptr<GuestProcess> start_reference(bool large) {
    return std::make_unique<GuestProcess>(server, guest_config("tritonrl_harness.oracle:main", true, 1.0),
                                          make_device(true, large));
  }

  std::uint64_t seed(const std::string& task_key, std::string_view code_sha256) const {
    return secret.seed(config.draw.empty() ? task_key : config.draw + "\n" + task_key, code_sha256);
  }

  // A verdict that cannot be kept is a verdict still.
  void keep(const std::string& key, const Json& verdict) {
    if (!cache) return;
    try {
      cache->store(key, verdict);
    } catch (const base::HostError& error) {
      const std::scoped_lock lock(cache_mutex);
      if (cache_failure.empty()) cache_failure = error.what();
    }
  }

  void count(double seconds, bool from_cache) {
    const std::scoped_lock lock(costs_mutex);
    ++costs.judged;
    costs.from_cache += from_cache ? 1 : 0;
    costs.seconds += seconds;
  }

  VerifierConfig config;
  Secret secret;
  ttir::DeviceProfile profile;
  sandbox::ForkServer server;
  std::unique_ptr<const gpu::Context> context;  // where there is a GPU
  Compiler compiler;
  std::unique_ptr<CudaParts> cuda;          // likewise
  std::unique_ptr<TimingProcesses> timing;  // likewise
  IdleReferences idle;
  std::optional<VerdictCache> cache;
  Json provenance;
  std::shared_mutex machine;  // held alone by a candidate that must not share the machine
  std::mutex cache_mutex;
  std::string cache_failure;  // the first
  std::mutex costs_mutex;
  VerifierCosts costs;
};

namespace {

// One worker: judges candidates one after the other, and keeps the reference's process for the next of the same task.
class Worker {
 public:
  explicit Worker(VerifierParts& parts) : parts_(parts) {
    if (parts_.cuda) parts_.cuda->context.make_current();
  }
  ~Worker() { parts_.idle.put(std::move(reference_)); }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  Json judge(const Candidate& candidate) {
    double seconds = 0;
    from_cache_ = false;
    Json judged;
    {
      const Stopwatch watch(seconds);
      judged = with_retries([&] { return judge_once(candidate); });
    }
    parts_.count(seconds, from_cache_);
    if (judged.contains("error")) {
      judged["task"] = candidate.task->id;
      judged["sample"] = candidate.sample;
    }
    return judged;
  }

  Json admit(const std::shared_ptr<const task::Task>& task) {
    return look_at_reference(task, [&] {
      return admission_json(
          verify::admit(*task, oracle(), parts_.secret.seed(reference_.key, "admission"), in_place_of_own_sizes()));
    });
  }

  Json survey(const SurveyRequest& request) {
    Json report = look_at_reference(request.task, [&] {
      return verify::survey(request, oracle(), parts_.secret.seed(reference_.key, "admission"),
                            in_place_of_own_sizes());
    });
    if (report.contains("error")) report["task"] = request.task->id;
    return report;
  }

 private:
  // The large arenas of the GPU are this worker's as long as it lives.
  class MoreMemory {
   public:
    explicit MoreMemory(Worker& worker) : worker_(worker), large_(worker.parts_.cuda->large) { begin_again(true); }
    ~MoreMemory() { begin_again(false); }
    MoreMemory(const MoreMemory&) = delete;
    MoreMemory& operator=(const MoreMemory&) = delete;
    MoreMemory(MoreMemory&&) = delete;
    MoreMemory& operator=(MoreMemory&&) = delete;

   private:
    void begin_again(bool large) {
      worker_.reference_.oracle.reset();
      worker_.large_ = large;
    }

    Worker& worker_;
    std::scoped_lock<std::mutex> large_;
  };

  // Work that says what it had too little of is done again: with more of the GPU's memory, or with the machine to
  // itself.
  using Work = std::function<Shortage(double patience)>;
  void with_all_it_needs(const Work& work) {
    auto missing = beside_others(work);
    std::optional<MoreMemory> more;
    if (missing == Shortage::kMemory) {
      more.emplace(*this);
      missing = beside_others(work);
    }
    if (missing == Shortage::kTime) {
      const std::unique_lock machine(parts_.machine);
      work(kAlone);
    }
  }

  Shortage beside_others(const Work& work) {
    const std::shared_lock machine(parts_.machine);
    try {
      return work(1.0);
    } catch (const ShortOfMemory&) {
      return Shortage::kMemory;
    }
  }

  Json look_at_reference(const std::shared_ptr<const task::Task>& task, const std::function<Json()>& look) {
    return with_retries([&] {
      Json seen;
      with_all_it_needs([&](double /*patience*/) {
        try {
          use_task(task);
          seen = look();
        } catch (const base::InputError& error) {
          seen = admission_json({.task = task->id, .reason = "broken", .message = error.what()});
        }
        return Shortage::kNone;
      });
      return seen;
    });
  }

  Json with_retries(const std::function<Json()>& work) {
    for (int left = kTries; left > 0; --left) {
      try {
        return work();
      } catch (const base::InputError& error) {
        return failure(error.what(), base::Retry::kNo, "task");
      } catch (const ExecutorLimit& error) {
        reference_.oracle.reset();
        return failure(error.what(), base::Retry::kNo, "executor");
      } catch (const base::HostError& error) {
        reference_.oracle.reset();
        if (left > 1 && error.retryable()) {
          parts_.idle.close_processes();  // a GPU's memory may be what is short
          std::this_thread::sleep_for(kPause);
          continue;
        }
        return failure(error.what(), error.retryable() ? base::Retry::kYes : base::Retry::kNo, "machine");
      } catch (const Json::exception& error) {
        reference_.oracle.reset();
        return failure(fmt::format("a process of the harness said what makes no sense: {}", error.what()),
                       base::Retry::kYes, "machine");
      }
    }
    base::bug("every try ends in a return");
  }

  static Json failure(std::string_view message, base::Retry retry, std::string_view fault) {
    return {{"schema", 1}, {"error", message}, {"retryable", retry == base::Retry::kYes}, {"fault", fault}};
  }

  Json judge_once(const Candidate& candidate) {
    use_task(candidate.task);
    const auto code = code_of(candidate);
    Verdict verdict{.task = candidate.task->id,
                    .sample = candidate.sample,
                    .code_sha256 = base::sha256_hex(code.value_or("")),
                    .device = parts_.config.device,
                    .provenance = parts_.provenance};
    const std::string key = cache_key(verdict.code_sha256, candidate);
    if (parts_.cache) {
      if (auto known = parts_.cache->find(key)) {
        from_cache_ = true;
        (*known)["sample"] = candidate.sample;
        return *std::move(known);
      }
    }
    if (parts_.config.static_layers) examine_source(candidate, verdict);
    const bool hostile = !verdict.accepted() && parts_.config.stop_at_rejection;
    if (code && !hostile && (verdict.layers.empty() || verdict.layers.front().passed())) run(*code, verdict);
    Json json = verdict_json(verdict);
    parts_.keep(key, json);
    return json;
  }

  void use_task(const std::shared_ptr<const task::Task>& task) {
    if (reference_.task == task) return;
    parts_.idle.put(std::exchange(reference_, {}));
    if (auto open = parts_.idle.take(task)) {
      reference_ = *std::move(open);
      return;
    }
    const std::string reference_key = task_key(*task);
    reference_ = {.key = reference_key,
                  .task = task,
                  .profile = analysis::profile_reference(task->source),
                  .stand_ins = std::nullopt,
                  .oracle = nullptr,
                  .times = parts_.cuda ? parts_.cuda->reference_times(reference_key) : nullptr};
  }

  std::optional<std::string> code_of(const Candidate& candidate) const {
    if (!candidate.response) return candidate.text;
    const auto split = analysis::split_response(candidate.text, parts_.config.entry);
    return split.code ? std::optional<std::string>(split.code->of(candidate.text)) : std::nullopt;
  }

  std::string cache_key(const std::string& code_sha256, const Candidate& candidate) const {
    return base::sha256_hex(
        base::json_line({reference_.key, code_sha256, candidate.response, parts_.provenance, parts_.config.device,
                         parts_.config.static_layers, parts_.config.stop_at_rejection, parts_.config.command_seconds,
                         parts_.secret.fingerprint() + parts_.config.draw}));
  }

  void examine_source(const Candidate& candidate, Verdict& verdict) const {
    const analysis::CheckOptions options{
        .entry = parts_.config.entry, .policy = parts_.config.policy, .reference = &reference_.profile};
    const auto report = candidate.response ? analysis::check_response(candidate.text, options)
                                           : analysis::check_source(candidate.text, options);
    for (const auto& layer : report.layers) verdict.layers.push_back(layer_of(layer));
  }

  void run(const std::string& code, Verdict& verdict) {
    const auto run_at = [&, before = verdict](const std::vector<task::Variant>& stand_ins) {
      with_all_it_needs([&](double patience) {
        verdict = before;
        return run_layers(code, verdict, patience, stand_ins);
      });
    };
    run_at(stand_ins());
    if (parts_.cuda || stand_ins().empty() || !is_wrong_at_once(verdict)) return;
    const auto known = own_size_in(code, *reference_.task, stand_ins().front());
    if (!known) return;
    if (!can_run_own_sizes(oracle())) {
      throw ExecutorLimit(
          fmt::format("time for the task's own sizes. At {}, which stand in for them, it is wrong ({}: {}); but it may "
                      "know the own ones only, as "
                      "there is {} in its source: judge it on a GPU, or write it for any size",
                      sizes_text(stand_ins().front()), verdict.reason()->rule, verdict.reason()->message, *known));
    }
    run_at({});
  }

  // In the first call already, as a kernel is that was written for other sizes.
  static bool is_wrong_at_once(const Verdict& verdict) {
    if (verdict.accepted()) return false;
    for (const auto& layer : verdict.layers) {
      if (layer.evidence.contains("trials") && layer.evidence.at("trials").size() > 1) return false;
    }
    return !verdict.passed(Stage::kCompile).value_or(true) || !verdict.passed(Stage::kCorrect).value_or(true) ||
           verdict.reason()->rule == "out-of-bounds";
  }

  // Those that run it.
  Shortage run_layers(const std::string& code, Verdict& verdict, double patience,
                      const std::vector<task::Variant>& stand_ins) {
    CandidateProcess process([&parts = parts_, patience, large = large_] {
      return std::make_unique<GuestProcess>(parts.server,
                                            parts.guest_config("tritonrl_harness.guest:main", false, patience),
                                            parts.make_device(false, large));
    });
    Session session(*reference_.task, reference_.profile, oracle(), std::move(process), parts_.compiler, parts_.profile,
                    {.depth = parts_.config.depth,
                     .policy = parts_.config.policy,
                     .stop_at_rejection = parts_.config.stop_at_rejection,
                     .seed = parts_.seed(reference_.key, verdict.code_sha256),
                     .shared_seed = shared_seed(),
                     .gpu = gpu_timing(),
                     .stand_ins = stand_ins});
    session.examine({.code = code, .entry = parts_.config.entry}, verdict);
    return session.shortage();
  }

  std::optional<GpuTiming> gpu_timing() {
    if (!parts_.cuda) return std::nullopt;
    return GpuTiming{
        .gate = &parts_.cuda->gate, .reference_times = reference_.times.get(), .others = parts_.timing.get()};
  }

  // In training many candidates of a task are judged one after the other; on a GPU their cases would fill its memory.
  std::optional<std::uint64_t> shared_seed() const {
    if (parts_.config.depth != Depth::kTrain || parts_.cuda) return std::nullopt;
    return parts_.seed(reference_.key, "inputs that candidates share");
  }

  // A GPU runs every task at its own sizes.
  std::vector<task::Variant> in_place_of_own_sizes() {
    return parts_.cuda ? std::vector<task::Variant>{} : stand_ins();
  }

  const std::vector<task::Variant>& stand_ins() {
    if (!reference_.stand_ins) reference_.stand_ins = verify::stand_ins(*reference_.task, oracle());
    return *reference_.stand_ins;
  }

  Oracle& oracle() {
    if (!reference_.oracle) {
      // A share of a GPU: to run out of it is not the reference's fault, as there is more to be had.
      const bool share = parts_.cuda && !large_;
      const auto start = [&parts = parts_, large = large_] { return parts.start_reference(large); };
      reference_.oracle = std::make_unique<Oracle>(start, *reference_.task, share);
      if (share) reference_.oracle->adopt(parts_.idle.take_process());
    }
    return *reference_.oracle;
  }

  VerifierParts& parts_;
  OpenReference reference_;
  bool from_cache_ = false;  // the verdict at hand
  bool large_ = false;       // its guests have the large arenas
};

// Results in the order of the candidates, whatever the order in which they come.
class InOrder {
 public:
  explicit InOrder(const std::function<void(std::size_t, const Json&)>& tell) : tell_(tell) {}

  void add(std::size_t index, Json result) {
    const std::scoped_lock lock(mutex_);
    waiting_.emplace(index, std::move(result));
    for (auto first = waiting_.begin(); first != waiting_.end() && first->first == next_; first = waiting_.begin()) {
      tell_(next_++, first->second);
      waiting_.erase(first);
    }
  }

 private:
  const std::function<void(std::size_t, const Json&)>& tell_;
  std::mutex mutex_;
  std::map<std::size_t, Json> waiting_;
  std::size_t next_ = 0;
};

}  // namespace

Verifier::Verifier(VerifierConfig config) : parts_(std::make_unique<VerifierParts>(std::move(config))) {}
Verifier::~Verifier() = default;

VerifierCosts Verifier::costs() const {
  const std::scoped_lock lock(parts_->costs_mutex);
  return parts_->costs;
}

std::string Verifier::cache_failure() const {
  const std::scoped_lock lock(parts_->cache_mutex);
  return parts_->cache_failure;
}

namespace {

// Workers take what is next for them until nothing is left. `tasks`: of each piece of work.
void share_out(VerifierParts& parts, const std::vector<TaskQueue::TaskId>& tasks,
               const std::function<Json(Worker&, std::size_t)>& work,
               const std::function<void(std::size_t, const Json&)>& tell) {
  InOrder results(tell);
  TaskQueue queue(tasks);
  const auto take_turns = [&] {
    Worker worker(parts);
    TaskQueue::TaskId last = nullptr;
    while (const auto n = queue.next(last)) {
      last = tasks[*n];
      results.add(*n, work(worker, *n));
    }
  };
  const std::size_t workers = std::clamp<std::size_t>(parts.config.jobs, 1, std::max<std::size_t>(tasks.size(), 1));
  std::vector<std::jthread> threads;
  for (std::size_t n = 1; n < workers; ++n) threads.emplace_back(take_turns);
  take_turns();
}

}  // namespace

void Verifier::judge(const std::vector<Candidate>& candidates,
                     const std::function<void(std::size_t, const Json&)>& tell) {
  std::vector<TaskQueue::TaskId> of;
  of.reserve(candidates.size());
  for (const auto& candidate : candidates) of.push_back(candidate.task.get());
  share_out(*parts_, of, [&](Worker& worker, std::size_t n) { return worker.judge(candidates[n]); }, tell);
}

void Verifier::admit(const std::vector<std::shared_ptr<const task::Task>>& tasks,
                     const std::function<void(std::size_t, const Json&)>& tell) {
  std::vector<TaskQueue::TaskId> of;
  of.reserve(tasks.size());
  for (const auto& task : tasks) of.push_back(task.get());
  share_out(*parts_, of, [&](Worker& worker, std::size_t n) { return worker.admit(tasks[n]); }, tell);
}

void Verifier::survey(const std::vector<SurveyRequest>& requests,
                      const std::function<void(std::size_t, const Json&)>& tell) {
  std::vector<TaskQueue::TaskId> of;
  of.reserve(requests.size());
  for (const auto& request : requests) of.push_back(request.task.get());
  share_out(*parts_, of, [&](Worker& worker, std::size_t n) { return worker.survey(requests[n]); }, tell);
}

}  // namespace tritonrl::verify
