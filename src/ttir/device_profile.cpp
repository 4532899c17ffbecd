#include "ttir/device_profile.h"

#include "base/config.h"
#include "base/error.h"
#include "ttir/data/h200.toml.h"

namespace tritonrl::ttir {
namespace {

void declare(base::ConfigFields& fields, DeviceProfile& profile) {
  const auto positive = [](base::ConfigFields& in, const std::string& name, auto& value) {
    in.field(name, value);
    in.require(value > 0, name, "must be given, and above 0");
  };
  fields.field("name", profile.name);
  positive(fields, "architecture", profile.architecture);
  positive(fields, "multiprocessors", profile.multiprocessors);
  positive(fields, "shared_memory_bytes", profile.shared_memory_bytes);
  positive(fields, "registers_per_multiprocessor", profile.registers_per_multiprocessor);
  positive(fields, "memory_bytes", profile.memory_bytes);
  positive(fields, "dram_bytes_per_s", profile.dram_bytes_per_s);
  positive(fields, "l2_bytes_per_s", profile.l2_bytes_per_s);
  positive(fields, "l2_bytes", profile.l2_bytes);
  positive(fields, "launch_us", profile.launch_us);
  positive(fields, "call_us", profile.call_us);
  fields.section("operations_per_s", [&](base::ConfigFields& section) {
    DeviceProfile::Operations& operations = profile.operations_per_s;
    positive(section, "integer", operations.integer);
    positive(section, "float32", operations.float32);
    positive(section, "float64", operations.float64);
    positive(section, "float16", operations.float16);
    positive(section, "special", operations.special);
    positive(section, "conversion", operations.conversion);
    positive(section, "dot_float64", operations.dot_float64);
    positive(section, "dot_float32", operations.dot_float32);
    positive(section, "dot_tf32", operations.dot_tf32);
    positive(section, "dot_16_bit", operations.dot_16_bit);
    positive(section, "dot_8_bit", operations.dot_8_bit);
  });
  fields.section("schedule", [&](base::ConfigFields& section) {
    DeviceProfile::Schedule& schedule = profile.schedule;
    positive(section, "programs_per_s", schedule.programs_per_s);
    positive(section, "program_us", schedule.program_us);
    positive(section, "memory_wait_us", schedule.memory_wait_us);
    positive(section, "overlapped_trips", schedule.overlapped_trips);
    positive(section, "unstaged_waits", schedule.unstaged_waits);
    positive(section, "combination_us", schedule.combination_us);
    positive(section, "load_lines_per_s", schedule.load_lines_per_s);
    positive(section, "store_lines_per_s", schedule.store_lines_per_s);
    positive(section, "atomic_sectors_per_s", schedule.atomic_sectors_per_s);
    positive(section, "spill_bytes_per_s", schedule.spill_bytes_per_s);
    positive(section, "dot_bytes_per_s", schedule.dot_bytes_per_s);
    positive(section, "blend", schedule.blend);
  });
  fields.section("torch", [&](base::ConfigFields& section) {
    DeviceProfile::Torch& torch = profile.torch;
    positive(section, "launch_us", torch.launch_us);
    positive(section, "product_us", torch.product_us);
    positive(section, "streaming", torch.streaming);
    positive(section, "gathering", torch.gathering);
    positive(section, "spatial", torch.spatial);
    positive(section, "scanning", torch.scanning);
    positive(section, "products", torch.products);
    positive(section, "convolutions", torch.convolutions);
  });
}

DeviceProfile read(const base::ConfigSource& source) {
  DeviceProfile profile;
  source.read([&](base::ConfigFields& fields) { declare(fields, profile); });
  return profile;
}

}  // namespace

DeviceProfile device_profile(const std::string& name) {
  const bool embedded = name == "h200";
  if (!embedded && name.find_first_of("./") == std::string::npos)
    throw base::InputError({.file = name}, "there is no device profile of this name",
                           "use h200, or give the path of a TOML file like src/ttir/data/h200.toml");
  return embedded ? device_profile_from_text(std::string(kH200)) : read(base::ConfigSource::from_file(name));
}

DeviceProfile device_profile_from_text(const std::string& toml) {
  return read(base::ConfigSource::from_text(toml, "h200.toml"));
}

}  // namespace tritonrl::ttir
