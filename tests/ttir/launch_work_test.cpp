#include "ttir/launch_work.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "tests/ttir/launch_fixture.h"

namespace tritonrl::ttir {
namespace {

using tests::LaunchFixture;

// Sums 4 stretches of 64 elements of %x into %o, in a loop. `%carried` is what a trip hands to the next.
std::string summing(std::string_view in_loop) {
  return fmt::format(R"(
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %range = tt.make_range {{end = 64 : i32, start = 0 : i32}} : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %os = tt.splat %o : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %po = tt.addptr %os, %range : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %sum = scf.for %t = %c0 to %c4 step %c1 iter_args(%carried = %zero) -> (tensor<64xf32>) : i32 {{
    %first = arith.muli %t, %c64 : i32
    %firsts = tt.splat %first : i32 -> tensor<64xi32>
    %i = arith.addi %firsts, %range : tensor<64xi32>
    %px = tt.addptr %xs, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %v = tt.load %px : tensor<64x!tt.ptr<f32>>
    %next = arith.addf %carried, %v : tensor<64xf32>
    {}
    scf.yield %next : tensor<64xf32>
  }}
  tt.store %po, %sum : tensor<64x!tt.ptr<f32>>)",
                     in_loop);
}

LaunchWork work_of_sum(std::string_view in_loop, int warps = 1) {
  LaunchFixture fixture("%x: !tt.ptr<f32>, %o: !tt.ptr<f32>", summing(in_loop));
  fixture.array(std::vector<float>(256, 1.0F)).array(std::vector<float>(64));
  const LaunchReport report = fixture.run();
  EXPECT_TRUE(report.findings.empty());
  KernelShape shape = kernel_shape(fixture.code(), {{"options", {{"num_warps", warps}}}});
  return work_of(fixture.code(), report.counters, shape);
}

TEST(LaunchWork, TripsThatOnlyLoadOverlap) {
  const LaunchWork work = work_of_sum("");
  EXPECT_EQ(work.overlapped_rounds, 4);
  EXPECT_EQ(work.rounds, 0);
  EXPECT_EQ(work.loop_trips, 4);
  EXPECT_EQ(work.load_bytes, 1024);
  EXPECT_EQ(work.load_sectors, 32);
  EXPECT_EQ(work.load_lines, 8);
  EXPECT_EQ(work.store_sectors, 8);
  EXPECT_EQ(work.float32, 256);
  EXPECT_EQ(work.unique_read, 1024);
}

TEST(LaunchWork, TripsThatStoreWaitForTheirLoads) {
  const LaunchWork work = work_of_sum("tt.store %po, %next : tensor<64x!tt.ptr<f32>>");
  EXPECT_EQ(work.rounds, 4);
  EXPECT_EQ(work.overlapped_rounds, 0);
}

TEST(LaunchWork, ThreadsWithoutAnElementRepeatAnothers) {
  EXPECT_EQ(work_of_sum("", 2).float32, 256);
  EXPECT_EQ(work_of_sum("", 4).float32, 512);
}

TEST(LaunchWork, AnAddressThatIsLoadedWaitsTwice) {
  LaunchFixture fixture("%x: !tt.ptr<f32>, %at: !tt.ptr<i32>, %o: !tt.ptr<f32>", R"(
    %i = tt.load %at : !tt.ptr<i32>
    %px = tt.addptr %x, %i : !tt.ptr<f32>, i32
    %v = tt.load %px : !tt.ptr<f32>
    tt.store %o, %v : !tt.ptr<f32>)");
  fixture.array(std::vector<float>(8, 1.0F)).array(std::vector<int>{3}).array(std::vector<float>(1));
  const LaunchReport report = fixture.run();
  EXPECT_EQ(work_of(fixture.code(), report.counters, {}).rounds, 2);
}

// A tile of 32 x 32 whose lanes are neighbours in memory along its first axis; `%along` are its columns in elements.
std::string column_tile(std::string_view along) {
  return fmt::format(R"(
  %c3 = arith.constant dense<3> : tensor<32xi32>
  %c64 = arith.constant dense<64> : tensor<1x32xi32>
  %range = tt.make_range {{end = 32 : i32, start = 0 : i32}} : tensor<32xi32>
  {}
  %rows = tt.expand_dims %along {{axis = 1 : i32}} : tensor<32xi32> -> tensor<32x1xi32>
  %flat = tt.expand_dims %range {{axis = 0 : i32}} : tensor<32xi32> -> tensor<1x32xi32>
  %columns = arith.muli %flat, %c64 : tensor<1x32xi32>
  %a = tt.broadcast %rows : tensor<32x1xi32> -> tensor<32x32xi32>
  %b = tt.broadcast %columns : tensor<1x32xi32> -> tensor<32x32xi32>
  %i = arith.addi %a, %b : tensor<32x32xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
  %px = tt.addptr %xs, %i : tensor<32x32x!tt.ptr<f32>>, tensor<32x32xi32>
  %v = tt.load %px : tensor<32x32x!tt.ptr<f32>>
  tt.store %px, %v : tensor<32x32x!tt.ptr<f32>>)",
                     along);
}

LaunchWork work_of_tile(std::string_view along) {
  LaunchFixture fixture("%x: !tt.ptr<f32>", column_tile(along));
  fixture.array(std::vector<float>(2048, 1.0F));
  const LaunchReport report = fixture.run();
  return work_of(fixture.code(), report.counters, {});
}

TEST(LaunchWork, LanesAreLaidOutAlongMemoryWhereACompilerSeesHow) {
  const LaunchWork work = work_of_tile("%along = arith.addi %range, %range : tensor<32xi32>");
  EXPECT_EQ(work.load_sectors, 256);  // every second element: twice the bytes
  EXPECT_EQ(work.load_lines, 64);
}

TEST(LaunchWork, AnIndexThatIsDividedHidesWhichLanesAreNeighbours) {
  const LaunchWork work = work_of_tile("%along = arith.remsi %range, %c3 : tensor<32xi32>");
  EXPECT_EQ(work.load_sectors, 32);  // three elements of each column
  EXPECT_EQ(work.load_lines, 1024);  // met again in each row, which is a warp
}

TEST(LaunchWork, ShapesComeFromTheCompilersWords) {
  LaunchFixture fixture("%x: !tt.ptr<f32>", column_tile("%along = arith.addi %range, %range : tensor<32xi32>"));
  const KernelShape shape =
      kernel_shape(fixture.code(), {{"options", {{"num_warps", 8}, {"num_stages", 2}}},
                                    {"evidence", {{"registers", 40}, {"spills", 3}, {"shared", 2048}}}});
  EXPECT_EQ(shape.warps, 8);
  EXPECT_EQ(shape.stages, 2);
  EXPECT_EQ(shape.registers, 40);
  EXPECT_EQ(shape.spills, 3);
  EXPECT_EQ(shape.shared_bytes, 2048);
  EXPECT_GT(shape.frame_bytes, 0);
}

TEST(LaunchWork, WordsThatMakeNoSenseAreNotBelieved) {
  LaunchFixture fixture("%x: !tt.ptr<f32>", column_tile("%along = arith.addi %range, %range : tensor<32xi32>"));
  const KernelShape shape =
      kernel_shape(fixture.code(), {{"options", {{"num_warps", -3}, {"num_stages", "many"}}}, {"evidence", 7}});
  EXPECT_EQ(shape.warps, 1);
  EXPECT_EQ(shape.stages, 3);
  EXPECT_EQ(shape.registers, 0);
}

}  // namespace
}  // namespace tritonrl::ttir
