#include "task/task_row.h"

#include <fmt/format.h>

#include <utility>

#include "base/text.h"

namespace tritonrl::task {
namespace {

using base::Json;
using base::JsonFields;
using base::Place;

constexpr std::int64_t kMaxLevel = 1000;
constexpr std::size_t kMaxIdBytes = 200;

std::vector<Dimension> read_dimensions(const JsonFields& row, const std::string& key, const Json& object) {
  if (!object.is_object()) row.refuse_type(key, "an object of integers", object);
  std::vector<Dimension> dimensions;
  for (const auto& [name, value] : object.items()) {
    const bool fits =
        value.is_number_integer() && !(value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX);
    if (!fits)
      row.refuse(key, fmt::format("should give integers, but \"{}\" is {}", base::printable(name),
                                  base::printable(value.dump(), 40)));
    if (name.empty()) row.refuse(key, "gives a dimension an empty name");
    dimensions.push_back({.name = name, .value = value.get<std::int64_t>()});
  }
  return dimensions;
}

std::vector<Variant> read_variants(const JsonFields& row, const Json& array) {
  if (!array.is_array()) row.refuse_type("variants", "an array of objects", array);
  std::vector<Variant> variants;
  for (const Json& variant : array) variants.push_back(read_dimensions(row, "variants", variant));
  return variants;
}

Json dimensions_json(const std::vector<Dimension>& dimensions) {
  Json object = Json::object();
  for (const Dimension& dimension : dimensions) object[dimension.name] = dimension.value;
  return object;
}

}  // namespace

std::string_view precision_name(Precision precision) { return precision == Precision::kIeee ? "ieee" : "tf32"; }

Task read_task_row(const Json& row, const Place& where) {
  JsonFields fields(row, where);
  Task task;
  task.where = where;
  task.id = fields.text("id");
  const bool printable_id = base::printable(task.id, kMaxIdBytes) == task.id;
  if (task.id.empty() || !printable_id) fields.refuse("id", "must be 1 to 200 printable bytes");
  const std::int64_t level = fields.optional_integer("level").value_or(0);
  if (level < 0 || level > kMaxLevel) fields.refuse("level", fmt::format("must lie between 0 and {}", kMaxLevel));
  task.level = static_cast<int>(level);
  task.source = fields.text("source");
  task.origin = fields.optional_text("origin").value_or("");
  if (const Json* dims = fields.optional_value("dims")) task.dims = read_dimensions(fields, "dims", *dims);
  if (const Json* variants = fields.optional_value("variants")) task.variants = read_variants(fields, *variants);
  const std::string precision = fields.optional_text("precision").value_or("tf32");
  if (precision != "tf32" && precision != "ieee") {
    fields.refuse("precision",
                  fmt::format("should be \"tf32\" or \"ieee\", found \"{}\"", base::printable(precision, 40)));
  }
  task.precision = precision == "ieee" ? Precision::kIeee : Precision::kTf32;
  task.tolerance = fields.optional_number("tolerance");
  if (task.tolerance && !(*task.tolerance > 0.0)) fields.refuse("tolerance", "must be above 0");
  task.graph = fields.optional_text("graph").value_or("");
  fields.finish();
  return task;
}

std::string task_row(const Task& task) {
  Json row = {{"id", task.id}, {"level", task.level}, {"source", task.source}, {"origin", task.origin}};
  row["dims"] = dimensions_json(task.dims);
  row["variants"] = Json::array();
  for (const Variant& variant : task.variants) row["variants"].push_back(dimensions_json(variant));
  row["precision"] = precision_name(task.precision);
  if (task.tolerance) row["tolerance"] = *task.tolerance;
  if (!task.graph.empty()) row["graph"] = task.graph;
  return base::json_line(row);
}

}  // namespace tritonrl::task
