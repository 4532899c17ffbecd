#pragma once

#include <functional>
#include <string>
#include <vector>

#include "recipe/recipe.h"

namespace tritonrl::recipe {

struct RunnerParts {
  // Runs the program with these arguments and waits; its exit status.
  std::function<int(const std::vector<std::string>& arguments)> run;
  std::function<bool()> stopped;                // someone asked for the end: what runs is not done
  std::function<void(const std::string&)> say;  // a line for people
  std::string version;                          // of the program: another one's results are made again
};

// Runs the stages in order. A stage that is done is skipped, unless its command, its config or any stage before it has
// changed; then its folder is emptied first. One that was begun goes on. The first status that is not 0 ends it and is
// returned; 0 when all are done, or it was stopped.
int run_stages(const Recipe& recipe, const RunnerParts& parts);

}  // namespace tritonrl::recipe
