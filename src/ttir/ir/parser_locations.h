#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ttir/ir/lexer.h"
#include "ttir/ir/program.h"

namespace tritonrl::ttir {

// The locations of a module while it is read: aliases may be used before they are defined. Id 0 is the unknown place.
class LocationTable {
 public:
  explicit LocationTable(Lexer& lexer);

  // "loc(...)", if the token is one; otherwise the unknown place.
  LocationId parse_optional();
  // "#name = loc(...)", the name and '=' being read already.
  void define_alias(const Token& name);

  // All locations, by id; an error when an alias was used and never defined, or is defined by itself.
  std::vector<Location> finish();

 private:
  enum class Kind : std::uint8_t { kUnknown, kFile, kName, kCallSite, kAlias };
  struct Node {
    Kind kind = Kind::kUnknown;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    LocationId inner = 0;   // kName: what is named; kCallSite: the place in the callee; kAlias: what it stands for
    LocationId caller = 0;  // kCallSite
    bool defined = true;
    Token text;  // kFile: the file; kName: the name; kAlias: the alias
  };

  LocationId add(Node node);
  LocationId parse(int depth);
  LocationId parse_fused(int depth);
  LocationId alias(const Token& name);
  std::vector<LocationId> inner_first() const;
  Location resolved(const Node& node);
  LocationId with_outer_caller(LocationId chain, LocationId caller);
  void set_caller(Location& location, LocationId caller) const;
  std::uint32_t callers_of(const Location& location) const;
  void charge(const Location& location, const Node& node);

  Lexer& lexer_;
  std::vector<Node> nodes_;
  std::unordered_map<std::string_view, LocationId> aliases_;
  // What finish() makes, by id; copies that a node's callers need follow the nodes.
  std::vector<Location> done_;
  std::vector<std::uint32_t> callers_;  // how many there are
  std::size_t bytes_ = 0;
};

}  // namespace tritonrl::ttir
