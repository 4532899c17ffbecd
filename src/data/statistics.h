#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/json.h"

namespace tritonrl::data {

// How long texts are, in pieces (task/prompt.h).
class Lengths {
 public:
  void add(std::size_t pieces) { pieces_.push_back(pieces); }
  std::size_t count() const { return pieces_.size(); }
  double mean() const;
  // Of 0 to 1; 0 where there is nothing.
  std::size_t quantile(double share) const;
  // Counts of [0, width), [width, 2 width)..., `bins` of them up to the largest.
  std::vector<std::pair<std::string, std::size_t>> histogram(std::size_t bins) const;

 private:
  mutable std::vector<std::size_t> pieces_;
};

using Counts = std::map<std::string, std::size_t>;

// What is in a file of tasks, samples or curated samples; of a field that no row has, nothing is counted.
struct Statistics {
  std::size_t rows = 0;
  std::size_t bad_rows = 0;
  Counts levels;
  Counts families;                         // of operators, by the task's main one, or as the row says
  Counts faults;                           // that the embedded teacher put in; "none" too
  Counts verdicts;                         // "accepted", or the rule
  std::map<std::string, Lengths> lengths;  // "prompt", "response", "plan", "code", "reference"

  base::Json json() const;
};

// Rows that are no JSON objects are counted as bad. `tasks`, where it is given, is the suite that samples are for.
Statistics count_rows(const std::filesystem::path& file, const std::filesystem::path& tasks);

// A page with all of it: bars, nothing loaded from elsewhere.
std::string statistics_page(const Statistics& statistics, const std::string& title);

}  // namespace tritonrl::data
