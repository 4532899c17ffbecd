#include "tokenizer/tokenizer.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "tokenizer/added_token_finder.h"
#include "tokenizer/bpe.h"
#include "tokenizer/definition.h"
#include "tokenizer/normalizer.h"
#include "tokenizer/split_pattern.h"
#include "tokenizer/text_stream.h"
#include "tokenizer/vocabulary.h"

namespace tritonrl::tokenizer {
namespace {

std::unique_ptr<SplitPattern> pattern_of(const Definition& definition) {
  if (definition.pattern == kQwenPattern) return make_qwen_pattern();
  const base::Position position = base::LineIndex(definition.text).position(definition.pattern_offset);
  return make_regex_pattern(definition.pattern,
                            {.file = definition.file, .line = position.line, .column = position.column});
}

// Those to look for in the text as it is, or after normalisation, which then changes them too.
AddedTokenFinder finder_of(const Definition& definition, bool normalized) {
  std::vector<AddedTokenFinder::Pattern> patterns;
  for (const auto& token : definition.added) {
    if (token.normalized != normalized) continue;
    std::string storage;
    const bool changes = normalized && definition.nfc;
    patterns.push_back({std::string(changes ? normalize_nfc(token.content, storage) : token.content), token});
  }
  return AddedTokenFinder(std::move(patterns));
}

}  // namespace

struct Tokenizer::Parts {
  explicit Parts(const Definition& definition)
      : vocabulary(definition),
        bpe(definition, vocabulary),
        pattern(pattern_of(definition)),
        as_written(finder_of(definition, false)),
        normalized(finder_of(definition, true)),
        nfc(definition.nfc),
        added(definition.added),
        special(vocabulary.size(), false) {
    for (const auto& token : added) special[static_cast<std::size_t>(token.id)] = token.special;
  }

  Vocabulary vocabulary;
  Bpe bpe;
  std::unique_ptr<const SplitPattern> pattern;
  AddedTokenFinder as_written;
  AddedTokenFinder normalized;
  bool nfc;
  std::vector<AddedToken> added;
  std::vector<bool> special;  // by id
};

Tokenizer::Tokenizer(std::unique_ptr<const Parts> parts) : parts_(std::move(parts)) {}
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;
Tokenizer::~Tokenizer() = default;

Tokenizer Tokenizer::load(const std::filesystem::path& path) {
  const auto file = std::filesystem::is_directory(path) ? path / "tokenizer.json" : path;
  return parse(base::read_file(file), file.string());
}

Tokenizer Tokenizer::parse(std::string_view text, const std::string& file) {
  return Tokenizer(std::make_unique<const Parts>(read_definition(text, file)));
}

std::vector<TokenId> Tokenizer::encode(std::string_view text, const std::string& file) const {
  if (const auto offset = base::first_invalid_utf8(text)) {
    const base::Position position = base::LineIndex(text).position(*offset);
    throw base::InputError({.file = file, .line = position.line, .column = position.column}, "not UTF-8",
                           "decode it first, or leave the bytes out");
  }
  std::vector<TokenId> ids;
  ids.reserve(text.size() / 3);
  std::vector<AddedTokenFinder::Part> parts;
  std::vector<AddedTokenFinder::Part> normalized_parts;
  std::vector<std::size_t> ends;
  std::string storage;
  parts_->as_written.split(text, parts);
  for (const auto& part : parts) {
    if (part.token) {
      ids.push_back(*part.token);
      continue;
    }
    const std::string_view normal = parts_->nfc ? normalize_nfc(part.text, storage) : part.text;
    parts_->normalized.split(normal, normalized_parts);
    for (const auto& inner : normalized_parts) {
      if (inner.token) {
        ids.push_back(*inner.token);
        continue;
      }
      parts_->pattern->split(inner.text, ends);
      std::size_t begin = 0;
      for (const std::size_t end : ends) {
        parts_->bpe.encode(inner.text.substr(begin, end - begin), ids);
        begin = end;
      }
    }
  }
  return ids;
}

std::string Tokenizer::decode_bytes(std::span<const TokenId> ids, SpecialTokens specials) const {
  std::string bytes;
  for (const TokenId id : ids) {
    if (specials == SpecialTokens::kKeep || !is_special(id)) bytes += bytes_of(id);
  }
  return bytes;
}

std::string Tokenizer::decode(std::span<const TokenId> ids, SpecialTokens specials) const {
  TextStream stream;
  std::string text = stream.push(decode_bytes(ids, specials));
  return text + stream.finish();
}

std::size_t Tokenizer::size() const { return parts_->vocabulary.size(); }

std::string_view Tokenizer::bytes_of(TokenId id) const { return parts_->vocabulary.bytes(id); }

bool Tokenizer::is_special(TokenId id) const {
  return id >= 0 && static_cast<std::size_t>(id) < parts_->special.size() &&
         parts_->special[static_cast<std::size_t>(id)];
}

std::optional<TokenId> Tokenizer::added_token(std::string_view content) const {
  const auto found = std::ranges::find(parts_->added, content, &AddedToken::content);
  if (found == parts_->added.end()) return std::nullopt;
  return found->id;
}

}  // namespace tritonrl::tokenizer
