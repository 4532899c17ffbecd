#include "verify/speed_model.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tritonrl::verify {
namespace {

const ttir::DeviceProfile& h200() {
  static const ttir::DeviceProfile profile = ttir::device_profile("h200");
  return profile;
}

std::vector<task::Dimension> dims(std::int64_t rows, std::int64_t columns) {
  return {{.name = "rows", .value = rows}, {.name = "columns", .value = columns}};
}

// A kernel with a program for each row, that reads the matrix and writes one value a row; torch adds to that.
struct RowKernel {
  explicit RowKernel(std::size_t launches = 1) : launches_(launches) {
    kernel.name = "rows_kernel";
    kernel.shape.registers = 32;
  }

  DeviceTrace trace(const std::vector<task::Dimension>& sizes) const {
    const auto rows = static_cast<double>(sizes[0].value);
    const auto columns = static_cast<double>(sizes[1].value);
    DeviceTrace found;
    for (std::size_t n = 0; n < launches_; ++n) {
      const ttir::ProgramId grid = {1, static_cast<std::uint32_t>(rows), 1};
      LaunchRecord launch{.kernel = &kernel, .grid = grid, .cost = {}, .unique_bytes = 0};
      auto& work = launch.cost.work;
      work.programs = work.rounds = rows;
      work.load_bytes = work.unique_read = 4 * rows * columns;
      work.unique_written = 4 * rows;
      work.load_sectors = rows * columns / 8;
      work.store_sectors = rows;
      work.float32 = rows * columns + 5 * rows;
      found.launches.push_back(launch);
    }
    found.operators.push_back({.name = "add", .bytes = static_cast<std::uint64_t>(12 * rows), .detail = {}});
    return found;
  }

  GuestKernel kernel;

 private:
  std::size_t launches_;
};

TEST(SpeedModel, SaysWhereAGridWouldBeLargerThanADeviceTakes) {
  const RowKernel kernel;
  const SpeedModel model(h200(), ttir::Product::kTf32);
  const DeviceTrace small = kernel.trace(dims(64, 128));
  const DeviceTrace larger = kernel.trace(dims(128, 128));
  const std::vector<CountedCall> calls = {{.dims = dims(64, 128), .trace = &small},
                                          {.dims = dims(128, 128), .trace = &larger}};
  EXPECT_FALSE(model.at(dims(65535, 128), calls).large_grid);
  EXPECT_TRUE(model.at(dims(65536, 128), calls).large_grid);
}

TEST(SpeedModel, ScaledCountsGiveTheTimeThatCountingThereWouldGive) {
  const RowKernel kernel(3);
  const SpeedModel model(h200(), ttir::Product::kTf32);
  std::vector<DeviceTrace> traces;
  const std::vector<std::vector<task::Dimension>> sizes = {dims(64, 128), dims(128, 128), dims(64, 256),
                                                           dims(128, 256)};
  traces.reserve(sizes.size());
  std::vector<CountedCall> calls;
  for (const auto& size : sizes) {
    traces.push_back(kernel.trace(size));
    calls.push_back({.dims = size, .trace = &traces.back()});
  }
  const auto scaled = model.at(dims(8192, 4096), calls);
  const auto counted = model.as_counted(kernel.trace(dims(8192, 4096)));
  EXPECT_NEAR(scaled.us, counted.us, 1e-6 * counted.us);
  EXPECT_LT(scaled.count_error, 1e-9);
  EXPECT_EQ(scaled.evidence["kernels"][0]["programs"], "3 rows");
  EXPECT_EQ(scaled.evidence["kernels"][0]["launches"], 3);
  EXPECT_EQ(scaled.evidence["kernels"][0]["bound"], "memory");
  EXPECT_FALSE(scaled.evidence.contains("doubts")) << scaled.evidence;
  EXPECT_FALSE(counted.evidence.contains("count_error"));
}

// Counts of a kernel that is another one at other sizes say nothing by its name.
TEST(SpeedModel, WhichOfTwoKernelsIsLaunchedDoesNotMatter) {
  const RowKernel first;
  RowKernel second;
  second.kernel.name = "other_rows_kernel";
  const SpeedModel model(h200(), ttir::Product::kTf32);
  const std::vector<std::vector<task::Dimension>> sizes = {dims(64, 128), dims(128, 128), dims(64, 256),
                                                           dims(128, 256)};
  const double right = model.as_counted(first.trace(dims(8192, 4096))).us;
  for (const bool more : {false, true}) {  // launches, at some of the sizes
    std::vector<DeviceTrace> traces;
    traces.reserve(sizes.size());
    std::vector<CountedCall> calls;
    for (std::size_t n = 0; n < sizes.size(); ++n) {
      traces.push_back((n % 2 == 0 ? first : second).trace(sizes[n]));
      if (more && n == 1) {
        traces.back().launches.push_back(traces.back().launches.front());
        traces.back().launches.back().cost = {};
      }
      calls.push_back({.dims = sizes[n], .trace = &traces.back()});
    }
    const double scaled = model.at(dims(8192, 4096), calls).us;
    EXPECT_NEAR(scaled, right, (more ? 0.5 : 1e-6) * right);
  }
}

TEST(SpeedModel, SaysWhatDoesNotScaleCleanly) {
  const RowKernel kernel;
  const SpeedModel model(h200(), ttir::Product::kTf32);
  std::vector<DeviceTrace> traces;
  for (const std::int64_t rows : {192, 384, 768}) {
    traces.push_back(kernel.trace(dims(rows, 128)));
    auto& programs = traces.back().launches[0].cost.work.programs;
    programs = std::min(programs, 528.0);
  }
  const std::vector<CountedCall> calls = {{.dims = dims(192, 128), .trace = traces.data()},
                                          {.dims = dims(384, 128), .trace = &traces[1]},
                                          {.dims = dims(768, 128), .trace = &traces[2]}};
  const auto scaled = model.at(dims(8192, 4096), calls);
  EXPECT_GT(scaled.count_error, 0.02);
  const std::string doubts = scaled.evidence["doubts"].dump();
  EXPECT_NE(doubts.find("rows_kernel: programs"), std::string::npos) << doubts;
  EXPECT_NE(doubts.find("columns was the same in every call"), std::string::npos) << doubts;
}

TEST(SpeedModel, ACompilersWordsCountForMoreThanAnEstimate) {
  RowKernel kernel;
  kernel.kernel.shape.registers = 0;
  const auto trace = kernel.trace(dims(8192, 4096));
  SpeedModel model(h200(), ttir::Product::kTf32);
  const double estimated = model.as_counted(trace).us;
  model.compiled(kernel.kernel, {{"registers", 255}, {"spills", 500}, {"shared", 0}});
  EXPECT_GT(model.as_counted(trace).us, estimated);
  EXPECT_EQ(model.as_counted(trace).evidence["kernels"][0]["registers"], 255);
}

TEST(SpeedModel, OperatorsOnTheHostCostNothingHere) {
  DeviceTrace trace;
  trace.operators.push_back({.name = "add", .bytes = 1 << 30U, .detail = {.on_host = 1}});
  EXPECT_EQ(SpeedModel(h200(), ttir::Product::kTf32).as_counted(trace).us, h200().call_us);
}

}  // namespace
}  // namespace tritonrl::verify
