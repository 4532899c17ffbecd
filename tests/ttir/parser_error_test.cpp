#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <string_view>

#include "tests/ttir/parser_fixture.h"

namespace tritonrl::ttir {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using tests::kernel_text;
using tests::refusal;

constexpr std::string_view kParameters =
    "%p: !tt.ptr<f32>, %n: i32, %f: f32, %c: i1, %t: tensor<16xi32>, %tp: tensor<16x!tt.ptr<f32>>, %a: "
    "tensor<16x32xf16>";

std::string refusal_of(std::string_view body) { return refusal(kernel_text(body, kParameters)); }

TEST(ParserErrors, NameLineAndColumn) {
  EXPECT_EQ(refusal("module {\n  tt.func public @k() {\n    tt.return )\n  }\n}"),
            "3:15: expected the end of the block, found ')'");
  EXPECT_EQ(refusal("nodule"), "1:1: expected 'module', found 'nodule'");
  EXPECT_EQ(refusal(""), "1:1: expected 'module', but the text ends");
  EXPECT_EQ(refusal("module {\n  ;"), "2:3: no token of MLIR starts with ';'");
}

TEST(ParserErrors, OfValues) {
  EXPECT_EQ(refusal_of("%x = arith.addi %n, %nowhere : i32"), "3:21: %nowhere is not defined here");
  EXPECT_EQ(refusal_of("%n = arith.addi %n, %n : i32"), "3:1: %n is defined twice");
  EXPECT_EQ(refusal_of("%x = arith.addi %x, %n : i32"), "3:17: %x is not defined here");
  EXPECT_EQ(refusal_of("%x = arith.addi %n, %n : i64"), "3:17: %n is i32, but is used as i64");
  EXPECT_EQ(refusal_of("%x = arith.addi %n, %n#1 : i32"), "3:21: %n has 1 results");
  EXPECT_EQ(refusal_of("%x:2 = arith.addi %n, %n : i32"), "3:1: arith.addi has 1 results, not 2");
  EXPECT_EQ(refusal_of("%x:0 = arith.addi %n, %n : i32"), "3:1: a name stands for one value or more");
  EXPECT_EQ(refusal_of("%x = tt.store %p, %f : !tt.ptr<f32>"), "3:1: tt.store has 0 results, not 1");
  EXPECT_EQ(refusal_of("scf.if %c {\n %x = arith.addi %n, %n : i32\n}\n%y = arith.addi %x, %n : i32"),
            "6:17: %x is not defined here");
  EXPECT_EQ(refusal_of("scf.if %c {\n %n = arith.addi %t, %t : tensor<16xi32>\n}"), "4:2: %n is defined twice");
}

TEST(ParserErrors, OfOperandCounts) {
  EXPECT_THAT(refusal_of("%x = arith.addi %n : i32"), HasSubstr("expected ',', found ':'"));
  EXPECT_THAT(refusal_of("%x = arith.addi %n, %n, %n : i32"), HasSubstr("expected ':', found ','"));
  EXPECT_THAT(refusal_of("%x = tt.load %tp, %t, %t, %t : tensor<16x!tt.ptr<f32>>"), HasSubstr("expected ':'"));
  EXPECT_THAT(refusal_of("%x = tt.atomic_rmw fadd, acq_rel, gpu, %p, %f : (!tt.ptr<f32>) -> f32"),
              HasSubstr("2 operands, but types for 1"));
}

TEST(ParserErrors, OfWords) {
  EXPECT_THAT(refusal_of("%x = arith.cmpi olt, %n, %n : i32"), HasSubstr("expected one of eq, ne, slt"));
  EXPECT_THAT(refusal_of("%x = tt.get_program_id w : i32"), HasSubstr("expected x, y or z"));
  EXPECT_THAT(refusal_of("%x = arith.addf %f, %f slowmath : f32"), HasSubstr("expected ':', found 'slowmath'"));
  EXPECT_THAT(refusal_of("%x = tt.load %p cacheModifier = cg cacheModifier = ca : !tt.ptr<f32>"), HasSubstr("twice"));
  EXPECT_THAT(refusal_of("%x = arith.addf %f, %f {a = 1, a = 2} : f32"), HasSubstr("the attribute 'a' is there twice"));
}

TEST(ParserErrors, OfNumbers) {
  EXPECT_THAT(refusal_of("%x = arith.constant 256 : i8"), HasSubstr("does not fit into i8"));
  EXPECT_THAT(refusal_of("%x = arith.constant -129 : i8"), HasSubstr("does not fit into i8"));
  EXPECT_THAT(refusal_of("%x = arith.constant 18446744073709551616 : i64"), HasSubstr("does not fit into i64"));
  EXPECT_THAT(refusal_of("%x = arith.constant " + std::string(10000, '9') + " : i64"), HasSubstr("does not fit"));
  EXPECT_THAT(refusal_of("%x = arith.constant 0x1FFFFFFFF : f32"), HasSubstr("does not fit into f32"));
  EXPECT_THAT(refusal_of("%x = arith.constant 1 : f32"), HasSubstr("a float is spelled with a point"));
  EXPECT_THAT(refusal_of("%x = arith.constant 1.5 : i32"), HasSubstr("a number with a point is no i32"));
  EXPECT_THAT(refusal_of("%x = arith.constant 1.0e : f32"), HasSubstr("no digits in its exponent"));
  EXPECT_THAT(refusal_of("%x:99999999999 = arith.addi %n, %n : i32"), HasSubstr("out of range"));
  EXPECT_THAT(refusal_of("gpu.barrier loc(\"f\":99999999999:1)"), HasSubstr("out of range for a line"));
}

TEST(ParserErrors, OfDenseConstants) {
  EXPECT_THAT(refusal_of("%x = arith.constant dense<[1, 2]> : tensor<3xi32>"), HasSubstr("have not the shape"));
  EXPECT_THAT(refusal_of("%x = arith.constant dense<[[1, 2], [3]]> : tensor<2x2xi32>"), HasSubstr("differ in length"));
  EXPECT_THAT(refusal_of("%x = arith.constant dense<[[1], 2]> : tensor<2x1xi32>"), HasSubstr("expected a number"));
  EXPECT_THAT(refusal_of("%x = arith.constant dense<[1, [2]]> : tensor<2x1xi32>"), HasSubstr("expected a number"));
  EXPECT_THAT(refusal_of("%x = arith.constant dense<\"0x012\"> : tensor<2xi8>"), HasSubstr("hexadecimal"));
  EXPECT_THAT(refusal_of("%x = arith.constant dense<\"0x010203\"> : tensor<2xi8>"), HasSubstr("not the size"));
  EXPECT_THAT(refusal_of("%x = arith.constant dense<1> : i32"), HasSubstr("tensor of numbers"));
  EXPECT_THAT(refusal_of("%x = arith.constant dense<true> : tensor<2xi32>"), HasSubstr("of type i1"));
  EXPECT_THAT(refusal_of("%x = arith.constant dense<" + std::string(50, '[') + "1"),
              HasSubstr("at most 32 dimensions"));
}

TEST(ParserErrors, OfTypes) {
  const auto of_type = [](const std::string& type) { return refusal(kernel_text("", "%x: " + type)); };
  EXPECT_THAT(of_type("tensor<1048577xf32>"), HasSubstr("more than 1048576 elements, the limit of Triton"));
  EXPECT_THAT(of_type("tensor<2048x1024xf32>"), HasSubstr("TRITON_MAX_TENSOR_NUMEL"));
  EXPECT_THAT(of_type("tensor<99999999999999999999999x99999999999999999999xf32>"), HasSubstr("1048576"));
  EXPECT_EQ(of_type("tensor<1024x1024xf32>"), "");
  EXPECT_EQ(of_type("tensor<3xf32>"), "");
  EXPECT_THAT(of_type("tensor<0xf32>"), HasSubstr("sizes are positive"));
  EXPECT_THAT(of_type("tensor<-4xf32>"), HasSubstr("sizes are positive"));
  EXPECT_THAT(of_type("tensor<4yf32>"), HasSubstr("expected 'x'"));
  EXPECT_THAT(of_type("tensor<4xtensor<4xf32>>"), HasSubstr("are no tensors"));
  EXPECT_THAT(of_type("nonsense"), HasSubstr("expected a type, found 'nonsense'"));
  EXPECT_THAT(of_type("tensor<4xsi32>"), HasSubstr("only a descriptor's integers have a sign"));
  EXPECT_THAT(of_type("!tt.tensordesc<f32>"), HasSubstr("a tensor of numbers"));
  EXPECT_THAT(of_type("!tt.tensordesc<tensor<1x1x1x1x1x8xf32>>"), HasSubstr("at most 5 dimensions"));
  std::string many = "tensor<";
  for (int i = 0; i < 33; ++i) many += "1x";
  EXPECT_THAT(of_type(many + "f32>"), HasSubstr("at most 32 dimensions"));
}

TEST(ParserErrors, OfTerminators) {
  EXPECT_THAT(refusal("module {\n tt.func public @k() {\n }\n}"), EndsWith("this block does not end with tt.return"));
  EXPECT_THAT(refusal_of("tt.return"), HasSubstr("expected the end of the block"));
  EXPECT_THAT(refusal_of("scf.yield"), HasSubstr("this region ends with tt.return, not with scf.yield"));
  EXPECT_THAT(refusal_of("%x = scf.if %c -> (i32) {\n scf.yield %f : f32\n} else {\n scf.yield %n : i32\n}"),
              HasSubstr("4:12: expected a value of type i32, found f32"));
  EXPECT_THAT(refusal_of("%x = scf.if %c -> (i32) {\n scf.yield\n} else {\n scf.yield %n : i32\n}"),
              HasSubstr("expected 1 values to be handed on, found 0"));
  EXPECT_THAT(refusal_of("%x = scf.if %c -> (i32) {\n scf.yield %n : i32\n}"), HasSubstr("expected 'else'"));
  EXPECT_THAT(refusal_of("scf.for %k = %n to %n step %n : i32 {\n tt.return\n}"), HasSubstr("ends with scf.yield"));
  EXPECT_THAT(refusal_of("scf.for %k = %n to %n step %n : i32 {\n scf.yield\n^bb1:\n scf.yield\n}"),
              HasSubstr("one block only"));
  EXPECT_THAT(
      refusal_of("scf.while (%u = %n) : (i32) -> f32 {\n scf.condition(%c) %f : f32\n} do {\n scf.yield %n : i32\n}"),
      HasSubstr("the second region of scf.while"));
  EXPECT_THAT(refusal("module {\n tt.func public @k() -> i32 {\n  tt.return\n }\n}"), HasSubstr("expected 1 values"));
}

TEST(ParserErrors, OfBlocks) {
  const auto of_blocks = [](const std::string& blocks) {
    return refusal("module {\n tt.func public @k(%c: i1, %n: i32, %p: !tt.ptr<i32>) {\n" + blocks + "\n }\n}");
  };
  EXPECT_THAT(of_blocks("cf.br ^bb7"), HasSubstr("3:7: this block is not defined in its region"));
  EXPECT_THAT(of_blocks("cf.br ^a\n^a:\ncf.br ^b\n^a:\ntt.return"), HasSubstr("^a is defined twice"));
  EXPECT_THAT(of_blocks("cf.br ^a\n^a(%x: i32):\ntt.return"), HasSubstr("hands on other values"));
  EXPECT_THAT(of_blocks("cf.br ^a(%c : i1)\n^a(%x: i32):\ntt.return"), HasSubstr("hands on other values"));
  EXPECT_THAT(of_blocks("cf.br ^a\n^a:\n%x = arith.addi %n, %n : i32\ntt.return\n^b:\ntt.return"), "");
  EXPECT_THAT(of_blocks("cf.cond_br %c, ^a, ^b\n^a:\n%x = arith.addi %n, %n : i32\ncf.br ^b\n^b:\n"
                        "tt.store %p, %x : !tt.ptr<i32>\ntt.return"),
              HasSubstr("8:14: %x is not defined here"));
  EXPECT_THAT(of_blocks("cf.br ^a\n^a:\ntt.store %p, %x : !tt.ptr<i32>\n%x = arith.addi %n, %n : i32\ntt.return"),
              HasSubstr("5:14: %x is not defined here"));
  EXPECT_THAT(of_blocks("cf.br ^a\n^a:\ntt.store %p, %x : !tt.ptr<i32>\ntt.return"),
              HasSubstr("%x is not defined here"));
  EXPECT_THAT(
      of_blocks("cf.br ^b\n^a:\ntt.store %p, %x : !tt.ptr<i32>\ntt.return\n^b:\n%x = arith.constant true\ncf.br ^a"),
      HasSubstr("%x is i32, but is used as i1"));
  std::string loop = "^a:\ncf.br ^a";
  EXPECT_THAT(refusal("module {\n tt.func public @k() {\n" + loop + "\n }\n}"),
              HasSubstr("nothing branches to a region's first block"));
}

TEST(ParserErrors, OfCombinations) {
  const auto reduce = [](const std::string& head, const std::string& block, const std::string& types) {
    return refusal_of("%x = \"tt.reduce\"(%t) " + head + " ({\n" + block + "\n}) : " + types);
  };
  const std::string block = "^bb0(%l: i32, %r: i32):\n tt.reduce.return %l : i32";
  EXPECT_EQ(reduce("<{axis = 0 : i32}>", block, "(tensor<16xi32>) -> i32"), "");
  EXPECT_THAT(reduce("<{axis = 1 : i32}>", block, "(tensor<16xi32>) -> i32"), HasSubstr("no dimension"));
  EXPECT_THAT(reduce("", block, "(tensor<16xi32>) -> i32"), HasSubstr("no dimension"));
  EXPECT_THAT(reduce("<{axis = 0 : i32}>", block, "(tensor<16xi32>) -> i64"), HasSubstr("other elements"));
  EXPECT_THAT(reduce("<{axis = 0 : i32}>", block, "(tensor<16xi32>) -> tensor<16xi32>"), HasSubstr("another shape"));
  EXPECT_THAT(reduce("<{axis = 0 : i32}>", "^bb0(%l: i32):\n tt.reduce.return %l : i32", "(tensor<16xi32>) -> i32"),
              HasSubstr("another number of arguments"));
  EXPECT_THAT(
      reduce("<{axis = 0 : i32}>", "^bb0(%l: i32, %r: i64):\n tt.reduce.return %l : i32", "(tensor<16xi32>) -> i32"),
      HasSubstr("not the operands' elements"));
  EXPECT_THAT(
      reduce("<{axis = 0 : i32}>", "^bb0(%l: i32, %r: i32):\n tt.reduce.return %f : f32", "(tensor<16xi32>) -> i32"),
      HasSubstr("values of other types"));
  EXPECT_THAT(
      reduce("<{axis = 0 : i32}>", "^bb0(%l: i32, %r: i32):\n tt.scan.return %l : i32", "(tensor<16xi32>) -> i32"),
      HasSubstr("ends with tt.reduce.return"));
  EXPECT_THAT(refusal_of("%x = tt.reduce %t"), HasSubstr("generic form only"));
  EXPECT_THAT(
      refusal_of("%x = \"tt.map_elementwise\"(%t) <{pack = 3 : i32}> ({\n^bb0(%l: i32, %r: i32, %s: i32):\n"
                 " tt.map_elementwise.return %l, %r, %s : i32, i32, i32\n}) : (tensor<16xi32>) -> tensor<16xi32>"),
      HasSubstr("cannot be packed so"));
}

TEST(ParserErrors, OfShapes) {
  EXPECT_THAT(refusal_of("%x = tt.reshape %t : tensor<16xi32> -> tensor<8xi32>"), HasSubstr("number of elements"));
  EXPECT_THAT(refusal_of("%x = tt.reshape %t : tensor<16xi32> -> tensor<16xi64>"),
              HasSubstr("differ in their elements"));
  EXPECT_THAT(refusal_of("%x = tt.broadcast %t : tensor<16xi32> -> tensor<32xi32>"), HasSubstr("another shape"));
  EXPECT_THAT(refusal_of("%x = tt.expand_dims %t {axis = 2 : i32} : tensor<16xi32> -> tensor<16x1xi32>"),
              HasSubstr("no dimension"));
  EXPECT_THAT(refusal_of("%x = tt.trans %a {order = array<i32: 0, 0>} : tensor<16x32xf16> -> tensor<16x16xf16>"),
              HasSubstr("each dimension once"));
  EXPECT_THAT(refusal_of("%x = tt.splat %t : tensor<16xi32> -> tensor<16x1xi32>"), HasSubstr("only a scalar"));
  EXPECT_THAT(refusal_of("%x = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<16xi32>"),
              HasSubstr("end - start"));
  EXPECT_THAT(
      refusal_of("%x = tt.make_range {end = 9223372036854775807, start = -9223372036854775808} : tensor<16xi32>"),
      HasSubstr("no range of i32"));
  EXPECT_THAT(refusal_of("%x = tt.unsplat %t : tensor<16xi32>"), HasSubstr("exactly one element"));
  EXPECT_THAT(refusal_of("%x = tt.split %a : tensor<16x32xf16> -> tensor<16xf16>"), HasSubstr("size 2"));
  EXPECT_THAT(refusal_of("%x = tt.dot %a, %a, %a : tensor<16x32xf16> * tensor<16x32xf16> -> tensor<16x32xf16>"),
              HasSubstr("inner sizes differ"));
  EXPECT_THAT(refusal_of("%x = arith.extsi %t : tensor<16xi32> to tensor<8xi64>"), HasSubstr("differ in shape"));
  EXPECT_THAT(refusal_of("%x = arith.extsi %n : i32 to i16"), HasSubstr("no such conversion from i32 to i16"));
  EXPECT_THAT(refusal_of("%x = arith.addf %n, %n : i32"), HasSubstr("for floats"));
  EXPECT_THAT(refusal_of("%x = arith.addi %f, %f : f32"), HasSubstr("for integers"));
  EXPECT_THAT(refusal_of("%x = tt.addptr %tp, %n : tensor<16x!tt.ptr<f32>>, i32"), HasSubstr("differ in shape"));
  EXPECT_THAT(refusal_of("%x = tt.load %n : i32"), HasSubstr("i32 is no pointer"));
  EXPECT_THAT(refusal_of("%x = tt.load %tp, %c : tensor<16x!tt.ptr<f32>>"),
              HasSubstr("%c is i1, but is used as tensor<16xi1>"));
  EXPECT_THAT(refusal_of("tt.store %p, %n : !tt.ptr<f32>"), HasSubstr("%n is i32, but is used as f32"));
  EXPECT_THAT(refusal_of("%x = tt.atomic_rmw add, acq_rel, gpu, %p, %f : (!tt.ptr<f32>, f32) -> f32"),
              HasSubstr("for integers"));
}

TEST(ParserErrors, OfLocations) {
  EXPECT_THAT(refusal_of("gpu.barrier loc(#loc9)"), HasSubstr("3:17: #loc9 is not defined"));
  EXPECT_THAT(refusal("#loc = loc(unknown)\n#loc = loc(unknown)\nmodule {}"), HasSubstr("2:1: #loc is defined twice"));
  EXPECT_THAT(refusal(kernel_text("") + "#loc = loc(\"x\"(#loc))"), HasSubstr("defined by itself"));
  EXPECT_THAT(refusal(kernel_text("") + "#a = loc(#b)\n#b = loc(#a)"), HasSubstr("defined by itself"));
  EXPECT_THAT(refusal_of("gpu.barrier loc(nowhere)"), HasSubstr("expected a location"));
  EXPECT_THAT(refusal_of("gpu.barrier loc(\"bad \\zz\":1:1)"), HasSubstr("an escape that MLIR does not know"));
}

TEST(ParserErrors, OfFunctions) {
  EXPECT_THAT(refusal("module {\n}"), HasSubstr("one public function, this one has 0"));
  EXPECT_THAT(refusal("module {\n tt.func @a() {\n tt.return\n }\n tt.func @b() {\n tt.return\n }\n}"),
              HasSubstr("this one has 2"));
  EXPECT_THAT(refusal("module {\n tt.func @a() {\n tt.return\n }\n tt.func @a() {\n tt.return\n }\n}"),
              HasSubstr("@a is defined twice"));
  EXPECT_THAT(refusal_of("tt.call @f() : () -> ()"), HasSubstr("@f is not defined"));
  EXPECT_THAT(refusal_of("tt.call @kernel() : () -> ()"), HasSubstr("other parameters or results"));
  EXPECT_THAT(refusal(kernel_text("") + "junk"), HasSubstr("expected the end of the text"));
}

TEST(ParserUnsupported, OperationsAreNamed) {
  EXPECT_EQ(refusal_of("%x = ttg.local_alloc %t : (tensor<16xi32>) -> !ttg.memdesc<16xi32>"),
            "unsupported: ttg.local_alloc is not supported");
  EXPECT_EQ(refusal_of("\"tt.foo\"() : () -> ()"), "unsupported: tt.foo is not supported");
  EXPECT_EQ(refusal_of("\"tt.load\"(%p) : (!tt.ptr<f32>) -> f32"),
            "unsupported: tt.load in MLIR's generic form is not supported");
  EXPECT_EQ(refusal("module {\n llvm.func @f()\n}"), "unsupported: llvm.func is not supported");
  EXPECT_EQ(refusal("module {\n tt.func private @f(i32)\n}"),
            "unsupported: a function without a body is not supported");
  EXPECT_EQ(refusal("module {\n tt.func public @f() {\n  tt.call @f() : () -> ()\n  tt.return\n }\n}"),
            "unsupported: a function that calls itself is not supported");
}

TEST(ParserUnsupported, TypesAreNamed) {
  const auto of_type = [](const std::string& type) { return refusal(kernel_text("", "%x: " + type)); };
  EXPECT_EQ(of_type("i4"), "unsupported: the type i4 is not supported");
  EXPECT_EQ(of_type("tensor<16xf4E2M1FN>"), "unsupported: the type f4E2M1FN is not supported");
  EXPECT_EQ(of_type("vector<4xf32>"), "unsupported: the type vector is not supported");
  EXPECT_EQ(of_type("!ttg.memdesc<16xf32>"), "unsupported: the type !ttg.memdesc is not supported");
  EXPECT_EQ(of_type("!tt.ptr<!tt.ptr<f32>>"), "unsupported: the type !tt.ptr<!tt.ptr<f32>> is not supported");
  EXPECT_EQ(of_type("!tt.ptr<f32, 3>"), "unsupported: a pointer to address space 3 is not supported");
  EXPECT_EQ(of_type("tensor<16xf32, #blocked>"), "unsupported: a tensor with a layout is not supported");
  EXPECT_EQ(of_type("tensor<?xf32>"), "unsupported: a tensor whose size is not in its type is not supported");
  EXPECT_EQ(of_type("tensor<f32>"), "unsupported: a tensor without dimensions is not supported");
}

TEST(ParserLimits, NestingEndsInAnError) {
  std::string regions;
  for (int i = 0; i < 100000; ++i) regions += "scf.if %c {\n";
  EXPECT_THAT(refusal_of(regions), HasSubstr("regions nest deeper than 200 levels"));
  std::string types = "%x: ";
  for (int i = 0; i < 100000; ++i) types += "!tt.ptr<";
  EXPECT_THAT(refusal(kernel_text("", types)), HasSubstr("types nest deeper than 100 levels"));
  EXPECT_THAT(refusal_of("gpu.barrier {a = " + std::string(100000, '[')), HasSubstr("attributes nest deeper than 100"));
  std::string locations = "gpu.barrier loc(";
  for (int i = 0; i < 100000; ++i) locations += "\"x\"(";
  EXPECT_THAT(refusal_of(locations), HasSubstr("locations nest deeper than 100"));
  EXPECT_THAT(refusal("#a = #b.c<" + std::string(100000, '<')), HasSubstr("expected '>', but the text ends"));
}

TEST(ParserLimits, RegionsOfTheAllowedDepthParse) {
  std::string text;
  for (int i = 0; i < 199; ++i) text += "scf.if %c {\n";
  for (int i = 0; i < 199; ++i) text += "}\n";
  EXPECT_EQ(refusal_of(text), "");
}

TEST(ParserLimits, TextsAreAtMost64Megabytes) {
  EXPECT_THAT(refusal(std::string((std::size_t{64} << 20) + 1, ' ')), HasSubstr("more than 67108864"));
}

TEST(ParserLimits, BlocksAreAtMost2048) {
  std::string blocks = "cf.br ^b0\n";
  for (int i = 0; i < 2048; ++i) blocks += "^b" + std::to_string(i) + ":\ncf.br ^b" + std::to_string(i + 1) + "\n";
  EXPECT_THAT(refusal_of(blocks + "^b2048:"), HasSubstr("at most 2048 blocks"));
}

TEST(ParserLimits, LocationsDoNotMultiply) {
  std::string doubled = "#loc0 = loc(callsite(\"a\":1:1 at \"b\":2:2))\n";
  for (int i = 1; i < 200; ++i) {
    const std::string last = "#loc" + std::to_string(i - 1);
    doubled.append("#loc").append(std::to_string(i)).append(" = loc(callsite(");
    doubled.append(last).append(" at ").append(last).append("))\n");
  }
  EXPECT_EQ(refusal(doubled + kernel_text("")), "");
  std::string repeated = "#loc = loc(\"" + std::string(1 << 20, 'x') + "\":1:1)\n";
  std::string barriers;
  for (int i = 0; i < 2000; ++i) barriers += "gpu.barrier loc(\"n\"(#loc))\n";
  EXPECT_THAT(refusal(repeated + kernel_text(barriers)), HasSubstr("take too much memory"));
}

TEST(ParserLimits, TimeGrowsWithTheText) {
  const auto seconds = [](int operations) {
    std::string body = "%x0 = arith.addi %n, %n : i32\n";
    for (int i = 1; i < operations; ++i) {
      body += "%x" + std::to_string(i) + " = arith.addi %x" + std::to_string(i - 1) + ", %x0 : i32 loc(#loc" +
              std::to_string(i) + ")\n";
    }
    std::string text = kernel_text(body, kParameters);
    for (int i = 1; i < operations; ++i) {
      text += "#loc" + std::to_string(i) + " = loc(callsite(\"f\":1:1 at ";
      text += i + 1 < operations ? "#loc" + std::to_string(i + 1) : "\"g\":2:2";
      text += "))\n";
    }
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(refusal(text), "");
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  // Ten times the text in far less than a hundred times the time; the constant is for clocks of busy machines.
  EXPECT_LT(seconds(100000), 40 * seconds(10000) + 1);
}

TEST(ParserTruncation, AtAnyByteIsAnErrorWithAPlace) {
  for (const char* const name :
       {"while_loop.ttir", "early_return.ttir", "calls.ttir", "maps.ttir", "prints.ttir", "descriptors.ttir"}) {
    const std::string text = tests::data_text(name);
    const std::size_t last = text.find_last_not_of(" \n");
    for (std::size_t bytes = 0; bytes <= last; ++bytes) {
      const std::string found = refusal(std::string_view(text).substr(0, bytes));
      ASSERT_FALSE(found.empty()) << name << " cut at " << bytes;
      ASSERT_FALSE(found.starts_with("unsupported") || found.starts_with("0:")) << name << " cut at " << bytes << found;
    }
  }
}

TEST(ParserTruncation, OfEveryFormIsAnError) {
  const std::string text = tests::data_text("forms.ttir");
  for (std::size_t bytes = 0; bytes + 2 < text.size(); bytes += 7) {
    const std::string found = refusal(std::string_view(text).substr(0, bytes));
    ASSERT_FALSE(found.empty() || found.starts_with("unsupported")) << "cut at " << bytes << found;
  }
}

TEST(ParserDamage, OfAnyLineNeverCrashes) {
  const std::string text = tests::data_text("forms.ttir");
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; begin = end + 1, end = text.find('\n', begin)) {
    std::string without = text;
    without.erase(begin, end - begin);
    refusal(without);
    std::string twice = text;
    twice.insert(begin, text.substr(begin, end - begin + 1));
    refusal(twice);
  }
}

}  // namespace
}  // namespace tritonrl::ttir
