#include "analysis/rule.h"

#include <algorithm>
#include <array>

#include "analysis/code_digest.h"
#include "base/error.h"

namespace tritonrl::analysis {
namespace {

constexpr auto kSyntax = Layer::kSyntax;
constexpr auto kFunctionality = Layer::kFunctionality;

constexpr std::array kRules = {
    // Is it a Triton program at all?
    Rule{"syntax-error", kSyntax, false, "the source is not Python 3"},
    Rule{"not-utf8", kSyntax, false, "the source is not UTF-8 text"},
    Rule{"source-too-large", kSyntax, false, "the source is larger than 1 MiB"},
    Rule{"nesting-too-deep", kSyntax, false, "brackets, blocks or expressions are nested past the limit"},
    Rule{"no-code", kSyntax, true, "the response holds no complete code block that defines the entry"},
    Rule{"no-kernel", kSyntax, false, "there is no @triton.jit kernel"},
    Rule{"entry-missing", kSyntax, true, "the entry is not defined"},
    // Does Triton do the work?
    Rule{"no-launch", kFunctionality, true, "no kernel launch is reachable from the entry"},
    Rule{"launch-result-unused", kFunctionality, true, "nothing that a kernel writes reaches the returned value"},
    Rule{"torch-compute", kFunctionality, true, "torch computes on the path from the entry"},
    Rule{"library-kernel", kFunctionality, true, "a kernel of another module is launched"},
    Rule{"fallback-to-torch", kFunctionality, false, "an exception handler falls back to torch compute"},
    Rule{"copy-counts", kFunctionality, true, "torch moves the data although moving data is the task"},
    Rule{"torch-compile", kFunctionality, false, "torch.compile, TorchScript, fx or inductor stands in for a kernel"},
    Rule{"native-compiler", kFunctionality, false, "other code than Triton is compiled or loaded"},
    Rule{"forbidden-import", kFunctionality, true, "a module outside the allowlist is imported"},
    Rule{"reference-access", kFunctionality, true, "the candidate reaches for the reference"},
    Rule{"reference-resubmitted", kFunctionality, true, "the entry is the reference's own text"},
    // Are the kernels real, and launched as they must be?
    Rule{"kernel-without-store", kFunctionality, true, "a launched kernel stores nothing"},
    Rule{"store-ignores-inputs", kFunctionality, true, "what is stored does not depend on anything loaded"},
    Rule{"copy-kernel", kFunctionality, true, "the kernels only copy, and the task is no copy"},
    Rule{"kernel-never-launched", kFunctionality, true, "nothing launches this kernel"},
    Rule{"writes-input", kFunctionality, true, "a tensor that the entry received is written"},
    Rule{"torch-in-kernel", kFunctionality, false, "a kernel body calls torch or numpy"},
    Rule{"kernel-called-without-grid", kFunctionality, false, "a kernel is called like a function, without a grid"},
    Rule{"launch-arguments", kFunctionality, false, "a launch does not fit the kernel's parameters"},
    Rule{"unknown-triton-api", kFunctionality, false, "no supported Triton has this function"},
    Rule{"arange-size", kFunctionality, false, "tl.arange needs a length that is a power of two"},
    Rule{"undefined-name", kFunctionality, true, "nothing defines this name"},
    Rule{"signature-mismatch", kFunctionality, true, "the entry cannot take the arguments that the reference takes"},
    Rule{"precision-downgrade", kFunctionality, false, "values are narrowed before they are computed with"},
    // Does it remember answers, or count calls?
    Rule{"cached-result", kFunctionality, true, "a tensor computed by an earlier call may be returned"},
    Rule{"pointer-keyed-cache", kFunctionality, false, "a pointer, id or version is remembered and compared"},
    Rule{"call-counter", kFunctionality, false, "behaviour depends on the number of calls"},
    Rule{"call-state", kFunctionality, false, "behaviour depends on what an earlier call left behind"},
    Rule{"cuda-graph", kFunctionality, false, "a CUDA graph replays on stale pointers"},
    // Does it look at, or tamper with, whoever judges it?
    Rule{"reflection", kFunctionality, false, "the interpreter's own objects are inspected"},
    Rule{"dispatch-tampering", kFunctionality, false, "torch's or Triton's dispatch, modes or hooks are touched"},
    Rule{"dynamic-code", kFunctionality, false, "code is made at run time"},
    Rule{"opaque-attribute", kFunctionality, true, "an attribute is looked up under a name that cannot be worked out"},
    Rule{"patches-module", kFunctionality, false, "something that the file does not own is overwritten"},
    Rule{"backend-flags", kFunctionality, false, "global settings are changed"},
    Rule{"evaluator-sniffing", kFunctionality, false, "the candidate looks at who runs it"},
    Rule{"clock-access", kFunctionality, false, "a clock is read or touched"},
    Rule{"streams-and-events", kFunctionality, false, "work is moved to other streams, or events are made"},
    Rule{"background-work", kFunctionality, false, "work is put where it is not timed"},
    Rule{"process-control", kFunctionality, false, "the process is ended, forked or signalled, or another started"},
    Rule{"file-access", kFunctionality, false, "files are touched"},
    Rule{"network-access", kFunctionality, false, "the network is touched"},
    Rule{"native-memory", kFunctionality, false, "memory is reached past Python"},
    Rule{"tensor-subclass", kFunctionality, false, "an object poses as a tensor"},
    Rule{"disguised-identifier", kFunctionality, false, "an identifier reads as one name and means another"},
    Rule{"unresolved-call", kFunctionality, true, "the target of a call cannot be worked out"},
    Rule{"too-complex", kFunctionality, false, "the analysis budget is exhausted"},
};

}  // namespace

std::span<const Rule> all_rules() { return kRules; }

const Rule& rule(std::string_view id) {
  const auto* const found = std::ranges::find(kRules, id, &Rule::id);
  base::check(found != kRules.end(), "there is no such rule");
  return *found;
}

std::string_view rules_version() { return kCodeDigest.substr(0, 12); }

}  // namespace tritonrl::analysis
