#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <ctime>
#include <functional>
#include <limits>

#include "tests/analysis/candidate.h"
#include "tests/analysis/invariants.h"

// Small or flat sources that ask for a lot: values that double, chains without end, lookups that fan out. Each must end
// in a verdict, in bounded memory; which verdict is not the point.
namespace tritonrl::analysis {
namespace {

using tests::candidate;

std::string repeat(std::string_view piece, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += piece;
  return text;
}

// A line for each number, `#` standing for the number and `@` for the one before.
std::string numbered(std::string_view line, int from, int to) {
  std::string text;
  for (int i = from; i < to; ++i) {
    for (const char c : line) {
      if (c == '#') {
        text += std::to_string(i);
      } else if (c == '@') {
        text += std::to_string(i - 1);
      } else {
        text += c;
      }
    }
  }
  return text;
}

class Growth : public testing::Test {
 protected:
  Growth() {
    // Sanitizers reserve terabytes of addresses, and take their time.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    alarm(500);
#else
    constexpr rlim_t kMemory = rlim_t{2} << 30;
    const rlimit limit{kMemory, kMemory};
    setrlimit(RLIMIT_AS, &limit);
    alarm(120);
#endif
  }
  ~Growth() override { alarm(0); }

  static void expect_verdict(const std::string& source) {
    for (const char* entry : {"ModelNew", ""}) {
      CheckOptions options;
      if (*entry == '\0') options.entry.reset();
      StaticReport report;
      ASSERT_NO_THROW(report = check_source(source, options)) << source.substr(0, 2000);
      EXPECT_EQ(tests::broken_invariant(report, source, options), "");
    }
  }

  // Top-level statements before an honest class, statements at the start of its forward, a kernel's body.
  static void expect_verdict_at_top(const std::string& top) { expect_verdict(candidate(kHonest, "pass", top)); }
  static void expect_verdict_in_forward(const std::string& body) { expect_verdict(candidate(body + kHonest)); }
  static void expect_verdict_in_kernel(const std::string& body) {
    std::string text = "@triton.jit\ndef kk(x, o, n):\n";
    for (const std::string_view line : base::split(body, '\n')) text += "    " + std::string(line) + "\n";
    expect_verdict(candidate("kk[(1,)](x, x, 1)\n" + std::string(kHonest), "pass", text));
  }

  // Four times the names may take four times as long, and not sixteen times.
  static void expect_linear(const std::function<std::string(int names)>& top) {
    constexpr int kNames = 5000;
    const auto least_cost = [&](int names) {
      const std::string source = candidate(kHonest, "pass", top(names));
      std::clock_t least = std::numeric_limits<std::clock_t>::max();
      for (int i = 0; i < 3; ++i) {
        const std::clock_t start = std::clock();
        check_source(source, CheckOptions{});
        least = std::min(least, std::clock() - start);
      }
      return static_cast<double>(least);
    };
    // A busy machine may slow one side of a comparison, but not every time; what is not linear is so every time.
    double growth = 0;
    for (int tries = 0; tries < 5; ++tries) {
      const double cost = least_cost(kNames);
      growth = least_cost(4 * kNames) / cost;
      if (growth <= 9) break;
    }
    EXPECT_LE(growth, 9) << top(2);
  }

  static constexpr const char* kHonest = "o = torch.empty_like(x)\nk[(1,)](x, o, x.numel(), B=128)\nreturn o";
};

// Values that double

TEST_F(Growth, OfListsThatDouble) {
  expect_verdict_in_forward("t = [x]\n" + repeat("t = t + t\n", 60));
  expect_verdict_in_forward("t = [x]\n" + repeat("t += t\n", 60));
  expect_verdict_in_forward("t = [x]\n" + repeat("t = [*t, *t]\n", 60));
  expect_verdict_in_forward("t = [x]\n" + repeat("t.extend(t)\n", 60));
  expect_verdict_in_forward("t = [x]\n" + repeat("t = t * 1000\n", 60));
  expect_verdict_in_forward("t = (x,)\n" + repeat("t = tuple(list(t) + list(t))\n", 60));
}

TEST_F(Growth, OfArgumentsThatDouble) {
  expect_verdict_in_forward("t = (x,)\n" + repeat("t = (lambda *a: a)(*t, *t)\n", 60));
  expect_verdict_in_forward("t = (x,)\n" + repeat("t = functools.partial(lambda *a: a, *t)(*t)\n", 60));
}

TEST_F(Growth, OfDictionariesThatDouble) {
  expect_verdict_at_top("d = {" + numbered("'a#': #, ", 0, 20'000) + "}\n" + repeat("d = {**d, **d}\n", 200));
  expect_verdict_at_top("d = dict(a=1)\n" + repeat("d = {**d, 'x': d}\n", 200) + "e = d['x']['x']['x']\n");
  expect_verdict_at_top("d = {1: 2}\n" + repeat("d = {**d, **{k: d for k in d}}\n", 40));
}

TEST_F(Growth, OfStringsThatDouble) {
  expect_verdict_at_top("s = 'ab'\n" + repeat("s = s + s\n", 60));
  expect_verdict_at_top("s = 'ab'\n" + repeat("s += s\n", 60));
  expect_verdict_at_top("s = 'ab'\n" + repeat("s = f'{s}{s}'\n", 60));
  expect_verdict_at_top("s = 'ab'\n" + repeat("s = s.join([s, s, s])\n", 60));
  expect_verdict_at_top("s = 'ab'\n" + repeat("s = s.replace('a', s)\n", 60));
  expect_verdict_at_top("s = '{}{}'\n" + repeat("s = s.format(s, s)\n", 60));
  expect_verdict_at_top("s = '%s%s'\n" + repeat("s = s % (s, s)\n", 60));
  expect_verdict_at_top("s = 'ab'\n" + repeat("s = ''.join(map(str, [s, s]))\n", 60));
  expect_verdict_at_top(
      "s = 'ab' * 10**10\ns = s * 1000000\ns = 'a'.ljust(10**10)\ns = '%99999999999d' % 3\ns = f'{3:>99999999999}'\n");
}

TEST_F(Growth, OfLongStringsCutAgainAndAgain) {
  const std::string text = "s = '" + std::string(400'000, 'a') + "'\n";
  expect_verdict_at_top(text + repeat("t = s + s\n", 5000));
  expect_verdict_at_top(text + "t = s.replace('a', 'bb')\n");
  expect_verdict_at_top(text + repeat("t = s[1:]\n", 5000));
  expect_verdict_at_top(text + repeat("t = s[::-1]\n", 5000));
  expect_verdict_at_top(text + repeat("t = s.upper()\n", 5000));
  expect_verdict_at_top(text + "t = s.split('a')\nt = list(s)\nt = 'x'.join(s)\nt = [c for c in s]\n");
  expect_verdict_at_top("s = '" + repeat("{}", 150'000) + "'\nt = s.format(" + repeat("'a',", 150'000) + ")\n");
  expect_verdict_at_top("s = 'a'\n" + repeat("s = s + 'a'\n", 60'000));
}

TEST_F(Growth, OfTuplesInAKernelThatDouble) {
  expect_verdict_in_kernel("t = (x, x)\n" + repeat("t = (t, t)\n", 60));
  expect_verdict_in_kernel("t = (x, x)\n" + repeat("t = t + t\n", 60));
  expect_verdict_in_kernel("t = (" + repeat("x,", 2000) + ")\n" + repeat("t = t\n", 10'000));
  expect_verdict_in_kernel("t = (" + repeat("x,", 5000) + ")\n" + repeat("u = (t, t, t)\n", 5000));
}

TEST_F(Growth, OfNumbersThatOverflow) {
  expect_verdict_in_forward(
      "m = -9223372036854775807 - 1\nm = -m\nm = abs(m)\nm = m // -1\nm = m * -1\nm = 1 << 63\nm = 2 ** 63\nm = 10 ** "
      "400\ns = 'abc'[m:m:m]\n");
  expect_verdict_in_forward(
      "m = -9223372036854775807 - 1\ns = 'abc'[::m]\ns = 'abc'[m]\ns = [x][m]\ns = 'abc'[m::9223372036854775807]\nfor "
      "i in range(m, -m, m): pass\n");
  expect_verdict_in_kernel(
      "m = -9223372036854775807 - 1\nm = -m\nr = tl.arange(-9223372036854775807, 9223372036854775807)\nt = (x, "
      "x)[m]\ntl.store(o, m)\n");
}

// Chains without end

TEST_F(Growth, OfPathsThatGrow) {
  expect_verdict_at_top("p = torch\n" + repeat("p = p.a\n", 50'000));
  expect_verdict_at_top("p = torch\n" + repeat("p = getattr(p, 'a')\n", 20'000));
  expect_verdict_in_kernel("p = tl\n" + repeat("p = p.a\n", 40'000));
}

TEST_F(Growth, OfContainersThatNest) {
  expect_verdict_in_forward("t = [x]\n" + repeat("t = [t]\n", 40'000) + "if x.is_cuda: return t\n");
  expect_verdict_in_forward("t = {'a': x}\n" + repeat("t = {'a': t}\n", 30'000) + "if x.is_cuda: return t\n");
  expect_verdict_in_forward("t = x\n" + repeat("t = (t, 1)\n", 30'000) + "for y in t: pass\na, b = t\nprint(t, *t)\n");
  expect_verdict_at_top("class C:\n    def __init__(self, v): self.v = v\nc = 1\n" + repeat("c = C(c)\n", 30'000));
}

TEST_F(Growth, OfModulesThatNest) {
  expect_verdict_in_forward("s = nn.Identity()\n" + repeat("s = nn.Sequential(s)\n", 25'000) + "s(x)\n");
  expect_verdict_in_forward("s = nn.Sequential()\ns.append(s)\ns(x)\n");
  expect_verdict_in_forward("s = nn.Sequential(nn.ReLU())\ns.extend([s])\ns.add_module('a', s)\ns(x)\n");
  expect_verdict_in_forward("s = nn.ModuleList()\ns.append(s)\nfor l in s: l(x)\n");
}

TEST_F(Growth, OfPartialsThatNest) {
  expect_verdict_in_forward("s = torch.relu\n" + repeat("s = functools.partial(s)\n", 20'000) + "s(x)\n");
  expect_verdict_in_forward("s = torch.relu\n" + repeat("s = functools.partial(s, 1)\n", 20'000) + "s(x)\n");
}

TEST_F(Growth, OfThingsThatHoldThemselves) {
  expect_verdict_at_top(
      "d = {}\nd['a'] = d\nl = []\nl.append(l)\nl.extend(l)\nfor q in l: l.append(q)\nprint(d, l, *l, **d)\nz = "
      "d['a']['a']\nz, = l\n");
  expect_verdict_in_forward(
      "self.a = self\nself.b = self.a.b.a\nself.forward = self\nself(x)\nif x.is_cuda: return self\n");
  expect_verdict_at_top(
      "class C: pass\nc = C()\nc.__class__ = c\nc()\nC.__getattr__ = lambda s, n: getattr(s, n)\nc.y\nC.__call__ = "
      "c\nc()\nC.__get__ = C\nc.z\n");
  expect_verdict_at_top(
      "class A: pass\nclass A(A): pass\nclass A(A): pass\nA().f\nA.__init__ = A\nA()\nA.__new__ = A\nA()\n");
  expect_verdict_at_top(
      "def f(): return f\nf.f = f\nf()()()\nf.f.f.f()\ng = functools.partial(f)\ng = functools.partial(g, g)\ng(g)\n");
}

TEST_F(Growth, OfViewsOfViews) {
  expect_verdict_in_forward(repeat("x = x.contiguous()\n", 20'000) + repeat("x = x.view(-1)\n", 20'000));
}

TEST_F(Growth, OfDecoratorsOverDecorators) {
  expect_verdict_at_top("def d(f):\n    def w(*a, **b): return f(*a, **b)\n    return w\n" + repeat("@d\n", 20'000) +
                        "def f(x): return x\nf(1)\n");
}

// Lookups that fan out

TEST_F(Growth, OfClassesThatInheritInAChain) {
  expect_verdict_at_top("class A0: pass\n" + numbered("class A#(A@): pass\n", 1, 20'000) +
                        "A19999().missing\nA19999()\n");
  expect_verdict_at_top("class A0:\n    def f(self): return 1\n" +
                        numbered("class A#(A@):\n    def f(self): return super().f()\n", 1, 5000) + "A4999().f()\n");
}

TEST_F(Growth, OfClassesThatInheritInDiamonds) {
  expect_verdict_at_top("class A0: pass\nclass B0: pass\n" +
                        numbered("class A#(A@, B@): pass\nclass B#(A@, B@): pass\n", 1, 60) +
                        "A59().missing\nA59()(1)\n");
  expect_verdict_at_top("class A0(nn.Module): pass\nclass B0(nn.Module): pass\n" +
                        numbered("class A#(A@, B@): pass\nclass B#(A@, B@): pass\n", 1, 60) +
                        "A59().missing\nA59()(1)\nclass ModelOld(A59): pass\n");
}

TEST_F(Growth, OfCallsThatFanOut) {
  expect_verdict_at_top("def f0(x): return x\n" + numbered("def f#(x): return f@(f@(x)) + f@(x)\n", 1, 100) +
                        "f99(1)\n");
  expect_verdict_at_top("def f(x):\n" + repeat("    f(f(f(f(x))))\n", 100) + "f(1)\n");
  expect_verdict_at_top("f0 = lambda x: x\n" + numbered("f# = lambda x: f@(lambda y: f@(x)(y))\n", 1, 60) +
                        "f59(1)(2)\n");
  expect_verdict_in_kernel(repeat("if n > 0:\n    x = x + 1\nelse:\n    x = x + 2\n", 2000));
}

TEST_F(Growth, OfLoopsInLoops) {
  std::string loops;
  for (int i = 0; i < 50; ++i)
    loops += std::string(static_cast<std::size_t>(i) * 2, ' ') + "for a" + std::to_string(i) +
             " in (1, 2, 3, 4, 5, 6, 7, 8):\n";
  expect_verdict_in_forward(loops + std::string(100, ' ') + "pass\n");
  expect_verdict_in_kernel(loops + std::string(100, ' ') + "n += 1\n");
  expect_verdict_at_top("r = [1, 2, 3, 4, 5, 6, 7, 8]\nt = [1 " + numbered("for a# in r ", 0, 60) + "]\n");
  expect_verdict_in_forward(
      "for i in range(10**12): pass\nt = list(range(10**10))\nt = [0] * 10**10\nt = torch.Size(range(10**9))\n");
}

// Very many of one thing

TEST_F(Growth, OfFindings) {
  expect_verdict_at_top(repeat("import gc\n", 60'000));
  expect_verdict_at_top("import gc\n" + repeat("gc.collect();", 40'000) + "\n");
  expect_verdict_at_top(repeat("exec('a')\n", 40'000));
  expect_verdict_in_forward(repeat("x = torch.relu(x)\n", 25'000));
}

TEST_F(Growth, OfKernelsAndLaunches) {
  expect_verdict_at_top(numbered("@triton.jit\ndef k#(p):\n    tl.store(p, 0)\n", 0, 10'000));
  expect_verdict_in_forward("o = torch.empty_like(x)\n" + numbered("k[(1,)](x, o, #, B=128)\n", 0, 20'000));
}

TEST_F(Growth, OfLaunchesOfALongKernel) {
  std::string kernel = "@triton.jit\ndef kk(x, o, n):\n" + repeat("    n = n + n\n", 10'000) + "    tl.store(o, n)\n";
  expect_verdict(
      candidate("o = torch.empty_like(x)\n" + numbered("kk[(1,)](x, o, #)\n", 0, 10'000) + "return o", "pass", kernel));
}

TEST_F(Growth, OfNames) {
  expect_verdict_at_top(numbered("a# = #\n", 0, 60'000));
  expect_verdict_at_top("def f():\n    global " + numbered("a#, ", 0, 30'000) + "z\n" +
                        numbered("    a# = #\n", 0, 30'000));
  expect_verdict_at_top("d = {}\n" + numbered("d['k#'] = #\n", 0, 40'000));
  expect_verdict_at_top("class C: pass\nc = C()\n" + numbered("c.a# = c\n", 0, 40'000));
  expect_verdict_at_top("l = []\n" + numbered("l.append(#)\n", 0, 40'000));
}

TEST_F(Growth, OfParametersIsLinear) {
  const auto parameters = [](int names) { return "def f(" + numbered("a#=0, ", 0, names); };
  const auto call = [](int names) { return "f(" + numbered("a#=1, ", 0, names) + ")\n"; };
  expect_linear([&](int names) { return parameters(names) + "): pass\n" + call(names); });
  expect_linear([&](int names) { return parameters(names) + "**k): pass\n" + call(names); });
  expect_linear([&](int names) { return "def f(**k): return k['a1']\n" + call(names); });
  expect_linear([&](int names) {
    return "@triton.jit\n" + parameters(names) + "):\n    tl.store(a0, a1)\ndef g(x): k[(1,)](" +
           numbered("a#=x, ", 0, names) + ")\ng(torch.empty(1))\n";
  });
}

TEST_F(Growth, OfKeysIsLinear) {
  expect_linear([](int names) { return "d = {}\n" + numbered("d['k#'] = #\n", 0, names); });
  expect_linear([](int names) {
    return "d = {" + numbered("'k#': #, ", 0, names) + "}\n" + numbered("e = d['k#']\n", 0, names);
  });
  expect_linear([](int names) {
    return "d = dict(" + numbered("k#=#, ", 0, names) + ")\n" + numbered("e = 'k#' in d, d.get('k#')\n", 0, names);
  });
}

TEST_F(Growth, OfNamesIsLinear) {
  expect_linear([](int names) { return numbered("a# = #\n", 0, names) + numbered("b = a#\n", 0, names); });
  expect_linear([](int names) {
    return "def f():\n    global " + numbered("a#, ", 0, names) + "z\n" + numbered("    a# = #\n", 0, names) + "f()\n";
  });
  expect_linear([](int names) { return "class C:\n" + numbered("    a# = #\n", 0, names) + "C.a1\n"; });
  expect_linear([](int names) {
    return "@triton.jit\ndef g(p):\n" + numbered("    a# = #\n", 0, names) + numbered("    b = a#\n", 0, names) +
           "    tl.store(p, b)\n";
  });
}

TEST_F(Growth, OfParameters) {
  expect_verdict_at_top("def f(" + numbered("a#=0, ", 0, 20'000) + "): pass\nf(" + numbered("a#=1, ", 0, 20'000) +
                        ")\n");
  expect_verdict(candidate("kk[(1,)](" + numbered("a#=x, ", 0, 20'000) + ")\n" + std::string(kHonest), "pass",
                           "@triton.jit\ndef kk(" + numbered("a#, ", 0, 20'000) + "):\n    tl.store(a0, 1)\n"));
}

}  // namespace
}  // namespace tritonrl::analysis
