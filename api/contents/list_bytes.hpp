// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/contents/byte_source.hpp"
#include "engines/command/command.hpp"

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

namespace fenceline {

// What commands do to bytes (docs/contents.md). Resources are named by their place in the workload.

/// CopyBufferRegion, and CopyTextureRegion of what lies alike.
struct CopyRange {
  std::uint32_t from = 0;
  std::uint64_t from_offset = 0;
  std::uint32_t to = 0;
  std::uint64_t to_offset = 0;
  std::uint64_t count = 0;
};
/// Where rows of bytes lie.
struct ByteRows {
  std::uint32_t resource = 0;
  std::uint64_t offset = 0;       ///< of the first row
  std::uint64_t row_pitch = 0;    ///< from a row to the next
  std::uint64_t slice_pitch = 0;  ///< from a slice to the next
};
/// How many they are.
struct RowShape {
  std::uint64_t row_bytes = 0;
  std::uint64_t rows = 1;  ///< of a slice
  std::uint64_t slices = 1;
  std::uint64_t bytes() const { return row_bytes * rows * slices; }  ///< of all
};
/// CopyTextureRegion of what does not lie alike. All is read before anything is written.
struct CopyRows {
  ByteRows from;
  ByteRows to;
  RowShape shape;
};
/// A clear of a part: the pattern begins anew in each row.
struct FillRows {
  ByteRows to;
  RowShape shape;
  SharedBytes pattern;  ///< null: zeros
};
/// What a command has come to, row behind row.
struct WriteRows {
  ByteRows to;
  RowShape shape;
  SharedBytes source;  ///< null: zeros
};
/// A clear of all that there is.
struct FillBytes {
  std::uint32_t to = 0;
  SharedBytes pattern;  ///< null: zeros
};
/// ResolveSubresource: the first sample of each texel.
struct ResolveSamples {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint32_t texel_bytes = 0;  ///< of a sample
  std::uint32_t samples = 1;
};
/// ResolveQueryData.
struct ResolveResults {
  QueryType type = QueryType::occlusion;
  std::uint32_t first_slot = 0;
  std::uint32_t count = 0;
  std::uint32_t to = 0;
  std::uint64_t to_offset = 0;
};
using ByteEffect = std::variant<CopyRange, CopyRows, FillRows, WriteRows, FillBytes, ResolveSamples, ResolveResults>;

/// The resource that it writes.
inline std::uint32_t written_by(const ByteEffect& effect) {
  struct Written {
    std::uint32_t operator()(std::uint32_t resource) const { return resource; }
    std::uint32_t operator()(const ByteRows& rows) const { return rows.resource; }
  };
  return std::visit([](const auto& one) { return Written{}(one.to); }, effect);
}

/// What the command at that index of the stream does, in this order.
struct CommandBytes {
  std::size_t command = 0;
  std::vector<ByteEffect> effects;
  bool predicated = true;  ///< a predicate that skips the command skips this
};
/// A command reads bytes without an effect on others, or nobody knows what it does with them.
struct CommandUse {
  std::size_t command = 0;
  std::uint32_t resource = 0;
  bool reads = false;  ///< arguments or a predicate; else a shader has it bound
  std::uint64_t offset = 0;
  std::uint64_t count = 0;  ///< bytes
};
/// A query of a list that is no time stamp.
struct ListQuery {
  QueryType type = QueryType::occlusion;
  std::uint32_t slot = 0;
  std::size_t first = 0;  ///< command that it counts: all from there to its end
  std::size_t end = 0;    ///< its EndQuery
};

/// What the commands of a list do to bytes, by the commands of its stream; each list increases.
struct ListBytes {
  std::vector<CommandBytes> effects;
  std::vector<CommandUse> uses;
  std::vector<ListQuery> queries;
};

}  // namespace fenceline
