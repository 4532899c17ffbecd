#include "synth/movement_kernels.h"

#include <fmt/format.h>

#include <array>

#include "synth/template.h"

namespace tritonrl::synth {
namespace {

using enum Choice;

constexpr std::string_view kMove = R"(@triton.jit
def $name$(x_ptr, $operands$y_ptr, n_rows, n_cols, $shift$TR: tl.constexpr, TC: tl.constexpr):
    batch = tl.program_id(2)
    rows = tl.program_id(0) * TR + tl.arange(0, TR)
    cols = tl.program_id(1) * TC + tl.arange(0, TC)
    inside = (rows[:, None] < n_rows) & (cols[None, :] < n_cols)
    offs = (batch * n_rows + rows[:, None]) * n_cols + cols[None, :]
    $source$
    v = tl.load(x_ptr + source, mask=inside, other=0.0)$widen$
    $chain$
    tl.store(y_ptr + offs, v, mask=inside)
)";

}  // namespace

std::vector<Schedule> MovementOperator::options() const {
  std::vector<Schedule> options;
  const auto add = [&](int rows, int columns, int warps) {
    options.push_back({{kMoveRows, rows}, {kMoveColumns, columns}, {kMoveWarps, warps}});
  };
  add(1, 256, 4), add(1, 1024, 4), add(16, 16, 4), add(32, 32, 4), add(64, 64, 4), add(64, 32, 8), add(8, 128, 4),
      add(4, 512, 4);
  return options;
}

std::string MovementOperator::name() const {
  static constexpr std::array<std::string_view, 6> kNames = {"transpose",    "flip",      "roll",
                                                             "index_select", "embedding", "gather"};
  return fmt::format("{}{}", kNames[static_cast<std::size_t>(movement_)], shape_.size());
}

std::string MovementOperator::words() const {
  static constexpr std::array<std::string_view, 6> kWords = {"a transposition",     "a reversal of rows",
                                                             "a rotation of rows",  "a selection of rows",
                                                             "an embedding lookup", "a gather along rows"};
  return std::string(kWords[static_cast<std::size_t>(movement_)]);
}

std::string MovementOperator::torch(std::string_view x) const {
  switch (movement_) {
    case Movement::kTranspose:
      return fmt::format("{}.transpose(-2, -1).contiguous()", x);
    case Movement::kFlip:
      return fmt::format("torch.flip({}, [-1])", x);
    case Movement::kRoll:
      return fmt::format("torch.roll({}, {}, dims=-1)", x, distance_);
    case Movement::kIndexSelect:
      return fmt::format("torch.index_select({}, 0, index)", x);
    case Movement::kEmbedding:
      return fmt::format("F.embedding(index, {})", x);
    case Movement::kGather:
      return fmt::format("torch.gather({}, 1, index)", x);
  }
  return {};
}

std::string MovementOperator::reasoning() const {
  const std::string sizes =
      fmt::format("The result has {} rows of {} elements.", elements_of(shape_) / shape_.back(), shape_.back());
  if (movement_ == Movement::kTranspose)
    return sizes +
           " Rows of the input become columns, so one side of a narrow tile is scattered; a square tile is wide in "
           "both directions.";
  return sizes +
         " Reads follow the rows, so wide tiles along the last dimension use whole cache lines; short rows want "
         "several a program.";
}

void MovementOperator::write_kernels(Module& module, const Schedule& schedule, const Chain& ahead,
                                     const Chain& behind) const {
  Chain chain = ahead;
  chain.steps.insert(chain.steps.end(), behind.steps.begin(), behind.steps.end());
  const Frame frame{.same = {"offs", "inside"},
                    .feature = {"cols[None, :]", "cols[None, :] < n_cols"},
                    .row = {"rows[:, None]", "rows[:, None] < n_rows"},
                    .channel = {}};
  const bool indexed =
      movement_ == Movement::kIndexSelect || movement_ == Movement::kEmbedding || movement_ == Movement::kGather;
  std::string source;
  switch (movement_) {
    case Movement::kTranspose:
      source = "source = (batch * n_cols + cols[None, :]) * n_rows + rows[:, None]\n";
      break;
    case Movement::kFlip:
      source = "source = (batch * n_rows + rows[:, None]) * n_cols + (n_cols - 1 - cols[None, :])\n";
      break;
    case Movement::kRoll:
      source =
          "moved = cols - shift\nmoved = tl.where(moved < 0, moved + n_cols, moved)\n"
          "source = (batch * n_rows + rows[:, None]) * n_cols + moved[None, :]\n";
      break;
    case Movement::kIndexSelect:
    case Movement::kEmbedding:
      source =
          "index = tl.load(index_ptr + rows, mask=rows < n_rows, other=0)\nsource = index[:, None] * n_cols + "
          "cols[None, :]\n";
      break;
    case Movement::kGather:
      source = "index = tl.load(index_ptr + offs, mask=inside, other=0)\nsource = rows[:, None] * n_cols + index\n";
      break;
  }
  const bool rolls = movement_ == Movement::kRoll;
  const std::string name = module.kernel_name("move");
  module.kernels.push_back(fill(kMove, {{"name", name},
                                        {"operands", (indexed ? "index_ptr, " : "") + chain_parameters({}, chain)},
                                        {"source", source},
                                        {"shift", rolls ? "shift, " : ""},
                                        {"widen", module.widened()},
                                        {"chain", chain_text(chain, frame, module)}}));
  const std::string& x = to;
  const bool transposes = movement_ == Movement::kTranspose;
  std::string host = transposes ? fmt::format("n_rows, n_cols = {0}.shape[-1], {0}.shape[-2]\n", x)
                     : indexed  ? fmt::format("n_rows, n_cols = index.shape[0], {}.shape[-1]\n", x)
                                : fmt::format("n_rows, n_cols = {0}.shape[-2], {0}.shape[-1]\n", x);
  host += fmt::format("y = torch.empty({}(n_rows, n_cols), device={}.device, dtype={}.dtype)\n",
                      batched() ? x + ".shape[:1] + " : "", x, x);
  host += fmt::format(
      "{}[(triton.cdiv(n_rows, {}), triton.cdiv(n_cols, {}), {})]({}, {}{}y, n_rows, n_cols, {}TR={}, TC={}, "
      "num_warps={})\n{} = y\n",
      name, schedule[kMoveRows], schedule[kMoveColumns], batched() ? x + ".shape[0]" : "1", x, indexed ? "index, " : "",
      chain_arguments({}, chain), rolls ? fmt::format("{} % n_cols, ", distance_) : "", schedule[kMoveRows],
      schedule[kMoveColumns], schedule[kMoveWarps], x);
  module.forward += host;
}

}  // namespace tritonrl::synth
