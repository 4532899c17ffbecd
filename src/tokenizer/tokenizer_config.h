#pragma once

#include <string>

#include "tokenizer/definition.h"

namespace tritonrl::tokenizer {

// The tokenizer_config.json beside a tokenizer.json: what `transformers` needs on top of it, the chat template
// included. An answer ends with <|im_end|>; <|endoftext|> pads.
std::string tokenizer_config_text(const Definition& definition);

}  // namespace tritonrl::tokenizer
