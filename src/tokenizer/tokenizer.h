#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/token_id.h"

namespace tritonrl::tokenizer {

enum class SpecialTokens : bool { kKeep, kLeaveOut };

// Text to token ids and back: byte-level BPE, the same ids as HF's `tokenizers`. Never changes once made; every
// function is safe from several threads.
class Tokenizer {
 public:
  // `path` is a tokenizer.json or a folder that holds one. InputError with file, line and column where it is no
  // tokenizer of this kind.
  static Tokenizer load(const std::filesystem::path& path);
  // From the text of a tokenizer.json; `file` is what errors call it.
  static Tokenizer parse(std::string_view text, const std::string& file);

  Tokenizer(Tokenizer&&) noexcept;
  Tokenizer& operator=(Tokenizer&&) noexcept;
  ~Tokenizer();

  // Added tokens in the text become their ids; nothing is put around it. InputError, at `file`, for text that is no
  // UTF-8.
  std::vector<TokenId> encode(std::string_view text, const std::string& file = "text") const;

  // The bytes of the tokens, which need not be UTF-8: a model may sample anything. Ids that name nothing give none.
  std::string decode_bytes(std::span<const TokenId> ids, SpecialTokens specials = SpecialTokens::kKeep) const;
  // The same as UTF-8, with U+FFFD for what is none.
  std::string decode(std::span<const TokenId> ids, SpecialTokens specials = SpecialTokens::kKeep) const;

  // One past the largest id. A model's embedding may have more rows.
  std::size_t size() const;
  // Empty for an id that names nothing.
  std::string_view bytes_of(TokenId id) const;
  bool is_special(TokenId id) const;
  // Of an added token such as "<|im_end|>".
  std::optional<TokenId> added_token(std::string_view content) const;

 private:
  struct Parts;
  explicit Tokenizer(std::unique_ptr<const Parts> parts);

  std::unique_ptr<const Parts> parts_;
};

}  // namespace tritonrl::tokenizer
