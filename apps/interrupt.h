#pragma once

#include <sys/types.h>

namespace tritonrl::apps {

// From now on the first Ctrl-C (or SIGTERM) asks for an end in good order; the next one ends the program.
void watch_interrupts();
bool interrupted();

// Asks another process of this program for the same. By the other signal: a terminal may have sent it ours already, and
// the same one twice would end it.
void pass_interrupt_on(pid_t process);

}  // namespace tritonrl::apps
