#include "eval/interval_chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string_view>

namespace tritonrl::eval {
namespace {

using testing::HasSubstr;
using testing::Not;

// Elements that are closed out of turn or never; empty where all is in order.
std::string unbalanced(std::string_view svg) {
  std::vector<std::string> open;
  for (std::size_t at = svg.find('<'); at != std::string_view::npos; at = svg.find('<', at + 1)) {
    const std::string_view tag = svg.substr(at + 1, svg.find('>', at) - at - 1);
    if (tag.ends_with('/')) continue;
    const std::string name(tag.substr(0, tag.find(' ')));
    if (!name.starts_with('/')) {
      open.push_back(name);
    } else if (open.empty() || "/" + open.back() != name) {
      return name;
    } else {
      open.pop_back();
    }
  }
  return open.empty() ? "" : open.back();
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

std::vector<IntervalPanel> panels() {
  const std::vector<IntervalRow> rows = {
      {.name = "a<b & c", .interval = {.value = 2, .low = 1, .high = 3}, .values = {1.5, 2.5}},
      {.name = "worse", .interval = {.value = -2, .low = -3, .high = -1}},
      {.name = "even", .interval = {.value = 0.5, .low = -1, .high = 2}},
      {.name = "unknown", .interval = {.value = NAN, .low = NAN, .high = NAN}}};
  return {{.title = "gain", .rows = rows}, {.title = "cost", .rows = rows, .less_is_better = true}};
}

TEST(IntervalChart, IsWellFormedWithARowForEveryIntervalOfEveryPanel) {
  for (const ChartPlace place : {ChartPlace::kPage, ChartPlace::kFile}) {
    const std::string svg = interval_chart(panels(), place);
    EXPECT_EQ(unbalanced(svg), "");
    EXPECT_EQ(count(svg, "class='panel'"), 2);
    EXPECT_EQ(count(svg, "class='row "), 8);
    EXPECT_EQ(count(svg, "class='zero'"), 2);
    EXPECT_EQ(count(svg, "class='bar'"), 6) << "what is no number has no bar";
    EXPECT_EQ(count(svg, "class='one'"), 4);
    EXPECT_THAT(svg, HasSubstr("a&lt;b &amp; c"));
    EXPECT_THAT(svg, HasSubstr("+2.0 [+1.0, +3.0]"));
    EXPECT_THAT(svg, Not(HasSubstr("nan")));
    EXPECT_THAT(svg, Not(HasSubstr(">-0<")));
  }
}

TEST(IntervalChart, ColoursWhatIsSurelyBetterOrWorse) {
  const Interval more{.value = 2, .low = 1, .high = 3};
  const Interval less{.value = -2, .low = -3, .high = -1};
  EXPECT_STREQ(direction(more, false), "good");
  EXPECT_STREQ(direction(more, true), "bad");
  EXPECT_STREQ(direction(less, false), "bad");
  EXPECT_STREQ(direction(less, true), "good");
  EXPECT_STREQ(direction({.value = 1, .low = 0, .high = 2}, false), "even");
  const std::string svg = interval_chart(panels());
  EXPECT_EQ(count(svg, "class='row good'"), 2);
  EXPECT_EQ(count(svg, "class='row bad'"), 2);
}

TEST(IntervalChart, AsAFileBringsItsStyleAlong) {
  const std::string file = interval_chart(panels(), ChartPlace::kFile);
  EXPECT_THAT(file, HasSubstr("xmlns='http://www.w3.org/2000/svg'"));
  EXPECT_THAT(file, HasSubstr("prefers-color-scheme: dark"));
  EXPECT_THAT(interval_chart(panels()), Not(HasSubstr("<style>")));
}

}  // namespace
}  // namespace tritonrl::eval
