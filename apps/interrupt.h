#pragma once

namespace tritonrl::apps {

// From now on the first Ctrl-C (or SIGTERM) asks for an end in good order; the next one ends the program.
void watch_interrupts();
bool interrupted();

}  // namespace tritonrl::apps
