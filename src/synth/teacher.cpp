#include "synth/teacher.h"

namespace tritonrl::synth {

void declare(base::ConfigFields& fields, TeacherConfig& config) {
  fields.field("seed", config.seed);
  fields.field("tasks", config.tasks);
  fields.field("samples", config.samples);
  fields.require(config.samples >= 1, "samples", "must be at least 1");
}

base::Json to_json(const TaughtSample& sample) {
  return {{"task", sample.task},
          {"sample", sample.sample},
          {"response", sample.response},
          {"family", sample.family},
          {"faults", sample.faults}};
}

}  // namespace tritonrl::synth
