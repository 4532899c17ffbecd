#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ttir/ir/parser_values.h"
#include "ttir/ir/program.h"

// What the parser keeps of things that it has begun to read.
namespace tritonrl::ttir {

// An operation while it is read.
struct Draft {
  Operation operation;
  std::size_t offset = 0;                    // of its name
  std::vector<std::size_t> operand_offsets;  // by operand
  std::vector<Type> results;
};

// Arguments that an operation's header names for its region's first block.
struct HeaderArguments {
  std::vector<ResultName> names;
  std::vector<Type> types;
  std::vector<LocationId> locations;
};

// What a region must look like.
struct RegionRules {
  Opcode terminator{};
  std::optional<std::span<const Type>> yields;  // what the terminator hands on; nothing: the operation checks
  bool may_leave_terminator_out = false;
  bool may_branch = false;
};

struct Label {
  std::optional<std::uint32_t> block;
  std::size_t offset = 0;
};

struct OpenRegion {
  const RegionRules* rules = nullptr;
  std::unordered_map<std::string_view, std::uint32_t> label_numbers;
  std::vector<Label> labels;  // successors hold a label's number until the region is complete
};

struct Call {
  std::string callee;
  std::vector<Type> operands;
  std::vector<Type> results;
  std::size_t offset = 0;
  std::size_t caller = 0;  // function
};

}  // namespace tritonrl::ttir
