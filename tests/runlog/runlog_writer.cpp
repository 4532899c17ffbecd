#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "runlog/event_file.h"
#include "runlog/metrics_log.h"

// runlog_writer FOLDER FIRST LAST [SCALE]: a step's metrics for each of FIRST..LAST, then a line to standard output.
int main(int argc, char** argv) {
  if (argc < 4) return 2;
  const std::filesystem::path folder = argv[1];
  const std::int64_t first = std::atoll(argv[2]);
  const std::int64_t last = std::atoll(argv[3]);
  const double scale = argc > 4 ? std::atof(argv[4]) : 1;
  tritonrl::runlog::MetricsLog metrics(folder / "metrics.jsonl", first - 1);
  tritonrl::runlog::EventFile events(folder, first);
  for (std::int64_t step = first; step <= last; ++step) {
    const tritonrl::runlog::StepMetrics record{
        .step = step, .values = {{"reward/mean", scale * static_cast<double>(step)}, {"perf/tokens_per_s", 8000.5}}};
    metrics.add(record);
    events.add(record);
    std::printf("%lld\n", static_cast<long long>(step));
    std::fflush(stdout);
  }
}
