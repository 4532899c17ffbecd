#pragma once

#include <filesystem>

namespace tritonrl::data {

// Writes the rows of a Parquet file as JSONL, through harness/parquet_rows.py. InputError for a file that is damaged,
// and where Python lacks pyarrow.
void parquet_to_jsonl(const std::filesystem::path& python, const std::filesystem::path& harness,
                      const std::filesystem::path& parquet, const std::filesystem::path& jsonl);

}  // namespace tritonrl::data
