#include <algorithm>

#include "ttir/ir/parser.h"
#include "ttir/ir/parser_types.h"

namespace tritonrl::ttir {

ValueId Parser::parse_value(std::size_t& offset) {
  const Token name = lexer_.take(TokenKind::kValue, "a value");
  offset = name.offset;
  std::uint32_t number = 0;
  // "%x#1": the lexer cuts it in two.
  if (lexer_.at(TokenKind::kHash)) {
    if (lexer_.token().offset != name.end) lexer_.expected("a value");
    const std::string_view digits = lexer_.token().text;
    if (digits.size() > 9 || !std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; }))
      lexer_.expected("a result's number");
    for (const char digit : digits) number = number * 10 + static_cast<std::uint32_t>(digit - '0');
    lexer_.next();
  }
  return values_.use(name.text, number, offset);
}

void Parser::parse_operand(Draft& draft) {
  std::size_t offset = 0;
  draft.operation.operands.push_back(parse_value(offset));
  draft.operand_offsets.push_back(offset);
}

void Parser::parse_operands(Draft& draft, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (i != 0) lexer_.expect(',');
    parse_operand(draft);
  }
}

std::size_t Parser::parse_operands_in(Draft& draft, char open, char close) {
  const std::size_t before = draft.operation.operands.size();
  lexer_.expect(open);
  if (!lexer_.at(close)) {
    do parse_operand(draft);
    while (lexer_.accept(','));
  }
  lexer_.expect(close);
  return draft.operation.operands.size() - before;
}

const Type& Parser::operand_type(const Draft& draft, std::size_t index) const {
  return module_.functions.back().value_types[draft.operation.operands[index]];
}

void Parser::type_operand(Draft& draft, std::size_t index, const Type& type) {
  values_.require_type(draft.operation.operands[index], type, draft.operand_offsets[index]);
}

void Parser::type_operands(Draft& draft, std::size_t first, const std::vector<Type>& types) {
  const std::size_t count = draft.operation.operands.size() - first;
  if (types.size() != count)
    lexer_.fail(draft.offset, "this operation has " + std::to_string(count) + " operands, but types for " +
                                  std::to_string(types.size()));
  for (std::size_t i = 0; i < count; ++i) type_operand(draft, first + i, types[i]);
}

void Parser::parse_operand_types(Draft& draft, std::size_t first) { type_operands(draft, first, parse_types()); }

void Parser::parse_function_type(Draft& draft) {
  lexer_.expect(':');
  if (!lexer_.at('(')) lexer_.expected("'('");
  type_operands(draft, 0, parse_type_or_types());
  lexer_.expect(kArrow);
  draft.results = parse_type_or_types();
}

std::vector<Type> Parser::parse_types() {
  std::vector<Type> types;
  do types.push_back(parse_type(lexer_));
  while (lexer_.accept(','));
  return types;
}

std::vector<Type> Parser::parse_type_or_types() {
  if (!lexer_.accept('(')) return {parse_type(lexer_)};
  std::vector<Type> types;
  if (!lexer_.at(')')) types = parse_types();
  lexer_.expect(')');
  return types;
}

void Parser::set(Draft& draft, const char* name, Attribute value) {
  if (!draft.operation.attributes.emplace(name, std::move(value)).second)
    lexer_.fail(draft.offset, std::string("this operation has '") + name + "' twice");
}

void Parser::parse_word_into(Draft& draft, const char* name, std::span<const std::string_view> words) {
  if (!lexer_.at(TokenKind::kWord) || std::ranges::find(words, lexer_.token().text) == words.end()) {
    std::string choices;
    for (const std::string_view word : words) choices += (choices.empty() ? "" : ", ") + std::string(word);
    lexer_.expected("one of " + choices);
  }
  set(draft, name, std::string(lexer_.token().text));
  lexer_.next();
}

}  // namespace tritonrl::ttir
