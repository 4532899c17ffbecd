#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "task/task.h"
#include "verify/oracle.h"

namespace tritonrl::verify {

// Sizes to run a task at instead of its own, where these would take the executor too long: the first is judged in place
// of the task's, and from the counts at all of them follow those at the task's (speed_model.h). Empty: the task's own
// sizes are run. A task that lists variants wants kernels for any size, and is stood in for much sooner than one whose
// kernels may know no other size than its own.
std::vector<task::Variant> stand_ins(const task::Task& task, Oracle& oracle);

// One dimension at the task's own size, the others as small as that wants; and the same with this one as it is in
// `base`, which stands in for the task's sizes. A kernel that is right at `near` and not at `far` does not get to the
// dimension's end.
struct FarSizes {
  task::Variant far;
  task::Variant near;
};
std::vector<FarSizes> far_sizes(const task::Task& task, const task::Variant& base, Oracle& oracle);

// A number in a candidate's source that is one of the task's sizes, or a product of two of them, where `base` stands in
// for these: the kernel may know no other sizes, and need not where the task lists none. Nothing: there is no such
// number.
std::optional<std::int64_t> own_size_in(std::string_view code, const task::Task& task, const task::Variant& base);

// Whether the CPU device runs the task's own sizes in a minute or so.
bool can_run_own_sizes(Oracle& oracle);

// Whether there is the memory, and for the reference the time, for a call at the task's own sizes in which kernels do
// nothing.
bool can_call_at_own_sizes(Oracle& oracle);

// `shrink` times less work than the task's sizes, or nearly so: the largest dimensions halved, then each of these
// doubled alone, then all, for a check. Divisibility by 16, which kernels are specialised on, stays as it is. Empty
// when nothing can be made smaller.
std::vector<task::Variant> quick_sizes(const task::Task& task, double shrink);

}  // namespace tritonrl::verify
