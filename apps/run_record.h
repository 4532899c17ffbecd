#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

// What the harness writes while a script runs (harness/tritonrl_harness/records.py), read into types and added up.
namespace tritonrl::apps {

struct SourcePlace {
  std::string file;
  std::size_t line = 0;
  std::size_t column = 0;  // 0: unknown
  std::string function;    // of Python frames
  friend auto operator<=>(const SourcePlace&, const SourcePlace&) = default;
};

// One defect at one place of one kernel: the first time it was seen, and how often over all launches.
struct RunFinding {
  std::string rule;
  bool is_error = true;
  SourcePlace where;
  std::vector<SourcePlace> callers;  // of helper functions, innermost first
  std::string kernel;                // empty: a torch operator's
  std::optional<std::vector<std::int64_t>> program;
  std::optional<std::int64_t> lane;
  std::string message;
  std::uint64_t occurrences = 0;
  std::uint64_t launches = 0;
  std::vector<SourcePlace> launched_at;  // the Python lines that led to the first one, innermost first
};

struct Traffic {
  std::uint64_t accesses = 0, lanes = 0, masked_off = 0, bytes = 0, sectors = 0;
};

struct WorkCounters {
  Traffic loads, stores, atomics;
  std::map<std::string, std::uint64_t> operations;  // by kind and type
  std::uint64_t loop_trips = 0;
};

struct KernelProfile {
  std::string kernel;
  std::uint64_t launches = 0;
  std::uint64_t programs = 0;
  WorkCounters work;
  std::uint64_t unique_bytes_read = 0;
  std::uint64_t unique_bytes_written = 0;
  double modelled_us = 0;
  std::map<std::string, std::uint64_t> bounds;  // launches by what the model says their time goes to
  std::vector<base::Json> evidence;             // one for each compiled variant, where there is any
  std::map<std::pair<std::string, std::size_t>, WorkCounters> lines;
};

class RunRecords {
 public:
  enum class Keep : bool { kLaunches, kAll };

  // kLaunches: findings are passed over.
  explicit RunRecords(Keep keep) : keep_(keep) {}

  // A line that is no record, which a script could write by mistake, is passed over.
  void add(std::string_view line);

  const std::vector<RunFinding>& findings() const { return findings_; }
  const std::vector<KernelProfile>& kernels() const { return kernels_; }
  std::uint64_t launches() const { return launches_; }
  std::size_t errors() const;

  struct End {
    int status = 0;
    std::string error;  // the exception that ended the script
    std::uint64_t torch_operators = 0;
    double modelled_us = 0;
  };
  const std::optional<End>& end() const { return end_; }
  // What the executor could not run: one sentence for each kernel.
  const std::vector<std::string>& unsupported() const { return unsupported_; }

 private:
  void add_finding(const base::Json& record);
  void add_launch(const base::Json& record);
  void add_end(const base::Json& record);

  Keep keep_;
  std::vector<RunFinding> findings_;
  std::map<std::string, std::size_t> finding_index_;
  std::vector<KernelProfile> kernels_;
  std::map<std::string, std::size_t> kernel_index_;
  std::uint64_t launches_ = 0;
  std::optional<End> end_;
  std::vector<std::string> unsupported_;
};

}  // namespace tritonrl::apps
