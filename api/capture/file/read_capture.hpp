// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/capture/file/capture_facts.hpp"
#include "api/capture/file/section_reader.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fenceline {

/// Reads a capture from front to back. Throws ConfigError; a file whose writer was killed is read as far as it goes:
/// all complete sections, of which the last STEP is the last submission (CaptureFacts::cut_off). What a queue waits for
/// may then never be signalled.
Capture read_capture(ReadBytes read, const std::string& file);
/// From memory.
Capture read_capture(std::string_view bytes, const std::string& file);

/// The blobs of these names that a capture holds, each of at most so many bytes: more is a ConfigError, as is damage.
/// Of one that is cut off there are its first bytes. Takes memory as bytes come.
std::map<std::string, std::vector<std::byte>> read_capture_blobs(const std::filesystem::path& file,
                                                                 const std::map<std::string, std::uint64_t>& limits);
/// From memory; `file` is its name in errors.
std::map<std::string, std::vector<std::byte>> read_capture_blobs(std::string_view bytes, const std::string& file,
                                                                 const std::map<std::string, std::uint64_t>& limits);
/// The bytes of that name in a capture. Throws ConfigError, also where there are none or more than `limit_bytes`.
std::string read_blob(const std::filesystem::path& file, const std::string& name, std::uint64_t limit_bytes);

/// The file is a capture, by its first bytes.
bool is_capture(const std::filesystem::path& file);

}  // namespace fenceline
