#pragma once

#include <string>

#include "synth/operator.h"

namespace tritonrl::synth {

// The second launch of a split: every result has some parts, one after the other in a buffer, and this joins them.
struct Join {
  std::string noun;     // of the kernel's name
  std::string parts;    // the name of the constant that says how many there are: "PARTS"
  int count = 1;        // of parts
  std::string combine;  // from the parts v, along axis 0, to one v
  std::string lines;    // how many results there are, as forward says it
  std::string length;   // n of `combine`, as forward says it; empty: it needs none
  std::string columns;  // of a result's row, as forward says it, where `after` has features
  int warps = 4;
};

// Adds the kernel, with `after` inside, and its launch: forward's `part` becomes its `y`.
void write_join(Module& module, const Join& join, const Chain& after);

}  // namespace tritonrl::synth
