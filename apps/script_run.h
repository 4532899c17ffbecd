#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tritonrl::apps {

// A command that writes records, one a line, to a descriptor of its own.
struct ScriptRun {
  std::function<std::vector<std::string>(int records)> command;  // with the descriptor's number
  std::vector<std::pair<std::string, std::string>> environment;  // on top of this process's own
  bool stdout_to_stderr = false;
};

// How a process ended: by itself with `status`, or by `signal`.
struct ProcessEnd {
  int status = 0;
  int signal = 0;
};

// Runs it to its end and hands each record over as it comes; what the process leaves unfinished is not handed over.
// SIGINT, SIGTERM and SIGHUP end the script, never the caller. HostError when it cannot be started.
ProcessEnd run_script(const ScriptRun& run, const std::function<void(std::string_view line)>& on_record);

}  // namespace tritonrl::apps
