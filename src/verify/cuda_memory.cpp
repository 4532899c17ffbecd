#include "verify/cuda_memory.h"

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"

namespace tritonrl::verify {
namespace {

using base::Json;

constexpr std::uint64_t kBlock = 1024;
constexpr std::int64_t kNowhere = std::int64_t{1} << 62;
constexpr std::array<std::pair<const char*, const char*>, 4> kFloats = {
    {{"float32", "*fp32"}, {"float16", "*fp16"}, {"bfloat16", "*bf16"}, {"float64", "*fp64"}}};

std::uint64_t blocks_of(std::uint64_t count) { return (count + kBlock - 1) / kBlock; }

bool row_major(const TensorView& view) {
  std::int64_t step = 1;
  for (std::size_t d = view.shape.size(); d-- > 0;) {
    if (view.shape[d] != 1 && view.strides[d] != step) return false;
    step *= view.shape[d];
  }
  return true;
}

Json comparison_of(const char* pointer) {
  return {"trusted_kernels",
          "compare_floats",
          {{"found", pointer},
           {"values", "*fp64"},
           {"spread", "*fp64"},
           {"worst", "*fp64"},
           {"worst_at", "*i64"},
           {"squares", "*fp64"},
           {"counted", "*i64"},
           {"strange_at", "*i64"},
           {"n", "i64"},
           {"step", "fp64"},
           {"largest", "fp64"},
           {"slack", "fp64"},
           {"BLOCK", "constexpr"}},
          {{"BLOCK", kBlock}}};
}

// Arguments of a launch: values live here. Behind them come pointers of Triton's own, two at the most, which these
// kernels do not use.
class Arguments {
 public:
  // Little-endian: the first bytes are the value.
  template <std::integral T>
  Arguments& add(T value) {
    values_.push_back(static_cast<std::uint64_t>(value));
    return *this;
  }
  Arguments& add(double value) { return add(std::bit_cast<std::uint64_t>(value)); }
  Arguments& add(const void* device_pointer) { return add(gpu::as_address(device_pointer)); }
  void launch(const gpu::Kernel& kernel, std::uint64_t programs) {
    add(std::uint64_t{0}).add(std::uint64_t{0});
    std::vector<void*> pointers(values_.size());
    std::ranges::transform(values_, pointers.begin(), [](auto& value) { return &value; });
    kernel.launch({static_cast<unsigned>(programs), 1, 1}, pointers);
  }

 private:
  std::vector<std::uint64_t> values_;
};

template <typename T>
std::vector<T> fetch(gpu::DevicePointer from, std::uint64_t count) {
  std::vector<T> values(count);
  gpu::copy_to_host(values.data(), from, count * sizeof(T));
  return values;
}

double fetch_double(const double* from) { return fetch<double>(gpu::as_address(from), 1).front(); }

}  // namespace

CudaMemory::CudaMemory(const gpu::Context& context, Compiler& compiler) : context_(context) {
  for (const auto& [dtype, pointer] : kFloats) {
    compiling_.emplace(fmt::format("compare {}", dtype), compiler.start_own(comparison_of(pointer)));
  }
  const Json words = {
      {"left", "*i32"}, {"right", "*i32"}, {"differs_at", "*i64"}, {"n", "i64"}, {"BLOCK", "constexpr"}};
  compiling_.emplace("differ", compiler.start_own({"trusted_kernels", "first_difference", words, {{"BLOCK", kBlock}}}));
  const Json found = {
      {"memory", "*i32"}, {"found_at", "*i64"}, {"pattern", "i32"}, {"n", "i64"}, {"BLOCK", "constexpr"}};
  compiling_.emplace("find", compiler.start_own({"trusted_kernels", "first_pattern", found, {{"BLOCK", kBlock}}}));
  const Json ranges = {
      {"begins", "*i64"}, {"lengths", "*i64"}, {"broken_at", "*i64"}, {"pattern", "i32"}, {"MOST", "constexpr"}};
  compiling_.emplace("pattern",
                     compiler.start_own({"trusted_kernels", "check_pattern", ranges, {{"MOST", kMostRange}}}));
}

CudaMemory::~CudaMemory() = default;

const gpu::Kernel& CudaMemory::kernel(const std::string& key) {
  auto& kernel = kernels_[key];
  if (!kernel) {
    const auto result = compiling_.at(key).get();
    if (const auto* refusal = std::get_if<CompileRefusal>(result.get())) {
      throw base::HostError("a kernel of our own does not compile: " + refusal->message);
    }
    const auto& made = std::get<CompiledKernel>(*result);
    kernel = std::make_unique<gpu::Kernel>(made.cubin, made.name, 32 * made.head.at("num_warps").get<unsigned>(),
                                           static_cast<unsigned>(made.shared_bytes));
  }
  return *kernel;
}

gpu::DevicePointer CudaMemory::scratch(std::uint64_t bytes) {
  if (!scratch_ || scratch_->bytes() < bytes) {
    scratch_.reset();
    scratch_ = std::make_unique<gpu::DeviceBytes>(std::max<std::uint64_t>(bytes, std::uint64_t{1} << 20U));
  }
  return scratch_->address();
}

void CudaMemory::copy(std::byte* to, const std::byte* from, std::uint64_t bytes) {
  gpu::copy_on_device(gpu::as_address(to), gpu::as_address(from), bytes);
}

Snapshot CudaMemory::snapshot(const std::byte* from, std::uint64_t bytes) {
  auto taken = std::make_shared<gpu::DeviceBytes>(bytes);
  gpu::copy_on_device(taken->address(), gpu::as_address(from), bytes);
  const std::byte* const pointer = gpu::as_pointer(taken->address());
  return {.bytes = {std::move(taken), pointer}, .size = bytes};
}

bool CudaMemory::same(const std::byte* now, const Snapshot& then) {
  return then.size == 0 || equal(now, then.bytes.get(), then.size);
}

bool CudaMemory::equal(const std::byte* left, const std::byte* right, std::uint64_t bytes) {
  const bool aligned = (gpu::as_address(left) | gpu::as_address(right)) % 4 == 0;
  const std::uint64_t words = aligned ? bytes / 4 : 0;
  const std::uint64_t rest = bytes - words * 4;
  if (fetch<char>(gpu::as_address(left) + words * 4, rest) != fetch<char>(gpu::as_address(right) + words * 4, rest))
    return false;
  if (words == 0) return true;
  const std::scoped_lock lock(mutex_);
  const std::uint64_t blocks = blocks_of(words);
  const gpu::DevicePointer found = scratch(blocks * sizeof(std::int64_t));
  Arguments().add(left).add(right).add(found).add(words).launch(kernel("differ"), blocks);
  return std::ranges::all_of(fetch<std::int64_t>(found, blocks), [](auto at) { return at == kNowhere; });
}

bool CudaMemory::holds_word(const std::byte* begin, std::uint64_t bytes, std::uint32_t pattern) {
  const std::uint64_t first = (gpu::as_address(begin) + 3) / 4 * 4;
  const std::uint64_t end = (gpu::as_address(begin) + bytes) / 4 * 4;
  if (end <= first) return false;
  const std::uint64_t words = (end - first) / 4;
  const std::scoped_lock lock(mutex_);
  const std::uint64_t blocks = blocks_of(words);
  const gpu::DevicePointer found = scratch(blocks * sizeof(std::int64_t));
  Arguments().add(first).add(found).add(pattern).add(words).launch(kernel("find"), blocks);
  return std::ranges::any_of(fetch<std::int64_t>(found, blocks), [](auto at) { return at != kNowhere; });
}

std::optional<std::pair<std::size_t, std::uint64_t>> CudaMemory::first_broken(std::span<const Range> ranges,
                                                                              std::uint32_t pattern) {
  if (ranges.empty()) return std::nullopt;
  std::vector<std::uint64_t> table;
  for (const Range& range : ranges) table.push_back(gpu::as_address(range.begin));
  for (const Range& range : ranges) table.push_back(std::min(range.bytes, kMostRange));
  const std::uint64_t column = ranges.size() * sizeof(std::uint64_t);
  const std::scoped_lock lock(mutex_);
  const gpu::DevicePointer memory = scratch(3 * column);
  gpu::copy_to_device(memory, table.data(), 2 * column);
  Arguments()
      .add(memory)
      .add(memory + column)
      .add(memory + 2 * column)
      .add(pattern)
      .launch(kernel("pattern"), ranges.size());
  const auto broken = fetch<std::int64_t>(memory + 2 * column, ranges.size());
  const auto first = std::ranges::find_if(broken, [](auto at) { return at != kNowhere; });
  if (first == broken.end()) return std::nullopt;
  return std::pair{static_cast<std::size_t>(first - broken.begin()), static_cast<std::uint64_t>(*first)};
}

FloatErrors CudaMemory::errors_of(const TensorView& found, const ExpectedTensor& expected, const FloatLimits& limits) {
  const auto count = static_cast<std::uint64_t>(found.elements());
  const std::uint64_t blocks = blocks_of(count);
  const std::uint64_t column = blocks * sizeof(std::uint64_t);
  const std::scoped_lock lock(mutex_);
  const gpu::DevicePointer memory = scratch(5 * column);
  Arguments arguments;
  arguments.add(found.data).add(expected.values).add(expected.spread);
  for (std::uint64_t n = 0; n < 5; ++n) arguments.add(memory + n * column);
  arguments.add(count).add(limits.step).add(limits.largest).add(limits.slack);
  arguments.launch(kernel("compare " + found.dtype), blocks);
  const auto worst = fetch<double>(memory, blocks);
  const auto worst_at = fetch<std::int64_t>(memory + column, blocks);
  const auto squares = fetch<double>(memory + 2 * column, blocks);
  const auto counted = fetch<std::int64_t>(memory + 3 * column, blocks);
  const auto strange_at = fetch<std::int64_t>(memory + 4 * column, blocks);

  FloatErrors errors;
  std::int64_t strange = kNowhere;
  for (std::size_t n = 0; n < blocks; ++n) {
    errors.squares += squares[n];
    errors.counted += counted[n];
    strange = std::min(strange, strange_at[n]);
    if (worst[n] > errors.most) {
      errors.most = worst[n];
      errors.worst.at = worst_at[n];
    }
  }
  errors.strange.at = strange == kNowhere ? -1 : strange;
  const std::size_t item = item_bytes(found.dtype).value_or(1);
  for (FloatErrors::Element* element : {&errors.worst, &errors.strange}) {
    if (element->at < 0) continue;
    const auto place = static_cast<std::size_t>(element->at);
    const auto bytes = fetch<std::byte>(gpu::as_address(found.data) + place * item, item);
    element->found = float_value(found.dtype, bytes.data());
    element->exact = fetch_double(reinterpret_cast<const double*>(expected.values) + place);
  }
  return errors;
}

ComparisonReport CudaMemory::compare(const TensorView& found, const ExpectedTensor& expected) {
  const auto limits = float_limits(found.dtype);
  const bool here = limits && found.dtype == expected.dtype && found.shape == expected.shape && row_major(found) &&
                    found.elements() > 0 && expected.spread != nullptr;
  if (!here) return compare_on_host(found, expected);
  return judge_errors(errors_of(found, expected, *limits), found.shape, *limits);
}

// Strided outputs, integers, and whatever has the wrong shape or dtype.
ComparisonReport CudaMemory::compare_on_host(const TensorView& found, const ExpectedTensor& expected) {
  TensorView on_host = found;
  const auto bytes = fetch<std::byte>(gpu::as_address(found.data), span_bytes(found).value_or(0));
  on_host.data = bytes.data();
  ExpectedTensor wanted = expected;
  std::uint64_t count = 1;
  for (const std::int64_t size : expected.shape) count *= static_cast<std::uint64_t>(size);
  const std::uint64_t item = expected.spread != nullptr ? sizeof(double) : item_bytes(expected.dtype).value_or(1);
  std::vector<std::vector<std::byte>> held;
  const auto take = [&](const std::byte* from) {
    held.push_back(fetch<std::byte>(gpu::as_address(from), count * item));
    return held.back().data();
  };
  wanted.values = take(expected.values);
  if (expected.spread != nullptr) {
    wanted.spread = reinterpret_cast<const double*>(take(reinterpret_cast<const std::byte*>(expected.spread)));
  }
  for (auto& alternative : wanted.alternatives) alternative = take(alternative);
  return verify::compare(on_host, wanted);
}

}  // namespace tritonrl::verify
