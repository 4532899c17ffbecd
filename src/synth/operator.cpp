#include "synth/operator.h"

#include <fmt/format.h>

#include "synth/pointwise_kernels.h"

namespace tritonrl::synth {

std::string_view dtype_name(Dtype dtype) {
  return dtype == Dtype::kFloat32 ? "float32" : dtype == Dtype::kFloat16 ? "float16" : "bfloat16";
}

std::int64_t elements_of(const Shape& shape) {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) count *= size;
  return count;
}

std::string Module::kernel_name(std::string_view noun) {
  ++names;
  return names == 1 ? fmt::format("{}_kernel", noun) : fmt::format("{}_kernel_{}", noun, names);
}

std::string Operator::structure() const {
  std::string text = name();
  if (!before.empty()) text = before.structure() + ">" + text;
  if (!after.empty()) text += ">" + after.structure();
  if (from != "x" || to != "x") text += "@" + from + "," + to;
  return text;
}

std::string Operator::torch_lines(bool from_end) const {
  std::string lines;
  std::string value = from;
  for (const Step& step : before.steps) {
    lines += fmt::format("{} = {}\n", to, torch_expression(step, value));
    value = to;
  }
  if (const std::string own = from_end ? torch_from_end(value) : torch(value); !own.empty()) {
    lines += fmt::format("{} = {}\n", to, own);
    value = to;
  }
  for (const Step& step : after.steps) {
    lines += fmt::format("{} = {}\n", to, torch_expression(step, value));
    value = to;
  }
  return lines;
}

void Operator::write(Module& module, const Schedule& schedule) const {
  module.use(before);
  module.use(after);
  if (pointwise() || schedule.fused()) {
    if (from != to) module.forward += fmt::format("{} = {}\n", to, from);
    write_kernels(module, schedule, before, after);
    return;
  }
  if (from != to) module.forward += fmt::format("{} = {}\n", to, from);
  for (const Step& step : before.steps) write_pointwise_kernel(module, schedule, {.steps = {step}}, to);
  write_kernels(module, schedule, {}, {});
  for (const Step& step : after.steps) write_pointwise_kernel(module, schedule, {.steps = {step}}, to);
}

const Frame::Lanes& Frame::of(Spread spread) const {
  switch (spread) {
    case Spread::kFeature:
      return feature;
    case Spread::kRow:
      return row;
    case Spread::kChannel:
      return channel;
    default:
      return same;
  }
}

std::string chain_text(const Chain& chain, const Frame& frame, const Module& module) {
  std::string text;
  for (const Step& step : chain.steps) {
    text += fmt::format("# {}\n", step.words());
    if (step.op->takes_operand && step.operand.spread != Spread::kNumber) {
      const auto& lanes = frame.of(step.operand.spread);
      const std::string mask = lanes.mask.empty() ? "" : fmt::format(", mask={}, other=0.0", lanes.mask);
      text +=
          fmt::format("{0} = tl.load({0}_ptr + {1}{2}){3}\n", step.operand.name, lanes.index, mask, module.widened());
    }
    text += fmt::format("v = {}\n", triton_expression(step, "v"));
  }
  return text;
}

std::string chain_parameters(const Chain& before, const Chain& after) {
  std::string text;
  for (const Chain* chain : {&before, &after})
    for (const Step& step : chain->steps)
      if (step.op->takes_operand)
        text += step.operand.name + (step.operand.spread == Spread::kNumber ? ", " : "_ptr, ");
  return text;
}

std::string chain_arguments(const Chain& before, const Chain& after) {
  std::string text;
  for (const Chain* chain : {&before, &after})
    for (const Step& step : chain->steps)
      if (step.op->takes_operand) text += step.operand.expression + ", ";
  return text;
}

}  // namespace tritonrl::synth
