#include "task/suite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/json.h"
#include "tests/base/temporary_folder.h"
#include "tests/task/reference_text.h"

namespace tritonrl::task {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using tests::message_of;
using tests::reference_text;
using tests::TemporaryFolder;

std::vector<std::string> ids_of(const Suite& suite) {
  std::vector<std::string> ids;
  for (const Suite::Entry& entry : suite.entries()) ids.push_back(entry.id);
  return ids;
}

std::string suite_refusal(const fs::path& path) {
  return message_of<base::InputError>([&] { Suite::open(path); });
}

std::string task_refusal(const std::string& argument) {
  return message_of<base::InputError>([&] { load_task(argument); });
}

// One JSONL row; `more` replaces or adds fields, null removes them.
std::string row(const std::string& id, const std::string& more = "{}") {
  base::Json object = {{"id", id}, {"level", 1}, {"source", reference_text("N = 4096")}, {"origin", "test"}};
  object.merge_patch(base::parse_json(more, {}));
  return base::json_line(object) + "\n";
}

class SuiteTest : public ::testing::Test {
 protected:
  fs::path rows(const std::string& text) const { return folder_.file("s.jsonl", text); }
  std::string row_refusal(const std::string& more) const { return suite_refusal(rows(row("a") + row("b", more))); }
  const TemporaryFolder folder_;
};

TEST_F(SuiteTest, ListsLevelsInNaturalOrder) {
  for (const char* name :
       {"level1/100_HingeLoss.py", "level1/9_Tall.py", "level2/1_Conv.py", "level10/3_X.py", "level1/23_Softmax.py"}) {
    folder_.file(name, "");
  }
  folder_.file("level1/__init__.py", "");
  folder_.file("level1/README.md", "");
  folder_.file("level1/.hidden.py", "");
  folder_.file("level1/__pycache__/9_Tall.pyc", "");
  folder_.file("setup.py", "");
  const Suite suite = Suite::open(folder_.path());
  EXPECT_THAT(ids_of(suite), ElementsAre("level1/9", "level1/23", "level1/100", "level2/1", "level10/3"));
  EXPECT_EQ(suite.entries()[1].name, "Softmax");
  EXPECT_EQ(suite.entries()[4].level, 10);
}

TEST_F(SuiteTest, ListsOneLevelUnderItsOwnName) {
  folder_.file("level3/4_A.py", "");
  folder_.file("level3/odd.py", "");
  EXPECT_THAT(ids_of(Suite::open(folder_.path() / "level3" / "")), ElementsAre("level3/4", "level3/odd"));
}

TEST_F(SuiteTest, ListsAFlatFolderByFileName) {
  folder_.file("softmax.py", "");
  folder_.file("10_b.py", "");
  folder_.file("9_a.py", "");
  const Suite suite = Suite::open(folder_.path());
  EXPECT_THAT(ids_of(suite), ElementsAre("9_a", "10_b", "softmax"));
  EXPECT_EQ(suite.entries()[0].level, 0);
}

TEST_F(SuiteTest, RefusesTwoFilesOfOneId) {
  folder_.file("level1/23_A.py", "");
  folder_.file("level1/23_B.py", "");
  EXPECT_THAT(suite_refusal(folder_.path()), HasSubstr("23_B.py: task id 'level1/23' is taken by"));
}

TEST_F(SuiteTest, RefusesWhatIsNoSuite) {
  EXPECT_THAT(suite_refusal(folder_.path()), HasSubstr("holds no tasks; a suite is a folder with"));
  EXPECT_THAT(suite_refusal(folder_.path() / "nowhere"), HasSubstr("no such suite"));
  EXPECT_THAT(suite_refusal(folder_.path() / "nowhere.jsonl"), HasSubstr("no such file"));
  EXPECT_THAT(suite_refusal(folder_.file("a.py", "")),
              HasSubstr("not a suite; give a folder of tasks or a .jsonl file"));
  fs::create_directory(folder_.path() / "d.jsonl");
  EXPECT_THAT(suite_refusal(folder_.path() / "d.jsonl"), HasSubstr("holds no tasks"));
}

TEST_F(SuiteTest, RefusesFoldersPipesAndBrokenLinksAmongTaskFiles) {
  folder_.file("a/inner.py/x", "");
  EXPECT_THAT(suite_refusal(folder_.path() / "a"), HasSubstr("inner.py: is a folder where a task file was expected"));
  folder_.file("b/x", "");
  fs::create_symlink("nowhere", folder_.path() / "b" / "link.py");
  EXPECT_THAT(suite_refusal(folder_.path() / "b"), HasSubstr("link.py: is a symbolic link to nothing"));
  folder_.file("c/x", "");
  ASSERT_EQ(::mkfifo((folder_.path() / "c" / "pipe.py").c_str(), 0600), 0);
  EXPECT_THAT(suite_refusal(folder_.path() / "c"), HasSubstr("pipe.py: is not a regular file"));
}

TEST_F(SuiteTest, FollowsLinksToFiles) {
  folder_.file("real.txt", reference_text("N = 4"));
  folder_.file("suite/x", "");
  fs::create_symlink("../real.txt", folder_.path() / "suite" / "link.py");
  const Suite suite = Suite::open(folder_.path() / "suite");
  EXPECT_EQ(suite.load(suite.find("link")).dims.size(), 1U);
}

TEST_F(SuiteTest, LoadsAKernelBenchFile) {
  const fs::path path =
      folder_.file("level1/23_Softmax.py", reference_text("batch = 16\nN = 4096", "torch.rand(batch, N)"));
  const Task task = load_task(path.string());
  EXPECT_EQ(task.id, "level1/23");
  EXPECT_EQ(task.level, 1);
  EXPECT_EQ(task.origin, path.string());
  EXPECT_EQ(task.source, reference_text("batch = 16\nN = 4096", "torch.rand(batch, N)"));
  EXPECT_THAT(task.dims, ElementsAre(Dimension{"batch", 16}, Dimension{"N", 4096}));
  EXPECT_EQ(task.precision, Precision::kTf32);
  EXPECT_FALSE(task.fixed_shape());
  EXPECT_TRUE(load_task(folder_.file("flat.py", reference_text("", "torch.rand(3)")).string()).fixed_shape());
}

TEST_F(SuiteTest, FindsTasksOfASuiteByIdAndByFileName) {
  folder_.file("level1/23_Softmax.py", reference_text("N = 4"));
  folder_.file("level1/24_LogSoftmax.py", reference_text("N = 4"));
  const std::string suite = folder_.path().string();
  for (const char* id : {"level1/23", "level1/23_Softmax", "level1/23_Softmax.py"}) {
    EXPECT_EQ(load_task(suite + ":" + id).id, "level1/23") << id;
  }
  EXPECT_THAT(task_refusal(suite + ":level1/32"),
              HasSubstr("no task 'level1/32' in this suite; did you mean 'level1/23'?"));
  EXPECT_THAT(task_refusal(suite + ":softmax"), HasSubstr("its tasks are level1/23, level1/24"));
}

TEST_F(SuiteTest, LoadsARow) {
  const std::string path =
      rows(
          row("a") + "\n" +
          row("b/1:x#y",
              R"({"level": 2, "dims": {"N": 4096}, "variants": [{"N": 33}, {}], "precision": "ieee", "tolerance": 0.01})"))
          .string();
  for (const char* separator : {"#", ":"}) {
    const Task task = load_task(path + separator + "b/1:x#y");
    EXPECT_EQ(task.id, "b/1:x#y");
    EXPECT_EQ(task.level, 2);
    EXPECT_EQ(task.origin, "test");
    EXPECT_THAT(task.dims, ElementsAre(Dimension{"N", 4096}));
    EXPECT_THAT(task.variants, ElementsAre(Variant{{"N", 33}}, Variant{}));
    EXPECT_EQ(task.precision, Precision::kIeee);
    EXPECT_EQ(task.tolerance, 0.01);
    EXPECT_EQ(task.where.line, 3U);
    EXPECT_EQ(rewritten_source(task, task.variants[0]), reference_text("N = 33"));
  }
  EXPECT_TRUE(load_task(path + "#a").fixed_shape());
}

TEST_F(SuiteTest, NeedsNoMoreThanIdAndSource) {
  const Task task = load_task(rows(row("a", R"({"level": null, "origin": null})")).string() + "#a");
  EXPECT_EQ(task.level, 0);
  EXPECT_EQ(task.origin, "");
  EXPECT_EQ(task.tolerance, std::nullopt);
}

TEST_F(SuiteTest, WritesRowsThatReadBackEqual) {
  Task task;
  task.id = "x";
  task.level = 3;
  task.source = reference_text("N = 4096\nM = 3", "torch.rand(N, M)");
  task.origin = "made";
  task.dims = {{"N", 4096}, {"M", 3}};
  task.variants = {{{"N", 33}}, {{"M", 5}, {"N", 1}}};
  task.precision = Precision::kIeee;
  task.tolerance = 0.125;
  const Task read = load_task(rows(task_row(task) + "\n").string() + "#x");
  EXPECT_EQ(task_row(read), task_row(task));
  EXPECT_EQ(read.dims, task.dims);
  EXPECT_EQ(read.variants, task.variants);
  EXPECT_EQ(read.source, task.source);
}

TEST_F(SuiteTest, LoadsEveryEntryOfAFile) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += row("t" + std::to_string(i), "{\"level\": " + std::to_string(i % 5) + "}");
  const Suite suite = Suite::open(rows(text));
  ASSERT_EQ(suite.entries().size(), 300U);
  for (std::size_t i = suite.entries().size(); i-- > 0;) {
    EXPECT_EQ(suite.load(suite.entries()[i]).id, "t" + std::to_string(i));
  }
}

TEST_F(SuiteTest, NoticesThatAFileChanged) {
  const fs::path path = rows(row("a") + row("b"));
  const Suite suite = Suite::open(path);
  rows(row("b") + row("a"));
  EXPECT_THAT(message_of<base::InputError>([&] { suite.load(suite.find("b")); }),
              HasSubstr("changed while it was read"));
  rows("");
  EXPECT_THAT(message_of<base::InputError>([&] { suite.load(suite.find("b")); }),
              HasSubstr("changed while it was read"));
}

TEST_F(SuiteTest, RefusesBadRowsWithFileAndLine) {
  EXPECT_THAT(row_refusal(R"({"id": null})"), HasSubstr("s.jsonl:2: field \"id\" is missing"));
  EXPECT_THAT(row_refusal(R"({"id": 7})"), HasSubstr("s.jsonl:2: field \"id\" should be a string, found an integer"));
  EXPECT_THAT(row_refusal(R"({"id": ""})"), HasSubstr("field \"id\" must be 1 to 200 printable bytes"));
  EXPECT_THAT(row_refusal(R"({"id": "a\nb"})"), HasSubstr("field \"id\" must be 1 to 200 printable bytes"));
  EXPECT_THAT(row_refusal(R"({"id": "a"})"), HasSubstr("s.jsonl:2: task id 'a' is taken by"));
  EXPECT_THAT(row_refusal(R"({"source": null})"), HasSubstr("s.jsonl:2: field \"source\" is missing"));
  EXPECT_THAT(row_refusal(R"({"level": "1"})"), HasSubstr("field \"level\" should be an integer, found a string"));
  EXPECT_THAT(row_refusal(R"({"level": -1})"), HasSubstr("field \"level\" must lie between 0 and 1000"));
  EXPECT_THAT(row_refusal(R"({"dims": [1]})"),
              HasSubstr("field \"dims\" should be an object of integers, found an array"));
  EXPECT_THAT(row_refusal(R"({"dims": {"N": 1.5}})"),
              HasSubstr("field \"dims\" should give integers, but \"N\" is 1.5"));
  EXPECT_THAT(row_refusal(R"({"dims": {"N": 18446744073709551615}})"), HasSubstr("should give integers"));
  EXPECT_THAT(row_refusal(R"({"variants": {"N": 1}})"),
              HasSubstr("\"variants\" should be an array of objects, found an object"));
  EXPECT_THAT(row_refusal(R"({"variants": [3]})"),
              HasSubstr("field \"variants\" should be an object of integers, found an integer"));
  EXPECT_THAT(row_refusal(R"({"precision": "fp8"})"), HasSubstr("should be \"tf32\" or \"ieee\", found \"fp8\""));
  EXPECT_THAT(row_refusal(R"({"tolerance": 0})"), HasSubstr("field \"tolerance\" must be above 0"));
  EXPECT_THAT(row_refusal(R"({"tolerance": "x"})"),
              HasSubstr("field \"tolerance\" should be a number, found a string"));
  EXPECT_THAT(row_refusal(R"({"dim": {}})"), HasSubstr("s.jsonl:2: unknown field \"dim\"; did you mean \"dims\"?"));
  EXPECT_THAT(suite_refusal(rows(row("a") + "[1]\n")), HasSubstr("s.jsonl:2: expected an object, found an array"));
  EXPECT_THAT(suite_refusal(rows(row("a") + "{\"id\": \"b")), HasSubstr("s.jsonl:2:10: not JSON"));
  EXPECT_THAT(suite_refusal(rows("")), HasSubstr("s.jsonl: holds no tasks"));
  EXPECT_THAT(suite_refusal(rows(std::string("\x7f"
                                             "ELF\0\0",
                                             6))),
              HasSubstr("s.jsonl:1:1: not JSON"));
}

TEST_F(SuiteTest, JudgesTheSourceOfARowWhenItIsLoaded) {
  const std::string path = rows(row("broken", R"({"source": "class Model(:\n"})") + row("fine") +
                                row("lacking", R"({"source": "x = 1\n"})") + row("odd", R"({"dims": {"K": 5}})") +
                                row("other", R"({"dims": {"N": 4096}, "variants": [{"M": 3}]})"))
                               .string();
  EXPECT_EQ(Suite::open(path).entries().size(), 5U);
  EXPECT_EQ(load_task(path + "#fine").id, "fine");
  EXPECT_THAT(task_refusal(path + "#broken"), HasSubstr("s.jsonl:1: line 1, column "));
  EXPECT_THAT(task_refusal(path + "#lacking"), HasSubstr("s.jsonl:3: not a task: class Model is missing"));
  EXPECT_THAT(task_refusal(path + "#odd"), HasSubstr("s.jsonl:4: task 'odd': dimension K (5) is in neither"));
  EXPECT_THAT(task_refusal(path + "#other"), HasSubstr("s.jsonl:5: task 'other': a variant names M"));
}

TEST_F(SuiteTest, AsksForOneTaskOfMany) {
  folder_.file("level1/1_A.py", "");
  EXPECT_THAT(task_refusal(folder_.path().string()),
              HasSubstr(": holds 1 tasks where one was expected; choose one as "));
  EXPECT_THAT(task_refusal(rows(row("a") + row("b")).string()), HasSubstr("s.jsonl#ID, with ID one of a, b"));
}

TEST_F(SuiteTest, RefusesArgumentsThatAreNoTask) {
  EXPECT_THAT(task_refusal(""), HasSubstr("no such task; give a file, SUITE:ID or FILE.jsonl#ID"));
  EXPECT_THAT(task_refusal("nowhere.py"), HasSubstr("nowhere.py: no such task"));
  EXPECT_THAT(task_refusal("nowhere:level1/3"), HasSubstr("no such task"));
  EXPECT_THAT(task_refusal("nowhere.jsonl#3"), HasSubstr("no such task"));
  EXPECT_THAT(task_refusal(folder_.file("a.py", "x").string() + ":3"), HasSubstr("not a suite"));
  EXPECT_THAT(task_refusal(std::string(1 << 20, 'a')), HasSubstr("no such task"));
  EXPECT_THAT(task_refusal(rows(row("a")).string() + "#"), HasSubstr("no task ''"));
}

TEST_F(SuiteTest, ReadsPathsThatHoldSeparators) {
  EXPECT_EQ(load_task(folder_.file("a:b#c.py", reference_text("N = 4")).string()).id, "a:b#c");
  folder_.file("x:y/t.py", reference_text("N = 4"));
  EXPECT_EQ(load_task((folder_.path() / "x:y").string() + ":t").id, "t");
}

TEST_F(SuiteTest, BoundsHugeFiles) {
  const fs::path task = folder_.file("big.py", "");
  fs::resize_file(task, 100 << 20);
  EXPECT_THAT(task_refusal(task.string()), HasSubstr("more than the limit of 1048576 bytes"));
  const fs::path suite = rows("");
  fs::resize_file(suite, 100 << 20);
  EXPECT_THAT(suite_refusal(suite), HasSubstr("s.jsonl:1: the line is longer than"));
}

TEST_F(SuiteTest, SaysWhatIsWrongWithABrokenFile) {
  EXPECT_THAT(task_refusal(folder_.file("empty.py", "").string()), HasSubstr("empty.py: not a task"));
  EXPECT_THAT(task_refusal(folder_
                               .file("binary.py", std::string("\x7f"
                                                              "ELF\0\xff",
                                                              6))
                               .string()),
              HasSubstr("binary.py:1:"));
  EXPECT_THAT(task_refusal(folder_.file("bad.py", "def f(:\n").string()), HasSubstr("bad.py:1:"));
  EXPECT_THAT(task_refusal(folder_.file("prose.py", "This is not Python at all.\n").string()),
              HasSubstr("prose.py:1:"));
}

}  // namespace
}  // namespace tritonrl::task
