#include "model/rope_table.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tritonrl::model {
namespace {

// In fp32, step by step as transformers computes them: at position 30,000 a rounding elsewhere would be seen.
std::vector<float> default_frequencies(const ModelConfig& config) {
  std::vector<float> frequencies;
  for (std::int64_t i = 0; i < config.head_dim; i += 2) {
    const float exponent = static_cast<float>(i) / static_cast<float>(config.head_dim);
    frequencies.push_back(1.0F / std::pow(static_cast<float>(config.rope.theta), exponent));
  }
  return frequencies;
}

double yarn_scale(double factor, double mscale) { return factor <= 1 ? 1.0 : 0.1 * mscale * std::log(factor) + 1.0; }

double yarn_attention_factor(const RopeConfig& rope) {
  if (rope.attention_factor) return *rope.attention_factor;
  if (rope.mscale.value_or(0) != 0 && rope.mscale_all_dim.value_or(0) != 0) {
    return yarn_scale(rope.factor, *rope.mscale) / yarn_scale(rope.factor, *rope.mscale_all_dim);
  }
  return yarn_scale(rope.factor, 1);
}

void apply_yarn(const ModelConfig& config, std::vector<float>& frequencies) {
  const auto& rope = config.rope;
  const auto dim = static_cast<double>(config.head_dim);
  const auto turning = [&](double rotations) {
    const double ratio = static_cast<double>(rope.original_max_positions) / (rotations * 2 * std::numbers::pi);
    return dim * std::log(ratio) / (2 * std::log(rope.theta));
  };
  double low = turning(rope.beta_fast);
  double high = turning(rope.beta_slow);
  if (rope.truncate) {
    low = std::floor(low);
    high = std::ceil(high);
  }
  low = std::max(low, 0.0);
  high = std::min(high, dim - 1);
  if (low == high) high += 0.001;
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    const auto ramp =
        std::clamp((static_cast<float>(i) - static_cast<float>(low)) / static_cast<float>(high - low), 0.0F, 1.0F);
    const float kept = 1.0F - ramp;
    const float interpolated = frequencies[i] / static_cast<float>(rope.factor);
    frequencies[i] = interpolated * (1.0F - kept) + frequencies[i] * kept;
  }
}

void apply_llama3(const ModelConfig& config, std::vector<float>& frequencies) {
  const auto& rope = config.rope;
  const auto context = static_cast<double>(rope.original_max_positions);
  for (float& frequency : frequencies) {
    const double wave = 2 * std::numbers::pi / frequency;
    if (wave < context / rope.high_freq_factor) continue;
    if (wave > context / rope.low_freq_factor) {
      frequency /= static_cast<float>(rope.factor);
      continue;
    }
    const double smooth = (context / wave - rope.low_freq_factor) / (rope.high_freq_factor - rope.low_freq_factor);
    frequency = static_cast<float>((1 - smooth) * frequency / rope.factor + smooth * frequency);
  }
}

}  // namespace

RopeTable make_rope_table(const ModelConfig& config, std::int64_t positions) {
  std::vector<float> frequencies = default_frequencies(config);
  float scale = 1;
  switch (config.rope.type) {
    case RopeType::kDefault:
      break;
    case RopeType::kLinear:
      for (float& frequency : frequencies) frequency /= static_cast<float>(config.rope.factor);
      break;
    case RopeType::kYarn:
      apply_yarn(config, frequencies);
      scale = static_cast<float>(yarn_attention_factor(config.rope));
      break;
    case RopeType::kLlama3:
      apply_llama3(config, frequencies);
      break;
  }
  RopeTable table;
  const std::size_t size = static_cast<std::size_t>(positions) * frequencies.size();
  table.cosines.reserve(size);
  table.sines.reserve(size);
  for (std::int64_t position = 0; position < positions; ++position) {
    for (const float frequency : frequencies) {
      const float angle = static_cast<float>(position) * frequency;
      table.cosines.push_back(std::cos(angle) * scale);
      table.sines.push_back(std::sin(angle) * scale);
    }
  }
  return table;
}

}  // namespace tritonrl::model
