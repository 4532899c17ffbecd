#pragma once

#include <string>

namespace tritonrl::data {

// Why a row was dropped: a word to count by, and a sentence.
struct Problem {
  std::string reason;
  std::string message;
};

}  // namespace tritonrl::data
