#include "kernels/cpu/row_kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "base/random.h"
#include "kernels/parallel_rows.h"

namespace tritonrl::kernels::cpu {
namespace {

using Floats = std::vector<float>;
using Doubles = std::vector<double>;

Floats random_floats(std::uint64_t seed, std::size_t count, double deviation = 1) {
  base::Random random(seed);
  Floats values(count);
  for (float& value : values) value = static_cast<float>(random.normal() * deviation);
  return values;
}

void expect_close(const Floats& found, const Doubles& expected, double tolerance, const char* what) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_NEAR(found[i], expected[i], tolerance * (1 + std::abs(expected[i]))) << what << " at " << i;
  }
}

// Widths with and without a rest after sixteen lanes.
constexpr std::int64_t kWidths[] = {1, 15, 16, 48, 75, 256};
constexpr std::int64_t kRows = 131;  // two partial sums and a rest

struct NormCase {
  std::int64_t columns;
  Floats x, residual, weight, grad_out, grad_sum;
  explicit NormCase(std::int64_t n)
      : columns(n),
        x(random_floats(1, static_cast<std::size_t>(kRows * n))),
        residual(random_floats(2, x.size())),
        weight(random_floats(3, static_cast<std::size_t>(n))),
        grad_out(random_floats(4, x.size())),
        grad_sum(random_floats(5, x.size())) {}
};

struct NormResult {
  Floats sum, out, rstd, grad_in, partials;
};

NormResult run_norm(const NormCase& on, const std::function<void(const RmsNormForward&)>& forward,
                    const std::function<void(const RmsNormBackward&)>& backward) {
  NormResult result{.sum = Floats(on.x.size()),
                    .out = Floats(on.x.size()),
                    .rstd = Floats(static_cast<std::size_t>(kRows)),
                    .grad_in = Floats(on.x.size()),
                    .partials = Floats(static_cast<std::size_t>(weight_partials(kRows) * on.columns), 7.0F)};
  forward({.x = on.x.data(),
           .residual = on.residual.data(),
           .weight = on.weight.data(),
           .sum = result.sum.data(),
           .out = result.out.data(),
           .rstd = result.rstd.data(),
           .rows = kRows,
           .columns = on.columns});
  backward({.sum = result.sum.data(),
            .weight = on.weight.data(),
            .rstd = result.rstd.data(),
            .grad_out = on.grad_out.data(),
            .grad_sum = on.grad_sum.data(),
            .grad_in = result.grad_in.data(),
            .weight_partials = result.partials.data(),
            .rows = kRows,
            .columns = on.columns});
  return result;
}

TEST(RowKernels, RmsNormIsItsDefinitionInEveryInstructionSet) {
  for (const RowKernels* table : all_row_kernels()) {
    for (const std::int64_t n : kWidths) {
      const NormCase on(n);
      const auto found = run_norm(
          on, [&](const RmsNormForward& work) { table->rms_norm(work, 0, kRows); },
          [&](const RmsNormBackward& work) { table->rms_norm_backward(work, 0, weight_partials(kRows)); });
      Doubles out(on.x.size());
      Doubles grad_in(on.x.size());
      Doubles grad_weight(static_cast<std::size_t>(n));
      for (std::int64_t row = 0; row < kRows; ++row) {
        const auto at = [&](std::int64_t i) { return static_cast<std::size_t>(row * n + i); };
        double squares = 0;
        double along = 0;
        for (std::int64_t i = 0; i < n; ++i)
          squares += std::pow(static_cast<double>(on.x[at(i)]) + on.residual[at(i)], 2);
        const double rstd = 1 / std::sqrt(squares / static_cast<double>(n) + 1e-6);
        for (std::int64_t i = 0; i < n; ++i) {
          const double value = static_cast<double>(on.x[at(i)]) + on.residual[at(i)];
          const double weight = on.weight[static_cast<std::size_t>(i)];
          out[at(i)] = value * rstd * weight;
          along += on.grad_out[at(i)] * weight * value;
          grad_weight[static_cast<std::size_t>(i)] += on.grad_out[at(i)] * value * rstd;
        }
        for (std::int64_t i = 0; i < n; ++i) {
          const double value = static_cast<double>(on.x[at(i)]) + on.residual[at(i)];
          grad_in[at(i)] = on.grad_out[at(i)] * rstd * on.weight[static_cast<std::size_t>(i)] -
                           value * along * std::pow(rstd, 3) / static_cast<double>(n) + on.grad_sum[at(i)];
        }
      }
      Floats weight_sum(static_cast<std::size_t>(n));
      for (std::size_t i = 0; i < found.partials.size(); ++i) weight_sum[i % weight_sum.size()] += found.partials[i];
      expect_close(found.out, out, 1e-5, "out");
      // With one column the terms cancel, of the size of 1 / rms.
      expect_close(found.grad_in, grad_in, n == 1 ? 1e-2 : 1e-5, "grad_in");
      expect_close(weight_sum, grad_weight, 1e-4, "grad_weight");
    }
  }
}

TEST(RowKernels, ResultsDependOnNeitherThreadsNorOtherRows) {
  const NormCase on(256);
  const auto with_threads = [&](int threads) {
    set_thread_count(threads);
    return run_norm(on, rms_norm, rms_norm_backward);
  };
  const auto one = with_threads(1);
  const auto two = with_threads(2);
  set_thread_count(1);
  EXPECT_EQ(one.out, two.out);
  EXPECT_EQ(one.grad_in, two.grad_in);
  EXPECT_EQ(one.partials, two.partials);
  for (const std::int64_t row : {0, 5, 130}) {
    Floats sum(256);
    Floats out(256);
    const auto offset = static_cast<std::size_t>(row * 256);
    rms_norm({.x = on.x.data() + offset,
              .residual = on.residual.data() + offset,
              .weight = on.weight.data(),
              .sum = sum.data(),
              .out = out.data(),
              .rows = 1,
              .columns = 256});
    EXPECT_EQ(out, Floats(one.out.begin() + row * 256, one.out.begin() + (row + 1) * 256)) << row;
  }
}

TEST(RowKernels, SwigluIsItsDefinitionInEveryInstructionSet) {
  for (const RowKernels* table : all_row_kernels()) {
    for (const std::int64_t n : kWidths) {
      const Floats gate_up = random_floats(1, static_cast<std::size_t>(kRows * 2 * n), 5);
      const Floats grad_out = random_floats(2, static_cast<std::size_t>(kRows * n));
      Floats out(grad_out.size());
      Floats grads(gate_up.size());
      table->swiglu({.gate_up = gate_up.data(), .out = out.data(), .rows = kRows, .columns = n}, 0, kRows);
      table->swiglu_backward({.gate_up = gate_up.data(),
                              .grad_out = grad_out.data(),
                              .grad_gate_up = grads.data(),
                              .rows = kRows,
                              .columns = n},
                             0, kRows);
      Doubles expected(out.size());
      Doubles expected_grads(grads.size());
      for (std::size_t i = 0; i < out.size(); ++i) {
        const std::size_t row = i / static_cast<std::size_t>(n);
        const std::size_t at = i + row * static_cast<std::size_t>(n);
        const double x = gate_up[at];
        const double up = gate_up[at + static_cast<std::size_t>(n)];
        const double s = 1 / (1 + std::exp(-x));
        expected[i] = x * s * up;
        expected_grads[at] = grad_out[i] * up * s * (1 + x * (1 - s));
        expected_grads[at + static_cast<std::size_t>(n)] = grad_out[i] * x * s;
      }
      expect_close(out, expected, 2e-6, "out");
      expect_close(grads, expected_grads, 2e-6, "grads");
    }
  }
}

TEST(RowKernels, ExponentialsHoldAtTheEnds) {
  for (const RowKernels* table : all_row_kernels()) {
    const Floats gate_up{-1000, -88, -87.4F, -50, 0, 50, 88, 1000, 1, 1, 1, 1, 1, 1, 1, 1};
    Floats out(8);
    table->swiglu({.gate_up = gate_up.data(), .out = out.data(), .rows = 1, .columns = 8}, 0, 1);
    for (std::size_t i = 0; i < out.size(); ++i) {
      const double x = gate_up[i];
      EXPECT_NEAR(out[i], x / (1 + std::exp(-x)), 1e-6 * std::max(1.0, std::abs(x))) << x;
    }
  }
}

TEST(RowKernels, HeadRopeTurnsNormsAndPutsKeysIntoTheirSlots) {
  for (const RowKernels* table : all_row_kernels()) {
    for (const std::int64_t dim : {2, 10, 32, 64, 128}) {
      const HeadShape shape{.tokens = 70, .heads = 4, .kv_heads = 2, .head_dim = dim};
      const auto half = static_cast<std::size_t>(dim / 2);
      const Floats qkv = random_floats(1, static_cast<std::size_t>(shape.tokens * shape.qkv_columns()));
      const Floats q_weight = random_floats(2, static_cast<std::size_t>(dim));
      const Floats k_weight = random_floats(3, static_cast<std::size_t>(dim));
      Floats angles = random_floats(4, 100 * half, 3);
      Floats cosines;
      Floats sines;
      for (const float angle : angles) {
        cosines.push_back(std::cos(angle));
        sines.push_back(std::sin(angle));
      }
      std::vector<std::int32_t> positions;
      std::vector<std::int32_t> slots;
      for (std::int32_t token = 0; token < shape.tokens; ++token) {
        positions.push_back(token * 7 % 100);
        slots.push_back(token == 3 ? -1 : 69 - token);
      }
      Floats q(static_cast<std::size_t>(shape.tokens * shape.heads * dim));
      Floats k(static_cast<std::size_t>(shape.tokens * shape.kv_heads * dim), 99.0F);
      Floats v(k.size(), 99.0F);
      table->head_rope({.shape = shape,
                        .qkv = qkv.data(),
                        .q_weight = q_weight.data(),
                        .k_weight = k_weight.data(),
                        .cosines = cosines.data(),
                        .sines = sines.data(),
                        .positions = positions.data(),
                        .slots = slots.data(),
                        .q = q.data(),
                        .k = k.data(),
                        .v = v.data()},
                       0, shape.tokens);
      Doubles expected_q(q.size());
      Doubles expected_k(k.size(), 99);
      Doubles expected_v(v.size(), 99);
      for (std::int64_t token = 0; token < shape.tokens; ++token) {
        const std::int64_t slot = slots[static_cast<std::size_t>(token)];
        for (std::int64_t head = 0; head < 8; ++head) {
          const float* x = qkv.data() + token * shape.qkv_columns() + head * dim;
          if (head >= 4 && slot < 0) continue;
          double* out = head < 4   ? expected_q.data() + (token * 4 + head) * dim
                        : head < 6 ? expected_k.data() + (slot * 2 + head - 4) * dim
                                   : expected_v.data() + (slot * 2 + head - 6) * dim;
          if (head >= 6) {
            std::copy_n(x, dim, out);
            continue;
          }
          const Floats& weight = head < 4 ? q_weight : k_weight;
          double squares = 0;
          for (std::int64_t i = 0; i < dim; ++i) squares += static_cast<double>(x[i]) * x[i];
          const double rstd = 1 / std::sqrt(squares / static_cast<double>(dim) + 1e-6);
          for (std::size_t i = 0; i < half; ++i) {
            const double angle =
                angles[static_cast<std::size_t>(positions[static_cast<std::size_t>(token)]) * half + i];
            const double a = x[i] * rstd * weight[i];
            const double b = x[half + i] * rstd * weight[half + i];
            out[i] = a * std::cos(angle) - b * std::sin(angle);
            out[half + i] = b * std::cos(angle) + a * std::sin(angle);
          }
        }
      }
      expect_close(q, expected_q, 1e-5, "q");
      expect_close(k, expected_k, 1e-5, "k");
      expect_close(v, expected_v, 0, "v");
    }
  }
}

}  // namespace
}  // namespace tritonrl::kernels::cpu
