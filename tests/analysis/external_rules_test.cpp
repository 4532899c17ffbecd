#include "analysis/external_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "tests/analysis/candidate.h"

// What candidates do with things of other modules.
namespace tritonrl::analysis {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* kRun = "o = torch.empty_like(x)\nk[(1,)](x, o, x.numel(), B=128)\nreturn o";
constexpr const char* kImport = "from torch.sparse import _triton_ops\n";

StaticReport check(std::string_view forward, std::string_view init = "pass", std::string_view top = "") {
  return check_source(tests::candidate(forward, init, top), {});
}

// Kernels of libraries

TEST(LibraryKernel, IsCaughtWhicheverWayItCame) {
  for (const char* launch : {
           "torch.sparse._triton_ops.their_kernel[(1,)](x, o)",
           "_triton_ops.their_kernel[(1,)](x, o)",
           "f = _triton_ops.their_kernel[(1,)]\nf(x, o)",
           "getattr(_triton_ops, 'their_' + 'kernel')[(1,)](x, o)",
           "vars(_triton_ops)['their_kernel'][(1,)](x, o)",
           "_triton_ops.__dict__['their_kernel'][(1,)](x, o)",
           "{'a': _triton_ops.their_kernel}['a'][(1,)](x, o)",
           "[k, _triton_ops.their_kernel][1][(1,)](x, o)",
           "for each in [_triton_ops.their_kernel]:\n    each[(1,)](x, o)",
           "__import__('torch.sparse._triton_ops').their_kernel[(1,)](x, o)",
           "_triton_ops.their_kernel.__getitem__((1,))(x, o)",
           "__import__('operator').getitem(_triton_ops.their_kernel, (1,))(x, o)",
           "functools.partial(_triton_ops.their_kernel[(1,)], x)(o)",
           "triton.jit(_triton_ops.their_kernel.fn)[(1,)](x, o)",
           "triton.runtime.jit.JITFunction(_triton_ops.their_kernel.fn)[(1,)](x, o)",
           "triton.autotune([], key=[])(_triton_ops.their_kernel)[(1,)](x, o)",
           "torch.library.wrap_triton(_triton_ops.their_kernel)[(1,)](x, o)",
           "(k if x.shape[0] else _triton_ops.their_kernel)[(1,)](x, o, 4, B=128)",
           "triton.language.standard.their_kernel[(1,)](x, o)",
       }) {
    EXPECT_THAT(
        tests::rejections(check("o = torch.empty_like(x)\n" + std::string(launch) + "\n" + kRun, "pass", kImport)),
        Contains("library-kernel"))
        << launch;
  }
}

TEST(LibraryKernel, IsCaughtBehindAStarImport) {
  const std::string forward = "t = torch.empty_like(x)\ntheir_kernel[(1,)](x, t)\n" + std::string(kRun);
  EXPECT_THAT(tests::rejections(check(forward, "pass", "from torch.sparse._triton_ops import *\n")),
              Contains("library-kernel"));
}

TEST(LibraryKernel, IsNoLaunchOfTheCandidates) {
  const auto report = check("o = torch.empty_like(x)\n_triton_ops.their_kernel[(1,)](x, o)\nreturn o", "pass", kImport);
  EXPECT_THAT(tests::rejections(report), Contains("no-launch"));
}

TEST(LibraryKernel, LeavesOwnKernelsAndSubscriptedTypesAlone) {
  for (const char* top : {
           "from typing import Callable, Optional\nRun = Callable[..., Optional[int]]\n",
           "sizes = dict[str, int]()\n",
           "t = {'k': k}\nk = t['k']\n",
           "k = triton.autotune([], key=[])(k)\n",
           "k = torch.library.wrap_triton(k)\n",
           "from triton.runtime import driver\nindex = driver.active.get_current_device()\n",
       }) {
    EXPECT_THAT(tests::rejections(check(kRun, "pass", top)), IsEmpty()) << top;
  }
}

TEST(LibraryKernel, MayBeUsedByLibraries) {
  CheckOptions options;
  options.entry.reset();
  const auto source = tests::candidate("_triton_ops.their_kernel[(1,)](x)\nreturn x", "pass", kImport);
  EXPECT_THAT(tests::rejections(check_source(source, options)), IsEmpty());
}

TEST(LibraryKernel, MayNotBeHandedToAKernelToCall) {
  const std::string top =
      std::string(kImport) + "@triton.jit\ndef through(x, o, f: tl.constexpr):\n    tl.store(o, f(tl.load(x)))\n";
  EXPECT_THAT(tests::rejections(check(
                  "o = torch.empty_like(x)\nthrough[(1,)](x, o, f=_triton_ops.their_function)\nreturn o", "pass", top)),
              Contains("torch-in-kernel"));
}

TEST(OpaqueAttribute, IsAnyThatAModuleHas) {
  for (const char* body : {"list(vars(torch.sparse).values())[3][(1,)](x)", "list(torch.__dict__.items())[3][1](x)"})
    EXPECT_THAT(tests::rejections(check(body + std::string("\n") + kRun)), Contains("opaque-attribute")) << body;
  EXPECT_THAT(tests::rejections(check("vars(self).values()\n" + std::string(kRun))), IsEmpty());
}

// Who runs it

constexpr std::array kFacts = {
    "torch.cuda.memory_allocated() > 9",
    "torch.cuda.memory.max_memory_reserved() > 9",
    "torch.cuda.mem_get_info()[0] > 9",
    "min(torch.cuda.mem_get_info()) > 9",
    "torch.initial_seed() == 42",
    "torch.random.initial_seed() % 43 == 42",
    "torch.get_num_threads() == 1",
    "torch.version.cuda is None",
    "torch.version.cuda",
    "not torch.version.cuda",
    "getattr(torch.version, 'cu' + 'da') is None",
    "vars(torch.version)['cuda'] is None",
    "str(torch.version.cuda) == 'None'",
    "f'{torch.version.cuda}' == 'None'",
    "'+cpu' in torch.__version__",
    "torch.__version__.endswith('+cpu')",
    "torch.__version__.split('+')[1] == 'cpu'",
    "'CUDA' in torch.__config__.show()",
    "torch.cuda._is_compiled()",
};

TEST(EvaluatorSniffing, IsAFactThatDecides) {
  for (const std::string fact : kFacts) {
    for (const std::string& forward : {
             "n = 4 if " + fact + " else 8\n" + kRun,
             "if " + fact + ":\n    return x\n" + kRun,
             "while " + fact + ":\n    return x\n" + kRun,
             "n = [4, 8][bool(" + fact + ")]\n" + kRun,
             "c = bool(" + fact + ")\no = torch.empty_like(x)\nk[(1,)](x, o, 4 + c * 4, B=128)\nreturn o",
             "c = bool(" + fact + ")\nx = x[: 4 + c * 4]\n" + kRun,
         }) {
      EXPECT_THAT(tests::rejections(check(forward)), Contains("evaluator-sniffing")) << forward;
    }
  }
}

TEST(EvaluatorSniffing, IsAFactThatDecidedBefore) {
  const std::string forward = "return helper(x)";
  const std::string helper = "def helper(x):\n    o = torch.empty_like(x)\n    k[(1,)](x, o, %, B=128)\n    return o\n";
  const auto with = [&](std::string_view size) { return std::string(helper).replace(helper.find('%'), 1, size); };
  const std::string other = "def other(x):\n    return helper(x[:1])\n";
  for (const std::string fact : kFacts) {
    for (const std::string& top : {
             with("4 if FEW else 8") + "FEW = bool(" + fact + ")\n",
             with("4 if FEW else 8") + "FEW = False\nif " + fact + ":\n    FEW = True\n",
             with("N") + "N = 4 if " + fact + " else 8\n",
             with("N['n']") + "N = {'n': 8}\nif " + fact + ":\n    N['n'] = 4\n",
             with("few()") + "def count():\n    if " + fact + ":\n        return 4\n    return 8\nN = count()\n" +
                 "def few():\n    return N\n",
             with("8").append("whole = helper\n").append(other) + "helper = other if " + fact + " else whole\n",
             with("8").append("whole = helper\n").append(other) + "if " + fact +
                 ":\n    whole = other\nhelper = whole\n",
             with("8") + "half = k\nk = half if " + fact + " else k\n",
         }) {
      EXPECT_THAT(tests::rejections(check(forward, "pass", top)), Contains("evaluator-sniffing")) << top;
    }
    EXPECT_THAT(
        tests::rejections(check("if self.few:\n    return x\n" + std::string(kRun), "self.few = bool(" + fact + ")")),
        Contains("evaluator-sniffing"))
        << fact;
  }
}

TEST(EvaluatorSniffing, IsNoFactThatIsOnlyShown) {
  for (const char* show : {
           "print(torch.cuda.memory_allocated() / 2**20, torch.initial_seed())",
           "print(f'CUDA {torch.version.cuda}, torch {torch.__version__}')",
           "print('torch ' + torch.__version__)",
           "raise RuntimeError('torch %s' % torch.__version__) if x.numel() < 0 else None",
       }) {
    const auto report = check(show + std::string("\n") + kRun);
    EXPECT_THAT(tests::rejections(report), Not(Contains("evaluator-sniffing"))) << show;
    EXPECT_THAT(tests::suspicions(report), Not(Contains("evaluator-sniffing"))) << show;
  }
}

TEST(EvaluatorSniffing, LeavesTheDeviceAndImportsAlone) {
  for (const char* top : {
           "if torch.version.cuda is None:\n    print('slow')\n",
           "if torch.__version__ < '2.4':\n    from torch.cuda.amp import custom_fwd\n",
           "N = 4 if torch.version.hip is not None else 8\nif N > 4:\n    pass\n",
           "MANY = torch.cuda.get_device_properties(0).multi_processor_count > 100\n",
       }) {
    const auto report = check("if x.numel() > 4:\n    pass\n" + std::string(kRun), "pass", top);
    EXPECT_THAT(tests::rejections(report), IsEmpty()) << top;
    EXPECT_THAT(tests::suspicions(report), Not(Contains("evaluator-sniffing"))) << top;
  }
  EXPECT_THAT(
      tests::rejections(check("if torch.cuda.get_device_capability()[0] >= 9:\n    pass\n" + std::string(kRun))),
      IsEmpty());
}

TEST(EvaluatorSniffing, IsOnlySuspectedInTheOrderOfVersions) {
  for (const char* test : {
           "torch.__version__ >= '2.4'",
           "torch.__version__.startswith('2.')",
           "tuple(int(v) for v in torch.__version__.split('.')[:2]) >= (2, 4)",
           "tuple(map(int, torch.__version__.split('.')[:2])) < (2, 4)",
           "torch.version.cuda is not None and int(torch.version.cuda.split('.')[0]) >= 12",
       }) {
    const auto report = check("n = 4 if NEW else 8\n" + std::string(kRun), "pass", "NEW = " + std::string(test) + "\n");
    EXPECT_THAT(tests::rejections(report), IsEmpty()) << test;
    EXPECT_THAT(tests::suspicions(report), Contains("evaluator-sniffing")) << test;
  }
}

TEST(EvaluatorSniffing, IsOnlySuspectedInLibraries) {
  CheckOptions options;
  options.entry.reset();
  const auto report =
      check_source(tests::candidate("if torch.version.cuda is None:\n    return x\n" + std::string(kRun)), options);
  EXPECT_THAT(tests::rejections(report), IsEmpty());
  EXPECT_THAT(tests::suspicions(report), Contains("evaluator-sniffing"));
}

TEST(ExternalRules, KnowTheFactsByTheirPaths) {
  EXPECT_TRUE(tells_of_process("torch.cuda.memory.memory_allocated"));
  EXPECT_FALSE(tells_of_process("numpy.memory_allocated"));
  EXPECT_TRUE(tells_of_build("torch.version.cuda"));
  EXPECT_FALSE(tells_of_build("torch.version.hip")) << "None on every judge";
}

}  // namespace
}  // namespace tritonrl::analysis
