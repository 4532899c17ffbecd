#include "model/safetensors.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/text.h"

namespace tritonrl::model {
namespace {

using base::InputError;
using base::Json;

constexpr std::size_t kLengthBytes = 8;
constexpr std::size_t kMaxHeaderBytes = 100'000'000;  // the format's own limit
constexpr std::size_t kMaxDimensions = 64;
constexpr std::size_t kMaxIndexBytes = std::size_t{256} << 20;

constexpr std::array<std::pair<std::string_view, std::uint64_t>, 15> kTypeBytes = {{{"BOOL", 1},
                                                                                    {"U8", 1},
                                                                                    {"I8", 1},
                                                                                    {"F8_E4M3", 1},
                                                                                    {"F8_E5M2", 1},
                                                                                    {"I16", 2},
                                                                                    {"U16", 2},
                                                                                    {"F16", 2},
                                                                                    {"BF16", 2},
                                                                                    {"I32", 4},
                                                                                    {"U32", 4},
                                                                                    {"F32", 4},
                                                                                    {"F64", 8},
                                                                                    {"I64", 8},
                                                                                    {"U64", 8}}};

std::string in_quotes(std::string_view name) { return "'" + base::printable(name) + "'"; }

class HeaderReader {
 public:
  HeaderReader(std::span<const std::byte> content, const std::string& file) : content_(content), file_(file) {}

  SafetensorsHeader read() {
    const std::string_view text = header_text();
    const base::Place where{.file = file_};
    Json json;
    try {
      json = base::parse_json(text, where);
    } catch (const InputError& error) {
      refuse("its header is no JSON (" + error.problem() + ")");
    }
    if (!json.is_object()) refuse("its header is no JSON object");
    data_ = content_.subspan(kLengthBytes + text.size());
    SafetensorsHeader header;
    for (const auto& [name, value] : json.items()) {
      if (name == "__metadata__") {
        header.metadata = metadata_of(value);
      } else {
        header.tensors.push_back(tensor_of(name, value));
      }
    }
    expect_no_overlap_or_hole(header.tensors);
    return header;
  }

 private:
  [[noreturn]] void refuse(const std::string& problem) const {
    throw InputError({.file = file_}, problem, "the file is damaged or no safetensors file: fetch or write it again");
  }
  [[noreturn]] void refuse(std::string_view tensor, const std::string& problem) const {
    refuse("tensor " + in_quotes(tensor) + " " + problem);
  }

  std::string_view header_text() const {
    if (content_.size() < kLengthBytes)
      refuse("holds " + std::to_string(content_.size()) + " bytes, too few for a header");
    std::uint64_t length = 0;
    for (std::size_t i = 0; i < kLengthBytes; ++i) {
      length |= static_cast<std::uint64_t>(content_[i]) << (8 * i);
    }
    if (length > kMaxHeaderBytes) refuse("its header claims " + std::to_string(length) + " bytes");
    if (length > content_.size() - kLengthBytes) {
      refuse("is cut off: its header claims " + std::to_string(length) + " bytes, and " +
             std::to_string(content_.size() - kLengthBytes) + " are there");
    }
    return {reinterpret_cast<const char*>(content_.data()) + kLengthBytes, static_cast<std::size_t>(length)};
  }

  std::map<std::string, std::string> metadata_of(const Json& value) const {
    if (!value.is_object()) refuse("its __metadata__ is no object");
    std::map<std::string, std::string> metadata;
    for (const auto& [key, text] : value.items()) {
      if (!text.is_string()) refuse("its __metadata__ has a value that is no string, at " + in_quotes(key));
      metadata[key] = text.get<std::string>();
    }
    return metadata;
  }

  std::uint64_t unsigned_of(std::string_view tensor, const char* what, const Json& value) const {
    if (!value.is_number_unsigned())
      refuse(tensor, std::string("has ") + what + " that is no size: " + base::printable(value.dump(), 40));
    return value.get<std::uint64_t>();
  }

  StoredTensor tensor_of(const std::string& name, const Json& value) const {
    if (!value.is_object()) refuse(name, "has no description");
    for (const auto& [key, ignored] : value.items()) {
      if (key != "dtype" && key != "shape" && key != "data_offsets")
        refuse(name, "has an unknown field " + in_quotes(key));
    }
    const auto field = [&](const char* key) -> const Json& {
      const auto found = value.find(key);
      if (found == value.end()) refuse(name, std::string("has no ") + key);
      return *found;
    };
    StoredTensor tensor{.name = name, .dtype = {}, .shape = {}, .bytes = {}};
    if (!field("dtype").is_string()) refuse(name, "has a dtype that is no string");
    tensor.dtype = field("dtype").get<std::string>();
    std::uint64_t bytes = 0;
    for (const auto& [type, size] : kTypeBytes) {
      if (type == tensor.dtype) bytes = size;
    }
    if (bytes == 0) refuse(name, "has the unknown dtype " + in_quotes(tensor.dtype));

    const Json& shape = field("shape");
    if (!shape.is_array() || shape.size() > kMaxDimensions) refuse(name, "has a shape that is no array of sizes");
    for (const auto& extent : shape) {
      const std::uint64_t size = unsigned_of(name, "a shape", extent);
      if (size > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) ||
          __builtin_mul_overflow(bytes, size, &bytes)) {
        refuse(name, "has a shape whose size overflows");
      }
      tensor.shape.push_back(static_cast<std::int64_t>(size));
    }

    const Json& offsets = field("data_offsets");
    if (!offsets.is_array() || offsets.size() != 2) refuse(name, "has data_offsets that are no pair");
    const std::uint64_t begin = unsigned_of(name, "an offset", offsets[0]);
    const std::uint64_t end = unsigned_of(name, "an offset", offsets[1]);
    if (begin > end) refuse(name, "ends before it begins");
    if (end > data_.size()) {
      refuse(name, "lies past the end of the file: it ends at byte " + std::to_string(end) +
                       " of the data, which has " + std::to_string(data_.size()));
    }
    if (end - begin != bytes) {
      refuse(name,
             "has " + std::to_string(end - begin) + " bytes where its shape and dtype make " + std::to_string(bytes));
    }
    tensor.bytes = data_.subspan(begin, end - begin);
    return tensor;
  }

  void expect_no_overlap_or_hole(std::vector<StoredTensor>& tensors) const {
    const auto begin_of = [&](const StoredTensor& tensor) {
      return static_cast<std::uint64_t>(tensor.bytes.data() - data_.data());
    };
    // Empty tensors first, so that one at the start of another does not look like an overlap.
    std::ranges::stable_sort(
        tensors, {}, [&](const StoredTensor& tensor) { return std::pair(begin_of(tensor), tensor.bytes.size()); });
    std::uint64_t end = 0;
    for (const auto& tensor : tensors) {
      if (begin_of(tensor) < end) refuse(tensor.name, "overlaps the tensor before it");
      if (begin_of(tensor) > end) refuse(tensor.name, "begins after a hole in the data");
      end = begin_of(tensor) + tensor.bytes.size();
    }
    if (end != data_.size()) refuse("has " + std::to_string(data_.size() - end) + " bytes that belong to no tensor");
  }

  std::span<const std::byte> content_;
  std::span<const std::byte> data_;
  const std::string& file_;
};

std::span<const std::byte> map_file(const std::filesystem::path& path) {
  const base::UniqueFd fd = base::open_for_reading(path);
  struct stat status{};
  if (::fstat(fd.get(), &status) != 0) throw base::HostError::from_errno("read " + path.string(), errno);
  if (!S_ISREG(status.st_mode)) throw InputError({.file = path.string()}, "is no ordinary file");
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return {};
  void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd.get(), 0);
  if (address == MAP_FAILED) throw base::HostError::from_errno("map " + path.string(), errno);
  return {static_cast<const std::byte*>(address), size};
}

void unmap(std::span<const std::byte> content) {
  if (!content.empty()) ::munmap(const_cast<std::byte*>(content.data()), content.size());
}

// Where the index says each tensor is.
std::map<std::string, std::string> read_index(const std::filesystem::path& file) {
  const base::Place where{.file = file.string()};
  const Json json = base::parse_json(base::read_file(file, kMaxIndexBytes), where);
  const auto found = json.is_object() ? json.find("weight_map") : json.end();
  if (!json.is_object() || found == json.end() || !found->is_object()) throw InputError(where, "has no weight_map");
  std::map<std::string, std::string> shards;
  for (const auto& [tensor, shard] : found->items()) {
    if (!shard.is_string()) throw InputError(where, "weight_map has no file name for tensor " + in_quotes(tensor));
    const auto name = shard.get<std::string>();
    if (name.empty() || std::filesystem::path(name).filename() != name || name == "." || name == "..") {
      throw InputError(where, "weight_map names " + in_quotes(name) + ", which is no file beside it");
    }
    shards[tensor] = name;
  }
  return shards;
}

}  // namespace

SafetensorsHeader parse_safetensors(std::span<const std::byte> content, const std::string& file) {
  return HeaderReader(content, file).read();
}

SafetensorsFile::SafetensorsFile(const std::filesystem::path& path) : path_(path), content_(map_file(path)) {
  try {
    header_ = parse_safetensors(content_, path_.string());
  } catch (...) {
    unmap(content_);
    throw;
  }
}

SafetensorsFile::~SafetensorsFile() { unmap(content_); }

SafetensorsFile::SafetensorsFile(SafetensorsFile&& other) noexcept
    : path_(std::move(other.path_)), content_(std::exchange(other.content_, {})), header_(std::move(other.header_)) {}

StoredWeights::StoredWeights(const std::filesystem::path& folder) {
  const auto single = folder / "model.safetensors";
  const auto index = folder / "model.safetensors.index.json";
  std::error_code error;
  std::map<std::string, std::string> shards;
  if (std::filesystem::exists(single, error)) {
    files_.emplace_back(single);
  } else if (std::filesystem::exists(index, error)) {
    shards = read_index(index);
    std::vector<std::string> names;
    for (const auto& [tensor, shard] : shards) names.push_back(shard);
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    for (const auto& name : names) {
      if (!std::filesystem::exists(folder / name, error)) {
        throw InputError({.file = (folder / name).string()}, "is missing, and " + index.string() + " names it",
                         "fetch or write the model again");
      }
      files_.emplace_back(folder / name);
    }
  } else {
    throw InputError({.file = folder.string()}, "has neither model.safetensors nor model.safetensors.index.json",
                     "name the folder of a model in Hugging Face's layout");
  }
  for (std::size_t i = 0; i < files_.size(); ++i) {
    for (const auto& tensor : files_[i].tensors()) {
      const auto [at, fresh] = by_name_.try_emplace(tensor.name, &tensor, i);
      if (!fresh) {
        throw InputError({.file = files_[i].path().string()}, "tensor " + in_quotes(tensor.name) + " is in " +
                                                                  files_[at->second.second].path().string() + " too");
      }
    }
  }
  for (const auto& [tensor, shard] : shards) {
    const auto found = by_name_.find(tensor);
    if (found == by_name_.end() || files_[found->second.second].path().filename() != shard) {
      throw InputError({.file = (folder / shard).string()},
                       "has no tensor " + in_quotes(tensor) + ", which " + index.string() + " says it has",
                       "fetch or write the model again");
    }
  }
}

const StoredTensor* StoredWeights::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second.first;
}

const std::filesystem::path& StoredWeights::file_of(const StoredTensor& tensor) const {
  return files_[by_name_.find(tensor.name)->second.second].path();
}

std::vector<const StoredTensor*> StoredWeights::all() const {
  std::vector<const StoredTensor*> tensors;
  tensors.reserve(by_name_.size());
  for (const auto& [name, place] : by_name_) tensors.push_back(place.first);
  return tensors;
}

}  // namespace tritonrl::model
