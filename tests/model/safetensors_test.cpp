#include "model/safetensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "base/error.h"
#include "base/temporary_folder.h"
#include "model/safetensors_writer.h"

namespace tritonrl::model {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string file_with(const std::string& header, std::size_t data_bytes) {
  std::string content;
  for (std::size_t i = 0; i < 8; ++i) content += static_cast<char>(header.size() >> (8 * i));
  return content + header + std::string(data_bytes, 'x');
}

std::string problem_of(const std::string& content) {
  try {
    parse_safetensors(std::as_bytes(std::span(content)), "weights.safetensors");
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Safetensors, ReadsTensorsMetadataAndPaddedHeaders) {
  const std::string content = file_with(
      R"({"__metadata__":{"format":"pt"},"b":{"dtype":"BF16","shape":[2,1],"data_offsets":[4,8]},)"
      R"("a":{"dtype":"F32","shape":[],"data_offsets":[0,4]},"none":{"dtype":"I64","shape":[0,7],"data_offsets":[4,4]}}   )",
      8);
  const auto header = parse_safetensors(std::as_bytes(std::span(content)), "x");
  ASSERT_EQ(header.tensors.size(), 3);
  EXPECT_EQ(header.tensors[0].name, "a");
  EXPECT_EQ(header.tensors[1].name, "none");
  EXPECT_EQ(header.tensors[2].name, "b");
  EXPECT_EQ(header.tensors[2].shape, (std::vector<std::int64_t>{2, 1}));
  EXPECT_EQ(header.tensors[2].bytes.size(), 4);
  EXPECT_EQ(header.metadata.at("format"), "pt");
}

struct Lie {
  const char* header;
  const char* said;
};

TEST(Safetensors, EveryLieOfAHeaderIsAnErrorThatNamesFileAndTensor) {
  const Lie lies[] = {
      {R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", "no error"},
      {R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,16]}})", "past the end"},
      {R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,8]}})", "make 4"},
      {R"({"w":{"dtype":"BF16","shape":[2],"data_offsets":[0,8]}})", "make 4"},
      {R"({"w":{"dtype":"F33","shape":[2],"data_offsets":[0,8]}})", "unknown dtype 'F33'"},
      {R"({"w":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}})", "no size"},
      {R"({"w":{"dtype":"F32","shape":[2.0],"data_offsets":[0,8]}})", "no size"},
      {R"({"w":{"dtype":"F32","shape":[4294967296,4294967296,4],"data_offsets":[0,8]}})", "overflows"},
      {R"({"w":{"dtype":"F32","shape":[18446744073709551615,0],"data_offsets":[0,8]}})", "overflows"},
      {R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}})", "ends before it begins"},
      {R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0]}})", "no pair"},
      {R"({"w":{"dtype":"F32","shape":[2]}})", "no data_offsets"},
      {R"({"w":{"shape":[2],"data_offsets":[0,8]}})", "no dtype"},
      {R"({"w":{"dtype":"F32","shape":2,"data_offsets":[0,8]}})", "no array of sizes"},
      {R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8],"x":1}})", "unknown field 'x'"},
      {R"({"v":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"w":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
       "overlaps"},
      {R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})", "hole"},
      {R"({"w":7})", "no description"},
  };
  for (const auto& [header, said] : lies) {
    const std::string problem = problem_of(file_with(header, 8));
    EXPECT_THAT(problem, HasSubstr(said)) << header;
    if (std::string(said) != "no error") {
      EXPECT_THAT(problem, AllOf(HasSubstr("weights.safetensors"), HasSubstr("'w'"))) << header;
    }
  }
}

TEST(Safetensors, RefusesFilesThatAreCutOffOrNoneAtAll) {
  const std::string whole = file_with(R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", 8);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_NE(problem_of(whole.substr(0, size)), "no error") << size;
  }
  EXPECT_THAT(problem_of(whole + "y"), HasSubstr("1 bytes that belong to no tensor"));
  EXPECT_THAT(problem_of(std::string(8, '\xff')), HasSubstr("claims"));
  EXPECT_THAT(problem_of(file_with("[1]", 0)), HasSubstr("no JSON object"));
  EXPECT_THAT(problem_of(file_with("{", 0)), HasSubstr("no JSON"));
  EXPECT_THAT(problem_of(file_with(R"({"__metadata__":{"a":1}})", 0)), HasSubstr("__metadata__"));
}

std::vector<TensorToStore> two_tensors(const std::vector<float>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {
      {.name = "a", .dtype = "F32", .shape = {3}, .size_bytes = 12, .bytes = [=] { return bytes.subspan(0, 12); }},
      {.name = "b", .dtype = "F32", .shape = {1, 2}, .size_bytes = 8, .bytes = [=] { return bytes.subspan(12, 8); }}};
}

std::string problem_of_folder(const std::filesystem::path& folder) {
  try {
    const StoredWeights weights(folder);
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(StoredWeights, GivesBackWhatWasWrittenWholeOrInShards) {
  const std::vector<float> values{1, 2, 3, 4, 5};
  for (const std::size_t shard_bytes : {std::size_t{1}, std::size_t{1000}}) {
    const base::TemporaryFolder folder("weights");
    write_weights(folder.path(), two_tensors(values), shard_bytes);
    const StoredWeights weights(folder.path());
    ASSERT_EQ(weights.all().size(), 2);
    const StoredTensor* b = weights.find("b");
    ASSERT_NE(b, nullptr);
    EXPECT_EQ(b->shape, (std::vector<std::int64_t>{1, 2}));
    EXPECT_EQ(*reinterpret_cast<const float*>(b->bytes.data()), 4);
    EXPECT_EQ(weights.find("c"), nullptr);
    EXPECT_EQ(weights.file_of(*b).filename(),
              shard_bytes == 1 ? "model-00002-of-00002.safetensors" : "model.safetensors");
  }
}

TEST(StoredWeights, NamesTheShardThatIsMissingAndTheTensorThatIsNotWhereTheIndexSays) {
  const std::vector<float> values{1, 2, 3, 4, 5};
  const base::TemporaryFolder folder("weights");
  EXPECT_THAT(problem_of_folder(folder.path()), HasSubstr("neither model.safetensors nor"));
  write_weights(folder.path(), two_tensors(values), 1);
  const auto index = folder.path() / "model.safetensors.index.json";
  const auto say = [&](const std::string& map) {
    std::ofstream(index) << R"({"metadata":{},"weight_map":)" << map << "}";
    return problem_of_folder(folder.path());
  };
  const std::string first = "model-00001-of-00002.safetensors";
  const std::string second = "model-00002-of-00002.safetensors";
  EXPECT_EQ(say(R"({"a":")" + first + R"(","b":")" + second + "\"}"), "no error");
  EXPECT_THAT(say(R"({"a":")" + first + R"(","b":")" + first + "\"}"), AllOf(HasSubstr(first), HasSubstr("'b'")));
  EXPECT_THAT(say(R"({"a":")" + first + R"(","b":"model-3.safetensors"})"),
              AllOf(HasSubstr("model-3.safetensors"), HasSubstr("is missing")));
  EXPECT_THAT(say(R"({"a":"../a.safetensors"})"), HasSubstr("no file beside it"));
  EXPECT_THAT(say(R"({"a":7})"), HasSubstr("'a'"));
  EXPECT_THAT(say("[]"), HasSubstr("no weight_map"));
  std::filesystem::resize_file(folder.path() / second, 20);
  EXPECT_THAT(say(R"({"a":")" + first + R"(","b":")" + second + "\"}"), HasSubstr(second));
}

}  // namespace
}  // namespace tritonrl::model
