#include "synth/draft.h"

#include <fmt/format.h>

#include <algorithm>

namespace tritonrl::synth {
namespace {

// The verifier halves sizes above 64 until a call is quick without a GPU, so they must halve well; and it leaves small
// ones as they are, so that of batches, channels and heights few are large.
std::int64_t power_of_2(std::int64_t most) {
  std::int64_t size = 1;
  while (size * 2 <= most) size *= 2;
  return size;
}

}  // namespace

Draft::Draft(base::Random& random_source, std::string family, int level) : random(random_source) {
  problem.family = std::move(family);
  problem.level = level;
}

void Draft::draw_dtype(double narrow_share) {
  if (!chance(narrow_share)) return;
  problem.dtype = chance(0.5) ? Dtype::kFloat16 : Dtype::kBfloat16;
}

void Draft::size(const std::string& name, std::int64_t judged, std::int64_t small, std::int64_t odd,
                 std::int64_t tiny) {
  problem.sizes.push_back({.name = name, .judged = judged, .others = {small, odd, tiny}});
}

Shape Draft::draw_rows(int rank, std::int64_t columns, std::int64_t elements) {
  const std::int64_t lines = power_of_2(std::max<std::int64_t>(elements / columns, 64));
  const std::int64_t small_columns =
      columns % 16 == 0 ? std::min<std::int64_t>(columns, 512) : std::min<std::int64_t>(columns, 500);
  const std::int64_t odd_columns = random.between(65, 300) | 1;
  const std::int64_t tiny_columns = random.between(3, 40);
  Shape shape;
  static const std::vector<std::vector<std::string>> kNames = {
      {"N"}, {"ROWS", "COLS"}, {"BATCH", "SEQ", "DIM"}, {"BATCH", "HEADS", "SEQ", "DIM"}};
  shape_names_ = kNames[static_cast<std::size_t>(rank - 1)];
  if (rank == 1) {
    size("N", elements, 4096, random.between(1000, 5000) | 1, random.between(2, 90));
    shape = {elements};
  } else {
    std::int64_t left = lines;
    for (int d = 0; d + 2 < rank; ++d) {
      const std::int64_t part = rank == 3 ? pick({2, 4, 8}) : pick({2, 4});
      left = std::max<std::int64_t>(left / part, 4);
      size(shape_names_[static_cast<std::size_t>(d)], part, 2, random.between(1, 3), 1);
      shape.push_back(part);
    }
    size(shape_names_[static_cast<std::size_t>(rank - 2)], left, rank == 2 ? 32 : 16, random.between(5, 19) | 1,
         random.between(1, 7));
    size(shape_names_.back(), columns, small_columns, odd_columns, tiny_columns);
    shape.push_back(left);
    shape.push_back(columns);
  }
  argument("x", shape_names_);
  return shape;
}

Shape Draft::draw_matrices(int rank, std::int64_t length, std::int64_t columns, std::int64_t elements) {
  const std::int64_t heads = rank == 4 ? pick({2, 4}) : 1;
  // Kernels have them along the second axis of a grid, which holds 65,535.
  const std::int64_t matrices = std::clamp<std::int64_t>(elements / (length * columns), heads, 32768);
  const std::int64_t batch = power_of_2(matrices / heads);
  size("BATCH", batch, 2, random.between(1, 3), 1);
  shape_names_ = {"BATCH", "SEQ", "DIM"};
  Shape shape = {batch, length, columns};
  if (rank == 4) {
    size("HEADS", heads, 2, random.between(1, 3), 1);
    shape_names_.insert(shape_names_.begin() + 1, "HEADS");
    shape.insert(shape.begin() + 1, heads);
  }
  size("SEQ", length, 16, random.between(5, 19) | 1, random.between(2, 7));
  size("DIM", columns, columns % 16 == 0 ? std::min<std::int64_t>(columns, 512) : std::min<std::int64_t>(columns, 500),
       random.between(65, 300) | 1, random.between(3, 40));
  argument("x", shape_names_);
  return shape;
}

Shape Draft::draw_few_rows() {
  const std::int64_t columns = std::int64_t{1} << random.between(16, 18);
  return draw_rows(2, columns, 64 * columns);
}

Shape Draft::draw_image(int dimensions, std::int64_t elements, ImageUse use) {
  const std::int64_t channels = use == ImageUse::kWindows ? pick({8, 16, 32}) : pick({8, 16});
  const std::int64_t batch = use == ImageUse::kConvolution ? pick({1, 2})
                             : use == ImageUse::kNorm      ? pick({16, 32})
                                                           : pick({1, 2, 4});
  const std::int64_t plane =
      std::max<std::int64_t>(elements / (channels * batch), use == ImageUse::kNorm ? 1024 : 4096);
  size("BATCH", batch, 2, 1, 3);
  size("CHANNELS", channels, 8, random.between(2, 6) * 2 - 1, 4);
  if (dimensions == 1) {
    shape_names_ = {"BATCH", "CHANNELS", "LENGTH"};
    const std::int64_t length = plane / 16 * 16;
    size("LENGTH", length, 64, random.between(17, 60) | 1, 12);
    argument("x", shape_names_);
    return {batch, channels, length};
  }
  shape_names_ = {"BATCH", "CHANNELS", "HEIGHT", "WIDTH"};
  std::int64_t height = 8;
  while (height * height * 2 < plane && (use != ImageUse::kNorm || height < 16)) height *= 2;
  const std::int64_t width = std::max<std::int64_t>(plane / height / 8 * 8, 8);
  size("HEIGHT", height, 16, random.between(9, 17) | 1, 9);
  size("WIDTH", width, 16, random.between(9, 21) | 1, 12);
  argument("x", shape_names_);
  return {batch, channels, height, width};
}

void Draft::argument(const std::string& name, std::vector<std::string> shape, std::string maker, std::string below) {
  problem.arguments.push_back(
      {.name = name, .shape = std::move(shape), .maker = std::move(maker), .below = std::move(below)});
}

std::string Draft::construct(const std::string& size_name) {
  std::string name = size_name;
  std::ranges::transform(name, name.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  const auto known = std::ranges::find(problem.constructor, name, &std::pair<std::string, std::string>::first);
  if (known == problem.constructor.end()) problem.constructor.emplace_back(name, size_name);
  return name;
}

std::string Draft::dtype_argument() const {
  return narrow() ? fmt::format(", dtype=torch.{}", dtype_name(problem.dtype)) : "";
}

Operand Draft::same(const std::string& name) {
  argument(name, shape_names_);
  return {.name = name, .expression = name, .spread = Spread::kSame};
}

Operand Draft::feature(const std::string& name, bool parameter) {
  if (!parameter) {
    argument(name, {shape_names_.back()});
    return {.name = name, .expression = name, .spread = Spread::kFeature};
  }
  const std::string features = construct(shape_names_.back());
  layer(fmt::format("self.{} = nn.Parameter(torch.randn({}{}))", name, features, dtype_argument()));
  return {.name = name, .expression = "self." + name, .spread = Spread::kFeature};
}

Operand Draft::row(const std::string& name) {
  std::vector<std::string> shape(shape_names_.begin(), shape_names_.end() - 1);
  shape.emplace_back("1");
  argument(name, std::move(shape));
  return {.name = name, .expression = name, .spread = Spread::kRow};
}

Operand Draft::channel(const std::string& name) {
  std::vector<std::string> shape = {shape_names_[1]};
  for (std::size_t d = 2; d < shape_names_.size(); ++d) shape.emplace_back("1");
  argument(name, std::move(shape));
  return {.name = name, .expression = name, .spread = Spread::kChannel};
}

Chain Draft::unary(std::size_t length, Values values) { return draw_unary_chain(random, length, narrow(), values); }

Chain Draft::mixed(std::size_t length, std::initializer_list<Spread> spreads, Values values) {
  static const std::vector<std::string> kSame = {"other", "gate", "skip", "second"};
  static const std::vector<std::string> kFeature = {"scale", "offset", "weight", "gain"};
  Chain chain = unary(length, values);
  for (Step& step : chain.steps) {
    if (spreads.size() == 0 || operands_ >= 3 || !chance(0.5)) continue;
    const Spread spread = *(spreads.begin() + random.below(spreads.size()));
    const auto n = static_cast<std::size_t>(operands_++);
    Operand operand = spread == Spread::kSame      ? same(kSame[n])
                      : spread == Spread::kFeature ? feature(kFeature[n], chance(0.5))
                      : spread == Spread::kRow     ? row("row_" + kFeature[n])
                                                   : channel("channel_" + kFeature[n]);
    step = draw_binary_step(random, std::move(operand));
  }
  return chain;
}

}  // namespace tritonrl::synth
