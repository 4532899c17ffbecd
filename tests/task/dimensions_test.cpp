#include "task/dimensions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "task/reference.h"
#include "tests/base/temporary_folder.h"
#include "tests/task/reference_text.h"

namespace tritonrl::task {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using tests::message_of;
using tests::reference_text;

std::vector<Dimension> dimensions_of(const std::string& source) {
  return find_dimensions(parse_reference(source, {.file = "task.py"}));
}

Task task_of(const std::string& source, const std::vector<Dimension>& dims) {
  Task task;
  task.id = "t";
  task.source = source;
  task.dims = dims;
  task.where = {.file = "s.jsonl", .line = 3};
  return task;
}

// The module's constants after rewriting, as reference_text() laid them out.
std::string rewritten_constants(const std::string& constants, const std::string& inputs, const Variant& variant) {
  const std::string source = reference_text(constants, inputs);
  const std::string before = reference_text("@@", inputs);
  const std::string result = rewritten_source(task_of(source, dimensions_of(source)), variant);
  const std::size_t start = before.find("@@");
  const std::size_t after = before.size() - start - 2;
  EXPECT_EQ(result.substr(0, start), before.substr(0, start));
  EXPECT_EQ(result.substr(result.size() - after), before.substr(start + 2));
  return result.substr(start, result.size() - after - start);
}

std::string refusal(const Task& task, const Variant& variant) {
  return message_of<base::InputError>([&] { rewritten_source(task, variant); });
}

TEST(FindDimensions, TakesIntegerConstantsThatInputsUse) {
  EXPECT_THAT(dimensions_of(reference_text("batch = 16\nN = 4096\nunused = 3\nname = 'x'\nrate = 0.5\nflag = True",
                                           "torch.rand(batch, N)")),
              ElementsAre(Dimension{"batch", 16}, Dimension{"N", 4096}));
}

TEST(FindDimensions, FoldsConstantExpressions) {
  EXPECT_THAT(dimensions_of(reference_text(
                  "A = 1024 * 2\nB = 2**10\nC = 1 << 4\nD = -1\nE = 0x10\nF = 1_000\nG = (7)\nH: int = 9",
                  "A, B, C, D, E, F, G, H")),
              ElementsAre(Dimension{"A", 2048}, Dimension{"B", 1024}, Dimension{"C", 16}, Dimension{"D", -1},
                          Dimension{"E", 16}, Dimension{"F", 1000}, Dimension{"G", 7}, Dimension{"H", 9}));
}

TEST(FindDimensions, ReadsTuplesAndChains) {
  EXPECT_THAT(
      dimensions_of(reference_text("D, H = 16, 32\n(P, Q) = (5, 6)\nX = Y = 512\nshape = (3, 4 * 2)\nlayers = [7]",
                                   "D, H, P, Q, X, Y, shape, layers")),
      ElementsAre(Dimension{"D", 16}, Dimension{"H", 32}, Dimension{"P", 5}, Dimension{"Q", 6}, Dimension{"X", 512},
                  Dimension{"Y", 512}, Dimension{"shape[0]", 3}, Dimension{"shape[1]", 8}, Dimension{"layers[0]", 7}));
}

TEST(FindDimensions, FollowsUsesThroughConstantsAndHelpers) {
  EXPECT_THAT(dimensions_of(reference_text("N = 8\nM = 4\nshape = (N, N * 2)\ndef make():\n    return torch.rand(M)\n",
                                           "torch.rand(*shape), make()")),
              ElementsAre(Dimension{"N", 8}, Dimension{"M", 4}));
  EXPECT_THAT(dimensions_of(reference_text("K = 2\nL = 5", "torch.rand(K)", "L")),
              ElementsAre(Dimension{"K", 2}, Dimension{"L", 5}));
}

TEST(FindDimensions, LeavesOutWhatIsComputedOrBoundAgain) {
  EXPECT_THAT(dimensions_of(reference_text("A = 4\nA += 1", "A")), IsEmpty());
  EXPECT_THAT(dimensions_of(reference_text("A = 4\nif x:\n    A = 5", "A")), IsEmpty());
  EXPECT_THAT(dimensions_of(reference_text("A = 4\nfor A in x:\n    pass", "A")), IsEmpty());
  EXPECT_THAT(dimensions_of(reference_text("A = 4\nfrom sizes import A", "A")), IsEmpty());
  EXPECT_THAT(dimensions_of(reference_text("A = 4\ndef f():\n    global A\n    A = 5", "A")), IsEmpty());
  EXPECT_THAT(dimensions_of(reference_text("A = [4]\nA[0] = 5", "A")), IsEmpty());
  EXPECT_THAT(
      dimensions_of(reference_text("A = int('4')\nB = 4 / 2\nC = 2**500\nD = 9223372036854775807 + 1", "A, B, C, D")),
      IsEmpty());
  EXPECT_THAT(dimensions_of(reference_text("A = (*x, 3)", "A")), IsEmpty());
  EXPECT_THAT(dimensions_of(reference_text("A = 4\nB = A * 2", "B")), ElementsAre(Dimension{"A", 4}));
}

TEST(FindDimensions, TakesTheLastOfSeveralAssignments) {
  EXPECT_THAT(dimensions_of(reference_text("H = W = 64\nB = 2\nH, W = 8, 9", "B, H, W")),
              ElementsAre(Dimension{"B", 2}, Dimension{"H", 8}, Dimension{"W", 9}));
  EXPECT_THAT(dimensions_of(reference_text("A = 4\nA = A * 2", "A")), IsEmpty());
  EXPECT_THAT(dimensions_of(reference_text("A = 4\nA = int(x)\nB = A + 1", "A, B")), IsEmpty());
  EXPECT_THAT(dimensions_of(reference_text("A = (1, 2)\nA = (3,)", "A")), ElementsAre(Dimension{"A[0]", 3}));
}

TEST(FindDimensions, SeesThatALocalHidesAConstant) {
  const std::string source =
      "class Model:\n    def forward(self, x): return x\nN = 4\ndef get_inputs():\n    N = 8\n    return "
      "[torch.rand(N)]\n"
      "def get_init_inputs(): return []\n";
  EXPECT_THAT(dimensions_of(source), IsEmpty());
}

TEST(FindDimensions, IsFastOnAHugeAssignment) {
  std::string names;
  std::string values;
  for (int i = 0; i < 20'000; ++i) {
    names += "v" + std::to_string(i) + ", ";
    values += std::to_string(i) + ", ";
  }
  EXPECT_EQ(dimensions_of(reference_text(names + "= " + values, names)).size(), 20'000U);
}

TEST(RewrittenSource, GivesTheSourceItselfForNoChange) {
  const std::string source = reference_text("N = 4096");
  const Task task = task_of(source, {{"N", 4096}});
  EXPECT_EQ(rewritten_source(task, {}), source);
  EXPECT_EQ(rewritten_source(task, {{"N", 4096}}), source);
}

TEST(RewrittenSource, ReplacesOnlyTheConstant) {
  EXPECT_EQ(rewritten_constants("N = 4096  # 4096 rows\nM = 4096", "torch.rand(N, M)", {{"N", 33}}),
            "N = 33  # 4096 rows\nM = 4096");
  EXPECT_EQ(rewritten_constants("N: int = (1024 * 2)", "N", {{"N", 33}}), "N: int = (33)");
  EXPECT_EQ(rewritten_constants("N = 2; M = 3", "N, M", {{"M", 9}, {"N", 8}}), "N = 8; M = 9");
  EXPECT_EQ(rewritten_constants("N = 4", "N", {{"N", -1}}), "N = (-1)");
}

TEST(RewrittenSource, ReplacesItemsOfTuples) {
  EXPECT_EQ(rewritten_constants("D, H, W = 16, 32, 32", "D, H, W", {{"W", 7}}), "D, H, W = 16, 32, 7");
  EXPECT_EQ(rewritten_constants("shape = (16, 32,)", "shape", {{"shape[1]", 5}}), "shape = (16, 5,)");
}

TEST(RewrittenSource, ReplacesTheLastOfSeveralAssignments) {
  EXPECT_EQ(rewritten_constants("H = W = 64\nX = W\nW = 8", "H, W, X", {{"W", 9}}), "H = W = 64\nX = W\nW = 9");
  EXPECT_EQ(rewritten_constants("H = W = 64\nX = W\nW = 8", "H, W, X", {{"H", 5}}), "H, W = 5, 64\nX = W\nW = 8");
  EXPECT_EQ(rewritten_constants("H = W = 64\nX = W\nW = 8", "H, W, X", {{"H", 5}, {"W", 5}}),
            "H, W = 5, 64\nX = W\nW = 5");
}

TEST(RewrittenSource, SplitsAChainWhereItsNamesPart) {
  EXPECT_EQ(rewritten_constants("H = W = 512", "H, W", {{"H", 8}, {"W", 8}}), "H = W = 8");
  EXPECT_EQ(rewritten_constants("H = W = 512", "H, W", {{"W", 8}}), "H, W = 512, 8");
  EXPECT_EQ(rewritten_constants("H = W = D = 512  # cube", "H, W, D", {{"W", 8}, {"D", 9}}),
            "H, W, D = 512, 8, 9  # cube");
}

TEST(RewrittenSource, ReplacesAComputedConstantThatDimsNames) {
  const std::string source = reference_text("N = 4\nM = N * 2", "torch.rand(N, M)");
  EXPECT_EQ(rewritten_source(task_of(source, {{"N", 4}, {"M", 8}}), {{"M", 5}}),
            reference_text("N = 4\nM = 5", "torch.rand(N, M)"));
}

TEST(RewrittenSource, ReplacesLocalsOfTheInputFunctions) {
  const std::string head = "class Model:\n    def forward(self, x): return x\n";
  const std::string source = head +
                             "def get_inputs(B=2):\n    N = 64\n    return [torch.rand(B, N)]\n"
                             "def get_init_inputs():\n    N = 64\n    return [N]\n";
  const Task task = task_of(source, {{"N", 64}, {"B", 2}});
  EXPECT_EQ(rewritten_source(task, {{"N", 33}, {"B", 5}}),
            head +
                "def get_inputs(B=5):\n    N = 33\n    return [torch.rand(B, N)]\n"
                "def get_init_inputs():\n    N = 33\n    return [N]\n");
}

TEST(RewrittenSource, ReplacesLiteralsThatCanMeanNothingElse) {
  const Task task = task_of(reference_text("", "torch.rand(16, 4096), torch.rand(4096, 128).sum(dim=4096)", "4096"),
                            {{"N", 4096}, {"M", 128}});
  EXPECT_EQ(rewritten_source(task, {{"N", 33}}),
            reference_text("", "torch.rand(16, 33), torch.rand(33, 128).sum(dim=4096)", "33"));
}

TEST(RewrittenSource, RefusesAmbiguousLiterals) {
  const Task twins = task_of(reference_text("", "torch.rand(64, 64)"), {{"N", 64}, {"M", 64}});
  EXPECT_EQ(refusal(twins, {{"N", 33}}),
            "s.jsonl:3: task 't': dimensions N and M are both 64, and only literals in its source; write N = 64 at "
            "module level "
            "and use it");
  const Task small = task_of(reference_text("", "torch.rand(2, 64).transpose(0, 2)"), {{"B", 2}});
  EXPECT_THAT(refusal(small, {{"B", 3}}), HasSubstr("dimension B is one of 2 literals 2 in its source"));
}

TEST(RewrittenSource, RefusesDimensionsThatAreNotThere) {
  const Task task = task_of(reference_text("N = 4"), {{"N", 4}, {"K", 77}});
  EXPECT_THAT(refusal(task, {{"K", 33}}),
              HasSubstr("dimension K (77) is in neither the module's constants nor get_inputs"));
}

TEST(RewrittenSource, RefusesWhatItCannotChange) {
  EXPECT_THAT(refusal(task_of(reference_text("N = int('4')"), {{"N", 4}}), {{"N", 5}}),
              HasSubstr("dimension N is not given by an integer constant; write N = 4 at module level"));
  EXPECT_THAT(refusal(task_of(reference_text("N = 4\nif x:\n    N = 5"), {{"N", 5}}), {{"N", 6}}),
              HasSubstr("dimension N is not a constant"));
  EXPECT_THAT(refusal(task_of(reference_text("N = 4"), {{"N", 8}}), {{"N", 6}}),
              HasSubstr("dims gives N as 8, its source as 4; make them agree"));
  EXPECT_THAT(refusal(task_of(reference_text("N = (1, 2)"), {{"N[5]", 8}}), {{"N[5]", 6}}),
              HasSubstr("dimension N[5] is not given by an integer constant"));
}

TEST(RewrittenSource, RefusesAVariantThatNamesNoDimension) {
  const Task task = task_of(reference_text("batch = 4", "batch"), {{"batch", 4}});
  EXPECT_EQ(refusal(task, {{"bacth", 5}}),
            "s.jsonl:3: task 't': a variant names bacth, which is no dimension of it; did you mean batch?");
  EXPECT_THAT(refusal(task, {{"K", 5}}), HasSubstr("its dimensions are batch"));
  EXPECT_THAT(refusal(task_of(reference_text("N = 4"), {}), {{"K", 5}}), HasSubstr("the task has a fixed shape"));
}

TEST(RewrittenSource, ReadsBackTheVariantsValues) {
  const std::string source = reference_text("A = 3\nB, C = 4, 5\nD = E = 6\nF = (7, 8)", "A, B, C, D, E, F");
  const Task task = task_of(source, dimensions_of(source));
  Variant variant;
  for (const Dimension& dimension : task.dims) {
    variant.push_back({.name = dimension.name, .value = dimension.value * 100 + 1});
    EXPECT_EQ(dimensions_of(rewritten_source(task, {variant.back()})).size(), task.dims.size());
  }
  EXPECT_EQ(dimensions_of(rewritten_source(task, variant)), variant);
}

}  // namespace
}  // namespace tritonrl::task
