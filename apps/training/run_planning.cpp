#include "apps/training/run_planning.h"

#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "base/error.h"
#include "model/device_memory.h"
#include "train/training_run.h"

namespace tritonrl::apps {
namespace {

constexpr double kGib = 1024.0 * 1024.0 * 1024.0;
constexpr double kAssumedGib = 140;  // of an H200

// CLI11's own range takes NaN.
CLI::Validator between(double least, double most) {
  return {[least, most](const std::string& text) {
            double value = 0;
            const bool holds = CLI::detail::lexical_cast(text, value) && least <= value && value <= most;
            return holds ? std::string() : fmt::format("'{}' is no number from {} to {}", text, least, most);
          },
          "NUMBER"};
}

std::string seconds_text(double seconds) {
  if (seconds < 600) return fmt::format("{:.1f} s", seconds);
  if (seconds < 48 * 3600) return fmt::format("{:.1f} hours", seconds / 3600);
  return fmt::format("{:.1f} days", seconds / 86400);
}

std::string tokens_text(const train::RunPlan& plan) {
  const std::string bound = plan.at_most ? "at most " : "";
  std::string text = fmt::format("tokens  {}{} a step", bound, plan.tokens_a_step);
  if (plan.steps == 0) return text + "; the data is not there, so neither are the steps\n";
  return text + fmt::format(", {:.0f} in all {} steps\n",
                            static_cast<double>(plan.tokens_a_step) * static_cast<double>(plan.steps), plan.steps);
}

std::string time_text(const train::RunPlan& plan, double price) {
  if (plan.a_step.empty()) return "time    not modelled on the CPU\n";
  const train::DeviceSpeed speed;
  const std::string bound = plan.at_most ? "at most " : "";
  std::string phases;
  bool decodes = false;
  for (const train::PhaseTime& time : plan.a_step) {
    phases += (phases.empty() ? "" : ", ") + time.phase + ' ' + seconds_text(time.seconds);
    decodes = decodes || time.phase == "rollout";
  }
  const double all_s = plan.step_seconds() * static_cast<double>(plan.steps);
  std::string text = fmt::format("time    {}{} a step ({})", bound, seconds_text(plan.step_seconds()), phases);
  if (plan.steps > 0) text += fmt::format(", {} in all", seconds_text(all_s));
  text += fmt::format(";\n        modelled: updates at {:.0f} % of {:.0f} TFLOP/s", 100 * speed.update_share,
                      speed.flops_per_s / 1e12);
  if (decodes) {
    text += fmt::format(", rollout at {:.0f} % of {} TB/s; verdicts not counted", 100 * speed.decode_share,
                        speed.bytes_per_s / 1e12);
  }
  text += '\n';
  if (price > 0) {
    const double step = price * plan.step_seconds() / 3600;
    text += fmt::format("cost    {}{:.2f} a step", bound, step);
    if (plan.steps > 0) text += fmt::format(", {:.2f} in all", step * static_cast<double>(plan.steps));
    text += fmt::format(", at {} an hour\n", price);
  }
  return text;
}

}  // namespace

void add_plan_options(CLI::App& command, PlanArguments& arguments) {
  auto* plan =
      command.add_flag("--plan", arguments.asked,
                       "Say what the run would take of memory and time, and end: nothing is loaded or written");
  command.add_option("--shapes", arguments.shapes, "With --plan: a folder whose config.json stands for the model's")
      ->needs(plan);
  command.add_option("--device-memory", arguments.device_gib, "With --plan: for a GPU with so many GiB")
      ->check(between(1, 1e5))
      ->needs(plan);
  command.add_option("--price", arguments.price, "With --plan: of an hour of the GPU")
      ->check(between(0, 1e6))
      ->needs(plan);
}

model::ModelConfig planned_model(const std::string& folder) {
  if (!std::filesystem::exists(folder)) {
    throw base::InputError({.file = folder}, "there is no model here",
                           "check the path; a model that is not made yet is planned with --shapes DIR, a folder with "
                           "the same config.json");
  }
  return model::read_model_config(folder);
}

train::PlannedDevice planned_device(const train::RunConfig& run, const train::OptimizerConfig& optimizer,
                                    const PlanArguments& arguments) {
  const bool here = model::has_gpu();
  const bool gpu = run.device == "cuda" || (run.device == "auto" && (here || arguments.device_gib > 0));
  train::PlannedDevice device{.gpu = gpu, .dtype = train::weight_type(run, gpu)};
  train::check_rounding(optimizer, device.dtype);
  if (gpu && (arguments.device_gib > 0 || !here)) {
    const double gib = arguments.device_gib > 0 ? arguments.device_gib : kAssumedGib;
    device.memory_bytes = static_cast<std::int64_t>(gib * kGib);
  } else {
    device.memory_bytes = model::device_memory_bytes(gpu ? at::kCUDA : at::kCPU);
  }
  return device;
}

void print_plan(const train::RunPlan& plan, const model::ModelConfig& model, const train::PlannedDevice& device,
                const PlanArguments& arguments) {
  const bool assumed = device.gpu && !model::has_gpu() && arguments.device_gib == 0;
  const train::MemoryMoment& peak = plan.memory.peak();
  std::cout << fmt::format("{:.2f} billion parameters in {}, on a {} with {} GiB{}\n\n",
                           static_cast<double>(model.parameters()) / 1e9, model::dtype_name(device.dtype),
                           device.gpu ? "GPU" : "machine", train::gib_text(device.memory_bytes),
                           assumed ? " (none is here: an H200's)" : "")
            << train::table_text(plan.memory) << "~ estimated; the rest are sizes of tensors\n\n"
            << fmt::format("peak    {} GiB, {}\n", train::gib_text(peak.bytes()), peak.name) << tokens_text(plan)
            << time_text(plan, arguments.price) << std::flush;
}

}  // namespace tritonrl::apps
