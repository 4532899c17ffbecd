#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ttir/ir/lexer.h"
#include "ttir/ir/program.h"

namespace tritonrl::ttir {

// One entry on the left of an operation: "%x" or "%x:2".
struct ResultName {
  std::string_view name;
  std::uint32_t count = 1;
  std::size_t offset = 0;
};

// The values of a function while it is read: which names are visible, what types they have, and that every use is
// dominated by its definition. In blocks after a region's first, a use may stand before the definition in the text.
class ValueTable {
 public:
  explicit ValueTable(const Lexer& lexer) : lexer_(lexer) {}

  void start(Function& function);
  void finish();  // an error for a value that is used and nowhere defined

  void open_region();
  void start_block();
  // `branches` from block to block, by index in the region.
  void close_region(std::span<const std::pair<std::uint32_t, std::uint32_t>> branches);

  ValueId use(std::string_view name, std::uint32_t number, std::size_t offset);
  void require_type(ValueId id, const Type& type, std::size_t offset);
  // Adds the ids of the values to `ids`. There are as many types as the names count together.
  void define(std::span<const ResultName> names, std::span<const Type> types, LocationId location,
              std::vector<ValueId>& ids);
  // Values that no name refers to.
  void define_unnamed(std::span<const Type> types, LocationId location, std::vector<ValueId>& ids);

 private:
  struct Name {
    std::uint32_t first = 0;  // in ids_
    std::uint32_t count = 0;
  };
  struct Block {
    std::uint32_t region = 0;
    std::uint32_t parent = 0;  // the block that holds the region's operation
    std::uint32_t depth = 0;   // of the region
    std::uint32_t index = 0;   // in the region
  };
  // A use in another block than the definition's, by their indices in the region where the two part.
  struct CrossUse {
    std::uint32_t defined = 0;
    std::uint32_t used = 0;
    std::size_t offset = 0;
  };
  struct OpenRegion {
    std::uint32_t number = 0;
    std::uint32_t block = 0;
    std::uint32_t block_count = 0;
    std::size_t first_name = 0;  // in visible_
    std::vector<CrossUse> cross_uses;
  };
  struct EarlyUse {
    std::uint32_t block = 0;
    std::size_t offset = 0;
  };
  struct EarlyValue {
    ValueId id = 0;
    std::vector<EarlyUse> uses;
  };

  ValueId new_value(std::uint32_t block);
  void check_visible(std::uint32_t defined_in, std::size_t offset);
  void bind_early_uses(const EarlyValue& value);
  [[noreturn]] void undefined(std::size_t offset) const;

  const Lexer& lexer_;
  Function* function_ = nullptr;
  std::unordered_map<std::string_view, Name> names_;
  std::vector<std::string_view> visible_;  // the keys of names_, in the order of definition
  std::vector<ValueId> ids_;
  std::unordered_map<std::string_view, std::map<std::uint32_t, EarlyValue>> early_;
  std::vector<std::uint32_t> value_blocks_;  // by ValueId
  std::vector<bool> typed_;                  // by ValueId
  std::vector<Block> blocks_;
  std::vector<OpenRegion> open_;
  std::uint32_t region_count_ = 0;
  std::size_t open_later_blocks_ = 0;  // regions that are past their first block
};

}  // namespace tritonrl::ttir
