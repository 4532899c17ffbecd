#include "analysis/static_check.h"

#include <algorithm>
#include <chrono>

#include "analysis/identifiers.h"
#include "analysis/interpreter.h"
#include "analysis/path_rules.h"
#include "analysis/response.h"

namespace tritonrl::analysis {
namespace {

using pysource::SourceError;
using pysource::SyntaxTree;

// Two calls of the entry: what the first leaves behind, the second sees.
constexpr int kCalls = 2;

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

std::string_view rule_of(SourceError::Kind kind) {
  switch (kind) {
    case SourceError::Kind::kEncoding:
      return "not-utf8";
    case SourceError::Kind::kTooLarge:
      return "source-too-large";
    case SourceError::Kind::kTooDeep:
      return "nesting-too-deep";
    case SourceError::Kind::kSyntax:
      break;
  }
  return "syntax-error";
}

Finding finding_at(std::string_view id, std::string_view source, std::size_t offset, std::string message) {
  Finding finding;
  finding.rule = rule(id).id;
  finding.where = base::LineIndex(source).position(offset);
  finding.message = std::move(message);
  return finding;
}

LayerReport finished(Layer layer, std::vector<Finding> findings, const Stopwatch& watch) {
  LayerReport report;
  report.layer = layer;
  report.findings = std::move(findings);
  report.passed =
      std::ranges::none_of(report.findings, [](const Finding& each) { return each.severity == Severity::kReject; });
  report.seconds = watch.seconds();
  return report;
}

bool has_forward(Interpreter& interpreter, Value* cls) {
  for (const std::string_view name : {"forward", "__call__"})
    if (interpreter.class_attribute(cls, name) != nullptr) return true;
  // It may come from a class of another module, but nn.Module itself has none.
  return !cls->items.empty() && !interpreter.inherits(cls, "torch.nn.Module");
}

// What the name may stand for that can be called: classes with forward, functions. Several where branches define it.
std::vector<Value*> find_entries(Interpreter& interpreter, std::string_view name) {
  std::vector<Value*> found;
  each_alternative(interpreter.global(name), [&](Value* each) {
    const bool callable =
        each->is(Value::Kind::kFunction) || each->is(Value::Kind::kInstance) || each->is(Value::Kind::kPartial);
    if (callable || (each->is(Value::Kind::kClass) && has_forward(interpreter, each))) found.push_back(each);
  });
  return found;
}

std::vector<Value*> entry_arguments(Interpreter& interpreter, Value* entry, const ReferenceProfile* reference) {
  std::vector<Value*> arguments;
  if (reference != nullptr && reference->inputs_known) {
    for (const auto kind : reference->inputs) {
      arguments.push_back(kind == ReferenceProfile::ArgumentKind::kTensor ? interpreter.input_tensor()
                                                                          : interpreter.heap().number());
    }
    return arguments;
  }
  // Without a reference: every parameter without a default is a tensor, unless its annotation says number.
  const auto& tree = interpreter.tree();
  Value* function = entry->is(Value::Kind::kClass) ? interpreter.class_attribute(entry, "forward") : entry;
  if (function == nullptr || !function->is(Value::Kind::kFunction) ||
      tree.kind(function->node) != pysource::Kind::kFunctionDef) {
    return {interpreter.input_tensor()};
  }
  bool self = entry->is(Value::Kind::kClass) && function->binding != Value::Binding::kStatic;
  for (const auto parameter : tree.kids(tree.kid(function->node, 1))) {
    if (std::exchange(self, false)) continue;
    const auto op = tree.op(parameter);
    if (op == pysource::Op::kStar) arguments.push_back(interpreter.input_tensor());
    if (op != pysource::Op::kNothing) break;
    const pysource::NodeId fallback = tree.kid(parameter, 0);
    const std::string_view annotation =
        tree.kid(parameter, 1) == pysource::kAbsentNode ? "" : tree.source_of(tree.kid(parameter, 1));
    const bool number = annotation == "int" || annotation == "float" || annotation == "bool" || annotation == "str";
    if (fallback != pysource::kAbsentNode) {
      if (tree.kind(fallback) != pysource::Kind::kNone) break;
      arguments.push_back(interpreter.heap().join(interpreter.input_tensor(), interpreter.heap().none()));
    } else {
      arguments.push_back(number ? interpreter.heap().number() : interpreter.input_tensor());
    }
  }
  return arguments;
}

void follow_entries(Interpreter& interpreter, const std::vector<Value*>& entries, const CheckOptions& options,
                    Findings& findings) {
  std::vector<Value*> init_arguments;
  if (options.reference != nullptr && options.reference->init_arguments_known) {
    init_arguments.assign(options.reference->init_arguments, interpreter.heap().unknown());
  }
  std::vector<Value*> callables;
  for (Value* entry : entries) {
    const bool cls = entry->is(Value::Kind::kClass);
    callables.push_back(cls ? interpreter.instantiate_entry(entry, init_arguments) : entry);
  }
  for (std::size_t i = 0; i < entries.size(); ++i) {
    for (int call = 0; call < kCalls; ++call) {
      interpreter.call_entry(entries[i], callables[i], entry_arguments(interpreter, entries[i], options.reference));
    }
  }
  interpreter.run_unreached_functions();
  apply_path_rules(interpreter, entries, options, findings);
}

}  // namespace

std::optional<Policy> policy_named(std::string_view name) {
  for (const Policy policy : {Policy::kStrict, Policy::kCore, Policy::kAny})
    if (policy_name(policy) == name) return policy;
  return std::nullopt;
}

std::string_view policy_name(Policy policy) {
  switch (policy) {
    case Policy::kCore:
      return "core";
    case Policy::kAny:
      return "any";
    case Policy::kStrict:
      break;
  }
  return "strict";
}

bool StaticReport::accepted() const { return std::ranges::all_of(layers, &LayerReport::passed); }

const Finding* StaticReport::reason() const {
  for (const LayerReport& layer : layers)
    for (const Finding& finding : layer.findings)
      if (finding.severity == Severity::kReject) return &finding;
  return nullptr;
}

StaticReport check_source(std::string_view source, const CheckOptions& options) {
  StaticReport report;
  if (source.starts_with("\xEF\xBB\xBF")) source.remove_prefix(3);
  const Stopwatch syntax_watch;
  const auto parsed = SyntaxTree::parse(source);
  if (const auto* error = std::get_if<SourceError>(&parsed)) {
    report.layers.push_back(finished(
        Layer::kSyntax, {finding_at(rule_of(error->kind), source, error->offset, error->message)}, syntax_watch));
    return report;
  }
  const auto& tree = std::get<SyntaxTree>(parsed);
  Findings syntax;
  Findings functionality;
  Interpreter interpreter(tree, options.entry ? Following::kEntry : Following::kWholeFile, functionality);
  interpreter.run_module();
  if (interpreter.kernels().empty()) interpreter.run_unreached_functions();  // kernels may be made inside functions
  if (interpreter.kernels().empty())
    syntax.add("no-kernel", options.entry ? Severity::kReject : Severity::kSuspect, tree.root(),
               "there is no @triton.jit kernel in this file");
  const auto entries = options.entry ? find_entries(interpreter, *options.entry) : std::vector<Value*>{};
  if (options.entry && entries.empty()) {
    syntax.add("entry-missing", Severity::kReject, tree.root(),
               "nothing here defines " + *options.entry + " with a forward of its own");
  }
  report.layers.push_back(finished(Layer::kSyntax, syntax.in_source_order(tree), syntax_watch));
  if (!report.accepted()) return report;

  const Stopwatch functionality_watch;
  find_disguised_identifiers(tree, functionality);
  if (options.entry) {
    follow_entries(interpreter, entries, options, functionality);
  } else {
    interpreter.run_unreached_functions();
    apply_library_rules(interpreter, functionality);
  }
  report.layers.push_back(finished(Layer::kFunctionality, functionality.in_source_order(tree), functionality_watch));
  return report;
}

StaticReport check_response(std::string_view text, const CheckOptions& options) {
  const Stopwatch watch;
  const Response response = split_response(text, options.entry);
  if (!response.code) {
    const std::string why = response.blocks == 0 && response.unclosed_fence ? "its only code block is not closed"
                            : response.blocks == 0
                                ? "it has no fenced code block after the plan"
                                : "none of its code blocks defines " + options.entry.value_or("anything");
    StaticReport report;
    report.layers.push_back(finished(
        Layer::kSyntax, {finding_at("no-code", text, response.plan.end, "the response holds no code: " + why)}, watch));
    return report;
  }
  StaticReport report = check_source(response.code->of(text), options);
  const std::size_t first_line = base::LineIndex(text).position(response.code->begin).line;
  for (LayerReport& layer : report.layers)
    for (Finding& finding : layer.findings) finding.where.line += first_line - 1;
  return report;
}

}  // namespace tritonrl::analysis
