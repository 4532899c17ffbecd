#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/finding.h"
#include "pysource/syntax_tree.h"

namespace tritonrl::analysis {

// Collects what rules find in one source, one finding a rule and line.
class Findings {
 public:
  void add(std::string_view rule, Severity severity, pysource::NodeId node, std::string message);
  bool has(std::string_view rule) const;

  // In source order, rejections before suspicions on the same line.
  std::vector<Finding> in_source_order(const pysource::SyntaxTree& tree) const;

 private:
  struct Raw {
    std::string_view rule;
    Severity severity;
    pysource::NodeId node;
    std::string message;
  };
  std::vector<Raw> raw_;
  std::map<std::pair<std::string_view, pysource::NodeId>, std::size_t> index_;  // into raw_
};

}  // namespace tritonrl::analysis
