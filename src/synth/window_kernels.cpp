#include "synth/window_kernels.h"

#include <fmt/format.h>

#include <array>

#include "synth/product_kernels.h"
#include "synth/template.h"

namespace tritonrl::synth {
namespace {

using enum Choice;

constexpr std::string_view kPool = R"(@triton.jit
def $name$(x_ptr, $operands$y_ptr, total, channels, H, W, OH, OW, KH: tl.constexpr, KW: tl.constexpr, SH: tl.constexpr, SW: tl.constexpr,
           PH: tl.constexpr, PW: tl.constexpr, PIXELS: tl.constexpr):
    offs = tl.program_id(0) * PIXELS + tl.arange(0, PIXELS)
    inside = offs < total
    ow = offs % OW
    oh = offs // OW % OH
    plane = offs // (OW * OH)
    acc = tl.full([PIXELS], $neutral$, tl.float32)
    for r in tl.static_range(KH):
        for s in tl.static_range(KW):
            h = oh * SH + r - PH
            w = ow * SW + s - PW
            valid = inside & (h >= 0) & (h < H) & (w >= 0) & (w < W)
            v = tl.load(x_ptr + (plane * H + h) * W + w, mask=valid, other=$other$)$widen$
            $before$
            $combine$
    v = acc$scale$
    $after$
    tl.store(y_ptr + offs, v, mask=inside)
)";

constexpr std::string_view kDirect = R"(@triton.jit
def $name$(x_ptr, w_ptr, $operands$y_ptr, total, C, channels, H, W, OH, OW, KH: tl.constexpr, KW: tl.constexpr, SH: tl.constexpr, SW: tl.constexpr,
           PH: tl.constexpr, PW: tl.constexpr, PIXELS: tl.constexpr):
    offs = tl.program_id(0) * PIXELS + tl.arange(0, PIXELS)
    inside = offs < total
    ow = offs % OW
    oh = offs // OW % OH
    plane = offs // (OW * OH)
    oc = plane % channels
    batch = plane // channels
    acc = tl.zeros([PIXELS], tl.float32)
    $channels_loop$
        for r in tl.static_range(KH):
            for s in tl.static_range(KW):
                h = oh * SH + r - PH
                w = ow * SW + s - PW
                valid = inside & (h >= 0) & (h < H) & (w >= 0) & (w < W)
                a = tl.load(x_ptr + (($source$) * H + h) * W + w, mask=valid, other=0.0)$widen$
                b = tl.load(w_ptr + (($filter$) * KH + r) * KW + s, mask=inside, other=0.0)$widen$
                acc += a * b
    v = acc
    $after$
    tl.store(y_ptr + offs, v, mask=inside)
)";

constexpr std::string_view kImplicitProduct = R"(@triton.jit
def $name$(x_ptr, w_ptr, $operands$y_ptr, total, C, channels, H, W, OH, OW, KH: tl.constexpr, KW: tl.constexpr, SH: tl.constexpr, SW: tl.constexpr,
           PH: tl.constexpr, PW: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pixel = tl.program_id(0) * BM + tl.arange(0, BM)
    oc = tl.program_id(1) * BN + tl.arange(0, BN)
    batch = pixel // (OH * OW)
    oh = pixel // OW % OH
    ow = pixel % OW
    K = C * KH * KW
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, K, BK):
        k = start + tl.arange(0, BK)
        c = k // (KH * KW)
        h = oh[:, None] * SH + (k // KW % KH)[None, :] - PH
        w = ow[:, None] * SW + (k % KW)[None, :] - PW
        valid = (pixel < total)[:, None] & (k < K)[None, :] & (h >= 0) & (h < H) & (w >= 0) & (w < W)
        a = tl.load(x_ptr + ((batch[:, None] * C + c[None, :]) * H + h) * W + w, mask=valid, other=0.0)
        b = tl.load(w_ptr + oc[None, :] * K + k[:, None], mask=(k[:, None] < K) & (oc[None, :] < channels), other=0.0)
        acc = tl.dot(a, b, acc$precision$)
    v = acc
    inside = (pixel[:, None] < total) & (oc[None, :] < channels)
    offs = ((batch[:, None] * channels + oc[None, :]) * OH + oh[:, None]) * OW + ow[:, None]
    $after$
    tl.store(y_ptr + offs, v, mask=inside)
)";

}  // namespace

Shape WindowOperator::result() const {
  Shape shape = shape_;
  for (std::size_t d = 2; d < shape.size(); ++d)
    shape[d] = (shape[d] + 2 * window_.padding - window_.size) / window_.stride + 1;
  if (window_.kind == WindowKind::kConvolution) shape[1] = window_.out_channels;
  return shape;
}

std::vector<Schedule> WindowOperator::options() const {
  std::vector<Schedule> options;
  const auto pixels = [&](int block, int warps) { options.push_back({{kPixelBlock, block}, {kPixelWarps, warps}}); };
  if (window_.kind == WindowKind::kConvolution) {
    // Beyond this the executor's budget of operations runs out at the verifier's stand-in sizes.
    constexpr std::int64_t kMostDirect = 2400;
    const std::int64_t taps = window_.dimensions == 2 ? window_.size * window_.size : window_.size;
    if (shape_[0] * shape_[1] * window_.out_channels * taps <= kMostDirect) pixels(256, 4), pixels(1024, 4);
    const auto tiles = [&](int bm, int bn, int bk, int warps, int stages) {
      options.push_back({{kTileM, bm}, {kTileN, bn}, {kTileK, bk}, {kTileWarps, warps}, {kTileStages, stages}});
    };
    tiles(32, 32, 32, 4, 2), tiles(64, 32, 32, 4, 3), tiles(64, 64, 32, 4, 3), tiles(128, 64, 32, 4, 3),
        tiles(128, 32, 32, 4, 4), tiles(128, 128, 32, 8, 3);
    return options;
  }
  pixels(64, 1), pixels(128, 4), pixels(256, 4), pixels(512, 4), pixels(1024, 4), pixels(2048, 4), pixels(1024, 8);
  return options;
}

std::string WindowOperator::name() const {
  static constexpr std::array<std::string_view, 4> kNames = {"max_pool", "avg_pool", "conv", "depthwise_conv"};
  return fmt::format("{}{}{}{}{}", kNames[static_cast<std::size_t>(window_.kind)], window_.dimensions,
                     window_.bias ? "b" : "", window_.padding > 0 ? "p" : "", window_.stride > 1 ? "s" : "");
}

std::string WindowOperator::words() const {
  static constexpr std::array<std::string_view, 4> kNames = {"a max pooling", "an average pooling", "a convolution",
                                                             "a depthwise convolution"};
  return fmt::format("{} of size {}", kNames[static_cast<std::size_t>(window_.kind)], window_.size);
}

std::string WindowOperator::torch(std::string_view x) const {
  if (!pools()) return fmt::format("{}({})", window_.layer, x);
  return fmt::format("F.{}_pool{}d({}, {}, stride={}, padding={})",
                     window_.kind == WindowKind::kMaxPool ? "max" : "avg", window_.dimensions, x, window_.size,
                     window_.stride, window_.padding);
}

std::string WindowOperator::reasoning() const {
  const std::int64_t outputs = elements_of(result());
  if (window_.kind == WindowKind::kConvolution) {
    const std::int64_t depth = shape_[1] * (window_.dimensions == 2 ? window_.size * window_.size : window_.size);
    return fmt::format(
        "It has {} outputs, each over {} products. As a product it is {} x {} x {}; direct loops would reread the "
        "input for every output channel. Positions outside the image are masked to zero.",
        outputs, depth, outputs / window_.out_channels, window_.out_channels, depth);
  }
  return fmt::format(
      "It has {} outputs; neighbouring lanes take neighbouring outputs so that loads overlap in cache, and positions "
      "outside are masked to the neutral value.",
      outputs);
}

void WindowOperator::write_kernels(Module& module, const Schedule& schedule, const Chain& ahead,
                                   const Chain& behind) const {
  const bool tiles = schedule.decides(kTileM) && window_.kind == WindowKind::kConvolution;
  Chain finish;
  if (window_.bias)
    finish.steps.push_back(
        {.op = &pointwise_op("add"),
         .constant = {},
         .operand = {.name = "bias", .expression = window_.layer + ".bias", .spread = Spread::kChannel}});
  finish.steps.insert(finish.steps.end(), behind.steps.begin(), behind.steps.end());
  const Frame frame = tiles ? Frame{.same = {"offs", "inside"},
                                    .feature = {},
                                    .row = {},
                                    .channel = {"oc[None, :]", "oc[None, :] < channels"}}
                            : Frame{.same = {"offs", "inside"},
                                    .feature = {},
                                    .row = {},
                                    .channel = {pools() ? "plane % channels" : "oc", "inside"}};
  const std::string name = module.kernel_name(pools() ? "pool" : "conv");
  const std::string operands = chain_parameters(pools() ? ahead : Chain{}, finish);
  const std::string finished = chain_text(finish, frame, module);
  const bool maximum = window_.kind == WindowKind::kMaxPool;
  const bool depthwise = window_.kind == WindowKind::kDepthwise;
  if (pools()) {
    const std::string neutral = maximum ? "-float(\"inf\")" : "0.0";
    std::string ready = chain_text(ahead, frame, module);
    if (!ahead.empty()) ready += fmt::format("v = tl.where(valid, v, {})\n", neutral);
    module.kernels.push_back(fill(kPool, {{"name", name},
                                          {"operands", operands},
                                          {"neutral", neutral},
                                          {"other", ahead.empty() ? neutral : "0.0"},
                                          {"widen", module.widened()},
                                          {"before", ready},
                                          {"combine", maximum ? "acc = tl.maximum(acc, v)" : "acc += v"},
                                          {"scale", maximum ? "" : " / (KH * KW)"},
                                          {"after", finished}}));
  } else if (tiles) {
    module.kernels.push_back(
        fill(kImplicitProduct,
             {{"name", name},
              {"operands", operands},
              {"after", finished},
              {"precision", module.dtype == Dtype::kFloat32 && module.ieee ? ", input_precision=\"ieee\"" : ""}}));
  } else {
    module.kernels.push_back(
        fill(kDirect, {{"name", name},
                       {"operands", operands},
                       {"widen", module.widened()},
                       {"after", finished},
                       {"channels_loop", depthwise ? "for c in range(0, 1):" : "for c in range(0, C):"},
                       {"source", depthwise ? "plane" : "batch * C + c"},
                       {"filter", depthwise ? "oc" : "oc * C + c"}}));
  }
  const std::string& x = to;
  const bool flat = window_.dimensions == 1;
  const int size_h = flat ? 1 : window_.size;
  const int stride_h = flat ? 1 : window_.stride;
  const int pad_h = flat ? 0 : window_.padding;
  std::string host = flat ? fmt::format("B, C, W = {}.shape\nH = 1\n", x) : fmt::format("B, C, H, W = {}.shape\n", x);
  host += fmt::format("channels = {}\n",
                      window_.kind == WindowKind::kConvolution ? window_.layer + ".weight.shape[0]" : "C");
  host += flat ? "OH = 1\n" : fmt::format("OH = (H + {} - {}) // {} + 1\n", 2 * pad_h, size_h, stride_h);
  host += fmt::format("OW = (W + {} - {}) // {} + 1\n", 2 * window_.padding, window_.size, window_.stride);
  host += fmt::format("y = torch.empty({}, device={}.device, dtype={}.dtype)\n",
                      flat ? "(B, channels, OW)" : "(B, channels, OH, OW)", x, x);
  const std::string shape = fmt::format("KH={}, KW={}, SH={}, SW={}, PH={}, PW={}", size_h, window_.size, stride_h,
                                        window_.stride, pad_h, window_.padding);
  const std::string arguments = chain_arguments(pools() ? ahead : Chain{}, finish);
  const std::string weight = pools() ? "" : window_.layer + ".weight, ";
  const std::string depth = pools() ? "" : "C, ";
  if (tiles) {
    host += fmt::format(
        "total = B * OH * OW\n{}[(triton.cdiv(total, {}), triton.cdiv(channels, {}))](\n    {}, {}{}y, total, "
        "{}channels, H, W, OH, OW, {},\n    BM={}, BN={}, BK={}, num_warps={}, num_stages={})\n{} = y\n",
        name, schedule[kTileM], schedule[kTileN], x, weight, arguments, depth, shape, schedule[kTileM],
        schedule[kTileN], schedule[kTileK], schedule[kTileWarps], schedule[kTileStages], x);
  } else {
    host += fmt::format(
        "total = y.numel()\n{}[(triton.cdiv(total, {}),)](\n    {}, {}{}y, total, {}channels, H, W, OH, OW, {},\n    "
        "PIXELS={}, num_warps={})\n{} = y\n",
        name, schedule[kPixelBlock], x, weight, arguments, depth, shape, schedule[kPixelBlock], schedule[kPixelWarps],
        x);
  }
  module.forward += host;
}

}  // namespace tritonrl::synth
