#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/text_stream.h"

namespace tritonrl::rollout {

// The text of a response as it comes, up to the first stop text. What may yet become one is held back.
class StopText {
 public:
  explicit StopText(const std::vector<std::string>& stops) : stops_(&stops) {}

  // What can be shown now, whole characters.
  std::string push(std::string_view bytes);
  // The rest, at the end.
  std::string finish();
  bool stopped() const { return stopped_; }

 private:
  const std::vector<std::string>* stops_;  // the request's
  std::string held_;
  tokenizer::TextStream stream_;
  bool stopped_ = false;
};

}  // namespace tritonrl::rollout
