#pragma once

#include <tree_sitter/api.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "pysource/syntax_tree.h"

namespace tritonrl::pysource {

// What becomes of a node of tree-sitter's.
enum class Rule : std::uint8_t {
  kSkip,
  kOpaque,
  kTransparent,  // stands for its only named child
  kAlias,
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
  kConstrainedType,
  kDecorated,
  kDelete,
  kDict,
  kDottedName,
  kDoubleStarred,
  kEllipsis,
  kExcept,
  kExpressionStatement,
  kFalse,
  kFloat,
  kFor,
  kForIn,
  kFunction,
  kGenericType,
  kGlobal,
  kIf,
  kIfClause,
  kImport,
  kImportFrom,
  kInt,
  kInterpolation,
  kKeyword,
  kKeywordSeparator,
  kLambda,
  kListDisplay,
  kMatch,
  kMemberType,
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
  kTuplePattern,
  kTypeAlias,
  kUnary,
  kUnionType,
  kWhile,
  kWith,
  kWithItem,
  kYield,
};

// "+" and "+=" alike are kAdd; kNothing for what is no operator.
Op operator_named(std::string_view spelling);

// tree-sitter's numbers for the grammar's symbols and fields, looked up once.
class Grammar {
 public:
  Grammar();

  TSFieldId field(std::string_view spelling) const;
  Rule rule_of(TSNode node) const;
  Op op_of(TSNode token) const { return op_of_symbol_[ts_node_symbol(token)]; }

  const TSLanguage* language;
  TSFieldId name = field("name"), body = field("body"), left = field("left"), right = field("right"),
            type = field("type"), value = field("value"), function = field("function"), arguments = field("arguments"),
            object = field("object"), attribute = field("attribute"), condition = field("condition"),
            consequence = field("consequence"), alternative = field("alternative"), parameters = field("parameters"),
            return_type = field("return_type"), superclasses = field("superclasses"), alias = field("alias"),
            op = field("operator"), module_name = field("module_name"), key = field("key"),
            argument = field("argument"), subject = field("subject"), guard = field("guard"), cause = field("cause"),
            expression = field("expression"), format_specifier = field("format_specifier");

 private:
  std::vector<Rule> rule_of_symbol_;
  std::vector<Op> op_of_symbol_;
};

const Grammar& grammar();

}  // namespace tritonrl::pysource
