#include "verify/compiler.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "base/error.h"
#include "verify/compiler_process.h"

namespace tritonrl::verify {
namespace {

using base::Json;

constexpr std::size_t kMostKnown = 4096;
constexpr int kTries = 2;  // a process may have died, or been held up, by an earlier kernel or a hand from outside

CompileResult result_of(const std::string& answer) {
  const std::size_t line_end = answer.find('\n');
  Json head = base::parse_json(std::string_view(answer).substr(0, line_end), {.file = "compiler"});
  if (head.contains("refused")) {
    return CompileRefusal{.message = head.at("refused").get<std::string>(),
                          .resources = head.value("resources", false)};
  }
  CompiledKernel kernel{.name = head.at("name").get<std::string>(),
                        .registers = head.at("registers").get<std::uint64_t>(),
                        .spill_bytes = head.at("spill_bytes").get<std::uint64_t>(),
                        .shared_bytes = head.at("shared_bytes").get<std::uint64_t>(),
                        .head = {},
                        .cubin = answer.substr(line_end + 1)};
  kernel.head = std::move(head);
  return kernel;
}

}  // namespace

// A queue, and a thread for each process.
class Compiler::Pool {
 public:
  explicit Pool(CompilerConfig config) : config_(std::move(config)) {
    for (unsigned n = 0; n < std::max(1U, config_.processes); ++n) {
      threads_.emplace_back([this](const std::stop_token& stop) { work(stop); });
    }
  }

  PendingCompile add(std::string request) {
    const std::string key = base::sha256_hex(request);
    const std::scoped_lock lock(mutex_);
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    if (known_.size() >= kMostKnown) known_.clear();
    Job job{.request = std::move(request), .promise = {}};
    PendingCompile pending = job.promise.get_future().share();
    known_.emplace(key, pending);
    jobs_.push_back(std::move(job));
    waiting_.notify_one();
    return pending;
  }

 private:
  struct Job {
    std::string request;
    std::promise<std::shared_ptr<const CompileResult>> promise;
  };

  void work(const std::stop_token& stop) {
    std::optional<CompilerProcess> process;
    while (auto job = next(stop)) {
      try {
        job->promise.set_value(std::make_shared<const CompileResult>(compile(process, job->request)));
      } catch (...) {
        process.reset();
        forget(job->request);
        job->promise.set_exception(std::current_exception());
      }
    }
  }

  std::optional<Job> next(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    if (!waiting_.wait(lock, stop, [this] { return !jobs_.empty(); })) return std::nullopt;
    Job job = std::move(jobs_.front());
    jobs_.pop_front();
    return job;
  }

  CompileResult compile(std::optional<CompilerProcess>& process, const std::string& request) {
    auto silence = CompilerProcess::Silence::kEnded;
    for (int left = kTries; left > 0; --left) {
      if (!process) process.emplace(config_);
      const auto answer = process->ask(request, config_.patience_s);
      if (const auto* text = std::get_if<std::string>(&answer)) return result_of(*text);
      process.reset();
      silence = std::get<CompilerProcess::Silence>(answer);
    }
    return CompileRefusal{.message = silence == CompilerProcess::Silence::kTimedOut
                                         ? "the compiler did not finish this kernel in time"
                                         : "the compiler crashes on this kernel"};
  }

  // A failure of the machine is not a fact about the kernel.
  void forget(const std::string& request) {
    const std::scoped_lock lock(mutex_);
    known_.erase(base::sha256_hex(request));
  }

  CompilerConfig config_;
  std::mutex mutex_;
  std::condition_variable_any waiting_;
  std::deque<Job> jobs_;
  std::map<std::string, PendingCompile> known_;
  std::vector<std::jthread> threads_;  // last: they use all the rest
};

Compiler::Compiler(CompilerConfig config) : pool_(std::make_unique<Pool>(std::move(config))) {}
Compiler::~Compiler() = default;

PendingCompile Compiler::start(const std::string& ttir, const Json& options) {
  return pool_->add(base::json_line({{"options", options}}) + "\n" + ttir);
}

PendingCompile Compiler::start_own(const Json& what) { return pool_->add(base::json_line({{"own", what}}) + "\n"); }

}  // namespace tritonrl::verify
