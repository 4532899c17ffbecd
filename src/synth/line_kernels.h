#pragma once

#include <string>

#include "synth/line_ops.h"
#include "synth/operator.h"

namespace tritonrl::synth {

// What a normalising layer adds to a line operator: how torch calls it, and what the kernel does beyond the statistics.
struct NormLayer {
  std::string torch;    // "self.norm({x})"
  std::string epsilon;  // "self.norm.eps"
  Chain affine;         // in the kernel only; torch's layer does it by itself
  std::string groups;   // "self.norm.num_groups" or "x.shape[1]": lines are groups of channels; empty: rows
};

// An operator along dimension `dim`: along rows where that is the last one, across rows otherwise.
class LineOperator : public Operator {
 public:
  LineOperator(const LineOp& op, Shape shape, std::size_t dim, bool keepdim = false, NormLayer layer = {})
      : op_(op), shape_(std::move(shape)), dim_(dim), keepdim_(keepdim), layer_(std::move(layer)) {}

  const LineOp& op() const { return op_; }
  std::vector<Schedule> options() const override;
  std::string words() const override;
  std::string reasoning() const override;
  // Groups of channels only: how many lines of what length there are when speed is judged.
  void set_lines(std::int64_t lines, std::int64_t length) { lines_ = lines, length_ = length; }

 protected:
  std::string name() const override;
  std::string torch(std::string_view x) const override;
  std::string torch_from_end(std::string_view x) const override;
  void write_kernels(Module& module, const Schedule& schedule, const Chain& ahead, const Chain& behind) const override;
  std::int64_t read_elements() const override { return elements_of(shape_); }
  std::int64_t written_elements() const override { return reduces() ? lines() : elements_of(shape_); }

 private:
  bool along_rows() const { return dim_ + 1 == shape_.size() || !layer_.groups.empty(); }
  bool splits() const { return !op_.split.part.empty(); }
  bool reduces() const { return op_.map.empty() && !op_.scans; }
  std::int64_t length() const { return length_ > 0 ? length_ : shape_[dim_]; }
  std::int64_t lines() const { return lines_ > 0 ? lines_ : elements_of(shape_) / shape_[dim_]; }
  std::string result_line() const;  // of forward: y, ready to be written
  std::string size_lines() const;   // of forward: n, and how many lines there are
  std::string outer_count() const;  // bands of columns lie one after the other: how many, as forward says it
  std::string host_lines(const std::string& name, const Schedule& schedule, const std::string& arguments) const;
  void write_split(Module& module, const Schedule& schedule, const Chain& ahead, const Chain& behind) const;

  const LineOp& op_;
  Shape shape_;
  std::size_t dim_;
  bool keepdim_;
  NormLayer layer_;
  std::int64_t lines_ = 0;
  std::int64_t length_ = 0;
};

}  // namespace tritonrl::synth
