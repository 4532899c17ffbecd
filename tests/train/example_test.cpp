#include "train/example.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"
#include "tests/base/temporary_folder.h"
#include "tokenizer/definition.h"
#include "tokenizer/trainer.h"

namespace tritonrl::train {
namespace {

tokenizer::Tokenizer byte_tokenizer() {
  tokenizer::Trainer trainer({.size = 300});
  trainer.add_text("class ModelNew: pass", "text");
  return tokenizer::Tokenizer::parse(tokenizer::definition_text(trainer.train()), "tokenizer.json");
}

const auto kNoSuite = [](const std::string& task) -> std::string {
  throw base::InputError({.file = task}, "no suite");
};

TEST(Example, ScoresTheResponseAndTheEndOfItsTurn) {
  const auto tokenizer = byte_tokenizer();
  const TrainText text = encode_example(tokenizer, {.prompt = "add", .response = "<think>a</think>b", .where = {}});
  const std::span<const tokenizer::TokenId> ids(text.token_ids);
  const auto prompt = static_cast<std::size_t>(text.prompt_tokens);
  EXPECT_EQ(tokenizer.decode(ids.first(prompt)), "<|im_start|>user\nadd<|im_end|>\n<|im_start|>assistant\n");
  EXPECT_EQ(tokenizer.decode(ids.subspan(prompt)), "<think>a</think>b<|im_end|>");
}

TEST(Example, AsksForThePromptOfATask) {
  const tests::TemporaryFolder folder;
  const auto path = folder.path() / "samples.jsonl";
  std::ofstream(path) << R"({"task": "a", "response": "x"})" << '\n' << R"({"prompt": "p", "response": "y"})" << '\n';
  const auto examples = read_examples(path, [](const std::string& task) { return "prompt of " + task; });
  EXPECT_EQ(examples[0].prompt, "prompt of a");
  EXPECT_EQ(examples[1].prompt, "p");
}

TEST(Example, RefusesWhatIsNone) {
  const tests::TemporaryFolder folder;
  const auto path = folder.path() / "samples.jsonl";
  std::ofstream(path) << "";
  EXPECT_THROW(read_examples(path, kNoSuite), base::InputError);
  std::ofstream(path) << R"({"prompt": "p"})" << '\n';
  EXPECT_THROW(read_examples(path, kNoSuite), base::InputError);
}

}  // namespace
}  // namespace tritonrl::train
