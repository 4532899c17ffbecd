#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/findings.h"
#include "analysis/kernel_flow.h"
#include "analysis/trace.h"
#include "analysis/value.h"
#include "pysource/syntax_tree.h"

namespace tritonrl::analysis {

struct Arguments {
  std::vector<Value*> positional = {};
  Named<Value*> keywords = {};
  std::string_view repeated = {};   // a keyword that was given twice
  bool open_ended = false;          // *args or **kwargs of unknown content
  std::size_t definite = SIZE_MAX;  // positional ones before a *args of unknown length

  Value* keyword(std::string_view name) const;  // null if it is not given
  void limit();  // past a bound the rest is not known: argument lists double through *args
  Value* at(std::size_t index) const { return index < positional.size() ? positional[index] : nullptr; }
};

enum class Following : std::uint8_t { kEntry, kWholeFile };

// Runs a Python file in the abstract: names, calls and values are followed, both sides of an open branch are taken,
// loops run a bounded number of times. Reports the rules that concern single uses; leaves the rest in the trace.
class Interpreter {
 public:
  Interpreter(const pysource::SyntaxTree& tree, Following following, Findings& findings);

  void run_module();
  Value* global(std::string_view name);
  // Calls a function or an instance's forward as the evaluator would; each call sees what the last one left behind.
  void call_entry(const Value* entry, Value* callable, const std::vector<Value*>& arguments);
  // Makes an instance of a class of the file, before the first call of the entry.
  Value* instantiate_entry(Value* cls, const std::vector<Value*>& arguments);
  // Functions that the entry does not reach, with arguments nobody knows.
  void run_unreached_functions();

  Value* call(Value* callee, const Arguments& arguments, pysource::NodeId node);
  Value* attribute(Value* object, std::string_view name, pysource::NodeId node);
  Value* input_tensor();
  // A method along the bases that the file defines; nothing if there is none.
  Value* class_attribute(Value* cls, std::string_view name);
  bool inherits(Value* cls, std::string_view external_path);

  const Trace& trace() const { return trace_; }
  Heap& heap() { return heap_; }
  const pysource::SyntaxTree& tree() const { return tree_; }
  const std::vector<Value*>& kernels() const { return kernels_; }
  // What a kernel does when launched with these arguments known.
  const KernelSummary& summary(const Value* kernel, const KnownArguments& known = {});
  // A name as code in that scope sees it: bound, built in or from a star import; null if nothing defines it.
  Value* resolve(Scope* scope, std::string_view name);

 private:
  enum class Flow : std::uint8_t { kNext, kLeave };
  struct Frame {
    Value* returned = nullptr;
    std::vector<Value*> yielded;
    bool yields_open = false;  // in a branch or loop: order and number are not known
    Value* self = nullptr;
    Value* cls = nullptr;
    pysource::NodeId node = pysource::kAbsentNode;
  };
  class Conditionally;

  // interpreter_statements.cpp
  Flow run(pysource::NodeId statement);
  Flow run_block(pysource::NodeId block);
  Flow run_if(pysource::NodeId node);
  Flow run_for(pysource::NodeId node);
  Flow run_while(pysource::NodeId node);
  Flow run_try(pysource::NodeId node);
  Flow run_with(pysource::NodeId node);
  Flow run_match(pysource::NodeId node);
  void run_import(pysource::NodeId node);
  void run_import_from(pysource::NodeId node);
  void run_function_def(pysource::NodeId node);
  void run_class_def(pysource::NodeId node);
  void run_delete(pysource::NodeId node);
  void note_import(std::string_view module, pysource::NodeId node);
  void assign(pysource::NodeId target, Value* value, pysource::NodeId source);
  void assign_around_star(std::span<const pysource::NodeId> parts, std::size_t star, Value* value,
                          pysource::NodeId source);
  void assign_name(std::string_view name, Value* value, bool counts);
  void assign_slot(Slot& slot, int created_in_call, Value* value, bool weak, bool counts);
  void assign_attribute(Value* object, std::string_view name, Value* value, pysource::NodeId node, bool counts);
  void assign_subscript(pysource::NodeId target, Value* value, bool counts);
  void put(Value* dict, std::string_view key, Value* value);
  void store_item(Value* container, Value* index, Value* value, pysource::NodeId target, bool counts);
  void augment(pysource::NodeId node);
  std::vector<Value*> unpack(Value* value, std::size_t count);
  Value* element_of(Value* iterable);
  bool counts_up(pysource::NodeId target, pysource::NodeId source) const;

  // interpreter_expressions.cpp
  bool take_step();  // false when the budget is used up
  Value* eval(pysource::NodeId node);
  Value* eval_node(pysource::NodeId node);
  Value* eval_name(pysource::NodeId node);
  Value* eval_bool(pysource::NodeId node);
  Value* eval_unary(pysource::NodeId node);
  Value* eval_compare(pysource::NodeId node);
  Value* eval_conditional(pysource::NodeId node);
  Value* eval_call(pysource::NodeId node);
  Value* eval_dict(pysource::NodeId node);
  Value* eval_comprehension(pysource::NodeId node);
  Value* eval_fstring(pysource::NodeId node);
  Value* eval_formatted_field(pysource::NodeId node);
  Value* eval_sequence(pysource::NodeId node);
  Value* eval_subscript(pysource::NodeId node);
  Value* subscript(Value* object, Value* index, pysource::NodeId index_node, pysource::NodeId node);
  Value* binary(pysource::Op op, Value* left, Value* right, pysource::NodeId node);
  Arguments eval_arguments(pysource::NodeId list);
  void iterate_comprehension(pysource::NodeId node, std::size_t clause, std::vector<Value*>& items, bool& open_ended);
  std::optional<bool> truth(Value* value);
  std::optional<std::string_view> constant_key(Value* value);
  void note_condition(Value* condition, pysource::NodeId node);
  // Reports facts about whoever runs the code where they decide what a call does.
  void note_decision(Taint taint, pysource::NodeId node);
  void note_decisions(const Arguments& arguments, pysource::NodeId node);
  void note_remembered(const Value& container, Value* key, pysource::NodeId node);
  Value* read_slot(Slot& slot);
  bool holds_state(const Value& container) const;
  Taint origin(Value* value) const;
  Value* lookup(Scope* scope, std::string_view name);

  // interpreter_calls.cpp
  Value* call_one(Value* callee, const Arguments& arguments, pysource::NodeId node);
  Value* call_unknown(const Arguments& arguments, pysource::NodeId node);
  Value* call_function(Value* function, const Arguments& arguments, Value* self);
  void bind(Value* function, Scope* scope, const Arguments& arguments);
  Value* decorate(Value* decorator, Value* definition, pysource::NodeId node);
  void run_callbacks(const Arguments& arguments, pysource::NodeId node);

  // interpreter_classes.cpp
  template <typename Visit>
  Value* first_in_lineage(Value* cls, Visit visit);
  Value* external_base(Value* cls);
  Value* instantiate(Value* cls, const Arguments& arguments, pysource::NodeId node);
  Value* call_instance(Value* instance, const Arguments& arguments, pysource::NodeId node);
  Value* instance_attribute(Value* instance, std::string_view name, pysource::NodeId node);
  Value* bind_method(Value* found, Value* self, Value* cls, pysource::NodeId node);
  void remember_instance(Value* instance);
  // An object that Python may ask this of unnamed; nothing if there is none.
  Value* self_for_unnamed_call(const Value* method, Value* cls);
  Value* dunder(Value* instance, std::string_view name, std::vector<Value*> arguments, pysource::NodeId node);

  // interpreter_kernels.cpp
  Value* make_kernel(Value* function);
  Value* launch(Value* kernel, const Arguments& arguments, pysource::NodeId node);
  Value* compiled(const Value& kernel);
  void check_launch_arguments(Value* kernel, const Arguments& arguments, pysource::NodeId node);
  Value* call_triton(std::string_view path, const Arguments& arguments, pysource::NodeId node);

  // interpreter_containers.cpp
  Value* string_method(Value* self, std::string_view name, const Arguments& arguments);
  Value* container_method(Value* self, std::string_view name, const Arguments& arguments, pysource::NodeId node);

  // interpreter_builtins.cpp
  Value* call_builtin(std::string_view name, const Arguments& arguments, pysource::NodeId node);
  Value* call_operator(std::string_view name, const Arguments& arguments, pysource::NodeId node);
  Value* call_functools(std::string_view name, const Arguments& arguments, pysource::NodeId node);
  Value* get_attribute_by_value(Value* object, Value* name, Value* fallback, pysource::NodeId node);
  Value* import_by_value(Value* name, pysource::NodeId node);

  // interpreter_torch.cpp
  Value* call_torch(std::string_view path, const Arguments& arguments, pysource::NodeId node);
  Value* call_tensor_method(Value* self, std::string_view name, const Arguments& arguments, pysource::NodeId node);
  Value* tensor_attribute(Value* tensor, std::string_view name, pysource::NodeId node);
  Value* apply_autograd_function(Value* cls, const Arguments& arguments, pysource::NodeId node);
  Value* make_module(std::string_view path, const Arguments& arguments);
  Value* fresh_tensor();
  Value* derived_tensor(const TorchOp& op, const std::vector<Value*>& from);
  Value* torch_result(const TorchOp& op, std::string_view name, Value* first, const std::vector<Value*>& tensors);
  // `partly`: what it does not reach keeps its bytes.
  void overwrite(Value* tensor, Value* source, pysource::NodeId node, bool partly = false);
  bool is_everything(pysource::NodeId index) const;  // [...] and [:]
  void mark_written(Storage* storage, pysource::NodeId node, const std::string& how, bool surely = true);
  void note_torch_op(std::string_view name, const TorchOp& op, pysource::NodeId node);
  void note_narrowing(const Value* self, std::string_view name, const Arguments& arguments, pysource::NodeId node);
  static std::vector<Value*> tensors_among(const Arguments& arguments);

  // interpreter_externals.cpp
  Value* call_external(Value* callee, const Arguments& arguments, pysource::NodeId node);
  Value* call_object(Value* object, const Arguments& arguments, pysource::NodeId node);
  Value* object_attribute(Value* object, std::string_view name, pysource::NodeId node);
  Value* external_base_attribute(Value* base, Value* self, std::string_view name);
  Value* external_below(std::string_view path, std::string_view name, pysource::NodeId node);
  void note_external(std::string_view path, pysource::NodeId node);
  void note_external_assignment(std::string_view path, pysource::NodeId node);
  void note_attribute_name(std::string_view name, pysource::NodeId node);

  // interpreter.cpp
  // What nobody names is called all the same: by Python, which asks objects of the file for their truth, text or order,
  // and by what was handed a function that this call of the entry made.
  void run_unnamed_calls();
  bool is_kernel(const Value* function) const;
  bool library() const { return following_ == Following::kWholeFile; }
  bool judged() const { return on_path_ || library(); }
  void report(std::string_view rule, pysource::NodeId node, std::string message);
  void suspect(std::string_view rule, pysource::NodeId node, std::string message);
  Value* make_container(Value::Kind kind);

  const pysource::SyntaxTree& tree_;
  const Following following_;
  Findings& findings_;
  Heap heap_;
  Trace trace_;
  Scope* module_;
  Scope* scope_;
  Scope* tensor_attributes_;
  std::vector<Frame> frames_;
  std::vector<Value*> functions_;
  std::vector<Value*> kernels_;
  std::unordered_map<pysource::NodeId, Value*> class_of_method_;
  std::unordered_map<const Value*, Value*> instance_of_;  // the first of a class, or of one that derives from it
  std::unordered_map<const Value*, Value*> stand_ins_;    // instances made for unreached methods
  std::map<std::pair<pysource::NodeId, KnownArguments>, KernelSummary> summaries_;
  std::unordered_map<pysource::NodeId, std::size_t> summaries_of_;  // how many, by kernel
  std::unordered_map<const Value*, Value*> memoized_results_;
  std::vector<bool> visited_;  // functions that ran since the first call of the entry
  std::vector<bool> reached_;  // those that did on its path
  std::size_t steps_left_;
  int nesting_ = 0;
  int call_ = 0;  // number of the entry's call; 0 before the first
  bool on_path_ = false;
  bool in_entry_init_ = false;
  bool inside_path_ = false;  // evaluating a.b of a.b.c: only the whole path counts
  int conditional_depth_ = 0;
  int state_guards_ = 0;  // branches around us that depend on what earlier calls left behind
  Taint about_ = 0;       // kAbout of the branches around us
  int handlers_ = 0;
  int loops_ = 0;
  std::size_t call_launches_ = 0;
  std::size_t wrapped_kernel_calls_ = 0;  // of kernels behind decorators that launch by themselves
};

// A branch that may or may not be taken: assignments in it keep the old value as an alternative.
class Interpreter::Conditionally {
 public:
  // `condition`: the origin of what decides.
  Conditionally(Interpreter& owner, Taint condition)
      : owner_(owner), state_guard_((condition & (kState | kCounter)) != 0), about_(owner.about_) {
    ++owner_.conditional_depth_;
    owner_.state_guards_ += state_guard_;
    owner_.about_ |= about(condition);
  }
  ~Conditionally() {
    --owner_.conditional_depth_;
    owner_.state_guards_ -= state_guard_;
    owner_.about_ = about_;
  }
  Conditionally(const Conditionally&) = delete;
  Conditionally& operator=(const Conditionally&) = delete;

 private:
  Interpreter& owner_;
  int state_guard_;
  Taint about_;
};

}  // namespace tritonrl::analysis
