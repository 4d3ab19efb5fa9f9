// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/contents/resource_contents.hpp"
#include "api/report/contents/contents_result.hpp"
#include "sim/files/output_file.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace fenceline {

constexpr const char* accesses_file = "accesses.csv";  ///< of a run whose workload acts on bytes

/// Hears what a run does to bytes: writes a row for each access, and adds up who wrote how much.
class AccessLog final : public AccessListener {
 public:
  /// Listens until it ends. The file outlives it; null: no rows.
  AccessLog(std::shared_ptr<ResourceContents> contents, OutputFile* file);
  ~AccessLog() override;
  AccessLog(const AccessLog&) = delete;
  AccessLog& operator=(const AccessLog&) = delete;

  void accessed(const ContentAccess& access, const ContentActor& actor) override;
  /// Until now, with the hashes that bytes have now.
  ContentsResult result() const;

 private:
  std::shared_ptr<ResourceContents> contents_;
  OutputFile* file_;
  std::vector<std::map<std::string, std::uint64_t>> written_by_;  // bytes, by resource
};

/// report.json's `contents`.
nlohmann::ordered_json json_of(const ContentsResult& result);
/// A line of a summary.
std::string line_of(const ContentsResult& result);

}  // namespace fenceline
