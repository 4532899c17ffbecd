#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "synth/operator.h"

namespace tritonrl::synth {

// What a teacher gets wrong, as edits of right code. A slip is one edit that any sample may suffer. A misconception is
// an idiom that the teacher has learnt in a wrong form: most samples that use the idiom have it.
struct Fault {
  std::string_view name;
  std::string_view idiom;  // misconceptions only
  std::string_view find;   // text of the code, in plain style
  std::string_view replace;
  std::string_view needs;  // other text that must be there for this to be a mistake at all
  bool fp32_only = false;  // 16-bit rounding would hide it
};

const std::vector<Fault>& slips();
const std::vector<Fault>& misconceptions();

// Makes one slip that fits the code; returns its name, or nothing when none fits.
std::string_view make_slip(std::string& code, Dtype dtype, base::Random& random);
// Puts each misconceived idiom of the code into its wrong form with chance `share`; returns the idioms' names.
std::vector<std::string_view> apply_misconceptions(std::string& code, Dtype dtype, double share, base::Random& random);

}  // namespace tritonrl::synth
