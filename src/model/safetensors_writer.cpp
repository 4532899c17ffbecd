#include "model/safetensors_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <system_error>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"

namespace tritonrl::model {
namespace {

namespace fs = std::filesystem;
using base::Json;

constexpr std::size_t kAlignmentBytes = 8;  // of the data, as the format's own writer keeps it
constexpr const char* kSingleFile = "model.safetensors";
constexpr const char* kIndexFile = "model.safetensors.index.json";

using Shard = std::vector<const TensorToStore*>;

std::vector<Shard> shards_of(const std::vector<TensorToStore>& tensors, std::size_t max_bytes) {
  std::vector<Shard> shards(1);
  std::size_t size = 0;
  for (const auto& tensor : tensors) {
    if (!shards.back().empty() && size + tensor.size_bytes > max_bytes) {
      shards.emplace_back();
      size = 0;
    }
    shards.back().push_back(&tensor);
    size += tensor.size_bytes;
  }
  return shards;
}

std::string header_of(const Shard& shard) {
  Json json{{"__metadata__", {{"format", "pt"}}}};
  std::size_t offset = 0;
  for (const auto* tensor : shard) {
    json[tensor->name] = {
        {"dtype", tensor->dtype}, {"shape", tensor->shape}, {"data_offsets", {offset, offset + tensor->size_bytes}}};
    offset += tensor->size_bytes;
  }
  std::string text = json.dump();
  text.resize((text.size() + kAlignmentBytes - 1) / kAlignmentBytes * kAlignmentBytes, ' ');
  std::string length;
  for (std::size_t i = 0; i < 8; ++i) length += static_cast<char>(static_cast<std::uint64_t>(text.size()) >> (8 * i));
  return length + text;
}

void write_shard(const fs::path& file, const Shard& shard) {
  base::write_file_atomically(file, [&](const base::PieceSink& sink) {
    sink(header_of(shard));
    for (const auto* tensor : shard) {
      const auto bytes = tensor->bytes();
      base::check(bytes.size() == tensor->size_bytes, "a tensor has another size than was said");
      sink({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    }
  });
}

bool holds_weights(const std::string& name) {
  return name == kIndexFile || (name.starts_with("model") && name.ends_with(".safetensors"));
}

void remove_others(const fs::path& folder, const std::vector<std::string>& kept) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (holds_weights(name) && std::ranges::find(kept, name) == kept.end()) fs::remove(entry.path(), error);
  }
}

}  // namespace

void write_weights(const fs::path& folder, const std::vector<TensorToStore>& tensors, std::size_t max_shard_bytes) {
  const auto shards = shards_of(tensors, max_shard_bytes);
  if (shards.size() == 1) {
    write_shard(folder / kSingleFile, shards.front());
    remove_others(folder, {kSingleFile});
    return;
  }
  std::vector<std::string> names;
  Json weight_map = Json::object();
  std::size_t total = 0;
  for (const auto& shard : shards) {
    names.push_back(fmt::format("model-{:05}-of-{:05}.safetensors", names.size() + 1, shards.size()));
    write_shard(folder / names.back(), shard);
    for (const auto* tensor : shard) {
      weight_map[tensor->name] = names.back();
      total += tensor->size_bytes;
    }
  }
  names.emplace_back(kIndexFile);
  const Json index{{"metadata", {{"total_size", total}}}, {"weight_map", weight_map}};
  base::write_file_atomically(folder / kIndexFile, index.dump(2) + "\n");
  remove_others(folder, names);
}

}  // namespace tritonrl::model
