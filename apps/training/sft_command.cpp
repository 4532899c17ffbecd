#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "apps/interrupt.h"
#include "apps/training/commands.h"
#include "apps/training/run_planning.h"
#include "apps/training/task_prompts.h"
#include "base/error.h"
#include "base/log.h"
#include "base/progress.h"
#include "model/device_memory.h"
#include "model/model_config.h"
#include "tokenizer/tokenizer.h"
#include "train/example.h"
#include "train/sft.h"

namespace tritonrl::apps {
namespace {

struct ConfigArguments {
  std::string file;
  std::vector<std::string> overrides;
  PlanArguments plan = {};
};

train::SftConfig read_config(const ConfigArguments& arguments) {
  auto source = base::ConfigSource::from_file(arguments.file);
  for (const auto& assignment : arguments.overrides) source.override_field(assignment);
  train::SftConfig config;
  source.read([&](base::ConfigFields& fields) { declare(fields, config); });
  return config;
}

// Texts that are too long are left out; all of them is an error.
std::vector<train::TrainText> read_texts(const std::string& file, const train::SftConfig& config,
                                         const tokenizer::Tokenizer& tokenizer, TaskPrompts& prompts) {
  const std::int64_t limit = std::min(config.max_tokens, model::read_model_config(config.model).max_positions);
  std::vector<train::TrainText> texts;
  const auto examples = train::read_examples(file, [&](const std::string& task) { return prompts.of(task); });
  base::Progress progress("encode", examples.size());
  for (const auto& example : examples) {
    auto text = train::encode_example(tokenizer, example);
    if (text.tokens() <= limit) texts.push_back(std::move(text));
    progress.advance();
  }
  progress.finish();
  if (texts.size() < examples.size()) {
    base::log::warning("{}: {} of {} samples are longer than {} = {} and left out", file,
                       examples.size() - texts.size(), examples.size(),
                       limit == config.max_tokens ? "sft.max_tokens" : "what the model takes", limit);
  }
  if (texts.empty()) {
    throw base::InputError({.file = file}, fmt::format("every sample is longer than {}", limit),
                           "raise sft.max_tokens, as far as the model takes it");
  }
  return texts;
}

// Of the run's data where it is there, with the model's tokenizer.
int plan_sft(const ConfigArguments& arguments) {
  train::SftConfig config = read_config(arguments);
  if (!arguments.plan.shapes.empty()) config.model = arguments.plan.shapes;
  const auto model = planned_model(config.model);
  const auto device = planned_device(config.run, config.optimizer, arguments.plan);
  std::vector<train::TrainText> texts;
  namespace fs = std::filesystem;
  if (fs::exists(config.data) && fs::exists(fs::path(config.model) / "tokenizer.json")) {
    TaskPrompts prompts(config.tasks, config.prompt);
    texts = read_texts(config.data, config, tokenizer::Tokenizer::load(config.model), prompts);
  }
  print_plan(train::plan_sft(config, model, device, texts), model, device, arguments.plan);
  train::check_sft_fits(config, model, device, texts);
  return base::kExitDone;
}

int sft(const ConfigArguments& arguments) {
  const train::SftConfig config = read_config(arguments);
  const auto tokenizer = tokenizer::Tokenizer::load(config.model);
  TaskPrompts prompts(config.tasks, config.prompt);
  const auto texts = read_texts(config.data, config, tokenizer, prompts);
  const auto dev =
      config.dev.empty() ? std::vector<train::TrainText>() : read_texts(config.dev, config, tokenizer, prompts);
  if (model::has_gpu()) {
    train::check_sft_fits(config, model::read_model_config(config.model),
                          planned_device(config.run, config.optimizer, {}), texts);
  }
  watch_interrupts();
  const train::SftResult result = train::run_sft(config, texts, dev, interrupted);
  std::cout << fmt::format("{}: {} of {} steps{}\n", config.run.folder, result.steps, result.total_steps,
                           std::isnan(result.dev_loss) ? "" : fmt::format(", dev loss {:.4f}", result.dev_loss));
  return base::kExitDone;
}

}  // namespace

void add_sft_command(CLI::App& program, Run& run) {
  auto arguments = std::make_shared<ConfigArguments>();
  auto* command = program.add_subcommand("sft", "Train a model on samples of prompts and responses.");
  command->add_option("CONFIG", arguments->file, "TOML; docs/training.md names its keys")->required();
  command->add_option("overrides", arguments->overrides, "In place of what the file says: optimizer.lr=1e-4");
  add_plan_options(*command, arguments->plan);
  command->footer("Example: tritonrl sft examples/training/sft.toml run.folder=runs/sft");
  command->callback([&run, arguments] {
    run = [arguments] { return arguments->plan.asked ? plan_sft(*arguments) : sft(*arguments); };
  });
}

}  // namespace tritonrl::apps
