#pragma once

#include <filesystem>
#include <string>

namespace tritonrl::apps {

// Where the parts that run scripts are. All are found from the program's own place, so that a tree may be moved.
struct HarnessPlace {
  std::string python;              // $TRITONRL_PYTHON, .venv/bin/python beside the harness, or python3
  std::filesystem::path package;   // the folder that holds tritonrl_harness; empty when there is none
  std::filesystem::path build;     // its lib/ holds the libraries
  std::filesystem::path executor;  // libtritonrl_ttir.so, or empty
  std::filesystem::path plugin;    // libtritonrl_torch.so, or empty
  // Imported before the Python's own torch where that has kernels for GPUs; empty where it has none.
  std::filesystem::path cpu_torch;
};

HarnessPlace find_harness();

}  // namespace tritonrl::apps
