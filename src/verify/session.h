#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/reference_profile.h"
#include "analysis/static_check.h"
#include "base/random.h"
#include "gpu/gate.h"
#include "task/task.h"
#include "verify/candidate.h"
#include "verify/compiler.h"
#include "verify/oracle.h"
#include "verify/reference_times.h"
#include "verify/speed_model.h"
#include "verify/timing.h"
#include "verify/timing_processes.h"
#include "verify/trials.h"
#include "verify/verdict.h"

namespace tritonrl::verify {

// How a reference is timed on a GPU: in its own process, and in others where one says too little.
struct GpuTiming {
  gpu::Gate* gate = nullptr;
  ReferenceTimes* reference_times = nullptr;  // of the task
  TimingProcesses* others = nullptr;
};

struct SessionConfig {
  Depth depth = Depth::kFull;
  analysis::Policy policy = analysis::Policy::kStrict;
  bool stop_at_rejection = true;
  std::uint64_t seed = 0;                                   // secret, and the same for the same task and code
  std::optional<std::uint64_t> shared_seed = std::nullopt;  // secret: all candidates of the task get these inputs
  std::optional<GpuTiming> gpu;                             // where both processes have one: speed is then measured
  std::vector<task::Variant> stand_ins;  // stand_in.h; for a GPU, sizes that the executor can follow it at
};

// What there was too little of, so that another try with more of it may end differently: time by the wall clock, which
// jobs share cores for, or a job's share of a GPU's memory.
enum class Shortage : std::uint8_t { kNone, kTime, kMemory };

struct CandidateSource {
  std::string code;
  std::string entry;  // the class
};

// The run-time layers for one candidate: its process, the reference's, and what they show.
class Session {
 public:
  Session(const task::Task& task, const analysis::ReferenceProfile& reference, Oracle& oracle,
          CandidateProcess candidate, Compiler& compiler, const ttir::DeviceProfile& profile,
          const SessionConfig& config);

  // Appends the layers that ran. InputError when the reference itself fails at the task's sizes.
  void examine(const CandidateSource& source, Verdict& verdict);
  Shortage shortage() const { return shortage_; }

 private:
  enum class Next : bool { kGoOn, kStop };

  // The candidate's share of the GPU.
  class OnGpu {
   public:
    OnGpu(gpu::Gate& gate, GuestDevice& device) : share_(gate), device_(device) { device_.set_share(&share_); }
    ~OnGpu() { device_.set_share(nullptr); }
    OnGpu(const OnGpu&) = delete;
    OnGpu& operator=(const OnGpu&) = delete;
    OnGpu(OnGpu&&) = delete;
    OnGpu& operator=(OnGpu&&) = delete;

   private:
    gpu::Gate::Share share_;
    GuestDevice& device_;
  };
  std::unique_ptr<OnGpu> share_gpu();
  Next compile(const CandidateSource& source);
  Next run(const Trial& trial);
  Next prepare(const Trial& trial, std::optional<OracleCase>& made, std::optional<Expectation>& expected);
  std::optional<Oracle::Broken> make_case(const Trial& trial, std::uint64_t seed, std::optional<OracleCase>& made,
                                          std::optional<Expectation>& expected);
  void require_function(const Oracle::Traits& traits) const;
  Next judge_call(const Trial& trial, const CallResult& result, const Expectation& expected);
  Next replay_warm_call(const Trial& trial);
  bool differs(const CallResult& result, const Expectation& expected);
  void judge_ghost(const CallResult& result, const Expectation& expected);
  void judge_outputs(const Trial& trial, const CallResult& result, const Expectation& expected);
  void judge_memory(const CallResult& result, const Expectation& expected);
  void judge_trace(const DeviceTrace& trace);
  void judge_operators(const DeviceTrace& trace);
  void judge_findings(const DeviceTrace& trace);
  void judge_spent_budget(const Trial& trial);
  void judge_kept_outputs();
  void judge_each_kernel();
  void start_compiling(const DeviceTrace& trace);
  void judge_compiled();
  std::optional<Speedup> model_speed();
  void note_not_general(const Trial& trial, const std::string& rule, const std::string& message);
  std::optional<bool> right_at(const task::Variant& sizes, std::string_view distribution);
  void judge_far_sizes();
  void judge_own_sizes();
  std::optional<std::string> refused_by_compiler(const DeviceTrace& trace);
  std::optional<Speedup> measure_speed(const CandidateSource& source, const GpuTiming& gpu);
  std::optional<Timings> time_process(const GpuTiming& gpu, bool first);
  // What a timed call is given, and what is right.
  struct TimedCase {
    OracleValues inputs;
    Expectation expected;
  };
  std::optional<std::vector<TimedCase>> timed_cases();
  std::optional<TimedCase> timed_case(std::variant<OracleValues, Oracle::Broken> inputs);
  static std::optional<ReferenceCall> estimate_call(Oracle& reference);
  bool loads_kernels();
  std::optional<Timings> time_alone(const GpuTiming& gpu, const std::vector<TimedCase>& cases,
                                    const ReferenceCall& call, const TimingPlan& plan);
  using Others = std::vector<std::unique_ptr<TimingProcesses::Loan>>;
  Others others_that_time(const GpuTiming& gpu, const ReferenceCall& call, const Certainty& certainty);
  bool ready_to_time(Oracle& other);
  bool time_elsewhere(const GpuTiming& gpu, Others& others);
  std::optional<Timings> time_in_turn(const std::vector<TimedCase>& cases, const TimingPlan& plan);
  bool remembers(const TimedCase& seen);
  std::optional<double> time_candidate(int set, const Expectation& expected, std::vector<LaunchRecord>& launches);
  SpeedModel speed_model() const;

  void fail(const GuestFailure& failure, LayerRecord& layer);
  void reject(LayerRecord& layer, std::string_view rule, std::string message, std::uint32_t line = 0);
  void suspect(LayerRecord& layer, std::string_view rule, std::string message, std::uint32_t line = 0);
  bool rejected() const { return !compile_.passed() || !correct_.passed() || !behaviour_.passed(); }
  std::uint64_t next_seed() { return random_.next_u64(); }
  bool listed(const Trial& trial) const { return plan_.sizes[trial.sizes].listed; }

  const task::Task& task_;
  const analysis::ReferenceProfile& reference_;
  Oracle& oracle_;
  CandidateProcess candidate_;
  Compiler& compiler_;
  const ttir::DeviceProfile& profile_;
  SessionConfig config_;
  base::Random random_;
  TrialPlan plan_;

  LayerRecord compile_{.stage = Stage::kCompile};
  LayerRecord correct_{.stage = Stage::kCorrect};
  LayerRecord behaviour_{.stage = Stage::kBehaviour};
  LayerRecord speed_{.stage = Stage::kSpeed};
  bool called_ = false;
  bool answered_ = true;  // whatever the candidate was asked for
  Shortage shortage_ = Shortage::kNone;
  std::optional<bool> general_;
  int unlisted_tried_ = 0;
  std::map<const GuestKernel*, PendingCompile> compiling_;  // those of the timed call, while the trials go on
  std::map<std::size_t, DeviceTrace> timed_;  // of warm calls, by size: the task's own, or all that stand in for them
  std::string working_dtype_ = "float32";
  bool all_single_ = true;  // every floating-point tensor of the task, and of its reference on its way, is fp32
  std::optional<std::size_t> constructed_;
  std::set<std::string> unbound_;
  struct Kept {
    std::uint64_t address;
    Snapshot bytes;
  };
  std::vector<Kept> kept_;
  int threads_at_start_ = 0;
  base::Json trials_run_ = base::Json::array();
  double worst_ = 0;
  double worst_rms_ = 0;
};

}  // namespace tritonrl::verify
