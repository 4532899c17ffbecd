#include <openssl/evp.h>

#include "base/digest.h"
#include "base/error.h"

namespace tritonrl::base {

Digest sha256(std::string_view message) {
  Digest digest;
  unsigned int length = 0;
  const int done = EVP_Digest(message.data(), message.size(), reinterpret_cast<unsigned char*>(digest.data()), &length,
                              EVP_sha256(), nullptr);
  if (done != 1) throw HostError("OpenSSL cannot compute SHA-256");
  check(length == digest.size(), "SHA-256 has 32 bytes");
  return digest;
}

}  // namespace tritonrl::base
