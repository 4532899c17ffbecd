#include "verify/compiler.h"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <vector>

#include "base/error.h"
#include "test_python.h"

namespace tritonrl::verify {
namespace {

using base::Json;

constexpr const char* kAdd = R"(module {
  tt.func public @add(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {
    %r = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %s = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %p = tt.addptr %s, %r : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %v = tt.load %p : tensor<128x!tt.ptr<f32>>
    %t = tt.splat %y : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %q = tt.addptr %t, %r : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %w = arith.addf %v, %v : tensor<128xf32>
    tt.store %q, %w : tensor<128x!tt.ptr<f32>>
    tt.return
  }
}
)";

class CompilerTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!test_python()) GTEST_SKIP() << "there is no Python with Triton";
    config_ = {.python = *test_python(), .harness = TRITONRL_SOURCE_DIR "/harness"};
  }

  CompilerConfig config_;
};

std::vector<pid_t> own_children() {
  std::vector<pid_t> found;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream list(thread.path() / "children");
    for (pid_t child = 0; list >> child;) found.push_back(child);
  }
  return found;
}

TEST_F(CompilerTest, MakesMachineCodeAndSaysWhatItUses) {
  Compiler compiler(config_);
  const auto result = compiler.start(kAdd, {{"num_warps", 4}}).get();
  ASSERT_TRUE(std::holds_alternative<CompiledKernel>(*result)) << std::get<CompileRefusal>(*result).message;
  const auto& kernel = std::get<CompiledKernel>(*result);
  EXPECT_EQ(kernel.name, "add");
  EXPECT_GT(kernel.registers, 0U);
  EXPECT_EQ(kernel.spill_bytes, 0U);
  EXPECT_TRUE(
      kernel.cubin.starts_with("\x7F"
                               "ELF"));
  EXPECT_EQ(kernel.head.at("parameters").dump(), R"([["ptr",8],["ptr",8],["i32",4],["scratch",8],["profile",8]])");
}

TEST_F(CompilerTest, WhatIsNoTritonIrIsRefusedInWords) {
  Compiler compiler(config_);
  const auto result = compiler.start("modle {}", Json::object()).get();
  ASSERT_TRUE(std::holds_alternative<CompileRefusal>(*result));
  EXPECT_NE(std::get<CompileRefusal>(*result).message.find("modle"), std::string::npos);
}

TEST_F(CompilerTest, TooMuchSharedMemoryIsARefusalForTuners) {
  config_.shared_bytes = 0;
  std::string text = kAdd;  // a reduction needs a few bytes
  text.replace(text.find("tt.store"), text.find('\n', text.find("tt.store")) - text.find("tt.store"),
               R"(%m = "tt.reduce"(%w) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<128xf32>) -> f32
    tt.store %y, %m : !tt.ptr<f32>)");
  Compiler compiler(config_);
  const auto result = compiler.start(text, Json::object()).get();
  ASSERT_TRUE(std::holds_alternative<CompileRefusal>(*result));
  EXPECT_TRUE(std::get<CompileRefusal>(*result).resources) << std::get<CompileRefusal>(*result).message;
}

TEST_F(CompilerTest, ACompilerThatCannotStartIsTheMachinesFailure) {
  config_.harness = "/nonexistent";
  Compiler compiler(config_);
  EXPECT_THROW(compiler.start(kAdd, Json::object()).get(), base::HostError);
}

TEST_F(CompilerTest, AKernelThatNeverEndsIsRefusedAndTheNextOneCompiles) {
  config_.patience_s = 0.001;
  Compiler hasty(config_);
  const auto result = hasty.start(kAdd, Json::object()).get();
  ASSERT_TRUE(std::holds_alternative<CompileRefusal>(*result));
  EXPECT_NE(std::get<CompileRefusal>(*result).message.find("in time"), std::string::npos);
}

TEST_F(CompilerTest, ACompilerHeldUpFromOutsideSaysNothingAboutTheKernel) {
  config_.patience_s = 10;
  Compiler compiler(config_);
  compiler.start(kAdd, {{"num_warps", 4}}).get();
  const auto children = own_children();
  ASSERT_EQ(children.size(), 1U);
  kill(children[0], SIGSTOP);
  const auto result = compiler.start(kAdd, {{"num_warps", 8}}).get();
  ASSERT_TRUE(std::holds_alternative<CompiledKernel>(*result)) << std::get<CompileRefusal>(*result).message;
}

TEST_F(CompilerTest, LeavesNoFilesBehind) {
  std::string folder = (std::filesystem::temp_directory_path() / "compiler-test-XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  setenv("TMPDIR", folder.c_str(), 1);
  {
    Compiler compiler(config_);
    compiler.start(kAdd, Json::object()).get();
    EXPECT_FALSE(std::filesystem::is_empty(folder));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  unsetenv("TMPDIR");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace tritonrl::verify
