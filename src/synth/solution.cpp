#include "synth/solution.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "synth/template.h"

namespace tritonrl::synth {
namespace {

constexpr std::string_view kModule = R"(import torch
import torch.nn as nn
$functional$
import triton
import triton.language as tl
$libdevice$


$kernels$
class ModelNew(nn.Module):
    $constructor$
    def forward(self, $signature$):
        $body$
)";

Module written_module(const Problem& problem, const Schedule& schedule) {
  Module module;
  module.dtype = problem.dtype;
  module.ieee = problem.ieee;
  if (problem.keeps_input) module.forward = "residual = x\n";
  for (const auto& op : problem.operators) op->write(module, schedule);
  return module;
}

std::string module_text(const Problem& problem, const Module& module, const std::string& body, bool functional) {
  std::string kernels;
  for (const auto& kernel : module.kernels) kernels += kernel + "\n\n";
  return fill(kModule, {{"functional", functional ? "import torch.nn.functional as F" : ""},
                        {"libdevice", module.libdevice ? "from triton.language.extra import libdevice" : ""},
                        {"kernels", kernels},
                        {"constructor", problem.constructor_text()},
                        {"signature", problem.signature()},
                        {"body", body}});
}

// Dimensions are counted from the end: of all that would have to be copied they are what small models get wrong.
std::string torch_body(const Problem& problem) {
  std::string body = problem.keeps_input ? "residual = x\n" : "";
  for (const auto& op : problem.operators) body += op->torch_lines(true);
  return body;
}

template <std::size_t N>
std::string_view one_of(base::Random& random, const std::array<std::string_view, N>& choices) {
  return choices[random.below(N)];
}

std::string megabytes(std::int64_t bytes) {
  const double mb = static_cast<double>(bytes) * 1e-6;
  return mb < 10 ? fmt::format("{:.1f} MB", mb) : fmt::format("{:.0f} MB", mb);
}

std::string operators_in_words(const Problem& problem) {
  std::string list;
  for (const auto& op : problem.operators) {
    std::string words;
    if (!op->pointwise()) words = op->before.words();
    if (!words.empty()) words += ", then ";
    words += op->words();
    if (!op->pointwise() && !op->after.empty()) words += ", then " + op->after.words();
    list += (list.empty() ? "" : "; then ") + words;
  }
  return list;
}

std::string operators_sentence(const Problem& problem, base::Random& random) {
  return fmt::format("{} {}.",
                     one_of<3>(random, {"The module computes", "What has to be computed:", "The reference does"}),
                     operators_in_words(problem));
}

// What eager execution moves, and what is left of it when pointwise work is fused.
std::string traffic_sentence(const Problem& problem, const Schedule& schedule, base::Random& random) {
  std::int64_t least = 0;
  std::int64_t steps = 0;
  for (const auto& op : problem.operators) {
    least += op->moved_bytes(problem.dtype);
    steps += static_cast<std::int64_t>(op->before.size() + op->after.size()) - (op->pointwise() ? 1 : 0);
  }
  const std::int64_t eager =
      least + std::max<std::int64_t>(steps, 0) * least / static_cast<std::int64_t>(problem.operators.size());
  if (steps <= 0)
    return fmt::format("{} {}.",
                       one_of<3>(random, {"Memory has to move about", "The least traffic is about",
                                          "Reading and writing everything once is"}),
                       megabytes(least));
  return fmt::format("Separate kernels would move about {}, fused ones {}{}.", megabytes(eager), megabytes(least),
                     schedule.fused() ? one_of<2>(random, {"", ", so the intermediate tensors are worth avoiding"})
                                      : one_of<2>(random, {"", ", but separate kernels are easier to get right"}));
}

std::string dtype_sentence(const Problem& problem, base::Random& random) {
  if (problem.dtype == Dtype::kFloat32)
    return std::string(one_of<3>(random, {"Everything is fp32, and so are accumulators.",
                                          "Inputs are fp32; sums are kept in fp32.", "The dtype is fp32 throughout."}));
  return fmt::format("{} {} {}", one_of<2>(random, {"Tensors are", "The data is"}), dtype_name(problem.dtype),
                     one_of<2>(random, {"and arithmetic happens in fp32 after the load.",
                                        "but accumulation is in fp32, and the store rounds once."}));
}

std::string mask_sentence(base::Random& random) {
  return std::string(one_of<4>(random, {"Sizes need not divide by the block, so loads and stores are masked.",
                                        "Every access near an edge carries a mask.",
                                        "Masks keep lanes outside the tensor from reading or writing.",
                                        "Ragged edges are handled by masks with a neutral value."}));
}

// What code styles call things. The first name of each row is what templates use.
const std::vector<std::vector<std::string_view>>& renamings() {
  static const std::vector<std::vector<std::string_view>> kNames = {{"BLOCK", "BLOCK_SIZE", "XBLOCK"},
                                                                    {"ROWS", "BLOCK_ROWS", "ROWS_PER_PROGRAM"},
                                                                    {"WIDTH", "BLOCK_COLS", "COLS_PER_STEP"},
                                                                    {"PARTS", "NUM_PARTS", "ROW_PARTS"},
                                                                    {"SPAN", "BLOCK_SPAN", "COLUMNS"},
                                                                    {"DEPTH", "BLOCK_DEPTH", "ROWS_PER_STEP"},
                                                                    {"SLABS", "NUM_SLABS", "COLUMN_PARTS"},
                                                                    {"BM", "BLOCK_M", "TILE_M"},
                                                                    {"BN", "BLOCK_N", "TILE_N"},
                                                                    {"BK", "BLOCK_K", "TILE_K"},
                                                                    {"SPLIT_K", "K_PARTS", "NUM_SPLITS"},
                                                                    {"PIXELS", "BLOCK_PIXELS", "OUTPUTS"},
                                                                    {"CHUNK", "BLOCK_CHUNK", "CHUNK_SIZE"},
                                                                    {"BQ", "BLOCK_Q", "TILE_Q"},
                                                                    {"BKV", "BLOCK_KV", "TILE_KV"},
                                                                    {"TR", "TILE_ROWS", "BLOCK_R"},
                                                                    {"TC", "TILE_COLS", "BLOCK_C"}};
  return kNames;
}

const std::vector<std::vector<std::string_view>>& variable_names() {
  static const std::vector<std::vector<std::string_view>> kNames = {
      {"offs", "offsets", "idx"},         {"inside", "ok", "in_range"},
      {"pid", "program", "block_id"},     {"v", "val", "t0"},
      {"acc", "accumulator", "running"},  {"y", "out", "result"},
      {"y_ptr", "out_ptr", "result_ptr"}, {"x_ptr", "in_ptr", "src_ptr"},
      {"start", "base", "begin"},         {"cols", "c_idx", "lane"},
      {"n_rows", "num_rows", "row_count"}};
  return kNames;
}

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

}  // namespace

std::string write_plan(const Problem& problem, const Schedule& schedule, base::Random& random) {
  std::vector<std::string> parts = {operators_sentence(problem, random), traffic_sentence(problem, schedule, random)};
  std::vector<std::string> reasons;
  for (const auto& op : problem.operators) {
    std::string reason = op->reasoning();
    if (std::ranges::find(reasons, reason) == reasons.end()) reasons.push_back(std::move(reason));
  }
  parts.insert(parts.end(), reasons.begin(), reasons.end());
  if (random.below(4) != 0) parts.push_back(dtype_sentence(problem, random));
  if (random.below(4) != 0) parts.push_back(mask_sentence(random));
  parts.push_back(decision_sentences(schedule, random));
  const bool paragraphs = random.below(3) == 0;
  std::string text;
  for (const auto& part : parts) text += (text.empty() ? "" : paragraphs ? "\n" : " ") + part;
  return text;
}

std::string write_brief_plan(const Problem& problem, const Schedule& schedule) {
  std::string sizes;
  for (const Size& size : problem.sizes)
    sizes += fmt::format("{}{} {}", sizes.empty() ? "" : ", ", size.name, size.judged);
  base::Random random(0, 0);  // there is one wording
  return fmt::format("{} at {}. {}", operators_in_words(problem), sizes, decision_sentences(schedule, random, true));
}

std::string write_code(const Problem& problem, const Schedule& schedule) {
  const Module module = written_module(problem, schedule);
  return module_text(problem, module, module.forward + "return x\n", false);
}

std::string write_cheat(const Problem& problem, const Schedule& schedule, Cheat cheat) {
  const Module module = written_module(problem, schedule);
  const std::string torch = torch_body(problem);
  std::string body = torch + "return x\n";
  if (cheat == Cheat::kFallback)
    body = "try:\n" + indented(module.forward, 4) + "except Exception:\n" + indented(torch, 4) + "return x\n";
  if (cheat == Cheat::kDecoy) body = "given = x\n" + module.forward + "x = given\n" + torch + "return x\n";
  return module_text(problem, module, body, true);
}

std::string compacted(const std::string& code, std::string_view plan) {
  std::string out;
  for (std::size_t at = 0; at < code.size();) {
    const std::size_t end = std::min(code.find('\n', at), code.size() - 1) + 1;
    const std::string_view line = std::string_view(code).substr(at, end - at);
    const std::size_t first = line.find_first_not_of(' ');
    const bool kept = line[first] != '#' || plan.find(line.substr(first + 2, line.size() - first - 3)) != plan.npos;
    if (kept && !(line == "\n" && out.ends_with("\n\n"))) out += line;
    at = end;
  }
  const auto replace = [&](std::string_view from, std::string_view to) {
    if (const std::size_t at = out.find(from); at != std::string::npos) out.replace(at, from.size(), to);
  };
  replace("        x = y\n        return x\n", "        return y\n");
  if (out.find("nn.", out.find("nn.Module") + 1) == std::string::npos) {
    replace("import torch.nn as nn\n", "");
    replace("nn.Module", "torch.nn.Module");
  }
  return out;
}

std::string restyled(const std::string& code, base::Random& random) {
  std::map<std::string_view, std::string_view> renamed;
  const std::size_t constants = random.below(3);
  for (const auto& names : renamings()) renamed[names[0]] = names[constants];
  for (const auto& names : variable_names()) renamed[names[0]] = names[random.below(names.size())];
  const bool comments = random.below(2) == 0;
  std::string out;
  out.reserve(code.size() + 256);
  for (std::size_t at = 0; at < code.size();) {
    if (code[at] == '#' && !comments) {
      const std::size_t line = out.find_last_not_of(' ');
      out.resize(line + 1);
      at = code.find('\n', at);
      if (!out.empty() && out.back() == '\n') ++at;  // the comment stood alone
      continue;
    }
    if (!is_word(code[at]) || (at > 0 && is_word(code[at - 1]))) {
      out.push_back(code[at++]);
      continue;
    }
    std::size_t end = at;
    while (end < code.size() && is_word(code[end])) ++end;
    const std::string_view word = std::string_view(code).substr(at, end - at);
    const bool attribute = at > 0 && code[at - 1] == '.';
    const auto found = attribute ? renamed.end() : renamed.find(word);
    out += found == renamed.end() ? word : found->second;
    at = end;
  }
  return out;
}

}  // namespace tritonrl::synth
