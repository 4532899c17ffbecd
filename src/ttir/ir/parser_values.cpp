#include "ttir/ir/parser_values.h"

#include <algorithm>
#include <string>

#include "ttir/ir/parser_dominance.h"

namespace tritonrl::ttir {
namespace {

constexpr std::uint32_t kNoBlock = ~std::uint32_t{0};
// The dominance of more could take long; kernels have a few.
constexpr std::uint32_t kMaxBlocks = 2048;

}  // namespace

void ValueTable::start(Function& function) {
  function_ = &function;
  names_.clear();
  visible_.clear();
  ids_.clear();
  early_.clear();
  value_blocks_.clear();
  typed_.clear();
  blocks_.clear();
  region_count_ = 0;
}

void ValueTable::finish() {
  if (early_.empty()) return;
  std::size_t first = ~std::size_t{0};
  for (const auto& [name, values] : early_)
    for (const auto& [number, value] : values) first = std::min(first, value.uses.front().offset);
  undefined(first);
}

void ValueTable::undefined(std::size_t offset) const {
  lexer_.fail(offset, std::string(lexer_.value_name(offset)) + " is not defined here");
}

void ValueTable::open_region() {
  open_.push_back({.number = region_count_++, .block = kNoBlock, .first_name = visible_.size(), .cross_uses = {}});
}

void ValueTable::start_block() {
  OpenRegion& region = open_.back();
  if (region.block_count == kMaxBlocks)
    lexer_.fail(lexer_.token().offset, "a region has at most " + std::to_string(kMaxBlocks) + " blocks");
  if (region.block_count == 1) ++open_later_blocks_;
  blocks_.push_back({.region = region.number,
                     .parent = open_.size() > 1 ? open_[open_.size() - 2].block : kNoBlock,
                     .depth = static_cast<std::uint32_t>(open_.size() - 1),
                     .index = region.block_count++});
  region.block = static_cast<std::uint32_t>(blocks_.size() - 1);
}

void ValueTable::close_region(std::span<const std::pair<std::uint32_t, std::uint32_t>> branches) {
  const OpenRegion& region = open_.back();
  if (!region.cross_uses.empty()) {
    const Dominance dominance(region.block_count, branches);
    for (const CrossUse& use : region.cross_uses)
      if (!dominance.dominates(use.defined, use.used)) undefined(use.offset);
  }
  if (region.block_count > 1) --open_later_blocks_;
  for (; visible_.size() > region.first_name; visible_.pop_back()) names_.erase(visible_.back());
  open_.pop_back();
}

ValueId ValueTable::new_value(std::uint32_t block) {
  value_blocks_.push_back(block);
  typed_.push_back(false);
  function_->value_types.emplace_back();
  function_->value_locations.push_back(0);
  return static_cast<ValueId>(function_->value_types.size() - 1);
}

void ValueTable::check_visible(std::uint32_t defined_in, std::size_t offset) {
  const Block& defined = blocks_[defined_in];
  OpenRegion& region = open_[defined.depth];
  if (region.block != defined_in && defined.index != 0)
    region.cross_uses.push_back({defined.index, blocks_[region.block].index, offset});
}

ValueId ValueTable::use(std::string_view name, std::uint32_t number, std::size_t offset) {
  if (const auto found = names_.find(name); found != names_.end()) {
    if (number >= found->second.count)
      lexer_.fail(offset, "%" + std::string(name) + " has " + std::to_string(found->second.count) + " results");
    const ValueId id = ids_[found->second.first + number];
    check_visible(value_blocks_[id], offset);
    return id;
  }
  if (open_later_blocks_ == 0) undefined(offset);
  const auto [entry, is_new] = early_[name].try_emplace(number);
  if (is_new) entry->second.id = new_value(kNoBlock);
  entry->second.uses.push_back({open_.back().block, offset});
  return entry->second.id;
}

void ValueTable::require_type(ValueId id, const Type& type, std::size_t offset) {
  Type& known = function_->value_types[id];
  if (!typed_[id]) {
    known = type;
    typed_[id] = true;
  } else if (!(known == type)) {
    lexer_.fail(offset,
                std::string(lexer_.value_name(offset)) + " is " + known.text() + ", but is used as " + type.text());
  }
}

void ValueTable::bind_early_uses(const EarlyValue& value) {
  OpenRegion& region = open_.back();
  for (const EarlyUse& use : value.uses) {
    std::uint32_t block = use.block;
    while (block != kNoBlock && blocks_[block].region != region.number) block = blocks_[block].parent;
    if (block == kNoBlock || block == region.block) undefined(use.offset);
    region.cross_uses.push_back({blocks_[region.block].index, blocks_[block].index, use.offset});
  }
  value_blocks_[value.id] = region.block;
}

void ValueTable::define(std::span<const ResultName> names, std::span<const Type> types, LocationId location,
                        std::vector<ValueId>& ids) {
  std::size_t next_type = 0;
  for (const ResultName& name : names) {
    const Name entry{static_cast<std::uint32_t>(ids_.size()), name.count};
    if (!names_.emplace(name.name, entry).second)
      lexer_.fail(name.offset, "%" + std::string(name.name) + " is defined twice");
    visible_.push_back(name.name);
    const auto early = early_.empty() ? early_.end() : early_.find(name.name);
    for (std::uint32_t i = 0; i < name.count; ++i) {
      ValueId id = kNoValue;
      if (early != early_.end()) {
        if (const auto value = early->second.find(i); value != early->second.end()) {
          bind_early_uses(value->second);
          id = value->second.id;
          early->second.erase(value);
        }
      }
      if (id == kNoValue) id = new_value(open_.back().block);
      require_type(id, types[next_type++], name.offset);
      function_->value_locations[id] = location;
      ids_.push_back(id);
      ids.push_back(id);
    }
    if (early != early_.end()) {
      if (!early->second.empty()) undefined(early->second.begin()->second.uses.front().offset);
      early_.erase(early);
    }
  }
}

void ValueTable::define_unnamed(std::span<const Type> types, LocationId location, std::vector<ValueId>& ids) {
  for (const Type& type : types) {
    const ValueId id = new_value(open_.back().block);
    function_->value_types[id] = type;
    typed_[id] = true;
    function_->value_locations[id] = location;
    ids.push_back(id);
  }
}

}  // namespace tritonrl::ttir
