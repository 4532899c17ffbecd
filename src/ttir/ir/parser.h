#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ttir/ir/lexer.h"
#include "ttir/ir/parser_attributes.h"
#include "ttir/ir/parser_locations.h"
#include "ttir/ir/parser_state.h"
#include "ttir/ir/parser_values.h"
#include "ttir/ir/program.h"

namespace tritonrl::ttir {

// parse_module's work: one pass over the text. parser.cpp reads what holds operations (module, functions, regions,
// blocks), parser_operations.cpp one operation after the form that its opcode has, parser_control.cpp those with
// regions or successors. parser_rules.h judges types and attributes once an operation is read.
class Parser {
 public:
  explicit Parser(std::string_view text);
  Module parse();

 private:
  // parser.cpp
  void parse_aliases();
  void parse_functions();
  void parse_function();
  void parse_parameters(Function& function, HeaderArguments& arguments);
  void parse_region(Region& region, const HeaderArguments& header, const RegionRules& rules);
  void parse_label(Block& block, std::uint32_t index);
  std::uint32_t label_number(const Token& label);
  void parse_block(Block& block, const RegionRules& rules);
  void connect_blocks(Region& region);
  Operation parse_operation();
  std::vector<Type> argument_types(const Region& region) const;
  void check_calls() const;

  // parser_operations.cpp
  void parse_form(Draft& draft);
  void parse_uniform(Draft& draft, std::size_t operands);
  void parse_extended(Draft& draft);
  void parse_pair(Draft& draft);
  void parse_conversion(Draft& draft);
  void parse_comparison(Draft& draft);
  void parse_select(Draft& draft);
  void parse_arrow(Draft& draft, std::size_t operands);
  void parse_functional(Draft& draft);
  void parse_range(Draft& draft);
  void parse_program_axis(Draft& draft);
  Type parse_pointer_type(Draft& draft);
  void parse_load(Draft& draft);
  void parse_store(Draft& draft);
  void parse_atomic(Draft& draft);
  void parse_tensor_pointer(Draft& draft);
  void parse_descriptor_access(Draft& draft);
  void parse_dot(Draft& draft);
  void parse_dot_scaled(Draft& draft);
  void parse_inline_asm(Draft& draft);
  void parse_print(Draft& draft);
  void parse_condition(Draft& draft);
  void parse_barrier(Draft& draft);
  void parse_flags(Draft& draft);
  void parse_cache_words(Draft& draft);

  // parser_control.cpp
  void parse_initial_values(Draft& draft, HeaderArguments& arguments);
  void parse_for(Draft& draft);
  void parse_if(Draft& draft);
  void parse_while(Draft& draft);
  void parse_index_switch(Draft& draft);
  void parse_execute_region(Draft& draft);
  void parse_combination(Draft& draft);
  void parse_call(Draft& draft);
  void parse_branch(Draft& draft);
  void parse_successor(Draft& draft);
  void parse_terminator(Draft& draft);
  void check_terminator(const Draft& draft) const;

  // Pieces of operations, in parser_pieces.cpp.
  void parse_operand(Draft& draft);
  void parse_operands(Draft& draft, std::size_t count);
  std::size_t parse_operands_in(Draft& draft, char open, char close);
  ValueId parse_value(std::size_t& offset);
  void type_operand(Draft& draft, std::size_t index, const Type& type);
  void type_operands(Draft& draft, std::size_t first, const std::vector<Type>& types);
  const Type& operand_type(const Draft& draft, std::size_t index) const;
  void parse_operand_types(Draft& draft, std::size_t first);  // "t, t"
  void parse_function_type(Draft& draft);                     // ": (t, t) -> t"
  std::vector<Type> parse_types();                            // "t, t"
  std::vector<Type> parse_type_or_types();                    // "t", "(t, t)" or "()"
  void parse_dictionary(Draft& draft) { attributes_.parse_optional_dictionary(draft.operation.attributes); }
  void set(Draft& draft, const char* name, Attribute value);
  void parse_word_into(Draft& draft, const char* name, std::span<const std::string_view> words);

  Lexer lexer_;
  AttributeParser attributes_;
  LocationTable locations_;
  ValueTable values_;
  Module module_;
  std::vector<OpenRegion> open_regions_;
  std::vector<Call> calls_;
  std::unordered_map<std::string, std::size_t> function_numbers_;
};

}  // namespace tritonrl::ttir
