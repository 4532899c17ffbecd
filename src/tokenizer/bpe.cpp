#include "tokenizer/bpe.h"

#include <algorithm>
#include <functional>
#include <queue>

#include "base/error.h"

namespace tritonrl::tokenizer {
namespace {

// Up to here moving the rest of an array costs less than a queue.
constexpr std::size_t kShortBytes = 48;

// A pair that may merge: the best rank first, then the leftmost.
struct Candidate {
  std::uint32_t rank;
  std::uint32_t left;  // index of its left symbol
  TokenId merged;
  friend bool operator>(const Candidate& a, const Candidate& b) {
    return a.rank != b.rank ? a.rank > b.rank : a.left > b.left;
  }
};

// A token of a long piece, in a list that loses members as they merge.
struct Symbol {
  TokenId id;
  std::int32_t previous;
  std::int32_t next;
  bool alive;
};

}  // namespace

Bpe::Bpe(const Definition& definition, const Vocabulary& vocabulary)
    : vocabulary_(vocabulary),
      merges_(definition, vocabulary),
      byte_pairs_(std::size_t{256} * 256),
      whole_pieces_first_(definition.whole_pieces_first),
      whole_(std::make_unique<std::atomic<Whole>[]>(vocabulary.size())) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    const char character = static_cast<char>(byte);
    const auto id = vocabulary.find({&character, 1});
    base::check(id.has_value(), "a vocabulary lacks a byte");
    bytes_[byte] = *id;
  }
  for (std::size_t pair = 0; pair < byte_pairs_.size(); ++pair) {
    byte_pairs_[pair] = merges_.find(bytes_[pair / 256], bytes_[pair % 256]);
  }
}

void Bpe::encode(std::string_view piece, std::vector<TokenId>& ids) const {
  if (piece.size() == 1) {
    ids.push_back(bytes_[static_cast<unsigned char>(piece.front())]);
    return;
  }
  if (const auto id = vocabulary_.find(piece); id && (whole_pieces_first_ || is_whole(*id, piece))) {
    ids.push_back(*id);
    return;
  }
  merge(piece, ids);
}

bool Bpe::is_whole(TokenId id, std::string_view piece) const {
  auto& known = whole_[static_cast<std::size_t>(id)];
  Whole whole = known.load(std::memory_order_relaxed);
  if (whole == Whole::kUnknown) {
    std::vector<TokenId> ids;
    merge(piece, ids);
    whole = ids.size() == 1 ? Whole::kYes : Whole::kNo;
    known.store(whole, std::memory_order_relaxed);  // every thread finds the same
  }
  return whole == Whole::kYes;
}

void Bpe::merge(std::string_view piece, std::vector<TokenId>& ids) const {
  piece.size() <= kShortBytes ? merge_short(piece, ids) : merge_long(piece, ids);
}

void Bpe::merge_short(std::string_view piece, std::vector<TokenId>& ids) const {
  std::array<TokenId, kShortBytes> tokens;            // NOLINT: filled as far as it is read
  std::array<MergeTable::Result, kShortBytes> pairs;  // NOLINT: pairs[i] is of tokens i and i + 1
  std::size_t count = piece.size();
  const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(piece[i])); };
  for (std::size_t i = 0; i < count; ++i) tokens[i] = bytes_[byte(i)];
  for (std::size_t i = 0; i + 1 < count; ++i) pairs[i] = byte_pairs_[byte(i) * 256 + byte(i + 1)];
  while (count > 1) {
    std::size_t best = 0;
    for (std::size_t i = 1; i + 1 < count; ++i) {
      if (pairs[i].rank < pairs[best].rank) best = i;
    }
    if (pairs[best].rank == MergeTable::kNever) break;
    tokens[best] = pairs[best].merged;
    std::copy(tokens.begin() + best + 2, tokens.begin() + count, tokens.begin() + best + 1);
    --count;
    std::copy(pairs.begin() + best + 1, pairs.begin() + count, pairs.begin() + best);
    if (best > 0) pairs[best - 1] = merges_.find(tokens[best - 1], tokens[best]);
    if (best + 1 < count) pairs[best] = merges_.find(tokens[best], tokens[best + 1]);
  }
  ids.insert(ids.end(), tokens.begin(), tokens.begin() + count);
}

void Bpe::merge_long(std::string_view piece, std::vector<TokenId>& ids) const {
  std::vector<Symbol> symbols;
  symbols.reserve(piece.size());
  const auto count = static_cast<std::int32_t>(piece.size());
  for (std::int32_t i = 0; i < count; ++i) {
    symbols.push_back({bytes_[static_cast<unsigned char>(piece[static_cast<std::size_t>(i)])], i - 1,
                       i + 1 < count ? i + 1 : -1, true});
  }
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
  const auto offer = [&](std::int32_t left) {
    if (left < 0 || symbols[left].next < 0) return;
    const auto found = merges_.find(symbols[left].id, symbols[symbols[left].next].id);
    if (found.rank != MergeTable::kNever) queue.push({found.rank, static_cast<std::uint32_t>(left), found.merged});
  };
  for (std::int32_t i = 0; i < count; ++i) offer(i);
  while (!queue.empty()) {
    const Candidate best = queue.top();
    queue.pop();
    Symbol& left = symbols[best.left];
    if (!left.alive || left.next < 0) continue;
    Symbol& right = symbols[left.next];
    // The pair may have changed since it was offered.
    if (merges_.find(left.id, right.id).merged != best.merged) continue;
    left.id = best.merged;
    right.alive = false;
    left.next = right.next;
    if (left.next >= 0) symbols[left.next].previous = static_cast<std::int32_t>(best.left);
    offer(left.previous);
    offer(static_cast<std::int32_t>(best.left));
  }
  for (std::int32_t at = 0; at >= 0; at = symbols[at].next) ids.push_back(symbols[at].id);
}

}  // namespace tritonrl::tokenizer
