#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tritonrl::model {

// A tensor of a file: its type as the file spells it ("F32", "BF16", ...), its shape and its bytes.
struct StoredTensor {
  std::string name;
  std::string dtype;
  std::vector<std::int64_t> shape;
  std::span<const std::byte> bytes;
};

// What the header of a safetensors file says, checked: every type is known, every size is what its shape and type make,
// and the tensors fill the data without overlap or hole. InputError otherwise, with the file and the tensor.
struct SafetensorsHeader {
  std::vector<StoredTensor> tensors;  // by offset
  std::map<std::string, std::string> metadata;
};
SafetensorsHeader parse_safetensors(std::span<const std::byte> content, const std::string& file);

// A safetensors file in memory-mapped form. The tensors' bytes live as long as this.
class SafetensorsFile {
 public:
  explicit SafetensorsFile(const std::filesystem::path& path);
  ~SafetensorsFile();
  SafetensorsFile(SafetensorsFile&& other) noexcept;
  SafetensorsFile& operator=(SafetensorsFile&&) = delete;

  const std::filesystem::path& path() const { return path_; }
  const std::vector<StoredTensor>& tensors() const { return header_.tensors; }

 private:
  std::filesystem::path path_;
  std::span<const std::byte> content_;
  SafetensorsHeader header_;
};

// The weights of a Hugging Face directory: model.safetensors, or the shards of model.safetensors.index.json. A shard
// that is missing, and a tensor that is not where the index says, are InputErrors.
class StoredWeights {
 public:
  explicit StoredWeights(const std::filesystem::path& folder);

  // nullptr when there is none.
  const StoredTensor* find(std::string_view name) const;
  // The file that holds a tensor, for messages.
  const std::filesystem::path& file_of(const StoredTensor& tensor) const;
  std::vector<const StoredTensor*> all() const;

 private:
  std::vector<SafetensorsFile> files_;
  std::map<std::string, std::pair<const StoredTensor*, std::size_t>, std::less<>> by_name_;
};

}  // namespace tritonrl::model
