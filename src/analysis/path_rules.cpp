#include "analysis/path_rules.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace tritonrl::analysis {
namespace {

using pysource::Kind;
using pysource::NodeId;
using pysource::Op;

struct Returned {
  std::vector<const Storage*> storages;
  bool unknown = false;
  const Value* posing = nullptr;  // an object of a class of the file
};

// Without recursion: a source may nest values as deep as it likes.
void collect(Value* value, Returned& returned, std::set<const Value*>& seen) {
  std::vector<Value*> pending{value};
  while (!pending.empty()) {
    Value* next = pending.back();
    pending.pop_back();
    if (next == nullptr || !seen.insert(next).second) continue;
    std::vector<Value*> inside;
    each_alternative(next, [&](Value* each) {
      switch (each->kind) {
        case Value::Kind::kTensor:
          returned.storages.push_back(each->storage);
          break;
        case Value::Kind::kSequence:
        case Value::Kind::kDict:
          for (Value* item : each->items) inside.push_back(item);
          for (const auto& [key, item] : each->keyed) inside.push_back(item);
          break;
        case Value::Kind::kInstance:
          returned.posing = each;
          for (const auto& [name, slot] : each->attributes->names) inside.push_back(slot.value);
          break;
        case Value::Kind::kUnknown:
          returned.unknown = true;
          break;
        default:
          break;
      }
    });
    pending.insert(pending.end(), inside.rbegin(), inside.rend());
  }
}

bool forbidden_by(Policy policy, const Trace::TorchOp& op, const ReferenceProfile* reference) {
  switch (policy) {
    case Policy::kStrict:
      return true;
    case Policy::kCore:
      return reference != nullptr && reference->main_operators.contains(operator_family(op.name));
    case Policy::kAny:
      return false;
  }
  return true;
}

void judge_torch_ops(const Trace& trace, const CheckOptions& options, Findings& findings) {
  for (const auto& op : trace.torch_ops) {
    const std::string name(op.name);
    if (op.cls == OpClass::kCopy) {
      if (options.reference != nullptr && options.reference->only_moves_data) {
        findings.add("copy-counts", Severity::kReject, op.node, name + " moves the data, and moving it is the task");
      }
      continue;
    }
    if (op.in_handler)
      findings.add("fallback-to-torch", Severity::kReject, op.node, name + " takes over when a kernel fails");
    if (forbidden_by(options.policy, op, options.reference)) {
      findings.add("torch-compute", Severity::kReject, op.node, name + " does work here that belongs in a kernel");
    }
  }
}

void judge_kernels(Interpreter& interpreter, const CheckOptions& options, Findings& findings) {
  const Trace& trace = interpreter.trace();
  bool any_depends = false;
  bool any_more_than_copies = false;
  bool any_stores = false;
  std::set<NodeId> used(trace.launched_elsewhere.begin(), trace.launched_elsewhere.end());
  for (const auto& launch : trace.launches) {
    used.insert(launch.kernel->node);
    used.insert(launch.flow->called.begin(), launch.flow->called.end());
    for (const auto& use : launch.flow->uses) findings.add(use.rule, use.severity, use.node, use.message);
    any_depends |= launch.flow->depends_on_loads;
    any_stores |= launch.flow->stores;
    any_more_than_copies |= launch.flow->stores && !launch.flow->only_copies;
    if (!launch.flow->stores)
      findings.add("kernel-without-store", Severity::kReject, launch.node,
                   "this kernel stores nothing: launching it has no effect");
  }
  for (const auto& launch : trace.launches) {
    if (!launch.flow->stores || launch.flow->depends_on_loads) continue;
    findings.add("store-ignores-inputs", any_depends ? Severity::kSuspect : Severity::kReject, launch.node,
                 "nothing that this kernel stores depends on anything it loads");
  }
  if (any_stores && any_depends && !any_more_than_copies) {
    const bool certain = options.reference != nullptr;
    if (!certain || !options.reference->only_moves_data) {
      findings.add("copy-kernel", certain ? Severity::kReject : Severity::kSuspect, trace.launches.front().node,
                   "the kernels only copy what they load; the work is done elsewhere or not at all");
    }
  }
  for (const Value* kernel : interpreter.kernels()) {
    if (used.contains(kernel->node) || trace.launches.empty()) continue;
    findings.add("kernel-never-launched", Severity::kSuspect, kernel->node, "nothing launches this kernel");
  }
}

void judge_returned(Interpreter& interpreter, Value* entry, Findings& findings) {
  const Trace& trace = interpreter.trace();
  const NodeId node = entry->node;
  bool stale = false;
  bool unused = true;
  bool launched = false;
  bool first = true;
  for (const auto& result : trace.calls) {
    if (result.entry != entry) continue;
    launched |= std::exchange(first, false) && result.launches > 0;
    Returned returned;
    std::set<const Value*> seen;
    collect(result.returned, returned, seen);
    for (const Storage* storage : returned.storages) {
      unused &= !storage->kernel_written;
      stale |= is_answer_from_before(*storage, result.number);
    }
    unused &= !returned.unknown;
    if (returned.posing == nullptr) continue;
    for (const std::string_view trick : {"__getattr__", "__getattribute__", "__array__", "__torch_function__"}) {
      if (interpreter.class_attribute(returned.posing->target, trick) == nullptr) continue;
      findings.add("tensor-subclass", Severity::kReject, returned.posing->target->node,
                   "what is returned is no tensor, but answers like one");
      break;
    }
  }
  if (stale)
    findings.add("cached-result", Severity::kReject, node,
                 "a tensor that was computed before this call may be returned");
  if (!launched) {
    findings.add("no-launch", Severity::kReject, node, "no kernel launch is reachable from here");
  } else if (unused) {
    findings.add("launch-result-unused", Severity::kReject, node,
                 "nothing that a kernel writes reaches the returned value");
  }
}

// Can a call with `given` positional arguments reach the function?
bool accepts(const pysource::SyntaxTree& tree, NodeId function, std::size_t given) {
  std::size_t least = 0;
  std::size_t most = 0;
  bool variadic = false;
  for (const NodeId parameter : tree.kids(tree.kid(function, 1))) {
    const Op op = tree.op(parameter);
    const bool required = tree.kid(parameter, 0) == pysource::kAbsentNode;
    if (op == Op::kStar) {
      variadic = true;
    } else if (op == Op::kKeywordOnly) {
      if (required) return false;
    } else if (op != Op::kDoubleStar) {
      ++most;
      least += required;
    }
  }
  return given >= least && (variadic || given <= most);
}

void judge_signature(Interpreter& interpreter, Value* entry, const CheckOptions& options, Findings& findings) {
  const auto& tree = interpreter.tree();
  const auto check = [&](Value* function, std::size_t given, bool bound, std::string_view what) {
    if (function == nullptr || !function->is(Value::Kind::kFunction) || tree.kind(function->node) != Kind::kFunctionDef)
      return;
    const std::size_t self = bound && function->binding != Value::Binding::kStatic ? 1 : 0;
    if (accepts(tree, function->node, given + self)) return;
    findings.add(
        "signature-mismatch", Severity::kReject, function->node,
        std::string(what) + " cannot take the " + std::to_string(given) + " arguments that the reference takes");
  };
  const ReferenceProfile* reference = options.reference;
  const bool cls = entry->is(Value::Kind::kClass);
  Value* forward = cls ? interpreter.class_attribute(entry, "forward") : entry;
  if (reference != nullptr && reference->init_arguments_known && cls) {
    check(interpreter.class_attribute(entry, "__init__"), reference->init_arguments, true, "__init__");
  }
  if (reference != nullptr && reference->inputs_known) {
    check(forward, reference->inputs.size(), cls, "forward");
  } else if (forward != nullptr && forward->is(Value::Kind::kFunction) &&
             tree.kind(forward->node) == Kind::kFunctionDef &&
             tree.kids(tree.kid(forward->node, 1)).size() <=
                 (cls && forward->binding != Value::Binding::kStatic ? 1U : 0U)) {
    findings.add("signature-mismatch", Severity::kReject, forward->node, "forward takes no input");
  }
}

}  // namespace

void apply_path_rules(Interpreter& interpreter, const std::vector<Value*>& entries, const CheckOptions& options,
                      Findings& findings) {
  const Trace& trace = interpreter.trace();
  for (Value* entry : entries) {
    judge_signature(interpreter, entry, options, findings);
    judge_returned(interpreter, entry, findings);
  }
  judge_torch_ops(trace, options, findings);
  judge_kernels(interpreter, options, findings);
  for (const NodeId node : trace.unresolved_calls) {
    findings.add("unresolved-call", Severity::kSuspect, node, "it cannot be worked out what is called here");
  }
  const ReferenceProfile* reference = options.reference;
  if (reference == nullptr || reference->operators.empty()) return;
  for (const auto& call : trace.calls) {
    if (computed_operators(trace, call) != reference->operators) continue;
    findings.add("reference-resubmitted", Severity::kReject, call.entry->node,
                 "torch computes exactly what the reference computes: this is the reference again");
  }
}

void apply_library_rules(Interpreter& interpreter, Findings& findings) {
  for (const auto& op : interpreter.trace().torch_ops) {
    if (op.in_handler && op.cls == OpClass::kCompute) {
      findings.add("fallback-to-torch", Severity::kReject, op.node,
                   std::string(op.name) + " takes over when a kernel fails");
    }
  }
  for (const Value* kernel : interpreter.kernels()) {
    if (interpreter.tree().kind(kernel->node) != Kind::kFunctionDef) continue;
    for (const auto& use : interpreter.summary(kernel).uses) {
      if (rule(use.rule).needs_entry) continue;
      // Libraries guard names of other Triton versions and backends in ways we do not see.
      const bool uncertain = use.rule == "unknown-triton-api";
      findings.add(use.rule, uncertain ? Severity::kSuspect : use.severity, use.node, use.message);
    }
  }
}

}  // namespace tritonrl::analysis
