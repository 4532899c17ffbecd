#include "kernels/packed_attention.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "base/random.h"
#include "kernels/cpu/row_kernels.h"
#include "kernels/parallel_rows.h"

namespace tritonrl::kernels::cpu {
namespace {

using Floats = std::vector<float>;

struct Case {
  std::vector<std::int32_t> starts{0};
  std::int64_t heads = 4;
  std::int64_t kv_heads = 2;
  std::int64_t dim = 32;
  Floats q, k, v, grad_out;

  Case(const std::vector<std::int32_t>& lengths, std::int64_t query_heads, std::int64_t key_heads,
       std::int64_t head_dim)
      : heads(query_heads), kv_heads(key_heads), dim(head_dim) {
    for (const auto length : lengths) starts.push_back(starts.back() + length);
    base::Random random(5);
    const auto draw = [&](std::int64_t count, double deviation) {
      Floats values(static_cast<std::size_t>(count));
      for (float& value : values) value = static_cast<float>(random.normal() * deviation);
      return values;
    };
    q = draw(tokens() * heads * dim, 2);
    k = draw(tokens() * kv_heads * dim, 1);
    v = draw(tokens() * v_stride(), 1);
    grad_out = draw(tokens() * heads * dim, 1);
  }

  std::int64_t tokens() const { return starts.back(); }
  std::int64_t v_stride() const { return kv_heads * dim + 5; }  // values stand among other columns
  PackedTextShape shape() const {
    return {.text_starts = starts.data(),
            .texts = static_cast<std::int64_t>(starts.size()) - 1,
            .heads = heads,
            .kv_heads = kv_heads,
            .head_dim = dim,
            .scale = 1 / std::sqrt(static_cast<float>(dim))};
  }
};

struct Result {
  Floats out, log_sums, grad_q, grad_k, grad_v;
};

struct Runs {
  Result result;
  PackedAttentionForward forward;
  PackedAttentionBackward backward;

  explicit Runs(const Case& on) {
    const auto tokens = static_cast<std::size_t>(on.tokens());
    result.out.resize(on.q.size(), NAN);
    result.log_sums.resize(tokens * static_cast<std::size_t>(on.heads));
    result.grad_q.resize(on.q.size(), NAN);
    result.grad_k.resize(on.k.size(), NAN);
    result.grad_v.resize(on.k.size(), NAN);
    forward = {.shape = on.shape(),
               .q = on.q.data(),
               .k = on.k.data(),
               .v = on.v.data(),
               .v_stride = on.v_stride(),
               .out = result.out.data(),
               .log_sums = result.log_sums.data()};
    backward = {.shape = on.shape(),
                .q = on.q.data(),
                .k = on.k.data(),
                .v = on.v.data(),
                .v_stride = on.v_stride(),
                .out = result.out.data(),
                .log_sums = result.log_sums.data(),
                .grad_out = on.grad_out.data(),
                .grad_q = result.grad_q.data(),
                .grad_k = result.grad_k.data(),
                .grad_v = result.grad_v.data()};
  }
};

// Query by query, in double precision.
struct Expected {
  std::vector<double> out, grad_q, grad_k, grad_v;

  explicit Expected(const Case& on) : out(on.q.size()), grad_q(on.q.size()), grad_k(on.k.size()), grad_v(on.k.size()) {
    for (std::size_t text = 0; text + 1 < on.starts.size(); ++text) {
      for (std::int64_t query = on.starts[text]; query < on.starts[text + 1]; ++query) {
        for (std::int64_t head = 0; head < on.heads; ++head) add(on, on.starts[text], query, head);
      }
    }
  }

 private:
  void add(const Case& on, std::int64_t first, std::int64_t query, std::int64_t head) {
    const std::int64_t kv_head = head / (on.heads / on.kv_heads);
    const auto q_at = [&](std::int64_t i) { return static_cast<std::size_t>((query * on.heads + head) * on.dim + i); };
    const auto k_at = [&](std::int64_t token, std::int64_t i) {
      return static_cast<std::size_t>((token * on.kv_heads + kv_head) * on.dim + i);
    };
    const auto v_at = [&](std::int64_t token, std::int64_t i) {
      return static_cast<std::size_t>(token * on.v_stride() + kv_head * on.dim + i);
    };
    const double scale = 1 / std::sqrt(static_cast<double>(on.dim));
    std::vector<double> weights;
    for (std::int64_t token = first; token <= query; ++token) {
      double score = 0;
      for (std::int64_t i = 0; i < on.dim; ++i) score += static_cast<double>(on.q[q_at(i)]) * on.k[k_at(token, i)];
      weights.push_back(std::exp(score * scale));
    }
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    double along = 0;
    for (std::int64_t token = first; token <= query; ++token) {
      double& weight = weights[static_cast<std::size_t>(token - first)];
      weight /= sum;
      for (std::int64_t i = 0; i < on.dim; ++i) out[q_at(i)] += weight * on.v[v_at(token, i)];
    }
    for (std::int64_t i = 0; i < on.dim; ++i) along += out[q_at(i)] * on.grad_out[q_at(i)];
    for (std::int64_t token = first; token <= query; ++token) {
      const double weight = weights[static_cast<std::size_t>(token - first)];
      double grad = 0;
      for (std::int64_t i = 0; i < on.dim; ++i)
        grad += static_cast<double>(on.grad_out[q_at(i)]) * on.v[v_at(token, i)];
      const double grad_score = weight * (grad - along) * scale;
      for (std::int64_t i = 0; i < on.dim; ++i) {
        grad_q[q_at(i)] += grad_score * on.k[k_at(token, i)];
        grad_k[k_at(token, i)] += grad_score * on.q[q_at(i)];
        grad_v[k_at(token, i)] += weight * on.grad_out[q_at(i)];
      }
    }
  }
};

void expect_close(const Floats& found, const std::vector<double>& expected, const char* what) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_NEAR(found[i], expected[i], 2e-5 * (1 + std::abs(expected[i]))) << what << " at " << i;
  }
}

TEST(PackedAttention, IsItsDefinitionInEveryInstructionSet) {
  const Case cases[] = {
      {{1, 2, 47, 48, 49, 130}, 4, 2, 32}, {{65, 300}, 3, 1, 10}, {{128, 0, 17}, 2, 2, 64}, {{33}, 6, 2, 24}};
  for (const auto& on : cases) {
    const Expected expected(on);
    for (const RowKernels* table : all_row_kernels()) {
      Runs runs(on);
      Floats scratch(1'000'000);
      for (std::int64_t text = 0; text < on.shape().texts; ++text) {
        for (std::int64_t head = 0; head < on.kv_heads; ++head) {
          table->attend_text(runs.forward, text, head, scratch.data());
          table->attend_text_backward(runs.backward, text, head, scratch.data());
        }
      }
      expect_close(runs.result.out, expected.out, "out");
      expect_close(runs.result.grad_q, expected.grad_q, "grad_q");
      expect_close(runs.result.grad_k, expected.grad_k, "grad_k");
      expect_close(runs.result.grad_v, expected.grad_v, "grad_v");
    }
  }
}

TEST(PackedAttention, ResultsDependOnNeitherThreadsNorOtherTexts) {
  const Case on({40, 200, 3, 77, 120}, 4, 2, 32);
  const auto with_threads = [&](int threads) {
    set_thread_count(threads);
    Runs runs(on);
    packed_attention(runs.forward);
    packed_attention_backward(runs.backward);
    return runs.result;
  };
  const Result one = with_threads(1);
  const Result two = with_threads(2);
  set_thread_count(1);
  EXPECT_EQ(one.out, two.out);
  EXPECT_EQ(one.grad_q, two.grad_q);
  EXPECT_EQ(one.grad_k, two.grad_k);
  EXPECT_EQ(one.grad_v, two.grad_v);

  Runs alone(on);
  const std::vector<std::int32_t> second{40, 240};
  alone.forward.shape.text_starts = second.data();
  alone.forward.shape.texts = 1;
  packed_attention(alone.forward);
  const auto first = 40 * on.heads * on.dim;
  const auto last = 240 * on.heads * on.dim;
  EXPECT_EQ(Floats(alone.result.out.begin() + first, alone.result.out.begin() + last),
            Floats(one.out.begin() + first, one.out.begin() + last));
}

}  // namespace
}  // namespace tritonrl::kernels::cpu
