#include "verify/cuda_memory.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "../gpu/gpu_test.h"
#include "base/random.h"
#include "test_python.h"

namespace tritonrl::verify {
namespace {

// A host's bytes on the GPU.
class OnDevice {
 public:
  template <typename T>
  explicit OnDevice(const std::vector<T>& values) : bytes_(values.size() * sizeof(T)) {
    gpu::copy_to_device(bytes_.address(), values.data(), bytes_.bytes());
  }
  std::byte* data() const { return gpu::as_pointer(bytes_.address()); }

 private:
  gpu::DeviceBytes bytes_;
};

class CudaMemoryTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!gpu::has_gpu() || !test_python()) GTEST_SKIP() << "there is no GPU, or no Python with Triton";
    context_ = std::make_unique<gpu::Context>(0);
    compiler_ = std::make_unique<Compiler>(CompilerConfig{
        .python = *test_python(), .harness = TRITONRL_SOURCE_DIR "/harness", .architecture = context_->architecture()});
    memory_ = std::make_unique<CudaMemory>(*context_, *compiler_);
  }

  std::unique_ptr<gpu::Context> context_;
  std::unique_ptr<Compiler> compiler_;
  std::unique_ptr<CudaMemory> memory_;
};

struct Comparison {
  std::vector<float> found;
  std::vector<double> values;
  std::vector<double> spread;
};

Comparison honest(std::size_t count, base::Random& random) {
  Comparison made;
  for (std::size_t n = 0; n < count; ++n) {
    const double value = random.normal();
    made.values.push_back(value);
    made.spread.push_back(std::abs(value) * 1e-6 + 1e-12);
    made.found.push_back(static_cast<float>(value + random.normal() * made.spread.back()));
  }
  return made;
}

TEST_F(CudaMemoryTest, ComparesAsItsSlowTwinDoes) {
  base::Random random(7);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double not_a_number = std::numeric_limits<double>::quiet_NaN();
  for (int spoilt = 0; spoilt < 8; ++spoilt) {
    Comparison made = honest(100'003, random);
    const std::size_t at = random.below(made.values.size());
    if (spoilt == 1) made.found[at] = static_cast<float>(made.values[at] + 100 * made.spread[at]);
    if (spoilt == 2) made.found[at] = static_cast<float>(not_a_number);
    if (spoilt == 3) made.values[at] = not_a_number;
    if (spoilt == 4) made.values[at] = made.found[at] = static_cast<float>(kInfinity);
    if (spoilt == 5) made.values[at] = -kInfinity;
    if (spoilt == 6) made.values[at] = 1e300;
    if (spoilt == 7) {
      for (std::size_t n = 0; n < made.found.size(); ++n)
        made.found[n] = static_cast<float>(made.values[n] + 5 * made.spread[n]);
    }
    const std::vector<std::int64_t> shape = {static_cast<std::int64_t>(made.found.size())};
    TensorView found{.dtype = "float32",
                     .shape = shape,
                     .strides = {1},
                     .data = reinterpret_cast<const std::byte*>(made.found.data())};
    ExpectedTensor expected{.dtype = "float32",
                            .shape = shape,
                            .values = reinterpret_cast<const std::byte*>(made.values.data()),
                            .spread = made.spread.data(),
                            .alternatives = {}};
    const ComparisonReport slow = compare(found, expected);
    const OnDevice found_there(made.found);
    const OnDevice values_there(made.values);
    const OnDevice spread_there(made.spread);
    found.data = found_there.data();
    expected.values = values_there.data();
    expected.spread = reinterpret_cast<const double*>(spread_there.data());
    const ComparisonReport fast = memory_->compare(found, expected);
    ASSERT_EQ(fast.mismatch.has_value(), slow.mismatch.has_value()) << spoilt;
    if (slow.mismatch) {
      EXPECT_EQ(fast.mismatch->rule, slow.mismatch->rule) << spoilt;
      EXPECT_EQ(fast.mismatch->message, slow.mismatch->message) << spoilt;
    } else {
      EXPECT_NEAR(fast.rms, slow.rms, 1e-9);
      EXPECT_NEAR(fast.worst, slow.worst, 1e-9);
    }
  }
}

TEST_F(CudaMemoryTest, NoticesOneByteInASnapshot) {
  std::vector<std::uint8_t> bytes(1'000'001, 3);
  const OnDevice there(bytes);
  const Snapshot snapshot = memory_->snapshot(there.data(), bytes.size());
  EXPECT_TRUE(memory_->same(there.data(), snapshot));
  for (const std::size_t at : {std::size_t{0}, std::size_t{512'345}, bytes.size() - 1}) {
    const std::uint8_t other = 4;
    gpu::copy_to_device(gpu::as_address(there.data()) + at, &other, 1);
    EXPECT_FALSE(memory_->same(there.data(), snapshot)) << at;
    gpu::copy_to_device(gpu::as_address(there.data()) + at, &bytes[at], 1);
  }
  EXPECT_TRUE(memory_->same(there.data(), snapshot));
}

TEST_F(CudaMemoryTest, FindsTheFirstBrokenRange) {
  constexpr std::uint32_t kPattern = 0xFFC1'7FD2;
  const OnDevice there(std::vector<std::uint32_t>(4096, kPattern));
  const std::vector<CudaMemory::Range> ranges = {{there.data() + 1, 600}, {there.data() + 5001, 1000}};
  EXPECT_FALSE(memory_->first_broken(ranges, kPattern));
  const std::uint8_t other = 0;
  gpu::copy_to_device(gpu::as_address(there.data()) + 5001 + 777, &other, 1);
  const auto broken = memory_->first_broken(ranges, kPattern);
  ASSERT_TRUE(broken);
  EXPECT_EQ(broken->first, 1U);
  EXPECT_EQ(broken->second, 777U);
}

TEST_F(CudaMemoryTest, FindsAWordThatNothingHasWritten) {
  constexpr std::uint32_t kPattern = 0xFFC1'7FD2;
  std::vector<std::uint32_t> words(100'000, 5);
  EXPECT_FALSE(memory_->holds_word(OnDevice(words).data(), words.size() * 4, kPattern));
  words[99'999] = kPattern;
  const OnDevice there(words);
  EXPECT_TRUE(memory_->holds_word(there.data(), words.size() * 4, kPattern));
  EXPECT_FALSE(memory_->holds_word(there.data(), words.size() * 4 - 4, kPattern));
}

}  // namespace
}  // namespace tritonrl::verify
