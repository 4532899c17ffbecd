#include "pysource/grammar_symbols.h"

#include <unordered_map>

extern "C" const TSLanguage* tree_sitter_python();

namespace tritonrl::pysource {
namespace {

const std::unordered_map<std::string_view, Rule>& rules_by_name() {
  static const std::unordered_map<std::string_view, Rule> rules = {
      {"comment", Rule::kSkip},
      {"line_continuation", Rule::kSkip},
      {"positional_separator", Rule::kSkip},
      {"format_specifier", Rule::kOpaque},
      {"expression_statement", Rule::kExpressionStatement},
      {"parenthesized_expression", Rule::kTransparent},
      {"type", Rule::kTransparent},
      {"as_pattern_target", Rule::kTransparent},
      {"decorator", Rule::kTransparent},
      {"else_clause", Rule::kTransparent},
      {"finally_clause", Rule::kTransparent},
      {"format_expression", Rule::kInterpolation},
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
      {"keyword_separator", Rule::kKeywordSeparator},
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
      {"tuple_pattern", Rule::kTuplePattern},
      {"type_alias_statement", Rule::kTypeAlias},
      {"generic_type", Rule::kGenericType},
      {"union_type", Rule::kUnionType},
      {"member_type", Rule::kMemberType},
      {"constrained_type", Rule::kConstrainedType},
      {"splat_type", Rule::kStarred},
      {"unary_operator", Rule::kUnary},
      {"while_statement", Rule::kWhile},
      {"with_statement", Rule::kWith},
      {"with_item", Rule::kWithItem},
      {"yield", Rule::kYield},
  };
  return rules;
}

}  // namespace

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

Grammar::Grammar() : language(tree_sitter_python()) {
  const auto count = static_cast<TSSymbol>(ts_language_symbol_count(language));
  rule_of_symbol_.assign(count, Rule::kOpaque);
  op_of_symbol_.assign(count, Op::kNothing);
  for (TSSymbol symbol = 0; symbol < count; ++symbol) {
    const std::string_view spelling = ts_language_symbol_name(language, symbol);
    if (ts_language_symbol_type(language, symbol) == TSSymbolTypeRegular) {
      const auto found = rules_by_name().find(spelling);
      if (found != rules_by_name().end()) rule_of_symbol_[symbol] = found->second;
    } else {
      op_of_symbol_[symbol] = operator_named(spelling);
    }
  }
}

TSFieldId Grammar::field(std::string_view spelling) const {
  return ts_language_field_id_for_name(language, spelling.data(), static_cast<std::uint32_t>(spelling.size()));
}

Rule Grammar::rule_of(TSNode node) const {
  const TSSymbol symbol = ts_node_symbol(node);
  return ts_node_is_named(node) && symbol < rule_of_symbol_.size() ? rule_of_symbol_[symbol] : Rule::kOpaque;
}

const Grammar& grammar() {
  static const Grammar instance;
  return instance;
}

}  // namespace tritonrl::pysource
