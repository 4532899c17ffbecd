#include "apps/verifier_setup.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

#include "apps/harness_place.h"
#include "base/error.h"
#include "gpu/driver.h"
#include "tritonrl_version.h"
#include "verify/secret.h"

namespace tritonrl::apps {
namespace {

std::filesystem::path cache_folder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");  // NOLINT(concurrency-mt-unsafe): no thread runs yet
  if (cache != nullptr && *cache != '\0') return std::filesystem::path(cache) / "tritonrl/verdicts";
  const char* home = std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe)
  return std::filesystem::path(home == nullptr ? "." : home) / ".cache/tritonrl/verdicts";
}

// `auto`: the GPU where there is one.
std::string device_of(const std::string& asked) {
  if (asked == "cpu") return asked;
  try {
    gpu::Driver::get();
    return "cuda";
  } catch (const base::HostError& error) {
    if (asked == "cuda") throw base::HostError(fmt::format("{}; use --device cpu", error.what()));
    return "cpu";
  }
}

// A GPU is shared by processes of a candidate and a reference each, with memory of their own.
unsigned jobs_for(const std::string& device) {
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  return device == "cuda" ? std::min(cores, 6U) : cores;
}

}  // namespace

verify::VerifierConfig local_verifier(const std::string& device) {
  const HarnessPlace place = find_harness();
  if (place.package.empty() || place.executor.empty()) {
    throw base::HostError(
        "the harness was not found beside the program; `make build` makes it, or set TRITONRL_HARNESS");
  }
  verify::VerifierConfig config;
  config.device = device_of(device);
  config.jobs = jobs_for(config.device);
  config.cache = cache_folder();
  config.secret = verify::Secret::default_file();
  config.python = std::filesystem::absolute(place.python);
  config.harness = std::filesystem::absolute(place.package);
  config.libraries = std::filesystem::absolute(place.executor).parent_path();
  if (!place.cpu_torch.empty()) config.cpu_torch = std::filesystem::absolute(place.cpu_torch);
  config.version = kVersion;
  return config;
}

}  // namespace tritonrl::apps
