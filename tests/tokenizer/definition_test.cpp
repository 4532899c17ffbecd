#include "tokenizer/definition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/base/temporary_folder.h"
#include "tests/tokenizer/small_tokenizer.h"

namespace tritonrl::tokenizer {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using tests::add_merges;
using tests::add_token;
using tests::message_of;
using tests::small_definition;

std::string refusal_of_text(const std::string& text) {
  return message_of<base::InputError>([&] { Tokenizer::parse(text, "tokenizer.json"); });
}

std::string refusal_of(const Definition& definition) { return refusal_of_text(definition_text(definition)); }

// A good file in which `from` stands once and is replaced by `to`.
std::string refusal_with(const std::string& from, const std::string& to) {
  auto definition = small_definition();
  add_merges(definition, {{"a", "b"}});
  add_token(definition, {.content = "<end>"});
  std::string text = definition_text(definition);
  const std::size_t at = text.find(from);
  if (at == std::string::npos) return "(there is no " + from + ")";
  return refusal_of_text(text.replace(at, from.size(), to));
}

TEST(Definition, WrittenAndReadAgainIsTheSame) {
  auto definition = small_definition();
  add_merges(definition, {{"a", "b"}, {"\xE6", "\x97"}, {" ", "\n"}});
  add_token(definition, {.content = "<think>", .normalized = true, .special = false});
  const std::string text = definition_text(definition);
  EXPECT_EQ(definition_text(read_definition(text, "tokenizer.json")), text);
}

TEST(Definition, TakesMergesAsTextsToo) {
  auto definition = small_definition();
  add_merges(definition, {{"a", "b"}});
  std::string text = definition_text(definition);
  const std::string pair = R"(["a", "b"])";
  const auto tokenizer = Tokenizer::parse(text.replace(text.find(pair), pair.size(), R"("#version: 0.2", "a b")"), "t");
  EXPECT_EQ(tokenizer.encode("ab"), std::vector<TokenId>{256});
}

TEST(Definition, EveryTruncatedFileIsRefusedWithItsPlace) {
  auto definition = small_definition();
  add_merges(definition, {{"a", "b"}});
  const std::string text = definition_text(definition);
  for (std::size_t size = 0; size + 2 < text.size(); size += 7) {
    EXPECT_THAT(refusal_of_text(text.substr(0, size)), AllOf(StartsWith("tokenizer.json:"), HasSubstr("not JSON")));
  }
}

TEST(Definition, RefusesTokenizersOfAnotherKind) {
  EXPECT_THAT(refusal_with(R"("type": "BPE")", R"("type": "Unigram")"), HasSubstr("model is 'Unigram', not BPE"));
  EXPECT_THAT(refusal_with(R"("normalizer": {"type":"NFC"})", R"("normalizer": {"type":"NFKC"})"),
              AllOf(StartsWith("tokenizer.json:"), HasSubstr("normalizer is not NFC")));
  EXPECT_THAT(refusal_with(R"("type":"Split")", R"("type":"Whitespace")"), HasSubstr("not a Sequence of Split"));
  EXPECT_THAT(refusal_with(R"("behavior":"Isolated")", R"("behavior":"Removed")"), HasSubstr("not Isolated"));
  EXPECT_THAT(refusal_with(R"("use_regex":false)", R"("use_regex":true)"), HasSubstr("use_regex"));
  EXPECT_THAT(refusal_with(R"("byte_fallback": false)", R"("byte_fallback": true)"), HasSubstr("byte_fallback"));
  EXPECT_THAT(refusal_with(R"("dropout": null)", R"("dropout": 0.1)"), HasSubstr("model has a dropout"));
  EXPECT_THAT(refusal_with(R"("truncation": null)", R"("truncation": {"max_length": 3})"), HasSubstr("truncation"));
  EXPECT_THAT(refusal_with(R"("version": "1.0")", R"("version": "9")"), HasSubstr("version"));
  EXPECT_THAT(refusal_of_text("[]"), HasSubstr("expected an object"));
  EXPECT_THAT(refusal_of_text("{}"), HasSubstr("pre_tokenizer"));
  EXPECT_THAT(refusal_of_text(""), HasSubstr("not JSON"));
}

TEST(Definition, RefusesIdsThatOverlapOrAreNone) {
  EXPECT_THAT(refusal_with(R"("ab": 256)", R"("ab": 7)"), HasSubstr("the id 7 names two tokens"));
  EXPECT_THAT(refusal_with(R"("ab": 256)", R"("ab": -1)"), HasSubstr("-1 is no token id"));
  EXPECT_THAT(refusal_with(R"("ab": 256)", R"("ab": 18446744073709551615)"), HasSubstr("is no token id"));
  EXPECT_THAT(refusal_with(R"("ab": 256)", R"("ab": 1.5)"), HasSubstr("'ab' has no integer id"));
  EXPECT_THAT(refusal_with(R"("ab": 256)", R"("ab": {})"), HasSubstr("'ab' has no integer id"));
  EXPECT_THAT(refusal_with(R"("ab": 256)", R"("ab": 256, "ab": 258)"), HasSubstr("'ab' stands here twice"));
}

TEST(Definition, RefusesAddedTokensThatWouldLoadUnderAnotherId) {
  EXPECT_THAT(refusal_with(R"("id":257)", R"("id":258)"), HasSubstr("'<end>' has the id 258, but loads as 257"));
  EXPECT_THAT(refusal_with(R"("id":257)", R"("id":3)"), HasSubstr("'<end>' has the id 3, but loads as 257"));
  EXPECT_THAT(refusal_with(R"("content":"<end>")", R"("content":"ab")"),
              HasSubstr("'ab' has the id 257, but loads as 256"));
  EXPECT_THAT(refusal_with(R"("content":"<end>")", R"("content":"")"), HasSubstr("without content"));
  EXPECT_THAT(refusal_with(R"("id":257)", R"("id":"x")"), HasSubstr("without an integer id"));
  EXPECT_THAT(refusal_with(R"("lstrip":false)", R"("lstrip":1)"), HasSubstr("without a boolean lstrip"));
}

TEST(Definition, AHoleInTheVocabularyNamesNothing) {
  auto definition = small_definition();
  definition.vocabulary.push_back({"ab", 300, 0});
  definition.merges.push_back({"a", "b", 0});
  const auto tokenizer = tests::make(definition);
  EXPECT_EQ(tokenizer.encode("ab"), std::vector<TokenId>{300});
  EXPECT_EQ(tokenizer.decode(std::vector<TokenId>{256, 299, 300}), "ab");
}

TEST(Definition, RefusesMergesOfUnknownTokensAtTheirLine) {
  EXPECT_THAT(refusal_with(R"(["a", "b"])", R"(["a", "xy"])"),
              AllOf(HasSubstr("tokenizer.json:"), HasSubstr("needs 'xy', which is no token")));
  EXPECT_THAT(refusal_with(R"(["a", "b"])", R"(["b", "a"])"), HasSubstr("needs 'ba', which is no token"));
  EXPECT_THAT(refusal_with(R"(["a", "b"])", R"("ab")"), HasSubstr("'ab' is no merge"));
  EXPECT_THAT(refusal_with(R"(["a", "b"])", R"(["a"])"), HasSubstr("fewer than two"));
  EXPECT_THAT(refusal_with(R"(["a", "b"])", R"(["a", "b", "c"])"), HasSubstr("more than two"));
  EXPECT_THAT(refusal_with(R"(["a", "b"])", R"(7)"), HasSubstr("neither a text nor a pair"));
  EXPECT_THAT(refusal_with(R"(["a", "b"])", R"(["a", ["b"]])"), HasSubstr("no text"));
}

TEST(Definition, RefusesAVocabularyThatLacksAByte) {
  auto definition = small_definition();
  definition.vocabulary.erase(definition.vocabulary.begin() + 64);
  EXPECT_THAT(refusal_of(definition), HasSubstr("the byte 0x61 has no token"));
}

TEST(Definition, RefusesWhatIsNoJsonText) {
  EXPECT_THAT(refusal_with(R"("ab": 256)", "\"\xFF\": 256"), HasSubstr("not JSON"));
  EXPECT_THAT(refusal_with(R"("ab": 256)", R"("\ud800": 256)"), HasSubstr("not JSON"));
  EXPECT_THAT(refusal_of_text(std::string(100000, '[')), HasSubstr("nested deeper"));
  std::string many = "{";
  for (int i = 0; i < 2000; ++i) many += "\"" + std::to_string(i) + "\":0,";
  EXPECT_THAT(refusal_of_text(many + "\"x\":0}"), HasSubstr("more than 1000 keys"));
}

TEST(Definition, RefusesAFileThatIsTooLarge) {
  const tests::TemporaryFolder folder;
  const auto file = folder.file("tokenizer.json", "");
  std::filesystem::resize_file(file, std::uintmax_t{1} << 32);
  EXPECT_THAT(message_of<base::InputError>([&] { Tokenizer::load(file); }), HasSubstr("tokenizer.json"));
}

}  // namespace
}  // namespace tritonrl::tokenizer
