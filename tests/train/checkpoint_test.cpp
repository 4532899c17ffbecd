#include "train/checkpoint.h"

#include <ATen/Functions.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"
#include "base/file.h"
#include "tests/base/temporary_folder.h"
#include "tests/train/tiny_model.h"
#include "train/learner.h"

namespace tritonrl::train {
namespace {

TokenObjective sum_of_log_probs() {
  return [](const ScoredTokens& tokens, std::span<double> gradient) {
    double sum = 0;
    for (std::size_t t = 0; t < gradient.size(); ++t) {
      sum -= tokens.log_probs[t] / 100;
      gradient[t] = -0.01;
    }
    return sum;
  };
}

TEST(Checkpoint, ResumesToTheBit) {
  const tests::TemporaryFolder folder;
  const auto path = folder.path() / "step-000003";
  const auto texts = tests::counting_texts(9);
  auto model = model::Qwen3::random(tests::tiny_config(), 4, {});
  Learner learner(model, {}, {.weight_decay = 0.01});
  for (int step = 0; step < 3; ++step) learner.learn(texts, sum_of_log_probs(), 1e-3);
  write_checkpoint(path, folder.path(), model, learner.optimizer(), {{"kind", "sft"}, {"n", 3}});
  EXPECT_FALSE(std::filesystem::exists(path.string() + ".unfinished"));

  auto again = model::Qwen3::load(path, {});
  Learner resumed(again, {}, {.weight_decay = 0.01});
  EXPECT_EQ(read_checkpoint(path, resumed.optimizer()).at("n"), 3);
  for (int step = 0; step < 3; ++step) {
    learner.learn(texts, sum_of_log_probs(), 1e-3);
    resumed.learn(texts, sum_of_log_probs(), 1e-3);
  }
  for (std::size_t i = 0; i < model.parameters().size(); ++i) {
    EXPECT_TRUE(at::equal(model.parameters()[i], again.parameters()[i])) << i;
  }
}

TEST(Checkpoint, OfAnotherVersionOrWithoutTrainerIsRefused) {
  const tests::TemporaryFolder folder;
  const auto path = folder.path() / "step-000001";
  auto model = model::Qwen3::random(tests::tiny_config(), 4, {});
  Learner learner(model, {}, {});
  write_checkpoint(path, folder.path(), model, learner.optimizer(), base::Json::object());
  base::write_file_atomically(path / "trainer" / "state.json", R"({"version": 99, "updates": 0, "counters": {}})");
  EXPECT_THROW(read_checkpoint(path, learner.optimizer()), base::InputError);
  std::filesystem::remove_all(path / "trainer");
  EXPECT_THROW(read_checkpoint(path, learner.optimizer()), base::InputError);
}

TEST(Checkpoint, OfAnotherShapeIsRefused) {
  const tests::TemporaryFolder folder;
  const auto path = folder.path() / "step-000001";
  auto model = model::Qwen3::random(tests::tiny_config(), 4, {});
  write_checkpoint(path, folder.path(), model, Learner(model, {}, {}).optimizer(), base::Json::object());
  model::ModelConfig wider = tests::tiny_config();
  wider.intermediate_size = 64;
  auto other = model::Qwen3::random(wider, 4, {});
  Learner learner(other, {}, {});
  try {
    read_checkpoint(path, learner.optimizer());
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("another model"), std::string::npos) << error.what();
  }
}

TEST(Checkpoint, ThatFailsLeavesTheOldOne) {
  const tests::TemporaryFolder folder;
  const auto path = folder.path() / "step-000001";
  auto model = model::Qwen3::random(tests::tiny_config(), 4, {});
  Learner learner(model, {}, {});
  write_checkpoint(path, folder.path(), model, learner.optimizer(), {{"n", 1}});
  const auto tokenizer = folder.path() / "tokenizer";
  std::filesystem::create_directories(tokenizer / "tokenizer.json");  // a folder cannot be read as a file
  EXPECT_ANY_THROW(write_checkpoint(path, tokenizer, model, learner.optimizer(), {{"n", 2}}));
  EXPECT_FALSE(std::filesystem::exists(path.string() + ".unfinished"));
  EXPECT_EQ(read_checkpoint(path, learner.optimizer()).at("n"), 1);
}

}  // namespace
}  // namespace tritonrl::train
