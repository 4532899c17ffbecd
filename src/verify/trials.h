#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "task/task.h"

namespace tritonrl::verify {

// How much is tried. docs/verifier.md says what each promises.
enum class Depth : std::uint8_t { kFull, kTrain };
std::string_view depth_name(Depth depth);
Depth depth_named(std::string_view name);  // full or train

// Sizes that a candidate is called at. Number 0: the task's own, or what stands in for them; the other stand-ins
// follow.
struct Sizes {
  task::Variant variant;
  bool listed = true;  // in the task; sizes nobody listed decide `general`, not `correct`
};

std::string sizes_text(const task::Variant& sizes);  // "N=33, M=65", or "the task's sizes"

// One call on inputs that nobody has seen.
struct Trial {
  std::size_t sizes = 0;
  std::string_view distribution = "as-given";
  bool fresh_memory = true;  // else: new bytes at the same pointers as the last call at these sizes
  bool poke = false;         // the last call's inputs, and every parameter, with one element changed
  bool ghost = false;        // kernels do nothing: the output must change
  bool counted = false;      // warm, at sizes that stand in for the task's: for the model of speed
  bool replayed = false;     // a second, warm call is run by the executor too, where the first runs on a GPU
};

// As many sizes that nobody listed are enough; more are planned, since a reference may not take them all.
inline constexpr int kEnoughUnlisted = 4;

struct TrialPlan {
  std::vector<Sizes> sizes;
  std::vector<Trial> trials;
};

// What to try on a candidate for this task, in an order that finds the usual faults first. `seed` chooses the sizes
// that nobody listed. `stand_ins` (stand_in.h): what to run in place of the task's own sizes, and variants that are
// larger are left out; on a GPU, which runs both, the first of them is one more size that nobody listed.
TrialPlan plan_trials(const task::Task& task, Depth depth, std::uint64_t seed,
                      const std::vector<task::Variant>& stand_ins = {}, bool on_gpu = false);

}  // namespace tritonrl::verify
