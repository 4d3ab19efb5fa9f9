// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/capture/file/capture_facts.hpp"
#include "api/capture/file/section_reader.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace fenceline {

/// Reads a capture from front to back. Throws ConfigError; a file whose writer was killed is read as far as it goes:
/// all complete sections, of which the last STEP is the last submission (CaptureFacts::cut_off). What a queue waits for
/// may then never be signalled.
Capture read_capture(ReadBytes read, const std::string& file);
/// From memory.
Capture read_capture(std::string_view bytes, const std::string& file);

/// The bytes of that name in a capture. Throws ConfigError, also where there are none or more than `limit_bytes`.
std::string read_blob(const std::filesystem::path& file, const std::string& name, std::uint64_t limit_bytes);

/// The file is a capture, by its first bytes.
bool is_capture(const std::filesystem::path& file);

}  // namespace fenceline
