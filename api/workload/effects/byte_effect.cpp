// SPDX-License-Identifier: Apache-2.0
#include "api/workload/effects/byte_effect.hpp"

#include "api/contents/content_bytes.hpp"
#include "sim/config_errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace fenceline {
namespace {

using Wide = unsigned __int128;

/// Resolves one effect.
class Resolver {
 public:
  Resolver(const ResourceTable& resources, const std::string& file, const std::string& pointer)
      : resources_(resources), file_(file), pointer_(pointer) {}

  ByteEffect operator()(const CopyEffect& copy) const {
    CopyRows rows;
    do_each(
        [&] {
          rows.from =
              place(copy, "source", copy.source, copy.source_offset, copy.source_row_pitch, copy.source_slice_pitch);
        },
        [&] { rows.to = destination(copy); });
    rows.shape = shape_of(copy);
    return rows;
  }
  ByteEffect operator()(const FillEffect& fill) const {
    std::vector<std::byte> value;
    for (const std::uint32_t one : fill.value) value.push_back(static_cast<std::byte>(one));
    const bool zeros = std::all_of(value.begin(), value.end(), [](std::byte one) { return one == std::byte{0}; });
    return FillRows{destination(fill), shape_of(fill), zeros ? nullptr : ByteSource::repeated(std::move(value))};
  }
  ByteEffect operator()(const WriteEffect& write) const {
    const ByteRows to = destination(write);
    const std::uint64_t bytes = write.row_bytes * write.rows * write.slices;
    return WriteRows{to, shape_of(write), content_bytes(write.content, {file_, pointer_ + "/content", bytes, bytes})};
  }

 private:
  static RowShape shape_of(const EffectRows& rows) { return {rows.row_bytes, rows.rows, rows.slices}; }
  ByteRows destination(const EffectRows& rows) const {
    return place(rows, "destination", rows.destination, rows.destination_offset, rows.destination_row_pitch,
                 rows.destination_slice_pitch);
  }
  ByteRows place(const EffectRows& rows, const char* key, const std::string& name, std::uint64_t offset,
                 const std::optional<std::uint64_t>& row_pitch, const std::optional<std::uint64_t>& slice_pitch) const {
    const std::string at = fmt::format("{}/{}", pointer_, key);
    const ResourceInfo& resource = resources_.any(name, at);
    ByteRows place{resources_.index_of_any(name, at), offset, row_pitch.value_or(rows.row_bytes), 0};
    const Wide wide_slice = slice_pitch ? Wide{*slice_pitch} : Wide{rows.rows} * place.row_pitch;
    const Wide end = (rows.slices - 1) * wide_slice + Wide{rows.rows - 1} * place.row_pitch + offset + rows.row_bytes;
    if (end > resource.bytes) {
      throw ConfigError(
          file_, at, fmt::format("rows that end at byte {} of {} at the latest", resource.bytes, in_quotes(name)),
          end > std::numeric_limits<std::uint64_t>::max() ? std::string("rows that end far behind it")
                                                          : fmt::format("byte {}", static_cast<std::uint64_t>(end)));
    }
    if (rows.slices > 1) place.slice_pitch = static_cast<std::uint64_t>(wide_slice);
    return place;
  }

  const ResourceTable& resources_;
  const std::string& file_;
  const std::string& pointer_;
};

}  // namespace

ByteEffect byte_effect(const EffectInfo& effect, const ResourceTable& resources, const std::string& file,
                       const std::string& pointer) {
  return std::visit(Resolver(resources, file, pointer), effect);
}

}  // namespace fenceline
