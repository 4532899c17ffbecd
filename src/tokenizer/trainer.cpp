#include "tokenizer/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <queue>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "tokenizer/byte_alphabet.h"
#include "tokenizer/normalizer.h"

namespace tritonrl::tokenizer {
namespace {

using Pair = std::pair<TokenId, TokenId>;

struct PairHash {
  std::size_t operator()(const Pair& pair) const {
    const auto packed = (static_cast<std::uint64_t>(pair.first) << 32) | static_cast<std::uint32_t>(pair.second);
    return static_cast<std::size_t>((packed * 0x9E3779B97F4A7C15) >> 16);
  }
};

// A piece of text, with the tokens that it has become so far.
struct Word {
  std::vector<TokenId> tokens;
  std::int64_t count;
};

struct Occurrences {
  std::int64_t count = 0;
  std::vector<std::size_t> words;  // where the pair was; each at most once in a row
};

struct Candidate {
  std::int64_t count;
  Pair pair;
  // A priority queue's greatest comes first.
  friend bool operator<(const Candidate& a, const Candidate& b) {
    return a.count != b.count ? a.count < b.count : a.pair > b.pair;
  }
};

// All words and the pairs in them, kept in step while pairs merge.
class Corpus {
 public:
  explicit Corpus(std::vector<Word> words) : words_(std::move(words)) {
    for (std::size_t word = 0; word < words_.size(); ++word) {
      const auto& tokens = words_[word].tokens;
      for (std::size_t i = 0; i + 1 < tokens.size(); ++i) add({tokens[i], tokens[i + 1]}, word);
    }
    offer_touched();
  }

  // The most frequent pair, or one with count 0 when none is left.
  Candidate best() {
    while (!queue_.empty()) {
      Candidate top = queue_.top();
      queue_.pop();
      const std::int64_t count = pairs_[top.pair].count;
      if (count == top.count) return top;
      if (count > 0) queue_.push({count, top.pair});
    }
    return {};
  }

  void merge(const Pair& pair, TokenId merged) {
    const auto words = std::exchange(pairs_[pair].words, {});
    for (const std::size_t word : words) merge_in(word, pair, merged);
    pairs_[pair].count = 0;  // overlaps, as in "aaa", were counted too
    offer_touched();
  }

 private:
  void add(const Pair& pair, std::size_t word) {
    Occurrences& occurrences = pairs_[pair];
    occurrences.count += words_[word].count;
    if (occurrences.words.empty() || occurrences.words.back() != word) occurrences.words.push_back(word);
    touched_.push_back(pair);
  }

  void remove(const Pair& pair, std::size_t word) { pairs_[pair].count -= words_[word].count; }

  void merge_in(std::size_t word, const Pair& pair, TokenId merged) {
    auto& tokens = words_[word].tokens;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i, ++kept) {
      if (i + 1 == tokens.size() || Pair{tokens[i], tokens[i + 1]} != pair) {
        tokens[kept] = tokens[i];
        continue;
      }
      if (kept > 0) {
        remove({tokens[kept - 1], pair.first}, word);
        add({tokens[kept - 1], merged}, word);
      }
      if (i + 2 < tokens.size()) {
        remove({pair.second, tokens[i + 2]}, word);
        add({merged, tokens[i + 2]}, word);
      }
      tokens[kept] = merged;
      ++i;
    }
    tokens.resize(kept);
  }

  // Queues what has become more frequent, once.
  void offer_touched() {
    std::ranges::sort(touched_);
    const auto repeated = std::ranges::unique(touched_);
    touched_.erase(repeated.begin(), repeated.end());
    for (const Pair& pair : touched_) {
      if (const std::int64_t count = pairs_[pair].count; count > 0) queue_.push({count, pair});
    }
    touched_.clear();
  }

  std::vector<Word> words_;
  std::unordered_map<Pair, Occurrences, PairHash> pairs_;
  std::priority_queue<Candidate> queue_;  // counts may be old; best() looks again
  std::vector<Pair> touched_;
};

AddedTokenFinder finder_of(const std::vector<AddedToken>& tokens) {
  std::vector<AddedTokenFinder::Pattern> patterns;
  for (const auto& token : tokens) patterns.push_back({token.content, token});
  return AddedTokenFinder(std::move(patterns));
}

std::vector<Word> words_of(const std::unordered_map<std::string, std::uint64_t>& pieces) {
  std::array<TokenId, 256> ids{};
  const auto& order = bytes_in_order();
  for (std::size_t i = 0; i < order.size(); ++i) ids[order[i]] = static_cast<TokenId>(i);
  std::vector<Word> words;
  words.reserve(pieces.size());
  for (const auto& [piece, count] : pieces) {
    Word word{{}, static_cast<std::int64_t>(count)};
    for (const char byte : piece) word.tokens.push_back(ids[static_cast<unsigned char>(byte)]);
    words.push_back(std::move(word));
  }
  return words;
}

}  // namespace

Trainer::Trainer(TrainerConfig config)
    : config_(std::move(config)), added_(finder_of(config_.added)), pattern_(make_qwen_pattern()) {
  const std::size_t least = bytes_in_order().size() + config_.added.size();
  if (config_.size < least || config_.size > static_cast<std::size_t>(kMaxTokenIds)) {
    throw base::InputError(
        {.file = "tokenizer size"}, fmt::format("{} tokens cannot be learned", config_.size),
        fmt::format("ask for {} to {}: the bytes and the added tokens take the first", least, kMaxTokenIds));
  }
}

void Trainer::add_text(std::string_view text, const std::string& file) {
  if (const auto offset = base::first_invalid_utf8(text)) {
    const base::Position position = base::LineIndex(text).position(*offset);
    throw base::InputError({.file = file, .line = position.line, .column = position.column}, "not UTF-8");
  }
  std::vector<AddedTokenFinder::Part> parts;
  std::vector<std::size_t> ends;
  std::string storage;
  added_.split(text, parts);
  for (const auto& part : parts) {
    if (part.token) continue;
    const std::string_view normal = normalize_nfc(part.text, storage);
    pattern_->split(normal, ends);
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
      ++pieces_[std::string(normal.substr(begin, end - begin))];
      begin = end;
    }
  }
}

Definition Trainer::train(const std::function<void()>& on_merge) const {
  Definition definition;
  definition.pattern = kQwenPattern;
  std::vector<std::string> tokens;  // bytes, by id
  std::unordered_map<std::string, TokenId> ids;
  const auto id_of = [&](const std::string& bytes) {
    const auto [found, is_new] = ids.emplace(bytes, static_cast<TokenId>(tokens.size()));
    if (is_new) tokens.push_back(bytes);
    return found->second;
  };
  for (const unsigned char byte : bytes_in_order()) id_of(std::string(1, static_cast<char>(byte)));

  Corpus corpus(words_of(pieces_));
  while (tokens.size() + config_.added.size() < config_.size) {
    const Candidate best = corpus.best();
    if (best.count < 1 || static_cast<std::uint64_t>(best.count) < config_.min_count) break;
    const auto left = static_cast<std::size_t>(best.pair.first);
    const auto right = static_cast<std::size_t>(best.pair.second);
    definition.merges.push_back({spelling_of_bytes(tokens[left]), spelling_of_bytes(tokens[right]), 0});
    corpus.merge(best.pair, id_of(tokens[left] + tokens[right]));
    if (on_merge) on_merge();
  }

  for (std::size_t id = 0; id < tokens.size(); ++id) {
    definition.vocabulary.push_back({spelling_of_bytes(tokens[id]), static_cast<TokenId>(id), 0});
  }
  definition.added = config_.added;
  for (std::size_t i = 0; i < definition.added.size(); ++i) {
    definition.added[i].id = static_cast<TokenId>(tokens.size() + i);
  }
  return definition;
}

}  // namespace tritonrl::tokenizer
