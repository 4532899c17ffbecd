#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "apps/api_key.h"
#include "apps/training/commands.h"
#include "apps/training/model_place.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "model/qwen3.h"
#include "rollout/local_engine.h"
#include "rollout/remote_engine.h"
#include "tokenizer/chat.h"
#include "tokenizer/tokenizer.h"

namespace tritonrl::apps {
namespace {

namespace fs = std::filesystem;
using base::InputError;

struct GenerateConfig {
  std::string folder;
  std::string prompt;
  std::string prompt_file;
  std::string messages;
  bool chat = false;
  bool no_thinking = false;
  rollout::Request request;
  bool ignore_end = false;
  bool json = false;
  bool time = false;
  std::string device = "auto";
  rollout::RolloutConfig rollout;
  rollout::RemoteConfig remote;
};

rollout::Prompt prompt_of(const GenerateConfig& config) {
  if (!config.messages.empty()) {
    return rollout::Chat{
        .messages = tokenizer::read_messages(base::read_file(config.messages), {.file = config.messages}),
        .thinking = !config.no_thinking};
  }
  std::string text = config.prompt;
  if (!config.prompt_file.empty()) {
    text = base::read_file(config.prompt_file == "-" ? "/dev/stdin" : config.prompt_file);
  }
  if (text.empty()) throw InputError({.file = "--prompt"}, "is empty", "give --prompt, --prompt-file or --messages");
  if (!config.chat) return text;
  return rollout::Chat{.messages = {{.role = tokenizer::Role::kUser, .content = text}},
                       .thinking = !config.no_thinking};
}

// One response goes to the terminal as it comes; several when they end, each under its number.
int answer(const GenerateConfig& config, rollout::Engine& engine) {
  rollout::Request request = config.request;
  request.prompt = prompt_of(config);
  const bool streams = request.responses == 1 && !config.json;
  std::int64_t tokens = 0;
  double end_s = 0;
  rollout::Listener listener;
  listener.on_response = [&](rollout::Response&& response) {
    tokens += static_cast<std::int64_t>(response.token_ids.size());
    end_s = std::max(end_s, response.timing.end_s);
    if (config.json) {
      std::cout << base::json_line({{"index", response.index},
                                    {"text", response.text},
                                    {"finish", rollout::name_of(response.finish)},
                                    {"prompt_ids", response.prompt_ids},
                                    {"token_ids", response.token_ids},
                                    {"log_probs", response.log_probs},
                                    {"raw_log_probs", response.raw_log_probs},
                                    {"first_token_s", response.timing.first_token_s},
                                    {"end_s", response.timing.end_s}})
                << '\n';
    } else if (streams) {
      std::cout << '\n';
    } else {
      std::cout << fmt::format("--- {} ({})\n{}\n", response.index, rollout::name_of(response.finish), response.text);
    }
    std::cout.flush();
  };
  if (streams) listener.on_text = [](std::int32_t, std::string_view text) { std::cout << text << std::flush; };
  engine.submit(std::move(request), std::move(listener));
  engine.run();
  if (config.time)
    std::cerr << fmt::format("{} tokens in {:.3f} s, {:.1f} a second\n", tokens, end_s,
                             static_cast<double>(tokens) / end_s);
  return base::kExitDone;
}

int generate(GenerateConfig config) {
  if (!config.remote.client.url.empty()) {
    config.remote.client.api_key = api_key();
    config.remote.model = config.folder;
    rollout::RemoteEngine engine(config.remote);
    return answer(config, engine);
  }
  if (config.folder.empty()) throw InputError({.file = "DIR"}, "is missing", "give a model's folder, or --endpoint");
  const auto tokenizer = tokenizer::Tokenizer::load(config.folder);
  const auto model_config = model::read_model_config(config.folder);
  const auto model = model::Qwen3::load(config.folder, answering_place(config.device, model_config));
  if (!config.ignore_end) {
    for (const auto id : model_config.eos_token_ids) {
      config.request.stop_ids.push_back(static_cast<tokenizer::TokenId>(id));
    }
  }
  rollout::LocalEngine engine(model, &tokenizer, config.rollout);
  return answer(config, engine);
}

}  // namespace

void add_generate(CLI::App& model, Run& run) {
  auto config = std::make_shared<GenerateConfig>();
  auto& request = config->request;
  auto* command = model.add_subcommand("generate", "Continue a prompt, or answer it; text is shown as it comes.");
  command->add_option("DIR", config->folder,
                      "A model with its tokenizer; with --endpoint, the name of the server's model");
  auto* prompt = command->add_option("--prompt", config->prompt, "Text to continue");
  auto* file = command->add_option("--prompt-file", config->prompt_file, "The same from a file; - is standard input")
                   ->excludes(prompt);
  auto* messages = command->add_option("--messages", config->messages, "A JSON array of {role, content} to answer")
                       ->excludes(prompt)
                       ->excludes(file);
  command->add_flag("--chat", config->chat, "The prompt is a question, put through the chat template")
      ->excludes(messages);
  command->add_flag("--no-thinking", config->no_thinking, "Of a chat: the answer is to come without a plan");
  command->add_option("--max-tokens", request.max_tokens, "At most; default 1024");
  command->add_option("-n,--responses", request.responses, "Several answers, which share the prompt's computation");
  command->add_option("--temperature", request.sampling.temperature, "0: always the likeliest token; default 1");
  command->add_option("--top-p", request.sampling.top_p,
                      "Of the likeliest tokens, as many as have this probability together");
  command->add_option("--top-k", request.sampling.top_k, "Of the likeliest tokens, this many");
  command->add_option("--min-p", request.sampling.min_p,
                      "Tokens with at least this part of the likeliest one's probability");
  command->add_option("--seed", request.seed, "The same seed gives the same answer");
  command->add_option("--stop", request.stop_texts, "Texts that end an answer");
  command->add_flag("--ignore-end", config->ignore_end, "Do not stop at the model's own end tokens");
  command->add_flag("--json", config->json, "A JSON object for each answer, with token ids and log-probabilities");
  command->add_flag("--time", config->time, "Say on stderr how long it took");
  command->add_option("--device", config->device, "auto, cuda or cpu")->check(CLI::IsMember({"auto", "cuda", "cpu"}));
  command
      ->add_option("--memory-fraction", config->rollout.memory_fraction, "Of the device's memory, for keys and values")
      ->check(CLI::Range(0.0, 1.0));
  command->add_option("--endpoint", config->remote.client.url,
                      "http://HOST:PORT/v1 instead of a model here; a key comes from TRITONRL_API_KEY");
  command->add_flag("--tokens", config->remote.tokens,
                    "With --endpoint: ask for token ids and log-probabilities, and insist");
  command->footer(
      "Example: tritonrl model generate MODEL_DIR --chat --prompt 'Write a softmax kernel in Triton.' --temperature "
      "0.6");
  command->callback([&run, config] { run = [config] { return generate(*config); }; });
}

}  // namespace tritonrl::apps
