#include <algorithm>
#include <unordered_map>

#include "analysis/imports.h"
#include "analysis/interpreter.h"
#include "analysis/paths.h"

namespace tritonrl::analysis {

using pysource::kAbsentNode;
using pysource::NodeId;
using pysource::Op;

namespace {

std::optional<Op> operator_function(std::string_view name) {
  static const std::unordered_map<std::string_view, Op> ops = {
      {"add", Op::kAdd},      {"iadd", Op::kAdd},          {"concat", Op::kAdd},       {"sub", Op::kSub},
      {"isub", Op::kSub},     {"mul", Op::kMul},           {"imul", Op::kMul},         {"truediv", Op::kDiv},
      {"itruediv", Op::kDiv}, {"floordiv", Op::kFloorDiv}, {"mod", Op::kMod},          {"pow", Op::kPow},
      {"ipow", Op::kPow},     {"matmul", Op::kMatMul},     {"imatmul", Op::kMatMul},   {"and_", Op::kBitAnd},
      {"or_", Op::kBitOr},    {"xor", Op::kBitXor},        {"lshift", Op::kShiftLeft}, {"rshift", Op::kShiftRight},
      {"lt", Op::kLess},      {"le", Op::kLessEqual},      {"eq", Op::kEqual},         {"ne", Op::kNotEqual},
      {"gt", Op::kGreater},   {"ge", Op::kGreaterEqual},   {"neg", Op::kSub},          {"inv", Op::kInvert},
      {"abs", Op::kSub},
  };
  if (name.starts_with("__") && name.ends_with("__")) name = name.substr(2, name.size() - 4);
  const auto found = ops.find(name);
  return found == ops.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

Value* Interpreter::get_attribute_by_value(Value* object, Value* name, Value* fallback, NodeId node) {
  Value* result = nullptr;
  each_alternative(name, [&](Value* each) {
    if (each->is(Value::Kind::kString) && each->has_text) {
      Value* found = attribute(object, each->text, node);
      if (fallback != nullptr && found->is(Value::Kind::kUnknown)) found = heap_.join(found, fallback);
      result = heap_.join(result, found);
      return;
    }
    const bool module = any_alternative(object, [](const Value* holder) { return holder->is(Value::Kind::kExternal); });
    if (module && !library())
      report("opaque-attribute", node, "the name of what is looked up here cannot be worked out");
    if (may_be_tensor(object) && on_path_)
      report("opaque-attribute", node, "a method of a tensor is looked up under a name that cannot be worked out");
    result = heap_.join(result, fallback == nullptr ? heap_.unknown() : heap_.join(heap_.unknown(), fallback));
  });
  return result == nullptr ? heap_.unknown() : result;
}

Value* Interpreter::import_by_value(Value* name, NodeId node) {
  Value* result = nullptr;
  each_alternative(name, [&](Value* each) {
    if (each->is(Value::Kind::kString) && each->has_text) {
      note_import(each->text, node);
      Value* module = heap_.external(each->text);
      note_external(module->text, node);
      result = heap_.join(result, module);
    } else {
      if (library()) {
        suspect("dynamic-code", node, "a module is imported under a name that cannot be worked out");
      } else {
        report("dynamic-code", node, "a module is imported under a name that cannot be worked out");
      }
      result = heap_.join(result, heap_.unknown());
    }
  });
  return result == nullptr ? heap_.unknown() : result;
}

Value* Interpreter::call_builtin(std::string_view name, const Arguments& arguments, NodeId node) {
  Value* first = arguments.at(0);
  const auto over_tensor = [&] { return first != nullptr && may_be_tensor(first); };
  if (name == "getattr" && first != nullptr && arguments.at(1) != nullptr) {
    return get_attribute_by_value(first, arguments.positional[1], arguments.at(2), node);
  }
  if (name == "setattr" && first != nullptr && arguments.at(2) != nullptr) {
    Value* key = arguments.positional[1];
    if (key->has_text) {
      assign_attribute(first, key->text, arguments.positional[2], node, false);
    } else {
      each_alternative(first, [&](Value* each) {
        if (each->is(Value::Kind::kExternal)) note_external_assignment(each->text, node);
      });
    }
    return heap_.none();
  }
  if (name == "delattr" && first != nullptr) {
    each_alternative(first, [&](Value* each) {
      if (each->is(Value::Kind::kExternal)) note_external_assignment(each->text, node);
    });
    return heap_.none();
  }
  if (name == "hasattr" && first != nullptr && arguments.at(1) != nullptr) {
    Value* key = arguments.positional[1];
    if (first->is(Value::Kind::kInstance) && key->has_text) {
      Slot* slot = first->attributes->names.find(key->text);
      if (slot != nullptr && slot->written_by_call) {
        Value* value = heap_.integer(1);
        value->taint = kState;
        return value;
      }
      if (slot == nullptr && class_attribute(first->target, key->text) == nullptr &&
          external_base(first->target) == nullptr)
        return heap_.integer(0);
      if (slot == nullptr && key->text.starts_with('_') && class_attribute(first->target, key->text) == nullptr)
        return heap_.integer(0);
    }
    return heap_.number();
  }
  if (name == "vars" || name == "globals" || name == "locals") {
    Value* value = heap_.object("vars");
    value->target = name == "vars" ? first : nullptr;
    if (name == "vars" && first == nullptr) value->target = nullptr;
    return value;
  }
  if ((name == "object.__getattribute__" || name == "type.__getattribute__") && arguments.at(1) != nullptr) {
    return get_attribute_by_value(first, arguments.positional[1], nullptr, node);
  }
  if (name == "__import__") return import_by_value(first == nullptr ? heap_.unknown() : first, node);
  if (name == "type") {
    if (first == nullptr) return heap_.unknown();
    if (arguments.positional.size() == 3) {
      // type(name, bases, namespace) makes a class.
      Value* cls = heap_.make(Value::Kind::kClass);
      cls->attributes = heap_.scope(module_);
      cls->attributes->created_in_call = call_;
      cls->created_in_call = call_;
      cls->node = node;
      if (arguments.positional[1]->is(Value::Kind::kSequence)) cls->items = arguments.positional[1]->items;
      for (Value* base : cls->items) {
        if (base->is(Value::Kind::kExternal) && is_tensor_class(base->text))
          report("tensor-subclass", node, "a class that derives from torch.Tensor can answer whatever it likes");
      }
      for (const auto& [key, value] : arguments.positional[2]->keyed) cls->attributes->names.at(key).value = value;
      return cls;
    }
    if (first->is(Value::Kind::kTensor)) return heap_.external("torch.Tensor");
    if (first->is(Value::Kind::kInstance)) return first->target;
    if (first->is(Value::Kind::kObject)) return heap_.external(first->text);
    return heap_.unknown();
  }
  if (name == "id" || name == "hash") return heap_.number(over_tensor() || name == "id" ? kAddress : 0);
  if (name == "len") {
    Taint taint = 0;
    if (first != nullptr) {
      each_alternative(first, [&](Value* each) {
        if (each->mutated_by_call) taint |= kCounter | kState;
      });
      if (taint == 0 && first->is(Value::Kind::kSequence) && !first->open_ended)
        return heap_.integer(static_cast<std::int64_t>(first->items.size()));
    }
    return heap_.number(taint);
  }
  if (name == "isinstance" || name == "issubclass") {
    Value* cls = arguments.at(1);
    if (first != nullptr && cls != nullptr && first->is(Value::Kind::kTensor) && cls->is(Value::Kind::kExternal) &&
        cls->text == "torch.Tensor")
      return heap_.integer(1);
    return heap_.number();
  }
  if (name == "range") {
    const auto known = [&](std::size_t at) {
      return arguments.at(at) != nullptr && arguments.positional[at]->has_integer &&
             arguments.positional[at]->taint == 0;
    };
    if (first != nullptr && arguments.positional.size() <= 2 && known(0) &&
        (arguments.positional.size() == 1 || known(1))) {
      const std::int64_t low = arguments.positional.size() == 1 ? 0 : first->integer;
      const std::int64_t high = arguments.positional.size() == 1 ? first->integer : arguments.positional[1]->integer;
      std::int64_t length = 0;
      if (!__builtin_sub_overflow(high, low, &length) && length <= 8) {
        Value* items = make_container(Value::Kind::kSequence);
        for (std::int64_t i = low; i < high; ++i) items->items.push_back(heap_.integer(i));
        return items;
      }
    }
    Value* value = heap_.object("range");
    for (Value* bound : arguments.positional) value->taint |= bound->taint;
    return value;
  }
  if (name == "enumerate" || name == "zip") {
    Value* value = make_container(Value::Kind::kSequence);
    if (name == "enumerate" && first != nullptr && first->is(Value::Kind::kSequence) && !first->open_ended) {
      std::int64_t at = 0;
      for (Value* item : first->items) value->items.push_back(heap_.sequence({heap_.integer(at++), item}));
      return value;
    }
    const bool closed = std::ranges::all_of(
        arguments.positional, [](const Value* each) { return each->is(Value::Kind::kSequence) && !each->open_ended; });
    if (name == "zip" && closed && first != nullptr) {
      for (std::size_t i = 0;; ++i) {
        std::vector<Value*> row;
        for (Value* each : arguments.positional)
          if (i < each->items.size()) row.push_back(each->items[i]);
        if (row.size() < arguments.positional.size()) return value;
        value->items.push_back(heap_.sequence(std::move(row)));
      }
    }
    std::vector<Value*> row;
    if (name == "enumerate") row.push_back(heap_.number());
    for (Value* each : arguments.positional) row.push_back(element_of(each));
    value->items.push_back(heap_.sequence(std::move(row)));
    value->open_ended = true;
    return value;
  }
  if (name == "list" || name == "tuple" || name == "set" || name == "frozenset" || name == "sorted" ||
      name == "reversed" || name == "iter") {
    for (const auto& [key, value] : arguments.keywords)
      if (key == "key") call(value, {.positional = {element_of(first)}}, node);
    if (name == "iter" && first != nullptr) return first;
    Value* value = make_container(Value::Kind::kSequence);
    if (first == nullptr) return value;
    if (first->is(Value::Kind::kString) && first->has_text && first->text.size() < 64) {
      for (const char c : first->text) value->items.push_back(heap_.string(std::string(1, c)));
      if (name == "reversed") std::ranges::reverse(value->items);
      return value;
    }
    if (first->is(Value::Kind::kSequence)) {
      value->items = first->items;
      value->open_ended = first->open_ended;
      if (name == "reversed") std::ranges::reverse(value->items);
    } else {
      value->items.push_back(element_of(first));
      value->open_ended = true;
    }
    return value;
  }
  if (name == "dict") {
    Value* value = make_container(Value::Kind::kDict);
    if (first != nullptr && first->is(Value::Kind::kDict)) {
      value->keyed = first->keyed;
      value->items = first->items;
      value->open_ended = first->open_ended;
    } else if (first != nullptr && first->is(Value::Kind::kSequence)) {
      value->open_ended = first->open_ended;
      for (Value* pair : first->items) {
        if (!pair->is(Value::Kind::kSequence) || pair->items.size() != 2) {
          value->open_ended = true;
        } else if (const auto key = constant_key(pair->items[0])) {
          value->keyed.set(*key, pair->items[1]);
        } else {
          value->open_ended = true;
          value->items.push_back(pair->items[1]);
        }
      }
    } else if (first != nullptr) {
      value->open_ended = true;
    }
    value->keyed.set_all(arguments.keywords);
    heap_.limit(*value);
    return value;
  }
  if (name == "next") {
    if (first == nullptr) return heap_.unknown();
    Value* item = first->is(Value::Kind::kInstance) ? dunder(first, "__next__", {}, node) : element_of(first);
    bool outlives = false;
    each_alternative(first, [&](Value* each) {
      outlives |= call_ > 0 && each->created_in_call < call_ && !each->is(Value::Kind::kInstance);
    });
    if (outlives) {
      item = heap_.copy(*item);
      item->taint |= kState;
      if (!may_be_tensor(item)) item->taint |= kCounter;
      item->has_integer = false;
    }
    if (Value* fallback = arguments.at(1)) item = heap_.join(item, fallback);
    return item;
  }
  if (name == "map" || name == "filter") {
    if (first == nullptr) return heap_.unknown();
    Value* value = make_container(Value::Kind::kSequence);
    const bool closed = arguments.positional.size() == 2 && arguments.positional[1]->is(Value::Kind::kSequence) &&
                        !arguments.positional[1]->open_ended;
    if (closed && arguments.positional[1]->items.size() <= 24) {
      const auto items = arguments.positional[1]->items;
      for (Value* item : items) {
        Value* mapped = call(first, {.positional = {item}}, node);
        value->items.push_back(name == "map" ? mapped : item);
      }
      value->open_ended = name == "filter";
      return value;
    }
    Arguments row;
    for (std::size_t i = 1; i < arguments.positional.size(); ++i)
      row.positional.push_back(element_of(arguments.positional[i]));
    Value* mapped = call(first, row, node);
    value->items.push_back(name == "map" || row.positional.empty() ? mapped : row.positional[0]);
    value->open_ended = true;
    return value;
  }
  if (name == "sum" || name == "max" || name == "min" || name == "abs" || name == "pow" || name == "divmod" ||
      name == "round" || name == "any" || name == "all") {
    for (const auto& [key, value] : arguments.keywords)
      if (key == "key") call(value, {.positional = {first == nullptr ? heap_.unknown() : element_of(first)}}, node);
    const auto tensors = tensors_among(arguments);
    if (!tensors.empty()) {
      note_torch_op(name, {.main = name != "abs" && name != "pow"}, node);
      return derived_tensor({}, tensors);
    }
    Taint taint = 0;
    for (Value* value : arguments.positional) taint |= value->taint;
    return heap_.number(taint);
  }
  if (name == "int" || name == "float" || name == "bool" || name == "ord" || name == "callable" || name == "complex") {
    if (first != nullptr && first->has_integer) return first;
    return heap_.number(first == nullptr ? 0 : first->taint | about(origin(first)));
  }
  if (name == "chr") {
    if (first != nullptr && first->has_integer && first->integer > 0 && first->integer < 128)
      return heap_.string(std::string(1, static_cast<char>(first->integer)));
    return heap_.string();
  }
  if (name == "str" || name == "repr" || name == "format" || name == "ascii" || name == "bytes" ||
      name == "bytearray" || name == "hex") {
    if (first != nullptr && first->has_text) return first;
    Value* value = heap_.string();
    if (first != nullptr) value->taint = first->taint;
    if (first != nullptr && (name == "bytes" || name == "bytearray") && first->is(Value::Kind::kSequence) &&
        !first->open_ended) {
      std::string text;
      for (Value* item : first->items) {
        if (!item->has_integer || item->integer <= 0 || item->integer > 127) return value;
        text += static_cast<char>(item->integer);
      }
      return heap_.string(text);
    }
    return value;
  }
  if (name == "staticmethod" || name == "classmethod" || name == "property") {
    if (first == nullptr || !first->is(Value::Kind::kFunction)) return first == nullptr ? heap_.unknown() : first;
    first->binding = name == "staticmethod"  ? Value::Binding::kStatic
                     : name == "classmethod" ? Value::Binding::kClass
                                             : Value::Binding::kProperty;
    return first;
  }
  if (name == "print") return heap_.none();
  if (name == "object") return heap_.object("builtins.object");
  if (name == "slice") return heap_.object("slice");
  if (name.ends_with("Error") || name.ends_with("Exception") || name.ends_with("Warning"))
    return heap_.object("builtins.Exception");
  if (name == "exec" || name == "eval" || name == "compile" || name == "open") return heap_.unknown();
  return call_unknown(arguments, node);
}

Value* Interpreter::call_operator(std::string_view name, const Arguments& arguments, NodeId node) {
  if (name == "attrgetter" || name == "methodcaller" || name == "itemgetter") {
    Value* getter = heap_.make(Value::Kind::kPartial);
    getter->target = heap_.external("operator." + std::string(name) + ".call");
    getter->items = {heap_.sequence(arguments.positional)};
    return getter;
  }
  if (name.ends_with(".call") && arguments.at(1) != nullptr) {
    const auto& given = arguments.positional[0]->items;
    Value* object = arguments.positional[1];
    if (given.empty()) return heap_.unknown();
    if (name == "itemgetter.call") return subscript(object, given[0], kAbsentNode, node);
    if (name == "methodcaller.call") {
      Arguments rest;
      rest.positional.assign(given.begin() + 1, given.end());
      return call(get_attribute_by_value(object, given[0], nullptr, node), rest, node);
    }
    if (!given[0]->has_text) return get_attribute_by_value(object, given[0], nullptr, node);
    Value* value = object;
    for (std::string_view rest = given[0]->text; !rest.empty();) {
      const auto dot = rest.find('.');
      value = attribute(value, rest.substr(0, dot), node);
      if (dot == std::string_view::npos) break;
      rest.remove_prefix(dot + 1);
    }
    return value;
  }
  if (name == "getitem" && arguments.at(1) != nullptr)
    return subscript(arguments.positional[0], arguments.positional[1], kAbsentNode, node);
  if (name == "call" && arguments.at(0) != nullptr) {
    Arguments rest = arguments;
    rest.positional.erase(rest.positional.begin());
    return call(arguments.positional[0], rest, node);
  }
  if (const auto op = operator_function(name); op && arguments.at(0) != nullptr) {
    Value* right = arguments.at(1) == nullptr ? arguments.positional[0] : arguments.positional[1];
    return binary(*op, arguments.positional[0], right, node);
  }
  const auto tensors = tensors_among(arguments);
  if (!tensors.empty()) {
    note_torch_op("operator." + std::string(name), {}, node);
    return derived_tensor({}, tensors);
  }
  return heap_.number();
}

Value* Interpreter::call_functools(std::string_view path, const Arguments& arguments, NodeId node) {
  const std::string_view name = last_part(path);
  Value* first = arguments.at(0);
  if (name == "partial" || name == "partialmethod" || path == "function.__get__") {
    if (first == nullptr) return heap_.unknown();
    Value* partial = heap_.make(Value::Kind::kPartial);
    partial->target = first;
    partial->items.assign(arguments.positional.begin() + 1, arguments.positional.end());
    partial->keyed = arguments.keywords;
    partial->open_ended = arguments.open_ended;
    return partial;
  }
  if (name == "reduce" && arguments.at(1) != nullptr) {
    Value* element = element_of(arguments.positional[1]);
    Value* start = arguments.at(2) == nullptr ? element : arguments.positional[2];
    Value* once = call(first, {.positional = {start, element}}, node);
    return heap_.join(start, call(first, {.positional = {heap_.join(start, once), element}}, node));
  }
  if (name == "lru_cache" || name == "cache" || name == "cached_property") {
    if (first == nullptr || !first->is(Value::Kind::kFunction)) return heap_.external(path);  // lru_cache(maxsize=...)
    Value* memo = heap_.copy(*first);
    memo->memoized = true;
    if (name == "cached_property") memo->binding = Value::Binding::kProperty;
    return memo;
  }
  if (name == "wraps") return heap_.external("functools.wraps.of");
  if (path == "functools.wraps.of" || name == "update_wrapper") return first == nullptr ? heap_.unknown() : first;
  if (name == "starmap" && arguments.at(1) != nullptr) {
    Value* row = element_of(arguments.positional[1]);
    Arguments spread;
    if (row->is(Value::Kind::kSequence))
      spread.positional = row->items;
    else
      spread.open_ended = true;
    return heap_.sequence({call(first, spread, node)}, true);
  }
  if (name == "accumulate" && first != nullptr) {
    Value* element = element_of(first);
    Value* function = arguments.at(1) == nullptr ? arguments.keyword("func") : arguments.at(1);
    if (function == nullptr) return heap_.sequence({binary(Op::kAdd, element, element, node)}, true);
    return heap_.sequence({call(function, {.positional = {element, element}}, node)}, true);
  }
  if (name == "count" || name == "cycle" || name == "repeat") {
    Value* value = make_container(Value::Kind::kSequence);
    value->open_ended = true;
    value->items.push_back(name == "count" || first == nullptr ? heap_.number()
                           : name == "cycle"                   ? element_of(first)
                                                               : first);
    return value;
  }
  if (name == "chain" || name == "from_iterable" || name == "islice" || name == "product" || name == "permutations") {
    std::vector<Value*> items(arguments.positional.size());
    std::ranges::transform(arguments.positional, items.begin(), [&](Value* each) { return element_of(each); });
    if (name == "product") return heap_.sequence({heap_.sequence(std::move(items))}, true);
    return heap_.sequence(std::move(items), true);
  }
  if (name == "deepcopy" || (name == "copy" && path.starts_with("copy."))) {
    if (first != nullptr && first->is(Value::Kind::kTensor)) return derived_tensor({.cls = OpClass::kCopy}, {first});
    return first == nullptr ? heap_.unknown() : first;
  }
  if (name == "OrderedDict" || name == "defaultdict" || name == "Counter") {
    Value* value = make_container(Value::Kind::kDict);
    value->open_ended = name == "defaultdict";
    if (first != nullptr && first->is(Value::Kind::kDict)) *value = *first;
    return value;
  }
  if (name == "deque") {
    Value* value = make_container(Value::Kind::kSequence);
    if (first != nullptr && first->is(Value::Kind::kSequence)) value->items = first->items;
    return value;
  }
  if (name == "suppress") {
    Value* value = heap_.object("contextlib.suppress");
    return value;
  }
  if (name == "field") {
    if (Value* fallback = arguments.keyword("default")) return fallback;
    if (Value* factory = arguments.keyword("default_factory")) return call(factory, {}, node);
    return heap_.unknown();
  }
  if (name == "replace" && path.starts_with("dataclasses.")) return first == nullptr ? heap_.unknown() : first;
  if (first != nullptr && (first->is(Value::Kind::kFunction) || first->is(Value::Kind::kClass)))
    return first;  // decorators
  if (name == "dataclass" || name == "total_ordering" || name == "singledispatch")
    return heap_.external("functools.wraps.of");
  run_callbacks(arguments, node);
  if (name == "namedtuple") return heap_.unknown();
  return heap_.object(path);
}

}  // namespace tritonrl::analysis
