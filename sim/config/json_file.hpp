// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace fenceline {

/// Parses a whole document, strictly: one value, valid UTF-8 (a byte order mark is tolerated), each key once per
/// object, at most max_json_depth (sim/config/json_sax.hpp) levels, no comments. Anything else is a ConfigError; `file`
/// is its name there.
nlohmann::json parse_json(std::string_view text, const std::string& file);

/// Reads (InputFile: regular files, `-`, gzip) and parses a file. One that cannot be read is a ConfigError as well.
nlohmann::json load_json(const std::filesystem::path& path);

/// The document as text for people: two spaces, keys in their order, newline at the end. The same document gives the
/// same bytes. Bytes in strings that are not UTF-8 come out as U+FFFD.
std::string dump_json(const nlohmann::ordered_json& document);
std::string dump_json(const nlohmann::json& document);

/// How messages show a value: a short one itself, an array or object by its kind.
std::string shown(const nlohmann::json& value);
std::string shown(const nlohmann::ordered_json& value);

}  // namespace fenceline
