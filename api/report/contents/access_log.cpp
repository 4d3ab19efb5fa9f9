// SPDX-License-Identifier: Apache-2.0
#include "api/report/contents/access_log.hpp"

#include "api/report/csv_row.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstddef>
#include <utility>

namespace fenceline {

AccessLog::AccessLog(std::shared_ptr<ResourceContents> contents, OutputFile* file)
    : contents_(std::move(contents)), file_(file), written_by_(contents_->program().resources.size()) {
  contents_->listen(this);
  if (file_ != nullptr) file_->append("at_us,access,resource,offset,bytes,by,packet,list,command,name\n");
}

AccessLog::~AccessLog() { contents_->listen(nullptr); }

void AccessLog::accessed(const ContentAccess& access, const ContentActor& actor) {
  if (access.kind == AccessKind::write) written_by_[access.resource][actor.by] += access.bytes;
  if (file_ == nullptr) return;
  const bool on_cpu = actor.packet == 0;
  CsvRow row(file_->buffer());
  row.time(access.at_ps).text(name_of(access.kind)).text(contents_->program().resources[access.resource].name);
  if (access.kind == AccessKind::use) {
    row.nothing().nothing();
  } else {
    row.integer(access.offset).integer(access.bytes);
  }
  row.text(actor.by);
  if (on_cpu) {
    row.nothing().nothing().nothing();
  } else {
    row.integer(actor.packet).text(actor.list).integer(actor.command);
  }
  row.text(actor.name).end();
  file_->end_record();
}

ContentsResult AccessLog::result() const {
  ContentsResult result;
  result.resources = written_by_.size();
  for (std::size_t i = 0; i < written_by_.size(); ++i) {
    if (written_by_[i].empty()) continue;
    const ContentResource& one = contents_->program().resources[i];
    result.written.push_back({one.name, one.bytes, contents_->hash(i), written_by_[i]});
  }
  return result;
}

nlohmann::ordered_json json_of(const ContentsResult& result) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const WrittenResource& one : result.written) {
    std::uint64_t bytes = 0;
    for (const auto& [by, count] : one.written_by) bytes += count;
    all.push_back({{"resource", one.name},
                   {"bytes", one.bytes},
                   {"xxh3", fmt::format("{:016x}", one.hash)},
                   {"written_bytes", bytes},
                   {"written_by", one.written_by}});
  }
  return all;
}

std::string line_of(const ContentsResult& result) {
  std::uint64_t bytes = 0;
  for (const WrittenResource& one : result.written) {
    for (const auto& [by, count] : one.written_by) bytes += count;
  }
  return fmt::format("{} of {} resources written, {} bytes; {} has each access, report.json hashes",
                     result.written.size(), result.resources, bytes, accesses_file);
}

}  // namespace fenceline
