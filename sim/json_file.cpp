// SPDX-License-Identifier: Apache-2.0
#include "sim/json_file.hpp"

#include "sim/config_error.hpp"
#include "sim/json_sax.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <fstream>
#include <sstream>
#include <system_error>

namespace fenceline {
namespace {

template <class Json>
std::string text_of(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

template <class Json>
std::string shown_value(const Json& value) {
  if (value.is_string()) return in_quotes(value.template get_ref<const std::string&>());
  if (value.is_object()) return value.empty() ? "an empty object" : "an object";
  if (value.is_array()) {
    if (value.empty()) return "an empty array";
    return fmt::format("an array of {} element{}", value.size(), value.size() == 1 ? "" : "s");
  }
  if (value.is_number_float() && !std::isfinite(value.template get<double>())) return "a number that is not finite";
  return shortened(value.dump(-1, ' ', false, Json::error_handler_t::replace), 60);
}

[[noreturn]] void unreadable(const std::filesystem::path& path, const std::string& found) {
  throw ConfigError(path.string(), "", "a readable file", found);
}

}  // namespace

nlohmann::json parse_json(std::string_view text, const std::string& file) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  const auto is_marked = [&] { return text.substr(0, byte_order_mark.size()) == byte_order_mark; };
  if (is_marked()) text.remove_prefix(byte_order_mark.size());
  if (is_marked()) throw ConfigError(file, "", "at most one byte order mark", "two");  // nlohmann would skip it
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    throw ConfigError(file, "", "a JSON document", text.empty() ? "an empty file" : "a file with nothing but spaces");
  }
  JsonSax sax(text, file);
  nlohmann::json::sax_parse(text.begin(), text.end(), &sax);
  return sax.finish();
}

nlohmann::json load_json(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) unreadable(path, "no such file");
  if (status.type() == std::filesystem::file_type::directory) unreadable(path, "a directory");
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) unreadable(path, "one that does not open: " + std::generic_category().message(errno));
  std::ostringstream text;
  // An empty file sets failbit on the way out (it inserts nothing), so only badbit of the source counts.
  text << stream.rdbuf();
  if (stream.bad()) unreadable(path, "an error while reading it");
  return parse_json(text.str(), path.string());
}

std::string dump_json(const nlohmann::ordered_json& document) { return text_of(document); }
std::string dump_json(const nlohmann::json& document) { return text_of(document); }

std::string shown(const nlohmann::json& value) { return shown_value(value); }
std::string shown(const nlohmann::ordered_json& value) { return shown_value(value); }

}  // namespace fenceline
