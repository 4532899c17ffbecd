#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace tritonrl::model {

// A tensor to be written. `bytes` is called once, when its turn comes; what it gives must live until the next call.
struct TensorToStore {
  std::string name;
  std::string dtype;  // as safetensors spells it
  std::vector<std::int64_t> shape;
  std::size_t size_bytes = 0;
  std::function<std::span<const std::byte>()> bytes;
};

inline constexpr std::size_t kDefaultShardBytes = std::size_t{5} << 30;

// Writes model.safetensors, or shards of at most `max_shard_bytes` with their index, into an existing folder, and
// removes weights that were there under other names. Each file appears whole or not at all, the index last.
void write_weights(const std::filesystem::path& folder, const std::vector<TensorToStore>& tensors,
                   std::size_t max_shard_bytes = kDefaultShardBytes);

}  // namespace tritonrl::model
