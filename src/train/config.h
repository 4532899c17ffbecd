#pragma once

#include <cstdint>
#include <string>

#include "base/config.h"
#include "train/lr_schedule.h"

namespace tritonrl::train {

enum class UpdateRule : std::uint8_t {
  kAdamW,
  kMuon,  // for the matrices between embeddings and scores; AdamW for the rest
};

// How weights are moved; the same keys for every kind of training.
struct OptimizerConfig {
  UpdateRule rule = UpdateRule::kAdamW;
  double lr = 1e-5;
  double warmup = 0.05;  // share of all steps
  Decay decay = Decay::kCosine;
  double final_share = 0.1;  // of lr, at the last step
  double beta1 = 0.9;
  double beta2 = 0.95;
  double momentum = 0.95;  // Muon's
  double weight_decay = 0.0;
  double clip_norm = 1.0;
  bool stochastic_rounding = false;  // bf16 weights without fp32 twins
  bool half_state = false;           // then AdamW's moments in bf16 too

  LrSchedule schedule(std::int64_t steps) const;
};
void declare(base::ConfigFields& fields, OptimizerConfig& config);

// Where a run stands, and what it needs of the machine.
struct RunConfig {
  std::string folder;
  std::string device = "auto";  // cpu, cuda
  std::string dtype = "auto";   // float32 on the CPU, bfloat16 on CUDA
  std::int64_t threads = 0;     // 0: all cores
  std::uint64_t seed = 1;
  std::int64_t save_every = 100;  // steps; the last one is always saved
  std::int64_t keep = 2;          // checkpoints; 0: all
  std::int64_t batch_tokens = 8192;
  std::int64_t recompute_layers = 0;  // from the first; more than there are: all
  std::int64_t most_skipped = 10;     // steps in a row without a finite gradient
};
void declare(base::ConfigFields& fields, RunConfig& config);

struct SftConfig {
  RunConfig run;
  std::string model;  // a Hugging Face folder
  std::string data;   // JSONL of {prompt, response}, or of samples with `tasks`
  std::string dev;    // the same; may be empty
  std::string tasks;  // a suite: rows that name a task and have no prompt get its own
  std::string prompt = "training";
  double epochs = 2;
  std::int64_t batch = 16;           // texts a step
  std::int64_t max_tokens = 12'288;  // longer texts are left out
  std::int64_t dev_every = 50;
  OptimizerConfig optimizer;
};
void declare(base::ConfigFields& fields, SftConfig& config);

}  // namespace tritonrl::train
