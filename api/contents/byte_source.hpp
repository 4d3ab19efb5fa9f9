// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace fenceline {

/// Bytes that never change, once or again and again without an end.
class ByteSource {
 public:
  /// These bytes.
  explicit ByteSource(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}
  /// A pattern of at least one byte, repeated.
  static std::shared_ptr<const ByteSource> repeated(std::vector<std::byte> pattern);

  bool repeats() const { return repeats_; }
  const std::vector<std::byte>& bytes() const { return bytes_; }  ///< of a pattern one period
  /// Of a pattern any place, else within its bytes.
  void read(std::uint64_t offset, std::uint64_t count, std::byte* to) const;

 private:
  std::vector<std::byte> bytes_;
  bool repeats_ = false;
};

using SharedBytes = std::shared_ptr<const ByteSource>;

}  // namespace fenceline
