#include "apps/interrupt.h"

#include <unistd.h>

#include <csignal>
#include <string_view>

namespace tritonrl::apps {
namespace {

volatile std::sig_atomic_t asked = 0;

extern "C" void ask_for_end(int signal) {
  if (asked != 0) return;
  asked = signal;
  constexpr std::string_view kMessage = "\ntritonrl: finishes the step and saves; again to end at once\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kMessage.data(), kMessage.size());
}

}  // namespace

void watch_interrupts() {
  struct sigaction action{};
  action.sa_handler = ask_for_end;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
}

bool interrupted() { return asked != 0; }

void pass_interrupt_on(pid_t process) { ::kill(process, asked == SIGINT ? SIGTERM : SIGINT); }

}  // namespace tritonrl::apps
