#include "tokenizer/definition.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "tokenizer/definition_reader.h"

namespace tritonrl::tokenizer {
namespace {

using base::Json;

constexpr const char* kAdvice = "only byte-level BPE as Qwen2 and Qwen3 have it is understood";

// Turns the parts of a tokenizer.json other than its vocabulary and merges into settings.
class Interpreter {
 public:
  Interpreter(const DefinitionReader& reader, Definition& definition) : reader_(reader), definition_(definition) {}

  void interpret() {
    if (!reader_.rest().is_object()) refuse("", "expected an object");
    const Json* version = field(reader_.rest(), "version");
    if (version != nullptr && *version != "1.0") refuse("version", "is not \"1.0\"");
    for (const char* key : {"truncation", "padding"}) {
      if (field(reader_.rest(), key) != nullptr) refuse(key, "is not null: it would change ids");
    }
    read_normalizer();
    read_pre_tokenizer();
    if (field(reader_.rest(), "post_processor") != nullptr) expect_type("post_processor", "ByteLevel");
    expect_type("decoder", "ByteLevel");
    read_model();
    read_added_tokens();
  }

 private:
  // Null counts as absent.
  static const Json* field(const Json& object, const char* key) {
    if (!object.is_object()) return nullptr;
    const auto found = object.find(key);
    return found == object.end() || found->is_null() ? nullptr : &*found;
  }

  static std::string text_of(const Json* value) {
    return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
  }

  static bool is_flag(const Json& object, const char* key, bool expected, bool absent) {
    const Json* value = field(object, key);
    return value == nullptr ? absent == expected : value->is_boolean() && value->get<bool>() == expected;
  }

  [[noreturn]] void refuse(const std::string& section, const std::string& problem) const {
    definition_.refuse(reader_.offset_of(section), section.empty() ? problem : section + " " + problem, kAdvice);
  }

  void expect_type(const char* section, const std::string& type) const {
    const Json* value = field(reader_.rest(), section);
    if (value == nullptr) refuse(section, "is missing where " + type + " was expected");
    const std::string found = text_of(field(*value, "type"));
    if (found != type) refuse(section, fmt::format("is '{}', not {}", base::printable(found), type));
  }

  void read_normalizer() {
    const Json* normalizer = field(reader_.rest(), "normalizer");
    definition_.nfc = normalizer != nullptr;
    if (normalizer == nullptr) return;
    const Json* list = field(*normalizer, "normalizers");
    const bool sequence = text_of(field(*normalizer, "type")) == "Sequence" && list != nullptr && list->is_array();
    if (sequence && list->size() == 1) normalizer = &list->front();
    if (sequence && list->empty()) {
      definition_.nfc = false;
    } else if (text_of(field(*normalizer, "type")) != "NFC") {
      refuse("normalizer", "is not NFC");
    }
  }

  void read_pre_tokenizer() {
    const Json* sequence = field(reader_.rest(), "pre_tokenizer");
    const Json* list = sequence == nullptr ? nullptr : field(*sequence, "pretokenizers");
    if (list == nullptr || !list->is_array() || list->size() != 2) {
      refuse("pre_tokenizer", "is not a Sequence of Split and ByteLevel");
    }
    const Json& split = (*list)[0];
    const Json& bytes = (*list)[1];
    if (text_of(field(split, "type")) != "Split" || text_of(field(bytes, "type")) != "ByteLevel") {
      refuse("pre_tokenizer", "is not a Sequence of Split and ByteLevel");
    }
    const Json* pattern = field(split, "pattern");
    definition_.pattern = pattern == nullptr ? std::string() : text_of(field(*pattern, "Regex"));
    definition_.pattern_offset = reader_.offset_of("pre_tokenizer");
    if (definition_.pattern.empty()) refuse("pre_tokenizer", "has a Split without a Regex");
    if (text_of(field(split, "behavior")) != "Isolated" || !is_flag(split, "invert", false, false)) {
      refuse("pre_tokenizer", "has a Split that is inverted or not Isolated");
    }
    if (!is_flag(bytes, "add_prefix_space", false, true) || !is_flag(bytes, "use_regex", false, true)) {
      refuse("pre_tokenizer", "has a ByteLevel with add_prefix_space or use_regex");
    }
  }

  void read_model() {
    const Json* model = field(reader_.rest(), "model");
    if (model == nullptr) refuse("", "there is no model");
    const Json* type = field(*model, "type");
    if (type != nullptr && *type != "BPE")
      refuse("model", fmt::format("is '{}', not BPE", base::printable(text_of(type))));
    for (const char* key : {"continuing_subword_prefix", "end_of_word_suffix"}) {
      if (const Json* value = field(*model, key); value != nullptr && *value != "")
        refuse("model", fmt::format("has a {}", key));
    }
    for (const char* key : {"dropout", "unk_token"}) {
      if (field(*model, key) != nullptr) refuse("model", fmt::format("has a {}", key));
    }
    if (!is_flag(*model, "byte_fallback", false, false)) refuse("model", "has byte_fallback");
    definition_.whole_pieces_first = is_flag(*model, "ignore_merges", true, false);
    if (!reader_.has_vocabulary()) refuse("model", "has no vocab that is an object");
    if (!reader_.has_merges()) refuse("model", "has no merges that are an array");
  }

  void read_added_tokens() {
    const Json* list = field(reader_.rest(), "added_tokens");
    if (list == nullptr) return;
    if (!list->is_array()) refuse("added_tokens", "is no array");
    for (std::size_t i = 0; i < list->size(); ++i) read_added_token((*list)[i], reader_.added_offset(i));
  }

  void read_added_token(const Json& object, std::size_t offset) {
    AddedToken token;
    token.offset = offset;
    const Json* id = field(object, "id");
    const Json* content = field(object, "content");
    if (id == nullptr || !id->is_number_integer()) definition_.refuse(offset, "an added token without an integer id");
    if (content == nullptr || !content->is_string() || content->get<std::string>().empty()) {
      definition_.refuse(offset, "an added token without content");
    }
    token.content = content->get<std::string>();
    token.id = definition_.token_id(id->get<std::int64_t>(), offset);
    const auto flag = [&](const char* key) {
      const Json* value = field(object, key);
      if (value == nullptr || !value->is_boolean()) {
        definition_.refuse(offset, fmt::format("an added token without a boolean {}", key));
      }
      return value->get<bool>();
    };
    token.single_word = flag("single_word");
    token.lstrip = flag("lstrip");
    token.rstrip = flag("rstrip");
    token.normalized = flag("normalized");
    token.special = flag("special");
    definition_.added.push_back(std::move(token));
  }

  const DefinitionReader& reader_;
  Definition& definition_;
};

std::string quoted(const std::string& text) { return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace); }

Json added_token_json(const AddedToken& token) {
  return {{"id", token.id},          {"content", token.content}, {"single_word", token.single_word},
          {"lstrip", token.lstrip},  {"rstrip", token.rstrip},   {"normalized", token.normalized},
          {"special", token.special}};
}

}  // namespace

void Definition::refuse(std::size_t offset, const std::string& problem, const std::string& advice) const {
  const base::Position position = base::LineIndex(text).position(offset);
  throw base::InputError({.file = file, .line = position.line, .column = position.column}, problem, advice);
}

TokenId Definition::token_id(std::int64_t id, std::size_t offset) const {
  if (id < 0 || id >= kMaxTokenIds)
    refuse(offset, fmt::format("{} is no token id: they go from 0 to {}", id, kMaxTokenIds - 1));
  return static_cast<TokenId>(id);
}

Definition read_definition(std::string_view text, const std::string& file) {
  Definition definition;
  definition.file = file;
  definition.text = text;
  DefinitionReader reader(definition);
  reader.read();
  Interpreter(reader, definition).interpret();
  return definition;
}

// By hand where it is long: an object of nlohmann's that keeps its order takes quadratic time.
std::string definition_text(const Definition& definition) {
  const Json byte_level = {
      {"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", false}, {"use_regex", false}};
  const Json split = {
      {"type", "Split"}, {"pattern", {{"Regex", definition.pattern}}}, {"behavior", "Isolated"}, {"invert", false}};
  const Json pre_tokenizer = {{"type", "Sequence"}, {"pretokenizers", Json::array({split, byte_level})}};
  Json added = Json::array();
  for (const auto& token : definition.added) added.push_back(added_token_json(token));

  std::string out = "{\n  \"version\": \"1.0\",\n  \"truncation\": null,\n  \"padding\": null,\n";
  out += fmt::format("  \"added_tokens\": {},\n", added.dump());
  out += fmt::format("  \"normalizer\": {},\n", definition.nfc ? R"({"type":"NFC"})" : "null");
  out += fmt::format("  \"pre_tokenizer\": {},\n", pre_tokenizer.dump());
  out += fmt::format("  \"post_processor\": {},\n  \"decoder\": {},\n", byte_level.dump(), byte_level.dump());
  out += R"(  "model": {
    "type": "BPE",
    "dropout": null,
    "unk_token": null,
    "continuing_subword_prefix": "",
    "end_of_word_suffix": "",
    "fuse_unk": false,
    "byte_fallback": false,
)";
  out += fmt::format("    \"ignore_merges\": {},\n    \"vocab\": {{", definition.whole_pieces_first);
  const char* comma = "";
  for (const auto& entry : definition.vocabulary) {
    out += fmt::format("{}\n      {}: {}", comma, quoted(entry.spelling), entry.id);
    comma = ",";
  }
  out += "\n    },\n    \"merges\": [";
  comma = "";
  for (const auto& merge : definition.merges) {
    out += fmt::format("{}\n      [{}, {}]", comma, quoted(merge.left), quoted(merge.right));
    comma = ",";
  }
  return out + "\n    ]\n  }\n}\n";
}

}  // namespace tritonrl::tokenizer
