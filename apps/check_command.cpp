#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "analysis/reference_profile.h"
#include "analysis/response.h"
#include "analysis/rule.h"
#include "analysis/static_check.h"
#include "apps/command.h"
#include "apps/diagnostic.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/progress.h"
#include "task/suite.h"
#include "tritonrl_version.h"

namespace tritonrl::apps {
namespace {

using base::Json;

struct CheckConfig {
  std::vector<std::string> files;
  std::string entry = "ModelNew";
  std::string task;
  std::string policy = "strict";
  bool response = false;
  bool jsonl = false;
};

constexpr std::size_t kMaxResponseBytes = std::size_t{16} << 20;

// At most one byte more than the limit: enough to see that a candidate is too large.
std::string read_candidate(const std::string& path, std::size_t limit) {
  const std::string name = path == "-" ? "/dev/stdin" : path;
  const base::UniqueFd fd = base::open_for_reading(name);
  std::string content;
  while (content.size() <= limit) {
    const std::size_t filled = content.size();
    const std::size_t room = std::min(std::max<std::size_t>(filled, 64 << 10), limit + 1 - filled);
    content.resize(filled + room);
    const std::size_t got = base::read_some(fd.get(), content.data() + filled, room, name);
    content.resize(filled + got);
    if (got < room) break;
  }
  return content;
}

std::string_view layer_name(analysis::Layer layer) {
  return layer == analysis::Layer::kSyntax ? "syntax" : "functionality";
}

Json layer_json(const analysis::LayerReport& layer) {
  Json findings = Json::array();
  for (const auto& finding : layer.findings) {
    findings.push_back({{"rule", finding.rule},
                        {"severity", finding.severity == analysis::Severity::kReject ? "reject" : "suspect"},
                        {"line", finding.where.line},
                        {"column", finding.where.column},
                        {"message", finding.message}});
  }
  return {{"name", layer_name(layer.layer)},
          {"passed", layer.passed},
          {"seconds", layer.seconds},
          {"findings", std::move(findings)},
          {"evidence", Json::object()}};
}

struct Candidate {
  std::string file;
  std::optional<std::string_view> code;  // nothing: a response without code, or a file too large to read whole
};

// A verdict of the layers that ran; what only later layers can say is null.
Json verdict_json(const Candidate& candidate, const analysis::StaticReport& report,
                  const std::optional<task::Task>& task, const CheckConfig& config) {
  Json layers = Json::array();
  for (const auto& layer : report.layers) layers.push_back(layer_json(layer));
  const auto* reason = report.reason();
  Json verdict = {{"schema", 1},
                  {"file", candidate.file},
                  {"task", task ? Json(task->id) : Json()},
                  {"code_sha256", candidate.code ? Json(base::sha256_hex(*candidate.code)) : Json()},
                  {"accepted", report.accepted()},
                  {"stage", layer_name(report.layers.back().layer)},
                  {"reason", reason == nullptr ? Json() : Json(reason->rule)},
                  {"valid", report.accepted()},
                  {"compiled", Json()},
                  {"correct", Json()},
                  {"general", Json()},
                  {"layers", std::move(layers)}};
  verdict["provenance"] = {
      {"tritonrl", kVersion}, {"rules", analysis::rules_version()}, {"policy", config.policy}, {"entry", config.entry}};
  return verdict;
}

Candidate make_candidate(const std::string& file, std::string_view text, std::size_t limit, const CheckConfig& config) {
  Candidate candidate{file, std::nullopt};
  if (text.size() > limit) return candidate;
  if (!config.response) {
    candidate.code = text;
  } else {
    const auto entry = config.entry == "none" ? std::nullopt : std::optional<std::string_view>(config.entry);
    if (const auto code = analysis::split_response(text, entry).code) candidate.code = code->of(text);
  }
  return candidate;
}

int check_files(const CheckConfig& config) {
  analysis::CheckOptions options;
  options.entry = config.entry == "none" ? std::nullopt : std::optional(config.entry);
  options.policy = analysis::policy_named(config.policy).value_or(analysis::Policy::kStrict);
  if (options.policy == analysis::Policy::kCore && config.task.empty()) {
    throw base::InputError({}, "--policy core forbids the reference's main operators, and no reference was given",
                           "add --task TASK, or choose --policy strict or any");
  }
  std::optional<task::Task> task;
  analysis::ReferenceProfile reference;
  if (!config.task.empty()) {
    task = task::load_task(config.task);
    reference = analysis::profile_reference(task->source);
    options.reference = &reference;
  }
  const base::Terminal terminal = base::Terminal::of(STDOUT_FILENO);
  base::Progress progress("check", config.files.size());
  std::size_t rejected = 0;
  for (const std::string& file : config.files) {
    const std::size_t limit = config.response ? kMaxResponseBytes : pysource::kMaxSourceBytes;
    const std::string text = read_candidate(file, limit);
    const auto report =
        config.response ? analysis::check_response(text, options) : analysis::check_source(text, options);
    rejected += !report.accepted();
    if (config.jsonl) {
      std::cout << base::json_line(verdict_json(make_candidate(file, text, limit, config), report, task, config))
                << '\n';
    } else {
      print_findings(std::cout, file, text, report, terminal);
    }
    progress.advance();
  }
  progress.finish();
  if (!config.jsonl && config.files.size() > 1) {
    std::cout << config.files.size() << " files, " << rejected << " rejected\n";
  }
  return rejected == 0 ? base::kExitDone : base::kExitRejected;
}

}  // namespace

void add_check_command(CLI::App& program, Run& run) {
  auto config = std::make_shared<CheckConfig>();
  auto* command = program.add_subcommand("check", "Judge Triton sources without running them: no Python, no GPU.");
  command->add_option("FILE", config->files, "Python files to judge; - is standard input")->required();
  command->add_option("--entry", config->entry, "Class or function to follow; none: the files are libraries")
      ->capture_default_str();
  command->add_option("--task", config->task, "The task they solve: a KernelBench file, SUITE:ID or FILE.jsonl#ID");
  command->add_option("--policy", config->policy, "What torch may still do: strict (nothing), core, any")
      ->check(CLI::IsMember({"strict", "core", "any"}))
      ->capture_default_str();
  command->add_flag("--response", config->response,
                    "The files are a model's responses: <think>plan</think>, then fenced code");
  command->add_flag("--jsonl", config->jsonl, "One JSON verdict a line");
  command->footer(
      "Example: tritonrl check examples/three_defects.py\nRules: docs/rules.md. Exit status 1 if a file is rejected.");
  command->callback([&run, config] { run = [config] { return check_files(*config); }; });
}

}  // namespace tritonrl::apps
