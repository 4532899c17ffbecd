#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/json.h"
#include "data/adviser.h"
#include "data/overlap.h"
#include "data/problem.h"
#include "data/task_rows.h"
#include "verify/verifier.h"

namespace tritonrl::data {

struct ImportConfig {
  std::filesystem::path source;
  std::filesystem::path out;                   // a .jsonl suite
  std::vector<std::filesystem::path> against;  // suites whose tasks must not be among the imported
  std::size_t variants = 5;                    // other sizes a task, at most
  bool ranks = false;                          // also each task with inputs of another rank, where that runs
  bool relabel = false;                        // levels that rows give are replaced too
  bool keep_duplicates = false;
  bool one_a_graph = false;          // a task with an earlier one's operators is a duplicate, too
  const Adviser* adviser = nullptr;  // labels levels and proposes sizes where there is one
  TaskRowsConfig rows;
};

struct Dropped {
  std::string id;
  base::Place where;
  Problem problem;
};

struct ImportReport {
  std::size_t rows = 0;
  std::vector<task::Task> imported;
  std::vector<Dropped> dropped;
  std::vector<Overlap> overlaps;
  std::size_t of_other_rank = 0;  // of those imported
  std::size_t not_tried = 0;      // the machine failed: a rerun tries them again
  std::string machine_failure;

  std::map<std::string, std::size_t> dropped_by_reason() const;
  std::map<int, std::size_t> imported_by_level() const;
  base::Json json() const;
};

// Reads the source's rows, runs each task's reference, and writes those that can judge to `out`, each with its
// operators, level, named sizes and variants, and the report beside it as `out`.report.json. What is finished is kept
// in `out`.part: a killed import goes on from there.
ImportReport import_tasks(const ImportConfig& config, verify::Verifier& verifier);

}  // namespace tritonrl::data
