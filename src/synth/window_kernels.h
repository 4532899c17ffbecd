#pragma once

#include <cstdint>
#include <string>

#include "synth/operator.h"

namespace tritonrl::synth {

enum class WindowKind : std::uint8_t { kMaxPool, kAveragePool, kConvolution, kDepthwise };

// A window that slides over the last one or two dimensions of (batch, channel, ...).
struct Window {
  WindowKind kind = WindowKind::kMaxPool;
  int dimensions = 2;
  int size = 3;
  int stride = 1;
  int padding = 0;
  bool bias = false;
  std::int64_t out_channels = 0;  // of convolutions
  std::string layer;              // "self.conv": whose parameters are used
};

class WindowOperator : public Operator {
 public:
  WindowOperator(Window window, Shape shape) : window_(std::move(window)), shape_(std::move(shape)) {}

  std::vector<Schedule> options() const override;
  std::string words() const override;
  std::string reasoning() const override;
  Shape result() const;

 protected:
  std::string name() const override;
  std::string torch(std::string_view x) const override;
  void write_kernels(Module& module, const Schedule& schedule, const Chain& ahead, const Chain& behind) const override;
  std::int64_t read_elements() const override { return elements_of(shape_); }
  std::int64_t written_elements() const override { return elements_of(result()); }

 private:
  bool pools() const { return window_.kind == WindowKind::kMaxPool || window_.kind == WindowKind::kAveragePool; }

  Window window_;
  Shape shape_;
};

}  // namespace tritonrl::synth
