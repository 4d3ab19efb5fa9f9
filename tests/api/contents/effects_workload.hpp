// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/capture/file/capture_format.hpp"
#include "sim/config/json_file.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

namespace fenceline::testing {

using Bytes = std::vector<unsigned char>;

inline Bytes operator+(Bytes first, const Bytes& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// `count` numbers from `first` on.
inline Bytes numbers(std::size_t count, int first = 0) {
  Bytes all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = static_cast<unsigned char>(first + static_cast<int>(i));
  return all;
}

inline std::string text_of(const Bytes& bytes) { return {bytes.begin(), bytes.end()}; }

/// A `memory`, with pieces as JSON text.
inline std::string memory(const std::string& name, std::uint64_t bytes, const std::string& pieces = "",
                          const std::string& heap = "default") {
  return fmt::format(R"({{"type": "memory", "name": "{}", "heap": "{}", "bytes": {}, "pieces": [{}]}})", name, heap,
                     bytes, pieces);
}

/// A copy of 1,000 bytes within video memory, which takes 20 ns on `tiny`, with these effects in place of its own.
inline std::string acts(const std::string& effects) {
  return R"({"type": "copy_buffer", "route": "device_to_device", "bytes": 1000, "effects": [)" + effects + "]}";
}

/// A `copy` effect; `more` begins with a comma.
inline std::string copies(const std::string& source, const std::string& destination, std::uint64_t row_bytes,
                          const std::string& more = "") {
  return fmt::format(R"({{"type": "copy", "source": "{}", "destination": "{}", "row_bytes": {}{}}})", source,
                     destination, row_bytes, more);
}

/// A `fill` effect; `value` is a list, `more` begins with a comma.
inline std::string fills(const std::string& destination, const std::string& value, std::uint64_t row_bytes,
                         const std::string& more = "") {
  return fmt::format(R"({{"type": "fill", "destination": "{}", "value": {}, "row_bytes": {}{}}})", destination, value,
                     row_bytes, more);
}

/// One queue of `tiny` that executes one list of these commands.
inline nlohmann::json one_list(const std::string& resources, const std::string& commands,
                               const std::string& type = "direct") {
  return parse_json(R"({"name": "w", "machine": "tiny", "resources": [)" + resources +
                        R"(], "command_lists": [{"name": "l", "type": ")" + type + R"(", "commands": [)" + commands +
                        R"(]}], "queues": [{"name": "q", "type": ")" + type +
                        R"(", "timeline": [{"type": "execute", "lists": ["l"]}]}]})",
                    "w.json");
}

/// Runs a workload or capture of the shell, and gives report.json's statistics.
inline nlohmann::json statistics_of(const Shell& shell, const std::string& file,
                                    const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments = {"run", file, "--out", "run", "--json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Output output = shell.fenceline(arguments);
  INFO(output.err);
  REQUIRE(output.code == 0);
  return parse_json(output.out, "report.json").at("statistics");
}
inline nlohmann::json statistics_of(const Shell& shell, const nlohmann::json& document,
                                    const std::vector<std::string>& more = {}) {
  shell.write("w.json", document.dump());
  return statistics_of(shell, std::string("w.json"), more);
}

/// What a run says of one resource; null where it was not written.
inline nlohmann::json content_of(const nlohmann::json& statistics, const std::string& name) {
  const nlohmann::json contents = statistics.value("contents", nlohmann::json::array());
  for (const nlohmann::json& one : contents) {
    if (one.at("resource") == name) return one;
  }
  return nullptr;
}

inline std::string hash_of(const Bytes& bytes) { return fmt::format("{:016x}", capture_check(text_of(bytes))); }

/// How what a resource contains in the end is not `expected`: empty where it is.
inline std::string difference(const nlohmann::json& statistics, const std::string& name, const Bytes& expected) {
  const nlohmann::json found = content_of(statistics, name);
  if (found.is_null()) return name + " was not written";
  if (found.at("bytes") != expected.size()) return name + " has other bytes: " + found.dump();
  if (found.at("xxh3") != hash_of(expected)) return name + ": expected " + hash_of(expected) + ", " + found.dump();
  return "";
}

/// The same of a workload that is one list.
inline std::string difference(const std::string& resources, const std::string& commands, const std::string& name,
                              const Bytes& expected) {
  const Shell shell;
  return difference(statistics_of(shell, one_list(resources, commands)), name, expected);
}

}  // namespace fenceline::testing
