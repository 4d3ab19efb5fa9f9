// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/html/html.hpp"
#include "api/report/run/recovery_episode.hpp"
#include "sim/log.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace fenceline {

/// Collects them.
class RecoverySink final : public LogSink {
 public:
  void recovery(const EventLog& log, const RecoveryRecord& record) override;
  const std::vector<RecoveryEpisode>& episodes() const { return episodes_; }  ///< in their order

 private:
  std::vector<RecoveryEpisode> episodes_;
};

/// For report.json, `statistics.recovery`.
nlohmann::ordered_json json_of(const std::vector<RecoveryEpisode>& episodes);
/// For timeline.html; none where nothing timed out.
std::vector<HtmlTable> html_tables_of(const std::vector<RecoveryEpisode>& episodes);
/// For the summary: what one of them came to, in a line.
std::string line_of(const RecoveryEpisode& episode);

}  // namespace fenceline
