#include <algorithm>
#include <array>
#include <utility>

#include "analysis/interpreter.h"
#include "analysis/paths.h"

namespace tritonrl::analysis {

using pysource::kAbsentNode;
using pysource::Kind;
using pysource::NodeId;
using pysource::Op;

namespace {

// Options that a launch takes beside the kernel's own parameters, on any backend.
constexpr std::array<std::string_view, 26> kLaunchOptions = {"num_warps",
                                                             "num_stages",
                                                             "num_ctas",
                                                             "maxnreg",
                                                             "grid",
                                                             "warmup",
                                                             "stream",
                                                             "enable_fp_fusion",
                                                             "debug",
                                                             "launch_cooperative_grid",
                                                             "launch_pdl",
                                                             "num_buffers_warp_spec",
                                                             "num_consumer_groups",
                                                             "reg_dec_producer",
                                                             "reg_inc_consumer",
                                                             "waves_per_eu",
                                                             "matrix_instr_nonkdim",
                                                             "kpack",
                                                             "cluster_dims",
                                                             "ptx_version",
                                                             "ir_override",
                                                             "allow_fp8e4nv",
                                                             "max_num_imprecise_acc_default",
                                                             "default_dot_input_precision",
                                                             "extern_libs",
                                                             "sanitize_overflow"};

}  // namespace

Value* Interpreter::make_kernel(Value* function) {
  Value* kernel = heap_.make(Value::Kind::kKernel);
  kernel->node = function->node;
  kernel->scope = function->scope;
  kernel->created_in_call = call_;
  kernels_.push_back(kernel);
  return kernel;
}

void Interpreter::check_launch_arguments(Value* kernel, const Arguments& arguments, NodeId node) {
  const auto parameters = tree_.kids(tree_.kid(kernel->node, 1));
  const bool variadic = std::ranges::any_of(parameters, [&](NodeId each) { return tree_.op(each) == Op::kStar; });
  if (arguments.positional.size() > parameters.size() && !arguments.open_ended && !variadic) {
    report("launch-arguments", node,
           "the kernel takes " + std::to_string(parameters.size()) + " arguments, the launch gives " +
               std::to_string(arguments.positional.size()));
    return;
  }
  for (const auto& [name, value] : arguments.keywords) {
    if (kernel->keyed.contains(name)) {
      report("launch-arguments", node, "the launch gives '" + std::string(name) + "', which autotune sets");
      return;
    }
  }
  if (arguments.open_ended || variadic) return;
  Named<bool> given;  // by parameter
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    given.set(tree_.text(parameters[i]), i < arguments.positional.size());
  }
  std::string_view repeated = arguments.repeated;
  for (const auto& [name, value] : arguments.keywords) {
    bool* parameter = given.find(name);
    if (parameter == nullptr && std::ranges::find(kLaunchOptions, name) == kLaunchOptions.end() && !library()) {
      report("launch-arguments", node, "the kernel has no parameter '" + std::string(name) + "'");
      return;
    }
    if (parameter != nullptr && std::exchange(*parameter, true)) repeated = name;
  }
  if (!repeated.empty()) {
    report("launch-arguments", node, "the launch gives '" + std::string(repeated) + "' twice");
    return;
  }
  if (kernel->configured) return;
  for (const NodeId parameter : parameters) {
    const std::string_view name = tree_.text(parameter);
    if (tree_.kid(parameter, 0) != kAbsentNode || *given.find(name)) continue;
    report("launch-arguments", node, "the launch gives nothing for the kernel's parameter '" + std::string(name) + "'");
    return;
  }
}

// A compiled kernel is launched like the one that it was compiled from; its constants may be left out.
Value* Interpreter::compiled(const Value& kernel) {
  Value* made = heap_.copy(kernel);
  made->configured = true;
  return made;
}

Value* Interpreter::launch(Value* kernel, const Arguments& arguments, NodeId node) {
  if (tree_.kind(kernel->node) != Kind::kFunctionDef) return heap_.unknown();
  if (Value* warmup = arguments.keyword("warmup"); warmup != nullptr && truth(warmup) == true) return compiled(*kernel);
  if (judged()) check_launch_arguments(kernel, arguments, node);
  note_decisions(arguments, node);
  const auto parameters = tree_.kids(tree_.kid(kernel->node, 1));
  if (!kernel->items.empty()) {
    Value* by_name = make_container(Value::Kind::kDict);
    by_name->open_ended = true;
    by_name->keyed = arguments.keywords;
    for (std::size_t i = 0; i < std::min(arguments.positional.size(), parameters.size()); ++i)
      by_name->keyed.set(tree_.text(parameters[i]), arguments.positional[i]);
    for (Value* callback : kernel->items) call(callback, {.positional = {by_name}, .open_ended = true}, node);
  }
  KnownArguments known;
  const auto note_known = [&](std::string_view name, Value* value) {
    each_alternative(value, [&](const Value* each) {  // a function for the kernel to call
      if (each->is(Value::Kind::kKernel)) trace_.launched_elsewhere.push_back(each->node);
    });
    if (value->is(Value::Kind::kNumber) && value->has_integer && value->taint == 0) {
      known.push_back({name, value->integer, {}});
    } else if (value->is(Value::Kind::kExternal)) {
      known.push_back({name, std::nullopt, value->text});
    }
  };
  for (std::size_t i = 0; i < std::min({arguments.positional.size(), parameters.size(), arguments.definite}); ++i) {
    note_known(tree_.text(parameters[i]), arguments.positional[i]);
  }
  for (const auto& [name, value] : arguments.keywords) note_known(name, value);
  const KernelSummary& flow = summary(kernel, known);
  const auto note_counter = [&](std::string_view parameter, Value* value) {
    if (!on_path_ || std::ranges::find(flow.counters, parameter) == flow.counters.end()) return;
    const bool outlives = any_alternative(value, [&](const Value* each) {
      return each->is(Value::Kind::kTensor) && !each->storage->input && each->storage->created_in_call < call_ &&
             each->storage->written_in_call < call_;
    });
    if (outlives) report("call-counter", node, "the kernel counts in memory that outlives the call, and goes by it");
  };
  for (std::size_t i = 0; i < std::min({arguments.positional.size(), parameters.size(), arguments.definite}); ++i)
    note_counter(tree_.text(parameters[i]), arguments.positional[i]);
  for (const auto& [name, value] : arguments.keywords) note_counter(name, value);
  if (judged()) {
    trace_.launches.push_back({kernel, node, &flow});
    ++call_launches_;
  } else {
    trace_.launched_elsewhere.push_back(kernel->node);
    trace_.launched_elsewhere.insert(trace_.launched_elsewhere.end(), flow.called.begin(), flow.called.end());
  }
  const auto mark = [&](Value* value, bool through_it) {
    if (!flow.stores || (!through_it && !flow.stores_through_unknown)) return;
    each_alternative(value, [&](Value* each) {
      if (each->is(Value::Kind::kTensor)) {
        mark_written(each->storage, node, "stores into", through_it);
        each->storage->kernel_written = true;
        for (Storage* alias = each->storage->may_alias; alias != nullptr; alias = alias->may_alias)
          alias->kernel_written = true;
      } else if (each->is(Value::Kind::kSequence) || each->is(Value::Kind::kObject)) {
        // A tuple of tensors, or a tensor descriptor made from one.
        for (Value* item : each->items) {
          each_alternative(item, [&](Value* part) {
            if (!part->is(Value::Kind::kTensor)) return;
            mark_written(part->storage, node, "stores into", through_it && each->is(Value::Kind::kObject));
            part->storage->kernel_written = true;
          });
        }
      }
    });
  };
  for (std::size_t i = 0; i < arguments.positional.size(); ++i) {
    if (i < arguments.definite && i < flow.stored.size()) {
      mark(arguments.positional[i], flow.stored.begin()[static_cast<std::ptrdiff_t>(i)].value);
    } else if (flow.stores) {  // behind *args: it may be what is stored into
      each_alternative(arguments.positional[i], [](Value* each) {
        if (each->is(Value::Kind::kTensor)) each->storage->kernel_written = true;
      });
    }
  }
  for (const auto& [name, value] : arguments.keywords) {
    const bool* stored = flow.stored.find(name);
    mark(value, stored != nullptr && *stored);
  }
  return heap_.object("triton.compiler.CompiledKernel");
}

Value* Interpreter::call_triton(std::string_view path, const Arguments& arguments, NodeId node) {
  Value* first = arguments.at(0);
  const std::string_view name = last_part(path);
  if (name == "jit" || name == "JITFunction") {
    Value* function = first != nullptr ? first : arguments.keyword("fn");
    if (function != nullptr && function->is(Value::Kind::kExternal)) return function;
    if (function == nullptr || function->is(Value::Kind::kNone))
      return heap_.external("triton.jit");  // triton.jit(debug=True)
    if (function->is(Value::Kind::kKernel)) return function;
    if (!function->is(Value::Kind::kFunction)) return heap_.unknown();
    return make_kernel(function);
  }
  if (name == "autotune" || name == "heuristics" || name == "Autotuner" || name == "Heuristics") {
    if (name == "Autotuner" || name == "Heuristics") {
      if (first != nullptr && first->is(Value::Kind::kKernel)) first->configured = true;
      const bool found = first != nullptr && (first->is(Value::Kind::kKernel) || first->is(Value::Kind::kExternal));
      return found ? first : heap_.unknown();
    }
    run_callbacks(arguments, node);
    Value* tuned = heap_.make(Value::Kind::kPartial);
    tuned->target = heap_.external("triton.configured");
    Value* callbacks = make_container(Value::Kind::kSequence);
    tuned->items = {make_container(Value::Kind::kDict), callbacks};
    Value* configs = first != nullptr ? first : arguments.keyword("configs");
    if (name == "autotune" && configs != nullptr && configs->is(Value::Kind::kSequence)) {
      for (Value* config : configs->items) {
        if (!config->is(Value::Kind::kObject) || config->items.empty() || !config->items[0]->is(Value::Kind::kDict))
          continue;
        tuned->items[0]->keyed.set_all(config->items[0]->keyed);
        if (Value* const* hook = config->keyed.find("pre_hook")) callbacks->items.push_back(*hook);
      }
    }
    for (Value* table : arguments.positional)
      if (name == "heuristics" && table->is(Value::Kind::kDict))
        for (const auto& [key, rule] : table->keyed) callbacks->items.push_back(rule);
    return tuned;
  }
  if (path == "triton.configured") {
    Value* definition = arguments.at(2);
    if (definition == nullptr || !definition->is(Value::Kind::kKernel))
      return definition == nullptr ? heap_.unknown() : definition;
    Value* kernel = heap_.copy(*definition);
    kernel->configured = true;
    kernel->keyed.set_all(first->keyed);
    const auto& callbacks = arguments.positional[1]->items;
    kernel->items.insert(kernel->items.end(), callbacks.begin(), callbacks.end());
    return kernel;
  }
  if (name == "Config") {
    Value* config = heap_.object(path);
    if (Value* settings = first != nullptr ? first : arguments.keyword("kwargs")) config->items = {settings};
    if (Value* hook = arguments.keyword("pre_hook")) config->keyed.set("pre_hook", hook);
    return config;
  }
  if (name == "cdiv" || name == "next_power_of_2" || name == "prev_power_of_2" ||
      path.starts_with("triton.language.")) {
    Taint taint = 0;
    for (Value* value : arguments.positional) taint |= value->taint;
    return heap_.number(taint);
  }
  if (name == "TensorDescriptor" || name == "from_tensor") {
    Value* descriptor = heap_.object(path);
    descriptor->items = arguments.positional;
    if (Value* base = arguments.keyword("base")) descriptor->items.push_back(base);
    return descriptor;
  }
  if (path == "triton.set_allocator") {
    run_callbacks(arguments, node);
    return heap_.none();
  }
  if (first != nullptr && (first->is(Value::Kind::kKernel) || first->is(Value::Kind::kFunction)) &&
      arguments.positional.size() == 1 && name != "do_bench")
    return first;
  run_callbacks(arguments, node);
  return heap_.object(path);
}

}  // namespace tritonrl::analysis
