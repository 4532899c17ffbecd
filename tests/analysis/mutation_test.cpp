#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "analysis/response.h"
#include "base/random.h"
#include "base/text.h"
#include "task/suite.h"
#include "tests/analysis/candidate.h"
#include "tests/analysis/case_file.h"
#include "tests/analysis/invariants.h"

// Mutated case files through the whole static path: never a crash, a hang or an exception, and always a sound report.
namespace tritonrl::analysis {
namespace {

constexpr int kShards = 10;

int mutants_of_a_shard() { return std::getenv("SOAK") == nullptr ? 100 : 1000; }

// MUTATION_SEED=N tries other mutants.
std::uint64_t seed() {
  const char* given = std::getenv("MUTATION_SEED");
  return given == nullptr ? 1 : std::strtoull(given, nullptr, 10);
}

const std::vector<CaseFile>& cases() {
  static const auto all = all_cases();
  return all;
}

const ReferenceProfile* reference_of(const CaseFile& file) {
  static std::map<std::string, ReferenceProfile> profiles;
  if (file.task.empty()) return nullptr;
  const auto [found, fresh] = profiles.try_emplace(file.task);
  if (fresh) found->second = profile_reference(task::load_task_file(cases_folder() / file.task).source);
  return &found->second;
}

// A text being mutated: each step is drawn from `random`, so a mutant is a function of its number.
class Mutant {
 public:
  explicit Mutant(std::uint64_t number) : random_(seed(), number) {
    file_ = &cases()[random_.below(cases().size())];
    text_ = file_->text;
    // Every other mutant mostly stays Python, to reach past the parser.
    const bool gently = number % 2 == 0;
    const std::int64_t steps = random_.between(1, gently ? 12 : 5);
    for (std::int64_t i = 0; i < steps && !text_.empty(); ++i) mutate(gently);
  }

  const std::string& text() const { return text_; }
  const CaseFile& file() const { return *file_; }

 private:
  using Step = void (Mutant::*)();

  void mutate(bool gently) {
    static constexpr std::array<Step, 13> kRough = {
        &Mutant::flip_bit,    &Mutant::change_byte,   &Mutant::insert_fragment, &Mutant::insert_fragment,
        &Mutant::delete_line, &Mutant::repeat_line,   &Mutant::swap_lines,      &Mutant::indent_line,
        &Mutant::splice_line, &Mutant::splice_tokens, &Mutant::cut_end,         &Mutant::cut_middle,
        &Mutant::repeat_token};
    static constexpr std::array<Step, 8> kGentle = {&Mutant::change_word,   &Mutant::change_word, &Mutant::change_word,
                                                    &Mutant::change_number, &Mutant::delete_line, &Mutant::repeat_line,
                                                    &Mutant::splice_block,  &Mutant::move_line};
    const Step step = gently ? kGentle[random_.below(kGentle.size())] : kRough[random_.below(kRough.size())];
    (this->*step)();
  }

  std::size_t place() { return random_.below(text_.size() + 1); }
  char& byte() { return text_[random_.below(text_.size())]; }

  void flip_bit() {
    char& c = byte();
    c = static_cast<char>(static_cast<unsigned char>(c) ^ (1U << random_.below(8)));
  }
  void change_byte() { byte() = static_cast<char>(random_.below(256)); }

  void insert_fragment() {
    using namespace std::string_view_literals;
    static constexpr std::array kFragments = {"("sv,
                                              ")"sv,
                                              "["sv,
                                              "]"sv,
                                              "{"sv,
                                              "}"sv,
                                              "'"sv,
                                              "\""sv,
                                              "'''"sv,
                                              "\"\"\""sv,
                                              "\\"sv,
                                              "\\\n"sv,
                                              "#"sv,
                                              "\n"sv,
                                              "\r"sv,
                                              "\r\n"sv,
                                              "\t"sv,
                                              "\f"sv,
                                              " "sv,
                                              "    "sv,
                                              "\0"sv,
                                              "\xFF"sv,
                                              "\xC3"sv,
                                              "\xE2\x82"sv,
                                              "\xEF\xBB\xBF"sv,
                                              "\xF0\x9F\x99\x82"sv,
                                              "\xE2\x80\xAE"sv,
                                              "é"sv,
                                              ":"sv,
                                              ";"sv,
                                              ","sv,
                                              "."sv,
                                              "="sv,
                                              ":="sv,
                                              "@"sv,
                                              "*"sv,
                                              "**"sv,
                                              "->"sv,
                                              "lambda: "sv,
                                              "lambda x=x: "sv,
                                              "yield "sv,
                                              "await "sv,
                                              "not "sv,
                                              "-"sv,
                                              "if x:\n"sv,
                                              "else:\n"sv,
                                              "def f(x):\n    return f(x)\n"sv,
                                              "class A(A): pass\n"sv,
                                              "import os\n"sv,
                                              "from os import *\n"sv,
                                              "x = [x, x]\n"sv,
                                              "x = x + x\n"sv,
                                              "self = self.self\n"sv,
                                              "global x\n"sv,
                                              "nonlocal x\n"sv,
                                              "del x\n"sv,
                                              "f'{"sv,
                                              "}'"sv,
                                              "rb'"sv,
                                              "0x"sv,
                                              "9223372036854775808"sv,
                                              "-9223372036854775808"sv,
                                              "1e400"sv,
                                              "```\n"sv,
                                              "```python\n"sv,
                                              "~~~\n"sv,
                                              "<think>"sv,
                                              "</think>"sv,
                                              "# entry: none\n"sv,
                                              "@triton.jit\n"sv,
                                              "[(1,)]"sv,
                                              "**{}"sv,
                                              "*[]"sv,
                                              "getattr(x, 'y')"sv,
                                              "super()"sv,
                                              "type(x)"sv,
                                              "functools.partial(x)"sv,
                                              "match x:\n    case y: pass\n"sv,
                                              "with x as x: pass\n"sv,
                                              "try:\n    x\nexcept E as e:\n    x\n"sv,
                                              "for x in x: x\n"sv,
                                              "while x: x\n"sv};
    text_.insert(place(), kFragments[random_.below(kFragments.size())]);
  }

  // The bytes of a line, its end included.
  std::pair<std::size_t, std::size_t> line() {
    const std::size_t at = random_.below(text_.size());
    const std::size_t before = at == 0 ? std::string::npos : text_.rfind('\n', at - 1);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    const std::size_t newline = text_.find('\n', at);
    return {begin, newline == std::string::npos ? text_.size() : newline + 1};
  }

  void delete_line() {
    const auto [begin, end] = line();
    text_.erase(begin, end - begin);
  }
  void repeat_line() {
    const auto [begin, end] = line();
    const std::string copy = text_.substr(begin, end - begin);
    const std::int64_t times = random_.below(8) == 0 ? random_.between(10, 300) : 1;
    for (std::int64_t i = 0; i < times; ++i) text_.insert(begin, copy);
  }
  void swap_lines() {
    const auto [begin, end] = line();
    const std::string moved = text_.substr(begin, end - begin);
    text_.erase(begin, end - begin);
    if (text_.empty()) {
      text_ = moved;
    } else {
      text_.insert(line().first, moved);
    }
  }
  void indent_line() {
    const auto [begin, end] = line();
    const std::size_t blanks = std::min(text_.find_first_not_of(' ', begin), end) - begin;
    const std::int64_t width = static_cast<std::int64_t>(blanks) + random_.between(-8, 8);
    text_.replace(begin, blanks,
                  random_.below(8) == 0 ? std::string(static_cast<std::size_t>(random_.between(0, 3)), '\t')
                                        : std::string(static_cast<std::size_t>(std::max<std::int64_t>(0, width)), ' '));
  }
  void splice_line() {
    const std::string& other = cases()[random_.below(cases().size())].text;
    const auto lines = base::split(other, '\n');
    text_.insert(text_.empty() ? 0 : line().first, std::string(lines[random_.below(lines.size())]) + "\n");
  }
  void splice_tokens() {
    const std::string& other = cases()[random_.below(cases().size())].text;
    if (other.empty()) return;
    text_.insert(place(), other.substr(random_.below(other.size()), random_.below(80)));
  }
  void cut_end() { text_.resize(place()); }
  void cut_middle() { text_.erase(place(), random_.below(200)); }
  void repeat_token() {
    const std::size_t at = random_.below(text_.size());
    const std::string token = text_.substr(at, random_.below(12) + 1);
    std::string many;
    for (std::uint64_t i = random_.below(500); i > 0; --i) many += token;
    text_.insert(at, many);
  }

  // A name or number of the text, from a random place on; empty at the end.
  std::pair<std::size_t, std::size_t> word(std::string_view letters) {
    const std::size_t begin = std::min(text_.find_first_of(letters, random_.below(text_.size())), text_.size());
    return {begin, std::min(text_.find_first_not_of(letters, begin), text_.size())};
  }
  static constexpr std::string_view kDigits = "0123456789";
  static constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

  // For a word of this or another case.
  void change_word() {
    const auto [begin, end] = word(kLetters);
    const std::string& other = random_.below(2) == 0 ? file_->text : cases()[random_.below(cases().size())].text;
    const std::size_t from = std::min(other.find_first_of(kLetters, random_.below(other.size())), other.size());
    const std::size_t to = std::min(other.find_first_not_of(kLetters, from), other.size());
    text_.replace(begin, end - begin, other.substr(from, to - from));
  }
  void change_number() {
    static constexpr std::array<std::string_view, 10> kNumbers = {
        "0", "1", "2", "-1", "96", "1024", "9223372036854775807", "9223372036854775808", "1e308", "0x10"};
    const auto [begin, end] = word(kDigits);
    text_.replace(begin, end - begin, kNumbers[random_.below(kNumbers.size())]);
  }

  static std::size_t indent_of(std::string_view line) { return std::min(line.find_first_not_of(' '), line.size()); }

  // A line to a place with the same indentation.
  void move_line() {
    const auto [begin, end] = line();
    const std::string moved = text_.substr(begin, end - begin);
    for (int tries = 0; tries < 20; ++tries) {
      const std::size_t at = line().first;
      if (indent_of(std::string_view(text_).substr(at)) != indent_of(moved)) continue;
      text_.insert(at, moved);
      return;
    }
  }

  // Some lines of another case, at the indentation of the line before which they go.
  void splice_block() {
    const auto lines = base::split(cases()[random_.below(cases().size())].text, '\n');
    const std::size_t first = random_.below(lines.size());
    const std::size_t last = std::min(lines.size(), first + random_.below(6) + 1);
    const std::size_t at = line().first;
    const std::size_t wanted = indent_of(std::string_view(text_).substr(at));
    const std::size_t margin = indent_of(lines[first]);
    std::string block;
    for (std::size_t i = first; i < last; ++i) {
      const std::size_t indent = indent_of(lines[i]);
      if (indent < margin && indent < lines[i].size()) break;
      block +=
          std::string(wanted + (indent - std::min(indent, margin)), ' ') + std::string(lines[i].substr(indent)) + "\n";
    }
    text_.insert(at, block);
  }

  base::Random random_;
  const CaseFile* file_ = nullptr;
  std::string text_;
};

TEST(Mutant, IsAFunctionOfItsNumber) {
  EXPECT_EQ(Mutant(3).text(), Mutant(3).text());
  EXPECT_NE(Mutant(3).text(), Mutant(4).text());
}

TEST(Mutant, IsPythonOftenEnough) {
  int parsed = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    parsed += check_source(Mutant(i).text(), {.entry = std::nullopt}).layers.front().findings.empty() ? 1 : 0;
  }
  EXPECT_GE(parsed, 20);
}

class Mutation : public testing::TestWithParam<int> {
 protected:
  // The mutant lies here after a crash or a failure, and only then.
  Mutation()
      : witness_(std::filesystem::temp_directory_path() / ("tritonrl-mutant-" + std::to_string(GetParam()) + ".txt")) {}
  ~Mutation() override {
    alarm(0);
    if (!HasFailure()) std::filesystem::remove(witness_);
  }

  void begin(const Mutant& mutant) {
    std::ofstream(witness_, std::ios::binary) << mutant.text();
    alarm(90);
  }

 private:
  std::filesystem::path witness_;
};

TEST_P(Mutation, LeavesEveryReportSound) {
  for (int i = 0; i < mutants_of_a_shard(); ++i) {
    const auto number = static_cast<std::uint64_t>(i) * kShards + static_cast<std::uint64_t>(GetParam());
    const Mutant mutant(number);
    const std::string& text = mutant.text();
    begin(mutant);
    CheckOptions options;
    options.entry = mutant.file().entry == "none" ? "ModelNew" : mutant.file().entry;
    options.policy = policy_named(mutant.file().policy).value();
    options.reference = reference_of(mutant.file());
    const auto judge = [&](const char* how, const auto& check, std::string_view judged) {
      StaticReport report;
      ASSERT_NO_THROW(report = check(judged, options))
          << "mutant " << number << " of " << mutant.file().name() << ", " << how;
      EXPECT_EQ(tests::broken_invariant(report, judged, options), "")
          << "mutant " << number << " of " << mutant.file().name() << ", " << how;
      if (number % 8 == 0) {
        EXPECT_EQ(tests::describe(report), tests::describe(check(judged, options)))
            << "mutant " << number << " gets two answers, " << how;
      }
    };
    EXPECT_EQ(tests::broken_invariant(split_response(text, options.entry), text), "") << "mutant " << number;
    judge("as source", check_source, text);
    judge("as a response", check_response, text);
    judge("as a response's block", check_response, "<think>plan</think>\n```python\n" + text + "\n```\n");
    options.entry.reset();
    options.reference = nullptr;
    judge("as a library", check_source, text);
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Shard, Mutation, testing::Range(0, kShards));

}  // namespace
}  // namespace tritonrl::analysis
