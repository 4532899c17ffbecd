#include <algorithm>

#include "ttir/ir/parser.h"
#include "ttir/ir/parser_rules.h"
#include "ttir/ir/parser_types.h"

namespace tritonrl::ttir {

// "(%a = %x, %b = %y)": the arguments' names and, as operands, what they start with.
void Parser::parse_initial_values(Draft& draft, HeaderArguments& arguments) {
  lexer_.expect('(');
  if (lexer_.accept(')')) return;
  do {
    const Token name = lexer_.take(TokenKind::kValue, "an argument");
    arguments.names.push_back({.name = name.text, .offset = name.offset});
    arguments.locations.push_back(0);
    lexer_.expect('=');
    parse_operand(draft);
  } while (lexer_.accept(','));
  lexer_.expect(')');
}

void Parser::parse_for(Draft& draft) {
  if (lexer_.accept_word("unsigned")) set(draft, "unsignedCmp", true);
  const Token induction = lexer_.take(TokenKind::kValue, "the loop's variable");
  HeaderArguments arguments{
      .names = {{.name = induction.text, .offset = induction.offset}}, .types = {{}}, .locations = {0}};
  lexer_.expect('=');
  parse_operand(draft);
  lexer_.expect_word("to");
  parse_operand(draft);
  lexer_.expect_word("step");
  parse_operand(draft);
  if (lexer_.accept_word("iter_args")) {
    parse_initial_values(draft, arguments);
    lexer_.expect(kArrow);
    draft.results = parse_type_or_types();
    type_operands(draft, 3, draft.results);
  }
  arguments.types[0] = scalar(Element::kI64);
  if (lexer_.accept(':')) arguments.types[0] = parse_type(lexer_);
  for (std::size_t i = 0; i < 3; ++i) type_operand(draft, i, arguments.types[0]);
  arguments.types.insert(arguments.types.end(), draft.results.begin(), draft.results.end());
  parse_region(
      draft.operation.regions.emplace_back(), arguments,
      {.terminator = Opcode::kScfYield, .yields = draft.results, .may_leave_terminator_out = draft.results.empty()});
  parse_dictionary(draft);
}

void Parser::parse_if(Draft& draft) {
  parse_operand(draft);
  type_operand(draft, 0, scalar(Element::kI1));
  if (lexer_.accept(kArrow)) draft.results = parse_type_or_types();
  const RegionRules rules{
      .terminator = Opcode::kScfYield, .yields = draft.results, .may_leave_terminator_out = draft.results.empty()};
  draft.operation.regions.reserve(2);
  parse_region(draft.operation.regions.emplace_back(), {}, rules);
  if (lexer_.accept_word("else")) {
    parse_region(draft.operation.regions.emplace_back(), {}, rules);
  } else if (!draft.results.empty()) {
    lexer_.expected("'else'");
  }
  parse_dictionary(draft);
}

void Parser::parse_while(Draft& draft) {
  HeaderArguments arguments;
  if (lexer_.at('(')) parse_initial_values(draft, arguments);
  parse_function_type(draft);
  for (std::size_t i = 0; i < arguments.names.size(); ++i) arguments.types.push_back(operand_type(draft, i));
  draft.operation.regions.resize(2);
  const std::vector<Type> carried = arguments.types;
  parse_region(draft.operation.regions[0], arguments, {.terminator = Opcode::kScfCondition, .yields = draft.results});
  lexer_.expect_word("do");
  parse_region(draft.operation.regions[1], {},
               {.terminator = Opcode::kScfYield, .yields = carried, .may_leave_terminator_out = carried.empty()});
  if (argument_types(draft.operation.regions[1]) != draft.results)
    lexer_.fail(draft.offset, "the second region of scf.while takes other values than the first hands on");
  if (lexer_.accept_word("attributes") && !lexer_.at('{')) lexer_.expected("'{'");
  parse_dictionary(draft);
}

void Parser::parse_index_switch(Draft& draft) {
  parse_operand(draft);
  type_operand(draft, 0, scalar(Element::kI64));
  parse_dictionary(draft);
  if (lexer_.accept(kArrow)) draft.results = parse_type_or_types();
  const RegionRules rules{
      .terminator = Opcode::kScfYield, .yields = draft.results, .may_leave_terminator_out = draft.results.empty()};
  std::vector<Region>& regions = draft.operation.regions;
  regions.emplace_back();
  std::vector<std::int64_t> cases;
  while (lexer_.accept_word("case")) {
    const Token literal = lexer_.take(TokenKind::kInteger, "a number");
    cases.push_back(static_cast<std::int64_t>(literal_bits(lexer_, literal, Element::kI64)));
    Region region;
    parse_region(region, {}, rules);
    regions.push_back(std::move(region));
  }
  lexer_.expect_word("default");
  parse_region(regions[0], {}, rules);
  set(draft, "cases", std::move(cases));
}

void Parser::parse_execute_region(Draft& draft) {
  if (lexer_.accept(kArrow)) draft.results = parse_type_or_types();
  if (lexer_.accept_word("no_inline")) set(draft, "no_inline", true);
  parse_region(draft.operation.regions.emplace_back(), {},
               {.terminator = Opcode::kScfYield,
                .yields = draft.results,
                .may_leave_terminator_out = draft.results.empty(),
                .may_branch = true});
  parse_dictionary(draft);
}

void Parser::parse_combination(Draft& draft) {
  const Opcode opcode = draft.operation.opcode;
  parse_operands_in(draft, '(', ')');
  if (lexer_.accept('<')) {
    parse_dictionary(draft);
    lexer_.expect('>');
  }
  lexer_.expect('(');
  parse_region(draft.operation.regions.emplace_back(), {},
               {.terminator = opcode == Opcode::kTtReduce ? Opcode::kTtReduceReturn
                              : opcode == Opcode::kTtScan ? Opcode::kTtScanReturn
                                                          : Opcode::kTtMapElementwiseReturn,
                .yields = {},
                .may_branch = opcode == Opcode::kTtMapElementwise});
  lexer_.expect(')');
  parse_dictionary(draft);
  parse_function_type(draft);
}

void Parser::parse_call(Draft& draft) {
  const Token callee = lexer_.take(TokenKind::kSymbol, "a function's name");
  set(draft, "callee", std::string(callee.text));
  parse_operands_in(draft, '(', ')');
  parse_dictionary(draft);
  parse_function_type(draft);
  Call call{.callee = std::string(callee.text),
            .operands = {},
            .results = draft.results,
            .offset = callee.offset,
            .caller = module_.functions.size() - 1};
  for (std::size_t i = 0; i < draft.operation.operands.size(); ++i) call.operands.push_back(operand_type(draft, i));
  calls_.push_back(std::move(call));
}

void Parser::parse_branch(Draft& draft) {
  if (draft.operation.opcode == Opcode::kCfCondBr) {
    parse_operand(draft);
    type_operand(draft, 0, scalar(Element::kI1));
    if (lexer_.accept_word("weights")) lexer_.skip_brackets();
    lexer_.expect(',');
    parse_successor(draft);
    lexer_.expect(',');
  }
  parse_successor(draft);
  parse_dictionary(draft);
  check_terminator(draft);
}

void Parser::parse_successor(Draft& draft) {
  Successor successor{.block = label_number(lexer_.take(TokenKind::kLabel, "a block")), .arguments = {}};
  if (lexer_.accept('(')) {
    Draft values;
    values.offset = draft.offset;
    do parse_operand(values);
    while (lexer_.accept(','));
    lexer_.expect(':');
    parse_operand_types(values, 0);
    lexer_.expect(')');
    successor.arguments = std::move(values.operation.operands);
  }
  draft.operation.successors.push_back(std::move(successor));
}

void Parser::parse_terminator(Draft& draft) {
  std::size_t first = 0;
  if (draft.operation.opcode == Opcode::kScfCondition) {
    lexer_.expect('(');
    parse_operand(draft);
    type_operand(draft, 0, scalar(Element::kI1));
    lexer_.expect(')');
    first = 1;
  }
  parse_dictionary(draft);
  if (lexer_.at(TokenKind::kValue)) {
    do parse_operand(draft);
    while (lexer_.accept(','));
    parse_dictionary(draft);
    lexer_.expect(':');
    parse_operand_types(draft, first);
  }
  check_terminator(draft);
}

void Parser::check_terminator(const Draft& draft) const {
  const RegionRules& rules = *open_regions_.back().rules;
  const Opcode opcode = draft.operation.opcode;
  if (rules.may_branch && (opcode == Opcode::kCfBr || opcode == Opcode::kCfCondBr)) return;
  if (opcode != rules.terminator)
    lexer_.fail(draft.offset, "this region ends with " + std::string(name_of(rules.terminator)) + ", not with " +
                                  std::string(name_of(opcode)));
  if (!rules.yields) return;
  const std::span<const Type> expected = *rules.yields;
  const std::size_t first = opcode == Opcode::kScfCondition ? 1 : 0;
  const std::size_t count = draft.operation.operands.size() - first;
  if (count != expected.size())
    lexer_.fail(draft.offset, "expected " + std::to_string(expected.size()) + " values to be handed on, found " +
                                  std::to_string(count));
  for (std::size_t i = 0; i < count; ++i)
    if (const Type& type = operand_type(draft, first + i); !(type == expected[i]))
      lexer_.fail(draft.operand_offsets[first + i],
                  "expected a value of type " + expected[i].text() + ", found " + type.text());
}

}  // namespace tritonrl::ttir
