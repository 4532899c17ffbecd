#include "analysis/kernel_flow.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/interpreter.h"

namespace tritonrl::analysis {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::string_view kImports =
    "import torch\nimport triton\nimport triton.language as tl\nfrom triton.language.extra import libdevice\n";

// A file that holds a kernel, and what is known of the kernel's memory.
class Kernel {
 public:
  // `definitions` end with the kernel `k`.
  explicit Kernel(const std::string& definitions, const KnownArguments& known = {})
      : tree_(parse(std::string(kImports) + definitions)), interpreter_(tree_, Following::kWholeFile, findings_) {
    interpreter_.run_module();
    Value* kernel = interpreter_.global("k");
    EXPECT_TRUE(kernel != nullptr && kernel->is(Value::Kind::kKernel)) << "there is no kernel k";
    if (kernel != nullptr && kernel->is(Value::Kind::kKernel)) summary_ = interpreter_.summary(kernel, known);
  }

  const KernelSummary* operator->() const { return &summary_; }

  // Pointers that are stored through. Sizes in an address count too, as nothing tells them from pointers: left out
  // here.
  std::vector<std::string> stored() const {
    std::vector<std::string> names;
    for (const auto& [name, stored] : summary_.stored) {
      if (stored && name != "n" && name != "FLAG" && name != "BLOCK") names.emplace_back(name);
    }
    return names;
  }
  std::vector<std::string> rules() const {
    std::vector<std::string> ids;
    for (const auto& use : summary_.uses) ids.emplace_back(use.rule);
    return ids;
  }

 private:
  static pysource::SyntaxTree parse(const std::string& source) {
    auto parsed = pysource::SyntaxTree::parse(source);
    if (const auto* error = std::get_if<pysource::SourceError>(&parsed)) throw std::runtime_error(error->message);
    return std::move(std::get<pysource::SyntaxTree>(parsed));
  }

  const pysource::SyntaxTree tree_;
  Findings findings_;
  Interpreter interpreter_;
  KernelSummary summary_;
};

// A kernel k(x, y, out, n, FLAG, BLOCK) with this body; i are the offsets, m the mask.
std::string kernel(const std::string& body) {
  std::string text =
      "@triton.jit\ndef k(x, y, out, n, FLAG: tl.constexpr, BLOCK: tl.constexpr):\n"
      "    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n    m = i < n\n";
  std::size_t at = 0;
  while (at < body.size()) {
    const std::size_t end = std::min(body.find('\n', at), body.size());
    text += "    " + body.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return text;
}

// Which parameters are stored through

TEST(KernelFlow, FindsStoresThroughAParameter) {
  const Kernel k(kernel("tl.store(out + i, tl.load(x + i, mask=m) * 2, mask=m)"));
  EXPECT_THAT(k.stored(), ElementsAre("out"));
  EXPECT_TRUE(k->stores);
  EXPECT_FALSE(k->stores_through_unknown);
  EXPECT_TRUE(k->depends_on_loads);
  EXPECT_FALSE(k->only_copies);
  EXPECT_THAT(k.rules(), IsEmpty());
}

TEST(KernelFlow, FollowsPointersThroughLocals) {
  EXPECT_THAT(Kernel(kernel("p = out + n\nq = p + i\nr, s = q, x\ntl.store(r, tl.load(s + i))")).stored(),
              ElementsAre("out"));
  EXPECT_THAT(Kernel(kernel("p = out\np += i\ntl.store(p, 1)")).stored(), ElementsAre("out"));
  EXPECT_THAT(Kernel(kernel("p = x if FLAG else out\ntl.store(p + i, 1)")).stored(), ElementsAre("x", "out"));
}

TEST(KernelFlow, FollowsBlockPointersAndDescriptors) {
  EXPECT_THAT(Kernel(kernel("p = tl.make_block_ptr(out, (n,), (1,), (0,), (BLOCK,), (0,))\np = tl.advance(p, "
                            "(1,))\ntl.store(p, tl.load(x + i) + 1)"))
                  .stored(),
              ElementsAre("out"));
  const Kernel k(
      kernel("d = tl.make_tensor_descriptor(out, [n], [1], [BLOCK])\ne = tl.make_tensor_descriptor(x, [n], [1], "
             "[BLOCK])\nd.store([0], e.load([0]) * 2)"));
  EXPECT_THAT(k.stored(), ElementsAre("out"));
  EXPECT_TRUE(k->depends_on_loads);
  EXPECT_FALSE(k->only_copies);
  EXPECT_THAT(Kernel(kernel("out.store([0], x.load([0]))")).stored(), ElementsAre("out"))
      << "descriptors given by the host";
}

TEST(KernelFlow, CountsAtomicsAsStores) {
  const Kernel k(kernel("tl.atomic_add(out + i, tl.load(x + i))"));
  EXPECT_THAT(k.stored(), ElementsAre("out"));
  EXPECT_TRUE(k->depends_on_loads);
  EXPECT_FALSE(k->only_copies) << "what was there is added to";
  EXPECT_TRUE(Kernel(kernel("old = tl.atomic_xchg(y, 1)\ntl.store(out + i, old)"))->depends_on_loads);
}

TEST(KernelFlow, SeesThatNothingIsStored) {
  EXPECT_FALSE(Kernel(kernel("v = tl.load(x + i)"))->stores);
  EXPECT_FALSE(Kernel(kernel("pass"))->stores);
  EXPECT_FALSE(Kernel(kernel("store = tl.load(x + i)\nstore = store + 1"))->stores);
}

TEST(KernelFlow, TakesAnAddressFromMemoryForAnyArgument) {
  const Kernel k(kernel("p = tl.load(x + i).to(tl.pointer_type(tl.float32))\ntl.store(p, 1.0)"));
  EXPECT_TRUE(k->stores);
  EXPECT_TRUE(k->stores_through_unknown || k.stored() == std::vector<std::string>{"x"});
}

// What the stored values depend on

TEST(KernelFlow, SeesStoresThatDependOnNothingLoaded) {
  for (const char* body :
       {"tl.store(out + i, 0.0)", "tl.store(out + i, i)", "tl.store(out + i, tl.zeros((BLOCK,), tl.float32))",
        "v = tl.load(x + i)\ntl.store(out + i, tl.program_id(0))", "tl.store(out + i, n * 2)",
        "v = tl.load(x + i)\nv = i * 2\ntl.store(out + i, v)", "tl.store(out + i, tl.rand(7, i))"}) {
    EXPECT_FALSE(Kernel(kernel(body))->depends_on_loads) << body;
  }
}

TEST(KernelFlow, SeesEveryWayToDependOnALoad) {
  for (const char* body :
       {"tl.store(out + i, tl.load(x + i))", "j = tl.load(y + i)\ntl.store(out + j, 1)",
        "tl.store(out + i, 1, mask=tl.load(y + i) > 0)", "if tl.load(y) > 0:\n    tl.store(out + i, 1)",
        "a = tl.zeros((BLOCK,), tl.float32)\nfor j in range(n):\n    a += tl.load(x + i + j)\ntl.store(out + i, a)",
        "a = 0\nwhile a < tl.load(y):\n    tl.store(out + a, 1)\n    a += 1",
        "s = tl.sum(tl.load(x + i), axis=0)\ntl.store(out, s)", "tl.store(out + i, tl.where(tl.load(y + i) > 0, 1, 2))",
        "t = (tl.load(x + i), 1)\ntl.store(out + i, t[0])"}) {
    EXPECT_TRUE(Kernel(kernel(body))->depends_on_loads) << body;
  }
}

TEST(KernelFlow, TellsCopiesFromCompute) {
  for (const char* body :
       {"tl.store(out + i, tl.load(x + i))", "tl.store(out + i, tl.load(x + i, mask=m, other=0.0), mask=m)",
        "v = tl.load(x + i)\nw = v.to(tl.float32)\ntl.store(out + i, w)",
        "v = tl.load(x + i)\ntl.store(out + i, v * 1 + 0)", "v = tl.load(x + i)\ntl.store(out + i, tl.where(m, v, v))",
        "v = tl.load(x + i)\ntl.store(out + i, tl.trans(tl.reshape(v, (1, BLOCK))))"}) {
    EXPECT_TRUE(Kernel(kernel(body))->only_copies) << body;
  }
  for (const char* body :
       {"tl.store(out + i, tl.load(x + i) + tl.load(y + i))", "tl.store(out + i, tl.exp(tl.load(x + i)))",
        "tl.store(out + i, -tl.load(x + i))", "v = tl.load(x + i)\ntl.store(out + i, tl.where(v > 0, v, 0.0))",
        "tl.store(out + i, tl.load(x + i))\ntl.store(y + i, tl.load(x + i) * 2)",
        "tl.store(out, tl.sum(tl.load(x + i), axis=0))", "tl.store(out + i, libdevice.tanh(tl.load(x + i)))"}) {
    EXPECT_FALSE(Kernel(kernel(body))->only_copies) << body;
  }
}

// Branches on constants

TEST(KernelFlow, FollowsTheBranchThatALaunchChooses) {
  const std::string text =
      kernel("if FLAG:\n    tl.store(out + i, tl.load(x + i) * 2)\nelse:\n    tl.store(y + i, 0.0)");
  const Kernel on(text, {{"FLAG", 1, {}}});
  EXPECT_THAT(on.stored(), ElementsAre("out"));
  EXPECT_TRUE(on->depends_on_loads);
  const Kernel off(text, {{"FLAG", 0, {}}});
  EXPECT_THAT(off.stored(), ElementsAre("y"));
  EXPECT_FALSE(off->depends_on_loads);
  EXPECT_THAT(Kernel(text).stored(), ElementsAre("y", "out"));
}

TEST(KernelFlow, SeesAGateThatIsClosed) {
  EXPECT_FALSE(Kernel(kernel("if FLAG:\n    tl.store(out + i, 1)"), {{"FLAG", 0, {}}})->stores);
  EXPECT_FALSE(Kernel(kernel("if False:\n    tl.store(out + i, 1)"))->stores);
  EXPECT_FALSE(Kernel(kernel("if FLAG == 2:\n    tl.store(out + i, 1)"), {{"FLAG", 1, {}}})->stores);
  EXPECT_FALSE(Kernel(kernel("if not FLAG:\n    tl.store(out + i, 1)"), {{"FLAG", 1, {}}})->stores);
  EXPECT_FALSE(Kernel(kernel("return\ntl.store(out + i, 1)"))->stores);
}

TEST(KernelFlow, UsesDefaultsOfConstexprParameters) {
  EXPECT_FALSE(
      Kernel("@triton.jit\ndef k(out, ON: tl.constexpr = 0):\n    if ON:\n        tl.store(out, 1)\n")->stores);
  EXPECT_TRUE(
      Kernel("@triton.jit\ndef k(out, ON: tl.constexpr = 0):\n    if ON:\n        tl.store(out, 1)\n", {{"ON", 1, {}}})
          ->stores);
}

// Device functions

TEST(KernelFlow, FollowsDeviceFunctions) {
  const std::string helpers =
      "@triton.jit\ndef write(p, v):\n    tl.store(p, v)\n@triton.jit\ndef twice(v):\n    return v * "
      "2\n@triton.jit\ndef nothing(v):\n    return 0.0\n";
  const Kernel k(helpers + kernel("write(out + i, twice(tl.load(x + i)))"));
  EXPECT_THAT(k.stored(), ElementsAre("out"));
  EXPECT_TRUE(k->depends_on_loads);
  EXPECT_FALSE(k->only_copies);
  EXPECT_EQ(k->called.size(), 2U);
  EXPECT_FALSE(Kernel(helpers + kernel("write(out + i, nothing(tl.load(x + i)))"))->depends_on_loads);
}

TEST(KernelFlow, KnowsTheFunctionsThatReductionsCombineWith) {
  const Kernel k("@triton.jit\ndef plus(a, b):\n    return a + b\n" +
                 kernel("tl.store(out + i, tl.associative_scan(tl.load(x + i), 0, plus))"));
  EXPECT_EQ(k->called.size(), 1U);
  EXPECT_TRUE(k->depends_on_loads);
}

TEST(KernelFlow, EndsOnDeviceFunctionsThatRecurse) {
  const Kernel k("@triton.jit\ndef r(v):\n    return r(r(v))\n" + kernel("tl.store(out + i, r(tl.load(x + i)))"));
  EXPECT_TRUE(k->stores);
}

TEST(KernelFlow, AssumesTheWorstOfWhatItCannotSee) {
  const Kernel k(kernel("helper(out, x)"));
  EXPECT_TRUE(k->stores) << "an unknown function may store";
  EXPECT_THAT(k.rules(), Contains("undefined-name"));
}

// What may not stand in a kernel

TEST(KernelFlow, ReportsTorchInAKernel) {
  EXPECT_THAT(Kernel(kernel("tl.store(out + i, torch.exp(tl.load(x + i)))")).rules(), Contains("torch-in-kernel"));
}

TEST(KernelFlow, ReportsFunctionsThatTritonHasNot) {
  EXPECT_THAT(Kernel(kernel("tl.store(out + i, tl.relu(tl.load(x + i)))")).rules(), Contains("unknown-triton-api"));
  EXPECT_THAT(Kernel(kernel("tl.store(out + i, tl.math.exp(tl.load(x + i)))")).rules(), IsEmpty());
}

TEST(KernelFlow, ReportsRangesThatAreNoPowerOfTwo) {
  EXPECT_THAT(Kernel(kernel("j = tl.arange(0, 96)")).rules(), ElementsAre("arange-size"));
  EXPECT_THAT(Kernel(kernel("j = tl.arange(0, 128)")).rules(), IsEmpty());
  EXPECT_THAT(Kernel(kernel("j = tl.arange(0, BLOCK)"), {{"BLOCK", 100, {}}}).rules(), Contains("arange-size"));
  EXPECT_THAT(Kernel(kernel("j = tl.arange(0, 0)")).rules(), ElementsAre("arange-size"));
  EXPECT_THAT(Kernel(kernel("j = tl.arange(0, BLOCK * 2)"), {{"BLOCK", 64, {}}}).rules(), IsEmpty());
}

TEST(KernelFlow, SurvivesRangesPastWhatANumberHolds) {
  EXPECT_FALSE(Kernel(kernel("j = tl.arange(-9223372036854775807, 9223372036854775807)"))->stores);
}

TEST(KernelFlow, FoldsTheSmallestNumber) {
  EXPECT_TRUE(
      Kernel(kernel("a = -9223372036854775807 - 1\nb = -a\nc = a * -1\nd = a // -1\ntl.store(out + i, b + c + d)"))
          ->stores);
}

TEST(KernelFlow, SuspectsLoadsThatAreNarrowed) {
  EXPECT_THAT(Kernel(kernel("tl.store(out + i, tl.load(x + i).to(tl.float16) * 2)")).rules(),
              ElementsAre("precision-downgrade"));
  EXPECT_THAT(Kernel(kernel("tl.store(out + i, (tl.load(x + i) * 2).to(tl.float16))")).rules(), IsEmpty())
      << "that is the output's type";
}

TEST(KernelFlow, SeesKernelsWithManyParameters) {
  std::string text = "@triton.jit\ndef k(";
  for (int i = 0; i < 80; ++i) text += "p" + std::to_string(i) + ", ";
  const Kernel k(text + "):\n    tl.store(p70, tl.load(p3) + 1)\n");
  EXPECT_TRUE(k->stores);
  EXPECT_TRUE(k->stores_through_unknown || k.stored() == std::vector<std::string>{"p70"});
  EXPECT_TRUE(k->depends_on_loads);
}

}  // namespace
}  // namespace tritonrl::analysis
