#include "synth/problem.h"

#include <fmt/format.h>

#include <algorithm>

#include "synth/pointwise_kernels.h"
#include "synth/template.h"

namespace tritonrl::synth {
namespace {

using enum Choice;

constexpr std::string_view kReference = R"(import torch
import torch.nn as nn
import torch.nn.functional as F

$constants$


class Model(nn.Module):
    $constructor$
    def forward(self, $signature$):
        $body$
        return x


def get_inputs():
    return [$inputs$]


def get_init_inputs():
    return [$init$]
)";

std::string comma(const std::vector<std::string>& parts) {
  std::string text;
  for (const auto& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

}  // namespace

std::string Problem::structure() const {
  std::string text = fmt::format("{}:", family);
  for (const auto& op : operators) text += op->structure() + ";";
  if (keeps_input) text += "residual";
  return text;
}

std::string Problem::signature() const {
  std::vector<std::string> names;
  for (const auto& argument : arguments) names.push_back(argument.name);
  return comma(names);
}

std::string Problem::constructor_text() const {
  if (layers.empty()) return {};
  std::string text = "def __init__(self";
  for (const auto& [name, value] : constructor) text += ", " + name;
  text += "):\n    super().__init__()\n";
  for (const auto& line : layers) text += "    " + line + "\n";
  return text + "\n";
}

std::vector<Schedule> Problem::schedules() const {
  std::vector<Schedule> all;
  bool chained = operators.size() > 1 && operators.front()->pointwise();
  for (const auto& op : operators) chained = chained || op->separable();
  // Many roundings to 16 bits in a row, or one before a reduction, are honest, but more than a judge by rounding can be
  // asked to believe.
  std::size_t steps = operators.size() - 1;
  bool rounds_first = false;
  for (const auto& op : operators) {
    steps += op->before.size() + op->after.size();
    rounds_first = rounds_first || !op->before.empty();
  }
  const bool rounds_too_often = dtype != Dtype::kFloat32 && (rounds_first || steps > 2);
  for (const bool fused : {false, true}) {
    if (!fused && rounds_too_often) continue;
    // Operators of one kind share their choices; of several kinds each takes the next of its own list.
    std::vector<std::vector<Schedule>> lists;
    for (const auto& op : operators) lists.push_back(fused ? op->options() : op->unfused_options());
    const bool splits =
        !fused && std::ranges::any_of(operators, [](const auto& op) { return op->unfused_options() != op->options(); });
    if (!fused && !chained && !splits) continue;
    const std::size_t count = std::ranges::max(lists, {}, &std::vector<Schedule>::size).size();
    const auto flat = flat_options(1 << 20);
    for (std::size_t n = 0; n < count; ++n) {
      Schedule schedule;
      if (!fused) schedule.add(flat[(n * 5 + 2) % flat.size()]);
      for (std::size_t l = lists.size(); l > 0; --l) schedule.add(lists[l - 1][n % lists[l - 1].size()]);
      if (schedule.decides(kTileM) && std::ranges::none_of(operators, [](const auto& op) {
            return op->words().find("pooling") != std::string::npos;
          })) {
        schedule.set(kPixelBlock, Schedule::kUndecided);
        schedule.set(kPixelWarps, Schedule::kUndecided);
      }
      schedule.set(kFusion, fused ? 1 : 0);
      if (std::ranges::find(all, schedule) == all.end()) all.push_back(schedule);
    }
  }
  return all;
}

task::Task Problem::task(const std::string& id, bool small_sizes) const {
  std::string constants;
  task::Task task;
  task.id = id;
  task.level = level;
  task.origin = "tritonrl data make: " + family;
  const std::size_t others = sizes.front().others.size();
  for (const Size& size : sizes) {
    const std::int64_t value = small_sizes ? size.others.front() : size.judged;
    constants += fmt::format("{} = {}\n", size.name, value);
    task.dims.push_back({.name = size.name, .value = value});
  }
  for (std::size_t n = small_sizes ? 1 : 0; n < others; ++n) {
    task::Variant variant;
    for (const Size& size : sizes) variant.push_back({.name = size.name, .value = size.others[n]});
    task.variants.push_back(std::move(variant));
  }
  std::string body = keeps_input ? "residual = x\n" : "";
  for (const auto& op : operators) body += op->torch_lines();
  std::vector<std::string> inputs;
  for (const auto& argument : arguments) {
    const std::string type = dtype == Dtype::kFloat32 ? "" : fmt::format(", dtype=torch.{}", dtype_name(dtype));
    inputs.push_back(argument.below.empty()
                         ? fmt::format("{}({}{})", argument.maker, comma(argument.shape), type)
                         : fmt::format("torch.randint(0, {}, ({}{}))", argument.below, comma(argument.shape),
                                       argument.shape.size() == 1 ? "," : ""));
  }
  std::vector<std::string> init;
  for (const auto& [name, value] : constructor) init.push_back(value);
  task.source = fill(kReference, {{"constants", constants},
                                  {"constructor", constructor_text()},
                                  {"signature", signature()},
                                  {"body", body},
                                  {"inputs", comma(inputs)},
                                  {"init", comma(init)}});
  if (ieee) task.precision = task::Precision::kIeee;
  return task;
}

}  // namespace tritonrl::synth
