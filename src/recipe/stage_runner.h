#pragma once

#include <functional>
#include <string>
#include <vector>

#include "recipe/recipe.h"

namespace tritonrl::recipe {

struct RunnerParts {
  // Runs the program with these arguments and waits; its exit status. What it says goes to `log`, or where that is
  // empty to this program's output. From several threads, if there are several jobs.
  std::function<int(const std::vector<std::string>& arguments, const std::filesystem::path& log)> run;
  std::function<bool()> stopped;                // someone asked for the end: what runs is not done
  std::function<void(const std::string&)> say;  // a line for people
  std::string version;                          // of the program: another one's results are made again
  unsigned jobs = 1;                            // stages at a time
};

// Runs each stage after those that it needs, as they stand in the recipe. A stage that is done is skipped, unless its
// command, its config or a stage that it needs has changed; then its folder is emptied first. One that was begun goes
// on. After the first status that is not 0 no stage is begun, and that status returned; 0 when all are done, or it was
// stopped.
int run_stages(const Recipe& recipe, const RunnerParts& parts);

}  // namespace tritonrl::recipe
