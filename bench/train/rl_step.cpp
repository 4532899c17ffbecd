// rl_step CONFIG.toml SAMPLES.jsonl STEPS: so many steps of reinforcement learning as `tritonrl rl` takes them, and no
// checkpoint. Random weights write no kernels. So each response that is written is judged by the text of one of SAMPLES
// for the same task: what the verifier does, what is rewarded and how long an update takes is as in a run that learns.
#include <exception>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "apps/verifier_setup.h"
#include "base/config.h"
#include "base/error.h"
#include "base/json.h"
#include "rl/loop.h"

namespace {

using namespace tritonrl;

using Texts = std::map<std::string, std::vector<std::string>>;  // of a task

Texts read_texts(const std::string& file) {
  Texts texts;
  base::JsonLines rows(file, std::size_t{64} << 20);
  while (const auto row = rows.next()) {
    base::JsonFields fields(row->value, row->where);
    texts[fields.text("task")].push_back(fields.text("response"));
  }
  return texts;
}

class JudgeOfOtherTexts final : public rl::Judge {
 public:
  JudgeOfOtherTexts(const verify::VerifierConfig& config, rl::Purpose purpose, const Texts& texts)
      : judge_(config, purpose), texts_(texts) {}

  void submit(verify::Candidate candidate) override {
    const auto& own = texts_.at(candidate.task->id);
    candidate.text = own[static_cast<std::size_t>(candidate.sample) % own.size()];
    judge_.submit(std::move(candidate));
  }
  std::vector<base::Json> collect() override { return judge_.collect(); }
  void rest() override { judge_.rest(); }
  verify::VerifierCosts costs() const override { return judge_.costs(); }

 private:
  rl::VerifierJudge judge_;
  const Texts& texts_;
};

struct Enough : std::exception {};

int take_steps(const std::string& file, const std::string& samples, int steps) {
  auto source = base::ConfigSource::from_file(file);
  rl::RlConfig config;
  source.read([&](base::ConfigFields& fields) { declare(fields, config); });
  const auto tokenizer = tokenizer::Tokenizer::load(config.model);
  const Texts texts = read_texts(samples);
  verify::VerifierConfig verifier = apps::local_verifier(config.verify_device);
  verifier.memory_share = config.verify_memory;
  verifier.cache.reset();
  try {
    rl::run_rl(config,
               {.problems = rl::read_problems(config.tasks, config, tokenizer),
                .dev_problems = {},
                .tokenizer = tokenizer,
                .make_judge =
                    [&](rl::Purpose purpose) { return std::make_unique<JudgeOfOtherTexts>(verifier, purpose, texts); },
                .agreement = nullptr,
                // One step more than counts, and it is not recorded: ending in good order would save.
                .stop = [&]() -> bool { return steps-- > 0 ? false : throw Enough(); }});
  } catch (const Enough&) {
    return base::kExitDone;
  }
  throw base::HostError("rl.steps are fewer than what was asked for");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: rl_step CONFIG.toml SAMPLES.jsonl STEPS\n";
    return base::kExitBadInput;
  }
  try {
    return take_steps(argv[1], argv[2], std::stoi(argv[3]));
  } catch (const std::exception& error) {
    std::cerr << "rl_step: " << error.what() << '\n';
    return base::exit_status(error);
  }
}
