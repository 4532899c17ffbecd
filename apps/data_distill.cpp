#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <string>

#include "apps/api_key.h"
#include "apps/data_command.h"
#include "base/error.h"
#include "data/distiller.h"

namespace tritonrl::apps {
namespace {

struct DistillOptions {
  data::DistillConfig distill;
  endpoint::ClientConfig client;
  std::string prompt = "training";
  bool no_stream = false;
  bool json = false;
};

void print_report(const data::DistillConfig& config, const data::DistillReport& report) {
  std::cout << fmt::format("{} tasks: {} answers, {} of an earlier run, {} requests failed\n", report.tasks,
                           report.answered, report.kept, report.failures());
  for (const auto& [reason, count] : report.failed) std::cout << fmt::format("  failed: {} ({})\n", reason, count);
  std::cout << fmt::format("tokens   {} of prompts, {} of responses, counted {}\nsamples  {}\n", report.prompt_tokens,
                           report.response_tokens, report.counted_by_server ? "by the server" : "as pieces",
                           config.out.string());
}

int distill(DistillOptions options) {
  options.client.api_key = api_key();
  const endpoint::Client client(options.client);
  auto& config = options.distill;
  if (config.asking.model.empty()) config.asking.model = client.models().front();
  config.asking.stream = !options.no_stream;
  config.prompt = task::prompt_named(options.prompt);
  const auto report = data::distill(config, client);
  if (options.json) {
    std::cout << base::json_line(report.json()) << '\n';
  } else {
    print_report(config, report);
  }
  return report.failures() > 0 ? base::kExitRejected : base::kExitDone;
}

}  // namespace

void add_data_distill(CLI::App& data, Run& run) {
  auto options = std::make_shared<DistillOptions>();
  auto* command = data.add_subcommand("distill", "Ask a teacher behind an OpenAI-compatible endpoint for traces.");
  command->add_option("--tasks", options->distill.tasks, "A suite: .jsonl, or a folder of KernelBench files")
      ->required();
  command->add_option("--endpoint", options->client.url, "http://HOST:PORT/v1; a key comes from TRITONRL_API_KEY")
      ->required();
  command->add_option("--out", options->distill.out, "Samples, a .jsonl file; what it holds already is not asked again")
      ->required();
  command->add_option("--model", options->distill.asking.model, "Default: the first that the server lists");
  command->add_option("-n,--traces", options->distill.traces, "Traces a task")->check(CLI::PositiveNumber);
  command->add_option("--concurrency", options->distill.concurrency, "Requests at a time")->check(CLI::PositiveNumber);
  command->add_option("--temperature", options->distill.asking.temperature)->check(CLI::NonNegativeNumber);
  command->add_option("--top-p", options->distill.asking.top_p)->check(CLI::Range(0.0, 1.0));
  command->add_option("--max-tokens", options->distill.asking.max_tokens, "Of a response")->check(CLI::PositiveNumber);
  command->add_option("--prompt", options->prompt)->check(CLI::IsMember({"training", "evaluation"}));
  command->add_option("--tries", options->client.tries, "Of one request")->check(CLI::PositiveNumber);
  command->add_option("--first-wait", options->client.first_wait_s, "Seconds before the second try; doubled each time")
      ->check(CLI::NonNegativeNumber);
  command
      ->add_option("--silence-seconds", options->client.silence_seconds, "Without a byte, until a request is given up")
      ->check(CLI::PositiveNumber);
  command->add_flag("--no-stream", options->no_stream, "Ask for answers in one piece");
  command->add_flag("--json", options->json, "The report as one JSON object");
  command->footer(
      "Example: tritonrl data distill --tasks examples/data/own_tasks.jsonl --endpoint http://localhost:8000/v1 "
      "--out build/traces.jsonl");
  command->callback([&run, options] { run = [options] { return distill(*options); }; });
}

}  // namespace tritonrl::apps
