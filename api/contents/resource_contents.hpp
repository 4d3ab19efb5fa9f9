// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/contents/byte_extents.hpp"
#include "api/contents/content_access.hpp"
#include "api/contents/program_contents.hpp"
#include "api/contents/query_results.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fenceline {

/// How much of the contents was made anew.
struct RecreatedResources {
  std::size_t resources = 0;  ///< that had been written
  std::size_t of = 0;         ///< all of the program
};

/// What the resources of a program contain while it is played, from their contents at the start on. The same object may
/// serve one play after another: `reset` in between recreates what was written, and nothing else.
class ResourceContents {
 public:
  /// Of a program that acts on bytes (Program::contents).
  explicit ResourceContents(std::shared_ptr<const ProgramContents> program);

  const ProgramContents& program() const { return *program_; }  ///< whose resources they are
  /// By the resource's place in the workload.
  const ByteExtents& of(std::size_t resource) const { return bytes_[resource]; }
  /// It was written since the start, or the last `reset`: be it the same bytes.
  bool written(std::size_t resource) const { return written_[resource]; }
  /// XXH3 of its bytes.
  std::uint64_t hash(std::size_t resource) const { return bytes_[resource].hash(); }

  /// Everything is as at the start.
  RecreatedResources reset();
  /// Hears of each access from now on; null: nobody does.
  void listen(AccessListener* listener) { listener_ = listener; }

  /// A command's effect takes place.
  void apply(const ByteEffect& effect, std::uint64_t at_ps, const ContentActor& actor);
  /// A CPU thread's write does.
  void apply(const ContentWrite& write, std::uint64_t at_ps, const ContentActor& actor);
  /// The listener is told.
  void tell(const ContentAccess& access, const ContentActor& actor) const {
    if (listener_ != nullptr) listener_->accessed(access, actor);
  }
  QueryResults& queries() { return queries_; }  ///< of this play

 private:
  ByteExtents initial(std::size_t resource) const;
  ByteExtents& change(std::uint32_t resource);
  void act(const CopyRange& copy);
  void act(const CopyRows& copy);
  void act(const FillRows& fill);
  void act(const WriteRows& write);
  void act(const FillBytes& fill);
  void act(const ResolveSamples& resolve);
  void act(const ResolveResults& resolve);

  std::shared_ptr<const ProgramContents> program_;
  std::vector<ByteExtents> bytes_;
  std::vector<bool> written_;
  QueryResults queries_;
  AccessListener* listener_ = nullptr;
};

}  // namespace fenceline
