#include "gpu/driver.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "gpu_test.h"

namespace tritonrl::gpu {
namespace {

TEST(DriverTest, SaysWhatIsMissingWhereThereIsNoGpu) {
  if (has_gpu()) GTEST_SKIP() << "there is a GPU";
  try {
    Driver::get();
    FAIL();
  } catch (const base::HostError& error) {
    EXPECT_TRUE(std::string_view(error.what()).starts_with("no GPU: ")) << error.what();
    EXPECT_FALSE(error.retryable());
  }
}

TEST(DriverTest, DescribesTheGpu) {
  if (!has_gpu()) GTEST_SKIP() << "there is no GPU";
  EXPECT_NE(Driver::get().describe(0).find("NVIDIA"), std::string::npos);
}

TEST(DriverTest, ErrorsOfTheDriverAreTheMachines) {
  if (!has_gpu()) GTEST_SKIP() << "there is no GPU";
  EXPECT_NO_THROW(Driver::get().check(kSuccess, "do nothing"));
  EXPECT_THROW(Driver::get().check(2, "allocate"), base::HostError);
}

}  // namespace
}  // namespace tritonrl::gpu
