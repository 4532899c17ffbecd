#include "ttir/ir/parser_locations.h"

#include <utility>

namespace tritonrl::ttir {
namespace {

constexpr int kMaxNesting = 100;
// Calls are inlined a handful deep; beyond this a location's outermost callers are left out.
constexpr std::uint32_t kMaxCallers = 64;
// Names are repeated for each location: without a limit a small text can ask for any amount of memory.
constexpr std::size_t kMaxLocationBytes = std::size_t{512} << 20;

}  // namespace

LocationTable::LocationTable(Lexer& lexer) : lexer_(lexer) { nodes_.emplace_back(); }

LocationId LocationTable::add(Node node) {
  nodes_.push_back(node);
  return static_cast<LocationId>(nodes_.size() - 1);
}

LocationId LocationTable::alias(const Token& name) {
  const auto [entry, is_new] = aliases_.try_emplace(name.text, static_cast<LocationId>(nodes_.size()));
  if (is_new) add({.kind = Kind::kAlias, .defined = false, .text = name});
  return entry->second;
}

LocationId LocationTable::parse_optional() {
  if (!lexer_.accept_word("loc")) return 0;
  lexer_.expect('(');
  const LocationId id = parse(0);
  lexer_.expect(')');
  return id;
}

void LocationTable::define_alias(const Token& name) {
  const LocationId id = alias(name);
  if (nodes_[id].defined) lexer_.fail(name.offset, "#" + std::string(name.text) + " is defined twice");
  const LocationId content = parse_optional();
  if (content + 1 == nodes_.size() && nodes_[content].kind != Kind::kAlias) {
    nodes_[id] = nodes_[content];
    nodes_.pop_back();
  } else {
    nodes_[id].inner = content;
  }
  nodes_[id].defined = true;
}

LocationId LocationTable::parse(int depth) {
  const Token token = lexer_.token();
  if (depth > kMaxNesting)
    lexer_.fail(token.offset, "locations nest deeper than " + std::to_string(kMaxNesting) + " levels");
  if (token.kind == TokenKind::kHash) {
    lexer_.next();
    return alias(token);
  }
  if (token.kind == TokenKind::kString) {
    lexer_.next();
    if (lexer_.accept('(')) {
      const LocationId inner = parse(depth + 1);
      lexer_.expect(')');
      return add({.kind = Kind::kName, .inner = inner, .text = token});
    }
    if (!lexer_.accept(':')) return add({.kind = Kind::kName, .text = token});
    const std::uint32_t line = lexer_.take_count("a line");
    lexer_.expect(':');
    const std::uint32_t column = lexer_.take_count("a column");
    // The end of a range: "to 3:4" or "to :4".
    if (lexer_.accept_word("to")) {
      if (lexer_.at(TokenKind::kInteger)) lexer_.take_count("a line");
      lexer_.expect(':');
      lexer_.take_count("a column");
    }
    return add({.kind = Kind::kFile, .line = line, .column = column, .text = token});
  }
  if (lexer_.accept_word("unknown")) return 0;
  if (lexer_.accept_word("callsite")) {
    lexer_.expect('(');
    const LocationId inner = parse(depth + 1);
    lexer_.expect_word("at");
    const LocationId caller = parse(depth + 1);
    lexer_.expect(')');
    return add({.kind = Kind::kCallSite, .inner = inner, .caller = caller, .text = {}});
  }
  if (lexer_.accept_word("fused")) return parse_fused(depth);
  lexer_.expected("a location");
}

LocationId LocationTable::parse_fused(int depth) {
  if (lexer_.at('<')) lexer_.skip_brackets();
  lexer_.expect('[');
  const LocationId first = parse(depth + 1);
  while (lexer_.accept(',')) parse(depth + 1);
  lexer_.expect(']');
  return first;
}

std::vector<LocationId> LocationTable::inner_first() const {
  enum class State : std::uint8_t { kNew, kOpen, kDone };
  std::vector<State> states(nodes_.size(), State::kNew);
  std::vector<LocationId> order;
  std::vector<LocationId> stack;
  for (LocationId root = 0; root < nodes_.size(); ++root) {
    stack.push_back(root);
    while (!stack.empty()) {
      const LocationId id = stack.back();
      if (states[id] != State::kNew) {
        if (states[id] == State::kOpen) order.push_back(id);
        states[id] = State::kDone;
        stack.pop_back();
        continue;
      }
      states[id] = State::kOpen;
      const Node& node = nodes_[id];
      if (!node.defined) lexer_.fail(node.text.offset, "#" + std::string(node.text.text) + " is not defined");
      for (const LocationId next : {node.inner, node.caller}) {
        if (next == 0 || states[next] == State::kDone) continue;
        if (states[next] == State::kOpen) lexer_.fail(node.text.offset, "a location is defined by itself");
        stack.push_back(next);
      }
    }
  }
  return order;
}

void LocationTable::charge(const Location& location, const Node& node) {
  bytes_ += sizeof(Location) + location.file.size() + location.name.size();
  if (bytes_ > kMaxLocationBytes) lexer_.fail(node.text.offset, "the locations of this module take too much memory");
}

std::uint32_t LocationTable::callers_of(const Location& location) const {
  return location.caller ? callers_[*location.caller] + 1 : 0;
}

void LocationTable::set_caller(Location& location, LocationId caller) const {
  location.caller.reset();
  if (callers_[caller] < kMaxCallers) location.caller = caller;
}

LocationId LocationTable::with_outer_caller(LocationId chain, LocationId caller) {
  std::vector<LocationId> inner;
  for (std::optional<LocationId> id = chain; id; id = done_[*id].caller) inner.push_back(*id);
  LocationId outer = caller;
  for (; !inner.empty(); inner.pop_back()) {
    Location copy = done_[inner.back()];
    set_caller(copy, outer);
    charge(copy, nodes_[caller]);
    callers_.push_back(callers_of(copy));
    done_.push_back(std::move(copy));
    outer = static_cast<LocationId>(done_.size() - 1);
  }
  return outer;
}

Location LocationTable::resolved(const Node& node) {
  if (node.kind == Kind::kUnknown) return {};
  if (node.kind == Kind::kFile)
    return {
        .file = lexer_.unescaped(node.text), .line = node.line, .column = node.column + 1, .name = {}, .caller = {}};
  Location location = done_[node.inner];
  if (node.kind == Kind::kName) location.name = lexer_.unescaped(node.text);
  if (node.kind == Kind::kCallSite)
    set_caller(location, location.caller ? with_outer_caller(*location.caller, node.caller) : node.caller);
  return location;
}

std::vector<Location> LocationTable::finish() {
  done_.resize(nodes_.size());
  callers_.resize(nodes_.size());
  for (const LocationId id : inner_first()) {
    Location location = resolved(nodes_[id]);
    charge(location, nodes_[id]);
    callers_[id] = callers_of(location);
    done_[id] = std::move(location);
  }
  return std::move(done_);
}

}  // namespace tritonrl::ttir
