#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/random.h"
#include "synth/problem.h"

namespace tritonrl::synth {

// What an image is for: how large its batch and its channels are.
enum class ImageUse : std::uint8_t { kWindows, kConvolution, kNorm };

// A problem while it is being drawn: sizes, arguments and layers are declared as operators come to need them.
class Draft {
 public:
  Draft(base::Random& random, std::string family, int level);

  base::Random& random;
  Problem problem;

  bool chance(double share) { return random.uniform() < share; }
  template <typename T>
  const T& pick(const std::vector<T>& items) {
    return items[random.below(items.size())];
  }
  std::int64_t pick(std::initializer_list<std::int64_t> items) { return *(items.begin() + random.below(items.size())); }

  // fp32, or with chance `narrow` one of the 16-bit types.
  void draw_dtype(double narrow);
  bool narrow() const { return problem.dtype != Dtype::kFloat32; }

  // A named size: judged, then small ones that keep judged's divisibility, then odd ones.
  void size(const std::string& name, std::int64_t judged, std::int64_t small, std::int64_t odd, std::int64_t tiny);
  // x as `rank` dimensions of which the last is `columns` long; about `elements` in all.
  Shape draw_rows(int rank, std::int64_t columns, std::int64_t elements);
  // x as BATCH (and HEADS) matrices of `length` rows of `columns`; about `elements` in all.
  Shape draw_matrices(int rank, std::int64_t length, std::int64_t columns, std::int64_t elements);
  // x as few rows, each so long that several programs can share it.
  Shape draw_few_rows();
  // x as (batch, channel, length) or (batch, channel, height, width).
  Shape draw_image(int dimensions, std::int64_t elements, ImageUse use = ImageUse::kWindows);
  // An argument of forward.
  void argument(const std::string& name, std::vector<std::string> shape, std::string maker = "torch.randn",
                std::string below = {});
  // The names of the flowing tensor's sizes, for second tensors.
  const std::vector<std::string>& shape_names() const { return shape_names_; }
  void set_shape_names(std::vector<std::string> names) { shape_names_ = std::move(names); }

  // Second tensors for pointwise steps: arguments, or parameters where `parameter`.
  Operand same(const std::string& name);
  Operand feature(const std::string& name, bool parameter);
  Operand row(const std::string& name);
  Operand channel(const std::string& name);

  // A constructor parameter for a named size, once; its name there: "cols" for COLS.
  std::string construct(const std::string& size_name);
  void layer(const std::string& line) { problem.layers.push_back(line); }
  std::string dtype_argument() const;  // "" or ", dtype=torch.float16"

  template <typename T, typename... Arguments>
  T& add(Arguments&&... arguments) {
    auto made = std::make_unique<T>(std::forward<Arguments>(arguments)...);
    T& reference = *made;
    problem.operators.push_back(std::move(made));
    return reference;
  }

  // Unary steps, with the dtype's care, on elements of which `values` is known.
  Chain unary(std::size_t length, Values values = {});
  // Unary steps, some of them replaced by steps with a tensor of their own.
  Chain mixed(std::size_t length, std::initializer_list<Spread> spreads, Values values = {});

 private:
  std::vector<std::string> shape_names_;
  int operands_ = 0;
};

}  // namespace tritonrl::synth
