#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/finding.h"
#include "analysis/reference_profile.h"
#include "analysis/rule.h"

namespace tritonrl::analysis {

// How much torch may still do beside the kernels.
enum class Policy : std::uint8_t {
  kStrict,  // no compute outside kernels: what training uses
  kCore,    // none of the reference's main operators; needs a reference
  kAny,     // whatever, as long as a kernel's result reaches the output
};
std::optional<Policy> policy_named(std::string_view name);
std::string_view policy_name(Policy policy);

struct CheckOptions {
  std::optional<std::string> entry = "ModelNew";  // a class or function; nothing: the file is a library
  Policy policy = Policy::kStrict;
  const ReferenceProfile* reference = nullptr;
};

struct LayerReport {
  Layer layer = Layer::kSyntax;
  bool passed = true;
  double seconds = 0;
  std::vector<Finding> findings;
};

// What the static layers say of a candidate. Layers stop at the first that rejects.
struct StaticReport {
  std::vector<LayerReport> layers;

  bool accepted() const;
  const Finding* reason() const;  // the first rejection; null if accepted
};

// Never throws on what a candidate may hold, and takes time linear in it.
StaticReport check_source(std::string_view source, const CheckOptions& options);

// A model's response instead of source: positions in findings count from the start of the response.
StaticReport check_response(std::string_view response, const CheckOptions& options);

}  // namespace tritonrl::analysis
