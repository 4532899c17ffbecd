#pragma once

#include <cstdint>
#include <string>

#include "base/file.h"

namespace tritonrl::sandbox {

// The pipe that a guest's standard output and error go into: drained so that the guest never waits, counted, and kept
// as far as a person would read.
class OutputDrain {
 public:
  OutputDrain();

  int poll_fd() const { return read_.get(); }    // -1 once every writer is gone
  int write_fd() const { return write_.get(); }  // for the guest
  void close_write() { write_.reset(); }

  // Reads what is there, without waiting. False when nothing is, for now or for good.
  bool drain();

  std::uint64_t bytes() const { return bytes_; }
  std::string take_text() { return std::move(text_); }

 private:
  base::UniqueFd read_;
  base::UniqueFd write_;
  std::uint64_t bytes_ = 0;
  std::string text_;
};

}  // namespace tritonrl::sandbox
