#include "apps/training/sampler.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>

#include "apps/training/model_place.h"
#include "apps/training/task_prompts.h"
#include "base/append_log.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/file.h"
#include "base/progress.h"
#include "model/device_memory.h"
#include "model/qwen3.h"
#include "rollout/local_engine.h"
#include "tokenizer/tokenizer.h"
#include "train/example.h"

namespace tritonrl::apps {
namespace {

namespace fs = std::filesystem;
using base::Json;
using Tasks = std::vector<std::shared_ptr<const task::Task>>;

constexpr std::size_t kMostRowBytes = std::size_t{64} << 20;

// Changes when a file of the model does: sizes and times, since weights may be too large to be read for this alone.
std::string stamp_of(const fs::path& folder) {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    files.push_back(base::json_line(
        {entry.path().filename().string(), entry.file_size(), entry.last_write_time().time_since_epoch().count()}));
  }
  std::ranges::sort(files);
  std::string all;
  for (const auto& file : files) all += file;
  return base::sha256_hex(all);
}

// The rows of one call: those that an earlier one left, and those that are drawn now.
class Rows {
 public:
  Rows(std::size_t samples, std::vector<std::string> questions, const Tasks& tasks)
      : samples_(samples), questions_(std::move(questions)), tasks_(tasks), rows_(tasks.size() * samples) {
    for (std::size_t t = 0; t < tasks.size(); ++t) task_places_[tasks[t]->id] = t;
  }

  void remember(const Json& row) {
    if (!row.is_object()) return;
    const auto task = task_places_.find(row.value("task", ""));
    const auto sample = row.value("sample", std::int64_t{-1});
    if (task == task_places_.end() || sample < 0 || static_cast<std::size_t>(sample) >= samples_) return;
    if (row.value("question", "") != questions_[task->second] || !row.contains("response")) return;
    rows_[task->second * samples_ + static_cast<std::size_t>(sample)] = row;
  }

  bool known(std::size_t task, std::size_t sample) const { return !rows_[task * samples_ + sample].is_null(); }
  std::size_t known_of(std::size_t task) const {
    std::size_t count = 0;
    for (std::size_t n = 0; n < samples_; ++n) count += known(task, n) ? 1 : 0;
    return count;
  }

  const Json& add(std::size_t task, const rollout::Response& response) {
    Json& row = rows_[task * samples_ + static_cast<std::size_t>(response.index)];
    row = {{"task", tasks_[task]->id},
           {"sample", response.index},
           {"response", response.text},
           {"finish", rollout::name_of(response.finish)},
           {"question", questions_[task]}};
    return row;
  }

  std::string text() const {
    std::string text;
    for (const auto& row : rows_) text += base::json_line(row) + '\n';
    return text;
  }

  std::vector<verify::Candidate> candidates() const {
    std::vector<verify::Candidate> candidates;
    for (std::size_t place = 0; place < rows_.size(); ++place) {
      candidates.push_back({.task = tasks_[place / samples_],
                            .sample = static_cast<std::int64_t>(place % samples_),
                            .text = rows_[place].at("response").get<std::string>(),
                            .response = true});
    }
    return candidates;
  }

 private:
  std::size_t samples_;
  std::vector<std::string> questions_;  // by task: what a response depends on, digested
  const Tasks& tasks_;
  std::map<std::string, std::size_t> task_places_;
  std::vector<Json> rows_;
};

}  // namespace

// Turns a task's prompt into what its engine takes.
struct Sampler::Parts {
  explicit Parts(SamplerConfig given) : config(std::move(given)) {}
  virtual ~Parts() = default;

  // Runs what was submitted.
  virtual void run() = 0;
  virtual rollout::Engine& engine() = 0;
  virtual rollout::Prompt prompt_of(const std::string& text) const = 0;
  virtual std::vector<tokenizer::TokenId> stop_ids() const { return {}; }

  std::string text_of(const task::Task& task) const {
    return task::make_prompt(task, task::prompt_named(config.prompt));
  }

  rollout::Request request(rollout::Prompt prompt, const Draw& draw, std::uint64_t seed) const {
    return {.prompt = std::move(prompt),
            .responses = static_cast<std::int32_t>(draw.samples),
            .max_tokens = static_cast<std::int32_t>(config.max_tokens),
            .sampling = {.temperature = static_cast<float>(draw.temperature)},
            .stop_ids = stop_ids(),
            .seed = seed};
  }

  SamplerConfig config;
  std::string stamp;  // of the model
};

struct Sampler::Local final : Parts {
  explicit Local(SamplerConfig given)
      : Parts(std::move(given)),
        tokenizer(tokenizer::Tokenizer::load(config.model)),
        model(model::Qwen3::load(config.model, answering_place("auto", model::read_model_config(config.model)))),
        local(model, &tokenizer, {.memory_fraction = config.memory_fraction}) {
    stamp = stamp_of(config.model);
  }

  // The cache's memory is the verifier's in between.
  void run() override {
    local.run();
    local.drop_cache();
    model::release_unused_memory();
  }
  rollout::Engine& engine() override {
    local.take_cache();
    return local;
  }
  rollout::Prompt prompt_of(const std::string& text) const override { return train::prompt_ids(tokenizer, text); }
  std::vector<tokenizer::TokenId> stop_ids() const override { return train::end_ids(tokenizer); }

  tokenizer::Tokenizer tokenizer;
  model::Qwen3 model;
  rollout::LocalEngine local;
};

struct Sampler::Remote final : Parts {
  explicit Remote(SamplerConfig given) : Parts(std::move(given)), remote(config.remote) {
    stamp = config.remote.client.url + ' ' + config.remote.model;
  }

  void run() override { remote.run(); }
  rollout::Engine& engine() override { return remote; }
  rollout::Prompt prompt_of(const std::string& text) const override {
    return rollout::Chat{.messages = {{.role = tokenizer::Role::kUser, .content = text}}};
  }

  rollout::RemoteEngine remote;
};

Json SamplerConfig::json() const {
  Json json = Json::object();
  if (!remote.client.url.empty()) {
    json = {{"endpoint", remote.client.url}, {"model", remote.model}};
  } else {
    json = {{"model", model}};
  }
  json.update({{"max_tokens", max_tokens}, {"prompt", prompt}, {"seed", seed}});
  return json;
}

Sampler::Sampler(SamplerConfig config) {
  if (config.remote.client.url.empty()) {
    parts_ = std::make_unique<Local>(std::move(config));
  } else {
    parts_ = std::make_unique<Remote>(std::move(config));
  }
}
Sampler::~Sampler() = default;

std::vector<verify::Candidate> Sampler::sample(const Tasks& tasks, const Draw& draw, const std::string& folder) {
  Parts& parts = *parts_;
  // Servers count on from a request's seed for its responses.
  const auto seed_of = [&](std::size_t task) { return parts.config.seed + 4096 * task; };
  std::vector<std::string> prompts;
  std::vector<std::string> questions;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    prompts.push_back(parts.text_of(*tasks[t]));
    const Json question = {parts.stamp, prompts[t], draw.temperature, parts.config.max_tokens, seed_of(t)};
    questions.push_back(base::sha256_hex(base::json_line(question)).substr(0, 16));
  }
  Rows rows(static_cast<std::size_t>(draw.samples), std::move(questions), tasks);

  std::optional<base::AppendLog> log;
  const fs::path file = fs::path(folder) / "samples.jsonl";
  if (!folder.empty()) {
    if (fs::exists(file)) {
      base::JsonLines lines(file, kMostRowBytes);
      while (const auto line = lines.next()) rows.remember(line->value);
    }
    log.emplace(fs::path(folder) / "samples.partial.jsonl", [&](const Json& row) { rows.remember(row); });
  }

  base::Progress progress("sample", tasks.size() * static_cast<std::size_t>(draw.samples));
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    const std::size_t known = rows.known_of(t);
    progress.advance(known);
    if (known == static_cast<std::size_t>(draw.samples)) continue;
    parts.engine().submit(parts.request(parts.prompt_of(prompts[t]), draw, seed_of(t)),
                          {.on_response = [&, t](const rollout::Response& response) {
                            if (rows.known(t, static_cast<std::size_t>(response.index))) return;
                            const Json& row = rows.add(t, response);
                            if (log) log->add(row);
                            progress.advance();
                          }});
  }
  parts.run();
  if (log) {
    base::write_file_atomically(file, rows.text());
    log->remove();
  }
  return rows.candidates();
}

std::vector<std::string> Sampler::go_on(const std::vector<Continuation>& continuations, double temperature) {
  auto* local = dynamic_cast<Local*>(parts_.get());
  base::check(local != nullptr, "a server's model cannot go on from a beginning");
  std::vector<std::string> texts(continuations.size());
  base::Progress progress("go on", continuations.size());
  for (std::size_t n = 0; n < continuations.size(); ++n) {
    const auto& [task, begun] = continuations[n];
    auto ids = train::prompt_ids(local->tokenizer, local->text_of(*task));
    const auto begun_ids = local->tokenizer.encode(begun);
    ids.insert(ids.end(), begun_ids.begin(), begun_ids.end());
    const Draw draw{.samples = 1, .temperature = temperature};
    local->engine().submit(local->request(std::move(ids), draw, local->config.seed + n),
                           {.on_response = [&, n](const rollout::Response& response) {
                             texts[n] = continuations[n].begun + response.text;
                             progress.advance();
                           }});
  }
  local->run();
  return texts;
}

}  // namespace tritonrl::apps
