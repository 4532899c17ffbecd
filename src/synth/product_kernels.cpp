#include "synth/product_kernels.h"

#include <fmt/format.h>

#include "synth/join_kernels.h"
#include "synth/template.h"

namespace tritonrl::synth {
namespace {

using enum Choice;

constexpr std::string_view kProduct = R"(@triton.jit
def $name$(x_ptr, w_ptr, $operands$$result$, M, N, K, $batches$stride_xm, stride_xk, stride_wk, stride_wn,
           BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    $batch$
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range($from$, $to$, BK):
        k = start + tl.arange(0, BK)
        a = tl.load(x_ptr + m[:, None] * stride_xm + k[None, :] * stride_xk, mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
        $before$
        b = tl.load(w_ptr + k[:, None] * stride_wk + n[None, :] * stride_wn, mask=(k[:, None] < K) & (n[None, :] < N), other=0.0)
        acc = tl.dot(a, b, acc$precision$)
    v = acc
    inside = (m[:, None] < M) & (n[None, :] < N)
    offs = $row$ * N + n[None, :]
    $after$
    tl.store($target$ + offs, v, mask=inside)
)";

}  // namespace

std::vector<Schedule> tile_options(std::int64_t m, std::int64_t n, std::int64_t k) {
  std::vector<Schedule> options;
  const auto add = [&](int bm, int bn, int bk, int warps, int stages) {
    options.push_back({{kTileM, bm}, {kTileN, bn}, {kTileK, bk}, {kTileWarps, warps}, {kTileStages, stages}});
  };
  add(16, 16, 32, 4, 2);
  add(32, 32, 32, 4, 3);
  add(64, 64, 32, 4, 3);
  if (m <= 64) add(16, 64, 64, 4, 4), add(16, 128, 64, 4, 4), add(16, 32, 128, 4, 4);
  if (m >= 64) add(64, 128, 32, 4, 3), add(128, 64, 64, 4, 3);
  if (m >= 128 && n >= 128) add(128, 128, 64, 8, 3), add(128, 128, 32, 4, 4);
  if (m >= 256 && n >= 256) add(128, 256, 32, 8, 3);
  if (k >= 512) add(64, 64, 64, 4, 4);
  return options;
}

std::vector<Schedule> ProductOperator::options() const {
  std::vector<Schedule> options = tile_options(form_.m, form_.n, form_.k);
  if (!worth_splitting()) return options;
  const auto add = [&](int parts, int bm, int bn, int bk, int warps, int stages) {
    options.push_back(
        {{kTileParts, parts}, {kTileM, bm}, {kTileN, bn}, {kTileK, bk}, {kTileWarps, warps}, {kTileStages, stages}});
  };
  if (form_.m <= 64) add(4, 16, 64, 128, 4, 3), add(16, 16, 64, 64, 4, 4);
  if (form_.m >= 64) add(8, 64, 64, 64, 4, 3), add(32, 64, 64, 32, 4, 4), add(16, 64, 128, 32, 4, 3);
  return options;
}

std::string ProductOperator::words() const {
  return form_.second.starts_with("self.") ? "a linear layer"
         : form_.batched                   ? "a batched matrix product"
                                           : "a matrix product";
}

std::string ProductOperator::torch(std::string_view x) const {
  std::string text = form_.torch;
  if (const std::size_t at = text.find("{x}"); at != std::string::npos) text.replace(at, 3, x);
  return text;
}

std::string ProductOperator::reasoning() const {
  const double flops = 2.0 * static_cast<double>(form_.b) * static_cast<double>(form_.m) *
                       static_cast<double>(form_.n) * static_cast<double>(form_.k);
  std::string text = fmt::format("The product is {} x {} x {} (m, n, k){}: {:.1f} GFLOP, accumulated in fp32.", form_.m,
                                 form_.n, form_.k, form_.b > 1 ? fmt::format(", {} times", form_.b) : "", flops * 1e-9);
  const std::int64_t tiles = form_.b * ((form_.m + 127) / 128) * ((form_.n + 127) / 128);
  if (worth_splitting() && form_.m * form_.n <= 64 * 64 * 66)
    return text + " The result has few tiles and k is long: parts of k can go in parallel, and be joined afterwards.";
  if (form_.m <= 64)
    return text + " With so few rows it is bound by reading the second factor, so tiles should be flat and many.";
  if (tiles < 132)
    return text + fmt::format(
                      " Tiles of 128 x 128 would give only {} programs for 132 multiprocessors, so smaller ones are "
                      "worth a look.",
                      tiles);
  return text + " There are enough large tiles to fill the device, and large tiles read each factor fewer times.";
}

void ProductOperator::write_kernels(Module& module, const Schedule& schedule, const Chain& ahead,
                                    const Chain& behind) const {
  Chain finish;
  if (!form_.bias.empty())
    finish.steps.push_back({.op = &pointwise_op("add"),
                            .constant = {},
                            .operand = {.name = "bias", .expression = form_.bias, .spread = Spread::kFeature}});
  finish.steps.insert(finish.steps.end(), behind.steps.begin(), behind.steps.end());
  const Frame frame{.same = {"offs", "inside"},
                    .feature = {"n[None, :]", "n[None, :] < N"},
                    .row = {"m[:, None]", "m[:, None] < M"},
                    .channel = {}};
  // Pointwise work on the first factor: zero lanes must stay zero, so the mask comes again.
  std::string ready;
  if (!ahead.empty()) {
    ready =
        fmt::format("v = a{}\n", module.widened()) +
        chain_text(ahead, {.same = {}, .feature = {"k[None, :]", "k[None, :] < K"}, .row = {}, .channel = {}}, module) +
        "a = tl.where((m[:, None] < M) & (k[None, :] < K), v, 0.0).to(x_ptr.dtype.element_ty)\n";
  }
  const bool split = schedule.decides(kTileParts) && worth_splitting();
  const std::string name = module.kernel_name(form_.second.starts_with("self.") ? "linear" : "matmul");
  const bool ieee = module.dtype == Dtype::kFloat32 && module.ieee;
  module.kernels.push_back(fill(
      kProduct,
      {{"name", name},
       {"operands", split ? "" : chain_parameters({}, finish)},
       {"result", split ? "part_ptr" : "y_ptr"},
       {"target", split ? "part_ptr + part * M * N" : "y_ptr"},
       {"from", split ? "part * span" : "0"},
       {"to", split ? "tl.minimum(part * span + span, K)" : "K"},
       {"batches", form_.batched ? "stride_xb, stride_wb, "
                   : split       ? "span, "
                                 : ""},
       {"batch", form_.batched ? "batch = tl.program_id(2)\nx_ptr += batch * stride_xb\nw_ptr += batch * stride_wb\n"
                 : split       ? "part = tl.program_id(2)\n"
                               : ""},
       {"before", ready},
       {"precision", ieee ? ", input_precision=\"ieee\"" : ""},
       {"row", form_.batched ? "(batch * M + m[:, None])" : "m[:, None]"},
       {"after", split ? "" : chain_text(finish, frame, module)}}));
  const std::string& x = to;
  std::string host;
  if (form_.rows_merged) {
    host = fmt::format("K = {0}.shape[-1]\nM = {0}.numel() // K\n", x);
  } else {
    host = form_.first_transposed ? fmt::format("K, M = {0}.shape[-2], {0}.shape[-1]\n", x)
                                  : fmt::format("M, K = {0}.shape[-2], {0}.shape[-1]\n", x);
  }
  const std::string& w = form_.second;
  host += fmt::format("N = {}.shape[{}]\n", w, form_.second_transposed ? "-2" : "-1");
  const std::string shape = form_.rows_merged ? fmt::format("{}.shape[:-1] + (N,)", x)
                            : form_.batched   ? fmt::format("({}.shape[0], M, N)", x)
                                              : "(M, N)";
  host += fmt::format("y = torch.empty({}, device={}.device, dtype={}.dtype)\n", shape, x, x);
  const auto strides = [&](const std::string& tensor, bool transposed) {
    return transposed ? fmt::format("{0}.stride(-1), {0}.stride(-2), ", tensor)
                      : fmt::format("{0}.stride(-2), {0}.stride(-1), ", tensor);
  };
  const int parts = schedule[kTileParts];
  const int step = schedule[kTileK];
  if (split)
    host += fmt::format(
        "part = torch.empty(({0}, M, N), device={1}.device, dtype=torch.float32)\nspan = triton.cdiv(K, {2}) * {3}\n",
        parts, x, parts * step, step);
  const std::string batch_strides = form_.batched ? fmt::format("{}.stride(0), {}.stride(0), ", x, w)
                                    : split       ? "span, "
                                                  : "";
  const std::string grid = fmt::format("(triton.cdiv(M, {}), triton.cdiv(N, {}){})", schedule[kTileM], schedule[kTileN],
                                       form_.batched ? fmt::format(", {}.shape[0]", x)
                                       : split       ? fmt::format(", {}", parts)
                                                     : "");
  const std::string first = form_.rows_merged ? "K, 1, " : strides(x, form_.first_transposed);
  module.forward +=
      host +
      fmt::format("{}[{}](\n    {}, {}, {}{}, M, N, K, {}{}{}\n    BM={}, BN={}, BK={}, num_warps={}, num_stages={})\n",
                  name, grid, x, w, split ? "" : chain_arguments({}, finish), split ? "part" : "y", batch_strides,
                  first, strides(w, form_.second_transposed), schedule[kTileM], schedule[kTileN], schedule[kTileK],
                  schedule[kTileWarps], schedule[kTileStages]);
  if (split)
    write_join(module,
               {.noun = "join",
                .parts = "SPLIT_K",
                .count = parts,
                .combine = "v = tl.sum(v, axis=0)\n",
                .lines = "M * N",
                .length = {},
                .columns = "N",
                .warps = schedule[kTileWarps]},
               finish);
  module.forward += fmt::format("{} = y\n", x);
}

}  // namespace tritonrl::synth
