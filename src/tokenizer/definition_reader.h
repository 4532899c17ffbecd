#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "base/json.h"
#include "tokenizer/definition.h"

namespace tritonrl::tokenizer {

// Reads the JSON of a tokenizer.json in one pass: `model.vocab` and `model.merges`, which are long, go into the
// definition as they come, the rest into a tree. Remembers where things stood, for errors.
class DefinitionReader : public nlohmann::json_sax<base::Json> {
 public:
  // `definition` gives the text and takes the long parts; it must outlive this.
  explicit DefinitionReader(Definition& definition) : definition_(definition) {}

  void read();

  const base::Json& rest() const { return rest_; }
  bool has_vocabulary() const { return has_vocabulary_; }
  bool has_merges() const { return has_merges_; }
  // Of a key at the top; 0 for one that is not there.
  std::size_t offset_of(const std::string& section) const;
  std::size_t added_offset(std::size_t index) const {
    return index < added_offsets_.size() ? added_offsets_[index] : 0;
  }

  // What the JSON parser calls.
  bool null() override { return value(nullptr); }
  bool boolean(bool flag) override { return value(flag); }
  bool number_integer(number_integer_t number) override;
  bool number_unsigned(number_unsigned_t number) override;
  bool number_float(number_float_t number, const string_t& digits) override;
  bool string(string_t& text) override;
  bool binary(binary_t& bytes) override;
  bool start_object(std::size_t elements) override;
  bool key(string_t& name) override;
  bool end_object() override;
  bool start_array(std::size_t elements) override;
  bool end_array() override;
  bool parse_error(std::size_t position, const std::string& token, const nlohmann::detail::exception& error) override;

 private:
  enum class Part { kRest, kVocabulary, kMerges, kMergePair };

  bool value(base::Json value);
  void open(base::Json container);
  void close();
  bool at_model_field(const char* name) const;
  std::size_t here() const;             // the last byte read
  std::size_t start_of_string() const;  // the quote that opened the string just read

  Definition& definition_;
  const char* seen_ = nullptr;  // one past the last byte read
  Part part_ = Part::kRest;
  std::string entry_;              // the vocabulary's key whose id comes next
  std::vector<std::string> pair_;  // a merge's two sides
  base::Json rest_;
  std::vector<base::Json*> open_;  // containers around this place, outermost first
  std::vector<std::string> keys_;  // the last key of each
  std::map<std::string, std::size_t> sections_;
  std::vector<std::size_t> added_offsets_;
  bool has_vocabulary_ = false;
  bool has_merges_ = false;
};

}  // namespace tritonrl::tokenizer
