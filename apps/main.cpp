#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "apps/command.h"
#include "apps/run_commands.h"
#include "apps/tokenizer_command.h"
#include "apps/training_library.h"
#include "base/error.h"
#include "base/log.h"
#include "base/text.h"
#include "tritonrl_version.h"

namespace {

using namespace tritonrl;

// CLI11's own messages, with the nearest command for a mistyped one.
int report_usage(const CLI::App& program, const CLI::ParseError& error, int argc, char** argv) {
  const bool asked_for_help = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success);
  if (asked_for_help) return program.exit(error);
  std::cerr << "tritonrl: " << error.what() << '\n';
  const CLI::App* level = &program;
  std::string typed = "tritonrl";
  for (int i = 1; i < argc; ++i) {
    std::vector<std::string> names;
    for (const auto* command : level->get_subcommands(nullptr)) names.push_back(command->get_name());
    const auto nearest = base::nearest_name(argv[i], names);
    if (!nearest) break;
    typed += " " + *nearest;
    if (*nearest != argv[i]) {
      std::cerr << "Did you mean '" << typed << "'?\n";
      break;
    }
    level = level->get_subcommand(*nearest);
  }
  std::cerr << "Run 'tritonrl --help' or 'tritonrl COMMAND --help'.\n";
  return base::kExitBadInput;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    CLI::App program("Judges Triton kernels honestly, and trains models that write them.", "tritonrl");
    program.set_version_flag("--version", "tritonrl " + std::string(kVersion));
    program.require_subcommand(1);
    program.footer("Exit status: 0 done, 1 something was rejected, 2 bad usage or input, 3 the machine failed.");
    apps::Run run;
    apps::add_check_command(program, run);
    apps::add_verify_command(program, run);
    apps::add_tasks_command(program, run);
    apps::add_data_command(program, run);
    apps::add_tokenizer_command(program, run);
    apps::add_report_command(program, run);
    apps::add_train_command(program, run);
    std::vector<std::string> script_arguments;
    apps::add_sanitize_command(program, run, script_arguments);
    apps::add_doctor_command(program, run);
    std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
    apps::add_training_commands(program, run, arguments);
    script_arguments = apps::take_script_arguments(program, arguments);
    std::ranges::reverse(arguments);  // as CLI11 wants them
    try {
      program.parse(std::move(arguments));
    } catch (const CLI::ParseError& error) {
      return report_usage(program, error, argc, argv);
    }
    const int status = run();
    std::cout.flush();
    if (!std::cout) throw base::HostError("cannot write to stdout");
    return status;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tritonrl: %s\n", error.what());
    return base::exit_status(error);
  }
}
