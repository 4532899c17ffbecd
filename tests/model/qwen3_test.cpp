#include "model/qwen3.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/tensor.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <numeric>

#include "base/error.h"
#include "base/random.h"
#include "base/temporary_folder.h"
#include "kernels/parallel_rows.h"
#include "model/token_loss.h"
#include "tests/model/small_model.h"

namespace tritonrl::model {
namespace {

using testing::random_texts;
using testing::small_config;

constexpr std::uint64_t kSeed = 7;
[[maybe_unused]] const bool kOneThread = (kernels::set_thread_count(1), true);  // tests run side by side

double largest_difference(const at::Tensor& a, const at::Tensor& b) { return (a - b).abs().max().item<double>(); }

// Feeds texts to forward_paged in chunks of random lengths, several texts a batch, over pages in random order.
class PagedRun {
 public:
  PagedRun(const Qwen3& model, std::vector<std::vector<std::int64_t>> texts, std::uint64_t seed,
           const ModelPanels* panels = nullptr)
      : model_(model), texts_(std::move(texts)), random_(seed), panels_(panels) {
    std::int64_t longest = 0;
    for (const auto& text : texts_) longest = std::max(longest, static_cast<std::int64_t>(text.size()));
    max_pages_ = (longest + kPageSize - 1) / kPageSize;
    const auto pages = max_pages_ * static_cast<std::int64_t>(texts_.size());
    std::vector<std::int32_t> order(static_cast<std::size_t>(pages));
    std::iota(order.begin(), order.end(), 0);
    random_.shuffle(std::span(order));
    pages_ = std::move(order);
    cache_ = model.make_cache(pages, kPageSize);
    done_.resize(texts_.size());
    hidden_.resize(texts_.size());
  }

  // The hidden states of all texts, one after the other.
  at::Tensor run() {
    while (step()) {
    }
    std::vector<at::Tensor> rows;
    for (const auto& parts : hidden_) rows.insert(rows.end(), parts.begin(), parts.end());
    return at::cat(rows);
  }

 private:
  static constexpr std::int64_t kPageSize = 4;

  bool step() {
    std::vector<std::int64_t> ids;
    std::vector<std::int32_t> positions;
    std::vector<std::int32_t> slots;
    std::vector<std::int32_t> starts{0};
    std::vector<std::int32_t> table;
    std::vector<std::int32_t> lengths;
    std::vector<std::size_t> members;
    for (std::size_t text = 0; text < texts_.size(); ++text) {
      const std::size_t left = texts_[text].size() - done_[text];
      if (left == 0 || random_.below(4) == 0) continue;
      const std::size_t count = random_.below(2) == 0 ? 1 : 1 + random_.below(left);
      const std::int32_t* pages = pages_.data() + static_cast<std::int64_t>(text) * max_pages_;
      for (std::size_t i = 0; i < count; ++i) {
        const auto position = static_cast<std::int64_t>(done_[text] + i);
        ids.push_back(texts_[text][done_[text] + i]);
        positions.push_back(static_cast<std::int32_t>(position));
        slots.push_back(static_cast<std::int32_t>(pages[position / kPageSize] * kPageSize + position % kPageSize));
      }
      done_[text] += count;
      starts.push_back(static_cast<std::int32_t>(ids.size()));
      table.insert(table.end(), pages, pages + max_pages_);
      lengths.push_back(static_cast<std::int32_t>(done_[text]));
      members.push_back(text);
    }
    if (!members.empty()) {
      const PagedBatch batch{.token_ids = at::tensor(ids, at::kLong),
                             .positions = at::tensor(positions, at::kInt),
                             .slots = at::tensor(slots, at::kInt),
                             .query_starts = at::tensor(starts, at::kInt),
                             .block_table = at::tensor(table, at::kInt).view({-1, max_pages_}),
                             .context_lengths = at::tensor(lengths, at::kInt)};
      const at::Tensor hidden = model_.forward_paged(batch, cache_, panels_);
      for (std::size_t i = 0; i < members.size(); ++i) {
        hidden_[members[i]].push_back(hidden.slice(0, starts[i], starts[i + 1]));
      }
    }
    for (std::size_t text = 0; text < texts_.size(); ++text) {
      if (done_[text] < texts_[text].size()) return true;
    }
    return false;
  }

  const Qwen3& model_;
  std::vector<std::vector<std::int64_t>> texts_;
  base::Random random_;
  const ModelPanels* panels_;
  std::int64_t max_pages_ = 0;
  std::vector<std::int32_t> pages_;
  PagedCache cache_;
  std::vector<std::size_t> done_;
  std::vector<std::vector<at::Tensor>> hidden_;
};

TEST(Qwen3, TextsOfABatchDoNotSeeEachOther) {
  const Qwen3 model = Qwen3::random(small_config(), kSeed, {});
  const at::NoGradGuard no_gradients;
  const auto texts = random_texts(1, {17, 1, 60, 33}, model.config().vocab_size);
  const at::Tensor together = model.forward_packed(PackedBatch::of(texts, at::kCPU));
  std::vector<at::Tensor> alone;
  for (const auto& text : texts) alone.push_back(model.forward_packed(PackedBatch::of({text}, at::kCPU)));
  EXPECT_LT(largest_difference(together, at::cat(alone)), 1e-5);
}

TEST(Qwen3, LaterTokensDoNotChangeEarlierOnes) {
  const Qwen3 model = Qwen3::random(small_config(), kSeed, {});
  const at::NoGradGuard no_gradients;
  auto text = random_texts(1, {40}, model.config().vocab_size);
  const at::Tensor before = model.forward_packed(PackedBatch::of(text, at::kCPU));
  text[0][39] = (text[0][39] + 1) % model.config().vocab_size;
  const at::Tensor after = model.forward_packed(PackedBatch::of(text, at::kCPU));
  EXPECT_LT(largest_difference(before.slice(0, 0, 39), after.slice(0, 0, 39)), 1e-6);
  EXPECT_GT(largest_difference(before[39], after[39]), 1e-2);
}

TEST(Qwen3, PagedForwardGivesThePackedLogProbabilities) {
  for (const bool tied : {false, true}) {
    ModelConfig config = small_config();
    config.tied_embeddings = tied;
    const Qwen3 model = Qwen3::random(config, kSeed, {});
    const at::NoGradGuard no_gradients;
    for (std::uint64_t schedule = 0; schedule < 20; ++schedule) {
      const auto texts = random_texts(schedule, {5, 31, 1, 18}, config.vocab_size);
      const at::Tensor packed = model.logits(model.forward_packed(PackedBatch::of(texts, at::kCPU))).log_softmax(-1);
      const at::Tensor paged = model.logits(PagedRun(model, texts, schedule).run()).log_softmax(-1);
      EXPECT_LT(largest_difference(packed, paged), 1e-4) << "schedule " << schedule;
    }
  }
}

TEST(Qwen3, PagedForwardGivesTheSameBitsFromPanelsAndOnAnyNumberOfThreads) {
  const Qwen3 model = Qwen3::random(small_config(), kSeed, {});
  const at::NoGradGuard no_gradients;
  ModelPanels panels;
  model.cut_panels(panels);
  const auto texts = random_texts(3, std::vector<std::size_t>(24, 20), model.config().vocab_size);
  const at::Tensor expected = PagedRun(model, texts, 5).run();
  for (const int threads : {1, 2, 3}) {
    kernels::set_thread_count(threads);
    const at::Tensor hidden = PagedRun(model, texts, 5, &panels).run();
    EXPECT_TRUE(at::equal(hidden, expected)) << threads << " threads";
    EXPECT_TRUE(at::equal(model.logits(hidden, &panels), model.logits(hidden))) << threads << " threads";
  }
  kernels::set_thread_count(1);
}

TEST(Qwen3, TokensWithoutASlotLeaveTheCacheAlone) {
  const Qwen3 model = Qwen3::random(small_config(), kSeed, {});
  PagedCache cache = model.make_cache(2, 4);
  cache.k[0].zero_();
  const PagedBatch batch{.token_ids = at::tensor(std::vector<std::int64_t>{3, 4}, at::kLong),
                         .positions = at::tensor(std::vector<std::int32_t>{0, 0}, at::kInt),
                         .slots = at::tensor(std::vector<std::int32_t>{5, -1}, at::kInt),
                         .query_starts = at::tensor(std::vector<std::int32_t>{0, 1, 2}, at::kInt),
                         .block_table = at::tensor(std::vector<std::int32_t>{1, 0}, at::kInt).view({2, 1}),
                         .context_lengths = at::tensor(std::vector<std::int32_t>{1, 1}, at::kInt)};
  model.forward_paged(batch, cache);
  const at::Tensor written = cache.k[0].view({8, -1}).abs().sum(1);
  for (std::int64_t slot = 0; slot < 8; ++slot) EXPECT_EQ(written[slot].item<float>() > 0, slot == 5) << slot;
}

at::Tensor gradient_of(const Qwen3& model, const PackedBatch& batch, const ForwardOptions& options) {
  for (const auto& parameter : model.parameters()) parameter.mutable_grad() = at::Tensor();
  const at::Tensor hidden = model.forward_packed(batch, options);
  const at::Tensor targets = batch.token_ids.roll(-1);
  token_loss(hidden, model.lm_head(), targets).log_probs.mean().backward();
  std::vector<at::Tensor> flat;
  for (const auto& [name, gradient] : model.gradients()) flat.push_back(gradient.flatten());
  return at::cat(flat);
}

TEST(Qwen3, RecomputedLayersHaveTheSameGradients) {
  const Qwen3 model = Qwen3::random(small_config(), kSeed, {});
  const auto batch = PackedBatch::of(random_texts(1, {20, 9}, model.config().vocab_size), at::kCPU);
  const at::Tensor kept = gradient_of(model, batch, {.recompute_layers = 0});
  EXPECT_EQ(kept.numel(), model.config().parameters());
  EXPECT_GT(kept.abs().max().item<double>(), 1e-3);
  for (const std::int64_t layers : {std::int64_t{1}, model.config().layers, model.config().layers + 5}) {
    const at::Tensor recomputed = gradient_of(model, batch, {.recompute_layers = layers});
    EXPECT_LT(largest_difference(kept, recomputed), 1e-6) << layers;
  }
}

TEST(Qwen3, GradientsAreThoseOfFiniteDifferences) {
  ModelConfig config = small_config();
  config.layers = 1;
  const Qwen3 model = Qwen3::random(config, kSeed, {});
  const auto batch = PackedBatch::of(random_texts(1, {12, 7}, config.vocab_size), at::kCPU);
  gradient_of(model, batch, {});
  const auto tensors = model.tensors();
  const auto gradients = model.gradients();
  const at::NoGradGuard no_gradients;
  const auto loss = [&] {
    return token_loss(model.forward_packed(batch), model.lm_head(), batch.token_ids.roll(-1))
        .log_probs.mean()
        .item<double>();
  };
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    // Along the gradient itself, where the slope is the squared norm.
    const at::Tensor direction = gradients[i].tensor / gradients[i].tensor.norm();
    const double step = 3e-3;
    tensors[i].tensor.add_(direction, step);
    const double above = loss();
    tensors[i].tensor.sub_(direction, 2 * step);
    const double below = loss();
    tensors[i].tensor.add_(direction, step);
    const double expected = gradients[i].tensor.norm().item<double>();
    EXPECT_NEAR((above - below) / (2 * step), expected, 2e-2 * expected + 2e-4) << tensors[i].name;
  }
}

TEST(Qwen3, SavedModelsLoadAgainInEveryTypeAndShardSize) {
  const Qwen3 model = Qwen3::random(small_config(), kSeed, {});
  for (const auto stored : {DType::kFloat32, DType::kBFloat16, DType::kFloat16}) {
    for (const std::size_t shard_bytes : {std::size_t{20'000}, kDefaultShardBytes}) {
      const base::TemporaryFolder folder("model");
      model.save(folder.path(), stored, shard_bytes);
      EXPECT_EQ(std::filesystem::exists(folder.path() / "model.safetensors"), shard_bytes == kDefaultShardBytes);
      const Qwen3 loaded = Qwen3::load(folder.path(), {});
      EXPECT_EQ(loaded.config().dtype, stored);
      const auto before = model.tensors();
      const auto after = loaded.tensors();
      ASSERT_EQ(before.size(), after.size());
      const double tolerance = stored == DType::kFloat32 ? 0 : stored == DType::kFloat16 ? 1e-3 : 8e-3;
      for (std::size_t i = 0; i < before.size(); ++i) {
        EXPECT_EQ(before[i].name, after[i].name);
        EXPECT_TRUE(at::allclose(before[i].tensor, after[i].tensor, tolerance, tolerance / 10)) << before[i].name;
      }
    }
  }
}

TEST(Qwen3, ASecondSaveLeavesNoWeightsOfTheFirst) {
  const Qwen3 model = Qwen3::random(small_config(), kSeed, {});
  const base::TemporaryFolder folder("model");
  model.save(folder.path(), DType::kFloat32, 20'000);
  model.save(folder.path(), DType::kFloat32);
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) names.push_back(entry.path().filename());
  EXPECT_THAT(names, ::testing::UnorderedElementsAre("model.safetensors", "config.json"));
}

TEST(Qwen3, RandomWeightsDependOnTheSeedAlone) {
  const auto first = Qwen3::random(small_config(), 1, {}).tensors();
  const auto again = Qwen3::random(small_config(), 1, {}).tensors();
  const auto other = Qwen3::random(small_config(), 2, {}).tensors();
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_TRUE(first[i].tensor.equal(again[i].tensor)) << first[i].name;
    if (first[i].tensor.dim() == 2) {
      EXPECT_FALSE(first[i].tensor.equal(other[i].tensor)) << first[i].name;
      EXPECT_NEAR(first[i].tensor.std().item<double>(), 0.2, 0.02) << first[i].name;
    }
  }
}

std::string message_of_load(const std::filesystem::path& folder) {
  try {
    Qwen3::load(folder, {});
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Qwen3, NamesTheTensorThatIsMissingOrHasAnotherShape) {
  const base::TemporaryFolder folder("model");
  Qwen3::random(small_config(), kSeed, {}).save(folder.path(), DType::kFloat32);
  const auto rewrite = [&](auto change) {
    ModelConfig config = small_config();
    change(config);
    std::ofstream(folder.path() / "config.json") << model_config_text(config);
    return message_of_load(folder.path());
  };
  using ::testing::AllOf;
  using ::testing::HasSubstr;
  EXPECT_THAT(rewrite([](ModelConfig& config) { config.layers = 4; }),
              HasSubstr("'model.layers.3.input_layernorm.weight'"));
  EXPECT_THAT(rewrite([](ModelConfig& config) { config.layers = 2; }),
              AllOf(HasSubstr("model.safetensors"), HasSubstr("'model.layers.2.")));
  EXPECT_THAT(rewrite([](ModelConfig& config) { config.vocab_size = 96; }),
              AllOf(HasSubstr("'model.embed_tokens.weight'"), HasSubstr("[97, 48]"), HasSubstr("[96, 48]")));
  EXPECT_THAT(rewrite([](ModelConfig& config) { config.tied_embeddings = true; }),
              HasSubstr("differs from the embeddings"));
  EXPECT_EQ(rewrite([](ModelConfig&) {}), "no error");
}

}  // namespace
}  // namespace tritonrl::model
