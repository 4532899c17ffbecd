#include "sandbox/policy.h"

#include <array>
#include <fstream>
#include <system_error>
#include <utility>

#include "base/text.h"

namespace tritonrl::sandbox {
namespace {

namespace fs = std::filesystem;
using base::Json;

std::uint64_t count_field(base::JsonFields& fields, const std::string& key) {
  const std::int64_t value = fields.integer(key);
  if (value < 0) fields.refuse(key, "must not be negative");
  return static_cast<std::uint64_t>(value);
}

double seconds_field(base::JsonFields& fields, const std::string& key) {
  const std::optional<double> value = fields.optional_number(key);
  if (!value || *value <= 0) fields.refuse(key, "must be seconds, above 0");
  return *value;
}

Limits limits_from(const Json& json, const base::Place& where) {
  base::JsonFields fields(json, where);
  Limits limits;
  limits.wall_s = seconds_field(fields, "wall_s");
  limits.cpu_s = seconds_field(fields, "cpu_s");
  limits.memory_bytes = count_field(fields, "memory_bytes");
  limits.threads = count_field(fields, "threads");
  limits.file_bytes = count_field(fields, "file_bytes");
  limits.disk_bytes = count_field(fields, "disk_bytes");
  limits.output_bytes = count_field(fields, "output_bytes");
  limits.open_files = count_field(fields, "open_files");
  fields.finish();
  return limits;
}

// "home = /usr/bin" of a virtual environment's pyvenv.cfg: where the real interpreter is.
fs::path interpreter_home(const fs::path& venv) {
  std::ifstream file(venv / "pyvenv.cfg");
  for (std::string line; std::getline(file, line);) {
    const std::vector<std::string_view> parts = base::split(line, '=');
    if (parts.size() == 2 && base::strip(parts[0]) == "home") return {base::strip(parts[1])};
  }
  return {};
}

}  // namespace

Policy& Policy::allow_read(fs::path path) {
  base::check(path.is_absolute(), "a sandbox's read path must be absolute");
  read_paths_.push_back(std::move(path));
  return *this;
}

Policy& Policy::allow_gpu(int index) {
  gpu_ = index;
  // Where CUDA's libraries lie beside the system's own.
  return allow_read("/usr/local/cuda").allow_read("/usr/local/nvidia");
}

Policy& Policy::allow_code_loading() {
  code_loading_ = true;
  return *this;
}

Policy& Policy::limits(const Limits& limits) {
  limits_ = limits;
  return *this;
}

Policy& Policy::enforce(Enforcement enforcement) {
  enforcement_ = enforcement;
  return *this;
}

Json Policy::to_json() const {
  Json paths = Json::array();
  for (const fs::path& path : read_paths_) paths.push_back(path.string());
  return Json{{"read", paths},
              {"gpu", gpu_ ? Json(*gpu_) : Json(nullptr)},
              {"code_loading", code_loading_},
              {"enforcement", enforcement_ == Enforcement::kRequire ? "require" : "best"},
              {"limits",
               {{"wall_s", limits_.wall_s},
                {"cpu_s", limits_.cpu_s},
                {"memory_bytes", limits_.memory_bytes},
                {"threads", limits_.threads},
                {"file_bytes", limits_.file_bytes},
                {"disk_bytes", limits_.disk_bytes},
                {"output_bytes", limits_.output_bytes},
                {"open_files", limits_.open_files}}}};
}

Policy Policy::from_json(const Json& json, const base::Place& where) {
  base::JsonFields fields(json, where);
  Policy policy;
  if (const Json* paths = fields.optional_value("read")) {
    if (!paths->is_array()) fields.refuse_type("read", "an array of paths", *paths);
    for (const Json& path : *paths) {
      if (!path.is_string() || !fs::path(path.get<std::string>()).is_absolute())
        fields.refuse("read", "holds what is no absolute path");
      policy.read_paths_.emplace_back(path.get<std::string>());
    }
  }
  if (const auto gpu = fields.optional_integer("gpu")) policy.gpu_ = static_cast<int>(*gpu);
  policy.code_loading_ = fields.optional_boolean("code_loading").value_or(false);
  const std::string enforcement = fields.optional_text("enforcement").value_or("require");
  if (enforcement != "require" && enforcement != "best") fields.refuse("enforcement", "must be require or best");
  policy.enforcement_ = enforcement == "best" ? Enforcement::kBest : Enforcement::kRequire;
  if (const Json* limits = fields.optional_value("limits")) policy.limits_ = limits_from(*limits, where);
  fields.finish();
  return policy;
}

std::vector<fs::path> python_paths(const fs::path& python, const fs::path& harness) {
  // Where distributions keep shared libraries, and the loader's cache that names them.
  std::vector<fs::path> paths = {"/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib", "/lib64", "/etc/ld.so.cache"};
  std::error_code error;
  const fs::path real = fs::canonical(python, error);
  if (!error) paths.push_back(real.parent_path().parent_path() / "lib");
  const fs::path venv = python.parent_path().parent_path();
  if (fs::exists(venv / "pyvenv.cfg", error)) {
    paths.push_back(venv);
    const fs::path home = interpreter_home(venv);
    if (!home.empty()) paths.push_back(home.parent_path() / "lib");
  }
  if (!harness.empty()) paths.push_back(harness);
  return paths;
}

}  // namespace tritonrl::sandbox
