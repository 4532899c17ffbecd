#include <ATen/Context.h>
#include <ATen/Functions.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "model/device_error.h"

namespace tritonrl::model {
namespace {

TEST(CudaDeviceError, NamesTheAllocationThatFailed) {
  if (!at::hasCUDA()) GTEST_SKIP() << "needs a GPU";
  const auto on_gpu = at::TensorOptions().device(at::kCUDA).dtype(at::kFloat);
  try {
    during("backward", [&] { at::empty({std::int64_t{1} << 40}, on_gpu); });
    FAIL() << "four TiB were there";
  } catch (const DeviceError& error) {
    const std::string said = error.what();
    EXPECT_NE(said.find("memory ran out during backward: 4096.00 GiB were asked for; GPU 0 has a total capacity"),
              std::string::npos)
        << said;
    EXPECT_FALSE(error.lost());
  }
  EXPECT_EQ(at::ones({3}, on_gpu).sum().item<float>(), 3);
}

// The process that lost its GPU ends with the status it means to end with.
TEST(CudaDeviceErrorDeathTest, IsLostAfterARowThatIsNotThere) {
  if (!at::hasCUDA()) GTEST_SKIP() << "needs a GPU";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto lose = [] {
    const auto on_gpu = at::TensorOptions().device(at::kCUDA);
    const at::Tensor kept = at::ones({1024}, on_gpu);
    try {
      during("scores", [&] {
        const at::Tensor rows = at::full({4}, std::int64_t{1} << 30, on_gpu.dtype(at::kLong));
        at::zeros({8, 4}, on_gpu).index_select(0, rows).sum().item<float>();
      });
    } catch (const DeviceError& error) {
      std::exit(error.lost() ? 3 : 1);
    }
  };
  EXPECT_EXIT(lose(), ::testing::ExitedWithCode(3), "");
}

}  // namespace
}  // namespace tritonrl::model
