#include "ttir/count_scaling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.h"

#include <fmt/format.h>

namespace tritonrl::ttir {
namespace {

constexpr std::size_t kMostTerms = 3;
constexpr std::size_t kMostDimensions = 6;      // beyond it monomials are too many to try
constexpr std::size_t kMostForThreeTerms = 40;  // monomials
constexpr std::size_t kMostForCubes = 2;  // dimensions: where one name has three sizes, a product grows with its cube
constexpr double kExact = 1e-9;
constexpr double kGood = 2e-3;
// A formula with more terms must be that much better.
constexpr double kWorthATerm = 0.5;

// Solves a symmetric system of at most kMostTerms equations; false when it is singular.
bool solve(std::array<std::array<double, kMostTerms + 1>, kMostTerms>& rows, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t pivot = i;
    for (std::size_t k = i + 1; k < count; ++k)
      if (std::abs(rows[k][i]) > std::abs(rows[pivot][i])) pivot = k;
    if (std::abs(rows[pivot][i]) < 1e-12) return false;
    std::swap(rows[i], rows[pivot]);
    for (std::size_t k = 0; k < count; ++k) {
      if (k == i) continue;
      const double factor = rows[k][i] / rows[i][i];
      for (std::size_t c = i; c <= count; ++c) rows[k][c] -= factor * rows[i][c];
    }
  }
  for (std::size_t i = 0; i < count; ++i) rows[i][count] /= rows[i][i];
  return true;
}

}  // namespace

CountScaling::CountScaling(std::vector<std::string> names, std::vector<std::vector<double>> sizes,
                           std::vector<double> target) {
  base::check(!sizes.empty(), "counts are scaled from at least one sample");
  sizes_.resize(sizes.size());
  for (std::size_t d = 0; d < names.size(); ++d) {
    const bool varies = std::ranges::any_of(sizes, [&](const auto& sample) { return sample[d] != sizes[0][d]; });
    if (!varies) {
      if (sizes[0][d] != target[d] && unknown_.empty()) unknown_ = names[d];
      continue;
    }
    if (names_.size() == kMostDimensions) {
      if (unknown_.empty()) unknown_ = names[d];
      continue;
    }
    names_.push_back(names[d]);
    target_.push_back(target[d]);
    for (std::size_t i = 0; i < sizes.size(); ++i) sizes_[i].push_back(sizes[i][d]);
  }
  add_monomials();
}

void CountScaling::add_monomials() {
  const int highest = names_.size() <= kMostForCubes ? 3 : 2;
  const auto powers = [](const std::vector<int>& of) { return std::ranges::count_if(of, [](int e) { return e > 1; }); };
  std::vector<int> exponents(names_.size(), 0);
  while (true) {
    if (powers(exponents) <= 1) {
      Monomial monomial{.exponents = exponents, .at = {}, .at_target = 1, .degree = 0};
      for (std::size_t d = 0; d < names_.size(); ++d) {
        monomial.degree += exponents[d];
        monomial.at_target *= std::pow(target_[d], exponents[d]);
      }
      for (const auto& sample : sizes_) {
        double value = 1;
        for (std::size_t d = 0; d < names_.size(); ++d) value *= std::pow(sample[d], exponents[d]);
        monomial.at.push_back(value);
      }
      monomials_.push_back(std::move(monomial));
    }
    std::size_t d = 0;
    while (d < exponents.size() && ++exponents[d] > highest) exponents[d++] = 0;
    if (d == exponents.size()) break;
  }
  std::ranges::stable_sort(monomials_, [&](const Monomial& a, const Monomial& b) {
    return std::pair(powers(a.exponents), a.degree) < std::pair(powers(b.exponents), b.degree);
  });
}

// Least squares of relative errors. A term that would have to be negative makes the fit worthless.
CountScaling::Fit CountScaling::fit(const std::vector<std::size_t>& terms, std::span<const double> counts) const {
  Fit fit{.terms = terms, .factors = {}, .error = std::numeric_limits<double>::infinity()};
  const double least = 1e-9 * *std::ranges::max_element(counts);
  std::array<std::array<double, kMostTerms + 1>, kMostTerms> rows{};
  std::array<double, kMostTerms> scale{};
  for (std::size_t a = 0; a < terms.size(); ++a)
    for (std::size_t i = 0; i < counts.size(); ++i)
      scale[a] = std::max(scale[a], monomials_[terms[a]].at[i] / std::max(counts[i], least));
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double weight = 1 / std::max(counts[i], least);
    for (std::size_t a = 0; a < terms.size(); ++a) {
      const double left = monomials_[terms[a]].at[i] * weight / scale[a];
      for (std::size_t b = 0; b < terms.size(); ++b)
        rows[a][b] += left * monomials_[terms[b]].at[i] * weight / scale[b];
      rows[a][terms.size()] += left * counts[i] * weight;
    }
  }
  if (!solve(rows, terms.size())) return fit;
  for (std::size_t a = 0; a < terms.size(); ++a) {
    if (rows[a][terms.size()] <= 0) return fit;
    fit.factors.push_back(rows[a][terms.size()] / scale[a]);
  }
  fit.error = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    double value = 0;
    for (std::size_t a = 0; a < terms.size(); ++a) value += fit.factors[a] * monomials_[terms[a]].at[i];
    fit.error = std::max(fit.error, std::abs(value - counts[i]) / std::max(counts[i], least));
  }
  return fit;
}

void CountScaling::try_terms(std::vector<std::size_t>& terms, std::size_t first, std::size_t count,
                             std::span<const double> counts, Fit& best) const {
  if (count == 0) {
    if (Fit found = fit(terms, counts); found.error < best.error - kExact) best = std::move(found);
    return;
  }
  for (std::size_t next = first; next < monomials_.size() && best.error > kExact; ++next) {
    terms.push_back(next);
    try_terms(terms, next + 1, count - 1, counts, best);
    terms.pop_back();
  }
}

ScaledCount CountScaling::scale(std::span<const double> counts) const {
  if (std::ranges::all_of(counts, [&](double count) { return count == counts[0]; }))
    return {.value = counts[0], .error = 0, .formula = fmt::format("{:.6g}", counts[0])};
  Fit best{.terms = {}, .factors = {}, .error = std::numeric_limits<double>::infinity()};
  for (std::size_t count = 1; count <= kMostTerms && count < std::max<std::size_t>(counts.size(), 2); ++count) {
    if (count == kMostTerms && monomials_.size() > kMostForThreeTerms) break;
    Fit found{.terms = {}, .factors = {}, .error = std::numeric_limits<double>::infinity()};
    std::vector<std::size_t> terms;
    try_terms(terms, 0, count, counts, found);
    if (found.error < kWorthATerm * best.error) best = std::move(found);
    if (best.error < kGood) break;
  }
  if (best.terms.empty()) return {.value = counts.back(), .error = 1, .formula = "unknown"};
  ScaledCount scaled{.value = 0, .error = best.error, .formula = text_of(best)};
  for (std::size_t a = 0; a < best.terms.size(); ++a)
    scaled.value += best.factors[a] * monomials_[best.terms[a]].at_target;
  return scaled;
}

std::string CountScaling::text_of(const Fit& fit) const {
  std::string text;
  for (std::size_t a = 0; a < fit.terms.size(); ++a) {
    text += fmt::format("{}{:.6g}", a == 0 ? "" : " + ", fit.factors[a]);
    for (std::size_t d = 0; d < names_.size(); ++d) {
      const int exponent = monomials_[fit.terms[a]].exponents[d];
      if (exponent > 0) text += " " + names_[d] + (exponent > 1 ? fmt::format("^{}", exponent) : "");
    }
  }
  return text;
}

}  // namespace tritonrl::ttir
