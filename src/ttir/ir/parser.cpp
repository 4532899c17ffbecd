#include "ttir/ir/parser.h"

#include <algorithm>
#include <iterator>

#include "base/error.h"
#include "ttir/ir/parser_rules.h"
#include "ttir/ir/parser_types.h"
#include "ttir/unsupported.h"

namespace tritonrl::ttir {
namespace {

constexpr std::size_t kMaxTextBytes = std::size_t{64} << 20;
constexpr std::size_t kMaxRegionDepth = 200;

std::string_view within_limit(std::string_view text) {
  if (text.size() > kMaxTextBytes)
    throw base::InputError(
        {"ttir"}, "the text has " + std::to_string(text.size()) + " bytes, more than " + std::to_string(kMaxTextBytes));
  return text;
}

}  // namespace

Parser::Parser(std::string_view text)
    : lexer_(within_limit(text)), attributes_(lexer_), locations_(lexer_), values_(lexer_) {}

Module Parser::parse() {
  parse_aliases();
  if (!lexer_.at_word("module") && !lexer_.at_word("builtin.module")) lexer_.expected("'module'");
  const std::size_t offset = lexer_.token().offset;
  lexer_.next();
  if (lexer_.at(TokenKind::kSymbol)) lexer_.next();
  if (lexer_.accept_word("attributes")) {
    Attributes ignored;
    if (!lexer_.at('{')) lexer_.expected("'{'");
    attributes_.parse_optional_dictionary(ignored);
  }
  parse_functions();
  locations_.parse_optional();
  parse_aliases();
  if (!lexer_.at(TokenKind::kEnd)) lexer_.expected("the end of the text");
  const auto kernels = std::ranges::count_if(module_.functions, &Function::is_public);
  if (kernels != 1) lexer_.fail(offset, "a module has one public function, this one has " + std::to_string(kernels));
  check_calls();
  module_.locations = locations_.finish();
  return std::move(module_);
}

void Parser::parse_aliases() {
  while (lexer_.at(TokenKind::kHash)) {
    const Token name = lexer_.token();
    lexer_.next();
    lexer_.expect('=');
    if (lexer_.at_word("loc")) {
      locations_.define_alias(name);
    } else {
      attributes_.define_alias(name.text);
    }
  }
  if (lexer_.at(TokenKind::kTypeName)) lexer_.unsupported(lexer_.token(), "a name for a type");
}

void Parser::parse_functions() {
  lexer_.expect('{');
  while (!lexer_.at('}')) {
    const Token name = lexer_.token();
    if (name.kind != TokenKind::kWord || name.text.find('.') == std::string_view::npos)
      lexer_.expected("a function or '}'");
    if (name.text != "tt.func") lexer_.unsupported(name, std::string(name.text));
    lexer_.next();
    parse_function();
  }
  lexer_.next();
}

void Parser::parse_function() {
  Function& function = module_.functions.emplace_back();
  function.is_public = true;
  if (lexer_.at(TokenKind::kWord)) {
    if (!lexer_.at_word("public") && !lexer_.at_word("private") && !lexer_.at_word("nested"))
      lexer_.expected("a function's name");
    function.is_public = lexer_.at_word("public");
    lexer_.next();
  }
  const Token name = lexer_.take(TokenKind::kSymbol, "a function's name");
  function.name = name.text;
  if (!function_numbers_.emplace(function.name, module_.functions.size() - 1).second)
    lexer_.fail(name.offset, "the function @" + function.name + " is defined twice");

  values_.start(function);
  HeaderArguments arguments;
  parse_parameters(function, arguments);
  if (lexer_.accept(kArrow)) {
    if (lexer_.accept('(')) {
      while (!lexer_.at(')')) {
        function.results.push_back(parse_type(lexer_));
        Attributes ignored;
        attributes_.parse_optional_dictionary(ignored);
        if (!lexer_.accept(',') && !lexer_.at(')')) lexer_.expected("',' or ')'");
      }
      lexer_.next();
    } else {
      function.results.push_back(parse_type(lexer_));
    }
  }
  if (lexer_.accept_word("attributes")) {
    Attributes ignored;
    if (!lexer_.at('{')) lexer_.expected("'{'");
    attributes_.parse_optional_dictionary(ignored);
  }
  if (!lexer_.at('{')) lexer_.unsupported(lexer_.token(), "a function without a body");
  parse_region(function.body, arguments,
               {.terminator = Opcode::kTtReturn, .yields = function.results, .may_branch = true});
  values_.finish();
  for (std::size_t i = 0; i < function.parameters.size(); ++i)
    function.parameters[i].value = function.body.blocks[0].arguments[i];
  function.location = locations_.parse_optional();
}

void Parser::parse_parameters(Function& function, HeaderArguments& arguments) {
  lexer_.expect('(');
  if (lexer_.accept(')')) return;
  do {
    const Token name = lexer_.token();
    if (name.kind == TokenKind::kWord || name.kind == TokenKind::kTypeName)
      lexer_.unsupported(name, "a function without a body");
    lexer_.take(TokenKind::kValue, "a parameter");
    lexer_.expect(':');
    arguments.names.push_back({.name = name.text, .offset = name.offset});
    arguments.types.push_back(parse_type(lexer_));
    Operation holder;
    attributes_.parse_optional_dictionary(holder.attributes);
    function.parameters.push_back({.name = std::string(name.text),
                                   .divisibility = std::max<std::int64_t>(1, holder.integer("tt.divisibility", 1))});
    arguments.locations.push_back(locations_.parse_optional());
  } while (lexer_.accept(','));
  lexer_.expect(')');
}

void Parser::parse_region(Region& region, const HeaderArguments& header, const RegionRules& rules) {
  const std::size_t offset = lexer_.token().offset;
  if (open_regions_.size() == kMaxRegionDepth)
    lexer_.fail(offset, "regions nest deeper than " + std::to_string(kMaxRegionDepth) + " levels");
  lexer_.expect('{');
  open_regions_.push_back({.rules = &rules, .label_numbers = {}, .labels = {}});
  values_.open_region();
  do {
    const auto index = static_cast<std::uint32_t>(region.blocks.size());
    Block& block = region.blocks.emplace_back();
    values_.start_block();
    if (index == 0) {
      for (std::size_t i = 0; i < header.names.size(); ++i)
        values_.define({&header.names[i], 1}, {&header.types[i], 1}, header.locations[i], block.arguments);
    } else if (!rules.may_branch) {
      lexer_.fail(lexer_.token().offset, "this region has one block only");
    }
    if (lexer_.at(TokenKind::kLabel) && (index != 0 || header.names.empty())) parse_label(block, index);
    parse_block(block, rules);
  } while (lexer_.at(TokenKind::kLabel));
  lexer_.expect('}');
  connect_blocks(region);
  open_regions_.pop_back();
}

std::uint32_t Parser::label_number(const Token& label) {
  OpenRegion& region = open_regions_.back();
  const auto [entry, is_new] =
      region.label_numbers.try_emplace(label.text, static_cast<std::uint32_t>(region.labels.size()));
  if (is_new) region.labels.push_back({.block = {}, .offset = label.offset});
  return entry->second;
}

void Parser::parse_label(Block& block, std::uint32_t index) {
  const Token name = lexer_.take(TokenKind::kLabel, "a block");
  Label& label = open_regions_.back().labels[label_number(name)];
  if (label.block) lexer_.fail(name.offset, "^" + std::string(name.text) + " is defined twice");
  label.block = index;
  if (lexer_.accept('(')) {
    do {
      const Token argument = lexer_.take(TokenKind::kValue, "a block's argument");
      lexer_.expect(':');
      const Type type = parse_type(lexer_);
      const ResultName result{.name = argument.text, .offset = argument.offset};
      const LocationId location = locations_.parse_optional();
      values_.define({&result, 1}, {&type, 1}, location, block.arguments);
    } while (lexer_.accept(','));
    lexer_.expect(')');
  }
  lexer_.expect(':');
}

void Parser::parse_block(Block& block, const RegionRules& rules) {
  bool ended = false;
  while (!lexer_.at('}') && !lexer_.at(TokenKind::kLabel)) {
    if (ended) lexer_.expected("the end of the block");
    block.operations.push_back(parse_operation());
    ended = is_terminator(block.operations.back().opcode);
  }
  if (ended) return;
  if (!rules.may_leave_terminator_out)
    lexer_.fail(lexer_.token().offset, "this block does not end with " + std::string(name_of(rules.terminator)));
  block.operations.emplace_back().opcode = rules.terminator;
}

void Parser::connect_blocks(Region& region) {
  const std::vector<Label>& labels = open_regions_.back().labels;
  const std::vector<Type>& types = module_.functions.back().value_types;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> branches;
  for (std::uint32_t from = 0; from < region.blocks.size(); ++from) {
    for (Successor& successor : region.blocks[from].operations.back().successors) {
      const Label& label = labels[successor.block];
      if (!label.block) lexer_.fail(label.offset, "this block is not defined in its region");
      if (*label.block == 0) lexer_.fail(label.offset, "nothing branches to a region's first block");
      successor.block = *label.block;
      branches.emplace_back(from, successor.block);
      const auto type_of = [&types](ValueId id) -> const Type& { return types[id]; };
      if (!std::ranges::equal(successor.arguments, region.blocks[successor.block].arguments, {}, type_of, type_of))
        lexer_.fail(label.offset, "a branch hands on other values than its block takes");
    }
  }
  values_.close_region(branches);
}

std::vector<Type> Parser::argument_types(const Region& region) const {
  std::vector<Type> types;
  for (const ValueId id : region.blocks[0].arguments) types.push_back(module_.functions.back().value_types[id]);
  return types;
}

Operation Parser::parse_operation() {
  std::vector<ResultName> names;
  std::size_t named = 0;
  if (lexer_.at(TokenKind::kValue)) {
    do {
      const Token name = lexer_.take(TokenKind::kValue, "a result");
      ResultName result{.name = name.text, .offset = name.offset};
      if (lexer_.accept(':')) result.count = lexer_.take_count("a count of results");
      if (result.count == 0) lexer_.fail(name.offset, "a name stands for one value or more");
      named += result.count;
      names.push_back(result);
    } while (lexer_.accept(','));
    lexer_.expect('=');
  }
  const Token name = lexer_.token();
  const bool generic = name.kind == TokenKind::kString;
  if (!generic && name.kind != TokenKind::kWord) lexer_.expected("an operation");
  const std::optional<Opcode> opcode = opcode_named(name.text);
  if (!opcode) {
    if (name.text.find('.') == std::string_view::npos) lexer_.expected("an operation");
    lexer_.unsupported(name, std::string(name.text));
  }
  lexer_.next();
  if (generic != is_combination(*opcode)) {
    if (generic) lexer_.unsupported(name, std::string(name.text) + " in MLIR's generic form");
    lexer_.fail(name.offset, std::string(name.text) + " has MLIR's generic form only");
  }

  Draft draft;
  draft.operation.opcode = *opcode;
  draft.offset = name.offset;
  parse_form(draft);
  const std::string problem = broken_rule(draft.operation, module_.functions.back().value_types, draft.results);
  if (!problem.empty()) lexer_.fail(draft.offset, std::string(name.text) + ": " + problem);
  draft.operation.location = locations_.parse_optional();
  if (names.empty()) {
    values_.define_unnamed(draft.results, draft.operation.location, draft.operation.results);
  } else {
    if (named != draft.results.size())
      lexer_.fail(names[0].offset, std::string(name.text) + " has " + std::to_string(draft.results.size()) +
                                       " results, not " + std::to_string(named));
    values_.define(names, draft.results, draft.operation.location, draft.operation.results);
  }
  return std::move(draft.operation);
}

void Parser::check_calls() const {
  std::vector<std::vector<std::size_t>> callees(module_.functions.size());
  for (const Call& call : calls_) {
    const auto found = function_numbers_.find(call.callee);
    if (found == function_numbers_.end()) lexer_.fail(call.offset, "the function @" + call.callee + " is not defined");
    const Function& callee = module_.functions[found->second];
    const auto type_of = [&callee](const Parameter& parameter) -> const Type& {
      return callee.value_types[parameter.value];
    };
    if (!std::ranges::equal(call.operands, callee.parameters, {}, {}, type_of) || call.results != callee.results)
      lexer_.fail(call.offset, "the function @" + call.callee + " has other parameters or results");
    callees[call.caller].push_back(found->second);
  }

  // A function that reaches itself would never end: Triton's IR has no way to stop it.
  enum class State : std::uint8_t { kNew, kOpen, kDone };
  std::vector<State> states(callees.size(), State::kNew);
  std::vector<std::pair<std::size_t, std::size_t>> path;
  for (std::size_t root = 0; root < callees.size(); ++root) {
    if (states[root] == State::kNew) path.emplace_back(root, 0);
    while (!path.empty()) {
      auto& [function, next] = path.back();
      states[function] = State::kOpen;
      if (next == callees[function].size()) {
        states[function] = State::kDone;
        path.pop_back();
        continue;
      }
      const std::size_t callee = callees[function][next++];
      if (states[callee] == State::kOpen) throw UnsupportedError("a function that calls itself");
      if (states[callee] == State::kNew) path.emplace_back(callee, 0);
    }
  }
}

}  // namespace tritonrl::ttir
