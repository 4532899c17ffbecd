#include "train/example.h"

#include "base/error.h"
#include "tokenizer/chat.h"

namespace tritonrl::train {
namespace {

constexpr const char* kTurnEnd = "<|im_end|>";
constexpr std::size_t kMostRowBytes = std::size_t{64} << 20;

}  // namespace

std::vector<Example> read_examples(const std::filesystem::path& path,
                                   const std::function<std::string(const std::string& task)>& prompt_of) {
  std::vector<Example> examples;
  base::JsonLines lines(path, kMostRowBytes);
  while (const auto row = lines.next()) {
    base::JsonFields fields(row->value, row->where);
    auto prompt = fields.optional_text("prompt");
    if (!prompt) prompt = prompt_of(fields.text("task"));
    examples.push_back({.prompt = *std::move(prompt), .response = fields.text("response"), .where = row->where});
  }
  if (examples.empty()) {
    throw base::InputError({.file = path.string()}, "there is no sample in it", "give one JSON object a line");
  }
  return examples;
}

std::vector<tokenizer::TokenId> prompt_ids(const tokenizer::Tokenizer& tokenizer, const std::string& prompt) {
  const std::vector<tokenizer::Message> messages = {{.role = tokenizer::Role::kUser, .content = prompt}};
  return tokenizer.encode(tokenizer::render_chat(messages));
}

std::vector<tokenizer::TokenId> end_ids(const tokenizer::Tokenizer& tokenizer) {
  std::vector<tokenizer::TokenId> ids;
  for (const char* content : {kTurnEnd, "<|endoftext|>"}) {
    if (const auto id = tokenizer.added_token(content)) ids.push_back(*id);
  }
  return ids;
}

TrainText encode_example(const tokenizer::Tokenizer& tokenizer, const Example& example) {
  const auto end = tokenizer.added_token(kTurnEnd);
  if (!end) throw base::InputError({.file = "tokenizer.json"}, std::string("has no token ") + kTurnEnd);
  TrainText text{.token_ids = prompt_ids(tokenizer, example.prompt)};
  text.prompt_tokens = text.tokens();
  const auto response = tokenizer.encode(example.response, example.where.text());
  text.token_ids.insert(text.token_ids.end(), response.begin(), response.end());
  text.token_ids.push_back(*end);
  return text;
}

}  // namespace tritonrl::train
