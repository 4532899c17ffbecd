#pragma once

#include <string>

#include "apps/command.h"
#include "model/model_config.h"
#include "train/run_plan.h"

namespace tritonrl::apps {

// A dry run: what a run would take, and nothing of it.
struct PlanArguments {
  bool asked = false;
  std::string shapes = {};  // a folder whose config.json stands for that of the run's model
  double device_gib = 0;    // 0: the device's own
  double price = 0;         // of an hour; 0: none is named
};
void add_plan_options(CLI::App& command, PlanArguments& arguments);

// Of the folder that the run starts from. InputError where it is not there or is no model's.
model::ModelConfig planned_model(const std::string& folder);

// A GPU where the run asks for one, where one is there and it does not care, or where its memory is given.
train::PlannedDevice planned_device(const train::RunConfig& run, const train::OptimizerConfig& optimizer,
                                    const PlanArguments& arguments);

void print_plan(const train::RunPlan& plan, const model::ModelConfig& model, const train::PlannedDevice& device,
                const PlanArguments& arguments);

}  // namespace tritonrl::apps
