#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/random.h"

namespace tritonrl::synth {

// What a plan decides. A choice's name says which kernels it is about.
enum class Choice : std::uint8_t {
  kFusion,  // 1: pointwise work stands inside other kernels; 0: each operator has a kernel of its own
  kFlatBlock,
  kFlatWarps,
  kFlatPersistent,  // pointwise kernels
  kRowWidth,
  kRowCount,
  kRowWarps,  // kernels along rows; a width of 0: the whole row at once
  kRowParts,  // parts that a row is cut into, joined by a second launch
  kColumnWidth,
  kColumnDepth,
  kColumnWarps,  // kernels across rows
  kColumnParts,
  kTileM,
  kTileN,
  kTileK,
  kTileWarps,
  kTileStages,  // products
  kTileParts,   // of k
  kPixelBlock,
  kPixelWarps,  // windows, one output a lane
  kTotalForm,
  kTotalBlock,
  kTotalWarps,  // everything to one number: 0 partials, 1 atomics, 2 alone
  kQueryBlock,
  kKeyBlock,
  kAttentionWarps,
  kAttentionStages,  // attention in one kernel
  kMoveRows,
  kMoveColumns,
  kMoveWarps,  // tiles that change their place
  kEnd
};

// Every choice that was made; -1 where a task has nothing to choose.
class Schedule {
 public:
  Schedule() { values_.fill(kUndecided); }
  Schedule(std::initializer_list<std::pair<Choice, int>> choices) : Schedule() {
    for (const auto& [choice, value] : choices) set(choice, value);
  }

  static constexpr int kUndecided = -1;
  static constexpr int kContradictory = -2;  // in code: launches of one kind differ
  int operator[](Choice choice) const { return values_[static_cast<std::size_t>(choice)]; }
  bool decides(Choice choice) const { return (*this)[choice] != kUndecided; }
  void set(Choice choice, int value) { values_[static_cast<std::size_t>(choice)] = value; }
  // Takes over what `other` decides.
  void add(const Schedule& other);
  bool fused() const { return (*this)[Choice::kFusion] == 1; }

  friend bool operator==(const Schedule&, const Schedule&) = default;

 private:
  std::array<int, static_cast<std::size_t>(Choice::kEnd)> values_;
};

std::string_view choice_name(Choice choice);          // "tile_m"
base::Json to_json(const Schedule& schedule);         // {"fusion": 1, "tile_m": 64, ...}
std::string schedule_text(const Schedule& schedule);  // "fusion=1 tile_m=64 ..."

// The sentences of a plan that decide: one for each kind of kernel, in one of several wordings, or in a few words.
std::string decision_sentences(const Schedule& schedule, base::Random& random, bool brief = false);

// The decision in a plan's text, and in the code of a ModelNew. The same text always means the same schedule.
Schedule read_plan(std::string_view plan);
Schedule read_code(std::string_view code);

// The plan with `schedule` as its decision, in the same wording where that can say it; all else stays. Nothing where
// the plan decides nothing.
std::optional<std::string> replace_decision(std::string_view plan, const Schedule& schedule);

// Whether both decide about the same, however.
bool same_choices(const Schedule& a, const Schedule& b);

// Whether code does all that a plan decides.
bool carries_out(const Schedule& code, const Schedule& plan);

}  // namespace tritonrl::synth
