#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "base/random.h"
#include "verify/verdict.h"
#include "verify/wire.h"

namespace tritonrl::verify {

// How often both sides are called in one turn alone, one behind the other. Fixed: nothing that a candidate does changes
// it.
struct TimingPlan {
  int warm_ups = 4;
  int runs = 20;

  // One of the runs, warm-ups counted, whose number is even.
  int even_run(base::Random& random) const;

  // Fewer for a reference that takes long.
  static TimingPlan for_reference(double reference_us);
};

// Calls in turn, so that each is made behind another's: what their runs took, warm-ups left out. `run` counts them, and
// nothing stands for a call that failed, which ends it all.
using TimedCall = std::function<std::optional<double>(int run)>;
std::optional<std::vector<std::vector<double>>> time_by_turns(const std::vector<TimedCall>& calls,
                                                              const TimingPlan& plan);

// What a call took: by the device's clock, and what it left running behind it.
double call_us(const wire::TimedEvent& timed);

// By process.
struct Timings {
  std::vector<std::vector<double>> reference_us;
  std::vector<std::vector<double>> candidate_us;
};

// Of values that there are.
double median(std::vector<double> values);
double mean(const std::vector<double>& values);
std::vector<double> medians(const std::vector<std::vector<double>>& by_process);

// Whether the middle half of a process's runs lies close together. Where it does not, the GPU was not as usual for a
// while.
bool settled(std::vector<double> runs_us);

// Whether all calls on inputs that a candidate had not seen before took longer than is usual on those that it had.
bool slower_on_unseen(const std::vector<double>& unseen_us, const std::vector<double>& seen_us);

// Whether it shows in a call which process makes it: contexts differ in what launches take and in where code and data
// lie, which is lost in a call that is long and whose steps, kernels and operators, are long.
bool processes_differ(double call_us, std::size_t steps);

// How well the mean over processes is to be known.
struct Certainty {
  std::size_t least;      // processes, whatever they say
  std::size_t enough;     // likewise: trying has cost enough
  double standard_error;  // of the mean, as a part of it

  bool reached(const std::vector<double>& medians_us) const;
};

// The mean of the reference's medians over that of the candidate's, and the interval that 95 % of the ratios lie in
// when runs are drawn again, and processes too. No side and no process may be empty.
Speedup measured_speedup(const Timings& timings, base::Random& random);

}  // namespace tritonrl::verify
