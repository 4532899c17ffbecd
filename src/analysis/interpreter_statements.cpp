#include <algorithm>

#include "analysis/imports.h"
#include "analysis/interpreter.h"

namespace tritonrl::analysis {

using pysource::kAbsentNode;
using pysource::Kind;
using pysource::NodeId;

namespace {

constexpr std::size_t kMaxUnrolled = 8;

// `if __name__ == "__main__"` never holds: candidates are imported.
constexpr std::string_view kModuleName = "candidate";

}  // namespace

void Interpreter::run_module() {
  module_->names.at("__name__").value = heap_.string(kModuleName);
  module_->names.at("__doc__").value = heap_.string();
  frames_.emplace_back();
  run_block(tree_.root());
  frames_.pop_back();
}

Interpreter::Flow Interpreter::run_block(NodeId block) {
  for (const NodeId statement : tree_.kids(block)) {
    if (run(statement) == Flow::kLeave) return Flow::kLeave;
  }
  return Flow::kNext;
}

Interpreter::Flow Interpreter::run(NodeId node) {
  switch (tree_.kind(node)) {
    case Kind::kBlock:
    case Kind::kModule:
      return run_block(node);
    case Kind::kFunctionDef:
      run_function_def(node);
      break;
    case Kind::kClassDef:
      run_class_def(node);
      break;
    case Kind::kReturn: {
      Value* value = heap_.chosen_by(about_, tree_.kids(node).empty() ? heap_.none() : eval(tree_.kid(node, 0)));
      frames_.back().returned = heap_.join(frames_.back().returned, value);
      return Flow::kLeave;
    }
    case Kind::kIf:
      return run_if(node);
    case Kind::kFor:
      return run_for(node);
    case Kind::kWhile:
      return run_while(node);
    case Kind::kTry:
      return run_try(node);
    case Kind::kWith:
      return run_with(node);
    case Kind::kMatch:
      return run_match(node);
    case Kind::kRaise:
      for (const NodeId kid : tree_.kids(node)) eval(kid);
      return Flow::kLeave;
    case Kind::kAugAssign:
      augment(node);
      break;
    case Kind::kDelete:
      run_delete(node);
      break;
    case Kind::kGlobal:
      for (const NodeId name : tree_.kids(node)) scope_->global_names.insert(tree_.text(name));
      break;
    case Kind::kNonlocal:
      for (const NodeId name : tree_.kids(node)) scope_->nonlocal_names.insert(tree_.text(name));
      break;
    case Kind::kImport:
      run_import(node);
      break;
    case Kind::kImportFrom:
      run_import_from(node);
      break;
    case Kind::kTypeAlias:
      assign(tree_.kid(node, 0), heap_.unknown(), node);
      break;
    case Kind::kPass:
      break;
    default:
      eval(node);
  }
  return Flow::kNext;
}

Interpreter::Flow Interpreter::run_if(NodeId node) {
  Value* condition = eval(tree_.kid(node, 0));
  note_condition(condition, tree_.kid(node, 0));
  if (const auto known = truth(condition)) return run(tree_.kid(node, *known ? 1 : 2));
  const Conditionally branch(*this, origin(condition));
  const Flow taken = run(tree_.kid(node, 1));
  const Flow other = run(tree_.kid(node, 2));
  return taken == Flow::kLeave && other == Flow::kLeave ? Flow::kLeave : Flow::kNext;
}

Interpreter::Flow Interpreter::run_for(NodeId node) {
  Value* iterable = eval(tree_.kid(node, 1));
  note_decision(origin(iterable), tree_.kid(node, 1));
  const NodeId target = tree_.kid(node, 0);
  const NodeId body = tree_.kid(node, 2);
  const bool closed = iterable->is(Value::Kind::kSequence) && !iterable->open_ended;
  if (closed && iterable->items.size() <= kMaxUnrolled && loops_ < 2) {
    ++loops_;
    const auto items = iterable->items;
    for (Value* item : items) {
      assign(target, item, node);
      if (run(body) == Flow::kLeave) break;
    }
    --loops_;
  } else {
    // Twice, so that what one round leaves behind reaches the next; nested loops once.
    const Conditionally branch(*this, 0);
    const int rounds = loops_ == 0 ? 2 : 1;
    ++loops_;
    for (int round = 0; round < rounds; ++round) {
      assign(target, element_of(iterable), node);
      run(body);
    }
    --loops_;
  }
  return run(tree_.kid(node, 3));
}

Interpreter::Flow Interpreter::run_while(NodeId node) {
  Value* condition = eval(tree_.kid(node, 0));
  note_condition(condition, tree_.kid(node, 0));
  if (truth(condition) == false) return run(tree_.kid(node, 2));
  const bool forever = truth(condition) == true;
  Flow flow = Flow::kNext;
  {
    const Conditionally branch(*this, origin(condition));
    const int rounds = loops_ == 0 ? 2 : 1;
    ++loops_;
    for (int round = 0; round < rounds; ++round) {
      flow = run(tree_.kid(node, 1));
      if (flow == Flow::kLeave) break;
      eval(tree_.kid(node, 0));
    }
    --loops_;
  }
  if (forever && flow == Flow::kLeave) return Flow::kLeave;
  return run(tree_.kid(node, 2));
}

Interpreter::Flow Interpreter::run_try(NodeId node) {
  const std::size_t launches = trace_.launches.size() + wrapped_kernel_calls_;
  const Flow body = run(tree_.kid(node, 0));
  const bool launched = trace_.launches.size() + wrapped_kernel_calls_ > launches;
  bool all_leave = true;
  for (const NodeId handler : tree_.kids(tree_.kid(node, 1))) {
    const Conditionally branch(*this, 0);
    eval(tree_.kid(handler, 0));
    if (!tree_.text(handler).empty()) assign_name(tree_.text(handler), heap_.object("builtins.Exception"), false);
    handlers_ += launched || on_path_;
    all_leave &= run(tree_.kid(handler, 1)) == Flow::kLeave;
    handlers_ -= launched || on_path_;
  }
  Flow flow = body;
  if (body == Flow::kNext) flow = run(tree_.kid(node, 2));
  if (!all_leave) flow = Flow::kNext;
  // With handlers around, `finally` can finish what failed.
  const bool after_failure = launched && !tree_.kids(tree_.kid(node, 1)).empty();
  handlers_ += after_failure;
  const Flow last = run(tree_.kid(node, 3));
  handlers_ -= after_failure;
  return last == Flow::kLeave ? Flow::kLeave : flow;
}

Interpreter::Flow Interpreter::run_with(NodeId node) {
  std::vector<Value*> contexts;
  for (const NodeId item : tree_.kids(tree_.kid(node, 0))) {
    Value* context = eval(tree_.kid(item, 0));
    contexts.push_back(context);
    Value* entered = context;
    each_alternative(context, [&](Value* each) {
      if (each->is(Value::Kind::kInstance)) entered = dunder(each, "__enter__", {}, item);
      if (each->is(Value::Kind::kSequence)) entered = element_of(each);  // a generator behind @contextmanager
    });
    if (tree_.kid(item, 1) != kAbsentNode) assign(tree_.kid(item, 1), entered, item);
  }
  const Flow flow = run(tree_.kid(node, 1));
  bool swallows = false;
  for (Value* context : contexts) {
    each_alternative(context, [&](Value* each) {
      swallows |= each->is(Value::Kind::kObject) && each->text == "contextlib.suppress";
      if (!each->is(Value::Kind::kInstance) || class_attribute(each->target, "__exit__") == nullptr) return;
      dunder(each, "__exit__", {heap_.none(), heap_.none(), heap_.none()}, node);
      // And once as after an exception.
      const Conditionally branch(*this, 0);
      Value* error = heap_.object("builtins.Exception");
      handlers_ += on_path_;
      swallows |= truth(dunder(each, "__exit__", {error, error, error}, node)) == true;
      handlers_ -= on_path_;
    });
  }
  if (swallows && flow == Flow::kLeave) {
    ++handlers_;  // what follows only runs after a failure; the end of the function resets this
    return Flow::kNext;
  }
  return flow;
}

Interpreter::Flow Interpreter::run_match(NodeId node) {
  Value* subject = eval(tree_.kid(node, 0));
  note_condition(subject, tree_.kid(node, 0));
  for (const NodeId branch_node : tree_.kids(tree_.kid(node, 1))) {
    const Conditionally branch(*this, origin(subject));
    // Every name in a pattern may be a capture of the subject or of a part of it.
    std::vector<NodeId> open = {tree_.kid(branch_node, 0)};
    while (!open.empty()) {
      const NodeId part = open.back();
      open.pop_back();
      if (tree_.kind(part) == Kind::kName && lookup(scope_, tree_.text(part)) == nullptr) {
        assign_name(tree_.text(part), heap_.join(subject, element_of(subject)), false);
      }
      for (const NodeId kid : tree_.kids(part)) open.push_back(kid);
    }
    eval(tree_.kid(branch_node, 1));
    run(tree_.kid(branch_node, 2));
  }
  return Flow::kNext;
}

void Interpreter::run_import(NodeId node) {
  for (const NodeId alias : tree_.kids(node)) {
    const std::string_view module = tree_.text(alias);
    note_import(module, alias);
    const NodeId bound = tree_.kid(alias, 0);
    if (bound != kAbsentNode) {
      assign_name(tree_.text(bound), heap_.external(module), false);
    } else {
      const std::string_view root = module.substr(0, module.find('.'));
      assign_name(root, heap_.external(root), false);
    }
  }
}

void Interpreter::run_import_from(NodeId node) {
  const std::string_view module = tree_.text(node);
  note_import(module, node);
  if (tree_.kids(node).empty()) {
    scope_->star_imports.push_back(module);
    return;
  }
  for (const NodeId alias : tree_.kids(node)) {
    const std::string_view name = tree_.text(alias);
    const NodeId bound = tree_.kid(alias, 0);
    if (is_reference_name(name)) {
      if (!library()) report("reference-access", alias, "'" + std::string(name) + "' belongs to the reference");
    }
    assign_name(bound == kAbsentNode ? name : tree_.text(bound), external_below(module, name, alias), false);
  }
}

void Interpreter::note_import(std::string_view module, NodeId node) {
  if (library() || is_allowed_import(module)) return;
  report("forbidden-import", node, "'" + std::string(module) + "' is not among the modules a candidate may import");
}

void Interpreter::run_function_def(NodeId node) {
  Value* function = heap_.make(Value::Kind::kFunction);
  function->node = node;
  function->scope = scope_;
  function->created_in_call = call_;
  function->attributes = heap_.scope(nullptr);
  function->attributes->created_in_call = call_;
  functions_.push_back(function);
  // Defaults are made once, when the function is defined: they outlive every call.
  for (const NodeId parameter : tree_.kids(tree_.kid(node, 1))) {
    if (tree_.kid(parameter, 0) != kAbsentNode) {
      function->keyed.set(tree_.text(parameter), eval(tree_.kid(parameter, 0)));
    }
    eval(tree_.kid(parameter, 1));  // Python runs annotations
  }
  eval(tree_.kid(node, 3));
  const auto decorators = tree_.kids(tree_.kid(node, 0));
  Value* value = function;
  for (auto decorator = decorators.rbegin(); decorator != decorators.rend(); ++decorator) {
    value = decorate(eval(*decorator), value, *decorator);
  }
  assign_name(tree_.text(node), value, false);
}

void Interpreter::run_class_def(NodeId node) {
  Value* cls = heap_.make(Value::Kind::kClass);
  cls->node = node;
  cls->created_in_call = call_;
  cls->attributes = heap_.scope(scope_);
  cls->attributes->is_class = true;
  cls->attributes->created_in_call = call_;
  for (const NodeId base : tree_.kids(tree_.kid(node, 1))) {
    const bool keyword = tree_.kind(base) == Kind::kKeyword;
    Value* value = eval(keyword ? tree_.kid(base, 0) : base);
    each_alternative(value, [&](Value* each) {
      if (each->is(Value::Kind::kExternal) && is_tensor_class(each->text)) {
        report("tensor-subclass", base, "a class that derives from torch.Tensor can answer whatever it likes");
      }
    });
    if (!keyword) cls->items.push_back(value);
  }
  Scope* const outer = scope_;
  scope_ = cls->attributes;
  const std::size_t first = functions_.size();
  run_block(tree_.kid(node, 2));
  scope_ = outer;
  for (std::size_t i = first; i < functions_.size(); ++i) class_of_method_.emplace(functions_[i]->node, cls);
  for (const auto& [name, slot] : cls->attributes->names) {
    if (name == "__torch_function__" || name == "__torch_dispatch__") {
      report("dispatch-tampering", node, "'" + std::string(name) + "' intercepts torch's dispatch");
    } else if (name == "__del__") {
      report("background-work", node, "__del__ runs after the call was timed");
    }
  }
  Value* value = cls;
  const auto decorators = tree_.kids(tree_.kid(node, 0));
  for (auto decorator = decorators.rbegin(); decorator != decorators.rend(); ++decorator) {
    value = decorate(eval(*decorator), value, *decorator);
  }
  assign_name(tree_.text(node), value, false);
  // A base of the file may act when it is subclassed.
  for (Value* base : cls->items) {
    if (!base->is(Value::Kind::kClass)) continue;
    if (Value* hook = class_attribute(base, "__init_subclass__"))
      call(bind_method(hook, nullptr, cls, node), {.positional = {cls}, .open_ended = true}, node);
  }
}

void Interpreter::run_delete(NodeId node) {
  for (const NodeId target : tree_.kids(node)) {
    if (tree_.kind(target) == Kind::kAttribute) {
      Value* object = eval(tree_.kid(target, 0));
      each_alternative(object, [&](Value* each) {
        if (each->is(Value::Kind::kExternal)) {
          note_external_assignment(std::string(each->text) + "." + std::string(tree_.text(target)), target);
        }
      });
    } else if (tree_.kind(target) == Kind::kSubscript) {
      eval(target);
    }
  }
}

// x = x + 1 counts; x = x or y only remembers.
bool Interpreter::counts_up(NodeId target, NodeId source) const {
  if (tree_.kind(source) != Kind::kBinary && tree_.kind(source) != Kind::kCall) return false;
  const std::string_view text = tree_.source_of(target);
  std::vector<NodeId> open = {source};
  while (!open.empty()) {
    const NodeId node = open.back();
    open.pop_back();
    if (tree_.kind(node) == tree_.kind(target) && node != target && tree_.source_of(node) == text) return true;
    for (const NodeId kid : tree_.kids(node)) open.push_back(kid);
  }
  return false;
}

void Interpreter::assign(NodeId target, Value* value, NodeId source) {
  switch (tree_.kind(target)) {
    case Kind::kName:
    case Kind::kAttribute:
    case Kind::kSubscript: {
      const bool counts = call_ > 0 && tree_.kind(source) == Kind::kAssign && counts_up(target, tree_.kid(source, 1));
      if (tree_.kind(target) == Kind::kName) {
        assign_name(tree_.text(target), value, counts);
      } else if (tree_.kind(target) == Kind::kAttribute) {
        assign_attribute(eval(tree_.kid(target, 0)), tree_.text(target), value, target, counts);
      } else {
        assign_subscript(target, value, counts);
      }
      return;
    }
    case Kind::kStarred:
      assign(tree_.kid(target, 0), heap_.sequence({element_of(value)}, true), source);
      return;
    case Kind::kTuple:
    case Kind::kListDisplay: {
      const auto parts = tree_.kids(target);
      const auto starred = std::ranges::find_if(parts, [&](NodeId part) { return tree_.kind(part) == Kind::kStarred; });
      if (starred != parts.end()) {
        assign_around_star(parts, static_cast<std::size_t>(starred - parts.begin()), value, source);
        return;
      }
      const auto values = unpack(value, parts.size());
      for (std::size_t i = 0; i < parts.size(); ++i) assign(parts[i], values[i], source);
      return;
    }
    default:
      eval(target);
  }
}

void Interpreter::assign_around_star(std::span<const NodeId> parts, std::size_t star, Value* value, NodeId source) {
  const bool exact = value->is(Value::Kind::kSequence) && !value->open_ended && value->items.size() + 1 >= parts.size();
  if (!exact) {
    for (const NodeId part : parts) {
      assign(part, tree_.kind(part) == Kind::kStarred ? value : element_of(value), source);
    }
    return;
  }
  const auto items = value->items;
  const std::size_t after = parts.size() - star - 1;
  for (std::size_t i = 0; i < star; ++i) assign(parts[i], items[i], source);
  for (std::size_t i = 0; i < after; ++i) assign(parts[star + 1 + i], items[items.size() - after + i], source);
  const auto first = items.begin() + static_cast<std::ptrdiff_t>(star);
  const auto last = items.end() - static_cast<std::ptrdiff_t>(after);
  Value* rest = heap_.sequence(std::vector<Value*>(first, last));
  rest->created_in_call = call_;
  assign(tree_.kid(parts[star], 0), rest, source);
}

void Interpreter::assign_slot(Slot& slot, int created_in_call, Value* value, bool weak, bool counts) {
  value = heap_.chosen_by(about_, value);
  slot.value = weak ? heap_.join(slot.value, value) : value;
  if (created_in_call < call_) {
    slot.written_by_call = true;
    slot.counts |= counts || (value->is(Value::Kind::kNumber) && (value->taint & kStepped) != 0);
  }
}

void Interpreter::assign_name(std::string_view name, Value* value, bool counts) {
  Scope* scope = scope_;
  if (scope->global_names.contains(name)) {
    scope = module_;
  } else if (scope->nonlocal_names.contains(name)) {
    for (Scope* outer = scope->parent; outer != nullptr; outer = outer->parent) {
      if (!outer->is_class && outer->names.find(name) != nullptr) {
        scope = outer;
        break;
      }
    }
  }
  const bool weak = conditional_depth_ > scope->conditional_depth;
  assign_slot(scope->names.at(name), scope->created_in_call, value, weak, counts);
}

void Interpreter::assign_attribute(Value* object, std::string_view name, Value* value, NodeId node, bool counts) {
  note_attribute_name(name, node);
  each_alternative(object, [&](Value* each) {
    switch (each->kind) {
      case Value::Kind::kExternal:
        note_external_assignment(std::string(each->text) + "." + std::string(name), node);
        return;
      case Value::Kind::kTensor:
        if (name == "data") {
          overwrite(each, value, node);
        } else {
          assign_slot(tensor_attributes_->names.at(name), 0, value, true, counts);
        }
        return;
      case Value::Kind::kInstance:
      case Value::Kind::kFunction:
      case Value::Kind::kClass:
      case Value::Kind::kObject:
      case Value::Kind::kKernel: {
        if (each->attributes == nullptr) {
          each->attributes = heap_.scope(nullptr);
          each->attributes->created_in_call = each->created_in_call;
        }
        if (each->is(Value::Kind::kInstance)) {
          if (Value* found = class_attribute(each->target, name);
              found != nullptr && found->is(Value::Kind::kInstance)) {
            dunder(found, "__set__", {each, value}, node);
          }
          if (Value* hook = class_attribute(each->target, "__setattr__")) {
            call(bind_method(hook, each, each->target, node), {.positional = {heap_.string(name), value}}, node);
          }
        }
        assign_slot(each->attributes->names.at(name), each->attributes->created_in_call, value, conditional_depth_ > 0,
                    counts);
        return;
      }
      default:
        return;
    }
  });
}

bool Interpreter::is_everything(NodeId index) const {
  return tree_.kind(index) == Kind::kEllipsis || (tree_.kind(index) == Kind::kSlice && tree_.source_of(index) == ":");
}

void Interpreter::assign_subscript(NodeId target, Value* value, bool counts) {
  Value* object = eval(tree_.kid(target, 0));
  const NodeId index_node = tree_.kid(target, 1);
  Value* index = eval(index_node);
  each_alternative(object, [&](Value* each) {
    if (each->is(Value::Kind::kTensor)) {
      const bool computed_index =
          may_be_tensor(index) || any_alternative(index, [](Value* part) {
            return part->is(Value::Kind::kSequence) &&
                   std::ranges::any_of(part->items, [](Value* item) { return may_be_tensor(item); });
          });
      note_torch_op("index assignment", {.cls = computed_index ? OpClass::kCompute : OpClass::kCopy}, target);
      overwrite(each, value, target, !is_everything(index_node));
    } else if (each->is(Value::Kind::kDict) || each->is(Value::Kind::kSequence)) {
      store_item(each, index, value, target, counts);
    } else if (each->is(Value::Kind::kInstance) && each->self != nullptr &&
               class_attribute(each->target, "__setitem__") == nullptr) {
      store_item(each->self, index, value, target, counts);
    } else if (each->is(Value::Kind::kInstance)) {
      dunder(each, "__setitem__", {index, value}, target);
    } else if (each->is(Value::Kind::kExternal)) {
      note_external_assignment(each->text, target);
    } else if (each->is(Value::Kind::kObject) && each->text == "vars" && index->has_text) {
      if (each->target != nullptr) {
        assign_attribute(each->target, index->text, value, target, counts);
      } else {
        assign_slot(module_->names.at(index->text), 0, value, conditional_depth_ > 0, counts);
      }
    } else if (each->is(Value::Kind::kObject) && each->text == "vars") {
      if (each->target != nullptr && each->target->is(Value::Kind::kExternal)) {
        note_external_assignment(each->target->text, target);
      }
    }
  });
}

// In a branch that may not be taken, what was there may stay.
void Interpreter::put(Value* dict, std::string_view key, Value* value) {
  Value*& slot = dict->keyed.at(key);
  slot = conditional_depth_ > 0 ? heap_.join(slot, value) : value;
}

void Interpreter::store_item(Value* container, Value* index, Value* value, NodeId target, bool counts) {
  note_remembered(*container, index, target);
  Value* stored = heap_.chosen_by(about_, value);
  if (container->created_in_call < call_) {
    container->mutated_by_call = true;
    if (counts && value->is(Value::Kind::kNumber)) stored = heap_.number(stored->taint | kCounter | kState);
  }
  const auto key = constant_key(index);
  if (container->is(Value::Kind::kDict) && key) {
    put(container, *key, stored);
  } else if (container->is(Value::Kind::kSequence) && index->has_integer && index->integer >= 0 &&
             static_cast<std::size_t>(index->integer) < container->items.size() && !container->open_ended) {
    Value*& item = container->items[static_cast<std::size_t>(index->integer)];
    item = conditional_depth_ > 0 ? heap_.join(item, stored) : stored;
  } else {
    container->open_ended = true;
    Value* merged = container->items.empty() ? stored : heap_.join(container->items.back(), stored);
    if (container->items.empty()) {
      container->items.push_back(merged);
    } else {
      container->items.back() = merged;
    }
  }
}

void Interpreter::augment(NodeId node) {
  const NodeId target = tree_.kid(node, 0);
  Value* old = eval(target);
  Value* right = eval(tree_.kid(node, 1));
  Value* value = old;
  if (may_be_tensor(old)) {  // in place: the same memory
    binary(tree_.op(node), old, right, node);
    each_alternative(old, [&](Value* each) {
      if (each->is(Value::Kind::kTensor)) mark_written(each->storage, node, "changes");
    });
  } else {
    value = binary(tree_.op(node), old, right, node);
  }
  const bool counter = call_ > 0 && value->is(Value::Kind::kNumber);
  if (!counter) {
    assign(target, value, node);
    return;
  }
  // A number that outlives the call and grows in it is a counter from now on.
  const auto outlives = [&]() -> bool {
    if (tree_.kind(target) == Kind::kName) {
      const std::string_view name = tree_.text(target);
      return scope_->global_names.contains(name) || scope_->nonlocal_names.contains(name);
    }
    Value* holder = eval(tree_.kid(target, 0));
    return any_alternative(holder, [&](const Value* each) {
      return !each->is(Value::Kind::kTensor) && each->created_in_call < call_ && !each->is(Value::Kind::kUnknown);
    });
  }();
  if (outlives) value = heap_.number(static_cast<Taint>(value->taint | kCounter | kState));
  if (tree_.kind(target) == Kind::kName) {
    assign_name(tree_.text(target), value, outlives);
  } else if (tree_.kind(target) == Kind::kAttribute) {
    assign_attribute(eval(tree_.kid(target, 0)), tree_.text(target), value, target, outlives);
  } else {
    assign_subscript(target, value, outlives);
  }
}

Value* Interpreter::element_of(Value* iterable) {
  Value* element = nullptr;
  each_alternative(iterable, [&](Value* each) {
    switch (each->kind) {
      case Value::Kind::kSequence:
        for (Value* item : each->items) element = heap_.join(element, item);
        if (each->items.empty()) element = heap_.join(element, heap_.unknown());
        break;
      case Value::Kind::kTensor:
        element = heap_.join(element, each);
        break;
      case Value::Kind::kDict:
        element = heap_.join(element, each->keyed.empty() ? heap_.unknown() : heap_.string());
        for (const auto& [key, value] : each->keyed) element = heap_.join(element, heap_.string(key));
        break;
      case Value::Kind::kNumber:
        element = heap_.join(element, heap_.number(each->taint));
        break;
      case Value::Kind::kObject:
        element = heap_.join(
            element, each->text == "torch.Size" || each->text == "range" ? heap_.number(each->taint) : heap_.unknown());
        break;
      case Value::Kind::kString:
        element = heap_.join(element, heap_.string());
        break;
      case Value::Kind::kInstance: {
        Value* iterator = dunder(each, "__iter__", {}, kAbsentNode);
        if (iterator->is(Value::Kind::kInstance))
          iterator = dunder(iterator, "__next__", {}, kAbsentNode);
        else if (iterator != each)
          iterator = element_of(iterator);
        element = heap_.join(element, iterator);
        break;
      }
      default:
        element = heap_.join(element, heap_.unknown());
    }
  });
  return element == nullptr ? heap_.unknown() : element;
}

std::vector<Value*> Interpreter::unpack(Value* value, std::size_t count) {
  std::vector<Value*> parts(count, nullptr);
  each_alternative(value, [&](Value* each) {
    const bool exact = each->is(Value::Kind::kSequence) && !each->open_ended && each->items.size() == count;
    Value* any = exact ? nullptr : element_of(each);
    for (std::size_t i = 0; i < count; ++i) parts[i] = heap_.join(parts[i], exact ? each->items[i] : any);
  });
  return parts;
}

}  // namespace tritonrl::analysis
