#include <fmt/format.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <thread>

#include "apps/command.h"
#include "apps/harness_place.h"
#include "base/error.h"
#include "endpoint/http.h"
#include "gpu/driver.h"
#include "sandbox/facilities.h"
#include "sandbox/namespaces.h"
#include "tritonrl_version.h"

namespace tritonrl::apps {
namespace {

void line(std::string_view what, bool there, const std::string& detail) {
  std::cout << fmt::format("{:<9} {:<14} {}\n", there ? "ok" : "missing", what, detail);
}

// The first line that a command prints; empty if it fails.
std::string first_line_of(const std::string& command) {
  struct Close {
    void operator()(std::FILE* file) const { pclose(file); }
  };
  const std::unique_ptr<std::FILE, Close> pipe(popen((command + " 2>/dev/null").c_str(), "r"));
  if (!pipe) return {};
  std::array<char, 256> buffer{};
  if (std::fgets(buffer.data(), buffer.size(), pipe.get()) == nullptr) return {};
  std::string text(buffer.data());
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text;
}

// For the shell.
std::string shell_quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

void report_python_module(const std::string& python, std::string_view module, std::string_view used_for) {
  const std::string version = first_line_of(
      fmt::format("{} -c 'import importlib.metadata as m; print(m.version(\"{}\"))'", shell_quoted(python), module));
  line(module, !version.empty(),
       version.empty() ? fmt::format("needed for {}; `make setup` installs it", used_for) : version);
}

// What `tritonrl sanitize` needs besides torch and Triton.
void report_harness(const HarnessPlace& place) {
  line("executor", !place.executor.empty(),
       place.executor.empty() ? "libtritonrl_ttir.so is needed for sanitize; `make build` makes it"
                              : place.executor.string());
  const bool package = std::filesystem::exists(place.package / "tritonrl_harness/__init__.py");
  if (!package) {
    line("harness", false,
         "the Python package tritonrl_harness is needed for sanitize; TRITONRL_HARNESS names its folder");
  } else {
    line("harness", !place.plugin.empty(),
         place.plugin.empty() ? "libtritonrl_torch.so is needed for sanitize; `make setup`, then `make build` make it"
                              : place.plugin.string());
  }
}

void report_gpu() {
  try {
    line("gpu", true, gpu::Driver::get().describe(0));
  } catch (const base::HostError& error) {
    line("gpu", false, fmt::format("{}: speed can only be modelled here", error.what()));
  }
}

void report_sandbox_facilities() {
  const sandbox::Facilities& machine = sandbox::facilities();
  std::string namespaces;
  for (const sandbox::NamespaceKind& kind : sandbox::namespace_kinds())
    if ((machine.namespaces & kind.flag) != 0)
      namespaces += fmt::format("{}{}", namespaces.empty() ? "" : ", ", kind.name);
  if (!namespaces.empty()) line("namespaces", true, namespaces);
  if (machine.landlock_abi > 0) line("landlock", true, fmt::format("ABI {}", machine.landlock_abi));
  if (machine.seccomp && machine.filters) line("seccomp", true, "system calls are filtered");
  for (const std::string& missing : machine.missing()) line("sandbox", false, missing);
}

int diagnose() {
  struct sysinfo memory{};
  sysinfo(&memory);
  const double gib = static_cast<double>(memory.totalram) * memory.mem_unit / (1024.0 * 1024.0 * 1024.0);
  line("tritonrl", true, std::string(kVersion));
  line("machine", true, fmt::format("{} cores, {:.0f} GiB", std::thread::hardware_concurrency(), gib));
  line("check", true, "static layers: need nothing else");
  const HarnessPlace place = find_harness();
  const std::string version = first_line_of(shell_quoted(place.python) + " --version");
  line("python", !version.empty(),
       version.empty() ? "needed to run kernels; install Python 3.10 or later"
                       : fmt::format("{} ({})", version, place.python));
  report_python_module(place.python, "torch", "running kernels");
  report_python_module(place.python, "triton", "compiling kernels");
  report_python_module(place.python, "pyarrow", "importing Parquet");
  line("endpoints", endpoint::can_speak_http(),
       endpoint::can_speak_http() ? "asked through libcurl"
                                  : "libcurl is needed to ask them; `make setup`, then `make build`");
  report_harness(place);
  report_gpu();
  report_sandbox_facilities();
  return base::kExitDone;
}

}  // namespace

void add_doctor_command(CLI::App& program, Run& run) {
  auto* command = program.add_subcommand("doctor", "Say what this machine can do, and what is missing, a line each.");
  command->footer("Example: tritonrl doctor");
  command->callback([&run] { run = [] { return diagnose(); }; });
}

}  // namespace tritonrl::apps
