// SPDX-License-Identifier: Apache-2.0
#include "shadercache/inspect/cache_view.hpp"

#include "shadercache/cache_description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string_view>
#include <utility>

namespace fenceline {
namespace {

/// Writers hold the lock for microseconds; one that is stopped meanwhile does not stop who looks.
constexpr std::chrono::milliseconds most_wait{500};
constexpr int most_openings = 5;

struct Header {
  std::optional<CacheHeader> header;
  std::optional<CacheView::Fault> fault;
};

Header header_in(const CacheFile& file, std::string_view kind) {
  std::array<std::byte, header_bytes> bytes{};
  const std::size_t got = file.read(0, bytes.data(), bytes.size());
  if (got != bytes.size()) return {{}, CacheView::Fault{"a header of 64 bytes", fmt::format("{} bytes", got)}};
  CacheHeader header;
  if (read_header(bytes.data(), kind, header)) return {header, {}};
  const HeaderLook look = look_at_header(bytes.data(), kind);
  if (!look.magic) return {{}, CacheView::Fault{fmt::format("\"FLSC{}\"", kind), "other bytes"}};
  if (look.check != look.should_be) {
    return {{},
            CacheView::Fault{fmt::format("a header with the check {:016x}", look.check),
                             fmt::format("bytes with the check {:016x}", look.should_be)}};
  }
  return {{}, CacheView::Fault{fmt::format("format {}", cache_format), fmt::format("format {}", look.format)}};
}

}  // namespace

CacheView::CacheView(const CachePlace& place)
    : place_(place), directory_(place.open()), lock_(directory_, place.stem + ".lock") {
  if (!directory_.is_open()) {
    values_look_.what = index_look_.what = lock_look_.what = CacheFileLook::What::unreadable;
    values_look_.reason = index_look_.reason = lock_look_.reason = directory_.reason();
    return;
  }
  lock_look_ = look_at_file(directory_, place.stem + ".lock");
  const bool held = lock_.hold(most_wait);
  // Where writers could not be kept off the two may be of two eras: a clearing was between.
  for (int i = 0; i < most_openings; ++i) {
    open_files();
    const bool same = !values_header_ || !index_.valid() || values_header_->era == index_.header().era;
    if (held || same) break;
  }
  if (held) lock_.release();
}

void CacheView::open_files() {
  const auto open = [&](const char* end, CacheFileLook& look) {
    const std::string name = place_.stem + end;
    look = look_at_file(directory_, name);
    if (look.what != CacheFileLook::What::file) return CacheFile();
    CacheFile file = CacheFile::open_to_read(directory_, name);
    if (!file.is_open()) {
      look = {};
      look.what = errno == ENOENT ? CacheFileLook::What::missing : CacheFileLook::What::unreadable;
      look.reason = std::strerror(errno);
    }
    return file;
  };
  values_ = open(".val", values_look_);
  values_header_ = {};
  values_fault_ = {};
  values_end_ = 0;
  if (values_.is_open()) {
    Header header = header_in(values_, "VAL");
    values_header_ = header.header;
    values_fault_ = std::move(header.fault);
  }
  CacheFile index = open(".idx", index_look_);
  index_fault_ = index.is_open() ? header_in(index, "IDX").fault : std::nullopt;
  index_ = CacheIndex::to_read(std::move(index));
  if (values_.is_open()) values_end_ = std::min<std::uint64_t>(values_.bytes(), most_cache_file_bytes);
}

std::optional<CacheHeader> CacheView::header() const {
  if (values_header_) return values_header_;
  return index_.valid() ? std::optional(index_.header()) : std::nullopt;
}

std::string CacheView::why_no_table() const {
  if (!index_.is_open()) {
    return index_look_.what == CacheFileLook::What::missing ? "it is missing" : index_look_.reason;
  }
  if (index_fault_) return "expected " + index_fault_->expected + ", found " + index_fault_->found;
  if (!index_.valid()) return "what it says of itself is damaged";
  if (values_header_ && values_header_->era != index_.header().era) return "it is of another era";
  if (index_.state().values_end > values_end_) return "it leads behind the end of .val";
  return {};
}

std::size_t CacheView::read_slots(std::uint64_t number, CacheSlot* into, std::size_t count) {
  const std::size_t got = index_.read_slots(number, into, count);
  for (std::size_t i = 0; i < got; ++i) {
    if (into[i].is_free() || into[i].is_whole(index_.header().era) || holds_left_ == 0) continue;
    --holds_left_;
    if (!lock_.hold(most_wait)) {
      holds_left_ = 0;
      continue;
    }
    index_.read_slots(number + i, &into[i], 1);
    lock_.release();
  }
  return got;
}

}  // namespace fenceline
