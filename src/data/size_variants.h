#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "task/literal_sizes.h"
#include "task/task.h"
#include "verify/survey.h"

namespace tritonrl::data {

// Up to `most` other sizes at which the task's reference runs: those of `proposed` that do, then odd, prime, one,
// larger, and odd with one left as it is. A rule that all sizes together do not take is tried on each alone.
std::vector<task::Variant> find_variants(const task::Task& task, const verify::RunsAt& runs, std::size_t most,
                                         const std::vector<task::Variant>& proposed = {});

// Which of these literals mean the same size, by trying: a literal that cannot change alone changes with another of its
// value. Those that belong together get one name; those that nothing moves are left out. `runs` is asked about
// with_named_sizes() of all of them.
std::vector<task::LiteralSize> couple_sizes(std::vector<task::LiteralSize> sizes, const verify::RunsAt& runs);

}  // namespace tritonrl::data
