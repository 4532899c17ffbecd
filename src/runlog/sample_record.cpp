#include "runlog/sample_record.h"

#include <algorithm>
#include <utility>

#include "base/file.h"

namespace tritonrl::runlog {
namespace {

using base::Json;

template <typename T>
std::vector<T> numbers(base::JsonFields& fields, const std::string& key) {
  std::vector<T> values;
  const Json* list = fields.optional_value(key);
  if (list == nullptr) return values;
  if (!list->is_array()) fields.refuse_type(key, "an array of numbers", *list);
  for (const Json& value : *list) {
    if (!value.is_number()) fields.refuse_type(key, "an array of numbers", value);
    values.push_back(value.get<T>());
  }
  return values;
}

}  // namespace

Json SampleRecord::json() const {
  Json row = {{"task", task},
              {"level", level},
              {"sample", sample},
              {"policy_step", policy_step},
              {"prompt", prompt},
              {"response", response},
              {"token_ids", token_ids},
              {"plan_tokens", std::ranges::count(classes, 'p')},
              {"classes", classes},
              {"logprobs", logprobs},
              {"advantages", advantages},
              {"finish", finish},
              {"rewards", {{"correct", reward_correct}, {"speedup", reward_speedup}}},
              {"verdict", verdict}};
  if (!audit.is_null()) row["audit"] = audit;
  return row;
}

SampleRecord SampleRecord::from_json(const Json& row, const base::Place& where) {
  base::JsonFields fields(row, where);
  SampleRecord record{.task = fields.text("task"),
                      .level = static_cast<int>(fields.integer("level")),
                      .sample = fields.integer("sample"),
                      .policy_step = fields.integer("policy_step"),
                      .prompt = fields.text("prompt"),
                      .response = fields.text("response"),
                      .token_ids = numbers<std::int32_t>(fields, "token_ids"),
                      .classes = fields.text("classes"),
                      .logprobs = numbers<float>(fields, "logprobs"),
                      .advantages = numbers<float>(fields, "advantages"),
                      .finish = fields.text("finish")};
  if (const Json* rewards = fields.optional_value("rewards")) {
    base::JsonFields reward(*rewards, where);
    record.reward_correct = reward.optional_number("correct").value_or(0);
    record.reward_speedup = reward.optional_number("speedup").value_or(0);
  }
  if (const Json* verdict = fields.optional_value("verdict")) record.verdict = *verdict;
  if (const Json* audit = fields.optional_value("audit")) record.audit = *audit;
  return record;
}

void write_samples(const std::filesystem::path& file, const std::vector<SampleRecord>& samples) {
  std::string rows;
  for (const SampleRecord& sample : samples) rows += base::json_line(sample.json()) + '\n';
  base::write_file_atomically(file, rows);
}

std::vector<SampleRecord> read_samples(const std::filesystem::path& file) {
  std::vector<SampleRecord> samples;
  base::JsonLines lines(file);
  while (const auto row = lines.next()) samples.push_back(SampleRecord::from_json(row->value, row->where));
  return samples;
}

}  // namespace tritonrl::runlog
