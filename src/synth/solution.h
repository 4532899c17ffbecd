#pragma once

#include <string>

#include "base/random.h"
#include "synth/problem.h"
#include "synth/schedule.h"

namespace tritonrl::synth {

// The plan: what is computed, what memory sees of it, what the sizes suggest, and the decision. It always means
// `schedule`, whatever `random` does to its words.
std::string write_plan(const Problem& problem, const Schedule& schedule, base::Random& random);

// The same in a few words: the operators, the sizes, the decision.
std::string write_brief_plan(const Problem& problem, const Schedule& schedule);

// The Python module that carries the schedule out, in plain style.
std::string write_code(const Problem& problem, const Schedule& schedule);

// The same kernels, and a forward that does not need them: `decoy` launches them and returns torch's result, a
// fallback is ready to give torch's result, otherwise they are never launched.
enum class Cheat : std::uint8_t { kTorch, kDecoy, kFallback };
std::string write_cheat(const Problem& problem, const Schedule& schedule, Cheat cheat);

// The same module in fewer words: no comments but those that name a step of the plan, no names that it can do without.
std::string compacted(const std::string& code, std::string_view plan);

// The code with names, comments and line breaks of one of many styles; what it does stays the same.
std::string restyled(const std::string& code, base::Random& random);

}  // namespace tritonrl::synth
