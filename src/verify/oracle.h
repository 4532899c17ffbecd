#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "task/task.h"
#include "verify/comparison.h"
#include "verify/guest_process.h"
#include "verify/reference_times.h"

namespace tritonrl::verify {

// A tensor that the reference's process made, and how it is called there.
struct OracleTensor {
  base::Json form;  // dtype, shape, strides
  TensorView view;
};

struct NamedTensor {
  std::string name;
  bool parameter = true;   // a buffer else
  bool randomised = true;  // it has other values than the constructor gave it
  OracleTensor tensor;
};

// Values that cross to the candidate: JSON with the tensors by number.
struct OracleValues {
  base::Json structure;
  std::vector<OracleTensor> tensors;
};

// One set of inputs. Its memory is the oracle's, until the next one is made.
struct OracleCase {
  OracleValues inputs;
  OracleValues init;
  std::vector<NamedTensor> state;
  std::uint64_t construct_seed = 0;
};

struct Expectation {
  base::Json structure;
  std::vector<ExpectedTensor> results;
  bool finite = true;          // the reference, in its own dtype
  bool exact = true;           // the values come from fp64
  bool aliases_input = false;  // the reference returns memory of an input
  bool narrow = false;         // it goes through types narrower than fp32 itself
};

// A case with what is expected of it.
struct ReadyCase {
  OracleCase made;
  Expectation expected;
};

// The reference of one task, in a process of its own, which is started when it is needed and again when the reference
// ended it. A reference that fails is not a candidate's fault: Broken says how, and where it is the task's own sizes,
// the caller turns it into an InputError.
class Oracle {
 public:
  struct Broken {
    std::string message;
    bool ended = false;  // its process is gone, and with it the case
    bool out_of_memory = false;
  };

  // `share`: its memory is a job's share of a GPU's, and to run out of it is ShortOfMemory instead.
  Oracle(std::function<std::unique_ptr<GuestProcess>()> start, const task::Task& task, bool share)
      : start_(std::move(start)), task_(task), share_(share) {}

  // In this process, which had other tasks; before it was asked for anything. Nothing: in one of its own.
  void adopt(std::unique_ptr<GuestProcess> process) { process_ = std::move(process); }
  // For another task. Nothing where it has ended, says what makes no sense, or was left other than it was.
  std::unique_ptr<GuestProcess> release();

  // Returns when its process is there.
  void begin();
  // Of the process that answered last.
  std::uint64_t process_number() const { return process_->number(); }

  // What follows the pointers of the tensors that it gave last.
  TensorMemory& memory() { return process_->device().memory(); }
  // What one call at these sizes would compute and move, without making it. {}: the task's own.
  struct Work {
    double flops = 0;
    double bytes = 0;
    std::optional<std::int64_t> narrowest{};  // columns of a matrix that is multiplied, or results from that
  };
  std::variant<Work, Broken> weigh(const task::Variant& sizes);
  // Sizes under a number, for make().
  std::optional<Broken> add(int number, const task::Variant& sizes);
  std::variant<OracleCase, Broken> make(int number, std::uint64_t seed, std::string_view distribution);
  // make(), traits() and expect() for candidates that share their inputs: done once, and kept as long as there is room.
  bool holds_cases() const { return ready_bytes_ > 0; }
  std::variant<ReadyCase, Broken> ready(int number, std::uint64_t seed, std::string_view distribution);
  // The case again, one element of its inputs changed.
  std::variant<OracleValues, Broken> poke(std::uint64_t seed);
  // The same of every parameter, but for those named; all of the state as it is then.
  std::variant<std::vector<NamedTensor>, Broken> poke_state(std::uint64_t seed, const std::set<std::string>& unbound);
  // State that the candidate has no place for goes back to what the constructor gave it. Returns those names whose
  // values do not depend on the seed, so that nothing shows whether the candidate heeds them.
  std::variant<std::vector<std::string>, Broken> keep_initial(const std::vector<std::string>& names);
  std::variant<Expectation, Broken> expect(std::uint64_t seed);
  // What a candidate that does no work would return for this case; empty where that makes no sense.
  std::variant<std::vector<TensorView>, Broken> trivial(std::string_view name);
  // This case's results are what a later one may find lying about ("stale").
  std::optional<Broken> remember();
  struct Traits {
    bool stateful = false;  // a call leaves something behind
    bool repeats = true;    // and even so, a second call on the same inputs gives the same result
    bool random = false;
    bool writes_input = false;
    bool constant = false;  // the same result whatever its inputs hold
  };
  std::variant<Traits, Broken> traits();
  // Other inputs for the same module; expect() is then about these.
  std::variant<OracleValues, Broken> redraw(std::uint64_t seed);
  // The case stays under a number, its memory and its expectation's too, until let_go().
  std::optional<Broken> hold(int slot);
  std::optional<Broken> let_go();
  // One call of a held case on the device, with the products that the task allows.
  std::variant<ReferenceCall, Broken> time(int slot);
  // Operators of one call on the device at the sizes under this number. Ends the case.
  std::variant<const DeviceTrace*, Broken> trace(int number);
  // Operators of one call as people write them: an array of {"name", "reads": numbers of others, or -n for the n-th
  // input, "rank" of the result}.
  std::variant<base::Json, Broken> graph();

 private:
  std::variant<base::Json, Broken> ask(const base::Json& command);
  std::string source_at(const task::Variant& sizes) const;
  OracleTensor take_tensor(const base::Json& described);
  std::vector<NamedTensor> take_state(const base::Json& state);
  OracleValues take_values(const base::Json& values);
  using Ready = std::variant<ReadyCase, Broken>;
  Ready make_ready(int number, std::uint64_t seed, std::string_view distribution);

  std::function<std::unique_ptr<GuestProcess>()> start_;
  std::unique_ptr<GuestProcess> process_;
  const task::Task& task_;
  bool share_;
  std::map<int, std::string> sources_;                      // that the process has loaded
  std::map<std::string, DeviceTrace, std::less<>> traces_;  // by source
  std::optional<Traits> traits_;
  std::map<std::tuple<std::string, std::uint64_t, std::string>, Ready> ready_;  // by source, seed and distribution
  std::int64_t ready_bytes_ = 0;
};

}  // namespace tritonrl::verify
