#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/ttir/parser_fixture.h"
#include "ttir/ir/opcode.h"

namespace tritonrl::ttir {
namespace {

using tests::kernel_text;

constexpr std::string_view kParameters =
    "%p: !tt.ptr<f32>, %pi: !tt.ptr<i32>, %n: i32, %m: i64, %f: f32, %c: i1, %t: tensor<16xi32>, %tf: tensor<16xf32>, "
    "%tp: tensor<16x!tt.ptr<f32>>, %tb: tensor<16xi1>, %a: tensor<16x32xf16>, %b: tensor<32x8xf16>, %d: "
    "tensor<16x8xf32>, "
    "%desc: !tt.tensordesc<tensor<4x16xsi32>>, %bytes: tensor<16x16xi8>";

std::vector<Operation> operations(std::string_view body) {
  Module module = parse_module(kernel_text(body, kParameters));
  std::vector<Operation> found = std::move(module.functions[0].body.blocks[0].operations);
  found.pop_back();
  return found;
}

Operation operation(std::string_view body) { return operations(body).at(0); }

// The types of the results of the first operation.
std::vector<std::string> result_types(std::string_view body) {
  const Module module = parse_module(kernel_text(body, kParameters));
  std::vector<std::string> types;
  for (const ValueId id : module.kernel().body.blocks[0].operations[0].results)
    types.push_back(module.kernel().value_types[id].text());
  return types;
}

using Strings = std::vector<std::string>;

// Numbers of kParameters, for operands.
enum : ValueId { kP, kPi, kN, kM, kF, kC, kT, kTf, kTp, kTb, kA, kB, kD, kDesc, kBytes };
using Ids = std::vector<ValueId>;

std::uint64_t bits_of_constant(std::string_view literal) {
  const Operation op = operation("%x = arith.constant " + std::string(literal));
  return std::get<DenseAttribute>(*op.attribute("value")).bits.at(0);
}

TEST(OpcodeNames, AreFoundAgain) {
  for (int i = 0; i <= static_cast<int>(Opcode::kUbPoison); ++i) {
    const auto opcode = static_cast<Opcode>(i);
    EXPECT_EQ(opcode_named(name_of(opcode)), opcode);
  }
  EXPECT_EQ(opcode_named("tt.foo"), std::nullopt);
  EXPECT_EQ(opcode_named(""), std::nullopt);
}

TEST(ParserConstants, KeepIntegersByTheirTwosComplement) {
  const auto value = [](std::string_view literal) {
    return std::get<std::int64_t>(*operation("%x = arith.constant " + std::string(literal)).attribute("value"));
  };
  EXPECT_EQ(value("-5 : i32"), -5);
  EXPECT_EQ(value("255 : i8"), -1);
  EXPECT_EQ(value("0xFFFFFFFF : i32"), -1);
  EXPECT_EQ(value("9223372036854775807 : i64"), INT64_MAX);
  EXPECT_EQ(value("-9223372036854775808 : i64"), INT64_MIN);
  EXPECT_EQ(value("5 : index"), 5);
}

TEST(ParserConstants, KeepBooleans) {
  EXPECT_EQ(std::get<bool>(*operation("%x = arith.constant true").attribute("value")), true);
  EXPECT_EQ(std::get<bool>(*operation("%x = arith.constant false").attribute("value")), false);
  EXPECT_EQ(result_types("%x = arith.constant true"), Strings{"i1"});
}

TEST(ParserConstants, KeepTheBitsOfFloats) {
  EXPECT_EQ(bits_of_constant("1.0 : f32"), 0x3F800000U);
  EXPECT_EQ(bits_of_constant("-0.000000e+00 : f64"), 0x8000000000000000U);
  EXPECT_EQ(bits_of_constant("1.000000e+300 : f64"), std::bit_cast<std::uint64_t>(1e300));
  EXPECT_EQ(bits_of_constant("0x7FC00000 : f32"), 0x7FC00000U);
  EXPECT_EQ(bits_of_constant("1.296880e+00 : bf16"), 0x3FA6U);
  EXPECT_EQ(bits_of_constant("1.099610e+00 : f16"), 0x3C66U);
  EXPECT_EQ(bits_of_constant("0xFF80 : bf16"), 0xFF80U);
  EXPECT_EQ(bits_of_constant("4.480000e+02 : f8E4M3FN"), 0x7EU);
  EXPECT_EQ(bits_of_constant("1.250000e+00 : f8E5M2"), 0x3DU);
  EXPECT_EQ(bits_of_constant("1.0e+999 : f32"), 0x7F800000U);
  EXPECT_EQ(bits_of_constant("1.0e-999 : f32"), 0U);
}

TEST(ParserConstants, KeepTensorsAsOneElementOrAll) {
  const auto dense = [](std::string_view literal) {
    return std::get<DenseAttribute>(*operation("%x = arith.constant " + std::string(literal)).attribute("value"));
  };
  const DenseAttribute splat = dense("dense<0xFF800000> : tensor<128xf32>");
  EXPECT_TRUE(splat.splat);
  EXPECT_EQ(splat.bits, std::vector<std::uint64_t>{0xFF800000});
  EXPECT_EQ(splat.type.text(), "tensor<128xf32>");
  const DenseAttribute list = dense("dense<[[1, -2], [3, 4]]> : tensor<2x2xi8>");
  EXPECT_FALSE(list.splat);
  EXPECT_EQ(list.bits, (std::vector<std::uint64_t>{1, 0xFE, 3, 4}));
  EXPECT_EQ(dense("dense<[true, false]> : tensor<2xi1>").bits, (std::vector<std::uint64_t>{1, 0}));
  EXPECT_EQ(dense("dense<\"0x0100000002000000\"> : tensor<2xi32>").bits, (std::vector<std::uint64_t>{1, 2}));
  EXPECT_EQ(dense("dense<1> : tensor<4xindex>").type.element, Element::kI64);
}

TEST(ParserTypes, AreSpelledAsTheyWereRead) {
  for (const char* const type : {"i1",
                                 "i8",
                                 "i16",
                                 "i32",
                                 "i64",
                                 "f16",
                                 "bf16",
                                 "f32",
                                 "f64",
                                 "f8E4M3FN",
                                 "f8E5M2",
                                 "f8E4M3FNUZ",
                                 "f8E5M2FNUZ",
                                 "f8E4M3B11FNUZ",
                                 "!tt.ptr<f32>",
                                 "!tt.ptr<tensor<16x8xf16>>",
                                 "tensor<3xi32>",
                                 "tensor<16x!tt.ptr<bf16>>",
                                 "!tt.tensordesc<tensor<4x16xf32>>",
                                 "!tt.tensordesc<tensor<4xsi32>>",
                                 "!tt.tensordesc<tensor<4xui8>>"}) {
    const Module module = parse_module(kernel_text("", "%x: " + std::string(type)));
    EXPECT_EQ(module.kernel().value_types[0].text(), type);
  }
}

TEST(ParserArithmetic, TakesOneTypeForAll) {
  const Operation op = operation("%x = arith.addi %n, %n overflow<nsw, nuw> : i32");
  EXPECT_EQ(op.opcode, Opcode::kArithAddI);
  EXPECT_EQ(op.operands, (Ids{kN, kN}));
  EXPECT_EQ(op.word("overflowFlags", ""), "nsw,nuw");
  EXPECT_EQ(operation("%x = arith.addf %f, %f fastmath<fast> {tt.x = 1 : i32} : f32").word("fastmath", ""), "fast");
  EXPECT_EQ(result_types("%x = math.fma %tf, %tf, %tf : tensor<16xf32>"), Strings{"tensor<16xf32>"});
  EXPECT_EQ(result_types("%x = math.isnan %tf : tensor<16xf32>"), Strings{"tensor<16xi1>"});
  EXPECT_EQ(result_types("%x = math.fpowi %f, %n : f32, i32"), Strings{"f32"});
  EXPECT_EQ(result_types("%x, %y = arith.addui_extended %n, %n : i32, i1"), (Strings{"i32", "i1"}));
  EXPECT_EQ(result_types("%x:2 = arith.mulsi_extended %t, %t : tensor<16xi32>"),
            (Strings{"tensor<16xi32>", "tensor<16xi32>"}));
  EXPECT_EQ(operation("%x = tt.clampf %f, %f, %f, propagateNan = all : f32").word("propagateNan", ""), "all");
}

TEST(ParserArithmetic, ComparesIntoBooleans) {
  const Operation op = operation("%x = arith.cmpi slt, %t, %t : tensor<16xi32>");
  EXPECT_EQ(op.word("predicate", ""), "slt");
  EXPECT_EQ(result_types("%x = arith.cmpi slt, %t, %t : tensor<16xi32>"), Strings{"tensor<16xi1>"});
  EXPECT_EQ(operation("%x = arith.cmpf une, %f, %f : f32").word("predicate", ""), "une");
}

TEST(ParserArithmetic, SelectsByOneConditionOrByOnePerElement) {
  EXPECT_EQ(result_types("%x = arith.select %c, %tf, %tf : tensor<16xf32>"), Strings{"tensor<16xf32>"});
  EXPECT_EQ(operation("%x = arith.select %tb, %t, %t {tt.contiguity = dense<512> : tensor<1xi32>} : tensor<16xi1>, "
                      "tensor<16xi32>")
                .operands,
            (Ids{kTb, kT, kT}));
}

TEST(ParserArithmetic, Converts) {
  EXPECT_EQ(result_types("%x = arith.extsi %t : tensor<16xi32> to tensor<16xi64>"), Strings{"tensor<16xi64>"});
  EXPECT_EQ(result_types("%x = arith.index_cast %n : i32 to index"), Strings{"i64"});
  EXPECT_EQ(operation("%x = arith.truncf %f to_nearest_even : f32 to f16").word("roundingmode", ""), "to_nearest_even");
  EXPECT_EQ(operation("%x = tt.fp_to_fp %f, rounding = rtne : f32 -> f8E5M2").word("rounding", ""), "rtne");
  EXPECT_EQ(result_types("%x = tt.bitcast %tp : tensor<16x!tt.ptr<f32>> -> tensor<16x!tt.ptr<i32>>"),
            Strings{"tensor<16x!tt.ptr<i32>>"});
  EXPECT_EQ(result_types("%x = tt.int_to_ptr %m : i64 -> !tt.ptr<f32>"), Strings{"!tt.ptr<f32>"});
}

TEST(ParserShapes, Change) {
  EXPECT_EQ(
      operation("%x = tt.expand_dims %t {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>").integer("axis", -1), 1);
  const Operation transposed =
      operation("%x = tt.trans %a {order = array<i32: 1, 0>} : tensor<16x32xf16> -> tensor<32x16xf16>");
  EXPECT_EQ(std::vector(transposed.list("order").begin(), transposed.list("order").end()),
            (std::vector<std::int64_t>{1, 0}));
  EXPECT_EQ(operation("%x = tt.reshape %t allow_reorder efficient_layout : tensor<16xi32> -> tensor<4x4xi32>")
                .integer("allow_reorder", 0),
            1);
  EXPECT_EQ(result_types("%x = tt.join %t, %t : tensor<16xi32> -> tensor<16x2xi32>"), Strings{"tensor<16x2xi32>"});
  EXPECT_EQ(operations("%x = tt.join %t, %t : tensor<16xi32> -> tensor<16x2xi32>\n"
                       "%y, %z = tt.split %x : tensor<16x2xi32> -> tensor<16xi32>")[1]
                .results.size(),
            2U);
  EXPECT_EQ(result_types("%x = tt.cat %t, %t : tensor<16xi32> -> tensor<32xi32>"), Strings{"tensor<32xi32>"});
  EXPECT_EQ(operation("%x = tt.splat %p : !tt.ptr<f32> -> tensor<2x4x!tt.ptr<f32>>").operands, Ids{kP});
  EXPECT_EQ(operations("%y = tt.splat %n : i32 -> tensor<1xi32>\n%x = tt.unsplat %y : tensor<1xi32>")[1].opcode,
            Opcode::kTtUnsplat);
  const Operation range = operation("%x = tt.make_range {end = 24 : i32, start = 8 : i32} : tensor<16xi32>");
  EXPECT_EQ(range.integer("start", 0), 8);
  EXPECT_EQ(range.integer("end", 0), 24);
  EXPECT_EQ(operation("%x = tt.histogram %t, %tb : tensor<16xi32> -> tensor<4xi32>").operands, (Ids{kT, kTb}));
  EXPECT_EQ(operation("%x = tt.gather %tf[%t] {axis = 0 : i32} : (tensor<16xf32>, tensor<16xi32>) -> tensor<16xf32>")
                .operands,
            (Ids{kTf, kT}));
}

TEST(ParserPrograms, HaveNumberedAxes) {
  EXPECT_EQ(operation("%x = tt.get_program_id x : i32").integer("axis", -1), 0);
  EXPECT_EQ(operation("%x = tt.get_program_id z : i32").integer("axis", -1), 2);
  EXPECT_EQ(operation("%x = tt.get_num_programs y : i32").integer("axis", -1), 1);
}

TEST(ParserMemory, LoadsHaveMaskAndOther) {
  EXPECT_EQ(operation("%x = tt.load %p : !tt.ptr<f32>").operands, Ids{kP});
  EXPECT_EQ(operation("%x = tt.load %tp, %tb, %tf : tensor<16x!tt.ptr<f32>>").operands, (Ids{kTp, kTb, kTf}));
  EXPECT_EQ(result_types("%x = tt.load %tp : tensor<16x!tt.ptr<f32>>"), Strings{"tensor<16xf32>"});
  const Operation op = operation(
      "%x = tt.load %tp, %tb evictionPolicy = evict_last cacheModifier = cg {isVolatile = true} : "
      "tensor<16x!tt.ptr<f32>>");
  EXPECT_EQ(op.operands, (Ids{kTp, kTb}));
  EXPECT_EQ(op.word("cache", ""), "cg");
  EXPECT_EQ(op.word("evict", ""), "evict_last");
  EXPECT_EQ(op.integer("isVolatile", 0), 1);
}

TEST(ParserMemory, StoresHaveAMask) {
  EXPECT_EQ(operation("tt.store %tp, %tf, %tb cacheModifier = wt : tensor<16x!tt.ptr<f32>>").operands,
            (Ids{kTp, kTf, kTb}));
  EXPECT_TRUE(operation("tt.store %p, %f : !tt.ptr<f32>").results.empty());
}

TEST(ParserMemory, AtomicsHaveTheirWords) {
  const Operation rmw = operation(
      "%x = tt.atomic_rmw fadd, acq_rel, gpu, %tp, %tf, %tb : (tensor<16x!tt.ptr<f32>>, tensor<16xf32>, tensor<16xi1>) "
      "-> "
      "tensor<16xf32>");
  EXPECT_EQ(rmw.word("atomic_rmw_op", ""), "fadd");
  EXPECT_EQ(rmw.word("sem", ""), "acq_rel");
  EXPECT_EQ(rmw.word("scope", ""), "gpu");
  EXPECT_EQ(rmw.operands, (Ids{kTp, kTf, kTb}));
  const Operation cas = operation("%x = tt.atomic_cas relaxed, cta, %pi, %n, %n : (!tt.ptr<i32>, i32, i32) -> i32");
  EXPECT_EQ(cas.word("scope", ""), "cta");
  EXPECT_EQ(cas.operands, (Ids{kPi, kN, kN}));
}

TEST(ParserMemory, BlockPointersAreMadeAdvancedAndUsed) {
  const std::vector<Operation> ops = operations(
      "%x = tt.make_tensor_ptr %p, [%m, %m], [%m, %m], [%n, %n] {order = array<i32: 1, 0>} : <tensor<16x8xf32>>\n"
      "%y = tt.advance %x, [%n, %n] : <tensor<16x8xf32>>\n"
      "%z = tt.load %y {boundaryCheck = array<i32: 0, 1>, padding = 2 : i32} : !tt.ptr<tensor<16x8xf32>>\n"
      "tt.store %y, %z {boundaryCheck = array<i32: 1>} : !tt.ptr<tensor<16x8xf32>>");
  EXPECT_EQ(ops[0].operands, (Ids{kP, kM, kM, kM, kM, kN, kN}));
  EXPECT_EQ(ops[1].operands.size(), 3U);
  EXPECT_EQ(ops[2].integer("padding", 0), 2);
  EXPECT_EQ(ops[2].list("boundaryCheck").size(), 2U);
  EXPECT_EQ(ops[3].list("boundaryCheck")[0], 1);
}

TEST(ParserMemory, DescriptorsAreMadeAndUsed) {
  const std::vector<Operation> ops = operations(
      "%x = tt.make_tensor_descriptor %p, [%n, %n], [%m, %m] {padding = 2 : i32} : <f32>, <tensor<1x32xf32>>\n"
      "%y = tt.descriptor_load %desc[%n, %n] : !tt.tensordesc<tensor<4x16xsi32>> -> tensor<4x16xi32>\n"
      "tt.descriptor_store %desc[%n, %n], %y : !tt.tensordesc<tensor<4x16xsi32>>, tensor<4x16xi32>\n"
      "tt.descriptor_reduce min, %desc[%n, %n], %y : !tt.tensordesc<tensor<4x16xsi32>>, tensor<4x16xi32>\n"
      "%z = tt.descriptor_gather %x[%t, %n] : (!tt.tensordesc<tensor<1x32xf32>>, tensor<16xi32>, i32) -> "
      "tensor<16x32xf32>\n"
      "tt.descriptor_scatter %x[%t, %n], %z : !tt.tensordesc<tensor<1x32xf32>>, tensor<16xi32>, i32, "
      "tensor<16x32xf32>");
  EXPECT_EQ(ops[0].operands, (Ids{kP, kN, kN, kM, kM}));
  EXPECT_EQ(ops[1].operands, (Ids{kDesc, kN, kN}));
  EXPECT_EQ(ops[2].operands, (Ids{kDesc, ops[1].results[0], kN, kN}));
  EXPECT_EQ(ops[3].word("kind", ""), "min");
  EXPECT_EQ(ops[4].operands, (Ids{ops[0].results[0], kT, kN}));
  EXPECT_EQ(ops[5].operands, (Ids{ops[0].results[0], kT, kN, ops[4].results[0]}));
}

TEST(ParserProducts, HaveTheirPrecision) {
  const Operation op = operation(
      "%x = tt.dot %a, %b, %d, inputPrecision = tf32x3 {maxNumImpreciseAcc = 1073741824 : i32} : tensor<16x32xf16> * "
      "tensor<32x8xf16> -> tensor<16x8xf32>");
  EXPECT_EQ(op.operands, (Ids{kA, kB, kD}));
  EXPECT_EQ(op.word("inputPrecision", ""), "tf32x3");
  EXPECT_EQ(op.integer("maxNumImpreciseAcc", 0), 1073741824);
}

TEST(ParserProducts, KeepThePlacesOfAbsentScales) {
  const std::string_view makes_scale = "%s = arith.constant dense<1> : tensor<16x1xi8>\n";
  const std::vector<Operation> left = operations(
      std::string(makes_scale) +
      "%x = tt.dot_scaled %bytes scale %s, %b, %d lhs = e2m1 rhs = fp16 {fastMath = false} : tensor<16x16xi8>, "
      "tensor<16x1xi8> * tensor<32x8xf16> -> tensor<16x8xf32>");
  EXPECT_EQ(left[1].operands, (Ids{kBytes, kB, kD, left[0].results[0], kNoValue}));
  EXPECT_EQ(left[1].word("a_elem_type", ""), "e2m1");
  EXPECT_EQ(left[1].word("b_elem_type", ""), "fp16");
  const std::vector<Operation> right = operations(
      "%s = arith.constant dense<1> : tensor<8x1xi8>\n"
      "%x = tt.dot_scaled %a, %b scale %s, %d lhs = fp16 rhs = fp16 {fastMath = true} : tensor<16x32xf16> * "
      "tensor<32x8xf16>, tensor<8x1xi8> -> tensor<16x8xf32>");
  EXPECT_EQ(right[1].operands, (Ids{kA, kB, kD, kNoValue, right[0].results[0]}));
}

TEST(ParserCalls, ToOutsideKeepTheirText) {
  const Operation extern_call = operation(
      "%x = tt.extern_elementwise %tf, %tf {libname = \"\", libpath = \"\", pure = true, symbol = \"__nv_powf\"} : "
      "(tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>");
  EXPECT_EQ(extern_call.word("symbol", ""), "__nv_powf");
  EXPECT_EQ(extern_call.operands, (Ids{kTf, kTf}));
  const Operation assembler = operation(
      "%x:2 = tt.elementwise_inline_asm \"mov \\22$0\\22, $1;\\0A\" {constraints = \"=r,=r,r\", packed_element = 4 : "
      "i32, "
      "pure = true} %t : tensor<16xi32> -> tensor<16xi32>, tensor<16xf32>");
  EXPECT_EQ(assembler.word("asm_string", ""), "mov \"$0\", $1;\n");
  EXPECT_EQ(assembler.word("constraints", ""), "=r,=r,r");
  EXPECT_EQ(assembler.integer("packed_element", 0), 4);
  EXPECT_EQ(assembler.results.size(), 2U);
  EXPECT_TRUE(
      operation("%x = tt.elementwise_inline_asm \"mov\" {constraints = \"=r\", packed_element = 1 : i32, pure = "
                "false} -> i32")
          .operands.empty());
}

TEST(ParserDiagnostics, KeepTheirMessages) {
  const Operation print =
      operation("tt.print \" v: \" {hex = true, isSigned = array<i32: 0, 1>} : %tf, %n : tensor<16xf32>, i32");
  EXPECT_EQ(print.word("prefix", ""), " v: ");
  EXPECT_EQ(print.operands, (Ids{kTf, kN}));
  EXPECT_EQ(print.list("isSigned")[1], 1);
  EXPECT_TRUE(operation("tt.print \"x\" {hex = false, isSigned = array<i32>}").operands.empty());
  EXPECT_EQ(operation("tt.assert %tb, \"too \\22small\\22\" : tensor<16xi1>").word("message", ""), "too \"small\"");
  EXPECT_EQ(operation("cf.assert %c, \"no\"").word("msg", ""), "no");
  EXPECT_EQ(operation("llvm.intr.assume %c : i1").opcode, Opcode::kLlvmIntrAssume);
  EXPECT_EQ(operation("ttg.barrier all").opcode, Opcode::kTtgBarrier);
  EXPECT_EQ(operation("ttg.barrier global_read|global_write").opcode, Opcode::kTtgBarrier);
  EXPECT_EQ(operation("gpu.barrier").opcode, Opcode::kGpuBarrier);
  EXPECT_EQ(result_types("%x = ub.poison : tensor<4xf32>"), Strings{"tensor<4xf32>"});
}

TEST(ParserLoops, ForHasBoundsAndCarriedValues) {
  const Operation op = operation(
      "%x:2 = scf.for %k = %n to %n step %n iter_args(%u = %f, %v = %n) -> (f32, i32)  : i32 {\n"
      "  scf.yield %u, %k : f32, i32\n} {tt.num_stages = 3 : i32, tt.flatten}");
  EXPECT_EQ(op.operands, (Ids{kN, kN, kN, kF, kN}));
  ASSERT_EQ(op.regions.size(), 1U);
  const Block& block = op.regions[0].blocks[0];
  ASSERT_EQ(block.arguments.size(), 3U);
  EXPECT_EQ(block.operations.back().operands, (Ids{block.arguments[1], block.arguments[0]}));
  EXPECT_EQ(op.integer("tt.num_stages", 0), 3);
  EXPECT_EQ(op.integer("tt.flatten", 0), 1);
}

TEST(ParserLoops, GetTheYieldThatTheTextLeavesOut) {
  for (const char* const text : {"scf.for %k = %n to %n step %n  : i32 {\n}", "scf.if %c {\n}"}) {
    const Operation op = operation(text);
    ASSERT_EQ(op.regions.size(), 1U);
    EXPECT_EQ(op.regions[0].blocks[0].operations.back().opcode, Opcode::kScfYield);
  }
  EXPECT_EQ(operation("scf.for unsigned %k = %n to %n step %n : i32 {\n}").integer("unsignedCmp", 0), 1);
}

TEST(ParserLoops, CountByIndexWhenNoTypeIsGiven) {
  const Module module =
      parse_module(kernel_text("%i = arith.constant 1 : index\nscf.for %k = %i to %i step %i {\n}", kParameters));
  const Operation& loop = module.kernel().body.blocks[0].operations[1];
  EXPECT_EQ(module.kernel().value_types[loop.regions[0].blocks[0].arguments[0]].text(), "i64");
}

TEST(ParserLoops, WhileHasTwoRegions) {
  const Operation op = operation(
      "%x = scf.while (%u = %n) : (i32) -> f32 {\n  scf.condition(%c) %f : f32\n} do {\n^bb0(%y: f32):\n"
      "  scf.yield %n : i32\n} attributes {tt.x = 1 : i32}");
  ASSERT_EQ(op.regions.size(), 2U);
  EXPECT_EQ(op.operands, Ids{kN});
  EXPECT_EQ(op.regions[0].blocks[0].operations.back().operands, (Ids{kC, kF}));
  EXPECT_EQ(op.regions[1].blocks[0].arguments.size(), 1U);
  EXPECT_EQ(operation("scf.while : () -> () {\n  scf.condition(%c)\n} do {\n  scf.yield\n}").regions.size(), 2U);
}

TEST(ParserBranches, IfHasOneRegionOrTwo) {
  const Operation op = operation(
      "%x:2 = scf.if %c -> (f32, i32) {\n scf.yield %f, %n : f32, i32\n} else {\n scf.yield %f, %n : f32, i32\n}");
  EXPECT_EQ(op.regions.size(), 2U);
  EXPECT_EQ(op.results.size(), 2U);
}

TEST(ParserBranches, SwitchHasItsDefaultFirst) {
  const std::vector<Operation> ops = operations(
      "%i = arith.constant 1 : index\n%x = scf.index_switch %i -> i32\ncase 2 {\n scf.yield %n : i32\n}\ncase -5 {\n "
      "scf.yield %n : i32\n}\ndefault {\n %z = arith.addi %n, %n : i32\n scf.yield %z : i32\n}");
  ASSERT_EQ(ops[1].regions.size(), 3U);
  EXPECT_EQ(ops[1].regions[0].blocks[0].operations.size(), 2U);
  EXPECT_EQ(ops[1].list("cases")[1], -5);
}

TEST(ParserBranches, BlocksMayBeUsedBeforeTheyAreDefined) {
  const Module module = parse_module(
      "module {\n tt.func public @k(%c: i1, %n: i32) {\n  cf.cond_br %c, ^bb1(%n : i32), ^bb2\n ^bb1(%x: i32):\n"
      "  tt.return\n ^bb2:\n  cf.br ^bb1(%n : i32)\n }\n}");
  const Region& body = module.kernel().body;
  ASSERT_EQ(body.blocks.size(), 3U);
  const Operation& branch = body.blocks[0].operations[0];
  ASSERT_EQ(branch.successors.size(), 2U);
  EXPECT_EQ(branch.successors[0].block, 1U);
  EXPECT_EQ(branch.successors[0].arguments, Ids{1});
  EXPECT_EQ(branch.successors[1].block, 2U);
  EXPECT_EQ(body.blocks[2].operations[0].successors[0].block, 1U);
}

TEST(ParserBranches, ValuesMayBeUsedBeforeTheyAreDefinedWhereBlocksDominate) {
  const Module module = parse_module(
      "module {\n tt.func public @k(%c: i1, %p: !tt.ptr<i32>) {\n  cf.br ^bb2\n ^bb1:\n  scf.if %c {\n"
      "   tt.store %p, %x#1 : !tt.ptr<i32>\n  }\n  tt.return\n ^bb2:\n  %n = arith.constant 1 : i32\n"
      "  %x:2 = arith.mulsi_extended %n, %n : i32\n  cf.br ^bb1\n }\n}");
  const Region& body = module.kernel().body;
  const Operation& store = body.blocks[1].operations[0].regions[0].blocks[0].operations[0];
  EXPECT_EQ(store.operands[1], body.blocks[2].operations[1].results[1]);
}

TEST(ParserCombinations, HaveARegionAndAnAxis) {
  const Operation op = operation(
      "%x:2 = \"tt.reduce\"(%t, %tf) <{axis = 0 : i32}> ({\n^bb0(%l0: i32, %l1: f32, %r0: i32, %r1: f32):\n"
      "  tt.reduce.return %l0, %r1 : i32, f32\n}) : (tensor<16xi32>, tensor<16xf32>) -> (i32, f32)");
  EXPECT_EQ(op.opcode, Opcode::kTtReduce);
  EXPECT_EQ(op.integer("axis", -1), 0);
  EXPECT_EQ(op.operands, (Ids{kT, kTf}));
  EXPECT_EQ(op.regions[0].blocks[0].arguments.size(), 4U);
  const Operation scan = operation(
      "%x = \"tt.scan\"(%t) <{axis = 0 : i32, reverse = true}> ({\n^bb0(%l: i32, %r: i32):\n  tt.scan.return %l : "
      "i32\n}) : "
      "(tensor<16xi32>) -> tensor<16xi32>");
  EXPECT_EQ(scan.integer("reverse", 0), 1);
  const Operation map = operation(
      "%x = \"tt.map_elementwise\"(%t) <{pack = 2 : i32}> ({\n^bb0(%l: i32, %r: i32):\n  cf.cond_br %c, ^bb1, "
      "^bb2\n^bb1:\n"
      "  tt.map_elementwise.return %l, %r : i32, i32\n^bb2:\n  tt.map_elementwise.return %r, %l : i32, i32\n}) : "
      "(tensor<16xi32>) -> tensor<16xi32>");
  EXPECT_EQ(map.regions[0].blocks.size(), 3U);
}

TEST(ParserFunctions, KeepNamesVisibilityAndDivisibility) {
  const Module module = parse_module(tests::data_text("calls.ttir"));
  ASSERT_EQ(module.functions.size(), 2U);
  const Function& kernel = module.kernel();
  EXPECT_EQ(kernel.name, "calls");
  ASSERT_EQ(kernel.parameters.size(), 2U);
  EXPECT_EQ(kernel.parameters[0].name, "p");
  EXPECT_EQ(kernel.parameters[0].divisibility, 16);
  EXPECT_EQ(kernel.parameters[1].divisibility, 1);
  const Function* helper = module.find("__main__.helper__fp32_i32");
  ASSERT_NE(helper, nullptr);
  EXPECT_FALSE(helper->is_public);
  EXPECT_EQ(helper->results.size(), 2U);
  EXPECT_EQ(module.find("nobody"), nullptr);
}

TEST(ParserFunctions, MayHaveQuotedNames) {
  const Module module =
      parse_module("module @m attributes {\"ttg.num-warps\" = 4 : i32} {\n tt.func @\"a<b>\"() {\n  tt.return\n }\n}");
  EXPECT_EQ(module.kernel().name, "a<b>");
}

TEST(ParserLocations, HaveFileLineAndColumnFromOne) {
  const Module module = parse_module(
      "#loc = loc(\"f.py\":3:0)\nmodule {\n tt.func public @k(%x: i32 loc(\"x\"(#loc))) {\n"
      "  %y = arith.addi %x, %x : i32 loc(#loc7)\n  tt.return loc(unknown)\n } loc(#loc)\n} loc(#loc)\n"
      "#loc7 = loc(\"y\"(\"dir/\\22g\\22.py\":12:34))\n");
  const Function& kernel = module.kernel();
  const Location& place = module.locations[kernel.body.blocks[0].operations[0].location];
  EXPECT_EQ(place.file, "dir/\"g\".py");
  EXPECT_EQ(place.line, 12U);
  EXPECT_EQ(place.column, 35U);
  EXPECT_EQ(place.name, "y");
  EXPECT_EQ(place.caller, std::nullopt);
  EXPECT_EQ(kernel.body.blocks[0].operations[1].location, 0U);
  EXPECT_EQ(module.locations[0].file, "");
  EXPECT_EQ(module.locations[kernel.value_locations[0]].name, "x");
  EXPECT_EQ(module.locations[kernel.value_locations[0]].line, 3U);
  EXPECT_EQ(module.locations[kernel.location].column, 1U);
}

TEST(ParserLocations, ChainTheirCallers) {
  const std::string text =
      kernel_text("gpu.barrier loc(#loc5)\n") +
      "#loc1 = loc(\"inner.py\":1:0)\n#loc2 = loc(\"middle.py\":2:0)\n#loc3 = loc(\"outer.py\":3:0)\n"
      "#loc4 = loc(callsite(#loc1 at #loc2))\n#loc5 = loc(\"v\"(#loc6))\n"
      "#loc6 = loc(callsite(#loc4 at #loc3))\n";
  const Module module = parse_module(text);
  const Location& inner = module.locations[module.kernel().body.blocks[0].operations[0].location];
  EXPECT_EQ(inner.file, "inner.py");
  EXPECT_EQ(inner.name, "v");
  ASSERT_TRUE(inner.caller);
  const Location& middle = module.locations[*inner.caller];
  EXPECT_EQ(middle.file, "middle.py");
  ASSERT_TRUE(middle.caller);
  EXPECT_EQ(module.locations[*middle.caller].file, "outer.py");
  EXPECT_FALSE(module.locations[*middle.caller].caller);
}

TEST(ParserLocations, HaveABoundedNumberOfCallers) {
  std::string text = kernel_text("gpu.barrier loc(#loc0)");
  for (int i = 0; i < 1000; ++i)
    text += "#loc" + std::to_string(i) + " = loc(callsite(\"f\":" + std::to_string(i) + ":1 at #loc" +
            std::to_string(i + 1) + "))\n";
  const Module module = parse_module(text + "#loc1000 = loc(unknown)\n");
  const Location* place = &module.locations[module.kernel().body.blocks[0].operations[0].location];
  EXPECT_EQ(place->line, 0U);
  int callers = 0;
  for (; place->caller; ++callers) place = &module.locations[*place->caller];
  EXPECT_GT(callers, 0);
  EXPECT_LE(callers, 64);
}

TEST(ParserLocations, MayBeFusedOrRanges) {
  const Module module = parse_module(
      kernel_text("gpu.barrier loc(fused<\"meta\">[\"a.py\":1:2 to 3:4, unknown])\ngpu.barrier loc(\"only a name\")"));
  const std::vector<Operation>& ops = module.kernel().body.blocks[0].operations;
  EXPECT_EQ(module.locations[ops[0].location].file, "a.py");
  EXPECT_EQ(module.locations[ops[0].location].column, 3U);
  EXPECT_EQ(module.locations[ops[1].location].name, "only a name");
  EXPECT_EQ(module.locations[ops[1].location].file, "");
}

TEST(ParserAttributes, OfOtherDialectsAreKeptAsText) {
  const Module module = parse_module(
      "#licm = #llvm.loop_licm<disable = true>\n#loop = #llvm.loop_annotation<licm = #licm>\nmodule {\n"
      " tt.func public @k(%n: i32) {\n  scf.for %i = %n to %n step %n : i32 {\n"
      "  } {a = #loop, b = [1, 2], c = [\"x\", 1], d = {e = f32}, f, g = 1.5 : f32, h = @sym, i = tensor<4xi32>}\n"
      "  tt.return\n }\n}");
  const Operation& loop = module.kernel().body.blocks[0].operations[0];
  EXPECT_EQ(loop.word("a", ""), "#loop");
  EXPECT_EQ(loop.list("b").size(), 2U);
  EXPECT_EQ(loop.word("c", ""), "[\"x\", 1]");
  EXPECT_EQ(loop.word("d", ""), "{e = f32}");
  EXPECT_EQ(loop.integer("f", 0), 1);
  EXPECT_EQ(std::get<double>(*loop.attribute("g")), 1.5);
  EXPECT_EQ(loop.word("h", ""), "sym");
  EXPECT_EQ(loop.word("i", ""), "tensor<4xi32>");
}

TEST(ParserData, OfTritonParses) {
  const std::vector<std::filesystem::path> files = tests::data_files();
  EXPECT_GE(files.size(), 10U);
  for (const auto& file : files) EXPECT_EQ(tests::refusal(base::read_file(file)), "") << file;
}

// A folder of kernel.asm["ttir"] files, any number of them: TTIR_CORPUS=folder.
TEST(ParserData, OfTheCorpusParses) {
  const char* const folder = std::getenv("TTIR_CORPUS");
  if (folder == nullptr) GTEST_SKIP() << "TTIR_CORPUS is not set";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".ttir") continue;
    EXPECT_EQ(tests::refusal(base::read_file(entry.path())), "") << entry.path();
  }
}

}  // namespace
}  // namespace tritonrl::ttir
