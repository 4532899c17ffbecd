#include "rollout/request.h"

namespace tritonrl::rollout {

std::string_view name_of(Finish finish) { return finish == Finish::kStop ? "stop" : "length"; }

}  // namespace tritonrl::rollout
