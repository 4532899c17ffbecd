#include "train/memory_plan.h"

#include <ATen/Functions.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "model/safetensors.h"
#include "model/token_loss.h"
#include "tests/base/temporary_folder.h"
#include "tests/train/counted_memory.h"
#include "tests/train/tiny_model.h"
#include "train/learner.h"
#include "train/memory_remedy.h"
#include "train/run_plan.h"

namespace tritonrl::train {
namespace {

using testing::HasSubstr;
using tests::CountedMemory;

constexpr std::int64_t kGib = std::int64_t{1} << 30;

struct Case {
  UpdateRule rule;
  model::DType dtype;
  bool stochastic;
  bool tied;
  bool half_state = false;
};

class State : public testing::TestWithParam<Case> {
 protected:
  UpdateShape shape() const {
    UpdateShape shape{.model = tests::tiny_config(),
                      .dtype = GetParam().dtype,
                      .on_gpu = false,
                      .rule = GetParam().rule,
                      .stochastic_rounding = GetParam().stochastic,
                      .half_state = GetParam().half_state};
    shape.model.tied_embeddings = GetParam().tied;
    return shape;
  }
  UpdateConfig update() const {
    return {.rule = GetParam().rule,
            .half_weights = GetParam().stochastic ? HalfWeights::kStochastic : HalfWeights::kMasters,
            .half_state = GetParam().half_state};
  }
};

// Gradients of one batch, of every parameter.
void set_gradients(const model::Qwen3& model) {
  for (const at::Tensor& parameter : model.parameters()) parameter.mutable_grad() = at::zeros_like(parameter.detach());
}

TEST_P(State, IsPlannedToTheByte) {
  const StateBytes planned = state_bytes(shape());
  const CountedMemory counted;
  const auto model = model::Qwen3::unset(shape().model, {.dtype = shape().dtype});
  EXPECT_EQ(CountedMemory::bytes(), planned.weights + planned.position_tables);
  std::int64_t weights = 0;
  for (const auto& parameter : model.parameters()) weights += static_cast<std::int64_t>(parameter.nbytes());
  EXPECT_EQ(weights, planned.weights);

  Optimizer optimizer(model.parameters(), update(), model.matrix_rows());
  EXPECT_EQ(CountedMemory::bytes(),
            planned.weights + planned.position_tables + planned.masters + planned.moments + planned.squares);
  const tests::TemporaryFolder folder;
  optimizer.save(folder.path());
  std::map<std::string, std::int64_t> stored;
  const model::StoredWeights states(folder.path());
  for (const auto* tensor : states.all()) {
    stored[tensor->name.substr(0, tensor->name.find('.'))] += static_cast<std::int64_t>(tensor->bytes.size());
  }
  EXPECT_EQ(stored["exp_avg"], planned.moments);
  EXPECT_EQ(stored["exp_avg_sq"], planned.squares);
  EXPECT_EQ(stored["master"], planned.masters);

  const std::int64_t lasting = CountedMemory::bytes();
  set_gradients(model);
  EXPECT_EQ(CountedMemory::bytes() - lasting, planned.gradients);
  optimizer.gather_gradients();
  const bool sums_of_their_own = shape().dtype != model::DType::kFloat32;
  EXPECT_EQ(CountedMemory::bytes() - lasting, sums_of_their_own ? planned.gathered : planned.gradients);
}

TEST_P(State, PeaksOfGatheringAndMovingAreAsPlanned) {
  const auto model = model::Qwen3::unset(shape().model, {.dtype = shape().dtype});
  for (const at::Tensor& parameter : model.parameters()) parameter.detach().fill_(1);
  Optimizer optimizer(model.parameters(), update(), model.matrix_rows());
  std::int64_t lasting = 0;
  for (const MemoryEntry& entry : lasting_entries(shape())) lasting += entry.bytes;

  const CountedMemory counted;
  for (int batch = 0; batch < 2; ++batch) {
    set_gradients(model);
    optimizer.gather_gradients();
  }
  const std::int64_t gathering = CountedMemory::peak_bytes();
  CountedMemory::forget_peak();
  optimizer.update(1e-3);
  for (const MemoryMoment& moment : update_moments(shape())) {
    const auto planned = static_cast<double>(moment.bytes() - lasting);
    if (moment.name == "gather") {
      // The CPU copies 16 bits to add them to 32, which a GPU does not.
      const double copied = shape().stochastic_rounding ? 0 : 4.0 * 61 * 32;
      EXPECT_NEAR(static_cast<double>(gathering), planned + copied, 0.001 * planned);
    }
    if (moment.name == "optimizer") {
      // And to take their norm, one parameter after the other: the largest has 96 x 32 elements.
      const double copied = shape().stochastic_rounding && shape().rule == UpdateRule::kAdamW ? 4.0 * 96 * 32 : 0;
      EXPECT_NEAR(static_cast<double>(CountedMemory::peak_bytes()), planned + copied,
                  (shape().rule == UpdateRule::kMuon ? 0.2 : 0.02) * planned);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(OfEveryKind, State,
                         testing::Values(Case{UpdateRule::kAdamW, model::DType::kFloat32, false, true},
                                         Case{UpdateRule::kAdamW, model::DType::kFloat32, false, false},
                                         Case{UpdateRule::kAdamW, model::DType::kBFloat16, false, false},
                                         Case{UpdateRule::kAdamW, model::DType::kBFloat16, true, false},
                                         Case{UpdateRule::kAdamW, model::DType::kBFloat16, true, false, true},
                                         Case{UpdateRule::kMuon, model::DType::kBFloat16, true, false, true},
                                         Case{UpdateRule::kMuon, model::DType::kFloat32, false, true},
                                         Case{UpdateRule::kMuon, model::DType::kBFloat16, false, false},
                                         Case{UpdateRule::kMuon, model::DType::kBFloat16, true, false}));

class Recomputing : public testing::TestWithParam<std::int64_t> {};

// Texts of which nearly all is scored, in one batch.
std::vector<TrainText> long_texts() {
  std::vector<TrainText> texts;
  for (int i = 0; i < 4; ++i) {
    TrainText text{.prompt_tokens = 1};
    for (int t = 0; t < 96; ++t) text.token_ids.push_back((i + 3 * t) % 61);
    texts.push_back(std::move(text));
  }
  return texts;
}

TEST_P(Recomputing, ForwardLeavesWhatIsPlanned) {
  const auto model = model::Qwen3::random(tests::tiny_config(), 1, {});
  const std::int64_t tokens = 4 * 96;
  const UpdateShape shape{.model = tests::tiny_config(),
                          .dtype = model::DType::kFloat32,
                          .on_gpu = false,
                          .recompute_layers = GetParam(),
                          .batch_tokens = tokens};
  std::vector<std::vector<std::int64_t>> ids(4, std::vector<std::int64_t>(96, 7));
  const CountedMemory counted;
  const auto scored = [&] {
    const auto batch = model::PackedBatch::of(ids, at::kCPU);
    const at::Tensor hidden = model.forward_packed(batch, {.recompute_layers = GetParam()});
    const at::Tensor rows = at::arange(tokens, at::kLong);
    return model::token_loss(hidden.index_select(0, rows), model.lm_head(), at::zeros({tokens}, at::kLong),
                             {.entropy = true});
  }();
  const auto planned = static_cast<double>(kept_activation_bytes(shape));
  EXPECT_NEAR(static_cast<double>(CountedMemory::bytes()), planned, 0.001 * planned);
}

TEST_P(Recomputing, AnUpdateTakesNoMoreThanPlannedAndLittleLess) {
  const auto texts = long_texts();
  const UpdateShape shape{.model = tests::tiny_config(),
                          .dtype = model::DType::kFloat32,
                          .on_gpu = false,
                          .recompute_layers = GetParam(),
                          .batch_tokens = 4 * 96,
                          .several_batches = false};
  const CountedMemory counted;
  auto model = model::Qwen3::unset(shape.model, {});
  for (const at::Tensor& parameter : model.parameters()) parameter.detach().fill_(0.01);
  Learner learner(model, {.batch_tokens = shape.batch_tokens, .recompute_layers = GetParam()}, {});
  learner.learn(
      texts,
      [](const ScoredTokens&, std::span<double> gradient) {
        std::ranges::fill(gradient, 0.01);
        return 0.0;
      },
      1e-3);
  const MemoryPlan plan{.moments = update_moments(shape)};
  EXPECT_LE(CountedMemory::peak_bytes(), plan.peak().bytes());
  EXPECT_GE(static_cast<double>(CountedMemory::peak_bytes()), 0.7 * static_cast<double>(plan.peak().bytes()));
}

INSTANTIATE_TEST_SUITE_P(SomeLayers, Recomputing, testing::Values(0, 1, 99));

SftConfig sft_8b(bool recompute, bool stochastic) {
  SftConfig config;
  config.run.recompute_layers = recompute ? 36 : 0;
  config.run.batch_tokens = 12'288;
  config.optimizer.stochastic_rounding = stochastic;
  return config;
}

// ModelConfig's defaults are those of Qwen3-8B.
std::string refusal(const SftConfig& config, std::int64_t device_gib) {
  return tests::message_of<base::InputError>(
      [&] { check_sft_fits(config, model::ModelConfig(), {.memory_bytes = device_gib * kGib}, {}); });
}
bool fits(const SftConfig& config, std::int64_t device_gib) {
  return plan_sft(config, model::ModelConfig(), {.memory_bytes = device_gib * kGib}, {}).memory.fits();
}

TEST(MemoryPlan, ARunThatFitsIsNotRefused) {
  EXPECT_TRUE(fits(sft_8b(true, true), 120));
  EXPECT_EQ(refusal(sft_8b(true, true), 120), "(nothing was thrown)");
}

TEST(MemoryPlan, ARefusalNamesWhatTakesMostAndTheFirstChangeThatFits) {
  EXPECT_THAT(refusal(sft_8b(false, false), 180), HasSubstr("activations, 63.68 GiB"));
  EXPECT_THAT(refusal(sft_8b(false, false), 180), testing::EndsWith("this would fit: run.recompute_layers = 19"));
  EXPECT_TRUE(fits(sft_8b(true, false), 180));
  EXPECT_THAT(refusal(sft_8b(true, false), 140),
              testing::EndsWith("this would fit: optimizer.stochastic_rounding = true"));
  EXPECT_TRUE(fits(sft_8b(true, true), 140));
}

TEST(MemoryPlan, ARefusalNamesSeveralChangesWhereNoneIsEnough) {
  EXPECT_FALSE(fits(sft_8b(true, false), 130));
  EXPECT_FALSE(fits(sft_8b(false, true), 130));
  EXPECT_THAT(refusal(sft_8b(false, false), 130),
              testing::EndsWith("run.recompute_layers = 36, optimizer.stochastic_rounding = true"));
}

TEST(MemoryPlan, ARefusalNamesTheLargestHalvedBatchThatFits) {
  SftConfig config = sft_8b(true, true);
  config.max_tokens = 4096;
  config.run.batch_tokens = 65'536;
  ASSERT_FALSE(fits(config, 140));
  EXPECT_THAT(refusal(config, 140), testing::EndsWith("this would fit: run.batch_tokens = 32768"));
  config.run.batch_tokens = 32'768;
  EXPECT_TRUE(fits(config, 140));
}

TEST(MemoryPlan, ARefusalSaysWhereNoSettingHelps) {
  EXPECT_THAT(refusal(sft_8b(false, false), 80), HasSubstr("no setting makes it fit"));
}

TEST(MemoryPlan, NothingIsRefusedOnTheCpu) {
  check_sft_fits(sft_8b(false, false), model::ModelConfig(),
                 {.gpu = false, .dtype = model::DType::kFloat32, .memory_bytes = kGib}, {});
}

TEST(MemoryPlan, TextsThatAreThereCountAsTheyAre) {
  const auto texts = tests::counting_texts(40);
  SftConfig config;
  config.batch = 8;
  config.epochs = 1.5;
  const RunPlan plan = plan_sft(config, tests::tiny_config(), {.memory_bytes = kGib}, texts);
  std::int64_t tokens = 0;
  for (const TrainText& text : texts) tokens += text.tokens();
  EXPECT_EQ(plan.steps, 8);
  EXPECT_EQ(plan.tokens_a_step, tokens / 5);
  EXPECT_FALSE(plan.at_most);
  EXPECT_TRUE(plan_sft(config, tests::tiny_config(), {.memory_bytes = kGib}, {}).at_most);
}

TEST(MemoryPlan, StepsThatNoMachineComputesAreRefused) {
  SftConfig config;
  config.batch = std::int64_t{1} << 50;
  EXPECT_THAT(
      tests::message_of<base::InputError>([&] { plan_sft(config, model::ModelConfig(), {.memory_bytes = kGib}, {}); }),
      HasSubstr("more than any machine computes"));
}

TEST(MemoryPlan, TheTableMarksEstimatesAndLeavesOutWhatIsNotThere) {
  MemoryPlan plan{.moments = {{.name = "one", .entries = {{.name = "a", .bytes = kGib}, {.name = "none"}}},
                              {.name = "two", .entries = {{.name = "b", .bytes = 3 * kGib / 2, .estimate = true}}}},
                  .device_bytes = 2 * kGib};
  EXPECT_EQ(table_text(plan),
            "GiB                             one        two\n"
            "  a                            1.00          -\n"
            "~ b                               -       1.50\n"
            "taken                          1.00       1.50\n"
            "free                           1.00       0.50\n");
}

}  // namespace
}  // namespace tritonrl::train
