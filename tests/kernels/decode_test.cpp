#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

#include "base/random.h"
#include "kernels/cpu/decode_kernels.h"
#include "kernels/linear_rows.h"
#include "kernels/paged_attention.h"
#include "kernels/sample_tokens.h"

namespace tritonrl::kernels {
namespace {

using base::Random;

std::vector<float> random_floats(std::int64_t count, Random& random) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& value : values) value = static_cast<float>(random.normal());
  return values;
}

struct Shape {
  std::int64_t rows, in, out;
};

std::vector<float> panels_of(const std::vector<float>& weight, std::int64_t in, std::int64_t out) {
  // What is not written shows.
  std::vector<float> panels(static_cast<std::size_t>(cpu::panel_floats(in, out)), NAN);
  cpu::cut_panels({.weight = weight.data(), .panels = panels.data(), .in_columns = in, .out_columns = out});
  return panels;
}

std::vector<float> product(const std::vector<float>& rows, const std::vector<float>& weight, const Shape& shape) {
  const auto panels = panels_of(weight, shape.in, shape.out);
  std::vector<float> out(static_cast<std::size_t>(shape.rows * shape.out));
  cpu::linear_rows({.rows = rows.data(),
                    .panels = panels.data(),
                    .out = out.data(),
                    .row_count = shape.rows,
                    .in_columns = shape.in,
                    .out_columns = shape.out});
  return out;
}

TEST(LinearRows, EqualsAProductInDoublePrecision) {
  Random random(1);
  for (const Shape shape :
       {Shape{1, 1, 1}, {3, 7, 5}, {6, 16, 4}, {13, 100, 37}, {64, 257, 66}, {200, 48, 130}, {5, 1030, 49}}) {
    const auto rows = random_floats(shape.rows * shape.in, random);
    const auto weight = random_floats(shape.out * shape.in, random);
    const auto out = product(rows, weight, shape);
    for (std::int64_t r = 0; r < shape.rows; ++r) {
      for (std::int64_t c = 0; c < shape.out; ++c) {
        double sum = 0;
        for (std::int64_t k = 0; k < shape.in; ++k) {
          sum += static_cast<double>(rows[static_cast<std::size_t>(r * shape.in + k)]) *
                 weight[static_cast<std::size_t>(c * shape.in + k)];
        }
        ASSERT_NEAR(out[static_cast<std::size_t>(r * shape.out + c)], sum, 2e-6 * static_cast<double>(shape.in) + 1e-6);
      }
    }
  }
}

TEST(LinearRows, GivesARowTheSameBitsBesideAnyOthers) {
  Random random(2);
  for (const Shape shape : {Shape{23, 40, 30}, {70, 1000, 19}, {9, 33, 64}}) {
    const auto rows = random_floats(shape.rows * shape.in, random);
    const auto weight = random_floats(shape.out * shape.in, random);
    const auto together = product(rows, weight, shape);
    for (std::int64_t first = 0; first < shape.rows; ++first) {
      const std::int64_t count =
          1 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(shape.rows - first)));
      const std::vector<float> some(rows.begin() + first * shape.in, rows.begin() + (first + count) * shape.in);
      const auto alone = product(some, weight, {count, shape.in, shape.out});
      ASSERT_EQ(std::memcmp(alone.data(), together.data() + first * shape.out, alone.size() * sizeof(float)), 0);
    }
  }
}

TEST(LinearRows, FetchWhatIsWantedSoonAndNothingElse) {
  Random random(8);
  const Shape shape{16, 64, 96};
  const auto rows = random_floats(shape.rows * shape.in, random);
  const auto weight = random_floats(shape.out * shape.in, random);
  const auto panels = panels_of(weight, shape.in, shape.out);
  const auto pages = random_floats(100, random);
  const std::vector<FetchRun> runs = {{pages.data(), pages.data() + 40}, {pages.data() + 64, pages.data() + 100}};
  FetchList soon{.run = runs.data(), .end = runs.data() + runs.size(), .at = runs.front().begin};
  std::vector<float> out(static_cast<std::size_t>(shape.rows * shape.out));
  cpu::linear_rows({.rows = rows.data(),
                    .panels = panels.data(),
                    .out = out.data(),
                    .row_count = shape.rows,
                    .in_columns = shape.in,
                    .out_columns = shape.out,
                    .soon = &soon});
  EXPECT_EQ(soon.run, soon.end);
  EXPECT_EQ(out, product(rows, weight, shape));
}

TEST(DecodeKernels, AgreeInEveryInstructionSet) {
  Random random(7);
  constexpr std::int64_t kRows = 11;
  constexpr std::int64_t kColumns = 71;  // two panels, the second with columns that are not there
  constexpr std::int64_t kLength = 77;
  const auto rows = random_floats(kRows * kLength, random);
  const auto weight = random_floats(kColumns * kLength, random);
  const auto panels = panels_of(weight, kLength, kColumns);
  const auto logits = random_floats(500, random);
  const auto run = [&](const cpu::DecodeKernels& kernels, std::int64_t first, std::int64_t count) {
    std::vector<float> out(static_cast<std::size_t>(count * kColumns));
    for (const auto& [begin, end] : {std::pair<std::int64_t, std::int64_t>(0, 16), {16, 64}, {64, kColumns}}) {
      kernels.multiply({.rows = rows.data() + first * kLength,
                        .row_stride = kLength,
                        .row_count = count,
                        .panels = panels.data(),
                        .columns = kColumns,
                        .first_column = begin,
                        .end_column = end,
                        .length = kLength,
                        .out = out.data(),
                        .out_stride = kColumns});
    }
    return out;
  };
  const auto expected = run(cpu::decode_kernels(), 0, kRows);
  for (const auto* kernels : cpu::all_decode_kernels()) {
    const auto together = run(*kernels, 0, kRows);
    for (std::size_t i = 0; i < together.size(); ++i) ASSERT_NEAR(together[i], expected[i], 1e-4);
    for (std::int64_t row = 0; row < kRows; ++row) {
      const auto alone = run(*kernels, row, 1);
      ASSERT_EQ(std::memcmp(alone.data(), together.data() + row * kColumns, alone.size() * sizeof(float)), 0);
    }
    std::vector<float> scratch(logits.size());
    const auto drawn = kernels->draw({.logits = logits.data(),
                                      .count = static_cast<std::int64_t>(logits.size()),
                                      .temperature = 0.7F,
                                      .top_p = 0.9F,
                                      .min_p = 0.01F,
                                      .top_k = 300,
                                      .uniform = 0.37,
                                      .scratch = scratch.data()});
    EXPECT_EQ(drawn.id, cpu::decode_kernels()
                            .draw({.logits = logits.data(),
                                   .count = static_cast<std::int64_t>(logits.size()),
                                   .temperature = 0.7F,
                                   .top_p = 0.9F,
                                   .min_p = 0.01F,
                                   .top_k = 300,
                                   .uniform = 0.37,
                                   .scratch = scratch.data()})
                            .id);
  }
}

TEST(PagedAttention, EqualsSoftmaxOverTheContext) {
  Random random(3);
  for (const std::int64_t head_dim : {12, 16, 64, 80, 128}) {
    const std::int64_t heads = 6;
    const std::int64_t kv_heads = 2;
    const std::int64_t page_size = 5;
    const std::vector<std::int32_t> contexts = {1, 5, 23, 14};
    const std::vector<std::int32_t> starts = {0, 1, 3, 4, 11};  // of the last, seven queries
    const std::int64_t max_pages = 5;
    std::vector<std::int32_t> table(contexts.size() * max_pages);
    std::iota(table.begin(), table.end(), 0);
    random.shuffle(std::span(table));
    const std::int64_t row = kv_heads * head_dim;
    const auto keys = random_floats(static_cast<std::int64_t>(table.size()) * page_size * row, random);
    const auto values = random_floats(static_cast<std::int64_t>(keys.size()), random);
    const auto queries = random_floats(starts.back() * heads * head_dim, random);
    std::vector<float> out(queries.size());
    cpu::paged_attention({.q = queries.data(),
                          .k_pages = keys.data(),
                          .v_pages = values.data(),
                          .out = out.data(),
                          .query_starts = starts.data(),
                          .block_table = table.data(),
                          .context_lengths = contexts.data(),
                          .requests = static_cast<std::int64_t>(contexts.size()),
                          .max_queries = 7,
                          .max_pages = max_pages,
                          .page_size = page_size,
                          .heads = heads,
                          .kv_heads = kv_heads,
                          .head_dim = head_dim,
                          .scale = 0.3F});
    for (std::size_t request = 0; request < contexts.size(); ++request) {
      for (std::int32_t token = starts[request]; token < starts[request + 1]; ++token) {
        const std::int64_t seen = contexts[request] - (starts[request + 1] - 1 - token);
        for (std::int64_t head = 0; head < heads; ++head) {
          const auto place = [&](std::int64_t i) {
            const std::int64_t page = table[request * max_pages + static_cast<std::size_t>(i / page_size)];
            return (page * page_size + i % page_size) * row + head / 3 * head_dim;
          };
          const float* query = queries.data() + (token * heads + head) * head_dim;
          std::vector<double> weights;
          for (std::int64_t i = 0; i < seen; ++i) {
            weights.push_back(std::exp(0.3 * std::inner_product(query, query + head_dim, keys.data() + place(i), 0.0)));
          }
          const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
          for (std::int64_t d = 0; d < head_dim; ++d) {
            double expected = 0;
            for (std::int64_t i = 0; i < seen; ++i) {
              expected += weights[static_cast<std::size_t>(i)] / sum * values[static_cast<std::size_t>(place(i) + d)];
            }
            ASSERT_NEAR(out[static_cast<std::size_t>((token * heads + head) * head_dim + d)], expected, 1e-5);
          }
        }
      }
    }
  }
}

struct Draws {
  std::vector<std::int64_t> ids;
  std::vector<float> log_probs;
  std::vector<float> raw_log_probs;
};

struct Filter {
  float temperature = 1;
  float top_p = 1;
  float min_p = 0;
  std::int32_t top_k = 0;
};

Draws draw(const std::vector<float>& logits, const Filter& filter, std::int64_t count, std::int64_t first_seed = 0) {
  const auto n = static_cast<std::size_t>(count);
  const std::vector<std::int32_t> rows(n, 0);
  const std::vector<float> temperatures(n, filter.temperature);
  const std::vector<float> top_p(n, filter.top_p);
  const std::vector<float> min_p(n, filter.min_p);
  const std::vector<std::int32_t> top_k(n, filter.top_k);
  std::vector<std::int64_t> seeds(n);
  std::iota(seeds.begin(), seeds.end(), first_seed);
  const std::vector<std::int32_t> positions(n, 3);
  Draws draws{
      .ids = std::vector<std::int64_t>(n), .log_probs = std::vector<float>(n), .raw_log_probs = std::vector<float>(n)};
  cpu::sample_tokens({.logits = logits.data(),
                      .rows = rows.data(),
                      .temperatures = temperatures.data(),
                      .top_p = top_p.data(),
                      .min_p = min_p.data(),
                      .top_k = top_k.data(),
                      .seeds = seeds.data(),
                      .positions = positions.data(),
                      .ids = draws.ids.data(),
                      .log_probs = draws.log_probs.data(),
                      .raw_log_probs = draws.raw_log_probs.data(),
                      .draws = count,
                      .vocabulary = static_cast<std::int64_t>(logits.size())});
  return draws;
}

// Tokens by falling logit.
std::vector<std::int64_t> by_rank(const std::vector<float>& logits) {
  std::vector<std::int64_t> ids(logits.size());
  std::iota(ids.begin(), ids.end(), 0);
  std::ranges::sort(ids, std::greater<>(), [&](std::int64_t id) { return logits[static_cast<std::size_t>(id)]; });
  return ids;
}

TEST(SampleTokens, DrawsEachTokenAsOftenAsItsProbabilitySays) {
  Random random(4);
  const auto logits = random_floats(37, random);
  constexpr std::int64_t kDraws = 40'000;
  const Draws draws = draw(logits, {.temperature = 0.8F}, kDraws);
  std::vector<double> expected;
  for (const float logit : logits) expected.push_back(std::exp(logit / 0.8));
  const double sum = std::accumulate(expected.begin(), expected.end(), 0.0);
  std::vector<double> seen(logits.size());
  for (const auto id : draws.ids) ++seen[static_cast<std::size_t>(id)];
  double chi_square = 0;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    const double wanted = expected[i] / sum * kDraws;
    chi_square += (seen[i] - wanted) * (seen[i] - wanted) / wanted;
  }
  EXPECT_LT(chi_square, 73);  // 36 degrees of freedom: 99.98 %
  for (std::size_t i = 0; i < 50; ++i) {
    const auto id = static_cast<std::size_t>(draws.ids[i]);
    EXPECT_NEAR(draws.log_probs[i], std::log(expected[id] / sum), 1e-5);
  }
}

TEST(SampleTokens, TakesTheFirstOfTheLikeliestAtTemperatureZero) {
  std::vector<float> logits(600, -1.0F);
  logits[411] = logits[17] = logits[599] = 2.5F;
  const Draws draws = draw(logits, {.temperature = 0}, 3);
  EXPECT_EQ(draws.ids, (std::vector<std::int64_t>{17, 17, 17}));
  EXPECT_EQ(draws.log_probs[0], 0);
  EXPECT_NEAR(draws.raw_log_probs[0], 2.5 - std::log(3 * std::exp(2.5) + 597 * std::exp(-1.0)), 1e-5);
}

TEST(SampleTokens, KeepsExactlyWhatTheFiltersLeave) {
  Random random(5);
  const auto logits = random_floats(1000, random);
  const auto ranked = by_rank(logits);
  const auto rank = [&](std::int64_t id) { return std::ranges::find(ranked, id) - ranked.begin(); };
  const auto weight = [&](std::int64_t place) {
    return std::exp(static_cast<double>(logits[static_cast<std::size_t>(ranked[static_cast<std::size_t>(place)])]));
  };
  double total = 0;
  for (std::int64_t i = 0; i < 1000; ++i) total += weight(i);
  std::int64_t in_top_p = 0;
  for (double sum = 0; sum < 0.5 * total; ++in_top_p) sum += weight(in_top_p);
  std::int64_t in_min_p = 0;
  while (weight(in_min_p) >= 0.2 * weight(0)) ++in_min_p;

  const auto check = [&](const Filter& filter, std::int64_t kept) {
    std::int64_t furthest = 0;
    const Draws draws = draw(logits, filter, 4000);
    for (const auto id : draws.ids) furthest = std::max<std::int64_t>(furthest, rank(id));
    EXPECT_LT(furthest, kept);
    EXPECT_GE(furthest, kept - 1 - kept / 20) << "too few are left";
    double left = 0;
    for (std::int64_t i = 0; i < kept; ++i) left += weight(i);
    EXPECT_NEAR(draws.log_probs[0], std::log(weight(rank(draws.ids[0])) / left), 1e-5);
  };
  check({.top_k = 1}, 1);
  check({.top_k = 7}, 7);
  check({.top_p = 0.5F}, in_top_p);
  check({.min_p = 0.2F}, in_min_p);
  check({.top_p = 1e-6F}, 1);
  check({.top_p = 0.999999F, .min_p = 0.2F, .top_k = 900}, in_min_p);
}

TEST(SampleTokens, NeverDrawsWhatHasNoWeight) {
  std::vector<float> logits(300, -INFINITY);
  logits[299] = 1;
  logits[5] = 0.5F;
  for (const auto id : draw(logits, {}, 500).ids) EXPECT_TRUE(id == 299 || id == 5);
}

TEST(SampleTokens, DependsOnSeedAndPositionAlone) {
  EXPECT_EQ(uniform_of(5, 9), uniform_of(5, 9));
  EXPECT_NE(uniform_of(5, 9), uniform_of(5, 10));
  EXPECT_NE(uniform_of(5, 9), uniform_of(6, 9));
  double mean = 0;
  for (std::int32_t i = 0; i < 10'000; ++i) mean += uniform_of(-3, i) / 10'000;
  EXPECT_NEAR(mean, 0.5, 0.015);
}

}  // namespace
}  // namespace tritonrl::kernels
