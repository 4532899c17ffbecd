#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tritonrl::pysource {

// The slots of each kind, in the order of SyntaxTree::kids(). A slot that the source leaves out is kAbsent.
// `name` stands for SyntaxTree::text(), `...` for any number of kids.
enum class Kind : std::uint8_t {
  kAbsent,
  // statements
  kModule,       // ... statements
  kBlock,        // ... statements
  kFunctionDef,  // name; decorators (List), parameters (List of Param), body, return annotation
  kClassDef,     // name; decorators (List), bases (List of expressions and Keyword), body
  kReturn,       // value
  kAssign,       // target, value (an Assign again in a = b = c), annotation
  kAugAssign,    // op; target, value
  kFor,          // target, iterable, body, else
  kWhile,        // condition, body, else
  kIf,           // condition, body, else (an If again for elif)
  kWith,         // items (List of WithItem), body
  kWithItem,     // expression, target
  kTry,          // body, handlers (List of Handler), else, finally
  kHandler,      // name (text); type, body
  kMatch,        // subject, cases (List of Case)
  kCase,         // pattern (Opaque; its Names are captures), guard, body
  kRaise,        // exception, cause
  kAssert,       // condition, message
  kDelete,       // ... targets
  kGlobal,       // ... Names
  kNonlocal,     // ... Names
  kImport,       // ... Alias
  kImportFrom,   // module, dots included (text); ... Alias; no Alias at all for a star import
  kAlias,        // dotted name (text); Name it is bound to, absent without `as`
  kPass,         // pass, break, continue
  kTypeAlias,    // name, value
  // expressions
  kName,           // name
  kAttribute,      // name; object
  kCall,           // function, arguments (List of expressions, Keyword, Starred, DoubleStarred)
  kKeyword,        // name; value
  kStarred,        // value
  kDoubleStarred,  // value
  kSubscript,      // object, index (a Tuple for x[a, b])
  kSlice,          // low, high, step
  kBinary,         // op; left, right
  kBool,           // op; left, right
  kUnary,          // op; operand
  kCompare,        // op (the first); ... operands
  kConditional,    // value if true, condition, value if false
  kNamed,          // name; value (walrus)
  kLambda,         // parameters (List of Param), body expression
  kTuple,          // ... elements
  kListDisplay,    // ... elements
  kSet,            // ... elements
  kDict,           // ... Pair and DoubleStarred
  kPair,           // key, value
  kComprehension,  // element (a Pair for a dict), ... CompFor and CompIf
  kCompFor,        // target, iterable
  kCompIf,         // condition
  kAwait,          // value
  kYield,          // value
  kInt,            // literal
  kFloat,          // literal
  kString,         // text() is the decoded value
  kBytes,          // text() is the decoded value
  kFString,  // ... String and expressions; what has = or a conversion or a format is Opaque: value, ... its fields
  kTrue,
  kFalse,
  kNone,
  kEllipsis,
  // helpers
  kList,    // ... whatever the slot says
  kParam,   // name; default, annotation; op tells *args and **kwargs
  kOpaque,  // ... whatever is inside
};

enum class Op : std::uint8_t {
  kNothing,
  kAdd,
  kSub,
  kMul,
  kDiv,
  kFloorDiv,
  kMod,
  kPow,
  kMatMul,
  kBitAnd,
  kBitOr,
  kBitXor,
  kShiftLeft,
  kShiftRight,
  kInvert,
  kNot,
  kAnd,
  kOr,
  kLess,
  kLessEqual,
  kEqual,
  kNotEqual,
  kGreater,
  kGreaterEqual,
  kIn,
  kNotIn,
  kIs,
  kIsNot,
  kStar,         // Param: *args
  kDoubleStar,   // Param: **kwargs
  kKeywordOnly,  // Param: after * or *args
};

using NodeId = std::uint32_t;
inline constexpr NodeId kAbsentNode = 0;

struct SourceError {
  enum class Kind : std::uint8_t { kSyntax, kEncoding, kTooLarge, kTooDeep };
  Kind kind;
  std::uint32_t offset;
  std::string message;
};

inline constexpr std::size_t kMaxSourceBytes = std::size_t{1} << 20;

// Python source as an immutable tree of the shape above.
// Owns a copy of the text; string_views it hands out live as long as it does. Thread-safe to read.
class SyntaxTree {
 public:
  // Never throws on bad source and needs memory linear in it.
  static std::variant<SyntaxTree, SourceError> parse(std::string_view source);
  // The slow twin: the grammar alone, whose tree or error parse() must reproduce, unless it reads more. For tests.
  static std::variant<SyntaxTree, SourceError> parse_by_grammar(std::string_view source);

  NodeId root() const { return root_; }
  std::size_t size() const { return nodes_.size(); }
  std::string_view source() const { return *source_; }

  Kind kind(NodeId node) const { return nodes_[node].kind; }
  Op op(NodeId node) const { return nodes_[node].op; }
  std::uint32_t begin(NodeId node) const { return nodes_[node].begin; }
  std::uint32_t end(NodeId node) const { return nodes_[node].end; }
  std::string_view text(NodeId node) const { return nodes_[node].text; }
  std::string_view source_of(NodeId node) const { return source().substr(begin(node), end(node) - begin(node)); }
  std::span<const NodeId> kids(NodeId node) const {
    return {kids_.data() + nodes_[node].first_kid, nodes_[node].kid_count};
  }
  NodeId kid(NodeId node, std::size_t slot) const {
    return slot < nodes_[node].kid_count ? kids_[nodes_[node].first_kid + slot] : kAbsentNode;
  }
  bool is_async(NodeId function) const { return source_of(function).starts_with("async"); }
  // The value of an Int literal that fits 64 bits.
  std::optional<std::int64_t> int_value(NodeId node) const;

 private:
  friend class TreeBuilder;
  struct Node {
    Kind kind = Kind::kAbsent;
    Op op = Op::kNothing;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint32_t first_kid = 0;
    std::uint32_t kid_count = 0;
    std::string_view text;
  };
  SyntaxTree() = default;

  // Behind pointers, so that moving the tree does not move what string_views point to.
  std::unique_ptr<const std::string> source_;
  std::unique_ptr<std::deque<std::string>> decoded_;
  std::vector<Node> nodes_;
  std::vector<NodeId> kids_;
  NodeId root_ = kAbsentNode;
};

}  // namespace tritonrl::pysource
