#include "apps/tokenizer_command.h"

#include <ctime>
#include <filesystem>
#include <functional>
#include <iostream>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/log.h"
#include "base/progress.h"
#include "tokenizer/chat.h"
#include "tokenizer/definition.h"
#include "tokenizer/tokenizer.h"
#include "tokenizer/tokenizer_config.h"
#include "tokenizer/trainer.h"

namespace tritonrl::apps {
namespace {

using tokenizer::TokenId;
using tokenizer::Tokenizer;

struct TokenizerConfig {
  std::string tokenizer;
  std::vector<std::string> files;
  std::string text;
  bool has_text = false;
  std::string chat;
  bool no_thinking = false;
  bool jsonl = false;
  bool time = false;
  bool skip_special = false;
};

struct TrainConfig {
  std::vector<std::string> files;
  std::string out;
  std::string field;
  tokenizer::TrainerConfig trainer;
};

constexpr std::size_t kMaxCorpusFileBytes = std::size_t{1} << 30;

// "-" is standard input, and so is no file at all.
std::vector<std::string> inputs_of(const TokenizerConfig& config) {
  std::vector<std::string> files = config.files;
  if (files.empty()) files.emplace_back("-");
  for (auto& file : files) {
    if (file == "-") file = "/dev/stdin";
  }
  return files;
}

std::vector<TokenId> ids_of(const base::Json& value, const base::Place& where) {
  const base::Json& list = value.is_object() && value.contains("ids") ? value.at("ids") : value;
  if (!list.is_array()) throw base::InputError(where, "expected an array of token ids", "write [1, 2, 3]");
  std::vector<TokenId> ids;
  ids.reserve(list.size());
  for (const auto& id : list) {
    if (!id.is_number_integer() || id < 0 || id > std::numeric_limits<TokenId>::max()) {
      throw base::InputError(where, "'" + id.dump() + "' is no token id");
    }
    ids.push_back(id.get<TokenId>());
  }
  return ids;
}

// Calls `use` with each text of the command line and the place that errors are to name.
void for_each_text(const TokenizerConfig& config,
                   const std::function<void(const std::string&, const std::string&)>& use) {
  if (config.has_text) return use(config.text, "--text");
  if (!config.chat.empty()) {
    const auto messages = tokenizer::read_messages(base::read_file(config.chat), {.file = config.chat});
    return use(tokenizer::render_chat(messages, {.ask = true, .thinking = !config.no_thinking}), config.chat);
  }
  for (const auto& file : inputs_of(config)) {
    if (!config.jsonl) {
      use(base::read_file(file), file);
      continue;
    }
    base::JsonLines lines(file);
    while (const auto row = lines.next()) {
      use(base::JsonFields(row->value, row->where).text("text"), row->where.text());
    }
  }
}

int encode(const TokenizerConfig& config) {
  const auto tokenizer = Tokenizer::load(config.tokenizer);
  for_each_text(config, [&](const std::string& text, const std::string& place) {
    const auto ids = tokenizer.encode(text, place);
    std::cout << (config.jsonl ? base::json_line({{"ids", ids}}) : base::json_line(ids)) << '\n';
  });
  return base::kExitDone;
}

// Reading and loading do not count; nor does what other programs take of the machine.
int time_encode(const TokenizerConfig& config) {
  const auto tokenizer = Tokenizer::load(config.tokenizer);
  std::vector<std::string> texts;
  std::size_t bytes = 0;
  for_each_text(config, [&](const std::string& text, const std::string&) {
    bytes += text.size();
    texts.push_back(text);
  });
  std::size_t tokens = 0;
  const std::clock_t start = std::clock();
  for (const auto& text : texts) tokens += tokenizer.encode(text).size();
  const double cpu_s = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  std::cout << base::json_line({{"bytes", bytes}, {"tokens", tokens}, {"cpu_seconds", cpu_s}}) << '\n';
  return base::kExitDone;
}

int decode(const TokenizerConfig& config) {
  const auto tokenizer = Tokenizer::load(config.tokenizer);
  const auto specials = config.skip_special ? tokenizer::SpecialTokens::kLeaveOut : tokenizer::SpecialTokens::kKeep;
  for (const auto& file : inputs_of(config)) {
    base::JsonLines lines(file);
    while (const auto row = lines.next()) {
      const auto ids = ids_of(row->value, row->where);
      if (config.jsonl) {
        std::cout << base::json_line({{"text", tokenizer.decode(ids, specials)}}) << '\n';
      } else {
        std::cout << tokenizer.decode(ids, specials);
      }
    }
  }
  return base::kExitDone;
}

void add_file(tokenizer::Trainer& trainer, const std::string& file, const std::string& field) {
  if (field.empty()) {
    trainer.add_text(base::read_file(file, kMaxCorpusFileBytes), file);
    return;
  }
  base::JsonLines lines(file);
  while (const auto row = lines.next()) {
    trainer.add_text(base::JsonFields(row->value, row->where).text(field), row->where.text());
  }
}

int train(const TrainConfig& config) {
  tokenizer::Trainer trainer(config.trainer);
  base::Progress reading("read", config.files.size());
  for (const auto& file : config.files) {
    add_file(trainer, file, config.field);
    reading.advance();
  }
  reading.finish();
  base::Progress merging("merge", config.trainer.size);
  const auto definition = trainer.train([&] { merging.advance(); });
  merging.finish();

  const std::size_t size = definition.vocabulary.size() + definition.added.size();
  if (size < config.trainer.size) base::log::warning("the texts gave {} tokens, not {}", size, config.trainer.size);
  std::error_code error;
  std::filesystem::create_directories(config.out, error);
  if (error) throw base::InputError({.file = config.out}, "cannot make this folder: " + error.message());
  const std::filesystem::path folder = config.out;
  base::write_file_atomically(folder / "tokenizer_config.json", tokenizer::tokenizer_config_text(definition));
  base::write_file_atomically(folder / "tokenizer.json", tokenizer::definition_text(definition));
  std::cout << (folder / "tokenizer.json").string() << ": " << size << " tokens\n";
  return base::kExitDone;
}

constexpr const char* kTokenizerHelp = "A tokenizer.json, or the folder that holds it";

void add_train(CLI::App& tokenizer, Run& run) {
  auto config = std::make_shared<TrainConfig>();
  auto* command = tokenizer.add_subcommand("train", "Learn a tokenizer from texts.");
  command->add_option("FILE", config->files, "Texts in UTF-8")->required();
  command->add_option("--out", config->out, "A folder: tokenizer.json and tokenizer_config.json are written there")
      ->required();
  command->add_option("--size", config->trainer.size, "Tokens, bytes and added ones included");
  command->add_option("--min-count", config->trainer.min_count, "Rarer pairs do not merge");
  command->add_option("--field", config->field, "Files are JSONL: learn from this field of each row");
  command->footer("Example: tritonrl tokenizer train README.md --size 512 --out build/tokenizer");
  command->callback([&run, config] { run = [config] { return train(*config); }; });
}

void add_encode(CLI::App& tokenizer, Run& run) {
  auto config = std::make_shared<TokenizerConfig>();
  auto* command = tokenizer.add_subcommand("encode", "Print the token ids of texts, one JSON array a line.");
  command->add_option("TOKENIZER", config->tokenizer, kTokenizerHelp)->required();
  command->add_option("FILE", config->files, "Texts in UTF-8, a line of ids for each; default standard input");
  auto* text = command->add_option("--text", config->text, "This text instead of files")->excludes("FILE");
  auto* chat = command
                   ->add_option("--chat", config->chat,
                                "A JSON array of {role, content}: the prompt that asks for the next answer")
                   ->excludes("FILE")
                   ->excludes(text);
  command->add_flag("--no-thinking", config->no_thinking, "With --chat: the answer is to come without a plan")
      ->needs(chat);
  command->add_flag("--jsonl", config->jsonl, "Files are rows of {\"text\"}; rows of {\"ids\"} are printed")
      ->excludes(text);
  command->add_flag("--time", config->time, "Print the processor time that encoding took instead of the ids");
  command->footer("Example: tritonrl tokenizer encode MODEL_DIR --text 'import triton'");
  command->callback([&run, config, text] {
    config->has_text = text->count() > 0;
    run = [config] { return config->time ? time_encode(*config) : encode(*config); };
  });
}

void add_decode(CLI::App& tokenizer, Run& run) {
  auto config = std::make_shared<TokenizerConfig>();
  auto* command = tokenizer.add_subcommand("decode", "Print the text of token ids.");
  command->add_option("TOKENIZER", config->tokenizer, kTokenizerHelp)->required();
  command->add_option("FILE", config->files, "JSON arrays of ids, as `encode` prints them; default standard input");
  command->add_flag("--jsonl", config->jsonl, "Print a row of {\"text\"} for each array");
  command->add_flag("--skip-special", config->skip_special, "Leave special tokens out");
  command->footer(
      "Example: tritonrl tokenizer encode MODEL_DIR --text 'tl.load' | tritonrl tokenizer decode MODEL_DIR");
  command->callback([&run, config] { run = [config] { return decode(*config); }; });
}

}  // namespace

void add_tokenizer_command(CLI::App& program, Run& run) {
  auto* command = program.add_subcommand("tokenizer", "Learn a tokenizer; text to token ids and back.");
  command->require_subcommand(1);
  command->footer("Example: tritonrl tokenizer encode MODEL_DIR --text 'import triton'");
  add_train(*command, run);
  add_encode(*command, run);
  add_decode(*command, run);
}

}  // namespace tritonrl::apps
