// SPDX-License-Identifier: Apache-2.0
#include "api/contents/content_bytes.hpp"

#include "api/contents/base64.hpp"
#include "api/contents/program_contents.hpp"
#include "sim/config_error.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <utility>

namespace fenceline {
namespace {

std::string count_text(const ContentPlace& place) {
  return place.least == place.most ? fmt::format("{} bytes", place.most)
                                   : fmt::format("{} to {} bytes", place.least, place.most);
}

}  // namespace

SharedBytes content_bytes(const ContentInfo& content, const ContentPlace& place) {
  if (content.fill) {
    if (*content.fill == 0) return nullptr;
    return ByteSource::repeated({static_cast<std::byte>(*content.fill)});
  }
  SharedBytes bytes = content.bytes;
  const std::string pointer = place.pointer + (content.base64.empty() ? "/blob" : "/base64");
  if (!bytes && !content.base64.empty()) {
    const std::uint64_t longest = (most_base64_bytes + 2) / 3 * 4;
    if (content.base64.size() > longest) {
      throw ConfigError(place.file, pointer, fmt::format("at most {} bytes, more in a blob", most_base64_bytes),
                        fmt::format("{} characters", content.base64.size()));
    }
    auto decoded = bytes_of_base64(content.base64);
    if (!decoded) {
      throw ConfigError(place.file, pointer, "base64 with its padding", shortened(in_quotes(content.base64), 60));
    }
    bytes = std::make_shared<const ByteSource>(*std::move(decoded));
  }
  if (!bytes) {
    throw ConfigError(place.file, pointer, "a blob whose bytes were read", in_quotes(content.blob) + ", not read");
  }
  const std::uint64_t count = bytes->bytes().size();
  if (!bytes->repeats() && (count < place.least || count > place.most)) {
    throw ConfigError(place.file, pointer, count_text(place), fmt::format("{}", count));
  }
  return bytes;
}

}  // namespace fenceline
