#pragma once

#include <cstddef>
#include <exception>
#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>

// Three kinds of failure that unwind or abort. What a guest (a candidate, a model's response) does
// wrong is none of them: that is a value, never an exception.
namespace tritonrl::base {

// Where in an input something is wrong. Line and column count from 1; 0 means unknown.
struct Place {
  std::string file;
  std::size_t line = 0;
  std::size_t column = 0;

  // "file", "file:3" or "file:3:7".
  std::string text() const;
};

// Bad usage, config or input file: its user can repair it. Exit status 2.
class InputError : public std::runtime_error {
 public:
  // `problem` says what is wrong, `advice` what to do about it (may be empty).
  InputError(Place where, std::string problem, std::string advice = {});

  const Place& where() const { return where_; }
  const std::string& problem() const { return problem_; }
  const std::string& advice() const { return advice_; }

 private:
  Place where_;
  std::string problem_;
  std::string advice_;
};

enum class Retry : bool { kNo, kYes };

// The machine failed (disk full, no memory, a worker died): never a verdict. Exit status 3.
class HostError : public std::runtime_error {
 public:
  explicit HostError(const std::string& message, Retry retry = Retry::kNo);

  // "cannot `action`: No space left on device"; whether a retry may help follows from the error.
  static HostError from_errno(std::string_view action, int error);

  bool retryable() const { return retry_ == Retry::kYes; }

 private:
  Retry retry_;
};

inline constexpr int kExitDone = 0;
inline constexpr int kExitRejected = 1;
inline constexpr int kExitBadInput = 2;
inline constexpr int kExitHostFailed = 3;

// The status main() exits with after `error`: 2 for InputError, 3 for everything else.
int exit_status(const std::exception& error);

// Our own mistake: says where on stderr, then aborts.
[[noreturn]] void bug(std::string_view message, std::source_location where = std::source_location::current());

// Aborts through bug() unless `holds`; stays on in release builds.
inline void check(bool holds, std::string_view message, std::source_location where = std::source_location::current()) {
  if (!holds) [[unlikely]] {
    bug(message, where);
  }
}

}  // namespace tritonrl::base
