#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace tritonrl::verify {

// What a guest did wrong, as a value: a rule, the words, and the line of its source where that is known.
struct GuestFailure {
  std::string rule;
  std::string message;
  std::uint32_t line = 0;
  bool out_of_time = false;  // by the wall clock: another try, alone, may end differently
  bool ended = false;        // its process is gone, and answers no more
};

// A job's share of a GPU's memory was too little for a reference: another try, alone, may end differently.
struct ShortOfMemory : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace tritonrl::verify
