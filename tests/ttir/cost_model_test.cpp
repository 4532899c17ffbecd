#include "ttir/cost_model.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace tritonrl::ttir {
namespace {

const DeviceProfile& h200() {
  static const DeviceProfile profile = device_profile("h200");
  return profile;
}

// An addition of 2^24 floats by programs of 1024, four warps each.
LaunchWork addition() {
  constexpr double kElements = 1 << 24;
  LaunchWork work;
  work.programs = kElements / 1024;
  work.load_bytes = work.unique_read = 8 * kElements;
  work.unique_written = 4 * kElements;
  work.load_sectors = work.load_bytes / 32;
  work.store_sectors = work.unique_written / 32;
  work.load_lines = work.load_sectors / 4;
  work.store_lines = work.store_sectors / 4;
  work.rounds = work.programs;
  work.integer = 5 * kElements;
  work.float32 = kElements;
  return work;
}

KernelShape shape_of(int warps, int registers) {
  KernelShape shape;
  shape.warps = warps;
  shape.registers = registers;
  return shape;
}

double us(const LaunchWork& work, const KernelShape& shape = shape_of(4, 32)) {
  return modelled_launch(work, shape, h200()).us;
}

TEST(CostModel, AnAdditionTakesWhatItsBytesTakeInMemory) {
  const ModelledTime time = modelled_launch(addition(), shape_of(4, 32), h200());
  EXPECT_EQ(time.bound, "memory");
  EXPECT_NEAR(time.us, 52.3, 8);  // as an H200 measures
}

TEST(CostModel, ALaunchThatDoesNothingTakesALaunch) {
  LaunchWork work;
  work.programs = 1;
  const ModelledTime time = modelled_launch(work, shape_of(1, 16), h200());
  EXPECT_EQ(time.bound, "launch");
  EXPECT_GE(time.us, h200().launch_us);
  EXPECT_LT(time.us, h200().launch_us + 1);
}

TEST(CostModel, NoProgramsAreNoTrouble) { EXPECT_GT(us(LaunchWork{}), 0); }

TEST(CostModel, LanesFarApartCostTheLinesThatTheyTouch) {
  LaunchWork work = addition();
  work.load_sectors *= 8;
  work.store_sectors *= 8;
  work.load_lines *= 32;
  work.store_lines *= 32;
  const ModelledTime time = modelled_launch(work, shape_of(4, 32), h200());
  EXPECT_EQ(time.bound, "lines");
  EXPECT_GT(time.us, 4 * us(addition()));
}

TEST(CostModel, TinyProgramsCostTheirStart) {
  LaunchWork work = addition();
  work.programs *= 32;
  work.rounds *= 32;
  const ModelledTime time = modelled_launch(work, shape_of(1, 16), h200());
  EXPECT_EQ(time.bound, "programs");
  EXPECT_NEAR(time.us, 319, 60);  // as an H200 measures
}

TEST(CostModel, FewProgramsWaitForTheirLoads) {
  LaunchWork work = addition();
  work.programs = 16;
  work.rounds = 16384;
  const ModelledTime time = modelled_launch(work, shape_of(4, 32), h200());
  EXPECT_EQ(time.bound, "latency");
  EXPECT_NEAR(time.us, 545, 150);  // as an H200 measures
}

TEST(CostModel, LoopsThatOnlyLoadWaitLess) {
  LaunchWork work = addition();
  work.programs = 16;
  work.rounds = 0;
  work.overlapped_rounds = 16384 * 16;
  LaunchWork serial = work;
  std::swap(serial.rounds, serial.overlapped_rounds);
  EXPECT_LT(us(work), 0.8 * us(serial));
}

TEST(CostModel, StagesHideTheLoadsOfAProduct) {
  LaunchWork work;
  work.programs = 64;
  work.pipelined_rounds = 64 * 64;
  work.dot_16_bit = 2.0 * 256 * 1024 * 4096;
  work.load_bytes = 64.0 * 64 * 16384;
  work.load_sectors = work.load_bytes / 32;
  work.unique_read = 1e7;
  KernelShape shape = shape_of(4, 100);
  double before = 1e9;
  for (const int stages : {1, 2, 3}) {
    shape.stages = stages;
    EXPECT_LT(us(work, shape), before) << stages;
    before = us(work, shape);
  }
}

TEST(CostModel, SpillsCostMoreInLoops) {
  KernelShape shape = shape_of(4, 255);
  LaunchWork work = addition();
  const double none = us(work, shape);
  shape.spills = 200;
  const double once = us(work, shape);
  work.loop_trips = 16 * work.programs;
  EXPECT_GT(once, none);
  EXPECT_GT(us(work, shape), 2 * once);
}

TEST(CostModel, DataReadTwiceComesFromTheCacheUnlessItIsTooMuch) {
  LaunchWork twice = addition();
  twice.load_bytes *= 2;
  twice.load_sectors *= 2;
  twice.load_lines *= 2;
  EXPECT_LT(us(twice), 1.1 * us(addition()));
  // Rows of a megabyte: the programs that run at once hold more than the cache.
  twice.programs = 128;
  twice.rounds = 128;
  EXPECT_GT(us(twice), 1.4 * us(addition()));
}

TEST(CostModel, ResidentProgramsAreLimitedByWarpsRegistersAndSharedMemory) {
  EXPECT_EQ(resident_programs(shape_of(1, 16), h200()), 32);
  EXPECT_EQ(resident_programs(shape_of(4, 32), h200()), 16);
  EXPECT_EQ(resident_programs(shape_of(4, 255), h200()), 2);
  EXPECT_EQ(resident_programs(shape_of(32, 32), h200()), 2);
  KernelShape shape = shape_of(4, 32);
  shape.shared_bytes = 100'000;
  EXPECT_EQ(resident_programs(shape, h200()), 2);
  shape.shared_bytes = 500'000;  // would not launch; the model has nothing to say about that
  EXPECT_EQ(resident_programs(shape, h200()), 1);
}

TEST(CostModel, TheDeviceHoldsAtMostWhatItsMultiprocessorsHold) {
  EXPECT_EQ(most_resident_programs(shape_of(1, 16), h200()), 132U * 32U);
  EXPECT_EQ(most_resident_programs(shape_of(4, 255), h200()), 132U * 2U);
  KernelShape unknown = shape_of(16, 0);
  unknown.frame_bytes = 1 << 20;
  EXPECT_EQ(most_resident_programs(unknown, h200()), 132U * 4U);
}

TEST(CostModel, RegistersThatNobodyAskedForAreEstimatedFromTheTensorsAlive) {
  KernelShape shape = shape_of(4, 0);
  shape.frame_bytes = 32 << 10U;
  EXPECT_EQ(resident_programs(shape, h200()), 16);
  shape.frame_bytes = 4 << 20U;
  EXPECT_EQ(resident_programs(shape, h200()), 2);
  EXPECT_GT(us(addition(), shape), us(addition()));  // what does not fit is spilled
}

TEST(CostModel, TorchOperatorsTakeTheirBytesOrTheirProducts) {
  const auto op = [](const char* name, double bytes, double flops, Product product = Product::k16Bit) {
    return modelled_operator_us(name, bytes, flops, product, h200());
  };
  EXPECT_NEAR(op("add", 201e6, 0), 52, 12);
  EXPECT_GT(op("_softmax", 201e6, 0), op("add", 201e6, 0));
  EXPECT_GT(op("cumsum", 201e6, 0), op("_softmax", 201e6, 0));
  EXPECT_NEAR(op("mm", 25e6, 17.2e9), 28, 8);
  EXPECT_NEAR(op("mm", 50e6, 17.2e9, Product::kTf32), 51, 12);
  EXPECT_GT(op("mm", 50e6, 17.2e9, Product::kFloat32), 300);
  EXPECT_GT(op("convolution", 25e6, 17.2e9), op("mm", 25e6, 17.2e9));
  EXPECT_LT(op("nll_loss_forward", 1e9, 0), 10);
}

TEST(CostModel, WorkSurvivesJson) {
  LaunchWork work = addition();
  work.dot_bytes = 3;
  const LaunchWork again = work_from_json(work_json(work));
  for (const auto& [name, field] : LaunchWork::fields()) EXPECT_EQ(again.*field, work.*field) << name;
}

TEST(DeviceProfile, SaysWhatIsMissing) {
  try {
    device_profile_from_text("name = 'x'\narchitecture = 90\n");
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_NE(std::string_view(error.what()).find("must be given"), std::string_view::npos) << error.what();
  }
}

}  // namespace
}  // namespace tritonrl::ttir
