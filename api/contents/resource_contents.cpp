// SPDX-License-Identifier: Apache-2.0
#include "api/contents/resource_contents.hpp"

#include <algorithm>
#include <cstring>
#include <utility>
#include <variant>

namespace fenceline {
namespace {

/// What is put together from small pieces is, so many bytes at a time.
constexpr std::uint64_t chunk_bytes = 1 << 20;
/// Rows of so many bytes and more are shared, each by itself.
constexpr std::uint64_t shared_row_bytes = 4096;

SharedBytes source_of(std::vector<std::byte> bytes) {
  const bool zeros = std::all_of(bytes.begin(), bytes.end(), [](std::byte one) { return one == std::byte{0}; });
  return zeros ? nullptr : std::make_shared<const ByteSource>(std::move(bytes));
}

/// Between rows lies so many times what they have: what is there is not put together anew with them.
constexpr std::uint64_t sparse = 4;

/// The rows of one slice, from those places on, put together without what lies between them.
void copy_sparse_slice(ByteExtents& to, std::uint64_t to_offset, std::uint64_t to_pitch, const ByteExtents& from,
                       std::uint64_t from_offset, std::uint64_t from_pitch, const RowShape& shape) {
  const std::uint64_t most_rows = std::max<std::uint64_t>(1, chunk_bytes / shape.row_bytes);
  for (std::uint64_t row = 0; row < shape.rows; row += most_rows) {
    const std::uint64_t rows = std::min(most_rows, shape.rows - row);
    std::vector<std::byte> chunk(static_cast<std::size_t>(rows * shape.row_bytes));
    for (std::uint64_t i = 0; i < rows; ++i) {
      from.read(from_offset + (row + i) * from_pitch, shape.row_bytes, chunk.data() + i * shape.row_bytes);
    }
    const SharedBytes source = source_of(std::move(chunk));
    for (std::uint64_t i = 0; i < rows; ++i) {
      to.write(to_offset + (row + i) * to_pitch, shape.row_bytes, source, i * shape.row_bytes);
    }
  }
}

/// The rows of one slice, from those places on. What lies between small ones is read with them.
void copy_slice(ByteExtents& to, std::uint64_t to_offset, std::uint64_t to_pitch, const ByteExtents& from,
                std::uint64_t from_offset, std::uint64_t from_pitch, const RowShape& shape) {
  const bool packed = to_pitch == shape.row_bytes && from_pitch == shape.row_bytes;
  if (packed) return to.copy(to_offset, from, from_offset, shape.row_bytes * shape.rows);
  if (shape.row_bytes >= shared_row_bytes || to_pitch < shape.row_bytes) {
    for (std::uint64_t row = 0; row < shape.rows; ++row) {
      to.copy(to_offset + row * to_pitch, from, from_offset + row * from_pitch, shape.row_bytes);
    }
    return;
  }
  if (to_pitch >= sparse * shape.row_bytes && shape.row_bytes > 0) {
    return copy_sparse_slice(to, to_offset, to_pitch, from, from_offset, from_pitch, shape);
  }
  const std::uint64_t most_rows = std::max<std::uint64_t>(1, chunk_bytes / to_pitch);
  for (std::uint64_t row = 0; row < shape.rows; row += most_rows) {
    const std::uint64_t rows = std::min(most_rows, shape.rows - row);
    std::vector<std::byte> chunk(static_cast<std::size_t>((rows - 1) * to_pitch + shape.row_bytes));
    to.read(to_offset + row * to_pitch, chunk.size(), chunk.data());
    for (std::uint64_t i = 0; i < rows; ++i) {
      from.read(from_offset + (row + i) * from_pitch, shape.row_bytes, chunk.data() + i * to_pitch);
    }
    const std::uint64_t count = chunk.size();
    to.write(to_offset + row * to_pitch, count, source_of(std::move(chunk)));
  }
}

/// `visit(place, number)` of each row, in order.
template <class Visit>
void for_each_row(const ByteRows& rows, const RowShape& shape, const Visit& visit) {
  for (std::uint64_t slice = 0, row = 0; slice < shape.slices; ++slice) {
    for (std::uint64_t i = 0; i < shape.rows; ++i, ++row) {
      visit(rows.offset + slice * rows.slice_pitch + i * rows.row_pitch, row);
    }
  }
}

/// The accesses of an effect: each kind of them reads, if anything, before it writes.
class Accesses {
 public:
  Accesses(std::uint64_t at_ps, const ContentActor& actor, const ResourceContents& contents)
      : at_ps_(at_ps), actor_(actor), contents_(contents) {}
  void operator()(const CopyRange& copy) const {
    tell(copy.from, AccessKind::read, copy.from_offset, copy.count);
    tell(copy.to, AccessKind::write, copy.to_offset, copy.count);
  }
  void operator()(const CopyRows& copy) const {
    tell(copy.from, AccessKind::read, copy.shape);
    tell(copy.to, AccessKind::write, copy.shape);
  }
  void operator()(const FillRows& fill) const { tell(fill.to, AccessKind::write, fill.shape); }
  void operator()(const WriteRows& write) const { tell(write.to, AccessKind::write, write.shape); }
  void operator()(const FillBytes& fill) const { tell(fill.to, AccessKind::write, 0, contents_.of(fill.to).size()); }
  void operator()(const ResolveSamples& resolve) const {
    tell(resolve.from, AccessKind::read, 0, contents_.of(resolve.from).size());
    tell(resolve.to, AccessKind::write, 0, contents_.of(resolve.to).size());
  }
  void operator()(const ResolveResults& resolve) const {
    tell(resolve.to, AccessKind::write, resolve.to_offset, resolve.count * result_bytes(resolve.type));
  }
  void tell(std::uint32_t resource, AccessKind kind, std::uint64_t offset, std::uint64_t bytes) const {
    contents_.tell({at_ps_, resource, kind, offset, bytes}, actor_);
  }

 private:
  void tell(const ByteRows& rows, AccessKind kind, const RowShape& shape) const {
    tell(rows.resource, kind, rows.offset, shape.bytes());
  }

  std::uint64_t at_ps_;
  const ContentActor& actor_;
  const ResourceContents& contents_;
};

}  // namespace

ResourceContents::ResourceContents(std::shared_ptr<const ProgramContents> program)
    : program_(std::move(program)), written_(program_->resources.size()) {
  bytes_.reserve(program_->resources.size());
  for (std::size_t i = 0; i < program_->resources.size(); ++i) bytes_.push_back(initial(i));
}

ByteExtents ResourceContents::initial(std::size_t resource) const {
  const ContentResource& one = program_->resources[resource];
  ByteExtents bytes(one.bytes);
  for (const InitialBytes& part : one.initial) bytes.write(part.offset, part.count, part.source);
  return bytes;
}

RecreatedResources ResourceContents::reset() {
  RecreatedResources recreated{0, bytes_.size()};
  for (std::size_t i = 0; i < bytes_.size(); ++i) {
    if (!written_[i]) continue;
    bytes_[i] = initial(i);
    written_[i] = false;
    ++recreated.resources;
  }
  queries_.clear();
  return recreated;
}

ByteExtents& ResourceContents::change(std::uint32_t resource) {
  written_[resource] = true;
  return bytes_[resource];
}

void ResourceContents::apply(const ByteEffect& effect, std::uint64_t at_ps, const ContentActor& actor) {
  std::visit([this](const auto& one) { act(one); }, effect);
  if (listener_ != nullptr) std::visit(Accesses(at_ps, actor, *this), effect);
}

void ResourceContents::apply(const ContentWrite& write, std::uint64_t at_ps, const ContentActor& actor) {
  change(write.resource).write(write.offset, write.count, write.source);
  tell({at_ps, write.resource, AccessKind::write, write.offset, write.count}, actor);
}

void ResourceContents::act(const CopyRange& copy) {
  change(copy.to).copy(copy.to_offset, bytes_[copy.from], copy.from_offset, copy.count);
}

void ResourceContents::act(const CopyRows& copy) {
  const ByteExtents before = copy.from.resource == copy.to.resource ? bytes_[copy.from.resource] : ByteExtents(0);
  const ByteExtents& from = copy.from.resource == copy.to.resource ? before : bytes_[copy.from.resource];
  ByteExtents& to = change(copy.to.resource);
  for (std::uint64_t slice = 0; slice < copy.shape.slices; ++slice) {
    copy_slice(to, copy.to.offset + slice * copy.to.slice_pitch, copy.to.row_pitch, from,
               copy.from.offset + slice * copy.from.slice_pitch, copy.from.row_pitch, copy.shape);
  }
}

void ResourceContents::act(const FillRows& fill) {
  ByteExtents& to = change(fill.to.resource);
  for_each_row(fill.to, fill.shape,
               [&](std::uint64_t at, std::uint64_t) { to.write(at, fill.shape.row_bytes, fill.pattern); });
}

void ResourceContents::act(const WriteRows& write) {
  ByteExtents& to = change(write.to.resource);
  for_each_row(write.to, write.shape, [&](std::uint64_t at, std::uint64_t row) {
    const bool repeats = write.source == nullptr || write.source->repeats();
    to.write(at, write.shape.row_bytes, write.source, repeats ? 0 : row * write.shape.row_bytes);
  });
}

void ResourceContents::act(const FillBytes& fill) {
  ByteExtents& to = change(fill.to);
  to.write(0, to.size(), fill.pattern);
}

void ResourceContents::act(const ResolveSamples& resolve) {
  ByteExtents& to = change(resolve.to);
  const ByteExtents& from = bytes_[resolve.from];
  const std::uint64_t texels = to.size() / resolve.texel_bytes;
  const std::uint64_t most_texels = chunk_bytes / resolve.texel_bytes / resolve.samples;
  for (std::uint64_t texel = 0; texel < texels; texel += most_texels) {
    const std::uint64_t count = std::min(most_texels, texels - texel);
    const std::uint64_t bytes = count * resolve.texel_bytes;
    std::vector<std::byte> samples(static_cast<std::size_t>(bytes * resolve.samples));
    from.read(texel * resolve.texel_bytes * resolve.samples, samples.size(), samples.data());
    for (std::uint64_t i = 1; i < count; ++i) {
      std::memmove(samples.data() + i * resolve.texel_bytes, samples.data() + i * resolve.texel_bytes * resolve.samples,
                   resolve.texel_bytes);
    }
    samples.resize(static_cast<std::size_t>(bytes));
    samples.shrink_to_fit();
    to.write(texel * resolve.texel_bytes, bytes, source_of(std::move(samples)));
  }
}

void ResourceContents::act(const ResolveResults& resolve) {
  const std::uint64_t bytes = result_bytes(resolve.type);
  ByteExtents& to = change(resolve.to);
  to.write(resolve.to_offset, resolve.count * bytes, nullptr);
  const auto put = [&](std::uint32_t slot, const std::vector<std::uint64_t>& numbers) {
    std::vector<std::byte> result(static_cast<std::size_t>(bytes));
    std::memcpy(result.data(), numbers.data(), result.size());
    to.write(resolve.to_offset + (slot - resolve.first_slot) * bytes, bytes, source_of(std::move(result)));
  };
  queries_.for_each(resolve.type, resolve.first_slot, resolve.count, put);
}

}  // namespace fenceline
