#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/command.h"
#include "apps/harness_place.h"
#include "apps/run_record.h"
#include "apps/sanitize_report.h"
#include "apps/script_run.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/terminal.h"
#include "ttir/device_profile.h"

namespace tritonrl::apps {
namespace {

using base::Json;

struct SanitizeConfig {
  std::string script;
  std::vector<std::string> arguments;
  bool profile = false;
  bool json = false;
  bool no_sanitize = false;
  std::optional<unsigned> threads;
  std::string order;
  std::optional<std::int64_t> seed;
  std::optional<std::int64_t> step_budget;
  std::size_t max_findings = 100;
  std::string python;
  std::string device = "h200";
  std::string stage;
};

std::string variable(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): no thread runs yet
  return value == nullptr ? "" : value;
}

// The options in the environment hold where the command line gives none.
std::string device_options(const SanitizeConfig& config) {
  const std::string given = variable("TRITONRL_DEVICE_OPTIONS");
  const base::Place where{.file = "TRITONRL_DEVICE_OPTIONS"};
  Json options = given.empty() ? Json::object() : base::parse_json(given, where);
  if (!options.is_object() || (options.contains("harness") && !options["harness"].is_object())) {
    throw base::InputError(where, "must be a JSON object", "unset it, or see src/ttir/c_api.h");
  }
  if (config.threads) options["threads"] = *config.threads;
  if (!config.order.empty()) options["order"] = config.order;
  if (config.seed) options["seed"] = *config.seed;
  if (config.step_budget) options["step_budget"] = *config.step_budget;
  if (config.no_sanitize) options["sanitize"] = false;
  if (config.device != "h200") options["profile"] = std::filesystem::absolute(config.device).string();
  if (config.profile) options["by_line"] = true;
  options["harness"]["record_launches"] = true;
  return base::json_line(options);
}

ScriptRun script_run(const SanitizeConfig& config, const HarnessPlace& place) {
  ScriptRun run;
  run.command = [&config, python = config.python.empty() ? place.python : config.python](int records) {
    std::vector<std::string> command = {
        python, "-m", "tritonrl_harness.sanitize", "--json-out", std::to_string(records), config.script};
    command.insert(command.end(), config.arguments.begin(), config.arguments.end());
    return command;
  };
  std::string path = place.package.string();
  for (const std::string& more : {place.cpu_torch.string(), variable("PYTHONPATH")})
    path += (more.empty() ? "" : ":") + more;
  run.environment = {{"PYTHONPATH", path},
                     {"TRITONRL_BUILD_DIR", place.build.string()},
                     {"TRITONRL_DEVICE_OPTIONS", device_options(config)}};
  if (!config.stage.empty()) run.environment.emplace_back("TRITONRL_STAGE", config.stage);
  run.stdout_to_stderr = config.json;
  return run;
}

// What kept the machine from doing its work; nothing when it did.
std::optional<std::string> machine_failure(const ProcessEnd& end, const RunRecords& records) {
  if (!records.unsupported().empty()) {
    return records.unsupported().front() + " (the executor cannot run this; it says nothing about the kernel)";
  }
  if (end.signal != 0) {
    return fmt::format("the script was killed by signal {} ({}); what was found before that is above", end.signal,
                       strsignal(end.signal));  // NOLINT(concurrency-mt-unsafe): no thread runs
  }
  if (!records.end() && end.status != 0) {
    return "the script could not be run to its end, see above; `tritonrl doctor` says what is missing";
  }
  return std::nullopt;
}

int exit_status(bool machine_failed, const ProcessEnd& end, const RunRecords& records) {
  if (machine_failed) return base::kExitHostFailed;
  return records.errors() > 0 || end.status != 0 ? base::kExitRejected : base::kExitDone;
}

Json run_json(const SanitizeConfig& config, const RunRecords& records, const ProcessEnd& end,
              const std::optional<std::string>& failure) {
  const auto& all = records.findings();
  const std::size_t shown = config.max_findings == 0 ? all.size() : std::min(config.max_findings, all.size());
  const auto& script = records.end();
  Json findings = Json::array();
  for (std::size_t i = 0; i < shown; ++i) findings.push_back(finding_json(all[i]));
  Json document = {{"schema", 1},
                   {"script", config.script},
                   {"arguments", config.arguments},
                   {"exit", exit_status(failure.has_value(), end, records)},
                   {"script_exit", end.signal != 0 ? Json() : Json(end.status)},
                   {"script_signal", end.signal != 0 ? Json(end.signal) : Json()},
                   {"script_error", script && !script->error.empty() ? Json(script->error) : Json()},
                   {"error", failure ? Json(*failure) : Json()},
                   {"errors", records.errors()},
                   {"warnings", all.size() - records.errors()},
                   {"launches", records.launches()},
                   {"kernels", records.kernels().size()},
                   {"findings", std::move(findings)},
                   {"findings_left_out", all.size() - shown}};
  if (config.profile) {
    document["profile"] = profile_json(records, config.device);
    if (script) {
      document["profile"]["torch_operators"] = script->torch_operators;
      document["profile"]["modelled_us"] = script->modelled_us;
    }
  }
  return document;
}

HarnessPlace checked_place(const SanitizeConfig& config) {
  base::open_for_reading(config.script);
  if (!config.python.empty() && config.python.find('/') != std::string::npos &&
      !std::filesystem::exists(config.python)) {
    throw base::InputError({.file = config.python}, "there is no such Python", "check --python");
  }
  if (config.no_sanitize && !config.profile) {
    throw base::InputError({}, "--no-sanitize looks for no defects, so that nothing is left to report",
                           "add --profile");
  }
  ttir::device_profile(config.device);
  HarnessPlace place = find_harness();
  if (!std::filesystem::exists(place.package / "tritonrl_harness/__init__.py")) {
    throw base::HostError(
        "the Python package tritonrl_harness was not found; set TRITONRL_HARNESS to the folder it is in");
  }
  return place;
}

int sanitize(const SanitizeConfig& config) {
  const HarnessPlace place = checked_place(config);
  RunRecords records(config.no_sanitize ? RunRecords::Keep::kLaunches : RunRecords::Keep::kAll);
  const ProcessEnd end = run_script(script_run(config, place), [&](std::string_view line) { records.add(line); });
  const auto failure = machine_failure(end, records);
  if (config.json) {
    std::cout << base::json_line(run_json(config, records, end, failure)) << '\n';
  } else {
    if (!config.no_sanitize && (records.end() || !records.findings().empty())) {
      print_run(std::cout, config.script, records, config.max_findings, base::Terminal::of(STDOUT_FILENO));
    }
    if (config.profile) print_profile(std::cout, records, config.device);
    std::cout.flush();
  }
  if (failure) std::cerr << "tritonrl: " << *failure << '\n';
  return exit_status(failure.has_value(), end, records);
}

// Whether `argument` is an option of ours, and whether the next argument is its value.
struct OwnOption {
  bool known = false;
  bool takes_next = false;
};

OwnOption own_option(const CLI::App& command, const std::string& argument) {
  const std::size_t equals = argument.find('=');
  const CLI::Option* option = command.get_option_no_throw(argument.substr(0, equals));
  if (option == nullptr || !argument.starts_with('-')) return {};
  return {.known = true, .takes_next = equals == std::string::npos && option->get_expected_max() > 0};
}

}  // namespace

std::vector<std::string> take_script_arguments(const CLI::App& program, std::vector<std::string>& arguments) {
  if (arguments.empty() || arguments.front() != "sanitize") return {};
  const CLI::App& command = *program.get_subcommand("sanitize");
  std::vector<std::string> ours = {arguments.front()};
  std::vector<std::string> theirs;
  bool has_script = false;
  std::size_t at = 1;
  for (; at < arguments.size() && arguments[at] != "--"; ++at) {
    const OwnOption own = own_option(command, arguments[at]);
    const bool is_script = !has_script && !arguments[at].starts_with('-');
    (own.known || !has_script ? ours : theirs).push_back(arguments[at]);
    has_script = has_script || is_script;
    if (own.takes_next && at + 1 < arguments.size()) ours.push_back(arguments[++at]);
  }
  if (at < arguments.size() && !has_script) {
    ours.insert(ours.end(), arguments.begin() + static_cast<std::ptrdiff_t>(at),
                arguments.begin() + static_cast<std::ptrdiff_t>(std::min(at + 2, arguments.size())));
    ++at;
  }
  if (at < arguments.size()) {
    theirs.insert(theirs.end(), arguments.begin() + static_cast<std::ptrdiff_t>(at) + 1, arguments.end());
  }
  arguments = std::move(ours);
  return theirs;
}

void add_sanitize_command(CLI::App& program, Run& run, const std::vector<std::string>& script_arguments) {
  auto config = std::make_shared<SanitizeConfig>();
  auto* command = program.add_subcommand(
      "sanitize", "Run a script's Triton kernels without a GPU, and report their defects and what they cost.");
  command->add_option("SCRIPT", config->script, "A Python script or pytest module that launches Triton kernels")
      ->required();
  command->add_flag("--profile", config->profile,
                    "What each kernel and line loads, stores and computes; modelled time");
  command->add_flag("--json", config->json, "One JSON document; what the script prints goes to stderr");
  command->add_option("--device-profile", config->device, "The GPU whose time is modelled: h200, or a TOML file")
      ->capture_default_str();
  command
      ->add_option("--stage", config->stage, "Compile kernels this far; cubin tells registers, spills, shared memory")
      ->check(CLI::IsMember({"ttir", "ttgir", "llir", "ptx", "cubin"}));
  command->add_flag("--no-sanitize", config->no_sanitize, "Look for no defects, only count; faster");
  command->add_option("--max-findings", config->max_findings, "Show no more than this many; 0: all")
      ->capture_default_str();
  command
      ->add_option("--threads", config->threads, "Programs of a kernel run on this many threads; findings are the same")
      ->check(CLI::Range(1, 256));
  command
      ->add_option("--order", config->order,
                   "The order of a kernel's programs: in-order (the default), reversed, shuffled")
      ->check(CLI::IsMember({"in-order", "reversed", "shuffled"}));
  command->add_option("--seed", config->seed, "Of --order shuffled")->check(CLI::NonNegativeNumber);
  command->add_option("--step-budget", config->step_budget, "Operations on lanes before a launch counts as endless")
      ->check(CLI::PositiveNumber);
  command->add_option("--python", config->python,
                      "The Python that has torch and Triton (default: $TRITONRL_PYTHON, .venv/bin/python, python3)");
  command->footer(
      "These options are taken anywhere before a '--'. All else after SCRIPT, and everything after '--', is the "
      "script's:\n"
      "  tritonrl sanitize train.py --lr 0.1 --profile -- --seed 3    runs train.py --lr 0.1 --seed 3\n"
      "Example: tritonrl sanitize examples/sanitize/three_bugs.py --profile\n"
      "Rules: docs/sanitize.md. Exit status: 0 no error found; 1 errors were found or the script failed; 2 bad usage "
      "or\n"
      "input; 3 the machine failed: no torch or Triton, a kernel that the executor cannot run, a killed script.");
  command->callback([&run, &script_arguments, config] {
    run = [&script_arguments, config] {
      config->arguments = script_arguments;
      return sanitize(*config);
    };
  });
}

}  // namespace tritonrl::apps
