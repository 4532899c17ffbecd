#include "kernels/cpu/row_kernels.h"

#include <cstdint>

#include "kernels/cpu/lanes.h"

// Compiled once for each instruction set, TRITONRL_ISA; rows are independent of each other.
namespace tritonrl::kernels::cpu {
namespace {

const float* floats(const void* pointer) { return static_cast<const float*>(pointer); }
float* floats(void* pointer) { return static_cast<float*>(pointer); }

std::int64_t least(std::int64_t a, std::int64_t b) { return a < b ? a : b; }

void rms_norm(const RmsNormForward& work, std::int64_t begin, std::int64_t end) {
  const std::int64_t n = work.columns;
  const float* weight = floats(work.weight);
  for (std::int64_t row = begin; row < end; ++row) {
    const float* x = floats(work.x) + row * n;
    Lanes squares{};
    if (work.residual != nullptr) {
      const float* residual = work.residual + row * n;
      float* sum = work.sum + row * n;
      for_lanes(n, [&](std::int64_t i, auto extent) {
        const Lanes value = load(x + i, extent) + load(residual + i, extent);
        store(sum + i, value, extent);
        squares += value * value;
      });
      x = sum;
    } else {
      for_lanes(n, [&](std::int64_t i, auto extent) {
        const Lanes value = load(x + i, extent);
        squares += value * value;
      });
    }
    const float rstd = 1.0F / __builtin_sqrtf(sum_of(squares) / static_cast<float>(n) + work.eps);
    if (work.rstd != nullptr) work.rstd[row] = rstd;
    float* out = floats(work.out) + row * n;
    for_lanes(n, [&](std::int64_t i, auto extent) {
      store(out + i, load(x + i, extent) * rstd * load(weight + i, extent), extent);
    });
  }
}

void rms_norm_backward(const RmsNormBackward& work, std::int64_t begin, std::int64_t end) {
  const std::int64_t n = work.columns;
  const float* weight = floats(work.weight);
  for (std::int64_t block = begin; block < end; ++block) {
    float* partial = work.weight_partials + block * n;
    for_lanes(n, [&](std::int64_t i, auto extent) { store(partial + i, Lanes{}, extent); });
    const std::int64_t last = least((block + 1) * kRowsPerPartial, work.rows);
    for (std::int64_t row = block * kRowsPerPartial; row < last; ++row) {
      const float* x = work.sum + row * n;
      const float* grad_out = floats(work.grad_out) + row * n;
      const float rstd = work.rstd[row];
      Lanes products{};
      for_lanes(n, [&](std::int64_t i, auto extent) {
        const Lanes value = load(x + i, extent);
        const Lanes grad = load(grad_out + i, extent);
        products += grad * load(weight + i, extent) * value;
        store(partial + i, load(partial + i, extent) + grad * value * rstd, extent);
      });
      const float along = sum_of(products) / static_cast<float>(n) * rstd * rstd * rstd;
      float* grad_in = floats(work.grad_in) + row * n;
      const float* grad_sum = work.grad_sum == nullptr ? nullptr : work.grad_sum + row * n;
      for_lanes(n, [&](std::int64_t i, auto extent) {
        Lanes grad = load(grad_out + i, extent) * load(weight + i, extent) * rstd - load(x + i, extent) * along;
        if (grad_sum != nullptr) grad += load(grad_sum + i, extent);
        store(grad_in + i, grad, extent);
      });
    }
  }
}

struct Angles {
  const float* cosines;
  const float* sines;
};

template <typename Work>
Angles angles_of(const Work& work, std::int64_t token) {
  const std::int64_t half = work.shape.head_dim / 2;
  const std::int64_t row = work.positions[token] * half;
  return {work.cosines + row, work.sines + row};
}

// One head: norm, then rotation. Returns the reciprocal of the root mean square.
float rope_head(const float* x, const float* weight, Angles angles, std::int64_t half, float eps, float* out) {
  Lanes squares{};
  for_lanes(2 * half, [&](std::int64_t i, auto extent) {
    const Lanes value = load(x + i, extent);
    squares += value * value;
  });
  const float rstd = 1.0F / __builtin_sqrtf(sum_of(squares) / static_cast<float>(2 * half) + eps);
  for_lanes(half, [&](std::int64_t i, auto extent) {
    const Lanes a = load(x + i, extent) * rstd * load(weight + i, extent);
    const Lanes b = load(x + half + i, extent) * rstd * load(weight + half + i, extent);
    const Lanes cosine = load(angles.cosines + i, extent);
    const Lanes sine = load(angles.sines + i, extent);
    store(out + i, a * cosine - b * sine, extent);
    store(out + half + i, b * cosine + a * sine, extent);
  });
  return rstd;
}

void head_rope(const HeadRopeForward& work, std::int64_t begin, std::int64_t end) {
  const auto& shape = work.shape;
  const std::int64_t dim = shape.head_dim;
  const std::int64_t kv_columns = shape.kv_heads * dim;
  for (std::int64_t token = begin; token < end; ++token) {
    const float* row = floats(work.qkv) + token * shape.qkv_columns();
    const Angles angles = angles_of(work, token);
    float* q = floats(work.q) + token * shape.heads * dim;
    float* rstd = work.rstd == nullptr ? nullptr : work.rstd + token * (shape.heads + shape.kv_heads);
    for (std::int64_t head = 0; head < shape.heads; ++head) {
      const float scale = rope_head(row + head * dim, floats(work.q_weight), angles, dim / 2, work.eps, q + head * dim);
      if (rstd != nullptr) rstd[head] = scale;
    }
    const std::int64_t slot = work.slots == nullptr ? token : work.slots[token];
    if (slot < 0) continue;
    const float* keys = row + shape.heads * dim;
    float* k = floats(work.k) + slot * kv_columns;
    for (std::int64_t head = 0; head < shape.kv_heads; ++head) {
      const float scale =
          rope_head(keys + head * dim, floats(work.k_weight), angles, dim / 2, work.eps, k + head * dim);
      if (rstd != nullptr) rstd[shape.heads + head] = scale;
    }
    if (work.v == nullptr) continue;
    float* v = floats(work.v) + slot * kv_columns;
    for_lanes(kv_columns,
              [&](std::int64_t i, auto extent) { store(v + i, load(keys + kv_columns + i, extent), extent); });
  }
}

void rope_head_backward(const float* x, const float* weight, Angles angles, std::int64_t half, float rstd,
                        const float* grad_out, float* grad_in, float* partial) {
  Lanes products{};
  for_lanes(half, [&](std::int64_t i, auto extent) {
    const Lanes cosine = load(angles.cosines + i, extent);
    const Lanes sine = load(angles.sines + i, extent);
    const Lanes grad_a = load(grad_out + i, extent);
    const Lanes grad_b = load(grad_out + half + i, extent);
    const Lanes a = grad_a * cosine + grad_b * sine;
    const Lanes b = grad_b * cosine - grad_a * sine;
    const Lanes value_a = load(x + i, extent);
    const Lanes value_b = load(x + half + i, extent);
    store(partial + i, load(partial + i, extent) + a * value_a * rstd, extent);
    store(partial + half + i, load(partial + half + i, extent) + b * value_b * rstd, extent);
    const Lanes weighted_a = a * load(weight + i, extent);
    const Lanes weighted_b = b * load(weight + half + i, extent);
    store(grad_in + i, weighted_a, extent);
    store(grad_in + half + i, weighted_b, extent);
    products += weighted_a * value_a + weighted_b * value_b;
  });
  const float along = sum_of(products) / static_cast<float>(2 * half) * rstd * rstd * rstd;
  for_lanes(2 * half, [&](std::int64_t i, auto extent) {
    store(grad_in + i, load(grad_in + i, extent) * rstd - load(x + i, extent) * along, extent);
  });
}

void head_rope_backward(const HeadRopeBackward& work, std::int64_t begin, std::int64_t end) {
  const auto& shape = work.shape;
  const std::int64_t dim = shape.head_dim;
  const std::int64_t kv_columns = shape.kv_heads * dim;
  for (std::int64_t block = begin; block < end; ++block) {
    float* q_partial = work.weight_partials + block * 2 * dim;
    for_lanes(2 * dim, [&](std::int64_t i, auto extent) { store(q_partial + i, Lanes{}, extent); });
    const std::int64_t last = least((block + 1) * kRowsPerPartial, shape.tokens);
    for (std::int64_t token = block * kRowsPerPartial; token < last; ++token) {
      const float* row = floats(work.qkv) + token * shape.qkv_columns();
      float* grad_row = floats(work.grad_qkv) + token * shape.qkv_columns();
      const Angles angles = angles_of(work, token);
      const float* rstd = work.rstd + token * (shape.heads + shape.kv_heads);
      for (std::int64_t head = 0; head < shape.heads + shape.kv_heads; ++head) {
        const bool query = head < shape.heads;
        const float* grad = query ? floats(work.grad_q) + (token * shape.heads + head) * dim
                                  : floats(work.grad_k) + (token * shape.kv_heads + head - shape.heads) * dim;
        rope_head_backward(row + head * dim, floats(query ? work.q_weight : work.k_weight), angles, dim / 2, rstd[head],
                           grad, grad_row + head * dim, query ? q_partial : q_partial + dim);
      }
      const float* grad_v = floats(work.grad_v) + token * kv_columns;
      float* grad_values = grad_row + (shape.heads + shape.kv_heads) * dim;
      for_lanes(kv_columns,
                [&](std::int64_t i, auto extent) { store(grad_values + i, load(grad_v + i, extent), extent); });
    }
  }
}

Lanes sigmoid_of(Lanes x) { return 1.0F / (1.0F + exp_of(-x)); }

void swiglu(const SwigluForward& work, std::int64_t begin, std::int64_t end) {
  const std::int64_t n = work.columns;
  for (std::int64_t row = begin; row < end; ++row) {
    const float* gate = floats(work.gate_up) + row * 2 * n;
    float* out = floats(work.out) + row * n;
    for_lanes(n, [&](std::int64_t i, auto extent) {
      const Lanes x = load(gate + i, extent);
      store(out + i, x * sigmoid_of(x) * load(gate + n + i, extent), extent);
    });
  }
}

void swiglu_backward(const SwigluBackward& work, std::int64_t begin, std::int64_t end) {
  const std::int64_t n = work.columns;
  for (std::int64_t row = begin; row < end; ++row) {
    const float* gate = floats(work.gate_up) + row * 2 * n;
    const float* grad_out = floats(work.grad_out) + row * n;
    float* grad_gate = floats(work.grad_gate_up) + row * 2 * n;
    for_lanes(n, [&](std::int64_t i, auto extent) {
      const Lanes x = load(gate + i, extent);
      const Lanes grad = load(grad_out + i, extent);
      const Lanes s = sigmoid_of(x);
      store(grad_gate + i, grad * load(gate + n + i, extent) * s * (1.0F + x * (1.0F - s)), extent);
      store(grad_gate + n + i, grad * x * s, extent);
    });
  }
}

void token_softmax(const TokenSoftmaxForward& work, std::int64_t begin, std::int64_t end) {
  const std::int64_t n = work.columns;
  const float scale = work.inverse_temperature;
  for (std::int64_t row = begin; row < end; ++row) {
    const float* logits = work.logits + row * n;
    Lanes greatest = splat(logits[0]);
    float rest = logits[0];
    for_lanes(n, [&](std::int64_t i, auto extent) {
      if constexpr (requires { extent.count; }) {
        for (std::int64_t j = i; j < n; ++j) rest = logits[j] > rest ? logits[j] : rest;
      } else {
        greatest = greater_of(greatest, load(logits + i, extent));
      }
    });
    const float top = greatest_of(greater_of(greatest, splat(rest))) * scale;
    Lanes sums{};
    Lanes weighted{};
    float last_sum = 0;
    float last_weighted = 0;
    for_lanes(n, [&](std::int64_t i, auto extent) {
      const Lanes z = load(logits + i, extent) * scale - top;
      const Lanes e = exp_of(z);
      if constexpr (requires { extent.count; }) {
        for (std::int64_t j = 0; j < extent.count; ++j) {
          last_sum += e[j];
          last_weighted += e[j] * z[j];
        }
      } else {
        sums += e;
        weighted += e * z;
      }
    });
    const float sum = sum_of(sums) + last_sum;
    const float log_sum = __builtin_logf(sum);
    work.log_sums[row] = top + log_sum;
    work.log_probs[row] = logits[work.targets[row]] * scale - top - log_sum;
    if (work.entropies != nullptr) work.entropies[row] = log_sum - (sum_of(weighted) + last_weighted) / sum;
  }
}

void token_softmax_backward(const TokenSoftmaxBackward& work, std::int64_t begin, std::int64_t end) {
  const std::int64_t n = work.columns;
  const float scale = work.inverse_temperature;
  for (std::int64_t row = begin; row < end; ++row) {
    const float* logits = work.logits + row * n;
    float* grad = floats(work.grad_logits) + row * n;
    const float log_sum = work.log_sums[row];
    const float grad_log_prob = work.grad_log_probs[row] * scale;
    if (work.grad_entropies == nullptr) {
      for_lanes(n, [&](std::int64_t i, auto extent) {
        store(grad + i, exp_of(load(logits + i, extent) * scale - log_sum) * -grad_log_prob, extent);
      });
    } else {
      const float grad_entropy = work.grad_entropies[row] * scale;
      const float entropy = work.entropies[row];
      for_lanes(n, [&](std::int64_t i, auto extent) {
        const Lanes log_prob = load(logits + i, extent) * scale - log_sum;
        store(grad + i, exp_of(log_prob) * -(grad_log_prob + grad_entropy * (log_prob + entropy)), extent);
      });
    }
    grad[work.targets[row]] += grad_log_prob;
  }
}

}  // namespace

namespace TRITONRL_ISA {
const RowKernels& row_table() {
  static constexpr RowKernels kTable{.rms_norm = rms_norm,
                                     .rms_norm_backward = rms_norm_backward,
                                     .head_rope = head_rope,
                                     .head_rope_backward = head_rope_backward,
                                     .swiglu = swiglu,
                                     .swiglu_backward = swiglu_backward,
                                     .token_softmax = token_softmax,
                                     .token_softmax_backward = token_softmax_backward,
                                     .attend_text = attend_text,
                                     .attend_text_backward = attend_text_backward};
  return kTable;
}
}  // namespace TRITONRL_ISA

}  // namespace tritonrl::kernels::cpu
