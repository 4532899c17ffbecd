#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "ttir/ir/lexer.h"
#include "ttir/ir/program.h"

namespace tritonrl::ttir {

using Attributes = std::unordered_map<std::string, Attribute>;

// Reads attributes. Those that an Attribute cannot hold (of other dialects, lists of anything but integers,
// dictionaries, types) are kept as the text that spells them.
class AttributeParser {
 public:
  explicit AttributeParser(Lexer& lexer) : lexer_(lexer) {}

  // "{a = 1 : i32, b}", if the token opens one, into `attributes`; a name that is there already is an error.
  void parse_optional_dictionary(Attributes& attributes) { parse_optional_dictionary(attributes, 0); }
  Attribute parse() { return parse(0); }
  // What arith.constant holds: i1 as bool, other integers as int64_t, floats and tensors as a DenseAttribute.
  Attribute parse_constant(Type& type);

  // "#name = <attribute>", the name and '=' being read already. Uses must follow.
  void define_alias(std::string_view name);

 private:
  void parse_optional_dictionary(Attributes& attributes, int depth);
  Attribute parse(int depth);
  Attribute parse_number();
  Attribute parse_dense();
  Attribute parse_array();
  Attribute parse_list(int depth);
  Attribute parse_hash();

  Lexer& lexer_;
  std::unordered_set<std::string_view> aliases_;
};

// The bits of a literal (a number, or the word true or false) as an `element`; an error when it does not fit.
std::uint64_t literal_bits(const Lexer& lexer, const Token& literal, Element element);

}  // namespace tritonrl::ttir
