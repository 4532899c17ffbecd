#include "base/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/base/temporary_folder.h"

namespace tritonrl::base {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using tests::message_of;
using tests::TemporaryFolder;

std::string refusal(std::string_view text, const Place& where = {.file = "a.json"}) {
  return message_of<InputError>([&] { parse_json(text, where); });
}

TEST(ParseJson, KeepsTheOrderOfFields) {
  EXPECT_EQ(json_line(parse_json(R"({"z": 1, "a": [true, null]})", {})), R"({"z":1,"a":[true,null]})");
}

TEST(ParseJson, SaysWhereASyntaxErrorIs) {
  EXPECT_THAT(refusal("{\n  \"a\": 1,\n  \"b\": x\n}"), StartsWith("a.json:3:8: not JSON"));
  EXPECT_THAT(refusal("{\"é\": x}"), StartsWith("a.json:1:7: not JSON"));
  EXPECT_THAT(refusal("{\"a\": 1"), StartsWith("a.json:1:8: not JSON"));
  EXPECT_THAT(refusal("[1] 2"), StartsWith("a.json:1:5: not JSON"));
  EXPECT_THAT(refusal("[1,\n2,]", {.file = "b.jsonl", .line = 40}), StartsWith("b.jsonl:41:3: not JSON"));
}

TEST(ParseJson, RefusesEmptyAndBinaryText) {
  EXPECT_EQ(refusal(""), "a.json: empty where JSON was expected");
  EXPECT_EQ(refusal(" \n"), "a.json: empty where JSON was expected");
  EXPECT_THAT(refusal(std::string("\0\x01\x02", 3)), StartsWith("a.json:1:1: not JSON"));
  EXPECT_THAT(refusal("\"\xff\""), StartsWith("a.json:1:2: not JSON"));
}

TEST(ParseJson, KeepsErrorsShort) {
  const std::string message = refusal("\"" + std::string(1'000'000, 'x') + "\x01\"");
  EXPECT_LT(message.size(), 400U);
  EXPECT_THAT(message, HasSubstr("not JSON"));
}

TEST(ParseJson, RefusesNestingWithoutEnd) {
  EXPECT_THAT(refusal(std::string(10'000, '[')), StartsWith("a.json:1:201: JSON nested deeper than 200 levels"));
  EXPECT_EQ(parse_json(std::string(200, '[') + std::string(200, ']'), {}).size(), 1U);
  EXPECT_EQ(parse_json("\"" + std::string(500, '[') + "\\\"" + std::string(500, '{') + "\"", {}).type(),
            Json::value_t::string);
}

TEST(ParseJson, RefusesNumbersOutOfRange) { EXPECT_THAT(refusal("[1e999]"), HasSubstr("not JSON")); }

TEST(JsonLine, WritesOneLineEvenOfInvalidText) {
  EXPECT_EQ(json_line(Json{{"text", "a\nb"}}), R"({"text":"a\nb"})");
  EXPECT_EQ(json_line(Json("\xff")), "\"\xEF\xBF\xBD\"");
}

class JsonFieldsTest : public ::testing::Test {
 protected:
  const Json object_ = parse_json(
      R"({"id": "x", "level": 3, "tolerance": 0.5, "fast": true, "nothing": null, "huge": 18446744073709551615})", {});
  JsonFields fields_{object_, {.file = "f.jsonl", .line = 2}};
  std::string refusal(const std::function<void()>& action) { return message_of<InputError>(action); }
};

TEST_F(JsonFieldsTest, ReadsByType) {
  EXPECT_EQ(fields_.text("id"), "x");
  EXPECT_EQ(fields_.integer("level"), 3);
  EXPECT_EQ(fields_.optional_number("tolerance"), 0.5);
  EXPECT_EQ(fields_.optional_number("level"), 3.0);
  EXPECT_EQ(fields_.optional_boolean("fast"), true);
  EXPECT_EQ(fields_.optional_text("nothing"), std::nullopt);
  EXPECT_EQ(fields_.optional_integer("absent"), std::nullopt);
  EXPECT_EQ(fields_.optional_value("fast")->get<bool>(), true);
  EXPECT_EQ(fields_.optional_value("absent"), nullptr);
}

TEST_F(JsonFieldsTest, SaysWhatWasExpectedAndFound) {
  EXPECT_EQ(refusal([&] { fields_.text("level"); }), "f.jsonl:2: field \"level\" should be a string, found an integer");
  EXPECT_EQ(refusal([&] { fields_.integer("tolerance"); }),
            "f.jsonl:2: field \"tolerance\" should be an integer, found a number with a fraction");
  EXPECT_EQ(refusal([&] { fields_.optional_number("id"); }),
            "f.jsonl:2: field \"id\" should be a number, found a string");
  EXPECT_EQ(refusal([&] { fields_.optional_boolean("id"); }),
            "f.jsonl:2: field \"id\" should be a boolean, found a string");
  EXPECT_EQ(refusal([&] { fields_.integer("huge"); }), "f.jsonl:2: field \"huge\" is too large an integer");
}

TEST_F(JsonFieldsTest, SaysWhatIsMissing) {
  EXPECT_EQ(refusal([&] { fields_.text("source"); }), "f.jsonl:2: field \"source\" is missing; add it (a string)");
  EXPECT_EQ(refusal([&] { fields_.integer("nothing"); }),
            "f.jsonl:2: field \"nothing\" is missing; add it (an integer)");
}

TEST_F(JsonFieldsTest, RefusesUnknownFieldAndNamesTheNearest) {
  const Json object = parse_json(R"({"souce": "x"})", {});
  JsonFields fields(object, {.file = "f.jsonl", .line = 9});
  fields.optional_text("source");
  EXPECT_EQ(refusal([&] { fields.finish(); }), "f.jsonl:9: unknown field \"souce\"; did you mean \"source\"?");
}

TEST_F(JsonFieldsTest, RefusesWhatIsNoObject) {
  const Json array = parse_json("[1]", {});
  EXPECT_EQ(refusal([&] { JsonFields(array, {.file = "f"}); }), "f: expected an object, found an array");
}

TEST(JsonLines, ReadsRowsWithTheirLines) {
  const TemporaryFolder folder;
  JsonLines lines(folder.file("a.jsonl", "\xEF\xBB\xBF{\"a\": 1}\r\n\n  \n[2]\n3"));
  auto row = lines.next();
  ASSERT_TRUE(row);
  EXPECT_EQ(row->value.at("a"), 1);
  EXPECT_EQ(row->where.line, 1U);
  row = lines.next();
  ASSERT_TRUE(row);
  EXPECT_EQ(row->where.line, 4U);
  row = lines.next();
  ASSERT_TRUE(row);
  EXPECT_EQ(row->value, 3);
  EXPECT_EQ(row->where.line, 5U);
  EXPECT_FALSE(lines.next());
  EXPECT_FALSE(lines.next());
}

TEST(JsonLines, ReadsNothingFromAnEmptyFile) {
  const TemporaryFolder folder;
  EXPECT_FALSE(JsonLines(folder.file("a.jsonl", "")).next());
  EXPECT_FALSE(JsonLines(folder.file("b.jsonl", "\n\n")).next());
}

TEST(JsonLines, SaysWhichLineIsTruncated) {
  const TemporaryFolder folder;
  JsonLines lines(folder.file("a.jsonl", "{\"a\": 1}\n{\"a\": \"tex"));
  lines.next();
  EXPECT_THAT(message_of<InputError>([&] { lines.next(); }), HasSubstr("a.jsonl:2:11: not JSON"));
}

TEST(JsonLines, BoundsTheLengthOfALine) {
  const TemporaryFolder folder;
  const std::string row = "\"" + std::string(2000, 'x') + "\"\n";
  JsonLines enough(folder.file("a.jsonl", row + row), 2002);
  EXPECT_TRUE(enough.next());
  EXPECT_TRUE(enough.next());
  EXPECT_FALSE(enough.next());
  JsonLines tight(folder.path() / "a.jsonl", 2001);
  EXPECT_THAT(message_of<InputError>([&] { tight.next(); }),
              HasSubstr("a.jsonl:1: the line is longer than 2001 bytes"));
}

TEST(JsonLines, RefusesAnEndlessLineWithoutReadingItAll) {
  JsonLines lines("/dev/zero", 1 << 20);
  EXPECT_THAT(message_of<InputError>([&] { lines.next(); }), HasSubstr("longer than 1048576 bytes"));
}

TEST(JsonLines, ReadsManyRowsAcrossItsBuffer) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 5000; ++i)
    text += "{\"i\": " + std::to_string(i) + ", \"pad\": \"" + std::string(static_cast<std::size_t>(i % 300), 'p') +
            "\"}\n";
  JsonLines lines(folder.file("a.jsonl", text));
  for (int i = 0; i < 5000; ++i) {
    const auto row = lines.next();
    ASSERT_TRUE(row);
    ASSERT_EQ(row->value.at("i"), i);
  }
  EXPECT_FALSE(lines.next());
}

TEST(JsonLines, GoesBackToARow) {
  const TemporaryFolder folder;
  const auto path = folder.file("a.jsonl", "\xEF\xBB\xBF[1]\n\n[2]\n" + std::string(300'000, ' ') + "[3]\n");
  JsonLines lines(path);
  std::vector<JsonLines::Row> rows;
  while (auto row = lines.next()) rows.push_back(*row);
  ASSERT_EQ(rows.size(), 3U);
  for (const std::size_t i : {2U, 0U, 1U}) {
    lines.seek(rows[i].where, rows[i].offset_bytes);
    const auto row = lines.next();
    ASSERT_TRUE(row);
    EXPECT_EQ(row->value, rows[i].value);
    EXPECT_EQ(row->where.line, rows[i].where.line);
  }
}

TEST(JsonLines, RefusesWhatCannotBeRead) {
  EXPECT_THAT(message_of<InputError>([] { JsonLines("nowhere.jsonl"); }), HasSubstr("no such file"));
  EXPECT_THAT(message_of<InputError>([] { JsonLines("/tmp"); }), HasSubstr("is a folder"));
}

}  // namespace
}  // namespace tritonrl::base
