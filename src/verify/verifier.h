#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/static_check.h"
#include "base/json.h"
#include "sandbox/policy.h"
#include "task/task.h"
#include "verify/survey.h"
#include "verify/trials.h"

namespace tritonrl::verify {

struct VerifierConfig {
  std::string device = "cpu";
  Depth depth = Depth::kFull;
  analysis::Policy policy = analysis::Policy::kStrict;
  std::string entry = "ModelNew";
  bool static_layers = true;  // off: for tests of the layers behind them
  bool stop_at_rejection = true;
  sandbox::Enforcement enforcement = sandbox::Enforcement::kRequire;
  unsigned jobs = 1;
  double memory_share = 0.75;  // of a GPU's memory, for the tensors of all jobs
  std::string profile = "h200";
  std::optional<std::filesystem::path> cache;
  std::filesystem::path secret;
  std::string draw;  // another word: other inputs from the same secret
  // The Python with torch and Triton, the harness package, and our libraries.
  std::filesystem::path python;
  std::filesystem::path harness;
  std::filesystem::path libraries;
  std::filesystem::path cpu_torch;  // the CPU device's torch, where the Python's own has kernels for GPUs; else empty
  double command_seconds = 8;       // that one call of a candidate may take
  double reference_seconds = 60;    // that one step of the reference's may take
  std::string version;              // of the program, for provenance
};

// Something to judge: source, or a model's whole response.
struct Candidate {
  std::shared_ptr<const task::Task> task;
  std::int64_t sample = 0;
  std::string text;
  bool response = false;
};

// What candidates have cost so far.
struct VerifierCosts {
  std::int64_t judged = 0;
  std::int64_t from_cache = 0;  // of those
  double seconds = 0;           // of all workers together
};

struct VerifierParts;

// Judges candidates: static layers first, then in a sandboxed process beside the reference's. Safe from one thread; its
// workers are its own.
class Verifier {
 public:
  explicit Verifier(VerifierConfig config);
  ~Verifier();
  Verifier(const Verifier&) = delete;
  Verifier& operator=(const Verifier&) = delete;
  Verifier(Verifier&&) = delete;
  Verifier& operator=(Verifier&&) = delete;

  // Judges all of them, `jobs` at a time, and tells each as soon as those before it are known. A verdict, or
  // {"schema": 1, "error": ..., "retryable": ..., "fault": "machine", "task" or "executor", ...} where one of those
  // failed.
  void judge(const std::vector<Candidate>& candidates, const std::function<void(std::size_t, const base::Json&)>& tell);

  // Whether each task can be used to judge candidates (admission.h), told in the same way.
  void admit(const std::vector<std::shared_ptr<const task::Task>>& tasks,
             const std::function<void(std::size_t, const base::Json&)>& tell);

  // What running each task's reference shows (survey.h), told in the same way.
  void survey(const std::vector<SurveyRequest>& requests,
              const std::function<void(std::size_t, const base::Json&)>& tell);

  // Safe from any thread, also while candidates are judged.
  VerifierCosts costs() const;

  // Why verdicts could not be kept, which were told all the same; empty when all were.
  std::string cache_failure() const;

 private:
  std::unique_ptr<VerifierParts> parts_;
};

}  // namespace tritonrl::verify
