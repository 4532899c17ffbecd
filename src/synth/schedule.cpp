#include "synth/schedule.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "base/error.h"

namespace tritonrl::synth {
namespace {

using enum Choice;

constexpr std::array<std::string_view, static_cast<std::size_t>(kEnd)> kNames = {
    "fusion",      "flat_block",      "flat_warps",       "flat_persistent", "row_width",    "row_count",
    "row_warps",   "row_parts",       "column_width",     "column_depth",    "column_warps", "column_parts",
    "tile_m",      "tile_n",          "tile_k",           "tile_warps",      "tile_stages",  "tile_parts",
    "pixel_block", "pixel_warps",     "total_form",       "total_block",     "total_warps",  "query_block",
    "key_block",   "attention_warps", "attention_stages", "move_rows",       "move_columns", "move_warps"};

// A sentence that decides: each # is the next of `holes`, each @ too, but in words; the sentence as such means `fixed`.
struct Phrase {
  std::string_view text;
  std::vector<Choice> holes;
  std::vector<std::pair<Choice, int>> fixed;
  // For plans of a few words. A number in words stands nowhere else: a small model finds it by what it is, where a
  // digit has to be found by what stands before it.
  bool brief = false;
};

const std::vector<Phrase>& phrases() {
  static const std::vector<Phrase> kPhrases = {
      {"Fused.", {}, {{kFusion, 1}}, true},
      {"Not fused.", {}, {{kFusion, 0}}, true},
      {"I fuse all pointwise work into the kernel that produces or consumes it.", {}, {{kFusion, 1}}},
      {"Decision: fused, no intermediate tensor goes to memory for pointwise work.", {}, {{kFusion, 1}}},
      {"So pointwise operators stay in registers, fused with their neighbour.", {}, {{kFusion, 1}}},
      {"I give each operator a kernel of its own.", {}, {{kFusion, 0}}},
      {"Decision: not fused, one kernel for each operator.", {}, {{kFusion, 0}}},
      {"To keep it simple the operators stay separate kernels.", {}, {{kFusion, 0}}},

      {"Blocks, BLOCK=#, @ warps.", {kFlatBlock, kFlatWarps}, {{kFlatPersistent, 0}}, true},
      {"Persistent blocks, BLOCK=#, @ warps.", {kFlatBlock, kFlatWarps}, {{kFlatPersistent, 1}}, true},
      {"Pointwise kernels: one program for each block of # elements, # warps.",
       {kFlatBlock, kFlatWarps},
       {{kFlatPersistent, 0}}},
      {"The flat kernels take # elements in each program and run # warps.",
       {kFlatBlock, kFlatWarps},
       {{kFlatPersistent, 0}}},
      {"I launch flat blocks of # elements with # warps each.", {kFlatBlock, kFlatWarps}, {{kFlatPersistent, 0}}},
      {"Pointwise kernels are persistent: a fixed grid strides over blocks of # elements, # warps.",
       {kFlatBlock, kFlatWarps},
       {{kFlatPersistent, 1}}},
      {"A fixed number of programs loops over the data in blocks of # elements with # warps.",
       {kFlatBlock, kFlatWarps},
       {{kFlatPersistent, 1}}},

      {"Whole rows, ROWS=#, @ warps.", {kRowCount, kRowWarps}, {{kRowWidth, 0}}, true},
      {"Rows in steps, WIDTH=#, ROWS=#, @ warps.", {kRowWidth, kRowCount, kRowWarps}, {}, true},
      {"Rows in parts, PARTS=#, WIDTH=#, @ warps.", {kRowParts, kRowWidth, kRowWarps}, {{kRowCount, 1}}, true},
      {"Row kernels: the whole row sits in registers, # rows a program, # warps.",
       {kRowCount, kRowWarps},
       {{kRowWidth, 0}}},
      {"Each program holds # complete rows at once and uses # warps.", {kRowCount, kRowWarps}, {{kRowWidth, 0}}},
      {"One pass: a program loads # full rows, with # warps.", {kRowCount, kRowWarps}, {{kRowWidth, 0}}},
      {"Row kernels: loop over the row in pieces of # columns, # rows a program, # warps.",
       {kRowWidth, kRowCount, kRowWarps},
       {}},
      {"A program walks along its rows # columns at a time; it owns # rows and has # warps.",
       {kRowWidth, kRowCount, kRowWarps},
       {}},
      {"Several passes in steps of # columns, # rows for each program, # warps.",
       {kRowWidth, kRowCount, kRowWarps},
       {}},

      {"Row kernels: each row is cut into # parts, each walked # columns at a time by a program of # warps, and a "
       "second launch joins them.",
       {kRowParts, kRowWidth, kRowWarps},
       {{kRowCount, 1}}},
      {"Split the rows: # programs a row go in steps of # columns with # warps, then a small kernel joins their parts.",
       {kRowParts, kRowWidth, kRowWarps},
       {{kRowCount, 1}}},

      {"Bands of # columns, # rows a step, @ warps.", {kColumnWidth, kColumnDepth, kColumnWarps}, {}, true},
      {"Rows in # slabs, # columns, # rows a step, @ warps.",
       {kColumnParts, kColumnWidth, kColumnDepth, kColumnWarps},
       {},
       true},
      {"Column kernels: # neighbouring columns a program, # rows a step, # warps.",
       {kColumnWidth, kColumnDepth, kColumnWarps},
       {}},
      {"A program owns # adjacent columns and walks down # rows at a time with # warps.",
       {kColumnWidth, kColumnDepth, kColumnWarps},
       {}},
      {"I read # columns side by side, # rows in each step, # warps.", {kColumnWidth, kColumnDepth, kColumnWarps}, {}},

      {"Column kernels: the rows go in # slabs, # neighbouring columns a program, # rows a step, # warps, and a second "
       "launch joins the slabs.",
       {kColumnParts, kColumnWidth, kColumnDepth, kColumnWarps},
       {}},
      {"Split the columns into # slabs; a program owns # of them side by side, # rows a step with # warps, and a small "
       "kernel joins the slabs.",
       {kColumnParts, kColumnWidth, kColumnDepth, kColumnWarps},
       {}},

      {"Tiles # x # x #, @ warps, # stages.", {kTileM, kTileN, kTileK, kTileWarps, kTileStages}, {}, true},
      {"Parts of k: #, tiles # x # x #, @ warps, # stages.",
       {kTileParts, kTileM, kTileN, kTileK, kTileWarps, kTileStages},
       {},
       true},
      {"Product tiles are # x # with steps of # along k, # warps and # stages.",
       {kTileM, kTileN, kTileK, kTileWarps, kTileStages},
       {}},
      {"For the products I take a # by # output tile, k in steps of #, # warps, # stages.",
       {kTileM, kTileN, kTileK, kTileWarps, kTileStages},
       {}},
      {"Tile the product # x # x # (m, n, k) with # warps and # pipeline stages.",
       {kTileM, kTileN, kTileK, kTileWarps, kTileStages},
       {}},

      {"Split k into # parts: product tiles are # x # with steps of # along k, # warps and # stages, and a second "
       "launch "
       "joins the parts.",
       {kTileParts, kTileM, kTileN, kTileK, kTileWarps, kTileStages},
       {}},
      {"k goes in # parts to fill the device; each has a # by # output tile, k in steps of #, # warps, # stages, and a "
       "small kernel joins them.",
       {kTileParts, kTileM, kTileN, kTileK, kTileWarps, kTileStages},
       {}},

      {"Groups of # outputs, @ warps.", {kPixelBlock, kPixelWarps}, {}, true},
      {"Window kernels: # outputs a program, # warps.", {kPixelBlock, kPixelWarps}, {}},
      {"Each lane computes one output position; # of them a program, # warps.", {kPixelBlock, kPixelWarps}, {}},
      {"I flatten the output positions into groups of # with # warps.", {kPixelBlock, kPixelWarps}, {}},

      {"Partial sums of #, @ warps.", {kTotalBlock, kTotalWarps}, {{kTotalForm, 0}}, true},
      {"Atomics, # elements each, @ warps.", {kTotalBlock, kTotalWarps}, {{kTotalForm, 1}}, true},
      {"One program in steps of #, @ warps.", {kTotalBlock, kTotalWarps}, {{kTotalForm, 2}}, true},
      {"The total goes in two launches: partial sums over # elements each, then their sum; # warps.",
       {kTotalBlock, kTotalWarps},
       {{kTotalForm, 0}}},
      {"Two-stage total: every program leaves a partial sum of # elements, # warps, and a last one adds them.",
       {kTotalBlock, kTotalWarps},
       {{kTotalForm, 0}}},
      {"The total is accumulated with atomics, # elements a program, # warps.",
       {kTotalBlock, kTotalWarps},
       {{kTotalForm, 1}}},
      {"Every program adds its # elements to one cell by an atomic, # warps.",
       {kTotalBlock, kTotalWarps},
       {{kTotalForm, 1}}},
      {"A single program adds everything up, # elements a step, # warps.",
       {kTotalBlock, kTotalWarps},
       {{kTotalForm, 2}}},
      {"One program walks over all the data in steps of # elements with # warps.",
       {kTotalBlock, kTotalWarps},
       {{kTotalForm, 2}}},

      {"Online softmax, # queries, # keys, @ warps, # stages.",
       {kQueryBlock, kKeyBlock, kAttentionWarps, kAttentionStages},
       {},
       true},
      {"Attention in one kernel with an online softmax: # queries a program, keys in steps of #, # warps, # stages.",
       {kQueryBlock, kKeyBlock, kAttentionWarps, kAttentionStages},
       {}},
      {"Flash style: blocks of # queries against # keys at a time, # warps, # stages.",
       {kQueryBlock, kKeyBlock, kAttentionWarps, kAttentionStages},
       {}},

      {"Tiles of # by #, @ warps.", {kMoveRows, kMoveColumns, kMoveWarps}, {}, true},
      {"Tiles of # x # change place, # warps.", {kMoveRows, kMoveColumns, kMoveWarps}, {}},
      {"A program moves a tile of # rows by # columns with # warps.", {kMoveRows, kMoveColumns, kMoveWarps}, {}},
      {"I move # by # elements in each program, # warps.", {kMoveRows, kMoveColumns, kMoveWarps}, {}},
  };
  return kPhrases;
}

bool mentions(const Phrase& phrase, Choice choice) {
  return std::ranges::find(phrase.holes, choice) != phrase.holes.end();
}

// What says in how many parts the work beside a choice goes, where it goes in parts.
Choice parts_beside(Choice choice) {
  switch (choice) {
    case kRowWarps:
      return kRowParts;
    case kColumnWarps:
      return kColumnParts;
    case kTileWarps:
      return kTileParts;
    default:
      return kEnd;
  }
}

bool fits(const Phrase& phrase, const Schedule& schedule) {
  for (const Choice choice : phrase.holes) {
    const Choice parts = parts_beside(choice);
    if (parts != kEnd && schedule.decides(parts) != mentions(phrase, parts)) return false;
  }
  const bool fixed =
      std::ranges::all_of(phrase.fixed, [&](const auto& pair) { return schedule[pair.first] == pair.second; });
  return fixed && std::ranges::all_of(phrase.holes,
                                      [&](Choice choice) { return schedule.decides(choice) && schedule[choice] > 0; });
}

// Those that a launch may have.
constexpr std::array<std::pair<int, std::string_view>, 6> kWarpWords = {
    {{1, "one"}, {2, "two"}, {4, "four"}, {8, "eight"}, {16, "sixteen"}, {32, "thirty-two"}}};

std::string_view word_of(int number) {
  const auto* const found = std::ranges::find(kWarpWords, number, &std::pair<int, std::string_view>::first);
  base::check(found != kWarpWords.end(), "a number without a word");
  return found->second;
}

// The number at the start of a text, in digits or in words, and the text behind it.
struct ReadNumber {
  int value = 0;
  std::string_view rest;
};

std::optional<ReadNumber> read_digits(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  return ReadNumber{.value = value, .rest = text.substr(static_cast<std::size_t>(end - text.data()))};
}

std::optional<ReadNumber> read_word(std::string_view text) {
  for (const auto& [value, word] : kWarpWords) {
    if (text.starts_with(word)) return ReadNumber{.value = value, .rest = text.substr(word.size())};
  }
  return std::nullopt;
}

std::string written(const Phrase& phrase, const Schedule& schedule) {
  std::string text;
  std::size_t hole = 0;
  for (const char c : phrase.text) {
    if (c == '#') {
      text += std::to_string(schedule[phrase.holes[hole++]]);
    } else if (c == '@') {
      text += word_of(schedule[phrase.holes[hole++]]);
    } else {
      text.push_back(c);
    }
  }
  return text;
}

// Where a phrase stands, and the numbers in its holes.
struct Statement {
  const Phrase* phrase = nullptr;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::vector<int> numbers = {};
};

// The first of the phrase.
std::optional<Statement> find_statement(const Phrase& phrase, std::string_view plan) {
  const std::string_view head = phrase.text.substr(0, phrase.text.find_first_of("#@"));
  for (std::size_t from = plan.find(head); from != std::string_view::npos; from = plan.find(head, from + 1)) {
    std::vector<int> numbers;
    std::string_view rest = plan.substr(from);
    bool good = true;
    for (std::size_t i = 0; i < phrase.text.size() && good; ++i) {
      const char c = phrase.text[i];
      if (c != '#' && c != '@') {
        good = rest.starts_with(c);
        if (good) rest.remove_prefix(1);
        continue;
      }
      const auto number = c == '#' ? read_digits(rest) : read_word(rest);
      good = number.has_value();
      if (!good) break;
      rest = number->rest;
      numbers.push_back(number->value);
    }
    if (good) {
      return Statement{
          .phrase = &phrase, .begin = from, .end = plan.size() - rest.size(), .numbers = std::move(numbers)};
    }
  }
  return std::nullopt;
}

// The keyword arguments of launches that carry a choice, with the names that code styles give them.
struct Keyword {
  Choice choice;
  std::vector<std::string_view> names;
};

const std::vector<Keyword>& keywords() {
  static const std::vector<Keyword> kKeywords = {
      {kFlatBlock, {"BLOCK", "BLOCK_SIZE", "XBLOCK"}},
      {kRowCount, {"ROWS", "BLOCK_ROWS", "ROWS_PER_PROGRAM"}},
      {kRowWidth, {"WIDTH", "BLOCK_COLS", "COLS_PER_STEP"}},
      {kRowParts, {"PARTS", "NUM_PARTS", "ROW_PARTS"}},
      {kColumnWidth, {"SPAN", "BLOCK_SPAN", "COLUMNS"}},
      {kColumnDepth, {"DEPTH", "BLOCK_DEPTH", "ROWS_PER_STEP"}},
      {kColumnParts, {"SLABS", "NUM_SLABS", "COLUMN_PARTS"}},
      {kTileM, {"BM", "BLOCK_M", "TILE_M"}},
      {kTileN, {"BN", "BLOCK_N", "TILE_N"}},
      {kTileK, {"BK", "BLOCK_K", "TILE_K"}},
      {kTileParts, {"SPLIT_K", "K_PARTS", "NUM_SPLITS"}},
      {kPixelBlock, {"PIXELS", "BLOCK_PIXELS", "OUTPUTS"}},
      {kTotalBlock, {"CHUNK", "BLOCK_CHUNK", "CHUNK_SIZE"}},
      {kQueryBlock, {"BQ", "BLOCK_Q", "TILE_Q"}},
      {kKeyBlock, {"BKV", "BLOCK_KV", "TILE_KV"}},
      {kMoveRows, {"TR", "TILE_ROWS", "BLOCK_R"}},
      {kMoveColumns, {"TC", "TILE_COLS", "BLOCK_C"}},
  };
  return kKeywords;
}

// What a choice of sizes says about whose warps and stages stand beside it.
Choice warps_beside(Choice choice) {
  switch (choice) {
    case kFlatBlock:
      return kFlatWarps;
    case kRowCount:
    case kRowWidth:
    case kRowParts:
      return kRowWarps;
    case kColumnWidth:
    case kColumnDepth:
    case kColumnParts:
      return kColumnWarps;
    case kPixelBlock:
      return kPixelWarps;
    case kTotalBlock:
      return kTotalWarps;
    case kQueryBlock:
    case kKeyBlock:
      return kAttentionWarps;
    case kMoveRows:
    case kMoveColumns:
      return kMoveWarps;
    default:
      return kTileWarps;
  }
}

// What a phrase decides. Those about the same stand together in the table.
Choice subject(const Phrase& phrase) {
  return phrase.holes.empty() ? phrase.fixed.front().first : warps_beside(phrase.holes.front());
}

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

// NAME=value pairs of a launch's arguments.
std::vector<std::pair<std::string_view, std::string_view>> keyword_arguments(std::string_view arguments) {
  std::vector<std::pair<std::string_view, std::string_view>> found;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= arguments.size(); ++at) {
    const char c = at < arguments.size() ? arguments[at] : ',';
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (c != ',' || depth != 0) continue;
    std::string_view item = arguments.substr(begin, at - begin);
    begin = at + 1;
    while (!item.empty() && !is_word(item.front())) item.remove_prefix(1);
    const std::size_t equal = item.find('=');
    if (equal == std::string_view::npos) continue;
    found.emplace_back(item.substr(0, equal), item.substr(equal + 1));
  }
  return found;
}

std::string_view balanced(std::string_view text) {
  int depth = 1;
  for (std::size_t at = 0; at < text.size(); ++at) {
    depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
    if (depth == 0) return text.substr(0, at);
  }
  return text;
}

int number_in(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() ? number : 0;  // triton.next_power_of_2(...): as wide as it takes
}

struct Launches {
  int flat = 0;
  int total = 0;
  int all = 0;
};

void set_once(Schedule& schedule, Choice choice, int value) {
  schedule.set(choice, schedule.decides(choice) && schedule[choice] != value ? Schedule::kContradictory : value);
}

void read_launch(std::string_view arguments, Schedule& schedule, Launches& launches) {
  const auto pairs = keyword_arguments(arguments);
  Choice warps = kEnd;
  for (const auto& [name, value] : pairs) {
    for (const Keyword& keyword : keywords()) {
      if (std::ranges::find(keyword.names, name) == keyword.names.end()) continue;
      set_once(schedule, keyword.choice, number_in(value));
      warps = warps_beside(keyword.choice);
      launches.flat += keyword.choice == kFlatBlock ? 1 : 0;
      launches.total += keyword.choice == kTotalBlock ? 1 : 0;
    }
  }
  if (warps == kEnd) return;
  ++launches.all;
  for (const auto& [name, value] : pairs) {
    if (name == "num_warps") set_once(schedule, warps, number_in(value));
    if (name != "num_stages") continue;
    if (warps == kTileWarps) set_once(schedule, kTileStages, number_in(value));
    if (warps == kAttentionWarps) set_once(schedule, kAttentionStages, number_in(value));
  }
}

}  // namespace

void Schedule::add(const Schedule& other) {
  for (std::size_t n = 0; n < values_.size(); ++n)
    if (other.values_[n] != kUndecided) values_[n] = other.values_[n];
}

std::string_view choice_name(Choice choice) { return kNames[static_cast<std::size_t>(choice)]; }

base::Json to_json(const Schedule& schedule) {
  base::Json json = base::Json::object();
  for (std::size_t n = 0; n < kNames.size(); ++n) {
    const auto choice = static_cast<Choice>(n);
    if (schedule.decides(choice)) json[std::string(kNames[n])] = schedule[choice];
  }
  return json;
}

std::string schedule_text(const Schedule& schedule) {
  std::string text;
  for (std::size_t n = 0; n < kNames.size(); ++n) {
    const auto choice = static_cast<Choice>(n);
    if (!schedule.decides(choice)) continue;
    if (!text.empty()) text += ' ';
    text += std::string(kNames[n]) + "=" + std::to_string(schedule[choice]);
  }
  return text;
}

std::string decision_sentences(const Schedule& schedule, base::Random& random, bool brief) {
  std::string text;
  std::vector<const Phrase*> fitting;
  const auto& all = phrases();
  for (std::size_t n = 0; n < all.size(); ++n) {
    if (all[n].brief == brief && fits(all[n], schedule)) fitting.push_back(&all[n]);
    const bool last = n + 1 == all.size() || subject(all[n + 1]) != subject(all[n]);
    if (!last || fitting.empty()) continue;
    if (!text.empty()) text += ' ';
    text += written(*fitting[random.below(fitting.size())], schedule);
    fitting.clear();
  }
  return text;
}

Schedule read_plan(std::string_view plan) {
  Schedule schedule;
  for (const Phrase& phrase : phrases()) {
    const auto statement = find_statement(phrase, plan);
    if (!statement) continue;
    for (const auto& [choice, value] : phrase.fixed) schedule.set(choice, value);
    for (std::size_t n = 0; n < phrase.holes.size(); ++n) schedule.set(phrase.holes[n], statement->numbers[n]);
  }
  return schedule;
}

std::optional<std::string> replace_decision(std::string_view plan, const Schedule& schedule) {
  std::vector<Statement> statements;
  for (const Phrase& phrase : phrases()) {
    if (auto statement = find_statement(phrase, plan)) statements.push_back(*std::move(statement));
  }
  if (statements.empty()) return std::nullopt;
  std::ranges::sort(statements, {}, &Statement::begin);

  const bool brief = statements.front().phrase->brief;
  std::set<Choice> missing;  // subjects that the plan says nothing about so far
  for (const Phrase& phrase : phrases()) {
    if (fits(phrase, schedule)) missing.insert(subject(phrase));
  }
  const auto stated = [&](Choice about, const Phrase* before) -> std::string {
    if (before != nullptr && fits(*before, schedule)) return written(*before, schedule);
    for (const Phrase& phrase : phrases()) {
      if (phrase.brief == brief && subject(phrase) == about && fits(phrase, schedule)) return written(phrase, schedule);
    }
    return "";
  };
  std::string text;
  std::size_t from = 0;
  for (const Statement& statement : statements) {
    if (statement.begin < from) return std::nullopt;  // one within another is no teacher's
    text += plan.substr(from, statement.begin - from);
    from = statement.end;
    const std::string sentence = stated(subject(*statement.phrase), statement.phrase);
    missing.erase(subject(*statement.phrase));
    if (sentence.empty() && text.ends_with(' ')) text.pop_back();
    text += sentence;
  }
  for (const Choice about : missing) text += ' ' + stated(about, nullptr);
  text += plan.substr(from);
  return read_plan(text) == schedule ? std::optional(text) : std::nullopt;
}

bool same_choices(const Schedule& a, const Schedule& b) {
  for (std::size_t n = 0; n < static_cast<std::size_t>(kEnd); ++n) {
    if (a.decides(static_cast<Choice>(n)) != b.decides(static_cast<Choice>(n))) return false;
  }
  return true;
}

bool carries_out(const Schedule& code, const Schedule& plan) {
  for (std::size_t n = 0; n < static_cast<std::size_t>(kEnd); ++n) {
    const auto choice = static_cast<Choice>(n);
    if (plan.decides(choice) && plan[choice] != code[choice]) return false;
  }
  return true;
}

Schedule read_code(std::string_view code) {
  Schedule schedule;
  Launches launches;
  for (std::size_t at = code.find("]("); at != std::string_view::npos; at = code.find("](", at + 2))
    read_launch(balanced(code.substr(at + 2)), schedule, launches);
  if (launches.all == 0) return schedule;
  schedule.set(kFusion, launches.flat > 0 && launches.all > 1 ? 0 : 1);
  if (launches.flat > 0)
    schedule.set(kFlatPersistent, code.find("tl.num_programs(0) *") != std::string_view::npos ? 1 : 0);
  if (launches.total > 0) {
    const bool atomic = code.find("tl.atomic_add(") != std::string_view::npos;
    schedule.set(kTotalForm, atomic ? 1 : launches.total > 1 ? 0 : 2);
  }
  return schedule;
}

}  // namespace tritonrl::synth
