#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ttir/machine/step.h"
#include "ttir/memory/memory_view.h"

namespace tritonrl::ttir {

using Steps = std::vector<std::unique_ptr<Step>>;

struct SlotPlace {
  std::uint64_t offset_bytes = 0;
  std::uint64_t bytes = 0;
};

struct Constant {
  SlotId slot = 0;
  std::vector<std::byte> lanes;
};

// A kernel as the machine runs it.
struct Code {
  std::string name;
  Steps prologue;  // what is the same for every program: runs once a frame
  Steps body;

  std::vector<SlotPlace> slots;
  std::uint64_t frame_bytes = 0;
  std::vector<Constant> constants;

  std::vector<Parameter> parameters;
  std::vector<Type> parameter_types;
  std::vector<SlotId> parameter_slots;
  std::vector<LocationId> parameter_locations;
  std::vector<Location> locations;

  std::vector<AccessSite> sites;
  std::vector<std::int32_t> stored_arguments;  // the parameters that stores go to; -1 among them: unknown targets
  bool synchronises = false;                   // has atomics or volatile loads
  bool can_wait = false;                       // and a loop that may wait for another program
  std::uint64_t program_cost = 0;              // lanes that one program touches, loops counted once
};

// Lays out `module`'s kernel. UnsupportedError for what the machine lacks.
Code lower(const Module& module);

}  // namespace tritonrl::ttir
