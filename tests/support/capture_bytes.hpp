// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/capture/file/capture_format.hpp"
#include "api/capture/file/capture_writer.hpp"
#include "api/capture/file/pack_capture.hpp"
#include "sim/files/output_file.hpp"
#include "tests/support/temporary_directory.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace fenceline::testing {

/// What `write` makes of a file.
template <class Write>
std::string written(Write&& write) {
  const TemporaryDirectory directory;
  OutputFile file(directory / "x.capture");
  write(file);
  file.close();
  return contents_of(directory / "x.capture");
}

inline std::string packed_capture(const nlohmann::json& workload, const nlohmann::json& machine = nullptr,
                                  const std::vector<PackedBlob>& blobs = {}) {
  return written([&](OutputFile& file) { pack_capture(workload, machine, file, blobs); });
}

/// A section as it is in a file.
struct SectionBytes {
  SectionHeader header;
  std::string payload;  ///< as stored
};

inline std::string cbor_text(const nlohmann::json& value) {
  const auto bytes = nlohmann::json::to_cbor(value);
  return {bytes.begin(), bytes.end()};
}

/// One that is not compressed.
inline SectionBytes section_of(const std::string& type, const std::string& payload, std::uint32_t flags = 0) {
  return {{type, flags, payload.size(), payload.size(), 0}, payload};
}

/// A file of them, its checks made right.
inline std::string capture_of(const std::vector<SectionBytes>& sections) {
  const auto begin = capture_header();
  std::string bytes(begin.data(), begin.size());
  for (SectionBytes one : sections) {
    one.header.check = capture_check(one.payload);
    const auto header = bytes_of(one.header, bytes.size());
    bytes.append(header.data(), header.size());
    bytes += one.payload;
  }
  return bytes;
}

/// Where sections begin, and the end of the last one, of a capture whose headers are whole.
inline std::vector<std::size_t> boundaries_of(const std::string& capture) {
  std::vector<std::size_t> places = {capture_header_bytes};
  while (places.back() + section_header_bytes <= capture.size()) {
    const std::uint64_t stored = number_at(&capture[places.back() + 8], 8);
    places.push_back(places.back() + section_header_bytes + static_cast<std::size_t>(stored));
  }
  return places;
}

/// The checks of a file's headers and payloads made right, as far as its lengths lead.
inline std::string resealed_capture(std::string_view from) {
  std::string bytes(from);
  if (bytes.size() < capture_header_bytes) return bytes;
  const auto begin = capture_header();
  std::copy(begin.begin(), begin.end(), bytes.begin());
  for (std::size_t at = capture_header_bytes; bytes.size() - at >= section_header_bytes;) {
    const std::size_t room = bytes.size() - at - section_header_bytes;
    const std::uint64_t stored = number_at(&bytes[at + 8], 8);
    const std::string_view payload = std::string_view(bytes).substr(at + section_header_bytes);
    if (stored <= room) {
      put_number_at(&bytes[at + 24], 8, capture_check(payload.substr(0, static_cast<std::size_t>(stored))));
    }
    put_number_at(&bytes[at + 32], 8, capture_check({&bytes[at], 32}, at));
    if (stored > room) break;
    at += section_header_bytes + static_cast<std::size_t>(stored);
  }
  return bytes;
}

}  // namespace fenceline::testing
