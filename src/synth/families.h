#pragma once

#include <span>
#include <string_view>

#include "base/random.h"
#include "synth/problem.h"

namespace tritonrl::synth {

// A way to draw problems. Level 1: one operator, with at most two pointwise neighbours. Level 2: what is worth fusing.
// Level 3: small models.
struct Family {
  std::string_view name;
  int level;
  Problem (*draw)(base::Random& random);
};

std::span<const Family> families();
std::span<const Family> level1_families();
std::span<const Family> level2_families();
std::span<const Family> level3_families();

}  // namespace tritonrl::synth
