#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "ttir/ir/opcode.h"
#include "ttir/ir/type.h"

// A parsed Triton IR module: typed and immutable. Ids index the vectors of their function or module.
namespace tritonrl::ttir {

using ValueId = std::uint32_t;
using LocationId = std::uint32_t;
inline constexpr ValueId kNoValue = ~ValueId{0};

// A place in the user's source. `caller` is the call site for code that came out of another function.
struct Location {
  std::string file;  // empty: unknown
  std::uint32_t line = 0;
  std::uint32_t column = 0;  // counts from 1, like every column here; the IR's text counts from 0
  std::string name;          // the Python variable, where the IR names it
  std::optional<LocationId> caller;
};

// dense<...>: one element for all lanes, or one for each. Bits in the low end of each word.
struct DenseAttribute {
  Type type;
  std::vector<std::uint64_t> bits;
  bool splat = false;
};

using Attribute = std::variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>, DenseAttribute>;

struct Block;
struct Region {
  std::vector<Block> blocks;
};

struct Successor {
  std::uint32_t block = 0;  // in the operation's own region
  std::vector<ValueId> arguments;
};

// Operands in the order of the op's definition; an optional one in the middle that is absent is kNoValue, absent
// ones at the end are left out. Enumerations that the text spells as words (predicates, semantics, rounding, axis of
// program ids as 0..2, ...) are attributes of the name that TritonOps.td gives them; in a dictionary they are numbers
// (padding). The "value" of arith.constant is a bool for i1, an int64_t for other integers, else a DenseAttribute.
// Every block ends with its terminator, also where the text leaves scf.yield out. scf.if without else has one region;
// scf.index_switch has its default first, then one region for each of "cases".
struct Operation {
  Opcode opcode{};
  std::vector<ValueId> operands;
  std::vector<ValueId> results;
  std::unordered_map<std::string, Attribute> attributes;
  std::vector<Region> regions;
  std::vector<Successor> successors;
  LocationId location = 0;

  const Attribute* attribute(const std::string& name) const;
  std::int64_t integer(const std::string& name, std::int64_t otherwise) const;
  std::string_view word(const std::string& name, std::string_view otherwise) const;
  std::span<const std::int64_t> list(const std::string& name) const;
};

struct Block {
  std::vector<ValueId> arguments;
  std::vector<Operation> operations;
};

struct Parameter {
  ValueId value = 0;
  std::string name;
  std::int64_t divisibility = 1;  // tt.divisibility: of the address in bytes, or of the integer
};

struct Function {
  std::string name;
  bool is_public = false;
  std::vector<Parameter> parameters;
  std::vector<Type> results;
  Region body;
  std::vector<Type> value_types;            // by ValueId
  std::vector<LocationId> value_locations;  // by ValueId
  LocationId location = 0;
};

struct Module {
  std::vector<Function> functions;
  std::vector<Location> locations;

  const Function& kernel() const;  // the public function
  const Function* find(std::string_view name) const;
};

// The text of kernel.asm["ttir"]. What is no Triton IR, or has regions, types or operand counts that do not match, is
// a base::InputError at its line and column in `text`. Well-formed IR that this machine has no implementation for is an
// UnsupportedError ("tt.foo is not supported").
Module parse_module(std::string_view text);

}  // namespace tritonrl::ttir
