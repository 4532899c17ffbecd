#include "analysis/value.h"

#include <algorithm>

namespace tritonrl::analysis {
namespace {

constexpr std::size_t kMaxAlternatives = 12;
constexpr std::size_t kMaxItems = 1024;
constexpr std::size_t kMaxText = 4096;
constexpr std::size_t kMaxPath = 512;

bool same(const Value& a, const Value& b) {
  if (a.kind != b.kind || a.taint != b.taint) return false;
  using Kind = Value::Kind;
  switch (a.kind) {
    case Kind::kUnknown:
    case Kind::kNone:
      return true;
    case Kind::kNumber:
      return a.has_integer == b.has_integer && a.integer == b.integer;
    case Kind::kString:
      return a.has_text == b.has_text && a.text == b.text;
    case Kind::kTensor:
      return a.storage == b.storage;
    case Kind::kExternal:
      return a.text == b.text;
    case Kind::kObject:
      return a.text == b.text && a.items == b.items;
    case Kind::kMethod:
      return a.target == b.target && a.self == b.self;
    case Kind::kKernel:
    case Kind::kFunction:
      return a.node == b.node && a.scope == b.scope;
    default:
      return false;
  }
}

}  // namespace

bool is_answer_from_before(const Storage& storage, int call) {
  if (storage.from_stale) return true;
  const bool answer = storage.kernel_written || (storage.torch_computed && storage.created_in_call > 0);
  return answer && call > 0 && storage.written_in_call >= 0 && storage.written_in_call < call;
}

Heap::Heap() : unknown_(make(Value::Kind::kUnknown)), none_(make(Value::Kind::kNone)) {}

Value* Heap::make(Value::Kind kind) {
  Value& value = values_.emplace_back();
  value.kind = kind;
  return &value;
}

Value* Heap::number(Taint taint) {
  Value* value = make(Value::Kind::kNumber);
  value->taint = taint;
  return value;
}

Value* Heap::integer(std::int64_t number) {
  Value* value = make(Value::Kind::kNumber);
  value->has_integer = true;
  value->integer = number;
  return value;
}

Value* Heap::string(std::string_view text) {
  if (text.size() > kMaxText) return string();
  Value* value = make(Value::Kind::kString);
  value->has_text = true;
  value->text = intern(std::string(text));
  return value;
}

Value* Heap::string() { return make(Value::Kind::kString); }

Value* Heap::external(std::string_view path) {
  if (path.size() > kMaxPath) return unknown_;
  const auto found = externals_.find(path);
  if (found != externals_.end()) return found->second;
  Value* value = make(Value::Kind::kExternal);
  value->text = intern(std::string(path));
  externals_.emplace(value->text, value);
  return value;
}

Value* Heap::object(std::string_view class_path) {
  Value* value = make(Value::Kind::kObject);
  value->text = intern(std::string(class_path));
  return value;
}

Value* Heap::tensor(Storage* storage) {
  Value* value = make(Value::Kind::kTensor);
  value->storage = storage;
  return value;
}

Value* Heap::sequence(std::vector<Value*> items, bool open_ended) {
  Value* value = make(Value::Kind::kSequence);
  value->items = std::move(items);
  value->open_ended = open_ended;
  return value;
}

Value* Heap::copy(const Value& value) { return &values_.emplace_back(value); }

Value* Heap::join(Value* a, Value* b) {
  if (a == nullptr || a == b) return b;
  if (b == nullptr) return a;
  if (!a->is(Value::Kind::kUnion) && !b->is(Value::Kind::kUnion) && same(*a, *b)) return a;
  std::vector<Value*> alternatives;
  bool numbers = false;
  Taint taint = 0;
  const auto take = [&](Value* value) {
    const bool known =
        std::ranges::any_of(alternatives, [&](const Value* each) { return each == value || same(*each, *value); });
    if (known) return;
    if (value->is(Value::Kind::kNumber)) {  // numbers melt into one
      taint |= value->taint;
      if (std::exchange(numbers, true)) {
        auto old = std::ranges::find_if(alternatives, [](const Value* each) { return each->is(Value::Kind::kNumber); });
        *old = number(taint);
        return;
      }
    }
    alternatives.push_back(value);
  };
  each_alternative(a, take);
  each_alternative(b, take);
  if (alternatives.size() == 1) return alternatives[0];
  if (alternatives.size() > kMaxAlternatives) {
    alternatives.resize(kMaxAlternatives - 1);
    if (std::ranges::find(alternatives, unknown_) == alternatives.end()) alternatives.push_back(unknown_);
  }
  Value* value = make(Value::Kind::kUnion);
  value->items = std::move(alternatives);
  for (const Value* side : {a, b})
    if (side->is(Value::Kind::kUnion)) value->taint |= about(side->taint);
  return value;
}

Value* Heap::chosen_by(Taint taint, Value* value) {
  if (taint == 0 || value == nullptr) return value;
  using Kind = Value::Kind;
  const bool plain = value->is(Kind::kNumber) || value->is(Kind::kString) || value->is(Kind::kNone) ||
                     value->is(Kind::kUnknown) || value->is(Kind::kTensor) || value->is(Kind::kUnion);
  Value* chosen = plain ? copy(*value) : make(Kind::kUnion);
  if (!plain) chosen->items = {value};  // has an identity of its own: a copy would miss what happens to it
  chosen->taint |= taint;
  return chosen;
}

void Heap::limit(Value& container) {
  if (container.items.size() > kMaxItems) {
    Value* any = nullptr;
    for (Value* item : container.items) any = join(any, item);
    container.items = {any};
    container.open_ended = true;
  }
  if (container.keyed.size() > kMaxItems) {
    container.keyed.truncate(kMaxItems);
    container.open_ended = true;
  }
}

Storage* Heap::storage() { return &storages_.emplace_back(); }

Scope* Heap::scope(Scope* parent) {
  Scope& scope = scopes_.emplace_back();
  scope.parent = parent;
  return &scope;
}

std::string_view Heap::intern(std::string text) { return *strings_.insert(std::move(text)).first; }

}  // namespace tritonrl::analysis
