#include "model/device_error.h"

#include <fmt/format.h>

#include <array>
#include <optional>

namespace tritonrl::model {
namespace {

constexpr std::string_view kAdvice = "`--plan` says what a run takes, and what would take less";

// The sentence of `text` around `words`, which it has.
std::string_view sentence_with(std::string_view text, std::size_t words) {
  const auto ends = [&](std::size_t from) { return text.find(". ", from); };
  std::size_t begin = 0;
  for (std::size_t end = ends(0); end != std::string_view::npos && end < words; end = ends(end + 1)) begin = end + 2;
  return text.substr(begin, ends(words) - begin);
}

// What an allocator of libtorch's says it was asked for: "2.00 GiB".
std::optional<std::string_view> asked_for(std::string_view text) {
  constexpr std::string_view kWords = "ried to allocate ";
  const auto at = text.find(kWords);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view rest = text.substr(at + kWords.size());
  const auto unit = rest.find_first_not_of("0123456789.");
  return rest.substr(0, rest.find_first_of(".\n ", unit + 1));
}

// "; GPU 0 has a total capacity of 139.80 GiB of which 1.20 GiB is free", where it says so.
std::string what_is_free(std::string_view text) {
  const auto at = text.find("total capacity");
  return at == std::string_view::npos ? "" : fmt::format("; {}", sentence_with(text, at));
}

bool of_a_lost_gpu(std::string_view text) {
  constexpr std::array<std::string_view, 4> kSaid = {"CUDA error", "CUDA driver error", "CUDNN_STATUS_",
                                                     "CUBLAS_STATUS_"};
  for (const std::string_view words : kSaid) {
    if (text.find(words) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

void throw_as_device_error(std::string_view work, const c10::Error& error) {
  const std::string text = error.what_without_backtrace();
  if (const auto bytes = asked_for(text)) {
    throw DeviceError(
        fmt::format("memory ran out during {}: {} were asked for{}; {}", work, *bytes, what_is_free(text), kAdvice),
        DeviceState::kWorks);
  }
  if (!of_a_lost_gpu(text)) throw;
  throw DeviceError(fmt::format("the GPU failed during {}: {}; only a new process can use it again", work,
                                std::string_view(text).substr(0, text.find('\n'))),
                    DeviceState::kLost);
}

void throw_as_device_error(std::string_view work, const std::bad_alloc& /*error*/) {
  throw DeviceError(fmt::format("memory ran out during {}; {}", work, kAdvice), DeviceState::kWorks);
}

}  // namespace tritonrl::model
