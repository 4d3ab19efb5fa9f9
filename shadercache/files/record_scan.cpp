// SPDX-License-Identifier: Apache-2.0
#include "shadercache/files/record_scan.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace fenceline {
namespace {
constexpr std::size_t window_bytes = 64 * 1024;
constexpr std::uint64_t times_read = 4;  // records may overlap where they are forged
}  // namespace

RecordScan::RecordScan(const CacheFile& values, std::uint64_t era, std::uint64_t from, std::uint64_t to)
    : values_(values),
      era_(era),
      at_((from + record_alignment - 1) / record_alignment * record_alignment),
      to_(to),
      budget_(to > from ? times_read * (to - from) : 0) {}

/// The header at that place is in the window.
bool RecordScan::load(std::uint64_t at) {
  if (at >= window_at_ && at + sizeof(RecordHeader) <= window_at_ + window_.size()) return true;
  if (at > to_ || to_ - at < sizeof(RecordHeader)) return false;
  window_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(window_bytes, to_ - at)));
  window_at_ = at;
  window_.resize(values_.read(at, window_.data(), window_.size()));
  return window_.size() >= sizeof(RecordHeader);
}

bool RecordScan::is_whole_record(const RecordHeader& record) {
  const std::uint64_t bytes = bytes_of_record(record.key_bytes, record.value_bytes);
  if (bytes > to_ - at_ || bytes > budget_) return false;
  budget_ -= bytes;
  body_.resize(record.key_bytes + std::size_t{record.value_bytes});
  if (values_.read(at_ + sizeof record, body_.data(), body_.size()) != body_.size()) return false;
  const std::string_view body = body_;
  return is_whole(record, era_, body.substr(0, record.key_bytes), body.substr(record.key_bytes), at_);
}

bool RecordScan::next(CacheSlot& slot) {
  for (; load(at_); at_ += record_alignment) {
    RecordHeader record;
    std::memcpy(&record, window_.data() + (at_ - window_at_), sizeof record);
    if (!is_sealed(record, era_, at_) || !is_whole_record(record)) continue;
    slot = {};
    slot.hash = record.hash;
    slot.at = at_;
    slot.key_bytes = record.key_bytes;
    slot.value_bytes = record.value_bytes;
    at_ += bytes_of_record(record.key_bytes, record.value_bytes);
    return true;
  }
  return false;
}

}  // namespace fenceline
