#pragma once

#include <span>
#include <string>
#include <vector>

namespace tritonrl::ttir {

// A count at sizes where nobody counted.
struct ScaledCount {
  double value = 0;
  double error = 0;     // the largest relative difference between the formula and what was counted
  std::string formula;  // "0.25 m n + 16": for evidence
};

// Counts at some sizes of named dimensions, carried over to others. A count is taken for a sum of at most three
// monomials in the dimensions, the simplest that says all that was counted; counts are exact, so a formula that holds
// at more sizes than it has terms is rarely wrong. `error` tells where none holds: a grid that is limited, a tile with
// a ragged edge.
class CountScaling {
 public:
  // `sizes[i][d]`: of dimension d in sample i. Dimensions that are the same in all samples must be so in `target` too,
  // or nothing can be known: see `unknown()`.
  CountScaling(std::vector<std::string> names, std::vector<std::vector<double>> sizes, std::vector<double> target);

  // One value a sample, in their order.
  ScaledCount scale(std::span<const double> counts) const;
  // A dimension that would have to vary among the samples; empty when there is none.
  const std::string& unknown() const { return unknown_; }

 private:
  struct Monomial {
    std::vector<int> exponents;
    std::vector<double> at;  // by sample
    double at_target = 0;
    int degree = 0;
  };
  struct Fit {
    std::vector<std::size_t> terms;
    std::vector<double> factors;
    double error = 0;
  };

  void add_monomials();
  void try_terms(std::vector<std::size_t>& terms, std::size_t first, std::size_t count, std::span<const double> counts,
                 Fit& best) const;
  Fit fit(const std::vector<std::size_t>& terms, std::span<const double> counts) const;
  std::string text_of(const Fit& fit) const;

  std::vector<std::string> names_;          // of the dimensions that vary
  std::vector<std::vector<double>> sizes_;  // of these
  std::vector<double> target_;
  std::vector<Monomial> monomials_;  // simplest first
  std::string unknown_;
};

}  // namespace tritonrl::ttir
