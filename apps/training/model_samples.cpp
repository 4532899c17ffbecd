#include "apps/training/model_samples.h"

#include <filesystem>

#include "apps/training/task_prompts.h"
#include "base/file.h"
#include "base/progress.h"
#include "model/qwen3.h"
#include "rollout/local_engine.h"
#include "tokenizer/tokenizer.h"
#include "train/example.h"
#include "train/training_run.h"

namespace tritonrl::apps {

base::Json ModelSampling::json() const {
  return {{"model", folder},          {"samples", samples}, {"temperature", temperature},
          {"max_tokens", max_tokens}, {"prompt", prompt},   {"seed", seed}};
}

std::vector<verify::Candidate> sample_model(const ModelSampling& sampling,
                                            const std::vector<std::shared_ptr<const task::Task>>& tasks,
                                            const std::string& out) {
  const auto tokenizer = tokenizer::Tokenizer::load(sampling.folder);
  const auto model = model::Qwen3::load(sampling.folder, train::place_of({}));
  rollout::LocalEngine engine(model, &tokenizer, {});
  const auto samples = static_cast<std::size_t>(sampling.samples);
  std::vector<verify::Candidate> candidates(tasks.size() * samples);
  std::vector<base::Json> rows(candidates.size());
  base::Progress progress("sample", candidates.size());
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    const std::string prompt = task::make_prompt(*tasks[t], prompt_kind(sampling.prompt));
    engine.submit({.prompt = train::prompt_ids(tokenizer, prompt),
                   .responses = static_cast<std::int32_t>(sampling.samples),
                   .max_tokens = static_cast<std::int32_t>(sampling.max_tokens),
                   .sampling = {.temperature = static_cast<float>(sampling.temperature)},
                   .stop_ids = train::end_ids(tokenizer),
                   .seed = sampling.seed + t},
                  {.on_response = [&, t](rollout::Response&& response) {
                    const std::size_t place = t * samples + static_cast<std::size_t>(response.index);
                    rows[place] = {{"task", tasks[t]->id},
                                   {"sample", response.index},
                                   {"response", response.text},
                                   {"finish", rollout::name_of(response.finish)}};
                    candidates[place] = {
                        .task = tasks[t], .sample = response.index, .text = std::move(response.text), .response = true};
                    progress.advance();
                  }});
  }
  engine.run();
  if (!out.empty()) {
    std::string text;
    for (const auto& row : rows) text += base::json_line(row) + '\n';
    base::write_file_atomically(std::filesystem::path(out) / "samples.jsonl", text);
  }
  return candidates;
}

}  // namespace tritonrl::apps
