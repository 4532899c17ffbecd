#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "verify/guest_process.h"
#include "verify/oracle.h"

namespace tritonrl::verify {

// One call's outputs, as the guest described them.
struct CallResult {
  base::Json structure;
  struct Output {
    TensorView view;
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;  // from its first element to behind its last
    bool exact_type = true;   // torch.Tensor itself
    bool on_device = true;
  };
  std::vector<Output> outputs;
  bool inputs_moved = false;  // an input tensor now lies elsewhere
};

// How the reference's state found its places in the candidate's.
struct Binding {
  std::size_t by_name = 0;
  std::size_t by_shape = 0;
  std::vector<std::string> unbound;  // names of the reference's that the candidate has no place for
};

// The candidate in its process. Memory for inputs is kept by set, so that new bytes can come at the same pointers.
class CandidateProcess {
 public:
  using Start = std::function<std::unique_ptr<GuestProcess>()>;
  explicit CandidateProcess(Start start) : start_(std::move(start)), process_(start_()) {}
  // In another process, which knows nothing of what the last one was asked.
  void start_again();

  // Waits until the process is there, before anything of the candidate's is. HostError when it never comes.
  void begin();
  std::optional<GuestFailure> import(const std::string& code, const std::string& entry);
  // Builds the module for the sizes of this case.
  std::optional<GuestFailure> construct(const OracleCase& made);
  // Writes the reference's parameters and buffers over the candidate's.
  Binding bind_state(const std::vector<NamedTensor>& state);
  // Writes inputs into the memory of the set; memory that does not fit, or is asked for anew, is allocated.
  std::optional<GuestFailure> set_inputs(int set, const OracleValues& inputs, bool fresh_memory);
  // `keep`: the outputs stay alive in the guest.
  std::variant<CallResult, GuestFailure> call(int set, bool keep);
  std::optional<GuestFailure> forget();

  // The input of the set that no longer holds what was written, or the parameter; nothing when all do.
  std::optional<std::string> changed_input(int set) const;
  // Whether any byte of the range belongs to an allocation that an input or a parameter lies in.
  bool overlaps_inputs(std::uint64_t address) const;
  GuestProcess& process() { return *process_; }

 private:
  struct Placed {
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    base::Json form;
    Snapshot written;  // what we put there
    std::string name;
    bool checked = true;
  };
  struct InputSet {
    base::Json structure;
    std::vector<Placed> tensors;
    std::vector<int> numbers;
  };
  bool moved(const InputSet& set, const base::Json& addresses) const;
  std::variant<std::vector<Placed>, GuestFailure> allocate(const OracleValues& values, std::vector<int>& numbers);
  void write(Placed& place, const OracleTensor& tensor);
  bool unchanged(const Placed& place) const;

  Start start_;
  std::unique_ptr<GuestProcess> process_;
  std::map<int, InputSet> sets_;
  std::vector<Placed> init_;
  std::vector<Placed> state_;
  std::vector<base::Json> described_state_;
  int next_number_ = 0;
};

}  // namespace tritonrl::verify
