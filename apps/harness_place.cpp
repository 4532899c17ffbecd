#include "apps/harness_place.h"

#include <cstdlib>
#include <system_error>

namespace tritonrl::apps {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLevels = 4;  // build/debug/bin is three below the tree

std::string variable(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): no thread runs yet
  return value == nullptr ? "" : value;
}

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

// The nearest folder above `start` that holds `wanted`, or nothing.
fs::path nearest_above(fs::path start, const fs::path& wanted) {
  for (int level = 0; level <= kMostLevels && !start.empty(); ++level, start = start.parent_path()) {
    if (is_there(start / wanted)) return start;
  }
  return {};
}

fs::path library(const fs::path& build, const char* named_by, const char* name) {
  const std::string named = variable(named_by);
  const fs::path path = named.empty() ? build / "lib" / name : fs::path(named);
  return is_there(path) ? path : fs::path();
}

}  // namespace

HarnessPlace find_harness() {
  HarnessPlace place;
  std::error_code error;
  const fs::path bin = fs::read_symlink("/proc/self/exe", error).parent_path();
  const fs::path tree = nearest_above(bin, "harness/tritonrl_harness/__init__.py");
  const std::string named = variable("TRITONRL_HARNESS");
  if (!named.empty()) {
    place.package = fs::absolute(named, error);
  } else if (!tree.empty()) {
    place.package = tree / "harness";
  }
  const std::string build = variable("TRITONRL_BUILD_DIR");
  place.build = build.empty() ? bin.parent_path() : fs::absolute(build, error);
  place.executor = library(place.build, "TRITONRL_TTIR_LIBRARY", "libtritonrl_ttir.so");
  place.plugin = library(place.build, "TRITONRL_TORCH_LIBRARY", "libtritonrl_torch.so");
  const fs::path cpu_torch = place.build / "cpu_torch";
  if (is_there(cpu_torch / "torch/version.py")) place.cpu_torch = cpu_torch;
  place.python = variable("TRITONRL_PYTHON");
  if (place.python.empty()) {
    const fs::path root = nearest_above(place.package.empty() ? bin : place.package, ".venv/bin/python");
    place.python = root.empty() ? "python3" : root / ".venv/bin/python";
  }
  return place;
}

}  // namespace tritonrl::apps
