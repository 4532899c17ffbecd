#include "sandbox/policy.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace tritonrl::sandbox {
namespace {

TEST(Policy, StartsFromNothing) {
  const Policy policy = Policy::deny_all();
  EXPECT_TRUE(policy.read_paths().empty());
  EXPECT_FALSE(policy.gpu());
  EXPECT_FALSE(policy.code_loading());
  EXPECT_EQ(policy.enforcement(), Enforcement::kRequire);
}

TEST(Policy, ReadsBackFromJsonEqual) {
  const Policy policy = Policy::deny_all()
                            .allow_read("/usr/lib")
                            .allow_read("/opt/a \"b\"")
                            .allow_gpu(3)
                            .allow_code_loading()
                            .limits({.wall_s = 1.5, .cpu_s = 2, .threads = 0})
                            .enforce(Enforcement::kBest);
  EXPECT_EQ(Policy::from_json(policy.to_json(), {}), policy);
  EXPECT_EQ(Policy::from_json(Policy::deny_all().to_json(), {}), Policy::deny_all());
}

TEST(Policy, RefusesJsonItDoesNotKnow) {
  base::Json json = Policy::deny_all().to_json();
  json["allow_everything"] = true;
  EXPECT_THROW(Policy::from_json(json, {}), base::InputError);
  json = Policy::deny_all().to_json();
  json["limits"]["wall_s"] = -1;
  EXPECT_THROW(Policy::from_json(json, {}), base::InputError);
  json = Policy::deny_all().to_json();
  json["read"] = base::Json::array({"relative"});
  EXPECT_THROW(Policy::from_json(json, {}), base::InputError);
}

}  // namespace
}  // namespace tritonrl::sandbox
