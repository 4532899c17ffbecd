// What a Python test asks of a model: logits, gradients and a greedy continuation.
//   model_probe MODEL_DIR REQUEST.json OUT_DIR
// REQUEST is {"texts": [[ids]], "greedy": {"prompt": [ids], "tokens": n}, "recompute": false, "save": "bfloat16",
// "shard_bytes": n}. OUT_DIR gets logits/ and gradients/ as weights of their names, result.json, and saved/ with the
// model written again.
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/argmax.h>
#include <ATen/ops/tensor.h>

#include <cstdio>
#include <exception>
#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "model/qwen3.h"
#include "model/token_loss.h"

namespace {

using namespace tritonrl;
using model::PackedBatch;
using model::PagedBatch;
using model::Qwen3;

void write_tensors(const std::filesystem::path& folder, const std::vector<model::NamedTensor>& tensors) {
  std::filesystem::create_directories(folder);
  std::vector<model::TensorToStore> stored;
  for (const auto& [name, tensor] : tensors) {
    const at::Tensor values = tensor.detach().contiguous();
    stored.push_back(
        {.name = name, .dtype = "F32", .shape = values.sizes().vec(), .size_bytes = values.nbytes(), .bytes = [values] {
           return std::span(static_cast<const std::byte*>(values.const_data_ptr()), values.nbytes());
         }});
  }
  model::write_weights(folder, stored);
}

// The mean of the log-probabilities of each text's next tokens, negated: what transformers calls the loss.
at::Tensor next_token_loss(const Qwen3& qwen, const PackedBatch& batch, const at::Tensor& hidden) {
  const at::Tensor starts = batch.text_starts.to(at::kLong);
  const at::Tensor last = starts.slice(0, 1) - 1;
  const at::Tensor rows = at::arange(batch.token_ids.size(0));
  const at::Tensor kept = rows.index({rows.unsqueeze(1).ne(last.unsqueeze(0)).all(1)});
  const at::Tensor targets = batch.token_ids.index({kept + 1});
  return -model::token_loss(hidden.index({kept}), qwen.lm_head(), targets).log_probs.mean();
}

// The prompt as one chunk, then token by token through the paged cache.
std::vector<std::int64_t> greedy(const Qwen3& qwen, std::vector<std::int64_t> text, std::int64_t count) {
  constexpr std::int64_t kPageSize = 16;
  const auto longest = static_cast<std::int64_t>(text.size()) + count;
  const std::int64_t pages = (longest + kPageSize - 1) / kPageSize;
  auto cache = qwen.make_cache(pages, kPageSize);
  const at::Tensor table = at::arange(pages - 1, -1, -1, at::kInt).unsqueeze(0);  // last page first
  std::vector<std::int64_t> made;
  std::int64_t done = 0;
  while (static_cast<std::int64_t>(made.size()) < count) {
    const auto total = static_cast<std::int64_t>(text.size());
    std::vector<std::int32_t> slots;
    for (std::int64_t i = done; i < total; ++i) {
      slots.push_back(static_cast<std::int32_t>((pages - 1 - i / kPageSize) * kPageSize + i % kPageSize));
    }
    const std::vector<std::int64_t> ids(text.begin() + done, text.end());
    const PagedBatch batch{
        .token_ids = at::tensor(ids, at::kLong),
        .positions = at::arange(done, total, at::kInt),
        .slots = at::tensor(slots, at::kInt),
        .query_starts = at::tensor(std::vector<std::int32_t>{0, static_cast<std::int32_t>(total - done)}, at::kInt),
        .block_table = table,
        .context_lengths = at::tensor(std::vector<std::int32_t>{static_cast<std::int32_t>(total)}, at::kInt),
        .max_query_length = total - done};
    const at::Tensor hidden = qwen.forward_paged(batch, cache);
    const auto next = qwen.logits(hidden.slice(0, -1)).argmax().item<std::int64_t>();
    done = total;
    text.push_back(next);
    made.push_back(next);
  }
  return made;
}

void answer(const std::filesystem::path& folder, const base::Json& request, const std::filesystem::path& out) {
  const Qwen3 qwen = Qwen3::load(folder, {});
  const auto batch = PackedBatch::of(request.at("texts").get<std::vector<std::vector<std::int64_t>>>(), at::kCPU);
  const at::Tensor hidden = qwen.forward_packed(batch, {.recompute_layers = request.value("recompute", 0)});
  const at::Tensor loss = next_token_loss(qwen, batch, hidden);
  loss.backward();
  const at::NoGradGuard no_gradients;
  base::Json result{{"loss", loss.item<double>()}};
  if (request.contains("greedy")) {
    const auto& wanted = request.at("greedy");
    result["greedy"] =
        greedy(qwen, wanted.at("prompt").get<std::vector<std::int64_t>>(), wanted.at("tokens").get<std::int64_t>());
  }
  write_tensors(out / "logits", {{"logits", qwen.logits(hidden)}});
  write_tensors(out / "gradients", qwen.gradients());
  if (request.contains("save")) {
    qwen.save(out / "saved", model::dtype_named(request.at("save").get<std::string>()).value(),
              request.value("shard_bytes", model::kDefaultShardBytes));
  }
  base::write_file_atomically(out / "result.json", result.dump() + "\n");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: model_probe MODEL_DIR REQUEST.json OUT_DIR\n", stderr);
    return base::kExitBadInput;
  }
  try {
    at::set_num_threads(1);
    answer(argv[1], base::parse_json(base::read_file(argv[2]), {.file = argv[2]}), argv[3]);
    return base::kExitDone;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "model_probe: %s\n", error.what());
    return base::exit_status(error);
  }
}
