// SPDX-License-Identifier: Apache-2.0
#include "api/contents/byte_extents.hpp"

#include "api/capture/file/capture_format.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

namespace fenceline {
namespace {

/// Smaller pieces than so many bytes on average are gathered when they are copied, so that there is no more to keep of
/// extents than of bytes.
constexpr std::uint64_t least_mean_bytes = 256;
/// Of what repeats, hashed at a time.
constexpr std::uint64_t hashed_bytes = 64 * 1024;

void read_from(const SharedBytes& source, std::uint64_t from, std::uint64_t count, std::byte* to) {
  if (source == nullptr) {
    std::memset(to, 0, count);
  } else {
    source->read(from, count, to);
  }
}

std::string_view view_of(const std::byte* bytes, std::uint64_t count) {
  return {reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(count)};
}

}  // namespace

ByteExtents::ByteExtents(std::uint64_t size) : ByteExtents(size, nullptr) {}

ByteExtents::ByteExtents(std::uint64_t size, SharedBytes source) : size_(size) {
  if (size > 0) extents_[0] = {std::move(source), 0};
}

std::uint64_t ByteExtents::end_of(Extents::const_iterator extent) const {
  const auto next = std::next(extent);
  return next == extents_.end() ? size_ : next->first;
}

ByteExtents::Extent ByteExtents::moved(const Extent& extent, std::uint64_t by) {
  if (extent.source == nullptr) return extent;
  const std::uint64_t from = extent.from + by;
  return {extent.source, extent.source->repeats() ? from % extent.source->bytes().size() : from};
}

/// `next` is what comes behind so many bytes of `before`.
bool ByteExtents::goes_on(const Extent& before, std::uint64_t count, const Extent& next) {
  return before.source == next.source && (before.source == nullptr || moved(before, count).from == next.from);
}

template <class Visit>
void ByteExtents::for_each(std::uint64_t offset, std::uint64_t count, Visit&& visit) const {
  if (count == 0) return;
  auto extent = std::prev(extents_.upper_bound(offset));
  for (std::uint64_t at = offset; at < offset + count; ++extent) {
    const std::uint64_t end = std::min(end_of(extent), offset + count);
    visit(Slice{at - offset, end - at, moved(extent->second, at - extent->first)});
    at = end;
  }
}

void ByteExtents::read(std::uint64_t offset, std::uint64_t count, std::byte* to) const {
  for_each(offset, count,
           [&](const Slice& slice) { read_from(slice.extent.source, slice.extent.from, slice.count, to + slice.at); });
}

/// An extent begins there.
void ByteExtents::split(std::uint64_t at) {
  if (at == size_) return;
  const auto extent = std::prev(extents_.upper_bound(at));
  if (extent->first < at) extents_.emplace_hint(std::next(extent), at, moved(extent->second, at - extent->first));
}

/// The one that begins there becomes part of the one before it, if it is what comes behind that.
void ByteExtents::merge(std::uint64_t at) {
  const auto extent = extents_.find(at);
  if (extent == extents_.end() || extent == extents_.begin()) return;
  const auto before = std::prev(extent);
  if (goes_on(before->second, at - before->first, extent->second)) extents_.erase(extent);
}

void ByteExtents::put(std::uint64_t offset, std::uint64_t count, const std::vector<Slice>& slices) {
  split(offset);
  split(offset + count);
  extents_.erase(extents_.lower_bound(offset), extents_.lower_bound(offset + count));
  auto hint = extents_.lower_bound(offset);
  for (const Slice& slice : slices) extents_.emplace_hint(hint, offset + slice.at, slice.extent);
  for (const Slice& slice : slices) merge(offset + slice.at);
  merge(offset + count);
}

void ByteExtents::write(std::uint64_t offset, std::uint64_t count, SharedBytes source, std::uint64_t from) {
  if (count == 0) return;
  put(offset, count, {{0, count, moved({std::move(source), 0}, from)}});
}

void ByteExtents::copy(std::uint64_t offset, const ByteExtents& other, std::uint64_t from, std::uint64_t count) {
  if (count == 0) return;
  std::vector<Slice> slices;
  other.for_each(from, count, [&](const Slice& slice) { slices.push_back(slice); });
  if (slices.size() > 1 && slices.size() * least_mean_bytes > count) {
    std::vector<std::byte> gathered(static_cast<std::size_t>(count));
    other.read(from, count, gathered.data());
    slices = {{0, count, {std::make_shared<const ByteSource>(std::move(gathered)), 0}}};
  }
  put(offset, count, slices);
}

std::uint64_t ByteExtents::hash() const {
  CaptureCheck check;
  std::vector<std::byte> piece;
  for_each(0, size_, [&](const Slice& slice) {
    const Extent& extent = slice.extent;
    if (extent.source != nullptr && !extent.source->repeats()) {
      check.add(view_of(extent.source->bytes().data() + extent.from, slice.count));
      return;
    }
    // Pieces of whole periods: a pattern begins anew with each.
    const std::uint64_t period = extent.source == nullptr ? 1 : extent.source->bytes().size();
    const std::uint64_t whole = std::max(period, hashed_bytes / period * period);
    piece.resize(static_cast<std::size_t>(std::min(whole, slice.count)));
    read_from(extent.source, extent.from, piece.size(), piece.data());
    for (std::uint64_t left = slice.count; left > 0;) {
      const std::uint64_t count = std::min<std::uint64_t>(left, piece.size());
      check.add(view_of(piece.data(), count));
      left -= count;
    }
  });
  return check.value();
}

}  // namespace fenceline
