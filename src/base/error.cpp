#include "base/error.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "base/text.h"

namespace tritonrl::base {
namespace {

std::string joined(const Place& where, const std::string& problem, const std::string& advice) {
  std::string message = printable(where.text(), 4096);
  if (!message.empty()) {
    message += ": ";
  }
  message += problem;
  if (!advice.empty()) {
    message += "; " + advice;
  }
  return message;
}

// Errors that another moment or another machine may not have.
bool passes_with_time(int error) {
  switch (error) {
    case EAGAIN:
    case EINTR:
    case ENOMEM:
    case EMFILE:
    case ENFILE:
    case ENOSPC:
    case EDQUOT:
    case ETIMEDOUT:
    case ECONNRESET:
    case ECONNREFUSED:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::string Place::text() const {
  std::string text = file;
  if (line > 0) {
    text += ":" + std::to_string(line);
    if (column > 0) {
      text += ":" + std::to_string(column);
    }
  }
  return text;
}

InputError::InputError(Place where, std::string problem, std::string advice)
    : std::runtime_error(joined(where, problem, advice)),
      where_(std::move(where)),
      problem_(std::move(problem)),
      advice_(std::move(advice)) {}

HostError::HostError(const std::string& message, Retry retry) : std::runtime_error(message), retry_(retry) {}

HostError HostError::from_errno(std::string_view action, int error) {
  return HostError("cannot " + std::string(action) + ": " + std::generic_category().message(error),
                   passes_with_time(error) ? Retry::kYes : Retry::kNo);
}

int exit_status(const std::exception& error) {
  return dynamic_cast<const InputError*>(&error) != nullptr ? kExitBadInput : kExitHostFailed;
}

void bug(std::string_view message, std::source_location where) {
  std::fprintf(stderr, "%s:%u: bug in %s: %.*s\n", where.file_name(), where.line(), where.function_name(),
               static_cast<int>(message.size()), message.data());
  std::abort();
}

}  // namespace tritonrl::base
