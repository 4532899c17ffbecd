// What a call of the candidate's shows: its outputs, its memory, its launches and operators.
#include "verify/session.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "analysis/torch_ops.h"
#include "verify/stopwatch.h"

namespace tritonrl::verify {
namespace {

// Tensors of no more elements than this may be handled on the host: sizes, strides, a scalar or two.
constexpr std::uint64_t kFewElements = 64;
constexpr std::uint64_t kFewInAll = 1024;  // in one call
constexpr double kMostWork = 1 << 24U;  // of a reference, operations and bytes, that every honest kernel has steps for

// Types that a kernel multiplies in, by its IR, narrower than fp32; empty: none.
std::string_view narrow_product(std::string_view ttir) {
  for (std::size_t at = ttir.find("tt.dot"); at != std::string_view::npos; at = ttir.find("tt.dot", at + 1)) {
    const std::string_view line = ttir.substr(at, ttir.find('\n', at) - at);
    for (const std::string_view type : {"f16", "bf16", "f8E4M3FN", "f8E5M2"}) {
      if (line.find(fmt::format("x{}> *", type)) != std::string_view::npos) return type;
    }
  }
  return {};
}

// The type that a kernel rounds numbers to, by its IR, narrower than fp32; empty: none.
std::string_view narrow_conversion(std::string_view ttir) {
  for (const std::string_view conversion : {"arith.truncf", "tt.fp_to_fp"}) {
    for (std::size_t at = ttir.find(conversion); at != std::string_view::npos; at = ttir.find(conversion, at + 1)) {
      const std::string_view line = ttir.substr(at, ttir.find(" loc(", at) - at);
      for (const std::string_view type : {"bf16", "f16", "f8E4M3FN", "f8E5M2"}) {
        if (line.ends_with(type) || line.ends_with(fmt::format("x{}>", type))) return type;
      }
    }
  }
  return {};
}

constexpr std::string_view kSource = "/tmp/kernel.py";  // harness/tritonrl_harness/serving.py

// The file that a kernel was written in, where that is not the candidate's; empty: it is, or nobody knows.
std::string_view library_of(const GuestKernel& kernel) {
  if (kernel.code.parameter_locations.empty()) return {};
  const std::string_view file = kernel.code.locations[kernel.code.parameter_locations.front()].file;
  return file.starts_with('/') && file != kSource ? file : std::string_view();
}

// The type of a 16-bit or narrower float that the kernel is given memory of; empty when there is none.
std::string narrow_pointer(const GuestKernel& kernel) {
  for (const auto& type : kernel.code.parameter_types) {
    const bool memory = type.element == ttir::Element::kPointer || type.element == ttir::Element::kDescriptor;
    if (memory && ttir::is_float(type.pointee) && ttir::bytes_of(type.pointee) < 4) return ttir::name_of(type.pointee);
  }
  return {};
}

}  // namespace

void Session::judge_outputs(const Trial& trial, const CallResult& result, const Expectation& expected) {
  if (result.structure != expected.structure || result.outputs.size() != expected.results.size()) {
    reject(correct_, "wrong-structure", "the outputs are not nested as the reference's are");
    return;
  }
  for (std::size_t n = 0; n < result.outputs.size(); ++n) {
    const auto& output = result.outputs[n];
    if (!output.exact_type) {
      reject(behaviour_, "tensor-subclass",
             "an output is a subclass of torch.Tensor, which may compute when it is read");
    }
    if (!output.on_device) {
      reject(correct_, "wrong-device", "an output lies on the CPU");
      continue;
    }
    const auto report = candidate_.process().device().memory().compare(output.view, expected.results[n]);
    worst_ = std::max(worst_, std::isfinite(report.worst) ? report.worst : worst_);
    if (output.view.elements() >= 32) worst_rms_ = std::max(worst_rms_, report.rms);
    if (!report.mismatch) continue;
    const bool state_differs = !unbound_.empty() && report.mismatch->rule == "wrong-result";
    const std::string where = fmt::format("{}, inputs {}: output {}", sizes_text(plan_.sizes[trial.sizes].variant),
                                          trial.poke ? "with one element changed" : trial.distribution, n);
    if (state_differs) {
      reject(compile_, "parameters-unmatched",
             fmt::format("the candidate has no parameter to hold {} of the reference, and its results differ ({}: {})",
                         fmt::join(unbound_, ", "), where, report.mismatch->message));
    } else {
      reject(correct_, report.mismatch->rule, where + ": " + report.mismatch->message);
    }
    return;
  }
}

// Whether a call without some of its kernels gave something else.
bool Session::differs(const CallResult& result, const Expectation& expected) {
  if (result.structure != expected.structure || result.outputs.size() != expected.results.size()) return true;
  GuestDevice& device = candidate_.process().device();
  for (std::size_t n = 0; n < result.outputs.size(); ++n) {
    const auto& output = result.outputs[n];
    if (!output.on_device || output.bytes == 0) continue;
    if (device.undefined(output.address, output.bytes)) return true;
    if (device.memory().compare(output.view, expected.results[n]).mismatch) return true;
  }
  return false;
}

void Session::judge_ghost(const CallResult& result, const Expectation& expected) {
  if (differs(result, expected)) return;
  reject(behaviour_, "kernel-result-unused",
         "the output is right even when no kernel does anything: the work is done elsewhere");
}

void Session::judge_memory(const CallResult& result, const Expectation& expected) {
  GuestDevice& device = candidate_.process().device();
  for (const auto& output : result.outputs) {
    if (!output.on_device || output.bytes == 0) continue;
    if (!expected.aliases_input && candidate_.overlaps_inputs(output.address)) {
      reject(behaviour_, "output-aliases-input", "an output lies in the memory of an input or a parameter");
    }
    // Gaps between the elements of a strided output may well be unwritten.
    if (output.bytes ==
            static_cast<std::uint64_t>(output.view.elements()) * item_bytes(output.view.dtype).value_or(1) &&
        device.undefined(output.address, output.bytes)) {
      reject(behaviour_, "unwritten-output", "bytes of an output were never written");
    }
  }
}

void Session::judge_trace(const DeviceTrace& trace) {
  if (trace.launches.empty()) reject(behaviour_, "no-launch", "no Triton kernel was launched in this call");
  for (const auto& launch : trace.launches) {
    if (const auto file = library_of(*launch.kernel); !file.empty()) {
      reject(behaviour_, "library-kernel", fmt::format("{} is a kernel of {}", launch.kernel->name, file));
      break;
    }
  }
  judge_operators(trace);
  if (!trace.overflow.empty()) {
    reject(behaviour_, "call-limit", fmt::format("the call makes {}: it cannot be followed", trace.overflow));
  }
  if (!all_single_) return;
  for (const auto& launch : trace.launches) {
    if (const std::string narrow = narrow_pointer(*launch.kernel); !narrow.empty()) {
      reject(correct_, "precision-downgrade",
             fmt::format("{} keeps numbers in {} where the task has fp32", launch.kernel->name, narrow));
      return;
    }
    if (const auto type = narrow_conversion(launch.kernel->text); !type.empty()) {
      reject(correct_, "precision-downgrade",
             fmt::format("{} rounds numbers to {} where the task has fp32", launch.kernel->name, type));
      return;
    }
    // A GPU counts no operations.
    if (const auto type = narrow_product(launch.kernel->text); config_.gpu && !type.empty()) {
      reject(correct_, "precision-downgrade",
             fmt::format("{} multiplies in {} what the task has in fp32", launch.kernel->name, type));
      return;
    }
    for (const auto& [operation, count] : launch.cost.operations) {
      if (count > 0 && (operation == "dot f16" || operation == "dot bf16" || operation.starts_with("dot f8"))) {
        reject(correct_, "precision-downgrade",
               fmt::format("{} multiplies in {} what the task has in fp32", launch.kernel->name, operation.substr(4)));
        return;
      }
    }
  }
}

void Session::judge_operators(const DeviceTrace& trace) {
  std::uint64_t copied = 0;
  std::uint64_t computed = 0;
  for (const auto& op : trace.operators) {
    const auto known = analysis::find_torch_op("torch.ops.aten." + op.name);
    const auto cls = known ? known->cls : analysis::OpClass::kCompute;
    if (op.detail.to_host != 0) copied += op.detail.elements;
    if (op.detail.to_host != 0 && (op.detail.elements > kFewElements || copied > kFewInAll)) {
      reject(behaviour_, "host-compute", fmt::format("{} elements are copied to the CPU", copied));
      return;
    }
    if (op.detail.on_host != 0) {
      if (cls != analysis::OpClass::kCompute) continue;
      computed += op.detail.elements;
      if (op.detail.elements > kFewElements || computed > kFewInAll) {
        reject(behaviour_, "host-compute", fmt::format("torch computes on the CPU: {}", op.name));
        return;
      }
      continue;
    }
    const bool core = reference_.main_operators.contains(analysis::operator_family(op.name));
    const bool forbidden =
        config_.policy == analysis::Policy::kStrict || (config_.policy == analysis::Policy::kCore && core);
    if (cls == analysis::OpClass::kCompute && forbidden) {
      reject(behaviour_, "torch-compute", fmt::format("torch computes in the call: {}", op.name));
      return;
    }
    if (cls == analysis::OpClass::kCopy && reference_.only_moves_data && op.detail.elements > kFewElements) {
      reject(behaviour_, "copy-counts", fmt::format("the task only moves data, and torch moves it: {}", op.name));
      return;
    }
  }
}

void Session::judge_findings(const DeviceTrace& trace) {
  for (const auto& finding : trace.findings) {
    const std::string message =
        finding.kernel.empty() ? finding.message : fmt::format("{}: {}", finding.kernel, finding.message);
    if (finding.error) {
      reject(behaviour_, finding.rule == kStepBudget ? "step-limit" : finding.rule, message, finding.line);
    } else {
      suspect(behaviour_, finding.rule, message, finding.line);
    }
  }
}

// Where the reference itself has much work for the executor, its budget says nothing of the candidate.
void Session::judge_spent_budget(const Trial& trial) {
  const auto& sizes = plan_.sizes[trial.sizes].variant;
  const auto weighed = oracle_.weigh(sizes);
  const auto* work = std::get_if<Oracle::Work>(&weighed);
  if (work != nullptr && std::max(work->flops, work->bytes) > kMostWork) {
    throw base::InputError(
        task_.where,
        fmt::format(
            "the reference has too much work for the executor of the CPU device at {}: {:.2g} operations, {:.2g} bytes",
            sizes_text(sizes), work->flops, work->bytes),
        "judge it on a GPU, or give the task smaller sizes, by names that can be varied");
  }
  reject(correct_, "step-limit", "a launch did not end within its budget of operations");
}

void Session::judge_kept_outputs() {
  GuestDevice& device = candidate_.process().device();
  for (const Kept& kept : kept_) {
    const std::byte* now = device.at(kept.address, kept.bytes.size);
    if (now != nullptr && !device.memory().same(now, kept.bytes)) {
      reject(behaviour_, "output-overwritten", "what an earlier call returned changed in a later one");
      kept_.clear();
      return;
    }
  }
}

// A call in which one kernel does nothing, for each of several. A result that is right all the same is a suspicion
// only: a kernel that fills memory with what is there already is honest.
void Session::judge_each_kernel() {
  const Stopwatch watch(behaviour_.seconds);
  std::set<std::string> names;
  if (const auto own = timed_.find(0); own != timed_.end()) {
    for (const auto& launch : own->second.launches) names.insert(launch.kernel->name);
  }
  std::optional<OracleCase> made;
  std::optional<Expectation> expected;
  if (names.size() < 2 || prepare({}, made, expected) == Next::kStop) return;
  GuestDevice& device = candidate_.process().device();
  for (const std::string& name : names) {
    device.set_ghost_kernel(name);
    const auto answer = candidate_.call(0, false);
    device.set_ghost_kernel({});
    device.take_trace();
    const auto* result = std::get_if<CallResult>(&answer);
    if (result == nullptr || differs(*result, *expected)) continue;
    suspect(behaviour_, "kernel-unneeded", fmt::format("the output is right even when {} does nothing", name));
  }
}

}  // namespace tritonrl::verify
