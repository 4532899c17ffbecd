#include <algorithm>
#include <utility>

#include "analysis/interpreter.h"

namespace tritonrl::analysis {

using pysource::kAbsentNode;
using pysource::NodeId;

namespace {

constexpr std::size_t kMaxFolded = 1 << 16;  // bytes of a string that is worked out

}  // namespace

Value* Interpreter::string_method(Value* self, std::string_view name, const Arguments& arguments) {
  if (!self->has_text) {
    Value* part = heap_.string();
    part->taint = about(self->taint);
    // The start of a version is as good as its order.
    if (name == "startswith" && (part->taint & kBuild) != 0) part->taint = kVersion;
    return name == "split" ? heap_.sequence({part}, true) : part;
  }
  const std::string_view text = self->text;
  std::string out(text);
  if (name == "lower" || name == "casefold") {
    std::ranges::transform(out, out.begin(),
                           [](char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
  } else if (name == "upper") {
    std::ranges::transform(out, out.begin(),
                           [](char c) { return static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c); });
  } else if (name == "swapcase") {
    std::ranges::transform(out, out.begin(), [](char c) {
      return static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c >= 'A' && c <= 'Z' ? c + 32 : c);
    });
  } else if (name == "replace") {
    Value* from = arguments.at(0);
    Value* to = arguments.at(1);
    if (from == nullptr || to == nullptr || !from->has_text || !to->has_text || from->text.empty())
      return heap_.string();
    for (std::size_t at = 0; (at = out.find(from->text, at)) != std::string::npos; at += to->text.size()) {
      out.replace(at, from->text.size(), to->text);
      if (out.size() > kMaxFolded) return heap_.string();
    }
  } else if (name == "strip" || name == "lstrip" || name == "rstrip") {
    std::string_view blanks = " \t\n\r";
    if (Value* given = arguments.at(0)) blanks = given->has_text ? given->text : "";
    std::string_view rest = text;
    while (name != "rstrip" && !rest.empty() && blanks.find(rest.front()) != std::string_view::npos)
      rest.remove_prefix(1);
    while (name != "lstrip" && !rest.empty() && blanks.find(rest.back()) != std::string_view::npos)
      rest.remove_suffix(1);
    out = rest;
  } else if (name == "join") {
    out.clear();
    Value* parts = arguments.at(0);
    if (parts == nullptr || !parts->is(Value::Kind::kSequence) || parts->open_ended) {
      if (parts != nullptr && parts->is(Value::Kind::kString) && parts->has_text) {
        for (std::size_t i = 0; i < parts->text.size(); ++i) out += (i > 0 ? std::string(text) : "") + parts->text[i];
        return heap_.string(out);
      }
      return heap_.string();
    }
    bool first = true;
    for (Value* part : parts->items) {
      if (!part->has_text) return heap_.string();
      if (!std::exchange(first, false)) out += text;
      out += part->text;
      if (out.size() > kMaxFolded) return heap_.string();
    }
  } else if (name == "split") {
    Value* separator = arguments.at(0);
    std::vector<Value*> parts;
    const std::string_view mark = separator != nullptr && separator->has_text ? separator->text : " ";
    std::string_view rest = text;
    while (!mark.empty()) {
      const auto at = rest.find(mark);
      const std::string_view part = rest.substr(0, at);
      if (!part.empty() || separator != nullptr) parts.push_back(heap_.string(part));
      if (at == std::string_view::npos) break;
      rest.remove_prefix(at + mark.size());
    }
    return heap_.sequence(std::move(parts));
  } else if (name == "format") {
    for (Value* value : arguments.positional) {
      const auto at = out.find("{}");
      if (at == std::string::npos || !value->has_text) return heap_.string();
      out.replace(at, 2, value->text);
    }
    if (!arguments.keywords.empty()) return heap_.string();
  } else if (name == "removeprefix" || name == "removesuffix") {
    Value* cut = arguments.at(0);
    if (cut == nullptr || !cut->has_text) return heap_.string();
    if (name == "removeprefix" && text.starts_with(cut->text)) out = text.substr(cut->text.size());
    if (name == "removesuffix" && text.ends_with(cut->text)) out = text.substr(0, text.size() - cut->text.size());
  } else if (name == "startswith" || name == "endswith" || name == "isdigit" || name == "find" || name == "count" ||
             name == "index") {
    return heap_.number();
  } else if (name != "encode" && name != "decode" && name != "__str__") {
    return heap_.string();
  }
  return heap_.string(out);
}

Value* Interpreter::container_method(Value* self, std::string_view name, const Arguments& arguments, NodeId node) {
  if (!self->is(Value::Kind::kSequence) && !self->is(Value::Kind::kDict)) return call_unknown(arguments, node);
  const bool outlives = self->created_in_call < call_;
  const auto grow = [&](Value* value) {
    self->items.push_back(value);
    constexpr std::size_t kMaxItems = 64;
    if (self->items.size() > kMaxItems) {
      self->items = {element_of(self)};
      self->open_ended = true;
    }
    if (conditional_depth_ > 0) self->open_ended = true;
    if (outlives) self->mutated_by_call = true;
  };
  Value* first = arguments.at(0);
  if (name == "append" || name == "add" || name == "appendleft") {
    if (first != nullptr) {
      note_remembered(*self, first, node);
      grow(first);
    }
    return heap_.none();
  }
  if (name == "extend" && first != nullptr) {
    if (first->is(Value::Kind::kSequence)) {
      const auto items = first->items;
      for (Value* item : items) grow(item);
      self->open_ended |= first->open_ended;
    } else {
      grow(element_of(first));
      self->open_ended = true;
    }
    return heap_.none();
  }
  if (name == "insert" && arguments.at(1) != nullptr) {
    grow(arguments.at(1));
    return heap_.none();
  }
  if (name == "pop" || name == "popleft" || name == "popitem") {
    if (outlives) self->mutated_by_call = true;
    if (self->is(Value::Kind::kSequence) && !self->open_ended && !self->items.empty() && conditional_depth_ == 0) {
      const bool front = name == "popleft" || (first != nullptr && first->has_integer && first->integer == 0);
      if (first == nullptr || (first->has_integer && (first->integer == 0 || first->integer == -1))) {
        Value* item = front ? self->items.front() : self->items.back();
        self->items.erase(front ? self->items.begin() : self->items.end() - 1);
        return item;
      }
    }
    if (self->is(Value::Kind::kDict) && first != nullptr) return subscript(self, first, kAbsentNode, node);
    return element_of(self);
  }
  if (name == "get" || name == "setdefault" || name == "__getitem__") {
    if (first == nullptr) return heap_.unknown();
    Value* fallback = arguments.at(1) == nullptr ? heap_.none() : arguments.at(1);
    note_remembered(*self, first, node);
    const auto key = constant_key(first);
    if (name == "setdefault") {
      if (outlives) self->mutated_by_call = true;
      self->open_ended = true;
      self->items.push_back(fallback);
    }
    Value* found = nullptr;
    if (!key) {
      for (const auto& [entry, value] : self->keyed) found = heap_.join(found, value);
    } else if (Value* const* value = self->keyed.find(*key)) {
      found = *value;
    }
    const bool certain = found != nullptr && key.has_value();
    if (!certain) {
      for (Value* item : self->items) found = heap_.join(found, item);
      found = heap_.join(found, fallback);
    }
    if (holds_state(*self) && call_ > 0) {
      found = heap_.copy(*found);
      found->taint |= kState;
    }
    return found;
  }
  if (name == "values" || name == "copy" || name == "items" || name == "keys") {
    if (name == "copy") {
      Value* twin = heap_.copy(*self);
      twin->created_in_call = call_;
      twin->mutated_by_call = false;
      return twin;
    }
    Value* values = make_container(Value::Kind::kSequence);
    values->open_ended = self->open_ended;
    const auto entry = [&](Value* key, Value* value) {
      values->items.push_back(name == "keys" ? key : name == "values" ? value : heap_.sequence({key, value}));
    };
    for (const auto& [key, value] : self->keyed) entry(heap_.string(key), value);
    for (Value* value : self->items) entry(heap_.unknown(), value);
    return values;
  }
  if (name == "update" || name == "clear") {
    if (outlives) self->mutated_by_call = true;
    self->open_ended = true;
    if (first != nullptr && first->is(Value::Kind::kDict)) {
      for (const auto& [key, value] : first->keyed) put(self, key, value);
      for (Value* value : first->items) self->items.push_back(value);
    }
    for (const auto& [key, value] : arguments.keywords) put(self, key, value);
    heap_.limit(*self);
    return heap_.none();
  }
  if (name == "index" || name == "count" || name == "__len__")
    return heap_.number(self->mutated_by_call ? kCounter | kState : 0);
  if (name == "forward" && self->text == "torch.nn.Sequential") return call(self, arguments, node);
  if (name == "send" || name == "__next__") {
    Value* item = heap_.copy(*element_of(self));
    if (outlives) item->taint |= kCounter | kState;
    return item;
  }
  if (name == "union" || name == "difference" || name == "intersection" || name == "reverse" || name == "sort" ||
      name == "to" || name == "eval" || name == "cuda")
    return self;
  return heap_.unknown();
}

}  // namespace tritonrl::analysis
