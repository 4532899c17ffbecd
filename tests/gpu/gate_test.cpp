#include "gpu/gate.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

namespace tritonrl::gpu {
namespace {

constexpr int kNoDevice = 77;  // a lock of the tests' own

TEST(GateTest, ManyShareAndOneIsAlone) {
  Gate gate(kNoDevice);
  std::optional<Gate::Guard> first = gate.share();
  std::optional<Gate::Guard> second = gate.share();
  std::atomic<bool> alone = false;
  std::jthread waiting([&] {
    const Gate::Guard guard = gate.alone();
    alone = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(alone);
  first.reset();
  second.reset();
  waiting.join();
  EXPECT_TRUE(alone);
}

TEST(GateTest, WhoWaitsToBeAloneKeepsOthersOut) {
  Gate gate(kNoDevice);
  std::optional<Gate::Guard> holder = gate.share();
  std::atomic<int> order = 0;
  int alone_at = 0;
  int shared_at = 0;
  std::jthread alone([&] {
    const Gate::Guard guard = gate.alone();
    alone_at = ++order;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  std::jthread shared([&] {
    const Gate::Guard guard = gate.share();
    shared_at = ++order;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(order, 0);
  holder.reset();
  alone.join();
  shared.join();
  EXPECT_EQ(alone_at, 1);
  EXPECT_EQ(shared_at, 2);
}

TEST(GateTest, AllWhoWaitToBeAloneGoBeforeAnyoneShares) {
  Gate gate(kNoDevice);
  std::optional<Gate::Guard> holder = gate.share();
  std::atomic<int> order = 0;
  std::atomic<int> last_alone_at = 0;
  std::atomic<int> shared_at = 0;
  const auto be_alone = [&] {
    const Gate::Guard guard = gate.alone();
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    last_alone_at = ++order;
  };
  std::jthread first(be_alone);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  std::jthread shared([&] {
    const Gate::Guard guard = gate.share();
    shared_at = ++order;
  });
  std::jthread second(be_alone);
  std::jthread third(be_alone);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  holder.reset();
  for (auto* each : {&first, &second, &third, &shared}) each->join();
  EXPECT_EQ(last_alone_at, 3);
  EXPECT_EQ(shared_at, 4);
}

TEST(GateTest, WhoWaitsForOtherThingsLetsOthersBeAlone) {
  Gate gate(kNoDevice);
  Gate::Share share(gate);
  std::atomic<bool> alone = false;
  std::jthread waiting([&] {
    const Gate::Guard guard = gate.alone();
    alone = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(alone);
  const bool before_it_came_back = share.without([&] {
    waiting.join();
    return alone.load();
  });
  EXPECT_TRUE(before_it_came_back);
  alone = false;
  waiting = std::jthread([&] {
    const Gate::Guard guard = gate.alone();
    alone = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(alone) << "it has its share again";
  share.without([&] {
    waiting.join();
    return 0;
  });
}

}  // namespace
}  // namespace tritonrl::gpu
