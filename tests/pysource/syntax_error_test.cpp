#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/pysource/tree_text.h"

namespace tritonrl::pysource {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(SyntaxError, StandsWhereTheSourceStopsMakingSense) {
  EXPECT_THAT(error_text("x = = 1\n"), StartsWith("syntax@"));
  EXPECT_THAT(error_text("a = 1\nb = 2 3\n"), StartsWith("syntax@"));
  const std::string text = error_text("def f(x):\n    return x +\n\ny = 1\n");
  EXPECT_THAT(text, StartsWith("syntax@"));
}

TEST(SyntaxError, QuotesWhatIsUnexpected) {
  EXPECT_THAT(error_text("a = 1\n}\n"), HasSubstr("unexpected '}'"));
  EXPECT_THAT(error_text("class Foo {\n  int x;\n};\n"), StartsWith("syntax@"));
}

TEST(SyntaxError, QuotesWholeCharactersOnly) {
  // 24 bytes are shown: the cut must not split a character.
  const std::string text = error_text("a = 1\n$" + std::string(22, 'x') + "é\n");
  EXPECT_THAT(text, StartsWith("syntax@6"));
  EXPECT_EQ(text.find("\xC3'"), std::string::npos) << text;
}

TEST(SyntaxError, IsFoundInUnfinishedSources) {
  for (const char* source : {"def f(", "x = '", "x = '''abc\n", "f'{x", "(", "[1, 2", "{'a':", "class", "x = \\",
                             "@d\n", "for x in", "lambda", "x = 1 +", "try:\n    a\n", "import", "from a import"}) {
    EXPECT_THAT(error_text(source), StartsWith("syntax@")) << source;
  }
}

TEST(SyntaxError, IsFoundInThingsThatAreNotPython) {
  for (const char* source : {"int main() { return 0; }\n", "<html><body></body></html>\n", "{\"a\": 1,}}\n",
                             "#!/bin/sh\nfor f in *.py; do cat $f; done\n", "```python\nx = 1\n```\n",
                             "Here is the kernel:\n\nx = 1\n", "<<<<<<< HEAD\nx = 1\n=======\n"}) {
    EXPECT_THAT(error_text(source), StartsWith("syntax@")) << source;
  }
}

TEST(SyntaxError, IsFoundInPython2Statements) {
  EXPECT_EQ(error_text("a = 1\nprint a\n"), "syntax@6: this is a Python 2 statement");
  EXPECT_EQ(error_text("print 'a'\n"), "syntax@0: this is a Python 2 statement");
  EXPECT_EQ(error_text("exec 'a'\n"), "syntax@0: this is a Python 2 statement");
  EXPECT_THAT(error_text("print >>f, a\n"), StartsWith("syntax@"));
  EXPECT_EQ(error_text("print(a)\nexec('a')\nprint\n"), "parsed");
}

TEST(SyntaxError, IsFoundInPython2Exceptions) {
  EXPECT_THAT(error_text("raise E, 'a'\n"), StartsWith("syntax@"));
  EXPECT_THAT(error_text("try:\n    a\nexcept E, e:\n    b\n"), StartsWith("syntax@"));
}

TEST(SyntaxError, IsFoundInPython2Expressions) {
  EXPECT_THAT(error_text("a <> b\n"), StartsWith("syntax@"));
  EXPECT_THAT(error_text("x = `a`\n"), StartsWith("syntax@"));
  EXPECT_THAT(error_text("x = 0777\n"), StartsWith("syntax@"));
  EXPECT_THAT(error_text("x = 10L\n"), StartsWith("syntax@"));
  EXPECT_THAT(error_text("x = ur'a'\n"), StartsWith("syntax@"));
}

TEST(SyntaxError, IsFoundOutsideFunctionsAndLoops) {
  EXPECT_EQ(error_text("return 1\n"), "syntax@0: return outside a function");
  EXPECT_EQ(error_text("class C:\n    return 1\n"), "syntax@13: return outside a function");
  EXPECT_EQ(error_text("yield 1\n"), "syntax@0: yield outside a function");
  EXPECT_EQ(error_text("break\n"), "syntax@0: break or continue outside a loop");
  EXPECT_EQ(error_text("for x in y:\n    def f():\n        continue\n"), "syntax@33: break or continue outside a loop");
  EXPECT_EQ(error_text("if x:\n    continue\n"), "syntax@10: break or continue outside a loop");
  EXPECT_EQ(error_text("for x in y:\n    if x: break\n    else: continue\n"), "parsed");
  EXPECT_EQ(error_text("f = lambda: (yield)\n"), "parsed");
}

TEST(SyntaxError, IsFoundInTheElseOfALoop) {
  EXPECT_EQ(error_text("for x in y:\n    pass\nelse:\n    break\n"), "syntax@31: break or continue outside a loop");
}

TEST(SyntaxError, IsFoundInCalls) {
  EXPECT_THAT(error_text("f(a=1, b)\n"), StartsWith("syntax@"));
  EXPECT_THAT(error_text("f(1=2)\n"), StartsWith("syntax@"));
}

TEST(SyntaxError, IsFoundInOrderOfArgumentsAndParameters) {
  EXPECT_THAT(error_text("f(**a, *b)\n"), StartsWith("syntax@"));
  EXPECT_THAT(error_text("def f(a=1, b): pass\n"), StartsWith("syntax@"));
  EXPECT_THAT(error_text("def f(a, a): pass\n"), StartsWith("syntax@"));
  EXPECT_THAT(error_text("lambda a, a: b\n"), StartsWith("syntax@"));
  EXPECT_THAT(error_text("def f(**k, a): pass\n"), StartsWith("syntax@"));
  EXPECT_THAT(error_text("def f(*): pass\n"), StartsWith("syntax@"));
}

TEST(SyntaxError, IsFoundInAssignments) {
  EXPECT_THAT(error_text("f() = 1\n"), StartsWith("syntax@"));
  EXPECT_THAT(error_text("1 = x\n"), StartsWith("syntax@"));
  EXPECT_THAT(error_text("a + b = c\n"), StartsWith("syntax@"));
  EXPECT_THAT(error_text("None = 1\n"), StartsWith("syntax@"));
  EXPECT_THAT(error_text("f() += 1\n"), StartsWith("syntax@"));
  EXPECT_THAT(error_text("for f() in x: pass\n"), StartsWith("syntax@"));
}

TEST(SyntaxError, IsFoundInStarsThatStandAlone) {
  EXPECT_THAT(error_text("*a = b\n"), StartsWith("syntax@"));
  EXPECT_THAT(error_text("x = *a\n"), StartsWith("syntax@"));
  EXPECT_EQ(error_text("x = *a,\n*a, b = c\n"), "parsed");
}

TEST(SyntaxError, IsFoundInDeletedCalls) { EXPECT_THAT(error_text("del f()\n"), StartsWith("syntax@")); }

TEST(SyntaxError, IsFoundInEmptyBlocks) {
  for (const char* source : {"if x:", "def f():\n", "if x:\ny\n", "def f():\nreturn 1\n", "for x in y:\n# nothing\nz\n",
                             "class C:\n\nx = 1\n", "try:\nexcept E:\n    a\n", "while x:\n\n\n", "with a:\n",
                             "def f():\n    if a:\n    b\n"}) {
    EXPECT_THAT(error_text(source), StartsWith("syntax@")) << source;
  }
}

TEST(SyntaxError, IsFoundInKeywordsUsedAsNames) {
  for (const char* source : {"else: y\n", "else:\n    y\n", "def = 1\n", "x.class\n", "f(if=1)\n", "import for\n",
                             "def f(in): pass\n", "lambda not: 1\n", "class is: pass\n", "global True\n"}) {
    EXPECT_THAT(error_text(source), StartsWith("syntax@")) << source;
  }
  EXPECT_EQ(error_text("match = case = type = _ = print = exec = 1\nx.match, x.exec, x.print\n"), "parsed");
}

TEST(SyntaxError, IsFoundInWrongIndentation) {
  EXPECT_THAT(error_text("  x = 1\n"), StartsWith("syntax@"));
  EXPECT_THAT(error_text("x = 1\n    y = 2\n"), StartsWith("syntax@"));
  EXPECT_THAT(error_text("if x\n    y\n"), StartsWith("syntax@"));
}

TEST(SyntaxError, LiesInsideTheSource) {
  for (const char* source : {"(", "def", "x = '", "\n\n\n)", "if x:", "é = $", "", "\\", "f'{"}) {
    const auto parsed = SyntaxTree::parse(source);
    if (const auto* error = std::get_if<SourceError>(&parsed)) {
      EXPECT_LE(error->offset, std::string_view(source).size()) << source;
      EXPECT_FALSE(error->message.empty());
    }
  }
}

}  // namespace
}  // namespace tritonrl::pysource
