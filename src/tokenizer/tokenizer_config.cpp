#include "tokenizer/tokenizer_config.h"

#include "base/json.h"
#include "tokenizer/data/chat_template.jinja.h"

namespace tritonrl::tokenizer {

std::string tokenizer_config_text(const Definition& definition) {
  base::Json added = base::Json::object();
  for (const auto& token : definition.added) {
    added[std::to_string(token.id)] = {{"content", token.content},         {"lstrip", token.lstrip},
                                       {"normalized", token.normalized},   {"rstrip", token.rstrip},
                                       {"single_word", token.single_word}, {"special", token.special}};
  }
  const base::Json config = {{"add_prefix_space", false},
                             {"added_tokens_decoder", added},
                             {"bos_token", nullptr},
                             {"chat_template", kChatTemplate},
                             {"clean_up_tokenization_spaces", false},
                             {"eos_token", "<|im_end|>"},
                             {"errors", "replace"},
                             {"model_max_length", 131072},
                             {"pad_token", "<|endoftext|>"},
                             {"split_special_tokens", false},
                             {"tokenizer_class", "PreTrainedTokenizerFast"},
                             {"unk_token", nullptr}};
  return config.dump(2) + "\n";
}

}  // namespace tritonrl::tokenizer
