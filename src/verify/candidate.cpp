#include "verify/candidate.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "base/error.h"

namespace tritonrl::verify {
namespace {

using base::Json;

// Values refer to tensors by their place among them; the guest knows them by other numbers.
Json renumbered(const Json& structure, const std::vector<int>& numbers) {
  Json copy = structure;
  const auto visit = [&](auto&& self, Json& node) -> void {
    if (node.is_object() && node.contains("tensor")) {
      node["tensor"] = numbers.at(node.at("tensor").get<std::size_t>());
      return;
    }
    if (node.is_object() && node.contains("value")) return;
    if (node.is_structured()) {
      for (auto& item : node) self(self, item);
    }
  };
  visit(visit, copy);
  return copy;
}

}  // namespace

void CandidateProcess::start_again() {
  process_.reset();  // the new one may need its memory
  *this = CandidateProcess(std::move(start_));
}

void CandidateProcess::begin() {
  const auto answer = process_->command({{"do", "begin"}}, "crash");
  if (const auto* failure = std::get_if<GuestFailure>(&answer)) {
    throw base::HostError("a process for a candidate did not start: " + failure->message, base::Retry::kYes);
  }
}

std::optional<GuestFailure> CandidateProcess::import(const std::string& code, const std::string& entry) {
  auto answer = process_->command({{"do", "import"}, {"code", code}, {"entry", entry}}, "import-error");
  if (auto* failure = std::get_if<GuestFailure>(&answer)) return std::move(*failure);
  return std::nullopt;
}

std::variant<std::vector<CandidateProcess::Placed>, GuestFailure> CandidateProcess::allocate(
    const OracleValues& values, std::vector<int>& numbers) {
  Json wanted = Json::array();
  numbers.clear();
  for (const OracleTensor& tensor : values.tensors) {
    Json form = tensor.form;
    numbers.push_back(next_number_++);
    form["number"] = numbers.back();
    wanted.push_back(std::move(form));
  }
  std::vector<Placed> places;
  if (wanted.empty()) return places;
  auto answer = process_->command({{"do", "allocate"}, {"tensors", wanted}}, "run-error");
  if (auto* failure = std::get_if<GuestFailure>(&answer)) return std::move(*failure);
  const Json& addresses = std::get<Json>(answer).at("addresses");
  if (!addresses.is_array() || addresses.size() != values.tensors.size()) {
    return GuestFailure{.rule = "channel-forged", .message = "the process did not allocate its inputs"};
  }
  for (std::size_t n = 0; n < values.tensors.size(); ++n) {
    const auto bytes = span_bytes(values.tensors[n].view).value_or(0);
    const auto address = addresses[n].get<std::uint64_t>();
    if (bytes > 0 && !process_->device().allocation(address, bytes)) {
      return GuestFailure{.rule = "channel-forged", .message = "the process has no memory where it says an input is"};
    }
    places.push_back({.address = address,
                      .bytes = bytes,
                      .form = values.tensors[n].form,
                      .written = {},
                      .name = fmt::format("input {}", n),
                      .checked = true});
    write(places.back(), values.tensors[n]);
  }
  return places;
}

void CandidateProcess::write(Placed& place, const OracleTensor& tensor) {
  if (place.bytes == 0) return;
  GuestDevice& device = process_->device();
  device.memory().copy(device.at(place.address, place.bytes), tensor.view.data, place.bytes);
  device.mark_defined(place.address, place.bytes);
  place.written = device.memory().snapshot(tensor.view.data, place.bytes);
}

bool CandidateProcess::unchanged(const Placed& place) const {
  GuestDevice& device = process_->device();
  return place.bytes == 0 || device.memory().same(device.at(place.address, place.bytes), place.written);
}

std::optional<GuestFailure> CandidateProcess::construct(const OracleCase& made) {
  std::vector<int> numbers;
  auto placed = allocate(made.init, numbers);
  if (auto* failure = std::get_if<GuestFailure>(&placed)) return std::move(*failure);
  init_ = std::get<std::vector<Placed>>(std::move(placed));
  auto answer = process_->command(
      {{"do", "construct"}, {"init", renumbered(made.init.structure, numbers)}, {"seed", made.construct_seed}},
      "init-error");
  if (auto* failure = std::get_if<GuestFailure>(&answer)) {
    if (failure->rule == "wrong-structure") failure->rule = "parameters-unmatched";  // more than can be handed over
    return std::move(*failure);
  }
  described_state_.clear();
  for (const Json& described : std::get<Json>(answer).at("state")) {
    if (!process_->tensor(described)) {
      return GuestFailure{.rule = "channel-forged",
                          .message = "the process has no memory where it says a parameter is"};
    }
    described_state_.push_back(described);
  }
  return std::nullopt;
}

Binding CandidateProcess::bind_state(const std::vector<NamedTensor>& state) {
  Binding binding;
  state_.clear();
  std::vector<const Json*> free;
  for (const Json& described : described_state_) free.push_back(&described);
  const auto fits = [](const Json& place, const NamedTensor& tensor) {
    return place.at("shape") == tensor.tensor.form.at("shape") && place.at("dtype") == tensor.tensor.form.at("dtype");
  };
  const auto bind = [&](std::vector<const Json*>::iterator at, const NamedTensor& tensor) {
    const auto view = *process_->tensor(**at);
    // Values cross row by row: the candidate may hold a parameter in other strides.
    Placed place{.address = (**at).at("address").get<std::uint64_t>(),
                 .bytes = span_bytes(view).value_or(0),
                 .form = tensor.tensor.form,
                 .written = {},
                 .name = tensor.name,
                 .checked = tensor.parameter};
    if ((**at).at("strides") == tensor.tensor.form.at("strides")) {
      write(place, tensor.tensor);
      state_.push_back(std::move(place));
    } else {
      binding.unbound.push_back(tensor.name);
    }
    free.erase(at);
  };
  std::vector<const NamedTensor*> left;
  for (const NamedTensor& tensor : state) {
    const auto same = std::ranges::find_if(
        free, [&](const Json* place) { return (*place).at("name") == tensor.name && fits(*place, tensor); });
    if (same != free.end()) {
      bind(same, tensor);
      ++binding.by_name;
    } else {
      left.push_back(&tensor);
    }
  }
  // By shape and order, where as many places of a shape are left as there are tensors for them.
  for (const NamedTensor* tensor : left) {
    const auto places = std::ranges::count_if(free, [&](const Json* place) { return fits(*place, *tensor); });
    const auto wanting = std::ranges::count_if(left, [&](const NamedTensor* other) {
      return other->tensor.form.at("shape") == tensor->tensor.form.at("shape") &&
             other->tensor.form.at("dtype") == tensor->tensor.form.at("dtype");
    });
    const auto first = std::ranges::find_if(free, [&](const Json* place) { return fits(*place, *tensor); });
    if (first == free.end() || places > wanting) {
      if (tensor->randomised) binding.unbound.push_back(tensor->name);
      continue;
    }
    bind(first, *tensor);
    ++binding.by_shape;
  }
  return binding;
}

std::optional<GuestFailure> CandidateProcess::set_inputs(int set, const OracleValues& inputs, bool fresh_memory) {
  InputSet& held = sets_[set];
  const auto fits = [&] {
    return held.tensors.size() == inputs.tensors.size() &&
           std::ranges::equal(held.tensors, inputs.tensors, {}, &Placed::form, &OracleTensor::form);
  };
  if (fresh_memory || !fits()) {
    auto placed = allocate(inputs, held.numbers);
    if (auto* failure = std::get_if<GuestFailure>(&placed)) return std::move(*failure);
    held.tensors = std::get<std::vector<Placed>>(std::move(placed));
  } else {
    for (std::size_t n = 0; n < inputs.tensors.size(); ++n) write(held.tensors[n], inputs.tensors[n]);
  }
  held.structure = renumbered(inputs.structure, held.numbers);
  return std::nullopt;
}

std::variant<CallResult, GuestFailure> CandidateProcess::call(int set, bool keep) {
  auto answer = process_->command({{"do", "call"}, {"inputs", sets_.at(set).structure}, {"keep", keep}}, "run-error");
  if (auto* failure = std::get_if<GuestFailure>(&answer)) return std::move(*failure);
  const Json& reply = std::get<Json>(answer);
  const GuestFailure forged{.rule = "channel-forged", .message = "the process described outputs that it does not have"};
  if (!reply.contains("structure") || !reply.contains("tensors") || !reply.at("tensors").is_array()) return forged;
  CallResult result{.structure = reply.at("structure"), .outputs = {}};
  for (const Json& described : reply.at("tensors")) {
    CallResult::Output output;
    output.exact_type = described.value("exact", false);
    output.on_device = described.value("device", "").starts_with("cuda");
    if (output.on_device) {
      auto view = process_->tensor(described);
      if (!view) return forged;
      output.view = *std::move(view);
      output.address = described.at("address").get<std::uint64_t>();
      output.bytes = span_bytes(output.view).value_or(0);
    }
    result.outputs.push_back(std::move(output));
  }
  result.inputs_moved = moved(sets_.at(set), reply.at("inputs"));
  return result;
}

bool CandidateProcess::moved(const InputSet& set, const Json& addresses) const {
  for (const Json& told : addresses) {
    const auto at = std::ranges::find(set.numbers, told.at(0).get<int>());
    if (at == set.numbers.end()) continue;
    const Placed& place = set.tensors[static_cast<std::size_t>(at - set.numbers.begin())];
    if (place.bytes > 0 && told.at(1).get<std::uint64_t>() != place.address) return true;
  }
  return false;
}

std::optional<GuestFailure> CandidateProcess::forget() {
  Json numbers = Json::array();
  for (const auto& [set, held] : sets_) {
    for (const int number : held.numbers) numbers.push_back(number);
  }
  sets_.clear();
  auto answer = process_->command({{"do", "forget"}, {"numbers", numbers}}, "run-error");
  if (auto* failure = std::get_if<GuestFailure>(&answer)) return std::move(*failure);
  return std::nullopt;
}

std::optional<std::string> CandidateProcess::changed_input(int set) const {
  for (const Placed& place : sets_.at(set).tensors) {
    if (!unchanged(place)) return place.name;
  }
  for (const Placed& place : state_) {
    if (place.checked && !unchanged(place)) return "parameter " + place.name;
  }
  return std::nullopt;
}

bool CandidateProcess::overlaps_inputs(std::uint64_t address) const {
  const auto region = process_->device().allocation(address, 1);
  if (!region) return false;
  const auto inside = [&](const Placed& place) {
    return place.bytes > 0 && place.address - region->address < region->bytes;
  };
  return std::ranges::any_of(state_, inside) ||
         std::ranges::any_of(sets_, [&](const auto& item) { return std::ranges::any_of(item.second.tensors, inside); });
}

}  // namespace tritonrl::verify
