#include "synth/line_kernels.h"

#include <fmt/format.h>

#include "synth/join_kernels.h"
#include "synth/template.h"

namespace tritonrl::synth {
namespace {

using enum Choice;

constexpr std::int64_t kMostWhole = 16384;  // elements of a row that registers take

constexpr std::string_view kWhole = R"(@triton.jit
def $name$(x_ptr, $operands$y_ptr, $sizes$$constants$):
    $place$
    $piece$
    v = tl.load(x_ptr + offs, mask=inside, other=$other$)$widen$
    $before$
    $work$
    $after$
    $store$
)";

// A program walks over its lines once for each pass.
constexpr std::string_view kLoop = R"($begin$
for start in range(0, n, $step$):
    $piece$
    v = tl.load(x_ptr + offs, mask=inside, other=$other$)$widen$
    $before$
    $body$
$end$
)";

constexpr std::string_view kLooped = R"(@triton.jit
def $name$(x_ptr, $operands$y_ptr, $sizes$$constants$):
    $place$
    $passes$
    $tail$
)";

// One part of its lines; a second kernel joins the parts.
constexpr std::string_view kPart = R"(@triton.jit
def $name$(x_ptr, $operands$part_ptr, $sizes$span, $constants$):
    $place$
    part = tl.program_id($dimension$)
    $begin$
    for start in range(part * span, tl.minimum(part * span + span, n), $step$):
        $piece$
        v = tl.load(x_ptr + offs, mask=inside, other=$other$)$widen$
        $before$
        $body$
    $end$
    tl.store(part_ptr + part * $lines$ + $line$, r$mask$)
)";

// How the lanes of a program lie: which line each belongs to, and where in it.
struct Layout {
  std::string place;  // the lines of this program
  std::string piece;  // the lanes of one piece that begins at `start`
  std::string tile;
  std::string axis;
  std::string beside;    // <m> as text: "m[:, None]"
  std::string position;  // the lane's place in its line
  std::string lines;     // one zero for each line
  std::string line_index;
  std::string line_mask;
  std::string step;
  Frame frame;
};

Layout row_layout(bool many, const std::string& start, bool groups) {
  if (!many) {
    return {.place = "row = tl.program_id(0)\n",
            .piece = fmt::format("cols = {}tl.arange(0, WIDTH)\noffs = row * n + cols\ninside = cols < n\n", start),
            .tile = "[WIDTH]",
            .axis = "0",
            .beside = "",
            .position = "cols",
            .lines = "0.0",
            .line_index = "row",
            .line_mask = "",
            .step = "WIDTH",
            .frame = {.same = {"offs", "inside"},
                      .feature = {"cols", "inside"},
                      .row = {"row", ""},
                      .channel = {groups ? "row % groups * per_group + cols // inner" : "", "inside"}}};
  }
  return {
      .place = "rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)\n",
      .piece = fmt::format("cols = {}tl.arange(0, WIDTH)\noffs = rows[:, None] * n + cols[None, :]\n"
                           "inside = (rows[:, None] < n_rows) & (cols[None, :] < n)\n",
                           start),
      .tile = "[ROWS, WIDTH]",
      .axis = "1",
      .beside = "[:, None]",
      .position = "cols[None, :]",
      .lines = "tl.zeros([ROWS], tl.float32)",
      .line_index = "rows",
      .line_mask = "rows < n_rows",
      .step = "WIDTH",
      .frame = {.same = {"offs", "inside"},
                .feature = {"cols[None, :]", "cols[None, :] < n"},
                .row = {"rows[:, None]", "rows[:, None] < n_rows"},
                .channel = {groups ? "rows[:, None] % groups * per_group + cols[None, :] // inner" : "", "inside"}}};
}

Layout column_layout() {
  return {.place = "cols = tl.program_id(0) * SPAN + tl.arange(0, SPAN)\nouter = tl.program_id(1)\n",
          .piece =
              "rows = start + tl.arange(0, DEPTH)\noffs = (outer * n + rows[:, None]) * inner + cols[None, :]\n"
              "inside = (rows[:, None] < n) & (cols[None, :] < inner)\n",
          .tile = "[DEPTH, SPAN]",
          .axis = "0",
          .beside = "[None, :]",
          .position = "rows[:, None]",
          .lines = "tl.zeros([SPAN], tl.float32)",
          .line_index = "outer * inner + cols",
          .line_mask = "cols < inner",
          .step = "DEPTH",
          .frame = {.same = {"offs", "inside"}, .feature = {}, .row = {}, .channel = {}}};
}

// <m> beside the elements: m, m[:, None] or m[None, :].
std::string with_beside(std::string_view text, std::string_view beside) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t end =
        text[at] == '<' && at + 1 < text.size() && text[at + 1] >= 'a' ? text.find('>', at) : std::string_view::npos;
    if (end == std::string_view::npos) {
      out.push_back(text[at]);
      continue;
    }
    out.append(text.substr(at + 1, end - at - 1));
    out.append(beside);
    at = end;
  }
  return out;
}

std::string worded(std::string_view text, const Layout& layout) {
  return fill(with_beside(text, layout.beside), {{"tile", layout.tile},
                                                 {"axis", layout.axis},
                                                 {"inside", "inside"},
                                                 {"position", layout.position},
                                                 {"lines", layout.lines}});
}

std::string substituted(std::string_view text, std::string_view x, std::int64_t dim, bool keepdim) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '{' && at + 2 < text.size() && text[at + 2] == '}') {
      const char blank = text[at + 1];
      out += blank == 'x' ? std::string(x) : blank == 'd' ? std::to_string(dim) : keepdim ? ", keepdim=True" : "";
      at += 2;
    } else {
      out.push_back(text[at]);
    }
  }
  return out;
}

}  // namespace

std::vector<Schedule> LineOperator::options() const {
  std::vector<Schedule> options;
  const std::int64_t n = length();
  if (!along_rows()) {
    const auto add = [&](int width, int depth, int warps) {
      options.push_back({{kColumnWidth, width}, {kColumnDepth, depth}, {kColumnWarps, warps}});
    };
    add(16, 16, 1), add(16, 64, 4), add(32, 32, 4), add(64, 16, 4), add(128, 8, 4), add(128, 32, 8), add(32, 128, 8);
    if (n <= 256) add(256, 8, 4), add(512, 8, 8);
    if (n >= 1024) add(16, 256, 8);
    const auto add_split = [&](int parts, int width, int depth, int warps) {
      add(width, depth, warps);
      options.back().set(kColumnParts, parts);
    };
    if (n >= 2048 && splits()) add_split(8, 32, 32, 4), add_split(32, 32, 32, 4), add_split(16, 128, 16, 8);
    return options;
  }
  const auto add = [&](int width, int count, int warps) {
    options.push_back({{kRowWidth, width}, {kRowCount, count}, {kRowWarps, warps}});
  };
  const bool looped = !op_.map.empty() || !op_.scans;
  // A width or count comes with several numbers of warps: none can be guessed from the others.
  if (n <= kMostWhole) add(0, 1, 4);
  if (n <= 2048) add(0, 1, 1);
  if (n <= kMostWhole && n >= 2048) add(0, 1, 8);
  if (n <= kMostWhole && n >= 8192) add(0, 1, 16);
  if (n <= 1024) add(0, 4, 4), add(0, 4, 1);
  if (n <= 512) add(0, 8, 4), add(0, 8, 8);
  if (n <= 128) add(0, 32, 4);
  if (n <= 64) add(0, 128, 4);
  if (!looped) return options;
  add(64, 1, 1), add(256, 1, 4), add(256, 1, 1), add(1024, 1, 4), add(1024, 1, 8);
  if (n >= 512 && !op_.scans) add(64, 8, 4);  // Triton 3.7 fails on a loop that carries a scan of several rows
  if (n >= 4096) add(2048, 1, 8), add(4096, 1, 16), add(4096, 1, 8);
  const auto add_split = [&](int parts, int width, int warps) {
    add(width, 1, warps);
    options.back().set(kRowParts, parts);
  };
  if (n >= 8192 && splits()) add_split(8, 1024, 4), add_split(4, 4096, 8);
  if (n >= 65536 && splits()) add_split(32, 1024, 4), add_split(16, 2048, 8);
  return options;
}

std::string LineOperator::name() const {
  return fmt::format("{}{}d{}{}{}{}", op_.name, shape_.size(), dim_, keepdim_ ? "k" : "",
                     layer_.affine.empty() ? "" : "a", layer_.groups.empty() ? "" : "g");
}

std::string LineOperator::words() const {
  const std::string_view where = !layer_.groups.empty() ? " over groups of channels"
                                 : along_rows()         ? " along the last dimension"
                                                        : " across rows";
  return fmt::format("{}{}{}", op_.words, where, keepdim_ && reduces() ? " (kept)" : "");
}

std::string LineOperator::torch(std::string_view x) const {
  return substituted(layer_.torch.empty() ? op_.torch : layer_.torch, x, static_cast<std::int64_t>(dim_), keepdim_);
}

std::string LineOperator::torch_from_end(std::string_view x) const {
  const std::int64_t dim = static_cast<std::int64_t>(dim_) - static_cast<std::int64_t>(shape_.size());
  return substituted(layer_.torch.empty() ? op_.torch : layer_.torch, x, dim, keepdim_);
}

std::string LineOperator::reasoning() const {
  const std::int64_t n = length();
  std::string text = fmt::format("There are {} independent lines of {} elements.", lines(), n);
  const bool few = splits() && lines() * 32 < n;
  if (!along_rows()) {
    text +=
        " Neighbours in memory belong to different lines, so a program must take a band of columns at once for its "
        "loads to be wide, and walk down it.";
    return few ? text + " That is few bands for 132 multiprocessors, and long ones: slabs of them can go in parallel."
               : text;
  }
  if (few) return text + " Few and long: one program a line leaves multiprocessors idle, so lines can go in parts.";
  if (n <= 1024)
    return text +
           " Lines are short: a program with one of them has little to do, and several a program keep lanes busy.";
  if (n <= kMostWhole)
    return text + " A line fits in registers, so memory can be read once; longer pieces need more warps.";
  return text + " A line is too long for registers, so it is read in pieces, once for each pass.";
}

std::string LineOperator::result_line() const {
  const std::string& x = to;
  if (!reduces()) return fmt::format("y = torch.empty_like({})\n", x);
  const std::string shape =
      along_rows() ? fmt::format("{}.shape[:-1]{}", x, keepdim_ ? " + (1,)" : "")
                   : fmt::format("{0}.shape[:{1}] + {3}{0}.shape[{2}:]", x, dim_, dim_ + 1, keepdim_ ? "(1,) + " : "");
  return fmt::format("y = torch.empty({1}, device={0}.device, dtype={2})\n", x, shape,
                     op_.index ? "torch.int64" : x + ".dtype");
}

std::string LineOperator::size_lines() const {
  const std::string& x = to;
  if (!along_rows()) {
    std::string zeros = "0";
    for (std::size_t d = 0; d < dim_; ++d) zeros += ", 0";
    return fmt::format("n, inner = {0}.shape[{1}], {0}[{2}].numel()\n", x, dim_, zeros);
  }
  if (layer_.groups.empty()) return fmt::format("n = {0}.shape[-1]\nn_rows = {0}.numel() // n\n", x);
  return fmt::format(
      "groups = {1}\nper_group = {0}.shape[1] // groups\ninner = {0}[0, 0].numel()\nn = per_group * inner\nn_rows = "
      "{0}.shape[0] * groups\n",
      x, layer_.groups);
}

std::string LineOperator::outer_count() const {
  std::string outer = "1";
  for (std::size_t d = 0; d < dim_; ++d)
    outer = d == 0 ? fmt::format("{}.shape[0]", to) : fmt::format("{} * {}.shape[{}]", outer, to, d);
  return outer;
}

std::string LineOperator::host_lines(const std::string& name, const Schedule& schedule,
                                     const std::string& arguments) const {
  const std::string& x = to;
  const std::string begin = size_lines() + result_line();
  if (!along_rows()) {
    return fmt::format(
        "{0}{1}[(triton.cdiv(inner, {2}), {3})]({4}, {5}y, n, inner, SPAN={2}, DEPTH={6}, num_warps={7})\n{4} = y\n",
        begin, name, schedule[kColumnWidth], outer_count(), x, arguments, schedule[kColumnDepth],
        schedule[kColumnWarps]);
  }
  const int count = schedule[kRowCount];
  const std::string width =
      schedule[kRowWidth] == 0 ? "triton.next_power_of_2(n)" : std::to_string(schedule[kRowWidth]);
  const std::string grid = count == 1 ? "n_rows" : fmt::format("triton.cdiv(n_rows, {})", count);
  const std::string groups = layer_.groups.empty() ? "" : "groups, per_group, inner, ";
  const std::string epsilon = layer_.epsilon.empty() ? "" : layer_.epsilon + ", ";
  return fmt::format("{0}{1}[({2},)]({3}, {4}y, n_rows, n, {5}{6}WIDTH={8}, ROWS={7}, num_warps={9})\n{3} = y\n", begin,
                     name, grid, x, arguments, groups, epsilon, count, width, schedule[kRowWarps]);
}

void LineOperator::write_split(Module& module, const Schedule& schedule, const Chain& ahead,
                               const Chain& behind) const {
  const bool rows = along_rows();
  const Layout layout = rows ? row_layout(false, "start + ", false) : column_layout();
  const Pass& pass = op_.passes.front();
  const std::string name = module.kernel_name(std::string(op_.name) + "_part");
  std::string ready = chain_text(ahead, layout.frame, module);
  if (!ahead.empty()) ready += fmt::format("v = tl.where(inside, v, {})\n", op_.neutral);
  module.kernels.push_back(fill(kPart, {{"name", name},
                                        {"operands", chain_parameters(ahead, {})},
                                        {"sizes", rows ? "n_rows, n, " : "n, inner, lines, "},
                                        {"constants", rows ? "ROWS: tl.constexpr, WIDTH: tl.constexpr"
                                                           : "SPAN: tl.constexpr, DEPTH: tl.constexpr"},
                                        {"place", layout.place},
                                        {"dimension", rows ? "1" : "2"},
                                        {"begin", worded(pass.begin, layout)},
                                        {"step", layout.step},
                                        {"piece", layout.piece},
                                        {"other", ahead.empty() ? op_.neutral : "0.0"},
                                        {"widen", module.widened()},
                                        {"before", ready},
                                        {"body", worded(pass.body, layout)},
                                        {"end", worded(op_.split.part, layout)},
                                        {"lines", rows ? "n_rows" : "lines"},
                                        {"line", rows ? layout.line_index : "(" + layout.line_index + ")"},
                                        {"mask", layout.line_mask.empty() ? "" : ", mask=" + layout.line_mask}}));
  const std::string& x = to;
  const int parts = schedule[rows ? kRowParts : kColumnParts];
  const int step = schedule[rows ? kRowWidth : kColumnDepth];
  const int warps = schedule[rows ? kRowWarps : kColumnWarps];
  const std::string lines = rows ? "n_rows" : "lines";
  module.forward += size_lines();
  if (!rows) module.forward += fmt::format("lines = {} * inner\n", outer_count());
  module.forward += fmt::format(
      "{0}part = torch.empty(({1}, {2}), device={3}.device, dtype=torch.float32)\n"
      "span = triton.cdiv(n, {4}) * {5}\n",
      result_line(), parts, lines, x, parts * step, step);
  module.forward +=
      rows ? fmt::format("{}[(n_rows, {})]({}, {}part, n_rows, n, span, ROWS=1, WIDTH={}, num_warps={})\n", name, parts,
                         x, chain_arguments(ahead, {}), step, warps)
           : fmt::format(
                 "{}[(triton.cdiv(inner, {}), {}, {})]({}, {}part, n, inner, lines, span, SPAN={}, DEPTH={}, "
                 "num_warps={})\n",
                 name, schedule[kColumnWidth], outer_count(), parts, x, chain_arguments(ahead, {}),
                 schedule[kColumnWidth], step, warps);
  write_join(module,
             {.noun = std::string(op_.name) + "_join",
              .parts = rows ? "PARTS" : "SLABS",
              .count = parts,
              .combine = std::string(op_.split.join),
              .lines = lines,
              .length = op_.split.join.find("/ n") == std::string_view::npos ? "" : "n",
              .columns = {},
              .warps = warps},
             behind);
  module.forward += fmt::format("{} = y\n", x);
}

void LineOperator::write_kernels(Module& module, const Schedule& schedule, const Chain& ahead,
                                 const Chain& behind) const {
  const bool rows = along_rows();
  if (schedule.decides(rows ? kRowParts : kColumnParts) && splits())
    return write_split(module, schedule, ahead, behind);
  const bool whole = rows && schedule[kRowWidth] == 0;
  const bool groups = !layer_.groups.empty();
  const Layout layout = rows ? row_layout(schedule[kRowCount] > 1, whole ? "" : "start + ", groups) : column_layout();
  Chain finish = layer_.affine;
  finish.steps.insert(finish.steps.end(), behind.steps.begin(), behind.steps.end());

  const std::string name = module.kernel_name(op_.name);
  const std::string operands = chain_parameters(ahead, finish);
  std::string sizes = rows ? "n_rows, n, " : "n, inner, ";
  if (groups) sizes += "groups, per_group, inner, ";
  if (!layer_.epsilon.empty()) sizes += "eps, ";
  const std::string constants =
      rows ? "WIDTH: tl.constexpr, ROWS: tl.constexpr" : "SPAN: tl.constexpr, DEPTH: tl.constexpr";
  std::string ready = chain_text(ahead, layout.frame, module);
  if (!ahead.empty()) ready += fmt::format("v = tl.where(inside, v, {})\n", op_.neutral);
  const std::string_view other = ahead.empty() ? op_.neutral : "0.0";
  const std::string line_mask = layout.line_mask.empty() ? "" : ", mask=" + layout.line_mask;
  const std::string finished = chain_text(finish, layout.frame, module);
  const std::string store_line = fmt::format(
      "{}tl.store(y_ptr + {}, v{})\n", finish.empty() ? "v = r\n" : "v = r\n" + finished, layout.line_index, line_mask);
  const std::string store_lanes = "tl.store(y_ptr + offs, v, mask=inside)\n";

  if (whole) {
    module.kernels.push_back(fill(kWhole, {{"name", name},
                                           {"operands", operands},
                                           {"sizes", sizes},
                                           {"constants", constants},
                                           {"place", layout.place},
                                           {"piece", layout.piece},
                                           {"other", other},
                                           {"widen", module.widened()},
                                           {"before", ready},
                                           {"work", worded(op_.whole, layout)},
                                           {"after", reduces() ? "" : finished},
                                           {"store", reduces() ? store_line : store_lanes}}));
  } else {
    const auto loop = [&](std::string_view begin, const std::string& body, std::string_view end) {
      return fill(kLoop, {{"begin", begin},
                          {"step", layout.step},
                          {"piece", layout.piece},
                          {"other", other},
                          {"widen", module.widened()},
                          {"before", ready},
                          {"body", body},
                          {"end", end}});
    };
    std::string passes;
    for (const Pass& pass : op_.passes)
      passes += loop(worded(pass.begin, layout), worded(pass.body, layout), worded(pass.end, layout));
    std::string tail = store_line;
    if (!reduces()) tail = loop(worded(op_.carry, layout), worded(op_.map, layout) + finished + store_lanes, "");
    module.kernels.push_back(fill(kLooped, {{"name", name},
                                            {"operands", operands},
                                            {"sizes", sizes},
                                            {"constants", constants},
                                            {"place", layout.place},
                                            {"passes", passes},
                                            {"tail", tail}}));
  }
  module.forward += host_lines(name, schedule, chain_arguments(ahead, finish));
}

}  // namespace tritonrl::synth
