#include "pysource/grammar_parser.h"

#include <tree_sitter/api.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <unordered_map>
#include <utility>

#include "base/text.h"
#include "pysource/string_literal.h"
#include "pysource/tree_builder.h"

extern "C" const TSLanguage* tree_sitter_python();

namespace tritonrl::pysource {
namespace {

enum class Rule : std::uint8_t {
  kSkip,
  kOpaque,
  kTransparent,  // stands for its only named child
  kAlias,
  kAnnotation,
  kArguments,
  kAsPattern,
  kAssert,
  kAssign,
  kAttribute,
  kAugAssign,
  kAwait,
  kBinary,
  kBlock,
  kBool,
  kBreak,
  kCall,
  kCase,
  kClass,
  kCompare,
  kComprehension,
  kConcatenated,
  kConditional,
  kDecorated,
  kDelete,
  kDict,
  kDottedName,
  kDoubleStarred,
  kEllipsis,
  kExcept,
  kFalse,
  kFloat,
  kFor,
  kForIn,
  kFunction,
  kGlobal,
  kIf,
  kIfClause,
  kImport,
  kImportFrom,
  kInt,
  kInterpolation,
  kKeyword,
  kLambda,
  kListDisplay,
  kMatch,
  kModule,
  kName,
  kNamed,
  kNone,
  kNonlocal,
  kNot,
  kPair,
  kParameters,
  kParam,
  kPass,
  kPython2,
  kRaise,
  kReturn,
  kSet,
  kSlice,
  kStarParam,
  kDoubleStarParam,
  kStarred,
  kString,
  kSubscript,
  kTrue,
  kTry,
  kTuple,
  kTypeAlias,
  kUnary,
  kWhile,
  kWith,
  kWithItem,
  kYield,
};

const std::unordered_map<std::string_view, Rule>& rules_by_name() {
  static const std::unordered_map<std::string_view, Rule> rules = {
      {"comment", Rule::kSkip},
      {"line_continuation", Rule::kSkip},
      {"positional_separator", Rule::kSkip},
      {"format_specifier", Rule::kOpaque},
      {"expression_statement", Rule::kTransparent},
      {"parenthesized_expression", Rule::kTransparent},
      {"type", Rule::kTransparent},
      {"as_pattern_target", Rule::kTransparent},
      {"decorator", Rule::kTransparent},
      {"else_clause", Rule::kTransparent},
      {"finally_clause", Rule::kTransparent},
      {"format_expression", Rule::kTransparent},
      {"aliased_import", Rule::kAlias},
      {"argument_list", Rule::kArguments},
      {"as_pattern", Rule::kAsPattern},
      {"assert_statement", Rule::kAssert},
      {"assignment", Rule::kAssign},
      {"attribute", Rule::kAttribute},
      {"augmented_assignment", Rule::kAugAssign},
      {"await", Rule::kAwait},
      {"binary_operator", Rule::kBinary},
      {"block", Rule::kBlock},
      {"boolean_operator", Rule::kBool},
      {"break_statement", Rule::kBreak},
      {"continue_statement", Rule::kBreak},
      {"call", Rule::kCall},
      {"case_clause", Rule::kCase},
      {"class_definition", Rule::kClass},
      {"comparison_operator", Rule::kCompare},
      {"list_comprehension", Rule::kComprehension},
      {"set_comprehension", Rule::kComprehension},
      {"dictionary_comprehension", Rule::kComprehension},
      {"generator_expression", Rule::kComprehension},
      {"concatenated_string", Rule::kConcatenated},
      {"conditional_expression", Rule::kConditional},
      {"decorated_definition", Rule::kDecorated},
      {"delete_statement", Rule::kDelete},
      {"dictionary", Rule::kDict},
      {"dotted_name", Rule::kDottedName},
      {"dictionary_splat", Rule::kDoubleStarred},
      {"ellipsis", Rule::kEllipsis},
      {"except_clause", Rule::kExcept},
      {"except_group_clause", Rule::kExcept},
      {"false", Rule::kFalse},
      {"float", Rule::kFloat},
      {"for_statement", Rule::kFor},
      {"for_in_clause", Rule::kForIn},
      {"function_definition", Rule::kFunction},
      {"global_statement", Rule::kGlobal},
      {"if_statement", Rule::kIf},
      {"elif_clause", Rule::kIf},
      {"if_clause", Rule::kIfClause},
      {"import_statement", Rule::kImport},
      {"import_from_statement", Rule::kImportFrom},
      {"future_import_statement", Rule::kImportFrom},
      {"integer", Rule::kInt},
      {"interpolation", Rule::kInterpolation},
      {"keyword_argument", Rule::kKeyword},
      {"lambda", Rule::kLambda},
      {"list", Rule::kListDisplay},
      {"list_pattern", Rule::kListDisplay},
      {"match_statement", Rule::kMatch},
      {"module", Rule::kModule},
      {"identifier", Rule::kName},
      {"named_expression", Rule::kNamed},
      {"none", Rule::kNone},
      {"nonlocal_statement", Rule::kNonlocal},
      {"not_operator", Rule::kNot},
      {"pair", Rule::kPair},
      {"parameters", Rule::kParameters},
      {"lambda_parameters", Rule::kParameters},
      {"default_parameter", Rule::kParam},
      {"typed_parameter", Rule::kParam},
      {"typed_default_parameter", Rule::kParam},
      {"pass_statement", Rule::kPass},
      {"print_statement", Rule::kPython2},
      {"exec_statement", Rule::kPython2},
      {"raise_statement", Rule::kRaise},
      {"return_statement", Rule::kReturn},
      {"set", Rule::kSet},
      {"slice", Rule::kSlice},
      {"list_splat_pattern", Rule::kStarParam},
      {"dictionary_splat_pattern", Rule::kDoubleStarParam},
      {"list_splat", Rule::kStarred},
      {"parenthesized_list_splat", Rule::kTransparent},
      {"string", Rule::kString},
      {"subscript", Rule::kSubscript},
      {"true", Rule::kTrue},
      {"try_statement", Rule::kTry},
      {"tuple", Rule::kTuple},
      {"expression_list", Rule::kTuple},
      {"pattern_list", Rule::kTuple},
      {"tuple_pattern", Rule::kTuple},
      {"type_alias_statement", Rule::kTypeAlias},
      {"unary_operator", Rule::kUnary},
      {"while_statement", Rule::kWhile},
      {"with_statement", Rule::kWith},
      {"with_item", Rule::kWithItem},
      {"yield", Rule::kYield},
  };
  return rules;
}

Op operator_named(std::string_view spelling) {
  static const std::unordered_map<std::string_view, Op> ops = {
      {"+", Op::kAdd},         {"-", Op::kSub},     {"*", Op::kMul},           {"/", Op::kDiv},
      {"//", Op::kFloorDiv},   {"%", Op::kMod},     {"**", Op::kPow},          {"@", Op::kMatMul},
      {"&", Op::kBitAnd},      {"|", Op::kBitOr},   {"^", Op::kBitXor},        {"<<", Op::kShiftLeft},
      {">>", Op::kShiftRight}, {"~", Op::kInvert},  {"not", Op::kNot},         {"and", Op::kAnd},
      {"or", Op::kOr},         {"<", Op::kLess},    {"<=", Op::kLessEqual},    {"==", Op::kEqual},
      {"!=", Op::kNotEqual},   {">", Op::kGreater}, {">=", Op::kGreaterEqual}, {"in", Op::kIn},
      {"not in", Op::kNotIn},  {"is", Op::kIs},     {"is not", Op::kIsNot},
  };
  if (spelling.size() > 1 && spelling.ends_with('=') && !ops.contains(spelling)) spelling.remove_suffix(1);
  const auto found = ops.find(spelling);
  return found == ops.end() ? Op::kNothing : found->second;
}

// tree-sitter's numbers for the grammar's symbols and fields, looked up once.
struct Grammar {
  const TSLanguage* language = tree_sitter_python();
  std::vector<Rule> rule_of_symbol;
  std::vector<Op> op_of_symbol;
  TSFieldId field(std::string_view spelling) const {
    return ts_language_field_id_for_name(language, spelling.data(), static_cast<std::uint32_t>(spelling.size()));
  }
  TSFieldId name = field("name"), body = field("body"), left = field("left"), right = field("right"),
            type = field("type"), value = field("value"), function = field("function"), arguments = field("arguments"),
            object = field("object"), attribute = field("attribute"), subscript = field("subscript"),
            condition = field("condition"), consequence = field("consequence"), alternative = field("alternative"),
            parameters = field("parameters"), return_type = field("return_type"), superclasses = field("superclasses"),
            alias = field("alias"), module_name = field("module_name"), key = field("key"),
            argument = field("argument"), subject = field("subject"), guard = field("guard"), cause = field("cause"),
            expression = field("expression"), format_specifier = field("format_specifier");

  Grammar() {
    const auto count = ts_language_symbol_count(language);
    rule_of_symbol.assign(count, Rule::kOpaque);
    op_of_symbol.assign(count, Op::kNothing);
    for (TSSymbol symbol = 0; symbol < count; ++symbol) {
      const std::string_view spelling = ts_language_symbol_name(language, symbol);
      if (ts_language_symbol_type(language, symbol) == TSSymbolTypeRegular) {
        const auto found = rules_by_name().find(spelling);
        if (found != rules_by_name().end()) rule_of_symbol[symbol] = found->second;
      } else {
        op_of_symbol[symbol] = operator_named(spelling);
      }
    }
  }
};

const Grammar& grammar() {
  static const Grammar instance;
  return instance;
}

struct TreeDeleter {
  void operator()(TSTree* tree) const { ts_tree_delete(tree); }
};
struct ParserDeleter {
  void operator()(TSParser* parser) const { ts_parser_delete(parser); }
};

TSParser* thread_parser() {
  thread_local const std::unique_ptr<TSParser, ParserDeleter> parser = [] {
    std::unique_ptr<TSParser, ParserDeleter> made(ts_parser_new());
    ts_parser_set_language(made.get(), grammar().language);
    return made;
  }();
  return parser.get();
}

SourceError first_syntax_error(TSNode root, std::string_view source) {
  TSTreeCursor cursor = ts_tree_cursor_new(root);
  TSNode node = root;
  // Down to the innermost leftmost node that has an error.
  for (bool deeper = true; deeper;) {
    deeper = false;
    if (!ts_node_is_error(node) && ts_tree_cursor_goto_first_child(&cursor)) {
      do {
        const TSNode child = ts_tree_cursor_current_node(&cursor);
        if (ts_node_has_error(child) || ts_node_is_missing(child)) {
          node = child;
          deeper = true;
          break;
        }
      } while (ts_tree_cursor_goto_next_sibling(&cursor));
    }
  }
  ts_tree_cursor_delete(&cursor);
  const std::uint32_t at = ts_node_start_byte(node);
  if (ts_node_is_missing(node)) {
    return {SourceError::Kind::kSyntax, at, std::string("expected '") + ts_node_type(node) + "' here"};
  }
  std::string_view rest = source.substr(at, 24);
  rest = rest.substr(0, rest.find('\n'));
  while (!base::is_valid_utf8(rest)) rest.remove_suffix(1);  // cut between characters
  return {SourceError::Kind::kSyntax, at, "this is not Python 3: unexpected '" + std::string(rest) + "'"};
}

using UniqueTree = std::unique_ptr<TSTree, TreeDeleter>;

UniqueTree parse_text(TSParser* parser, std::string_view text) {
  return UniqueTree(ts_parser_parse_string(parser, nullptr, text.data(), static_cast<std::uint32_t>(text.size())));
}

// tree-sitter repairs what is wrong and reads on, in time quadratic and worse in what follows. Only the first error is
// of use: the parser's log tells when it starts to repair, and its cancellation flag stops it there. It also starts in
// vain, where text that is right is ambiguous for a while; those places are passed over.
struct ErrorWatch {
  std::string_view source;
  std::size_t passed = 0;  // starts to repair before this offset are in vain
  std::size_t cancel = 0;
  std::size_t offset = 0;  // of the parser
  std::size_t row = 0;
  std::size_t row_offset = 0;

  static void read_log(void* payload, TSLogType type, const char* line) {
    if (type == TSLogTypeParse) static_cast<ErrorWatch*>(payload)->read_line(line);
  }

  void read_line(std::string_view line) {
    if (line.starts_with("resume version") && offset >= passed) cancel = 1;
    const auto at = line.find(", row:");
    if (!line.starts_with("process version") || at == std::string_view::npos) return;
    unsigned new_row = 0;
    unsigned column = 0;
    if (std::sscanf(line.data() + at, ", row:%u, col:%u", &new_row, &column) == 2) move_to(new_row, column);
  }

  void move_to(std::size_t new_row, std::size_t column) {
    if (new_row < row) row = row_offset = 0;
    for (; row < new_row && row_offset < source.size(); ++row) {
      row_offset = std::min(source.find('\n', row_offset), source.size() - 1) + 1;
    }
    offset = std::min(row_offset + column, source.size());
  }
};

// Nothing if there may be an error, at watch.offset.
UniqueTree parse_watched(ErrorWatch& watch) {
  TSParser* parser = thread_parser();
  ts_parser_set_cancellation_flag(parser, &watch.cancel);
  ts_parser_set_logger(parser, {.payload = &watch, .log = ErrorWatch::read_log});
  UniqueTree tree = parse_text(parser, watch.source);
  ts_parser_set_cancellation_flag(parser, nullptr);
  ts_parser_set_logger(parser, {.payload = nullptr, .log = nullptr});
  ts_parser_reset(parser);
  return watch.cancel != 0 ? nullptr : std::move(tree);
}

// The error around the offset, if there is one: only a little of what follows is parsed with it.
std::optional<SourceError> find_error_near(std::string_view source, std::size_t offset) {
  constexpr std::size_t kContextBytes = 200;
  const std::size_t line_end = source.find('\n', std::min(offset + kContextBytes, source.size()));
  const std::string_view start = source.substr(0, std::min(line_end, offset + 2 * kContextBytes));
  const UniqueTree tree = parse_text(thread_parser(), start);
  const TSNode root = ts_tree_root_node(tree.get());
  if (!ts_node_has_error(root)) return std::nullopt;
  auto error = first_syntax_error(root, start);
  // What the cut itself broke is no error.
  if (start.size() < source.size() && error.offset > offset + kContextBytes / 2) return std::nullopt;
  return error;
}

std::variant<UniqueTree, SourceError> parse_up_to_error(std::string_view source) {
  constexpr int kMaxAlarms = 64;
  ErrorWatch watch{.source = source};
  for (int alarm = 0; alarm < kMaxAlarms; ++alarm) {
    if (UniqueTree tree = parse_watched(watch)) return tree;
    if (auto error = find_error_near(source, watch.offset)) return *std::move(error);
    watch = {.source = source, .passed = watch.offset + 1};
  }
  return SourceError{SourceError::Kind::kTooDeep, static_cast<std::uint32_t>(watch.passed),
                     "this is too ambiguous to parse"};
}

SourceSpan span_of(TSNode node) { return {ts_node_start_byte(node), ts_node_end_byte(node)}; }

// One pass with a cursor over tree-sitter's tree, children before parents.
class Lowering {
 public:
  Lowering(TreeBuilder& builder, TSNode root) : builder_(builder), cursor_(ts_tree_cursor_new(root)) {
    builder_.reserve(ts_node_descendant_count(root) / 2 + 16);
  }
  ~Lowering() { ts_tree_cursor_delete(&cursor_); }
  Lowering(const Lowering&) = delete;
  Lowering& operator=(const Lowering&) = delete;

  std::variant<NodeId, SourceError> run() {
    const NodeId root = lower();
    if (error_) return *std::move(error_);
    return root;
  }

 private:
  struct Child {
    TSFieldId field;
    NodeId node;
  };
  using Children = std::vector<Child>;

  void fail(SourceError::Kind kind, std::string message) {
    if (!error_) error_ = SourceError{kind, ts_node_start_byte(here()), std::move(message)};
  }
  TSNode here() const { return ts_tree_cursor_current_node(&cursor_); }
  std::string_view source_text(TSNode node) const { return builder_.source_of(span_of(node)); }

  template <typename Kids>
  NodeId add(Kind kind, TSNode at, const Kids& kids, std::string_view text = {}, Op op = Op::kNothing) {
    return builder_.add(kind, span_of(at), kids, text, op);
  }
  NodeId add(Kind kind, TSNode at, std::initializer_list<NodeId> kids, std::string_view text = {},
             Op op = Op::kNothing) {
    return builder_.add(kind, span_of(at), kids, text, op);
  }

  // Calls visit(field, node) with the cursor on each child that is no comment.
  template <typename Visit>
  void each_child(Visit visit) {
    if (error_ || !ts_tree_cursor_goto_first_child(&cursor_)) return;
    do {
      const TSNode child = here();
      const TSSymbol symbol = ts_node_symbol(child);
      if (ts_node_is_named(child) && symbol < grammar().rule_of_symbol.size() &&
          grammar().rule_of_symbol[symbol] == Rule::kSkip) {
        continue;
      }
      visit(ts_tree_cursor_current_field_id(&cursor_), child);
    } while (!error_ && ts_tree_cursor_goto_next_sibling(&cursor_));
    ts_tree_cursor_goto_parent(&cursor_);
  }

  std::vector<NodeId> lower_named() {
    std::vector<NodeId> kids;
    each_child([&](TSFieldId, TSNode child) {
      if (ts_node_is_named(child)) kids.push_back(lower());
    });
    return kids;
  }

  Children lower_fields() {
    Children children;
    each_child([&](TSFieldId field, TSNode child) {
      if (ts_node_is_named(child)) children.push_back({field, lower()});
    });
    return children;
  }
  // Only the body is inside the loop: break in its else belongs to an outer one.
  Children lower_loop() {
    Children children;
    each_child([&](TSFieldId field, TSNode child) {
      if (!ts_node_is_named(child)) return;
      const int inside = field == grammar().body ? 1 : 0;
      loops_ += inside;
      children.push_back({field, lower()});
      loops_ -= inside;
    });
    return children;
  }
  static NodeId pick(const Children& children, TSFieldId field) {
    for (const auto& child : children)
      if (child.field == field) return child.node;
    return kAbsentNode;
  }

  NodeId lower_all(Kind kind, TSNode at) { return add(kind, at, lower_named()); }

  NodeId lower() {
    if (error_) return kAbsentNode;
    if (++depth_ > kMaxDepth) {
      fail(SourceError::Kind::kTooDeep, "expressions or blocks are nested too deep here");
      --depth_;
      return kAbsentNode;
    }
    const NodeId node = lower_node(here());
    --depth_;
    return node;
  }

  NodeId lower_node(TSNode at);
  NodeId lower_import_from(TSNode at);
  NodeId lower_alias(TSNode at);
  NodeId lower_parameters(TSNode at);
  NodeId lower_param(TSNode at);
  NodeId lower_function(TSNode at);
  NodeId lower_if(TSNode at);
  NodeId lower_try(TSNode at);
  NodeId lower_handler(TSNode at);
  NodeId lower_operator(TSNode at, Kind kind);
  NodeId lower_compare(TSNode at);
  NodeId lower_slice(TSNode at);
  NodeId lower_subscript(TSNode at);
  NodeId lower_string(TSNode at);
  NodeId lower_concatenated(TSNode at);
  NodeId lower_decorated(TSNode at);

  TreeBuilder& builder_;
  const SyntaxTree& tree_ = builder_.tree();
  TSTreeCursor cursor_;
  std::optional<SourceError> error_;
  int depth_ = 0;
  int functions_ = 0;
  int loops_ = 0;
};

NodeId Lowering::lower_node(TSNode at) {
  const Grammar& g = grammar();
  const TSSymbol symbol = ts_node_symbol(at);
  const Rule rule = symbol < g.rule_of_symbol.size() ? g.rule_of_symbol[symbol] : Rule::kOpaque;
  switch (rule) {
    case Rule::kSkip:
      return kAbsentNode;
    case Rule::kTransparent: {
      const auto kids = lower_named();
      return kids.size() == 1 ? kids[0] : add(kids.empty() ? Kind::kOpaque : Kind::kTuple, at, kids);
    }
    case Rule::kModule:
      return lower_all(Kind::kModule, at);
    case Rule::kBlock:
      return lower_all(Kind::kBlock, at);
    case Rule::kName:
      return add(Kind::kName, at, {}, source_text(at));
    case Rule::kDottedName: {
      // Only patterns of match reach this; imports read the text.
      return lower_all(Kind::kOpaque, at);
    }
    case Rule::kInt:
      return add(Kind::kInt, at, {}, source_text(at));
    case Rule::kFloat:
      return add(Kind::kFloat, at, {}, source_text(at));
    case Rule::kTrue:
      return add(Kind::kTrue, at, {});
    case Rule::kFalse:
      return add(Kind::kFalse, at, {});
    case Rule::kNone:
      return add(Kind::kNone, at, {});
    case Rule::kEllipsis:
      return add(Kind::kEllipsis, at, {});
    case Rule::kPass:
      return add(Kind::kPass, at, {});
    case Rule::kBreak:
      if (loops_ == 0) fail(SourceError::Kind::kSyntax, "break or continue outside a loop");
      return add(Kind::kPass, at, {});
    case Rule::kPython2:
      fail(SourceError::Kind::kSyntax, "this is a Python 2 statement");
      return kAbsentNode;
    case Rule::kString:
      return lower_string(at);
    case Rule::kConcatenated:
      return lower_concatenated(at);
    case Rule::kInterpolation: {
      const auto children = lower_fields();
      const NodeId expression = pick(children, g.expression);
      const NodeId format = pick(children, g.format_specifier);
      // A format that computes is part of the tree; one that is text alone is not.
      return tree_.kids(format).empty() ? expression : add(Kind::kOpaque, at, {expression, format});
    }
    case Rule::kAttribute: {
      NodeId object = kAbsentNode;
      std::string_view name;
      each_child([&](TSFieldId field, TSNode child) {
        if (field == g.object) object = lower();
        if (field == g.attribute) name = source_text(child);
      });
      return add(Kind::kAttribute, at, {object}, name);
    }
    case Rule::kCall: {
      const auto children = lower_fields();
      NodeId arguments = pick(children, g.arguments);
      if (tree_.kind(arguments) != Kind::kList) arguments = add(Kind::kList, at, {arguments});
      return add(Kind::kCall, at, {pick(children, g.function), arguments});
    }
    case Rule::kArguments: {
      const NodeId list = lower_all(Kind::kList, at);
      bool keyword = false;
      for (const NodeId argument : tree_.kids(list)) {
        const Kind kind = tree_.kind(argument);
        if (keyword && kind != Kind::kKeyword && kind != Kind::kStarred && kind != Kind::kDoubleStarred) {
          fail(SourceError::Kind::kSyntax, "a positional argument follows a keyword argument");
        }
        keyword |= kind == Kind::kKeyword || kind == Kind::kDoubleStarred;
      }
      return list;
    }
    case Rule::kKeyword: {
      NodeId value = kAbsentNode;
      std::string_view name;
      each_child([&](TSFieldId field, TSNode child) {
        if (field == g.name) name = source_text(child);
        if (field == g.value) value = lower();
      });
      return add(Kind::kKeyword, at, {value}, name);
    }
    case Rule::kStarred:
    case Rule::kStarParam:
      return lower_all(Kind::kStarred, at);
    case Rule::kDoubleStarred:
    case Rule::kDoubleStarParam:
      return lower_all(Kind::kDoubleStarred, at);
    case Rule::kSubscript:
      return lower_subscript(at);
    case Rule::kSlice:
      return lower_slice(at);
    case Rule::kBinary:
      return lower_operator(at, Kind::kBinary);
    case Rule::kBool:
      return lower_operator(at, Kind::kBool);
    case Rule::kCompare:
      return lower_compare(at);
    case Rule::kUnary: {
      Op op = Op::kNothing;
      NodeId operand = kAbsentNode;
      each_child([&](TSFieldId field, TSNode child) {
        if (field == g.argument) {
          operand = lower();
        } else if (!ts_node_is_named(child)) {
          op = g.op_of_symbol[ts_node_symbol(child)];
        }
      });
      return add(Kind::kUnary, at, {operand}, {}, op);
    }
    case Rule::kNot:
      return add(Kind::kUnary, at, lower_named(), {}, Op::kNot);
    case Rule::kConditional:
      return lower_all(Kind::kConditional, at);
    case Rule::kNamed: {
      NodeId value = kAbsentNode;
      std::string_view name;
      each_child([&](TSFieldId field, TSNode child) {
        if (field == g.name) name = source_text(child);
        if (field == g.value) value = lower();
      });
      return add(Kind::kNamed, at, {value}, name);
    }
    case Rule::kLambda: {
      ++functions_;
      const auto children = lower_fields();
      --functions_;
      NodeId parameters = pick(children, g.parameters);
      if (parameters == kAbsentNode) parameters = add(Kind::kList, at, {});
      return add(Kind::kLambda, at, {parameters, pick(children, g.body)});
    }
    case Rule::kTuple:
      return lower_all(Kind::kTuple, at);
    case Rule::kListDisplay:
      return lower_all(Kind::kListDisplay, at);
    case Rule::kSet:
      return lower_all(Kind::kSet, at);
    case Rule::kDict:
      return lower_all(Kind::kDict, at);
    case Rule::kPair: {
      const auto children = lower_fields();
      return add(Kind::kPair, at, {pick(children, g.key), pick(children, g.value)});
    }
    case Rule::kComprehension:
      return lower_all(Kind::kComprehension, at);
    case Rule::kForIn: {
      const auto children = lower_fields();
      return add(Kind::kCompFor, at, {pick(children, g.left), pick(children, g.right)});
    }
    case Rule::kIfClause:
      return lower_all(Kind::kCompIf, at);
    case Rule::kAwait:
      return lower_all(Kind::kAwait, at);
    case Rule::kYield:
      if (functions_ == 0) fail(SourceError::Kind::kSyntax, "yield outside a function");
      return lower_all(Kind::kYield, at);
    case Rule::kReturn:
      if (functions_ == 0) fail(SourceError::Kind::kSyntax, "return outside a function");
      return lower_all(Kind::kReturn, at);
    case Rule::kAssign: {
      const auto children = lower_fields();
      return add(Kind::kAssign, at, {pick(children, g.left), pick(children, g.right), pick(children, g.type)});
    }
    case Rule::kAugAssign: {
      Op op = Op::kNothing;
      NodeId target = kAbsentNode;
      NodeId value = kAbsentNode;
      each_child([&](TSFieldId field, TSNode child) {
        if (field == g.left) {
          target = lower();
        } else if (field == g.right) {
          value = lower();
        } else {
          op = operator_named(source_text(child));
        }
      });
      return add(Kind::kAugAssign, at, {target, value}, {}, op);
    }
    case Rule::kFunction:
      return lower_function(at);
    case Rule::kParameters:
      return lower_parameters(at);
    case Rule::kParam:
      return lower_param(at);
    case Rule::kClass: {
      const int functions = std::exchange(functions_, 0);
      const int loops = std::exchange(loops_, 0);
      std::string_view name;
      NodeId bases = kAbsentNode;
      NodeId body = kAbsentNode;
      each_child([&](TSFieldId field, TSNode child) {
        if (field == g.name) name = source_text(child);
        if (field == g.superclasses) bases = lower();
        if (field == g.body) body = lower();
      });
      functions_ = functions;
      loops_ = loops;
      if (bases == kAbsentNode) bases = add(Kind::kList, at, {});
      const NodeId decorators = add(Kind::kList, at, {});
      return add(Kind::kClassDef, at, {decorators, bases, body}, name);
    }
    case Rule::kDecorated:
      return lower_decorated(at);
    case Rule::kIf:
      return lower_if(at);
    case Rule::kFor: {
      const auto children = lower_loop();
      return add(
          Kind::kFor, at,
          {pick(children, g.left), pick(children, g.right), pick(children, g.body), pick(children, g.alternative)});
    }
    case Rule::kWhile: {
      const auto children = lower_loop();
      return add(Kind::kWhile, at,
                 {pick(children, g.condition), pick(children, g.body), pick(children, g.alternative)});
    }
    case Rule::kTry:
      return lower_try(at);
    case Rule::kExcept:
      return lower_handler(at);
    case Rule::kWith: {
      NodeId items = kAbsentNode;
      NodeId body = kAbsentNode;
      each_child([&](TSFieldId field, TSNode child) {
        if (!ts_node_is_named(child)) return;
        if (field == g.body) {
          body = lower();
        } else {
          items = lower_all(Kind::kList, child);
        }
      });
      return add(Kind::kWith, at, {items, body});
    }
    case Rule::kWithItem: {
      const auto kids = lower_named();
      const NodeId item = kids.empty() ? kAbsentNode : kids[0];
      if (tree_.kind(item) == Kind::kWithItem) return item;
      return add(Kind::kWithItem, at, {item, kAbsentNode});
    }
    case Rule::kAsPattern: {
      const auto kids = lower_named();
      return add(Kind::kWithItem, at, kids);
    }
    case Rule::kMatch: {
      std::vector<NodeId> subjects;
      NodeId cases = kAbsentNode;
      each_child([&](TSFieldId field, TSNode child) {
        if (field == g.subject) subjects.push_back(lower());
        if (field == g.body) cases = lower_all(Kind::kList, child);
      });
      const NodeId subject = subjects.size() == 1 ? subjects[0] : add(Kind::kTuple, at, subjects);
      return add(Kind::kMatch, at, {subject, cases});
    }
    case Rule::kCase: {
      std::vector<NodeId> patterns;
      NodeId guard = kAbsentNode;
      NodeId body = kAbsentNode;
      each_child([&](TSFieldId field, TSNode child) {
        if (!ts_node_is_named(child)) return;
        if (field == g.guard) {
          guard = lower();
        } else if (field == g.consequence) {
          body = lower();
        } else {
          patterns.push_back(lower());
        }
      });
      const NodeId pattern = add(Kind::kOpaque, at, patterns);
      return add(Kind::kCase, at, {pattern, guard, body});
    }
    case Rule::kRaise: {
      NodeId exception = kAbsentNode;
      NodeId cause = kAbsentNode;
      each_child([&](TSFieldId field, TSNode child) {
        if (!ts_node_is_named(child)) return;
        (field == g.cause ? cause : exception) = lower();
      });
      return add(Kind::kRaise, at, {exception, cause});
    }
    case Rule::kAssert:
      return lower_all(Kind::kAssert, at);
    case Rule::kDelete:
      return builder_.add_delete(span_of(at), lower_named());
    case Rule::kGlobal:
      return lower_all(Kind::kGlobal, at);
    case Rule::kNonlocal:
      return lower_all(Kind::kNonlocal, at);
    case Rule::kImport: {
      std::vector<NodeId> aliases;
      each_child([&](TSFieldId field, TSNode child) {
        if (field == g.name) aliases.push_back(lower_alias(child));
      });
      return add(Kind::kImport, at, aliases);
    }
    case Rule::kImportFrom:
      return lower_import_from(at);
    case Rule::kAlias:
      return lower_alias(at);
    case Rule::kTypeAlias: {
      const auto children = lower_fields();
      const Kind left = tree_.kind(pick(children, g.left));
      if (left != Kind::kName && left != Kind::kOpaque) {  // type(x).y = z, which the grammar misreads
        fail(SourceError::Kind::kSyntax, "this reads as a type alias: put parentheses around type(...)");
      }
      return add(Kind::kTypeAlias, at, {pick(children, g.left), pick(children, g.right)});
    }
    case Rule::kAnnotation:
    case Rule::kOpaque:
      return lower_all(Kind::kOpaque, at);
  }
  return kAbsentNode;
}

NodeId Lowering::lower_alias(TSNode at) {
  if (grammar().rule_of_symbol[ts_node_symbol(at)] != Rule::kAlias) {
    return add(Kind::kAlias, at, {kAbsentNode}, source_text(at));
  }
  std::string_view dotted;
  NodeId bound = kAbsentNode;
  each_child([&](TSFieldId field, TSNode child) {
    if (field == grammar().name) dotted = source_text(child);
    if (field == grammar().alias) bound = lower();
  });
  return add(Kind::kAlias, at, {bound}, dotted);
}

NodeId Lowering::lower_import_from(TSNode at) {
  std::string_view module = "__future__";
  std::vector<NodeId> aliases;
  each_child([&](TSFieldId field, TSNode child) {
    if (field == grammar().module_name) module = source_text(child);
    if (field == grammar().name) aliases.push_back(lower_alias(child));
  });
  return add(Kind::kImportFrom, at, aliases, module);
}

NodeId Lowering::lower_parameters(TSNode at) {
  std::vector<NodeId> params;
  bool keyword_only = false;
  each_child([&](TSFieldId, TSNode child) {
    if (!ts_node_is_named(child)) return;
    if (std::string_view(ts_node_type(child)) == "keyword_separator") {
      keyword_only = true;
      return;
    }
    const NodeId param = lower_param(child);
    if (tree_.op(param) == Op::kNothing && keyword_only) builder_.set_op(param, Op::kKeywordOnly);
    if (tree_.op(param) == Op::kStar) keyword_only = true;
    params.push_back(param);
  });
  return add(Kind::kList, at, params);
}

NodeId Lowering::lower_param(TSNode at) {
  const Grammar& g = grammar();
  std::string_view name;
  NodeId fallback = kAbsentNode;
  NodeId annotation = kAbsentNode;
  Op op = Op::kNothing;
  const auto take_name = [&](TSNode node) {
    name = source_text(node);
    if (name.starts_with("**")) {
      op = Op::kDoubleStar;
      name.remove_prefix(2);
    } else if (name.starts_with('*')) {
      op = Op::kStar;
      name.remove_prefix(1);
    }
    while (name.starts_with(' ')) name.remove_prefix(1);
  };
  if (g.rule_of_symbol[ts_node_symbol(at)] != Rule::kParam) {
    take_name(at);
  } else {
    each_child([&](TSFieldId field, TSNode child) {
      if (!ts_node_is_named(child)) return;
      if (field == g.value) {
        fallback = lower();
      } else if (field == g.type) {
        annotation = lower();
      } else {
        take_name(child);
      }
    });
  }
  return add(Kind::kParam, at, {fallback, annotation}, name, op);
}

NodeId Lowering::lower_function(TSNode at) {
  const Grammar& g = grammar();
  const int loops = std::exchange(loops_, 0);
  ++functions_;
  std::string_view name;
  NodeId parameters = kAbsentNode;
  NodeId body = kAbsentNode;
  NodeId annotation = kAbsentNode;
  each_child([&](TSFieldId field, TSNode child) {
    if (field == g.name) name = source_text(child);
    if (field == g.parameters) parameters = lower();
    if (field == g.return_type) annotation = lower();
    if (field == g.body) body = lower();
  });
  --functions_;
  loops_ = loops;
  const NodeId decorators = add(Kind::kList, at, {});
  return add(Kind::kFunctionDef, at, {decorators, parameters, body, annotation}, name);
}

NodeId Lowering::lower_decorated(TSNode at) {
  std::vector<NodeId> decorators;
  NodeId definition = kAbsentNode;
  each_child([&](TSFieldId, TSNode child) {
    if (!ts_node_is_named(child)) return;
    const NodeId node = lower();
    if (tree_.kind(node) == Kind::kFunctionDef || tree_.kind(node) == Kind::kClassDef) {
      definition = node;
    } else {
      decorators.push_back(node);
    }
  });
  if (definition == kAbsentNode) return kAbsentNode;
  const NodeId list = add(Kind::kList, at, decorators);
  builder_.set_decorators(definition, list);
  return definition;
}

NodeId Lowering::lower_if(TSNode at) {
  const Grammar& g = grammar();
  NodeId condition = kAbsentNode;
  NodeId body = kAbsentNode;
  std::vector<NodeId> elifs;  // flat in the source, and there may be many
  NodeId otherwise = kAbsentNode;
  each_child([&](TSFieldId field, TSNode) {
    if (field == g.condition) {
      condition = lower();
    } else if (field == g.consequence) {
      body = lower();
    } else if (field == g.alternative) {
      const NodeId alternative = lower();
      if (tree_.kind(alternative) == Kind::kIf) {
        elifs.push_back(alternative);
      } else {
        otherwise = alternative;
      }
    }
  });
  if (elifs.size() > kMaxElifs) {
    fail(SourceError::Kind::kTooDeep, "too many elif branches");
    return kAbsentNode;
  }
  return builder_.add_if(span_of(at), condition, body, elifs, otherwise);
}

NodeId Lowering::lower_try(TSNode at) {
  NodeId body = kAbsentNode;
  NodeId otherwise = kAbsentNode;
  NodeId last = kAbsentNode;
  std::vector<NodeId> handlers;
  each_child([&](TSFieldId field, TSNode child) {
    if (!ts_node_is_named(child)) return;
    const std::string_view type = ts_node_type(child);
    const NodeId node = lower();
    if (field == grammar().body) {
      body = node;
    } else if (type == "else_clause") {
      otherwise = node;
    } else if (type == "finally_clause") {
      last = node;
    } else {
      handlers.push_back(node);
    }
  });
  const NodeId list = add(Kind::kList, at, handlers);
  return add(Kind::kTry, at, {body, list, otherwise, last});
}

NodeId Lowering::lower_handler(TSNode at) {
  NodeId type = kAbsentNode;
  NodeId body = kAbsentNode;
  std::string_view name;
  for (const NodeId kid : lower_named()) {
    if (tree_.kind(kid) == Kind::kBlock) {
      body = kid;
    } else if (tree_.kind(kid) == Kind::kWithItem) {  // `E as e`
      type = tree_.kid(kid, 0);
      name = tree_.text(tree_.kid(kid, 1));
    } else if (type == kAbsentNode) {
      type = kid;
    } else {
      fail(SourceError::Kind::kSyntax, "except with a comma is Python 2");
    }
  }
  return add(Kind::kHandler, at, {type, body}, name);
}

NodeId Lowering::lower_operator(TSNode at, Kind kind) {
  const Grammar& g = grammar();
  Op op = Op::kNothing;
  NodeId left = kAbsentNode;
  NodeId right = kAbsentNode;
  each_child([&](TSFieldId field, TSNode child) {
    if (field == g.left) {
      left = lower();
    } else if (field == g.right) {
      right = lower();
    } else {
      op = g.op_of_symbol[ts_node_symbol(child)];
    }
  });
  return add(kind, at, {left, right}, {}, op);
}

NodeId Lowering::lower_compare(TSNode at) {
  Op op = Op::kNothing;
  std::vector<NodeId> operands;
  each_child([&](TSFieldId, TSNode child) {
    if (ts_node_is_named(child)) {
      operands.push_back(lower());
    } else if (op == Op::kNothing) {
      op = operator_named(ts_node_type(child));
    }
  });
  return add(Kind::kCompare, at, operands, {}, op);
}

NodeId Lowering::lower_slice(TSNode at) {
  std::array<NodeId, 3> parts{};
  std::size_t slot = 0;
  each_child([&](TSFieldId, TSNode child) {
    if (!ts_node_is_named(child)) {
      slot = std::min<std::size_t>(slot + 1, 2);
    } else {
      parts[slot] = lower();
    }
  });
  return add(Kind::kSlice, at, parts);
}

NodeId Lowering::lower_subscript(TSNode at) {
  const Grammar& g = grammar();
  NodeId object = kAbsentNode;
  std::vector<NodeId> indices;
  bool comma = false;
  each_child([&](TSFieldId field, TSNode child) {
    if (field == g.value) {
      object = lower();
    } else if (ts_node_is_named(child)) {
      indices.push_back(lower());
    } else if (source_text(child) == ",") {
      comma = true;
    }
  });
  const NodeId index = indices.size() == 1 && !comma ? indices[0] : add(Kind::kTuple, at, indices);
  return add(Kind::kSubscript, at, {object, index});
}

NodeId Lowering::lower_string(TSNode at) {
  const StringPrefix prefix = read_string_prefix(source_text(at));
  if (!prefix.formatted) return builder_.add_string(span_of(at));
  std::vector<NodeId> parts;
  each_child([&](TSFieldId, TSNode child) {
    if (grammar().rule_of_symbol[ts_node_symbol(child)] == Rule::kInterpolation) {
      parts.push_back(lower());
    } else if (std::string_view(ts_node_type(child)) == "string_content") {
      parts.push_back(builder_.add_formatted_text(span_of(child), prefix.raw));
    }
  });
  return builder_.add_formatted(span_of(at), parts);
}

NodeId Lowering::lower_concatenated(TSNode at) { return builder_.add_concatenated(span_of(at), lower_named()); }

}  // namespace

std::variant<SyntaxTree, SourceError> grammar_parse(std::string_view source) {
  auto parsed = parse_up_to_error(source);
  if (auto* error = std::get_if<SourceError>(&parsed)) return std::move(*error);
  const TSNode root = ts_tree_root_node(std::get<UniqueTree>(parsed).get());
  if (ts_node_has_error(root)) return first_syntax_error(root, source);
  TreeBuilder builder(source);
  auto lowered = Lowering(builder, root).run();
  if (auto* error = std::get_if<SourceError>(&lowered)) return std::move(*error);
  return std::move(builder).finish(std::get<NodeId>(lowered));
}

}  // namespace tritonrl::pysource
