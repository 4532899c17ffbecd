#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

// What to change in a run's settings where its plan does not fit.
namespace tritonrl::train {

template <typename Config>
using Fits = std::function<bool(const Config& config)>;

// Makes as little of a change as fits, or all of it where nothing does. Says what it set: "run.batch_tokens = 4096",
// or nothing where there is nothing to change.
template <typename Config>
using Change = std::function<std::string(Config& config, const Fits<Config>& fits)>;

// The first of the changes after which the plan fits, else those of the first few that it takes; empty where not even
// all do.
template <typename Config>
std::string what_would_fit(const Config& config, const std::vector<Change<Config>>& changes, const Fits<Config>& fits) {
  for (const auto& change : changes) {
    Config changed = config;
    const std::string said = change(changed, fits);
    if (!said.empty() && fits(changed)) return said;
  }
  struct Tried {
    std::string said;
    bool fits;
  };
  const auto together = [&](const std::vector<Change<Config>>& chosen) {
    Config changed = config;
    std::string all;
    for (const auto& change : chosen) {
      const std::string said = change(changed, fits);
      if (!said.empty()) all += (all.empty() ? "" : ", ") + said;
    }
    return Tried{.said = all, .fits = fits(changed)};
  };
  std::vector<Change<Config>> chosen;
  for (const auto& change : changes) {
    chosen.push_back(change);
    if (together(chosen).fits) break;
  }
  if (!together(chosen).fits) return {};
  for (std::size_t i = 0; i < chosen.size();) {
    auto fewer = chosen;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (together(fewer).fits) {
      chosen = std::move(fewer);
    } else {
      ++i;
    }
  }
  return together(chosen).said;
}

// Those that every kind of training has, the cheapest first. Batches below the longest text are no smaller.
template <typename Config>
std::vector<Change<Config>> changes_of_training(const model::ModelConfig& model, bool half_weights,
                                                std::int64_t longest_text) {
  return {[layers = model.layers](Config& config, const Fits<Config>& fits) -> std::string {
            if (config.run.recompute_layers >= layers) return {};
            do {
              ++config.run.recompute_layers;
            } while (config.run.recompute_layers < layers && !fits(config));
            return "run.recompute_layers = " + std::to_string(config.run.recompute_layers);
          },
          [half_weights](Config& config, const Fits<Config>&) -> std::string {
            if (!half_weights || config.optimizer.stochastic_rounding) return {};
            config.optimizer.stochastic_rounding = true;
            return "optimizer.stochastic_rounding = true";
          },
          [longest_text](Config& config, const Fits<Config>& fits) -> std::string {
            if (config.run.batch_tokens <= longest_text) return {};
            do {
              config.run.batch_tokens = std::max(config.run.batch_tokens / 2, longest_text);
            } while (config.run.batch_tokens > longest_text && !fits(config));
            return "run.batch_tokens = " + std::to_string(config.run.batch_tokens);
          }};
}

// The last resort: it is the only one that changes what an update does to weights.
template <typename Config>
std::string halve_state(Config& config, const Fits<Config>& /*fits*/) {
  if (!config.optimizer.stochastic_rounding || config.optimizer.half_state) return {};
  config.optimizer.half_state = true;
  return "optimizer.half_state = true";
}

}  // namespace tritonrl::train
