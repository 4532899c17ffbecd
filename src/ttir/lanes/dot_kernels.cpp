#include "ttir/lanes/lane_math.h"
#include "ttir/lanes/lanes_isa.h"

#if defined(__AVX512F__) || (defined(__AVX2__) && defined(__FMA__))
#include <immintrin.h>
#endif

namespace tritonrl::ttir::lanes::TRITONRL_ISA {
namespace {

// As many floats as one register holds; compilers do not keep arrays of plain floats in registers across the loop of k.
template <class Scalar>
struct Vector;

#if defined(__AVX512F__)
template <>
struct Vector<float> {
  static constexpr std::size_t kLanes = 16;
  __m512 value;
  TRITONRL_LANE static Vector load(const float* from) { return {_mm512_loadu_ps(from)}; }
  TRITONRL_LANE static Vector all(float x) { return {_mm512_set1_ps(x)}; }
  TRITONRL_LANE void store(float* to) const { _mm512_storeu_ps(to, value); }
  TRITONRL_LANE void add(Vector a, Vector b) { value = _mm512_fmadd_ps(a.value, b.value, value); }
};
template <>
struct Vector<double> {
  static constexpr std::size_t kLanes = 8;
  __m512d value;
  TRITONRL_LANE static Vector load(const double* from) { return {_mm512_loadu_pd(from)}; }
  TRITONRL_LANE static Vector all(double x) { return {_mm512_set1_pd(x)}; }
  TRITONRL_LANE void store(double* to) const { _mm512_storeu_pd(to, value); }
  TRITONRL_LANE void add(Vector a, Vector b) { value = _mm512_fmadd_pd(a.value, b.value, value); }
};
constexpr std::size_t kRows = 8;
#elif defined(__AVX2__) && defined(__FMA__)
template <>
struct Vector<float> {
  static constexpr std::size_t kLanes = 8;
  __m256 value;
  TRITONRL_LANE static Vector load(const float* from) { return {_mm256_loadu_ps(from)}; }
  TRITONRL_LANE static Vector all(float x) { return {_mm256_set1_ps(x)}; }
  TRITONRL_LANE void store(float* to) const { _mm256_storeu_ps(to, value); }
  TRITONRL_LANE void add(Vector a, Vector b) { value = _mm256_fmadd_ps(a.value, b.value, value); }
};
template <>
struct Vector<double> {
  static constexpr std::size_t kLanes = 4;
  __m256d value;
  TRITONRL_LANE static Vector load(const double* from) { return {_mm256_loadu_pd(from)}; }
  TRITONRL_LANE static Vector all(double x) { return {_mm256_set1_pd(x)}; }
  TRITONRL_LANE void store(double* to) const { _mm256_storeu_pd(to, value); }
  TRITONRL_LANE void add(Vector a, Vector b) { value = _mm256_fmadd_pd(a.value, b.value, value); }
};
constexpr std::size_t kRows = 4;
#else
template <class Scalar>
struct Vector {
  static constexpr std::size_t kLanes = 4;
  Scalar value[kLanes];
  TRITONRL_LANE static Vector load(const Scalar* from) { return {{from[0], from[1], from[2], from[3]}}; }
  TRITONRL_LANE static Vector all(Scalar x) { return {{x, x, x, x}}; }
  TRITONRL_LANE void store(Scalar* to) const {
    for (std::size_t i = 0; i < kLanes; ++i) to[i] = value[i];
  }
  TRITONRL_LANE void add(const Vector& a, const Vector& b) {
    for (std::size_t i = 0; i < kLanes; ++i) value[i] = fused(a.value[i], b.value[i], value[i]);
  }
};
constexpr std::size_t kRows = 4;
#endif

// kHeight rows and kWidth vectors of the result, kept in registers while k runs.
template <std::size_t kHeight, std::size_t kWidth, class Scalar>
TRITONRL_LANE void block(Scalar* out, const Scalar* a, const Scalar* b, const Scalar* c, std::size_t n, std::size_t k) {
  using V = Vector<Scalar>;
  V sums[kHeight][kWidth];
  for (std::size_t i = 0; i < kHeight; ++i) {
    for (std::size_t j = 0; j < kWidth; ++j) sums[i][j] = V::load(c + i * n + j * V::kLanes);
  }
  for (std::size_t at = 0; at < k; ++at) {
    V row[kWidth];
    for (std::size_t j = 0; j < kWidth; ++j) row[j] = V::load(b + at * n + j * V::kLanes);
    for (std::size_t i = 0; i < kHeight; ++i) {
      const V factor = V::all(a[i * k + at]);
      for (std::size_t j = 0; j < kWidth; ++j) sums[i][j].add(factor, row[j]);
    }
  }
  for (std::size_t i = 0; i < kHeight; ++i) {
    for (std::size_t j = 0; j < kWidth; ++j) sums[i][j].store(out + i * n + j * V::kLanes);
  }
}

template <std::size_t kHeight, class Scalar>
void rows(Scalar* out, const Scalar* a, const Scalar* b, const Scalar* c, std::size_t n, std::size_t k) {
  constexpr std::size_t kLanes = Vector<Scalar>::kLanes;
  std::size_t j = 0;
  for (; j + 2 * kLanes <= n; j += 2 * kLanes) block<kHeight, 2>(out + j, a, b + j, c + j, n, k);
  for (; j + kLanes <= n; j += kLanes) block<kHeight, 1>(out + j, a, b + j, c + j, n, k);
  for (; j < n; ++j) {
    for (std::size_t i = 0; i < kHeight; ++i) {
      Scalar sum = c[i * n + j];
      for (std::size_t at = 0; at < k; ++at) sum = fused(a[i * k + at], b[at * n + j], sum);
      out[i * n + j] = sum;
    }
  }
}

template <class Scalar>
void batches(Scalar* out, const Scalar* a, const Scalar* b, const Scalar* c, const DotShape& shape) {
  const auto [batch, m, n, k] = shape;
  for (std::size_t at = 0; at < batch; ++at) {
    std::size_t i = 0;
    for (; i + kRows <= m; i += kRows) rows<kRows>(out + i * n, a + i * k, b, c + i * n, n, k);
    for (; i < m; ++i) rows<1>(out + i * n, a + i * k, b, c + i * n, n, k);
    out += m * n;
    c += m * n;
    a += m * k;
    b += k * n;
  }
}

}  // namespace

void float_dot(float* out, const float* a, const float* b, const float* c, const DotShape& shape) {
  batches(out, a, b, c, shape);
}

void double_dot(double* out, const double* a, const double* b, const double* c, const DotShape& shape) {
  batches(out, a, b, c, shape);
}

void byte_dot(std::int32_t* out, const std::int8_t* a, const std::int8_t* b, const std::int32_t* c,
              const DotShape& shape) {
  const auto [batch, m, n, k] = shape;
  for (std::size_t at = 0; at < batch; ++at) {
    for (std::size_t i = 0; i < m; ++i) {
      std::int32_t* row = out + (at * m + i) * n;
      const std::int32_t* start = c + (at * m + i) * n;
      for (std::size_t j = 0; j < n; ++j) row[j] = start[j];
      for (std::size_t l = 0; l < k; ++l) {
        const std::int8_t factor = a[(at * m + i) * k + l];
        const std::int8_t* from = b + (at * k + l) * n;
        TRITONRL_LANE_LOOP
        for (std::size_t j = 0; j < n; ++j) {
          row[j] = static_cast<std::int32_t>(static_cast<std::uint32_t>(row[j]) +
                                             static_cast<std::uint32_t>(factor * from[j]));
        }
      }
    }
  }
}

}  // namespace tritonrl::ttir::lanes::TRITONRL_ISA
