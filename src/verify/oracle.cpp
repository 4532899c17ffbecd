#include "verify/oracle.h"

#include <exception>
#include <utility>

#include "base/error.h"
#include "verify/timing.h"

namespace tritonrl::verify {
namespace {

using base::Json;

constexpr std::string_view kBrokenReference = "reference-error";

// What the memory of a reference's process is to hold for later at most.
constexpr std::int64_t kMostReadyBytes = std::int64_t{256} << 20;

std::int64_t elements_of(const Json& shape) {
  std::int64_t elements = 1;
  for (const Json& extent : shape) elements *= extent.get<std::int64_t>();
  return elements;
}

// In fp64, with a spread beside them.
std::int64_t bytes_of(const ReadyCase& ready) {
  std::int64_t elements = 0;
  for (const auto& tensor : ready.made.inputs.tensors) elements += elements_of(tensor.form.at("shape"));
  for (const auto& named : ready.made.state) elements += elements_of(named.tensor.form.at("shape"));
  for (const auto& result : ready.expected.results) elements += elements_of(result.shape);
  return elements * std::int64_t{16};
}

Json load_command(int number, const std::string& source) {
  return {{"do", "load"}, {"source", source}, {"number", number}};
}

}  // namespace

std::variant<Json, Oracle::Broken> Oracle::ask(const Json& command) {
  if (!process_) {
    process_ = start_();
    for (const auto& [number, source] : sources_) {
      auto answer = ask(load_command(number, source));
      if (std::holds_alternative<Broken>(answer)) return answer;
    }
  }
  auto answer = process_->command(command, kBrokenReference);
  if (auto* failure = std::get_if<GuestFailure>(&answer)) {
    if (failure->ended) {
      process_.reset();
      ready_.clear();
      ready_bytes_ = 0;
    }
    const bool out_of_memory = failure->rule == "memory-limit";
    if (out_of_memory && share_) throw ShortOfMemory(failure->message);
    return Broken{.message = std::move(failure->message), .ended = failure->ended, .out_of_memory = out_of_memory};
  }
  return std::get<Json>(std::move(answer));
}

void Oracle::begin() { ask({{"do", "begin"}}); }

std::unique_ptr<GuestProcess> Oracle::release() {
  if (!process_) return nullptr;
  try {
    const auto answer = ask({{"do", "forget"}});
    if (std::holds_alternative<Json>(answer) && std::get<Json>(answer).at("clean").get<bool>())
      return std::move(process_);
  } catch (const std::exception&) {  // what it leaves behind is no verdict
  }
  process_.reset();
  return nullptr;
}

OracleTensor Oracle::take_tensor(const Json& described) {
  auto view = process_->tensor(described);
  if (!view) throw base::HostError("the reference's process described memory that it does not have");
  return {.form = {{"dtype", described.at("dtype")},
                   {"shape", described.at("shape")},
                   {"strides", described.at("strides")}},
          .view = *std::move(view)};
}

OracleValues Oracle::take_values(const Json& values) {
  OracleValues taken{.structure = values.at("structure"), .tensors = {}};
  for (const Json& described : values.at("tensors")) taken.tensors.push_back(take_tensor(described));
  return taken;
}

std::string Oracle::source_at(const task::Variant& sizes) const {
  return sizes.empty() ? task_.source : task::rewritten_source(task_, sizes);
}

std::variant<Oracle::Work, Oracle::Broken> Oracle::weigh(const task::Variant& sizes) {
  auto answer = ask({{"do", "weigh"}, {"source", source_at(sizes)}});
  if (auto* broken = std::get_if<Broken>(&answer)) return std::move(*broken);
  const Json& said = std::get<Json>(answer);
  Work work{.flops = said.at("flops").get<double>(), .bytes = said.at("bytes").get<double>()};
  if (const auto& columns = said.at("narrowest"); !columns.is_null()) work.narrowest = columns.get<std::int64_t>();
  return work;
}

std::optional<Oracle::Broken> Oracle::add(int number, const task::Variant& sizes) {
  const std::string source = source_at(sizes);
  if (const auto loaded = sources_.find(number); process_ && loaded != sources_.end() && loaded->second == source) {
    return std::nullopt;
  }
  auto answer = ask(load_command(number, source));
  if (auto* broken = std::get_if<Broken>(&answer)) return std::move(*broken);
  sources_.insert_or_assign(number, source);
  return std::nullopt;
}

std::variant<OracleCase, Oracle::Broken> Oracle::make(int number, std::uint64_t seed, std::string_view distribution) {
  auto answer = ask({{"do", "make"}, {"number", number}, {"seed", seed >> 2U}, {"distribution", distribution}});
  if (auto* broken = std::get_if<Broken>(&answer)) return std::move(*broken);
  const Json& made = std::get<Json>(answer);
  OracleCase taken{.inputs = take_values(made.at("inputs")),
                   .init = take_values(made.at("init")),
                   .state = take_state(made.at("state")),
                   .construct_seed = made.at("construct_seed").get<std::uint64_t>()};
  return taken;
}

std::vector<NamedTensor> Oracle::take_state(const Json& state) {
  std::vector<NamedTensor> taken;
  for (const Json& described : state) {
    taken.push_back({.name = described.at("name").get<std::string>(),
                     .parameter = described.at("kind") == "parameter",
                     .randomised = described.at("randomised").get<bool>(),
                     .tensor = take_tensor(described)});
  }
  return taken;
}

Oracle::Ready Oracle::ready(int number, std::uint64_t seed, std::string_view distribution) {
  const auto key = std::tuple(sources_.at(number), seed, std::string(distribution));
  if (const auto known = ready_.find(key); known != ready_.end()) return known->second;
  auto made = make_ready(number, seed, distribution);
  const auto* broken = std::get_if<Broken>(&made);
  if (broken != nullptr && broken->ended) return made;
  if (broken == nullptr) {
    const std::int64_t bytes = bytes_of(std::get<ReadyCase>(made));
    if (ready_bytes_ + bytes > kMostReadyBytes) return made;
    if (auto why = hold(static_cast<int>(ready_.size()))) return std::move(*why);
    ready_bytes_ += bytes;
  }
  return ready_.emplace(key, std::move(made)).first->second;
}

Oracle::Ready Oracle::make_ready(int number, std::uint64_t seed, std::string_view distribution) {
  auto made = make(number, seed, distribution);
  if (auto* broken = std::get_if<Broken>(&made)) return std::move(*broken);
  auto found = traits();
  if (auto* broken = std::get_if<Broken>(&found)) return std::move(*broken);
  auto expected = expect(seed + 1);
  if (auto* broken = std::get_if<Broken>(&expected)) return std::move(*broken);
  return ReadyCase{.made = std::get<OracleCase>(std::move(made)),
                   .expected = std::get<Expectation>(std::move(expected))};
}

std::variant<OracleValues, Oracle::Broken> Oracle::poke(std::uint64_t seed) {
  auto answer = ask({{"do", "poke"}, {"seed", seed >> 2U}});
  if (auto* broken = std::get_if<Broken>(&answer)) return std::move(*broken);
  return take_values(std::get<Json>(answer).at("inputs"));
}

std::variant<std::vector<NamedTensor>, Oracle::Broken> Oracle::poke_state(std::uint64_t seed,
                                                                          const std::set<std::string>& unbound) {
  auto answer = ask({{"do", "poke_state"}, {"seed", seed >> 2U}, {"unbound", unbound}});
  if (auto* broken = std::get_if<Broken>(&answer)) return std::move(*broken);
  return take_state(std::get<Json>(answer).at("state"));
}

std::variant<std::vector<std::string>, Oracle::Broken> Oracle::keep_initial(const std::vector<std::string>& names) {
  auto answer = ask({{"do", "keep_initial"}, {"names", names}});
  if (auto* broken = std::get_if<Broken>(&answer)) return std::move(*broken);
  return std::get<Json>(answer).at("constant").get<std::vector<std::string>>();
}

std::variant<Expectation, Oracle::Broken> Oracle::expect(std::uint64_t seed) {
  auto answer = ask({{"do", "expect"}, {"tf32", task_.precision == task::Precision::kTf32}, {"seed", seed >> 2U}});
  if (auto* broken = std::get_if<Broken>(&answer)) return std::move(*broken);
  const Json& said = std::get<Json>(answer);
  Expectation expectation{.structure = said.at("structure"),
                          .results = {},
                          .finite = said.at("finite").get<bool>(),
                          .exact = said.at("fp64").get<bool>(),
                          .aliases_input = said.at("aliases_input").get<bool>(),
                          .narrow = said.at("narrow").get<bool>()};
  for (const Json& result : said.at("results")) {
    ExpectedTensor expected{.dtype = result.at("dtype").get<std::string>(),
                            .shape = result.at("shape").get<std::vector<std::int64_t>>(),
                            .values = take_tensor(result.at("values")).view.data,
                            .spread = nullptr,
                            .alternatives = {}};
    if (result.contains("spread")) {
      expected.spread = reinterpret_cast<const double*>(take_tensor(result.at("spread")).view.data);
    }
    if (result.contains("alternatives")) {
      for (const Json& other : result.at("alternatives")) expected.alternatives.push_back(take_tensor(other).view.data);
    }
    expectation.results.push_back(std::move(expected));
  }
  return expectation;
}

std::variant<std::vector<TensorView>, Oracle::Broken> Oracle::trivial(std::string_view name) {
  auto answer = ask({{"do", "trivial"}, {"name", name}});
  if (auto* broken = std::get_if<Broken>(&answer)) return std::move(*broken);
  std::vector<TensorView> results;
  for (const Json& described : std::get<Json>(answer).at("results")) results.push_back(take_tensor(described).view);
  return results;
}

std::optional<Oracle::Broken> Oracle::remember() {
  auto answer = ask({{"do", "remember"}});
  if (auto* broken = std::get_if<Broken>(&answer)) return std::move(*broken);
  return std::nullopt;
}

std::variant<OracleValues, Oracle::Broken> Oracle::redraw(std::uint64_t seed) {
  auto answer = ask({{"do", "redraw"}, {"seed", seed >> 2U}});
  if (auto* broken = std::get_if<Broken>(&answer)) return std::move(*broken);
  return take_values(std::get<Json>(answer).at("inputs"));
}

std::optional<Oracle::Broken> Oracle::hold(int slot) {
  auto answer = ask({{"do", "hold"}, {"slot", slot}});
  if (auto* broken = std::get_if<Broken>(&answer)) return std::move(*broken);
  return std::nullopt;
}

std::variant<Oracle::Traits, Oracle::Broken> Oracle::traits() {
  if (traits_) return *traits_;
  auto answer = ask({{"do", "traits"}});
  if (auto* broken = std::get_if<Broken>(&answer)) return std::move(*broken);
  const Json& said = std::get<Json>(answer);
  traits_ = Traits{.stateful = said.at("stateful").get<bool>(),
                   .repeats = said.at("repeats").get<bool>(),
                   .random = said.at("random").get<bool>(),
                   .writes_input = said.at("writes_input").get<bool>(),
                   .constant = said.at("constant").get<bool>()};
  return *traits_;
}

std::optional<Oracle::Broken> Oracle::let_go() {
  auto answer = ask({{"do", "let_go"}});
  if (auto* broken = std::get_if<Broken>(&answer)) return std::move(*broken);
  return std::nullopt;
}

std::variant<ReferenceCall, Oracle::Broken> Oracle::time(int slot) {
  if (!process_) return Broken{.message = "the reference ended its process", .ended = true};
  process_->device().take_trace();
  process_->device().set_timed(true);
  auto answer = ask({{"do", "run"}, {"slot", slot}, {"tf32", task_.precision == task::Precision::kTf32}});
  if (process_) process_->device().set_timed(false);
  if (auto* broken = std::get_if<Broken>(&answer)) return std::move(*broken);
  const DeviceTrace trace = process_->device().take_trace();
  if (!trace.timed) throw base::HostError("the reference's process timed nothing", base::Retry::kYes);
  return ReferenceCall{.us = call_us(*trace.timed), .operators = trace.operators.size()};
}

std::variant<const DeviceTrace*, Oracle::Broken> Oracle::trace(int number) {
  const std::string& source = sources_.at(number);
  if (const auto known = traces_.find(source); known != traces_.end()) return &known->second;
  const auto made = make(number, 0, "as-given");
  if (const auto* broken = std::get_if<Broken>(&made)) return *broken;
  process_->device().take_trace();
  auto answer = ask({{"do", "trace"}});
  if (auto* broken = std::get_if<Broken>(&answer)) return std::move(*broken);
  return &traces_.emplace(source, process_->device().take_trace()).first->second;
}

std::variant<Json, Oracle::Broken> Oracle::graph() {
  auto answer = ask({{"do", "graph"}});
  if (auto* broken = std::get_if<Broken>(&answer)) return std::move(*broken);
  return std::get<Json>(std::move(answer)).at("operators");
}

}  // namespace tritonrl::verify
