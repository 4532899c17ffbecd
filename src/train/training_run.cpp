#include "train/training_run.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>

#include "base/error.h"
#include "base/file.h"
#include "model/device_error.h"
#include "train/checkpoint.h"

namespace tritonrl::train {
namespace {

namespace fs = std::filesystem;

// Writes the configuration into a new run, and compares it with an old one's.
void settle_config(const runlog::RunFolder& folder, const std::string& text) {
  if (fs::exists(folder.config()) && !folder.checkpoints().empty()) {
    if (base::read_file(folder.config()) == text) return;
    throw base::InputError({.file = folder.config().string()}, "this run was begun with another configuration",
                           "choose another run.folder, or give the configuration that it has");
  }
  base::write_file_atomically(folder.config(), text);
}

UpdateConfig update_config(const OptimizerConfig& config, std::uint64_t seed) {
  return {.rule = config.rule,
          .beta1 = config.beta1,
          .beta2 = config.beta2,
          .momentum = config.momentum,
          .weight_decay = config.weight_decay,
          .clip_norm = config.clip_norm,
          .half_weights = config.stochastic_rounding ? HalfWeights::kStochastic : HalfWeights::kMasters,
          .half_state = config.half_state,
          .seed = seed};
}

model::Qwen3::Place checked_place(const RunConfig& config, const OptimizerConfig& optimizer) {
  const model::Qwen3::Place place = place_of(config);
  check_rounding(optimizer, place.dtype);
  return place;
}

// For whoever wants the newest checkpoint without its number.
void point_to(const fs::path& link, const fs::path& target) {
  const fs::path draft = link.string() + ".new";
  fs::remove(draft);
  fs::create_directory_symlink(target, draft);
  fs::rename(draft, link);
}

}  // namespace

model::Qwen3::Place place_of(const RunConfig& config) {
  if (config.threads > 0) at::set_num_threads(static_cast<int>(config.threads));
  const bool cuda = config.device == "cuda" || (config.device == "auto" && at::hasCUDA());
  if (cuda && !at::hasCUDA()) throw base::HostError("there is no GPU that torch can use");
  return {.device = cuda ? at::kCUDA : at::kCPU, .dtype = weight_type(config, cuda)};
}

model::DType weight_type(const RunConfig& config, bool gpu) {
  const bool half = config.dtype == "bfloat16" || (config.dtype == "auto" && gpu);
  if (half && !gpu) throw base::InputError({.file = "run.dtype"}, "bfloat16 needs a GPU", "use float32 on the CPU");
  return half ? model::DType::kBFloat16 : model::DType::kFloat32;
}

void check_rounding(const OptimizerConfig& optimizer, model::DType weights) {
  if (!optimizer.stochastic_rounding || weights == model::DType::kBFloat16) return;
  throw base::InputError({.file = "optimizer.stochastic_rounding"}, "rounds to bfloat16, and the weights are float32",
                         "leave it out, or set run.dtype to \"bfloat16\" on a GPU");
}

TrainingRun::TrainingRun(const RunConfig& config, const OptimizerConfig& optimizer, const LearnerConfig& learner,
                         const fs::path& model, const std::string& config_text)
    : place_(checked_place(config, optimizer)),
      config_(config),
      start_(model),
      folder_(config.folder),
      log_(folder_.log()) {
  settle_config(folder_, config_text);
  const auto known = folder_.checkpoints();
  if (!known.empty()) step_ = known.back();
  const fs::path source = known.empty() ? start_ : folder_.checkpoint(step_);
  model::during("loading", [&] {
    model_ = std::make_unique<model::Qwen3>(model::Qwen3::load(source, place_));
    learner_ = std::make_unique<Learner>(*model_, learner, update_config(optimizer, config.seed));
  });
  if (!known.empty()) {
    counters_ = read_checkpoint(source, learner_->optimizer());
    skipped_ = counters_.value("skipped", std::int64_t{0});
    skipped_in_a_row_ = counters_.value("skipped_in_a_row", std::int64_t{0});
    saved_step_ = step_;
    base::log::info("goes on after step {}", step_);
  }
  folder_.forget_after(step_);
  // Without a checkpoint the start is measured again, too.
  metrics_ = std::make_unique<runlog::MetricsLog>(folder_.metrics(), known.empty() ? -1 : step_);
  events_ = std::make_unique<runlog::EventFile>(folder_.path(), known.empty() ? 0 : step_ + 1);
}

double TrainingRun::peak_flops() {
  if (!peak_flops_) peak_flops_ = train::peak_flops(*model_);
  return *peak_flops_;
}

void TrainingRun::count_skipped(const LearnReport& learned) {
  skipped_ += learned.skipped ? 1 : 0;
  skipped_in_a_row_ = learned.skipped ? skipped_in_a_row_ + 1 : 0;
  if (learned.skipped) base::log::warning("step {}: loss or gradient is not finite; the step is skipped", step_);
  if (skipped_in_a_row_ >= config_.most_skipped) {
    throw base::HostError("the gradient was not finite in " + std::to_string(skipped_in_a_row_) +
                          " steps in a row; a lower optimizer.lr may help; the last checkpoint is intact");
  }
}

void TrainingRun::record_start(const runlog::StepMetrics& metrics) {
  base::check(step_ == 0 && metrics.step == 0, "a run starts once");
  metrics_->add(metrics);
  events_->add(metrics);
}

runlog::StepMetrics TrainingRun::finish_step(runlog::StepMetrics metrics, const LearnReport& learned,
                                             const base::Json& counters, bool last) {
  metrics.step = ++step_;
  metrics.add("optim/gradient_norm", learned.gradient_norm);
  metrics.add("optim/skipped", static_cast<double>(skipped_ + (learned.skipped ? 1 : 0)));
  metrics_->add(metrics);
  events_->add(metrics);
  count_skipped(learned);
  finished_ = counters;
  finished_["skipped"] = skipped_;
  finished_["skipped_in_a_row"] = skipped_in_a_row_;
  if (last || step_ % config_.save_every == 0) save();
  return metrics;
}

void TrainingRun::save_before_end(const base::HostError& failure) {
  if (step_ == saved_step_) return;
  const auto* device = dynamic_cast<const model::DeviceError*>(&failure);
  if (learner_->torn() || (device != nullptr && device->lost())) {
    base::log::warning("steps after {} are lost with their weights; the run goes on from its last checkpoint",
                       saved_step_);
    return;
  }
  try {
    save();
    base::log::info("saved after step {}", step_);
  } catch (const std::exception& error) {
    base::log::warning("step {} could not be saved: {}", step_, error.what());
  }
}

void TrainingRun::save() {
  metrics_->sync();
  const fs::path target = folder_.checkpoint(step_);
  write_checkpoint(target, start_, *model_, learner_->optimizer(), finished_);
  saved_step_ = step_;
  point_to(folder_.path() / "last", fs::path("checkpoints") / target.filename());
  const auto known = folder_.checkpoints();
  if (config_.keep == 0) return;
  for (std::size_t i = 0; i + static_cast<std::size_t>(config_.keep) < known.size(); ++i) {
    fs::remove_all(folder_.checkpoint(known[i]));
  }
}

}  // namespace tritonrl::train
