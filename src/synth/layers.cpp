#include "synth/layers.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "synth/line_kernels.h"
#include "synth/pointwise_kernels.h"
#include "synth/product_kernels.h"

namespace tritonrl::synth {
namespace {

Step with_parameter(std::string_view op, const std::string& name, const std::string& expression, Spread spread,
                    const std::string& constant = {}) {
  return {.op = &pointwise_op(op),
          .constant = constant,
          .operand = {.name = name, .expression = expression, .spread = spread}};
}

}  // namespace

std::int64_t judged(const Draft& draft, const std::string& size) {
  const auto found = std::ranges::find(draft.problem.sizes, size, &Size::name);
  base::check(found != draft.problem.sizes.end(), "a layer names a size that nobody declared");
  return found->judged;
}

LineOperator& add_row_norm(Draft& draft, const Shape& shape, const std::string& layer) {
  const std::size_t last = shape.size() - 1;
  const std::string own = "self." + layer;
  const auto kind = draft.random.below(8);
  NormLayer norm{.torch = own + "({x})", .epsilon = own + ".eps", .affine = {}, .groups = {}};
  const std::string type = draft.dtype_argument();
  if (kind <= 1) {
    const std::string features = draft.construct(draft.shape_names().back());
    draft.layer(fmt::format("{} = nn.LayerNorm({}{})", own, features, type));
    norm.affine.steps = {with_parameter("mul", "norm_weight", own + ".weight", Spread::kFeature),
                         with_parameter("add", "norm_bias", own + ".bias", Spread::kFeature)};
    return draft.add<LineOperator>(line_op("layer_norm"), shape, last, false, std::move(norm));
  }
  if (kind == 2) {
    norm = {.torch = "F.layer_norm({x}, {x}.shape[-1:])", .epsilon = "1e-5", .affine = {}, .groups = {}};
    return draft.add<LineOperator>(line_op("layer_norm"), shape, last, false, std::move(norm));
  }
  if (kind == 3) {
    const std::string features = draft.construct(draft.shape_names().back());
    draft.layer(fmt::format("{} = nn.RMSNorm({}, eps=1e-6{})", own, features, type));
    norm.affine.steps = {with_parameter("mul", "norm_weight", own + ".weight", Spread::kFeature)};
    return draft.add<LineOperator>(line_op("rms_norm"), shape, last, false, std::move(norm));
  }
  if (kind == 4) {
    norm = {.torch = "{x} * torch.rsqrt(torch.mean({x} * {x}, dim=-1, keepdim=True) + 1e-6)",
            .epsilon = "1e-6",
            .affine = {},
            .groups = {}};
    return draft.add<LineOperator>(line_op("rms_norm"), shape, last, false, std::move(norm));
  }
  constexpr std::string_view kOthers[] = {"normalize", "center", "divide_by_max"};
  return draft.add<LineOperator>(line_op(kOthers[kind - 5]), shape, last);
}

Operator& add_batch_norm(Draft& draft, const Shape& shape, const std::string& layer, const std::string& channels) {
  const std::string own = "self." + layer;
  draft.layer(fmt::format("{} = nn.BatchNorm{}d({}{})", own, shape.size() - 2, draft.construct(channels),
                          draft.dtype_argument()));
  Chain chain;
  chain.steps = {with_parameter("sub", "mean", own + ".running_mean", Spread::kChannel),
                 with_parameter("times_rsqrt", "variance", own + ".running_var", Spread::kChannel, "1e-5"),
                 with_parameter("mul", "norm_weight", own + ".weight", Spread::kChannel),
                 with_parameter("add", "norm_bias", own + ".bias", Spread::kChannel)};
  return draft.add<PointwiseOperator>(
      fmt::format(
          "F.batch_norm({{x}}, {0}.running_mean, {0}.running_var, {0}.weight, {0}.bias, training=False, eps={0}.eps)",
          own),
      std::move(chain), shape);
}

Operator& add_channel_norm(Draft& draft, const Shape& shape) {
  const auto kind = draft.random.below(3);
  if (kind == 2) return add_batch_norm(draft, shape, "norm", "CHANNELS");
  NormLayer norm{.torch = "self.norm({x})", .epsilon = "self.norm.eps", .affine = {}, .groups = "self.norm.num_groups"};
  std::int64_t groups = shape[1];
  if (kind == 0) {
    groups = 8;
    draft.size("GROUPS", groups, 2, 1, 2);
    const std::string group_name = draft.construct("GROUPS");
    draft.layer(fmt::format("self.norm = nn.GroupNorm({}, {}{})", group_name, draft.construct("CHANNELS"),
                            draft.dtype_argument()));
  } else {
    draft.layer(fmt::format("self.norm = nn.InstanceNorm{}d({}, affine=True{})", shape.size() - 2,
                            draft.construct("CHANNELS"), draft.dtype_argument()));
    norm.groups = "x.shape[1]";
  }
  norm.affine.steps = {with_parameter("mul", "norm_weight", "self.norm.weight", Spread::kChannel),
                       with_parameter("add", "norm_bias", "self.norm.bias", Spread::kChannel)};
  auto& op = draft.add<LineOperator>(line_op("layer_norm"), shape, shape.size() - 1, false, std::move(norm));
  op.set_lines(shape[0] * groups, elements_of(shape) / (shape[0] * groups));
  return op;
}

Operator& add_matmul(Draft& draft) {
  struct Sizes {
    std::int64_t m, n, k;
  };
  static const std::vector<Sizes> kPlain = {
      {16, 4096, 4096},  {32, 8192, 2048},  {64, 4096, 1024},   {512, 512, 4096}, {1024, 1024, 1024},
      {2048, 2048, 512}, {4096, 1024, 256}, {1000, 1000, 1000}, {4096, 4096, 64}, {2048, 2048, 2048},
      {8192, 256, 256},  {256, 256, 8192},  {128, 256, 16384},  {64, 64, 32768},  {16, 1024, 16384}};
  static const std::vector<Sizes> kBatched = {{128, 128, 64}, {256, 256, 64},  {512, 512, 128},
                                              {64, 512, 256}, {1000, 64, 100}, {16, 1024, 256}};
  base::Random& random = draft.random;
  const auto kind = random.below(4);  // plain, batched, leading dimensions, a linear layer
  const bool batched = kind == 1;
  const Sizes sizes = draft.pick(batched ? kBatched : kPlain);
  const std::int64_t batch = batched ? draft.pick({8, 16, 32}) : kind == 2 ? 4 : 1;
  if (batched || kind == 2) draft.size("B", batch, 2, 3, 1);
  draft.size("M", kind == 2 ? std::max<std::int64_t>(sizes.m / 4, 16) : sizes.m, std::min<std::int64_t>(sizes.m, 64),
             random.between(17, 70) | 1, 5);
  draft.size("N", sizes.n, 80, random.between(33, 100) | 1, 12);
  draft.size("K", sizes.k, 64, random.between(33, 90) | 1, 10);
  ProductForm form{.torch = "torch.matmul({x}, matrix)",
                   .second = "matrix",
                   .batched = batched,
                   .rows_merged = kind >= 2,
                   .bias = {},
                   .b = batched ? batch : 1,
                   .m = kind == 2 ? batch * sizes.m / 4 : sizes.m,
                   .n = sizes.n,
                   .k = sizes.k};
  std::string structure = batched ? "bmm" : kind == 2 ? "matmul3" : "matmul";
  std::vector<std::string> lead;
  if (batched || kind == 2) lead = {"B"};
  const auto named = [&](std::string first, std::string second) {
    std::vector<std::string> names = lead;
    names.push_back(std::move(first));
    names.push_back(std::move(second));
    return names;
  };
  form.first_transposed = kind <= 1 && draft.chance(0.35);
  draft.argument("x", form.first_transposed ? named("K", "M") : named("M", "K"));
  draft.set_shape_names(named("M", "N"));
  if (kind == 3) {
    const bool bias = draft.chance(0.5);
    const std::string in = draft.construct("K");
    const std::string out = draft.construct("N");
    draft.layer(
        fmt::format("self.fc = nn.Linear({}, {}{}{})", in, out, bias ? "" : ", bias=False", draft.dtype_argument()));
    form.torch = "self.fc({x})";
    form.second = "self.fc.weight";
    form.second_transposed = true;
    form.bias = bias ? "self.fc.bias" : "";
    structure = bias ? "linear_bias" : "linear";
  } else {
    form.second_transposed = draft.chance(0.35);
    draft.argument("matrix", batched                  ? (form.second_transposed ? named("N", "K") : named("K", "N"))
                             : form.second_transposed ? std::vector<std::string>{"N", "K"}
                                                      : std::vector<std::string>{"K", "N"});
    form.torch = fmt::format("torch.matmul({}, {})", form.first_transposed ? "{x}.transpose(-2, -1)" : "{x}",
                             form.second_transposed ? "matrix.transpose(-2, -1)" : "matrix");
    structure += form.first_transposed ? "T" : "N";
    structure += form.second_transposed ? "T" : "N";
  }
  return draft.add<ProductOperator>(std::move(form), std::move(structure));
}

Operator& add_linear(Draft& draft, const std::string& layer, const std::string& in, const std::string& out,
                     std::int64_t rows) {
  const bool bias = draft.chance(0.7);
  const std::string in_name = draft.construct(in);
  const std::string out_name = draft.construct(out);
  draft.layer(fmt::format("self.{} = nn.Linear({}, {}{}{})", layer, in_name, out_name, bias ? "" : ", bias=False",
                          draft.dtype_argument()));
  std::vector<std::string> names = draft.shape_names();
  names.back() = out;
  draft.set_shape_names(std::move(names));
  return draft.add<ProductOperator>(ProductForm{.torch = fmt::format("self.{}({{x}})", layer),
                                                .second = fmt::format("self.{}.weight", layer),
                                                .second_transposed = true,
                                                .rows_merged = true,
                                                .bias = bias ? fmt::format("self.{}.bias", layer) : "",
                                                .m = rows,
                                                .n = judged(draft, out),
                                                .k = judged(draft, in)},
                                    bias ? "linear_bias" : "linear");
}

Window draw_pool(Draft& draft, int dimensions) {
  const int size = static_cast<int>(draft.random.between(2, 4));
  return {.kind = draft.chance(0.5) ? WindowKind::kMaxPool : WindowKind::kAveragePool,
          .dimensions = dimensions,
          .size = size,
          .stride = static_cast<int>(draft.random.between(1, 3)),
          .padding = draft.chance(0.5) ? 1 : 0,
          .layer = {}};
}

WindowOperator& add_convolution(Draft& draft, int dimensions, const Shape& shape) {
  const bool depthwise = draft.chance(0.3);
  const bool bias = draft.chance(0.5);
  const int size = draft.chance(0.3) ? 1 : draft.chance(0.7) ? 3 : 5;
  const std::string channels = draft.construct("CHANNELS");
  Window window{.kind = depthwise ? WindowKind::kDepthwise : WindowKind::kConvolution,
                .dimensions = dimensions,
                .size = size,
                .stride = draft.chance(0.25) ? 2 : 1,
                .padding = draft.chance(0.6) ? size / 2 : 0,
                .bias = bias,
                .out_channels = shape[1],
                .layer = "self.conv"};
  std::string filters = channels;
  std::vector<std::string> names = draft.shape_names();
  if (!depthwise) {
    window.out_channels = draft.pick({16, 32});
    draft.size("FILTERS", window.out_channels, 16, draft.random.between(5, 20), 3);
    filters = draft.construct("FILTERS");
    names[1] = "FILTERS";
  }
  draft.set_shape_names(std::move(names));
  draft.layer(fmt::format("self.conv = nn.Conv{}d({}, {}, {}, stride={}, padding={}{}{}{})", dimensions, channels,
                          filters, size, window.stride, window.padding,
                          depthwise ? fmt::format(", groups={}", channels) : "", bias ? "" : ", bias=False",
                          draft.dtype_argument()));
  return draft.add<WindowOperator>(std::move(window), shape);
}

}  // namespace tritonrl::synth
