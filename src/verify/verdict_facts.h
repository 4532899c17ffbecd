#pragma once

#include <string>

#include "base/json.h"

namespace tritonrl::verify {

// What a verdict of schema 1 says, for those who count and reward.
struct VerdictFacts {
  bool valid =
      false;  // real Triton that does the work, as far as its layers got: wrong results end them before the last
  bool compiled = false;
  bool accepted = false;
  bool right_results = false;  // whoever computed them
  bool general = false;
  double speedup = 0;  // of right results, with its interval; 0 otherwise
  double speedup_low = 0;
  double speedup_high = 0;
  std::string reason = {};  // the rule that rejected it
};

// InputError at `where` for what is no verdict: a machine's failure is none, and must be tried again.
VerdictFacts read_facts(const base::Json& verdict, const base::Place& where);

}  // namespace tritonrl::verify
