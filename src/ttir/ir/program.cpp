#include "ttir/ir/program.h"

#include <algorithm>

#include "base/error.h"
#include "ttir/ir/parser.h"

namespace tritonrl::ttir {

const Attribute* Operation::attribute(const std::string& name) const {
  const auto found = attributes.find(name);
  return found == attributes.end() ? nullptr : &found->second;
}

std::int64_t Operation::integer(const std::string& name, std::int64_t otherwise) const {
  const Attribute* const found = attribute(name);
  if (found == nullptr) return otherwise;
  if (const auto* const flag = std::get_if<bool>(found)) return *flag ? 1 : 0;
  const auto* const value = std::get_if<std::int64_t>(found);
  return value == nullptr ? otherwise : *value;
}

std::string_view Operation::word(const std::string& name, std::string_view otherwise) const {
  const Attribute* const found = attribute(name);
  const auto* const value = found == nullptr ? nullptr : std::get_if<std::string>(found);
  return value == nullptr ? otherwise : std::string_view(*value);
}

std::span<const std::int64_t> Operation::list(const std::string& name) const {
  const Attribute* const found = attribute(name);
  const auto* const value = found == nullptr ? nullptr : std::get_if<std::vector<std::int64_t>>(found);
  return value == nullptr ? std::span<const std::int64_t>() : std::span(*value);
}

const Function& Module::kernel() const {
  const auto found = std::ranges::find_if(functions, &Function::is_public);
  base::check(found != functions.end(), "a parsed module has a public function");
  return *found;
}

const Function* Module::find(std::string_view name) const {
  const auto found = std::ranges::find(functions, name, &Function::name);
  return found == functions.end() ? nullptr : &*found;
}

Module parse_module(std::string_view text) { return Parser(text).parse(); }

}  // namespace tritonrl::ttir
