#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "sandbox/facilities.h"
#include "test_python.h"
#include "verify/compiler.h"
#include "verify/executor_device.h"
#include "verify/guest_process.h"

namespace tritonrl::verify {

inline constexpr const char* kAdd = R"(
import torch
class Model(torch.nn.Module):
    def forward(self, x):
        return x + 1
def get_inputs():
    return [torch.rand(8)]
def get_init_inputs():
    return []
)";

// A plain Python cannot load what was built with a sanitizer, but what the release build has.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr const char* kLibraries = TRITONRL_SOURCE_DIR "/build/lib";
#else
inline constexpr const char* kLibraries = TRITONRL_LIBRARIES;
#endif

inline task::Task task_of(const std::string& id, const std::string& source) {
  task::Task task;
  task.id = id;
  task.source = source;
  return task;
}

// Processes of references as the CPU device has them, which can do all but be timed.
class ReferenceProcessTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!test_python()) GTEST_SKIP() << "there is no Python with torch";
    if (!std::filesystem::exists(libraries_ / "libtritonrl_torch.so")) GTEST_SKIP() << "this build has no device";
    if (!sandbox::facilities().missing().empty()) GTEST_SKIP() << sandbox::facilities().missing().front();
    python_ = *test_python();
    sandbox::ForkServerConfig config;
    config.python = python_;
    config.harness = harness_;
    config.library = libraries_ / "libtritonrl_sandbox.so";
    config.warm_up = "tritonrl_harness.serving:preload";
    config.environment = {{"TRITONRL_BUILD_DIR", libraries_.parent_path().string()}};
    server_ = std::make_unique<sandbox::ForkServer>(config);
    compiler_ = std::make_unique<Compiler>(CompilerConfig{.python = python_, .harness = harness_});
  }

  std::unique_ptr<GuestProcess> start(const std::string& entry = "tritonrl_harness.oracle:main") {
    ++started_;
    sandbox::Policy policy = sandbox::Policy::deny_all();
    for (const auto& path : sandbox::python_paths(python_, harness_)) policy.allow_read(path);
    policy.allow_read(libraries_).allow_code_loading();
    return std::make_unique<GuestProcess>(
        *server_, GuestConfig{.entry = entry, .policy = policy},
        std::make_unique<ExecutorDevice>(std::uint64_t{1} << 26U, profile_, ttir::LaunchOptions{}, *compiler_));
  }

  std::filesystem::path python_;
  std::filesystem::path harness_ = TRITONRL_SOURCE_DIR "/harness";
  std::filesystem::path libraries_ = kLibraries;
  ttir::DeviceProfile profile_ = ttir::device_profile("h200");
  std::unique_ptr<sandbox::ForkServer> server_;
  std::unique_ptr<Compiler> compiler_;
  int started_ = 0;
  task::Task add_ = task_of("add", kAdd);
};

}  // namespace tritonrl::verify
