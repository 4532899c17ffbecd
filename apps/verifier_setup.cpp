#include "apps/verifier_setup.h"

#include <algorithm>
#include <cstdlib>
#include <thread>

#include "apps/harness_place.h"
#include "base/error.h"
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

}  // namespace

verify::VerifierConfig local_verifier() {
  const HarnessPlace place = find_harness();
  if (place.package.empty() || place.executor.empty()) {
    throw base::HostError(
        "the harness was not found beside the program; `make build` makes it, or set TRITONRL_HARNESS");
  }
  verify::VerifierConfig config;
  config.jobs = std::max(1U, std::thread::hardware_concurrency());
  config.cache = cache_folder();
  config.secret = verify::Secret::default_file();
  config.python = std::filesystem::absolute(place.python);
  config.harness = std::filesystem::absolute(place.package);
  config.libraries = std::filesystem::absolute(place.executor).parent_path();
  config.version = kVersion;
  return config;
}

}  // namespace tritonrl::apps
