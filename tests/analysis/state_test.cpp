#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/analysis/candidate.h"

// Values as they flow through one call of the entry, and from one call to the next.
namespace tritonrl::analysis {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Not;
using tests::candidate;

std::vector<std::string> rejections(std::string_view forward, std::string_view init = "pass",
                                    std::string_view top = "") {
  return tests::rejections(check_source(candidate(forward, init, top), {}));
}

constexpr const char* kRun = "o = torch.empty_like(x)\nk[(1,)](x, o, x.numel(), B=128)\n";

std::string run_then(std::string_view rest) { return kRun + std::string(rest); }

// From the launch to the returned value

TEST(ValueFlow, FollowsTheOutputOfALaunch) {
  for (const char* rest : {"return o",
                           "return o.view(-1)",
                           "return (o, x.shape)",
                           "return {'o': o}",
                           "y = o\nz = y\nreturn z",
                           "return [o][0]",
                           "return (o,)[-1]",
                           "a, b = o, 1\nreturn a",
                           "return o if x.is_cuda else o.clone()",
                           "return (lambda y: y)(o)",
                           "return functools.partial(lambda a, b: b, 1)(o)",
                           "d = {'a': o}\nreturn d['a']",
                           "l = []\nl.append(o)\nreturn l[0]",
                           "self.o = o\nreturn self.o",
                           "def inner():\n    return o\nreturn inner()",
                           "for y in [o]:\n    z = y\nreturn z",
                           "with torch.no_grad():\n    return o",
                           "try:\n    return o\nfinally:\n    pass",
                           "*a, b = 1, 2, o\nreturn b",
                           "return (y := o)",
                           "return o[:, None]",
                           "return o.reshape(x.shape).contiguous()"}) {
    EXPECT_THAT(rejections(run_then(rest)), IsEmpty()) << rest;
  }
}

TEST(ValueFlow, SeesThatTheOutputIsDropped) {
  for (const char* rest :
       {"return x", "return torch.empty_like(x)", "o = torch.empty_like(x)\nreturn o", "return o.shape", "return None",
        "del o\nreturn x", "return x.view(-1)", "y = [o, x]\nreturn y[1]"}) {
    EXPECT_THAT(rejections(run_then(rest)), Contains("launch-result-unused")) << rest;
  }
}

TEST(ValueFlow, SeesTorchComputeBehindEveryName) {
  for (const char* rest : {"return torch.relu(o)",
                           "return o.relu()",
                           "return o + 1",
                           "return o @ o",
                           "return -o",
                           "f = torch.relu\nreturn f(o)",
                           "return getattr(torch, 're' + 'lu')(o)",
                           "return {'f': torch.relu}['f'](o)",
                           "return functools.partial(torch.add, o)(o)",
                           "return list(map(torch.relu, [o]))[0]",
                           "return [torch.relu][0](o)",
                           "o += 1\nreturn o",
                           "o.relu_()\nreturn o",
                           "return sum([o, o])",
                           "return (lambda f: f(o))(torch.relu)",
                           "return nn.functional.relu(o)",
                           "return torch.ops.aten.relu.default(o)",
                           "return torch.Tensor.relu(o)",
                           "return o.__matmul__(o)",
                           "return max(o, o.t())",
                           "return o ** 2",
                           "return abs(o)"}) {
    EXPECT_THAT(rejections(run_then(rest)), Contains("torch-compute")) << rest;
  }
}

TEST(ValueFlow, LeavesArithmeticOnShapesAlone) {
  for (const char* rest :
       {"n = x.shape[0] // 2 + 1\nreturn o", "m, n = x.shape\nk2 = m * n - 1\nreturn o", "s = sum(x.shape)\nreturn o",
        "n = max(x.size(0), 1)\nreturn o", "n = x.numel() ** 0.5\nreturn o", "a = [s * 2 for s in x.shape]\nreturn o",
        "n = -x.dim()\nreturn o", "f = 1.0 / (x.shape[-1] ** 0.5)\nreturn o",
        "n = triton.cdiv(x.numel(), 128) * 2\nreturn o", "b = x.stride(0) % 16 == 0\nreturn o",
        "n = len(x.shape) + x.element_size()\nreturn o"}) {
    EXPECT_THAT(rejections(run_then(rest)), IsEmpty()) << rest;
  }
}

TEST(ValueFlow, TakesTheBranchThatConstantsChoose) {
  EXPECT_THAT(rejections(run_then("if False:\n    return torch.relu(x)\nreturn o")), IsEmpty());
  EXPECT_THAT(rejections(run_then("if 1 + 1 == 2:\n    return o\nreturn torch.relu(x)")), IsEmpty());
  EXPECT_THAT(rejections(run_then("if x.is_contiguous():\n    return o\nreturn torch.relu(x)")),
              Contains("torch-compute"));
  EXPECT_THAT(rejections(run_then("return o if True else torch.relu(x)")), IsEmpty());
}

// Nobody names these calls; Python and libraries make them.
TEST(ValueFlow, SeesTorchComputeInWhatIsCalledUnnamed) {
  const std::string object = "class Q:\n    def __METHOD__(self, *given):\n        torch.relu(x)\n        return 1\n";
  for (const auto& [method, use] : std::vector<std::pair<std::string, std::string>>{{"bool", "if Q():\n    pass"},
                                                                                    {"str", "f'{Q()}'"},
                                                                                    {"eq", "1 == Q()"},
                                                                                    {"lt", "sorted([Q(), Q()])"},
                                                                                    {"hash", "{Q(): 1}"},
                                                                                    {"contains", "1 in Q()"},
                                                                                    {"index", "range(Q())"},
                                                                                    {"delitem", "del Q()[0]"}}) {
    std::string defined = object;
    defined.replace(defined.find("METHOD"), 6, method);
    EXPECT_THAT(rejections(run_then(defined + use + "\nreturn o")), Contains("torch-compute")) << use;
  }
  for (const char* use : {"for n in iter(lambda: torch.relu(x), None):\n    pass",
                          "[1, 2].sort(key=lambda n: torch.relu(x))", "self.apply(lambda module: torch.relu(x))",
                          "class D(dict):\n    def __missing__(self, key):\n        torch.relu(x)\nD()[0]",
                          "class E(Exception):\n    def __init__(self):\n        torch.relu(x)\ntry:\n    raise "
                          "E\nexcept E:\n    pass"}) {
    EXPECT_THAT(rejections(run_then(std::string(use) + "\nreturn o")), Contains("torch-compute")) << use;
  }
  EXPECT_THAT(rejections(run_then("class Q:\n    def __str__(self):\n        return str(x.shape)\nf'{Q()}'\nreturn o")),
              IsEmpty());
}

TEST(ValueFlow, LeavesOutWhatIsDoneWithInputsThatAreNotOnAGpu) {
  for (const char* condition : {"not x.is_cuda", "x.is_cpu", "x.device.type != 'cuda'", "x.device.type == 'cpu'",
                                "not torch.cuda.is_available()", "not (x.is_cuda and torch.cuda.is_available())"}) {
    EXPECT_THAT(rejections(run_then("if " + std::string(condition) + ":\n    return torch.relu(x)\nreturn o")),
                IsEmpty())
        << condition;
  }
  EXPECT_THAT(rejections(run_then("if x.is_cuda:\n    return torch.relu(x)\nreturn o")), Contains("torch-compute"));
  EXPECT_THAT(rejections(run_then("y = x.cpu()\nif not y.is_cuda:\n    return torch.relu(y)\nreturn o")),
              Contains("torch-compute"));
}

// From one call to the next

TEST(State, MayBeAWorkspaceThatIsRewritten) {
  EXPECT_THAT(
      rejections(
          "if self.w is None:\n    self.w = torch.empty_like(x)\nk[(1,)](x, self.w, x.numel(), B=128)\nreturn self.w",
          "self.w = None"),
      IsEmpty());
}

TEST(State, MayNotBeAnAnswer) {
  EXPECT_THAT(rejections("if self.w is None:\n    self.w = torch.empty_like(x)\n    k[(1,)](x, self.w, x.numel(), "
                         "B=128)\nreturn self.w",
                         "self.w = None"),
              Contains("cached-result"));
  EXPECT_THAT(
      rejections(
          "if 'a' not in c:\n    o = torch.empty_like(x)\n    k[(1,)](x, o, 4, B=128)\n    c['a'] = o\nreturn c['a']",
          "pass", "c = {}\n"),
      Contains("cached-result"));
}

TEST(State, MayNotBeTheAnswerToTheLastCall) {
  EXPECT_THAT(
      rejections(
          "o = torch.empty_like(x)\nk[(1,)](x, o, 4, B=128)\np = self.p\nself.p = o\nreturn o if p is None else p",
          "self.p = None"),
      Contains("cached-result"));
}

TEST(State, MayNotBeKeyedByAddress) {
  EXPECT_THAT(rejections("key = x.data_ptr()\nif key == self.key:\n    pass\nself.key = key\n" + run_then("return o"),
                         "self.key = 0"),
              Contains("pointer-keyed-cache"));
  EXPECT_THAT(rejections(run_then("assert x.data_ptr() % 16 == 0\nreturn o")), IsEmpty());
}

TEST(State, MayNotCountCalls) {
  EXPECT_THAT(rejections("self.n += 1\nif self.n > 3:\n    return x\n" + run_then("return o"), "self.n = 0"),
              Contains("call-counter"));
  EXPECT_THAT(rejections("global n\nn = n + 1\nif n > 3:\n    return x\n" + run_then("return o"), "pass", "n = 0\n"),
              Contains("call-counter"));
  EXPECT_THAT(rejections("self.n += 1\n" + run_then("return o"), "self.n = 0"), Not(Contains("call-counter")))
      << "counting alone decides nothing";
}

// A kernel c(x, o, t) that counts its calls in t, and a forward that launches it.
std::string counting(std::string_view count, std::string_view use) {
  return "@triton.jit\ndef c(x, o, t):\n    calls = tl.load(t)\n    " + std::string(count) + "\n    " +
         std::string(use) + "\n";
}

TEST(State, MayNotCountCallsOnTheDevice) {
  const std::string launch = "o = torch.empty_like(x)\nc[(1,)](x, o, self.t)\nreturn o";
  const std::string keep = "self.t = torch.zeros(1)";
  for (const std::string& kernel : {
           counting("tl.store(t, calls + 1)",
                    "n = 4\n    if calls > 9:\n        n = 2\n    tl.store(o + n, tl.load(x + n))"),
           counting("tl.store(t, calls - 1)", "tl.store(o, tl.where(calls > 9, tl.load(x), 0.0))"),
           counting("tl.store(t, 1 + calls)", "tl.store(o, tl.load(x, mask=calls < 9, other=0.0) * 2)"),
           counting("calls += 1\n    tl.store(t, calls)", "tl.store(o, tl.load(x) * 2, mask=calls < 9)"),
       }) {
    EXPECT_THAT(rejections(launch, keep, kernel), Contains("call-counter")) << kernel;
    EXPECT_THAT(rejections("if not hasattr(self, 't'):\n    " + keep + "\n" + launch, "pass", kernel),
                Contains("call-counter"))
        << kernel;
    EXPECT_THAT(rejections("self.t.zero_()\n" + launch, keep, kernel), Not(Contains("call-counter"))) << kernel;
    EXPECT_THAT(rejections(keep + "\n" + launch, "pass", kernel), Not(Contains("call-counter"))) << kernel;
  }
  for (const std::string& kernel : {
           counting("tl.store(t, calls + 1)", "tl.store(o, tl.load(x) * 2)"),
           counting("tl.store(t, calls + 1)", "if calls > 9:\n        tl.store(t, 0)\n    tl.store(o, tl.load(x) * 2)"),
           counting("calls = tl.atomic_add(t, 1)", "tl.store(o, tl.load(x) * calls)"),
           counting("tl.store(t, calls * 0.9 + tl.load(x))", "tl.store(o, tl.load(x) * calls)"),
       }) {
    EXPECT_THAT(rejections(launch, keep, kernel), Not(Contains("call-counter"))) << kernel;
  }
}

TEST(State, MadeBeforeTheFirstCallIsAWeight) {
  EXPECT_THAT(rejections("o = torch.empty_like(x)\nk[(1,)](self.w, o, 4, B=128)\nreturn o",
                         "self.w = nn.Parameter(torch.randn(4))"),
              IsEmpty());
}

// What belongs to somebody else

TEST(Memory, OfAnInputIsNotWritten) {
  EXPECT_THAT(rejections("k[(1,)](x, x, 4, B=128)\nreturn x"), Contains("writes-input"));
  EXPECT_THAT(rejections("x.add_(1)\n" + run_then("return o")), Contains("torch-compute"));
  EXPECT_THAT(rejections("y = x.clone()\nk[(1,)](y, y, 4, B=128)\nreturn y"), IsEmpty());
}

}  // namespace
}  // namespace tritonrl::analysis
