#include "pysource/quick_parser.h"

#include <algorithm>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include "pysource/grammar_parser.h"
#include "pysource/operators.h"
#include "pysource/string_literal.h"
#include "pysource/token_stream.h"
#include "pysource/tree_builder.h"

namespace tritonrl::pysource {
namespace {

using T = TokenKind;

constexpr int kMaxLevels = 300;  // of rules inside each other; bounds the stack

constexpr Op binary_op(T token) {
  switch (token) {
    case T::kBar:
      return Op::kBitOr;
    case T::kCaret:
      return Op::kBitXor;
    case T::kAmpersand:
      return Op::kBitAnd;
    case T::kShiftLeft:
      return Op::kShiftLeft;
    case T::kShiftRight:
      return Op::kShiftRight;
    case T::kPlus:
      return Op::kAdd;
    case T::kMinus:
      return Op::kSub;
    case T::kStar:
      return Op::kMul;
    case T::kSlash:
      return Op::kDiv;
    case T::kDoubleSlash:
      return Op::kFloorDiv;
    case T::kPercent:
      return Op::kMod;
    case T::kAt:
      return Op::kMatMul;
    default:
      return Op::kNothing;
  }
}

constexpr Op unary_op(T token) {
  switch (token) {
    case T::kPlus:
      return Op::kAdd;
    case T::kMinus:
      return Op::kSub;
    case T::kTilde:
      return Op::kInvert;
    default:
      return Op::kNothing;
  }
}

constexpr Op augmented_op(T token) {
  switch (token) {
    case T::kPlusAssign:
      return Op::kAdd;
    case T::kMinusAssign:
      return Op::kSub;
    case T::kStarAssign:
      return Op::kMul;
    case T::kDoubleStarAssign:
      return Op::kPow;
    case T::kSlashAssign:
      return Op::kDiv;
    case T::kDoubleSlashAssign:
      return Op::kFloorDiv;
    case T::kPercentAssign:
      return Op::kMod;
    case T::kAtAssign:
      return Op::kMatMul;
    case T::kAmpersandAssign:
      return Op::kBitAnd;
    case T::kBarAssign:
      return Op::kBitOr;
    case T::kCaretAssign:
      return Op::kBitXor;
    case T::kShiftLeftAssign:
      return Op::kShiftLeft;
    case T::kShiftRightAssign:
      return Op::kShiftRight;
    default:
      return Op::kNothing;
  }
}

constexpr bool is_single_target_kind(Kind kind) {
  return kind == Kind::kName || kind == Kind::kAttribute || kind == Kind::kSubscript;
}

// Recursive descent, a function for each rule of Python's grammar. To give up is to jump to the end of the tokens,
// where every rule fails: no caller has to check.
class QuickParser {
 public:
  QuickParser(std::string_view source, const TokenStream& stream)
      : builder_(source), stream_(stream), token_(stream.tokens.data()) {
    builder_.reserve(stream.tokens.size() + 16);
  }

  std::optional<SyntaxTree> run() && {
    while (!at(T::kEnd)) statement();
    if (gave_up_) return std::nullopt;
    const auto end = static_cast<std::uint32_t>(builder_.source().size());
    const NodeId module = builder_.add(Kind::kModule, {stream_.begin, end}, pile_);
    if (may_be_too_deep(module)) return std::nullopt;
    return std::move(builder_).finish(module);
  }

 private:
  class Level {
   public:
    explicit Level(QuickParser& parser) : parser_(parser) {
      if (++parser_.levels_ > kMaxLevels) parser_.give_up();
    }
    ~Level() { --parser_.levels_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    QuickParser& parser_;
  };

  // Tokens

  T kind() const { return token_->kind; }
  bool at(T kind) const { return token_->kind == kind; }
  bool next_is(T kind) const { return !at(T::kEnd) && token_[1].kind == kind; }
  std::uint32_t begin() const { return token_->begin; }
  std::string_view spelling() const { return builder_.source_of({token_->begin, token_->end}); }

  NodeId give_up() {
    gave_up_ = true;
    token_ = &stream_.tokens.back();
    return kAbsentNode;
  }
  void require(bool usual) {
    if (!usual) give_up();
  }
  void advance() {
    if (at(T::kEnd)) return;
    last_end_ = token_->end;
    ++token_;
  }
  bool accept(T kind) {
    if (!at(kind)) return false;
    advance();
    return true;
  }
  void expect(T kind) { require(accept(kind)); }

  std::string_view identifier() {
    const std::string_view name = spelling();
    expect(T::kName);
    return name;
  }

  // What may follow an expression list, a trailing comma included.
  bool at_list_end() const {
    switch (kind()) {
      case T::kNewline:
      case T::kSemicolon:
      case T::kAssign:
      case T::kColon:
      case T::kRightParen:
      case T::kIn:
      case T::kFieldConversion:
      case T::kFieldColon:
      case T::kFieldEnd:
        return true;
      default:
        return false;
    }
  }

  // Nodes

  SourceSpan since(std::uint32_t begin) const { return {begin, last_end_}; }
  Kind kind_of(NodeId node) const { return builder_.tree().kind(node); }

  NodeId add(Kind kind, std::uint32_t begin, std::initializer_list<NodeId> kids, std::string_view text = {},
             Op op = Op::kNothing) {
    return builder_.add(kind, since(begin), kids, text, op);
  }
  std::span<const NodeId> piled(std::size_t mark) const { return std::span(pile_).subspan(mark); }
  // A node whose kids are what lies on the pile above the mark.
  NodeId add_piled(Kind kind, std::uint32_t begin, std::size_t mark, std::string_view text = {}) {
    const NodeId node = builder_.add(kind, since(begin), piled(mark), text);
    pile_.resize(mark);
    return node;
  }
  NodeId name() {
    const std::uint32_t start = begin();
    const std::string_view text = identifier();
    return add(Kind::kName, start, {}, text);
  }

  bool may_be_too_deep(NodeId root) const;

  // Statements
  void statement();
  void simple_statements();
  NodeId simple_statement();
  NodeId suite();
  NodeId else_clause();
  NodeId if_statement();
  NodeId while_statement();
  NodeId for_statement(std::uint32_t start);
  NodeId with_statement(std::uint32_t start);
  bool grouped_items();
  NodeId with_item();
  NodeId try_statement();
  NodeId except_clause();
  NodeId async_statement();
  NodeId decorated_definition();
  NodeId function_definition(std::uint32_t start);
  NodeId class_definition();
  NodeId loop_body();

  NodeId expression_statement();
  NodeId assignment(std::uint32_t start, NodeId target);
  NodeId annotated_assignment(std::uint32_t start, NodeId target);
  NodeId augmented_assignment(std::uint32_t start, NodeId target);
  NodeId right_hand_side();
  NodeId return_statement();
  NodeId raise_statement();
  NodeId assert_statement();
  NodeId delete_statement();
  NodeId name_list(Kind kind);
  NodeId import_statement();
  NodeId import_from_statement();
  NodeId alias(bool dotted);
  std::string_view dotted_name();
  NodeId loop_jump();

  void parameter_list(T closing, bool annotated);
  NodeId parameter(std::uint32_t start, Op op, bool annotated);

  // Targets
  bool is_single_target(NodeId node) const { return is_single_target_kind(kind_of(node)); }
  bool is_target(NodeId node) const;
  NodeId target_list();
  NodeId target_element();

  // Expressions
  NodeId expression_list();
  NodeId list_element();
  NodeId starred();
  NodeId yield_expression();
  NodeId named_expression();
  NodeId expression();
  NodeId lambda();
  NodeId disjunction();
  NodeId conjunction();
  NodeId inversion();
  NodeId comparison();
  Op comparison_op();
  NodeId binary(int precedence);
  NodeId unary();
  NodeId power();
  NodeId awaited();
  NodeId primary();
  NodeId arguments(std::uint32_t start, bool generator_allowed);
  NodeId argument(std::uint32_t start);
  NodeId subscript(std::uint32_t start, NodeId object);
  NodeId index();
  NodeId slice();

  // Atoms
  NodeId atom();
  NodeId literal(Kind kind, std::string_view text = {});
  NodeId group();
  NodeId list_display();
  NodeId brace_display();
  NodeId dict_item();
  NodeId element();
  void more_elements(NodeId first, T closing);
  NodeId comprehension(std::uint32_t start, NodeId element, T closing);
  bool at_comprehension() const { return at(T::kFor) || at(T::kAsync); }
  NodeId strings();
  NodeId formatted_string();
  NodeId field();

  TreeBuilder builder_;
  const TokenStream& stream_;
  const Token* token_;
  std::uint32_t last_end_ = 0;  // of the last token that was read
  bool gave_up_ = false;
  std::vector<NodeId> pile_;  // kids of the nodes that are being read

  int levels_ = 0;
  int functions_ = 0;
  int loops_ = 0;
};

// An upper bound on the depth of the grammar's tree. It may wrap each node of ours once and in brackets, and has
// decorators, which no earlier node of ours has as kids, where they are written.
bool QuickParser::may_be_too_deep(NodeId root) const {
  const SyntaxTree& tree = builder_.tree();
  std::vector<std::uint32_t> heights(tree.size());
  std::vector<bool> inner(tree.size());
  for (NodeId node = 1; node < tree.size(); ++node) {
    for (const NodeId kid : tree.kids(node)) {
      if (kid >= node) continue;
      heights[node] = std::max(heights[node], heights[kid]);
      inner[kid] = true;
    }
    ++heights[node];
  }
  std::uint32_t outer = 0;
  for (NodeId node = 1; node < tree.size(); ++node) {
    const bool copied = tree.kind(node) == Kind::kIf;  // an elif, before it had an else
    if (!inner[node] && !copied && node != root) outer = std::max(outer, heights[node]);
  }
  return 2 * (heights[root] + 2 * outer) + stream_.depth > static_cast<std::uint32_t>(kMaxDepth);
}

void QuickParser::statement() {
  const Level level(*this);
  switch (kind()) {
    case T::kIf:
      return pile_.push_back(if_statement());
    case T::kWhile:
      return pile_.push_back(while_statement());
    case T::kFor:
      return pile_.push_back(for_statement(begin()));
    case T::kWith:
      return pile_.push_back(with_statement(begin()));
    case T::kTry:
      return pile_.push_back(try_statement());
    case T::kDef:
      return pile_.push_back(function_definition(begin()));
    case T::kClass:
      return pile_.push_back(class_definition());
    case T::kAt:
      return pile_.push_back(decorated_definition());
    case T::kAsync:
      return pile_.push_back(async_statement());
    default:
      return simple_statements();
  }
}

void QuickParser::simple_statements() {
  do pile_.push_back(simple_statement());
  while (accept(T::kSemicolon) && !at(T::kNewline));
  expect(T::kNewline);
}

NodeId QuickParser::simple_statement() {
  switch (kind()) {
    case T::kReturn:
      return return_statement();
    case T::kPass:
      return literal(Kind::kPass);
    case T::kBreak:
    case T::kContinue:
      return loop_jump();
    case T::kRaise:
      return raise_statement();
    case T::kAssert:
      return assert_statement();
    case T::kDel:
      return delete_statement();
    case T::kGlobal:
      return name_list(Kind::kGlobal);
    case T::kNonlocal:
      return name_list(Kind::kNonlocal);
    case T::kImport:
      return import_statement();
    case T::kFrom:
      return import_from_statement();
    default:
      return expression_statement();
  }
}

NodeId QuickParser::suite() {
  expect(T::kColon);
  const std::size_t mark = pile_.size();
  const bool indented = accept(T::kNewline);
  if (indented) expect(T::kIndent);
  const std::uint32_t start = begin();
  if (indented) {
    while (!at(T::kDedent) && !at(T::kEnd)) statement();
    expect(T::kDedent);
  } else {
    simple_statements();
  }
  return add_piled(Kind::kBlock, start, mark);
}

NodeId QuickParser::else_clause() { return accept(T::kElse) ? suite() : kAbsentNode; }

NodeId QuickParser::loop_body() {
  ++loops_;
  const NodeId body = suite();
  --loops_;
  return body;
}

NodeId QuickParser::if_statement() {
  const std::uint32_t start = begin();
  expect(T::kIf);
  const NodeId condition = named_expression();
  const NodeId body = suite();
  const std::size_t mark = pile_.size();
  while (at(T::kElif)) {
    const std::uint32_t elif_start = begin();
    expect(T::kElif);
    const NodeId elif_condition = named_expression();
    const NodeId elif_body = suite();
    pile_.push_back(add(Kind::kIf, elif_start, {elif_condition, elif_body, kAbsentNode}));
  }
  require(pile_.size() - mark <= kMaxElifs);
  const NodeId otherwise = else_clause();
  const NodeId node = builder_.add_if(since(start), condition, body, piled(mark), otherwise);
  pile_.resize(mark);
  return node;
}

NodeId QuickParser::while_statement() {
  const std::uint32_t start = begin();
  expect(T::kWhile);
  const NodeId condition = named_expression();
  const NodeId body = loop_body();
  const NodeId otherwise = else_clause();
  return add(Kind::kWhile, start, {condition, body, otherwise});
}

NodeId QuickParser::for_statement(std::uint32_t start) {
  expect(T::kFor);
  const NodeId target = target_list();
  expect(T::kIn);
  const NodeId iterable = expression_list();
  const NodeId body = loop_body();
  const NodeId otherwise = else_clause();
  return add(Kind::kFor, start, {target, iterable, body, otherwise});
}

NodeId QuickParser::with_statement(std::uint32_t start) {
  expect(T::kWith);
  const std::uint32_t items_start = begin();
  const std::size_t mark = pile_.size();
  if (!at(T::kLeftParen) || !grouped_items()) {
    do pile_.push_back(with_item());
    while (accept(T::kComma));
  }
  const NodeId items = add_piled(Kind::kList, items_start, mark);
  const NodeId body = suite();
  return add(Kind::kWith, start, {items, body});
}

// Items in brackets, (a as b, c): or (a,):, onto the pile. False, and nothing read, if the bracket is the first item's
// own, as in (a): or (a).b:. Python too tries one after the other.
bool QuickParser::grouped_items() {
  const Token* const bracket = token_;
  const std::size_t mark = pile_.size();
  expect(T::kLeftParen);
  do pile_.push_back(with_item());
  while (accept(T::kComma) && !at(T::kRightParen));
  const bool comma = !gave_up_ && token_[-1].kind == T::kComma;
  const bool several = comma || pile_.size() > mark + 1 || builder_.tree().kid(pile_.back(), 1) != kAbsentNode;
  expect(T::kRightParen);
  if (several && at(T::kColon)) return true;
  token_ = bracket;
  gave_up_ = false;
  pile_.resize(mark);
  return false;
}

NodeId QuickParser::with_item() {
  const std::uint32_t start = begin();
  const NodeId value = expression();
  const NodeId bound = accept(T::kAs) ? primary() : kAbsentNode;
  require(bound == kAbsentNode || is_target(bound));
  return add(Kind::kWithItem, start, {value, bound});
}

NodeId QuickParser::try_statement() {
  const std::uint32_t start = begin();
  expect(T::kTry);
  const NodeId body = suite();
  const std::size_t mark = pile_.size();
  while (at(T::kExcept)) pile_.push_back(except_clause());
  const bool handled = pile_.size() > mark;
  const NodeId otherwise = handled ? else_clause() : kAbsentNode;
  require(handled || at(T::kFinally));
  const NodeId last = accept(T::kFinally) ? suite() : kAbsentNode;
  const NodeId handlers = add_piled(Kind::kList, start, mark);
  return add(Kind::kTry, start, {body, handlers, otherwise, last});
}

NodeId QuickParser::except_clause() {
  const std::uint32_t start = begin();
  expect(T::kExcept);
  const bool bare = at(T::kColon);
  NodeId type = kAbsentNode;
  std::string_view bound;
  if (!bare) {
    type = expression();
    if (accept(T::kAs)) bound = identifier();
  }
  const NodeId body = suite();
  require(!bare || !at(T::kExcept));
  return add(Kind::kHandler, start, {type, body}, bound);
}

NodeId QuickParser::async_statement() {
  const std::uint32_t start = begin();
  expect(T::kAsync);
  if (at(T::kDef)) return function_definition(start);
  if (at(T::kFor)) return for_statement(start);
  return with_statement(start);
}

NodeId QuickParser::decorated_definition() {
  const std::uint32_t start = begin();
  const std::size_t mark = pile_.size();
  while (accept(T::kAt)) {
    pile_.push_back(expression());
    expect(T::kNewline);
  }
  const std::uint32_t definition_start = begin();
  const NodeId definition = at(T::kClass)       ? class_definition()
                            : accept(T::kAsync) ? function_definition(definition_start)
                                                : function_definition(begin());
  const NodeId decorators = add_piled(Kind::kList, start, mark);
  if (!gave_up_) builder_.set_decorators(definition, decorators);
  return definition;
}

NodeId QuickParser::function_definition(std::uint32_t start) {
  expect(T::kDef);
  const int loops = std::exchange(loops_, 0);
  ++functions_;
  const std::string_view function = identifier();
  const std::uint32_t parameters_start = begin();
  const std::size_t mark = pile_.size();
  expect(T::kLeftParen);
  parameter_list(T::kRightParen, true);
  expect(T::kRightParen);
  const NodeId parameters = add_piled(Kind::kList, parameters_start, mark);
  const NodeId annotation = accept(T::kArrow) ? expression() : kAbsentNode;
  const NodeId body = suite();
  --functions_;
  loops_ = loops;
  const NodeId decorators = add(Kind::kList, start, {});
  return add(Kind::kFunctionDef, start, {decorators, parameters, body, annotation}, function);
}

NodeId QuickParser::class_definition() {
  const std::uint32_t start = begin();
  expect(T::kClass);
  const std::string_view type = identifier();
  NodeId bases = at(T::kLeftParen) ? arguments(start, false) : kAbsentNode;
  const int functions = std::exchange(functions_, 0);
  const int loops = std::exchange(loops_, 0);
  const NodeId body = suite();
  functions_ = functions;
  loops_ = loops;
  if (bases == kAbsentNode) bases = add(Kind::kList, start, {});
  const NodeId decorators = add(Kind::kList, start, {});
  return add(Kind::kClassDef, start, {decorators, bases, body}, type);
}

NodeId QuickParser::expression_statement() {
  if (at(T::kYield)) return yield_expression();
  require(!(next_is(T::kShiftRight) && spelling() == "print"));  // Python 2, which the grammar tells
  const std::uint32_t start = begin();
  const NodeId left = expression_list();
  if (at(T::kAssign)) return assignment(start, left);
  if (at(T::kColon)) return annotated_assignment(start, left);
  if (augmented_op(kind()) != Op::kNothing) return augmented_assignment(start, left);
  return left;
}

NodeId QuickParser::assignment(std::uint32_t start, NodeId target) {
  const Level level(*this);
  require(is_target(target));
  expect(T::kAssign);
  const std::uint32_t value_start = begin();
  NodeId value = right_hand_side();
  if (at(T::kAssign)) value = assignment(value_start, value);
  return add(Kind::kAssign, start, {target, value, kAbsentNode});
}

NodeId QuickParser::annotated_assignment(std::uint32_t start, NodeId target) {
  require(is_single_target(target));
  expect(T::kColon);
  const NodeId annotation = expression();
  const NodeId value = accept(T::kAssign) ? right_hand_side() : kAbsentNode;
  return add(Kind::kAssign, start, {target, value, annotation});
}

NodeId QuickParser::augmented_assignment(std::uint32_t start, NodeId target) {
  require(is_single_target(target));
  const Op op = augmented_op(kind());
  advance();
  const NodeId value = right_hand_side();
  return add(Kind::kAugAssign, start, {target, value}, {}, op);
}

NodeId QuickParser::right_hand_side() { return at(T::kYield) ? yield_expression() : expression_list(); }

NodeId QuickParser::return_statement() {
  const std::uint32_t start = begin();
  require(functions_ > 0);
  expect(T::kReturn);
  if (at_list_end()) return add(Kind::kReturn, start, {});
  const NodeId value = expression_list();
  return add(Kind::kReturn, start, {value});
}

NodeId QuickParser::raise_statement() {
  const std::uint32_t start = begin();
  expect(T::kRaise);
  if (at_list_end()) return add(Kind::kRaise, start, {kAbsentNode, kAbsentNode});
  const NodeId exception = expression();
  const NodeId cause = accept(T::kFrom) ? expression() : kAbsentNode;
  return add(Kind::kRaise, start, {exception, cause});
}

NodeId QuickParser::assert_statement() {
  const std::uint32_t start = begin();
  expect(T::kAssert);
  const NodeId condition = expression();
  if (!accept(T::kComma)) return add(Kind::kAssert, start, {condition});
  const NodeId message = expression();
  return add(Kind::kAssert, start, {condition, message});
}

NodeId QuickParser::delete_statement() {
  const std::uint32_t start = begin();
  expect(T::kDel);
  const NodeId targets = target_list();
  return builder_.add_delete(since(start), std::span(&targets, 1));
}

NodeId QuickParser::name_list(Kind kind) {
  const std::uint32_t start = begin();
  const std::size_t mark = pile_.size();
  advance();
  do pile_.push_back(name());
  while (accept(T::kComma));
  return add_piled(kind, start, mark);
}

NodeId QuickParser::loop_jump() {
  require(loops_ > 0);
  return literal(Kind::kPass);
}

NodeId QuickParser::import_statement() {
  const std::uint32_t start = begin();
  const std::size_t mark = pile_.size();
  expect(T::kImport);
  do pile_.push_back(alias(true));
  while (accept(T::kComma));
  return add_piled(Kind::kImport, start, mark);
}

NodeId QuickParser::import_from_statement() {
  const std::uint32_t start = begin();
  expect(T::kFrom);
  const std::uint32_t module_start = begin();
  while (at(T::kDot) || at(T::kEllipsis)) advance();
  if (!at(T::kImport) || begin() == module_start) dotted_name();
  const std::string_view module = builder_.dotted_name(since(module_start));
  expect(T::kImport);
  const std::size_t mark = pile_.size();
  if (accept(T::kStar)) {
    require(!module.starts_with("__future__"));
  } else {
    require(module == "__future__" || !module.starts_with("__future__"));
    const bool grouped = accept(T::kLeftParen);
    do pile_.push_back(alias(false));
    while (accept(T::kComma) && !(grouped && at(T::kRightParen)));
    if (grouped) expect(T::kRightParen);
  }
  return add_piled(Kind::kImportFrom, start, mark, module);
}

NodeId QuickParser::alias(bool dotted) {
  const std::uint32_t start = begin();
  const std::string_view imported = dotted ? dotted_name() : identifier();
  const NodeId bound = accept(T::kAs) ? name() : kAbsentNode;
  return add(Kind::kAlias, start, {bound}, imported);
}

std::string_view QuickParser::dotted_name() {
  const std::uint32_t start = begin();
  do identifier();
  while (accept(T::kDot));
  return builder_.dotted_name(since(start));
}

void QuickParser::parameter_list(T closing, bool annotated) {
  const std::size_t mark = pile_.size();
  bool slashed = false;
  bool starred = false;
  while (!at(closing)) {
    const std::uint32_t start = begin();
    if (accept(T::kSlash)) {
      require(!slashed && !starred && pile_.size() > mark);
      slashed = true;
    } else if (accept(T::kStar)) {
      require(!starred);
      starred = true;
      if (at(T::kComma)) {
        require(next_is(T::kName));
      } else {
        pile_.push_back(parameter(start, Op::kStar, annotated));
      }
    } else if (accept(T::kDoubleStar)) {
      pile_.push_back(parameter(start, Op::kDoubleStar, annotated));
      accept(T::kComma);
      break;
    } else {
      pile_.push_back(parameter(start, starred ? Op::kKeywordOnly : Op::kNothing, annotated));
    }
    if (!accept(T::kComma)) break;
  }
}

NodeId QuickParser::parameter(std::uint32_t start, Op op, bool annotated) {
  const bool plain = op == Op::kNothing || op == Op::kKeywordOnly;
  const std::string_view text = identifier();
  const NodeId annotation = annotated && accept(T::kColon) ? expression() : kAbsentNode;
  const NodeId fallback = plain && accept(T::kAssign) ? expression() : kAbsentNode;
  return add(Kind::kParam, start, {fallback, annotation}, text, op);
}

bool QuickParser::is_target(NodeId node) const {
  const Kind kind = kind_of(node);
  if (kind != Kind::kTuple && kind != Kind::kListDisplay) return is_single_target_kind(kind);
  return std::ranges::all_of(builder_.tree().kids(node), [&](NodeId element) {
    return is_target(kind_of(element) == Kind::kStarred ? builder_.tree().kid(element, 0) : element);
  });
}

NodeId QuickParser::target_list() {
  const std::uint32_t start = begin();
  NodeId targets = target_element();
  if (at(T::kComma)) {
    const std::size_t mark = pile_.size();
    pile_.push_back(targets);
    while (accept(T::kComma) && !at_list_end()) pile_.push_back(target_element());
    targets = add_piled(Kind::kTuple, start, mark);
  }
  require(is_target(targets));
  return targets;
}

// Less than an expression: the `in` of a loop is no operator.
NodeId QuickParser::target_element() {
  const std::uint32_t start = begin();
  if (!accept(T::kStar)) return primary();
  const NodeId value = primary();
  return add(Kind::kStarred, start, {value});
}

NodeId QuickParser::expression_list() {
  const std::uint32_t start = begin();
  const NodeId first = list_element();
  if (!at(T::kComma)) {
    require(kind_of(first) != Kind::kStarred);
    return first;
  }
  const std::size_t mark = pile_.size();
  pile_.push_back(first);
  while (accept(T::kComma) && !at_list_end()) pile_.push_back(list_element());
  return add_piled(Kind::kTuple, start, mark);
}

NodeId QuickParser::list_element() { return at(T::kStar) ? starred() : expression(); }

NodeId QuickParser::starred() {
  const std::uint32_t start = begin();
  expect(T::kStar);
  const NodeId value = binary(kLoosestPrecedence);
  return add(Kind::kStarred, start, {value});
}

NodeId QuickParser::yield_expression() {
  const std::uint32_t start = begin();
  require(functions_ > 0);
  expect(T::kYield);
  if (at_list_end()) return add(Kind::kYield, start, {});
  const NodeId value = accept(T::kFrom) ? expression() : expression_list();
  return add(Kind::kYield, start, {value});
}

NodeId QuickParser::named_expression() {
  if (!at(T::kName) || !next_is(T::kColonEqual)) return expression();
  const std::uint32_t start = begin();
  const std::string_view bound = identifier();
  expect(T::kColonEqual);
  const NodeId value = expression();
  return add(Kind::kNamed, start, {value}, bound);
}

NodeId QuickParser::expression() {
  const Level level(*this);
  if (at(T::kLambda)) return lambda();
  const std::uint32_t start = begin();
  const NodeId value = disjunction();
  if (!accept(T::kIf)) return value;
  const NodeId condition = disjunction();
  expect(T::kElse);
  const NodeId otherwise = expression();
  return add(Kind::kConditional, start, {value, condition, otherwise});
}

NodeId QuickParser::lambda() {
  const std::uint32_t start = begin();
  expect(T::kLambda);
  ++functions_;
  const std::uint32_t parameters_start = begin();
  const std::size_t mark = pile_.size();
  const bool bare = at(T::kColon);
  parameter_list(T::kColon, false);
  NodeId parameters = bare ? kAbsentNode : add_piled(Kind::kList, parameters_start, mark);
  expect(T::kColon);
  const NodeId body = expression();
  --functions_;
  if (bare) parameters = add(Kind::kList, start, {});
  return add(Kind::kLambda, start, {parameters, body});
}

NodeId QuickParser::disjunction() {
  const std::uint32_t start = begin();
  NodeId left = conjunction();
  while (accept(T::kOr)) {
    const NodeId right = conjunction();
    left = add(Kind::kBool, start, {left, right}, {}, Op::kOr);
  }
  return left;
}

NodeId QuickParser::conjunction() {
  const std::uint32_t start = begin();
  NodeId left = inversion();
  while (accept(T::kAnd)) {
    const NodeId right = inversion();
    left = add(Kind::kBool, start, {left, right}, {}, Op::kAnd);
  }
  return left;
}

NodeId QuickParser::inversion() {
  if (!at(T::kNot)) return comparison();
  const Level level(*this);
  const std::uint32_t start = begin();
  expect(T::kNot);
  const NodeId operand = inversion();
  return add(Kind::kUnary, start, {operand}, {}, Op::kNot);
}

// The operator here, read; nothing where there is none.
Op QuickParser::comparison_op() {
  const auto read = [&](Op op) {
    advance();
    return op;
  };
  switch (kind()) {
    case T::kLess:
      return read(Op::kLess);
    case T::kLessEqual:
      return read(Op::kLessEqual);
    case T::kEqual:
      return read(Op::kEqual);
    case T::kNotEqual:
      return read(Op::kNotEqual);
    case T::kGreater:
      return read(Op::kGreater);
    case T::kGreaterEqual:
      return read(Op::kGreaterEqual);
    case T::kIn:
      return read(Op::kIn);
    case T::kIs:
      advance();
      return accept(T::kNot) ? Op::kIsNot : Op::kIs;
    case T::kNot:
      advance();
      expect(T::kIn);
      return Op::kNotIn;
    default:
      return Op::kNothing;
  }
}

NodeId QuickParser::comparison() {
  const std::uint32_t start = begin();
  const NodeId first = binary(kLoosestPrecedence);
  const Op op = comparison_op();
  if (op == Op::kNothing) return first;
  const std::size_t mark = pile_.size();
  pile_.push_back(first);
  do pile_.push_back(binary(kLoosestPrecedence));
  while (comparison_op() != Op::kNothing);
  const NodeId node = builder_.add(Kind::kCompare, since(start), piled(mark), {}, op);
  pile_.resize(mark);
  return node;
}

NodeId QuickParser::binary(int precedence) {
  const std::uint32_t start = begin();
  NodeId left = unary();
  for (Op op = binary_op(kind()); binary_precedence(op) >= precedence; op = binary_op(kind())) {
    advance();
    const NodeId right = binary(binary_precedence(op) + 1);
    left = add(Kind::kBinary, start, {left, right}, {}, op);
  }
  return left;
}

NodeId QuickParser::unary() {
  const Op op = unary_op(kind());
  if (op == Op::kNothing) return power();
  const Level level(*this);
  const std::uint32_t start = begin();
  advance();
  const NodeId operand = unary();
  return add(Kind::kUnary, start, {operand}, {}, op);
}

NodeId QuickParser::power() {
  const std::uint32_t start = begin();
  const NodeId base = awaited();
  if (!accept(T::kDoubleStar)) return base;
  const Level level(*this);
  const NodeId exponent = unary();
  return add(Kind::kBinary, start, {base, exponent}, {}, Op::kPow);
}

NodeId QuickParser::awaited() {
  const std::uint32_t start = begin();
  if (!accept(T::kAwait)) return primary();
  const NodeId value = primary();
  return add(Kind::kAwait, start, {value});
}

NodeId QuickParser::primary() {
  const std::uint32_t start = begin();
  NodeId node = atom();
  for (;;) {
    if (accept(T::kDot)) {
      const std::string_view attribute = identifier();
      node = add(Kind::kAttribute, start, {node}, attribute);
    } else if (at(T::kLeftParen)) {
      const NodeId list = arguments(start, true);
      node = add(Kind::kCall, start, {node, list});
    } else if (at(T::kLeftBracket)) {
      node = subscript(start, node);
    } else {
      return node;
    }
  }
}

// The bracket of a call or a class that begins at `start`.
NodeId QuickParser::arguments(std::uint32_t start, bool generator_allowed) {
  const std::uint32_t open = begin();
  const std::size_t mark = pile_.size();
  expect(T::kLeftParen);
  bool keyword = false;
  bool double_starred = false;
  while (!at(T::kRightParen)) {
    const NodeId each = argument(begin());
    const Kind kind = kind_of(each);
    if (at_comprehension()) {
      require(generator_allowed && pile_.size() == mark && kind != Kind::kKeyword && kind != Kind::kDoubleStarred);
      const NodeId generator = comprehension(open, each, T::kRightParen);
      return add(Kind::kList, start, {generator});
    }
    const bool named = kind == Kind::kKeyword || kind == Kind::kDoubleStarred;
    require(named || !double_starred);
    require(named || kind == Kind::kStarred || !keyword);
    keyword |= kind == Kind::kKeyword;
    double_starred |= kind == Kind::kDoubleStarred;
    pile_.push_back(each);
    if (!accept(T::kComma)) break;
  }
  expect(T::kRightParen);
  return add_piled(Kind::kList, open, mark);
}

NodeId QuickParser::argument(std::uint32_t start) {
  if (at(T::kName) && next_is(T::kAssign)) {
    const std::string_view keyword = identifier();
    expect(T::kAssign);
    const NodeId value = expression();
    return add(Kind::kKeyword, start, {value}, keyword);
  }
  if (accept(T::kDoubleStar)) {
    const NodeId value = expression();
    return add(Kind::kDoubleStarred, start, {value});
  }
  if (accept(T::kStar)) {
    const NodeId value = expression();
    return add(Kind::kStarred, start, {value});
  }
  return named_expression();
}

NodeId QuickParser::subscript(std::uint32_t start, NodeId object) {
  expect(T::kLeftBracket);
  NodeId key = index();
  if (at(T::kComma) || kind_of(key) == Kind::kStarred) {
    const std::size_t mark = pile_.size();
    pile_.push_back(key);
    while (accept(T::kComma) && !at(T::kRightBracket)) pile_.push_back(index());
    expect(T::kRightBracket);
    key = add_piled(Kind::kTuple, start, mark);
  } else {
    expect(T::kRightBracket);
  }
  return add(Kind::kSubscript, start, {object, key});
}

NodeId QuickParser::index() { return at(T::kStar) ? starred() : slice(); }

NodeId QuickParser::slice() {
  const std::uint32_t start = begin();
  const NodeId low = at(T::kColon) ? kAbsentNode : named_expression();
  if (!accept(T::kColon)) return low;
  const auto part = [&] { return at(T::kColon) || at(T::kComma) || at(T::kRightBracket) ? kAbsentNode : expression(); };
  const NodeId high = part();
  const NodeId step = accept(T::kColon) ? part() : kAbsentNode;
  return add(Kind::kSlice, start, {low, high, step});
}

NodeId QuickParser::atom() {
  switch (kind()) {
    case T::kName:
      return name();
    case T::kInt:
      return literal(Kind::kInt, spelling());
    case T::kFloat:
      return literal(Kind::kFloat, spelling());
    case T::kString:
    case T::kFormattedBegin:
      return strings();
    case T::kTrue:
      return literal(Kind::kTrue);
    case T::kFalse:
      return literal(Kind::kFalse);
    case T::kNone:
      return literal(Kind::kNone);
    case T::kEllipsis:
      return literal(Kind::kEllipsis);
    case T::kLeftParen:
      return group();
    case T::kLeftBracket:
      return list_display();
    case T::kLeftBrace:
      return brace_display();
    default:
      return give_up();
  }
}

// A node of one token.
NodeId QuickParser::literal(Kind kind, std::string_view text) {
  const std::uint32_t start = begin();
  advance();
  return add(kind, start, {}, text);
}

NodeId QuickParser::group() {
  const std::uint32_t start = begin();
  expect(T::kLeftParen);
  if (accept(T::kRightParen)) return add(Kind::kTuple, start, {});
  const NodeId first = at(T::kYield) ? yield_expression() : element();
  if (at_comprehension()) return comprehension(start, first, T::kRightParen);
  if (at(T::kComma)) {
    const std::size_t mark = pile_.size();
    more_elements(first, T::kRightParen);
    return add_piled(Kind::kTuple, start, mark);
  }
  expect(T::kRightParen);
  require(kind_of(first) != Kind::kStarred);
  return first;
}

NodeId QuickParser::list_display() {
  const std::uint32_t start = begin();
  expect(T::kLeftBracket);
  if (accept(T::kRightBracket)) return add(Kind::kListDisplay, start, {});
  const NodeId first = element();
  if (at_comprehension()) return comprehension(start, first, T::kRightBracket);
  const std::size_t mark = pile_.size();
  more_elements(first, T::kRightBracket);
  return add_piled(Kind::kListDisplay, start, mark);
}

NodeId QuickParser::brace_display() {
  const std::uint32_t start = begin();
  expect(T::kLeftBrace);
  if (accept(T::kRightBrace)) return add(Kind::kDict, start, {});
  const NodeId first = dict_item();
  if (at_comprehension()) return comprehension(start, first, T::kRightBrace);
  const std::size_t mark = pile_.size();
  const Kind kind = kind_of(first);
  if (kind != Kind::kPair && kind != Kind::kDoubleStarred) {
    more_elements(first, T::kRightBrace);
    return add_piled(Kind::kSet, start, mark);
  }
  pile_.push_back(first);
  while (accept(T::kComma) && !at(T::kRightBrace)) {
    const NodeId item = dict_item();
    require(kind_of(item) == Kind::kPair || kind_of(item) == Kind::kDoubleStarred);
    pile_.push_back(item);
  }
  expect(T::kRightBrace);
  return add_piled(Kind::kDict, start, mark);
}

// What stands in a dictionary, or the first element of a set.
NodeId QuickParser::dict_item() {
  const std::uint32_t start = begin();
  if (accept(T::kDoubleStar)) {
    const NodeId value = expression();
    return add(Kind::kDoubleStarred, start, {value});
  }
  const bool named = next_is(T::kColonEqual);
  const NodeId key = element();
  if (!at(T::kColon)) return key;
  require(kind_of(key) != Kind::kStarred && !named);
  expect(T::kColon);
  const NodeId value = expression();
  return add(Kind::kPair, start, {key, value});
}

NodeId QuickParser::element() { return at(T::kStar) ? starred() : named_expression(); }

void QuickParser::more_elements(NodeId first, T closing) {
  pile_.push_back(first);
  while (accept(T::kComma) && !at(closing)) pile_.push_back(element());
  expect(closing);
}

NodeId QuickParser::comprehension(std::uint32_t start, NodeId element, T closing) {
  require(kind_of(element) != Kind::kStarred && kind_of(element) != Kind::kDoubleStarred);
  const std::size_t mark = pile_.size();
  pile_.push_back(element);
  while (at_comprehension() || at(T::kIf)) {
    const std::uint32_t clause_start = begin();
    if (accept(T::kIf)) {
      const NodeId condition = disjunction();
      pile_.push_back(add(Kind::kCompIf, clause_start, {condition}));
    } else {
      accept(T::kAsync);
      expect(T::kFor);
      const NodeId target = target_list();
      expect(T::kIn);
      const NodeId iterable = disjunction();
      pile_.push_back(add(Kind::kCompFor, clause_start, {target, iterable}));
    }
  }
  expect(closing);
  return add_piled(Kind::kComprehension, start, mark);
}

NodeId QuickParser::strings() {
  const std::uint32_t start = begin();
  const std::size_t mark = pile_.size();
  while (at(T::kString) || at(T::kFormattedBegin)) {
    if (at(T::kFormattedBegin)) {
      pile_.push_back(formatted_string());
    } else {
      const SourceSpan whole{token_->begin, token_->end};
      advance();
      pile_.push_back(builder_.add_string(whole));
    }
  }
  const auto parts = piled(mark);
  if (gave_up_) return kAbsentNode;
  const auto is_bytes = [&](NodeId part) { return kind_of(part) == Kind::kBytes; };
  require(std::ranges::none_of(parts, is_bytes) || std::ranges::all_of(parts, is_bytes));
  const NodeId node = parts.size() == 1 ? parts[0] : builder_.add_concatenated(since(start), parts);
  pile_.resize(mark);
  return node;
}

NodeId QuickParser::formatted_string() {
  const std::uint32_t start = begin();
  const bool raw = read_string_prefix(spelling()).raw;
  const std::size_t mark = pile_.size();
  expect(T::kFormattedBegin);
  while (!at(T::kFormattedEnd) && !at(T::kEnd)) {
    if (at(T::kFormattedText)) {
      const SourceSpan text{token_->begin, token_->end};
      advance();
      pile_.push_back(builder_.add_formatted_text(text, raw));
    } else {
      pile_.push_back(field());
    }
  }
  expect(T::kFormattedEnd);
  const NodeId node = builder_.add_formatted(since(start), piled(mark));
  pile_.resize(mark);
  return node;
}

NodeId QuickParser::field() {
  const std::uint32_t start = begin();
  expect(T::kFieldBegin);
  const NodeId value = expression_list();
  if (accept(T::kFieldEnd)) return value;
  const std::size_t mark = pile_.size();
  pile_.push_back(value);
  accept(T::kAssign);
  accept(T::kFieldConversion);
  if (accept(T::kFieldColon)) {
    while (!at(T::kFieldEnd) && !at(T::kEnd))
      if (!accept(T::kFormattedText)) pile_.push_back(field());
  }
  expect(T::kFieldEnd);
  return add_piled(Kind::kOpaque, start, mark);
}

}  // namespace

std::optional<SyntaxTree> quick_parse(std::string_view source) {
  const auto stream = read_tokens(source);
  if (!stream) return std::nullopt;
  return QuickParser(source, *stream).run();
}

}  // namespace tritonrl::pysource
