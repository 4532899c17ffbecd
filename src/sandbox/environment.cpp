#include "sandbox/environment.h"

#include <stdlib.h>

#include <string>

#include "sandbox/mounts.h"

namespace tritonrl::sandbox {

Environment guest_environment(const Policy& policy, const std::string& folder) {
  const std::string home = folder + kHomeFolder;
  Environment result = {
      {"HOME", home},
      {"TMPDIR", folder},
      {"XDG_CACHE_HOME", home + "/.cache"},
      {"TRITON_HOME", home},
      {"TRITON_CACHE_DIR", folder + kTritonCacheFolder},
      {"TORCHINDUCTOR_CACHE_DIR", home + "/.inductor"},
      {"PATH", "/usr/bin:/bin"},
      {"LANG", "C.UTF-8"},
      {"TZ", "UTC"},
      {"USER", "guest"},  // getpass.getuser() asks no user database then
      {"LOGNAME", "guest"},
      {"OMP_NUM_THREADS", "1"},
      {"PYTHONDONTWRITEBYTECODE", "1"},
  };
  if (const std::optional<int> gpu = policy.gpu()) {
    result["CUDA_VISIBLE_DEVICES"] = std::to_string(*gpu);
    // A context with the usual eight takes the driver three times as long.
    result.emplace("CUDA_DEVICE_MAX_CONNECTIONS", "1");
  }
  return result;
}

void replace_environment(const Environment& environment) {
  clearenv();  // NOLINT(concurrency-mt-unsafe): the caller is a fresh child with one thread
  for (const auto& [name, value] : environment)
    setenv(name.c_str(), value.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
}

}  // namespace tritonrl::sandbox
