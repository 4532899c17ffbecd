#include "base/digest.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace tritonrl::base {
namespace {

TEST(Sha256, MatchesTheStandardsVectors) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_hex(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, AgreesWithItsPortableTwin) {
  Random random(11);
  for (std::size_t length = 0; length < 300; ++length) {
    std::string message;
    for (std::size_t i = 0; i < length; ++i) message.push_back(static_cast<char>(random.next_u32()));
    ASSERT_EQ(hex(sha256(message)), hex(sha256_portable(message))) << length;
  }
}

TEST(HmacSha256, MatchesRfc4231) {
  EXPECT_EQ(hmac_sha256_hex(std::string(20, '\x0b'), "Hi There"),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(hmac_sha256_hex("Jefe", "what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(hmac_sha256_hex(std::string(20, '\xaa'), std::string(50, '\xdd')),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
  EXPECT_EQ(hmac_sha256_hex(std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First"),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST(Hex, WritesEveryByteInTwoDigits) {
  const std::array<std::byte, 3> bytes = {std::byte{0x00}, std::byte{0x0f}, std::byte{0xa5}};
  EXPECT_EQ(hex(bytes), "000fa5");
}

}  // namespace
}  // namespace tritonrl::base
