#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/json.h"
#include "base/log.h"
#include "model/qwen3.h"
#include "runlog/event_file.h"
#include "runlog/metrics_log.h"
#include "runlog/run_folder.h"
#include "train/config.h"
#include "train/learner.h"

namespace tritonrl::train {

// The device and type that a run asks for. HostError where there is no such device.
model::Qwen3::Place place_of(const RunConfig& config);
// The type alone, on a GPU or without. InputError where it does not go with the device, or with the optimizer.
model::DType weight_type(const RunConfig& config, bool gpu);
void check_rounding(const OptimizerConfig& optimizer, model::DType weights);

// A run that can be killed at any moment: model and optimizer from its last checkpoint or from the start, its records,
// and how both are saved.
class TrainingRun {
 public:
  // `config_text` is the resolved configuration: a folder that was begun with another one is an InputError.
  TrainingRun(const RunConfig& config, const OptimizerConfig& optimizer, const LearnerConfig& learner,
              const std::filesystem::path& model, const std::string& config_text);

  const runlog::RunFolder& folder() const { return folder_; }
  model::Qwen3& model() { return *model_; }
  Learner& learner() { return *learner_; }
  // Steps that are done.
  std::int64_t step() const { return step_; }
  // What finish_step() was last given before the checkpoint that the run began from; null in a new run.
  const base::Json& counters() const { return counters_; }
  double peak_flops();

  // Of the run as it stands, before its first step.
  void record_start(const runlog::StepMetrics& metrics);
  // After a step: its metrics, and a checkpoint where one is due or `last`. Returns what was recorded: what is known of
  // the optimizer is added.
  runlog::StepMetrics finish_step(runlog::StepMetrics metrics, const LearnReport& learned, const base::Json& counters,
                                  bool last);

  // Before `failure` ends the run: a checkpoint of the last finished step, where there is none and its weights are
  // still there.
  void save_before_end(const base::HostError& failure);

 private:
  void save();
  void count_skipped(const LearnReport& learned);

  model::Qwen3::Place place_;
  RunConfig config_;
  std::filesystem::path start_;
  runlog::RunFolder folder_;
  base::log::FileCopy log_;
  std::int64_t step_ = 0;
  base::Json counters_;
  std::unique_ptr<model::Qwen3> model_;
  std::unique_ptr<Learner> learner_;
  std::unique_ptr<runlog::MetricsLog> metrics_;
  std::unique_ptr<runlog::EventFile> events_;
  std::optional<double> peak_flops_;
  base::Json finished_;  // counters of the last finished step
  std::int64_t saved_step_ = 0;
  std::int64_t skipped_ = 0;
  std::int64_t skipped_in_a_row_ = 0;
};

}  // namespace tritonrl::train
