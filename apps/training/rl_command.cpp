#include <fmt/format.h>

#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "analysis/response.h"
#include "apps/interrupt.h"
#include "apps/training/commands.h"
#include "apps/training/run_planning.h"
#include "apps/verifier_setup.h"
#include "base/error.h"
#include "model/device_memory.h"
#include "rl/loop.h"
#include "rl/run_plan.h"
#include "synth/schedule.h"
#include "tokenizer/tokenizer.h"

namespace tritonrl::apps {
namespace {

struct RlArguments {
  std::string file;
  std::vector<std::string> overrides;
  PlanArguments plan = {};
};

rl::RlConfig read_config(const RlArguments& arguments) {
  auto source = base::ConfigSource::from_file(arguments.file);
  for (const auto& assignment : arguments.overrides) source.override_field(assignment);
  rl::RlConfig config;
  source.read([&](base::ConfigFields& fields) { declare(fields, config); });
  return config;
}

verify::VerifierConfig verifier_for(const rl::RlConfig& config, rl::Purpose purpose) {
  const bool measures = purpose == rl::Purpose::kMeasuring;
  const bool apart = measures && config.measure_device != "same";
  verify::VerifierConfig verifier = local_verifier(apart ? config.measure_device : config.verify_device);
  if (config.verify_jobs > 0) verifier.jobs = static_cast<unsigned>(config.verify_jobs);
  verifier.memory_share = config.verify_memory;
  verifier.stop_at_rejection = measures || config.reward.gate == rl::Gate::kOn;
  return verifier;
}

// Of responses that decide a schedule in the embedded teacher's words.
std::optional<bool> plan_and_code_agree(const std::string& response) {
  const auto split = analysis::split_response(response, "ModelNew");
  if (split.plan.empty() || !split.code) return std::nullopt;
  const synth::Schedule decided = synth::read_plan(split.plan.of(response));
  if (decided == synth::Schedule()) return std::nullopt;
  const synth::Schedule written = synth::read_code(split.code->of(response));
  return synth::carries_out(written, decided);
}

int plan_rl(const RlArguments& arguments) {
  rl::RlConfig config = read_config(arguments);
  if (!arguments.plan.shapes.empty()) config.model = arguments.plan.shapes;
  const auto model = planned_model(config.model);
  const auto device = planned_device(config.run, config.optimizer, arguments.plan);
  print_plan(rl::plan_rl(config, model, device), model, device, arguments.plan);
  rl::check_rl_fits(config, model, device);
  return base::kExitDone;
}

int reinforce(const RlArguments& arguments) {
  const rl::RlConfig config = read_config(arguments);
  if (model::has_gpu()) {
    rl::check_rl_fits(config, model::read_model_config(config.model), planned_device(config.run, config.optimizer, {}));
  }
  const auto tokenizer = tokenizer::Tokenizer::load(config.model);
  auto problems = rl::read_problems(config.tasks, config, tokenizer);
  auto dev = config.dev.empty() ? std::vector<rl::Problem>() : rl::read_problems(config.dev, config, tokenizer);
  const std::map<rl::Purpose, verify::VerifierConfig> verifiers = {
      {rl::Purpose::kTraining, verifier_for(config, rl::Purpose::kTraining)},
      {rl::Purpose::kMeasuring, verifier_for(config, rl::Purpose::kMeasuring)}};
  watch_interrupts();
  const rl::LoopResult result =
      rl::run_rl(config, {.problems = std::move(problems),
                          .dev_problems = std::move(dev),
                          .tokenizer = tokenizer,
                          .make_judge =
                              [&](rl::Purpose purpose) {
                                return std::make_unique<rl::VerifierJudge>(
                                    verifiers.at(purpose), purpose, rl::PatienceConfig{.tries = config.verify_tries});
                              },
                          .agreement = plan_and_code_agree,
                          .stop = interrupted});
  std::cout << fmt::format("{}: {} of {} steps\n", config.run.folder, result.steps, config.steps);
  return base::kExitDone;
}

}  // namespace

void add_rl_command(CLI::App& program, Run& run) {
  auto arguments = std::make_shared<RlArguments>();
  auto* command = program.add_subcommand("rl", "Train a model on what the verifier says of its kernels.");
  command->add_option("CONFIG", arguments->file, "TOML; docs/training.md names its keys")->required();
  command->add_option("overrides", arguments->overrides, "In place of what the file says: rl.alpha=0.3");
  add_plan_options(*command, arguments->plan);
  command->footer("Example: tritonrl rl examples/training/rl.toml run.folder=runs/rl");
  command->callback([&run, arguments] {
    run = [arguments] { return arguments->plan.asked ? plan_rl(*arguments) : reinforce(*arguments); };
  });
}

}  // namespace tritonrl::apps
