#include <algorithm>
#include <utility>

#include "analysis/interpreter.h"

namespace tritonrl::analysis {

using pysource::NodeId;

namespace {

constexpr std::size_t kStepsPerNode = 60;
constexpr std::size_t kStepsAtLeast = 200'000;

}  // namespace

Value* Arguments::keyword(std::string_view name) const {
  Value* const* value = keywords.find(name);
  return value == nullptr ? nullptr : *value;
}

void Arguments::limit() {
  constexpr std::size_t kMaxArguments = 1024;
  if (positional.size() > kMaxArguments) {
    positional.resize(kMaxArguments);
    definite = std::min(definite, kMaxArguments);
    open_ended = true;
  }
  if (keywords.size() > kMaxArguments) {
    keywords.truncate(kMaxArguments);
    open_ended = true;
  }
}

Interpreter::Interpreter(const pysource::SyntaxTree& tree, Following following, Findings& findings)
    : tree_(tree),
      following_(following),
      findings_(findings),
      module_(heap_.scope(nullptr)),
      scope_(module_),
      tensor_attributes_(heap_.scope(nullptr)),
      visited_(tree.size(), false),
      reached_(tree.size(), false),
      steps_left_(kStepsAtLeast + kStepsPerNode * tree.size()) {}

void Interpreter::report(std::string_view rule, NodeId node, std::string message) {
  findings_.add(rule, Severity::kReject, node, std::move(message));
}

void Interpreter::suspect(std::string_view rule, NodeId node, std::string message) {
  findings_.add(rule, Severity::kSuspect, node, std::move(message));
}

Value* Interpreter::make_container(Value::Kind kind) {
  Value* value = heap_.make(kind);
  value->created_in_call = call_;
  return value;
}

Value* Interpreter::input_tensor() {
  Storage* storage = heap_.storage();
  storage->input = true;
  return heap_.tensor(storage);
}

Value* Interpreter::instantiate_entry(Value* cls, const std::vector<Value*>& arguments) {
  Arguments given;
  given.positional = arguments;
  given.open_ended = true;
  in_entry_init_ = true;
  Value* instance = instantiate(cls, given, cls->node);
  in_entry_init_ = false;
  return instance;
}

void Interpreter::call_entry(const Value* entry, Value* callable, const std::vector<Value*>& arguments) {
  Arguments given;
  given.positional = arguments;
  on_path_ = true;
  ++call_;
  call_launches_ = 0;
  const std::size_t first_torch_op = trace_.torch_ops.size();
  Value* returned = call(callable, given, callable->node);
  run_unnamed_calls();
  trace_.calls.push_back({entry, call_, returned, call_launches_, first_torch_op, trace_.torch_ops.size()});
  on_path_ = false;
}

bool Interpreter::is_kernel(const Value* function) const {
  return std::ranges::any_of(kernels_, [&](const Value* each) { return each->node == function->node; });
}

void Interpreter::run_unnamed_calls() {
  // By index: running a function may define more of them.
  for (std::size_t i = 0; i < functions_.size(); ++i) {
    Value* function = functions_[i];
    if (reached_[function->node] || is_kernel(function)) continue;
    const auto owner = class_of_method_.find(function->node);
    Value* self = owner == class_of_method_.end() ? nullptr : self_for_unnamed_call(function, owner->second);
    if (self == nullptr && (owner != class_of_method_.end() || function->created_in_call != call_)) continue;
    call_function(function, {.open_ended = true}, self);
  }
}

void Interpreter::run_unreached_functions() {
  if (call_ == 0) call_ = 1;
  // By index: running a function may define more of them.
  for (std::size_t i = 0; i < functions_.size(); ++i) {
    Value* function = functions_[i];
    if (visited_[function->node]) continue;
    if (is_kernel(function)) continue;
    Value* self = nullptr;
    if (const auto owner = class_of_method_.find(function->node); owner != class_of_method_.end()) {
      Value*& stand_in = stand_ins_[owner->second];
      if (stand_in == nullptr) {
        const int call = std::exchange(call_, 0);  // its attributes outlive the calls that follow
        stand_in = heap_.unknown();
        stand_in = instantiate(owner->second, {.open_ended = true}, function->node);
        call_ = call;
      }
      if (visited_[function->node]) continue;
      self = stand_in;
    }
    // The second run sees what the first left behind.
    for (int round = 0; round < (library() ? 2 : 1); ++round) {
      call_function(function, {.open_ended = true}, self);
    }
  }
}

const KernelSummary& Interpreter::summary(const Value* kernel, const KnownArguments& known) {
  // A kernel that is launched in ever new ways is summed up once for all of them.
  constexpr std::size_t kMaxSummaries = 16;
  const bool many = summaries_of_[kernel->node] >= kMaxSummaries;
  const auto key = std::pair(kernel->node, many ? KnownArguments{} : known);
  if (const auto found = summaries_.find(key); found != summaries_.end()) return found->second;
  const ResolveName look_up = [&](std::string_view name) { return resolve(kernel->scope, name); };
  ++summaries_of_[kernel->node];
  return summaries_.emplace(key, summarize_kernel(tree_, kernel->node, look_up, key.second)).first->second;
}

}  // namespace tritonrl::analysis
