#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tritonrl::pysource {

enum class TokenKind : std::uint8_t {
  kEnd,
  kNewline,
  kIndent,
  kDedent,
  // literals; print, match, type and the like are names
  kName,
  kInt,
  kFloat,
  kString,          // a whole literal that is not formatted
  kFormattedBegin,  // f" to "; between them texts and fields
  kFormattedText,
  kFormattedEnd,
  kFieldBegin,       // the { of a field
  kFieldConversion,  // !r
  kFieldColon,       // the text and the fields of a format follow
  kFieldEnd,
  // brackets and marks
  kLeftParen,
  kRightParen,
  kLeftBracket,
  kRightBracket,
  kLeftBrace,
  kRightBrace,
  kComma,
  kColon,
  kColonEqual,
  kSemicolon,
  kDot,
  kEllipsis,
  kArrow,
  kAssign,
  // operators
  kPlus,
  kMinus,
  kStar,
  kDoubleStar,
  kSlash,
  kDoubleSlash,
  kPercent,
  kAt,
  kAmpersand,
  kBar,
  kCaret,
  kTilde,
  kShiftLeft,
  kShiftRight,
  kLess,
  kLessEqual,
  kEqual,
  kNotEqual,
  kGreater,
  kGreaterEqual,
  kPlusAssign,
  kMinusAssign,
  kStarAssign,
  kDoubleStarAssign,
  kSlashAssign,
  kDoubleSlashAssign,
  kPercentAssign,
  kAtAssign,
  kAmpersandAssign,
  kBarAssign,
  kCaretAssign,
  kShiftLeftAssign,
  kShiftRightAssign,
  // keywords
  kAnd,
  kAs,
  kAssert,
  kAsync,
  kAwait,
  kBreak,
  kClass,
  kContinue,
  kDef,
  kDel,
  kElif,
  kElse,
  kExcept,
  kFalse,
  kFinally,
  kFor,
  kFrom,
  kGlobal,
  kIf,
  kImport,
  kIn,
  kIs,
  kLambda,
  kNone,
  kNonlocal,
  kNot,
  kOr,
  kPass,
  kRaise,
  kReturn,
  kTrue,
  kTry,
  kWhile,
  kWith,
  kYield,
};

struct Token {
  TokenKind kind;
  std::uint32_t begin;
  std::uint32_t end;
};

struct TokenStream {
  std::vector<Token> tokens;  // a kEnd last
  std::uint32_t begin = 0;    // of the first token or comment
  std::uint32_t depth = 0;    // the most brackets open at once; a field of a string counts as three
};

// The tokens of a source that holds nothing unusual. A Newline stands where its line's last token or comment ends, a
// Dedent where the block ends: after the comments that are indented like it. Nothing for lone quotes, letters outside
// ASCII, fields that span lines or hold a backslash, and the like.
std::optional<TokenStream> read_tokens(std::string_view source);

}  // namespace tritonrl::pysource
