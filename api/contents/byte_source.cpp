// SPDX-License-Identifier: Apache-2.0
#include "api/contents/byte_source.hpp"

#include <algorithm>
#include <cstring>

namespace fenceline {

std::shared_ptr<const ByteSource> ByteSource::repeated(std::vector<std::byte> pattern) {
  auto source = std::make_shared<ByteSource>(std::move(pattern));
  source->repeats_ = true;
  return source;
}

void ByteSource::read(std::uint64_t offset, std::uint64_t count, std::byte* to) const {
  if (count == 0) return;  // without memory there is nothing to point to
  if (!repeats_) {
    std::memcpy(to, bytes_.data() + offset, count);
    return;
  }
  if (bytes_.size() == 1) {
    std::memset(to, static_cast<int>(bytes_.front()), count);
    return;
  }
  std::uint64_t at = offset % bytes_.size();
  while (count > 0) {
    const std::uint64_t run = std::min<std::uint64_t>(count, bytes_.size() - at);
    std::memcpy(to, bytes_.data() + at, run);
    to += run;
    count -= run;
    at = 0;
  }
}

}  // namespace fenceline
