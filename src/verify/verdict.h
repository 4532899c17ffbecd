#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"

namespace tritonrl::verify {

enum class Stage : std::uint8_t { kSyntax, kFunctionality, kCompile, kCorrect, kBehaviour, kSpeed };
std::string_view stage_name(Stage stage);

// What a layer found, and where in the candidate's source; line 0: nowhere in particular.
struct VerdictFinding {
  std::string rule;
  bool rejects = true;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string message;
};

struct LayerRecord {
  Stage stage = Stage::kSyntax;
  double seconds = 0;
  std::vector<VerdictFinding> findings = {};
  base::Json evidence = base::Json::object();

  bool passed() const;
};

struct Speedup {
  double value = 0;  // reference / candidate
  bool modelled = true;
  double low = 0;  // 95 % confidence; a model has none, and gives its value
  double high = 0;
  double reference_us = 0;
  double candidate_us = 0;
};

// What the layers say of a candidate, with the evidence of each. Layers that did not run are not in `layers`.
struct Verdict {
  std::string task;
  std::int64_t sample = 0;
  std::string code_sha256;
  std::string device;  // "cpu", "cuda"
  std::vector<LayerRecord> layers = {};
  std::optional<bool> general = {};
  std::optional<Speedup> speedup = {};
  base::Json provenance = base::Json::object();

  const VerdictFinding* reason() const;  // the first rejection; null when accepted
  bool accepted() const { return reason() == nullptr; }
  // Nothing: the layer did not run.
  std::optional<bool> passed(Stage stage) const;
};

// One line of the contract's schema 1.
base::Json verdict_json(const Verdict& verdict);

}  // namespace tritonrl::verify
