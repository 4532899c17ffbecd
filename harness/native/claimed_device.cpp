#include "claimed_device.h"

#include <atomic>
#include <new>
#include <typeinfo>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>

#include "memory.h"

namespace tritonrl::device {
namespace {

std::atomic<double> g_modelled_us{0.0};
std::atomic<c10::StreamId> g_streams{0};
thread_local c10::StreamId t_stream = 0;

const c10::Device kCuda(c10::DeviceType::CUDA, 0);

struct Event {
  double us = 0.0;
};

// Work is done when it is asked for, so every stream is always idle and every event has happened.
class Guard final : public c10::impl::DeviceGuardImplInterface {
 public:
  c10::DeviceType type() const override { return c10::DeviceType::CUDA; }
  c10::Device exchangeDevice(c10::Device device) const override {
    check_index(device.index());
    return kCuda;
  }
  c10::Device getDevice() const override { return kCuda; }
  void setDevice(c10::Device device) const override { check_index(device.index()); }
  void uncheckedSetDevice(c10::Device /*device*/) const noexcept override {}
  c10::DeviceIndex deviceCount() const noexcept override { return 1; }

  c10::Stream getStream(c10::Device /*device*/) const override { return stream(t_stream); }
  c10::Stream getDefaultStream(c10::Device /*device*/) const override { return stream(0); }
  c10::Stream getStreamFromGlobalPool(c10::Device device, bool /*high*/) const override { return getNewStream(device); }
  c10::Stream getNewStream(c10::Device device, int /*priority*/ = 0) const override {
    check_index(device.index());
    return stream(++g_streams);
  }
  c10::Stream exchangeStream(c10::Stream next) const override {
    const auto previous = stream(t_stream);
    t_stream = next.id();
    return previous;
  }
  bool queryStream(const c10::Stream& /*stream*/) const override { return true; }
  void synchronizeStream(const c10::Stream& /*stream*/) const override {}
  void synchronizeDevice(c10::DeviceIndex /*index*/) const override {}

  void record(void** event, const c10::Stream& /*stream*/, c10::DeviceIndex /*index*/,
              c10::EventFlag /*flag*/) const override {
    if (*event == nullptr) *event = new Event;
    static_cast<Event*>(*event)->us = modelled_us();
  }
  void block(void* /*event*/, const c10::Stream& /*stream*/) const override {}
  bool queryEvent(void* /*event*/) const override { return true; }
  void synchronizeEvent(void* /*event*/) const override {}
  void destroyEvent(void* event, c10::DeviceIndex /*index*/) const noexcept override {
    delete static_cast<Event*>(event);
  }
  double elapsedTime(void* begin, void* end, c10::DeviceIndex /*index*/) const override {
    return (static_cast<Event*>(end)->us - static_cast<Event*>(begin)->us) / 1000.0;
  }

 private:
  static c10::Stream stream(c10::StreamId id) { return c10::Stream(c10::Stream::UNSAFE, kCuda, id); }
};

class Generator final : public c10::GeneratorImpl {
 public:
  explicit Generator(at::Generator host)
      : c10::GeneratorImpl(kCuda, c10::DispatchKeySet(c10::DispatchKey::CUDA)), host_(std::move(host)) {}

  const at::Generator& host() const { return host_; }

  void set_current_seed(std::uint64_t seed) override { host_.set_current_seed(seed); }
  void set_offset(std::uint64_t offset) override { host_.set_offset(offset); }
  std::uint64_t get_offset() const override { return host_.get_offset(); }
  std::uint64_t current_seed() const override { return host_.current_seed(); }
  std::uint64_t seed() override { return host_.seed(); }
  void set_state(const c10::TensorImpl& state) override { host_.unsafeGetGeneratorImpl()->set_state(state); }
  c10::intrusive_ptr<c10::TensorImpl> get_state() const override { return host_.unsafeGetGeneratorImpl()->get_state(); }

 private:
  Generator* clone_impl() const override { return new Generator(host_.clone()); }

  at::Generator host_;
};

at::Generator new_generator() {
  return at::Generator(c10::make_intrusive<Generator>(at::detail::createCPUGenerator()));
}

class Hooks final : public at::CUDAHooksInterface {
 public:
  void init() const override {}
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return true; }
  bool hasCUDA() const override { return true; }
  bool hasPrimaryContext(c10::DeviceIndex /*index*/) const override { return true; }
  int getNumGPUs() const override { return 1; }
  c10::DeviceIndex deviceCount() const override { return 1; }
  c10::DeviceIndex current_device() const override { return 0; }
  c10::DeviceIndex getCurrentDevice() const override { return 0; }
  void setCurrentDevice(c10::DeviceIndex index) const override { check_index(index); }
  c10::DeviceIndex exchangeDevice(c10::DeviceIndex index) const override {
    check_index(index);
    return 0;
  }
  c10::DeviceIndex maybeExchangeDevice(c10::DeviceIndex index) const override { return exchangeDevice(index); }
  void deviceSynchronize(c10::DeviceIndex /*index*/) const override {}

  const at::Generator& getDefaultGenerator(c10::DeviceIndex index) const override {
    check_index(index);
    return default_generator();
  }
  at::Generator getNewGenerator(c10::DeviceIndex index) const override {
    check_index(index);
    return new_generator();
  }
  c10::Device getDeviceFromPtr(void* /*data*/) const override { return kCuda; }
  bool isPinnedPtr(const void* data) const override { return is_pinned(data); }
  c10::Allocator* getPinnedMemoryAllocator() const override { return pinned_allocator(); }
  c10::Allocator* getCUDADeviceAllocator() const override { return cuda_allocator(); }
};

}  // namespace

void check_index(c10::DeviceIndex index) {
  constexpr int kInvalidDevice = 101;  // of cudaError_t
  if (index > 0)
    throw c10::AcceleratorError({__func__, __FILE__, __LINE__}, kInvalidDevice, "CUDA error: invalid device ordinal");
}

bool install_device() {
  // Importing torch asks for the hooks of CUDA, finds none and keeps an empty object of the base class for ever. Ours
  // take its place: same size, no data.
  static_assert(sizeof(Hooks) == sizeof(at::CUDAHooksInterface));
  auto& hooks = const_cast<at::CUDAHooksInterface&>(at::detail::getCUDAHooks());
  if (typeid(hooks) != typeid(at::CUDAHooksInterface)) return false;
  new (&hooks) Hooks;
  // Leaked, as torch asks of guards.
  const c10::impl::DeviceGuardImplRegistrar registrar(c10::DeviceType::CUDA, new Guard);
  return true;
}

const at::Generator& default_generator() {
  static auto* instance = new at::Generator(new_generator());
  return *instance;
}

at::Generator host_generator(const at::Generator& generator) {
  auto* ours = dynamic_cast<Generator*>(generator.unsafeGetGeneratorImpl());
  return ours == nullptr ? at::Generator() : ours->host();
}

double modelled_us() { return g_modelled_us.load(std::memory_order_relaxed); }
void advance(double microseconds) { g_modelled_us.fetch_add(microseconds, std::memory_order_relaxed); }

}  // namespace tritonrl::device
