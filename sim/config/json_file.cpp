// SPDX-License-Identifier: Apache-2.0
#include "sim/config/json_file.hpp"

#include "sim/config/json_sax.hpp"
#include "sim/config_error.hpp"
#include "sim/files/input_file.hpp"

#include <fmt/format.h>

#include <cmath>

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
  return parse_json(read_input(path), path == "-" ? "standard input" : path.string());
}

std::string dump_json(const nlohmann::ordered_json& document) { return text_of(document); }
std::string dump_json(const nlohmann::json& document) { return text_of(document); }

std::string shown(const nlohmann::json& value) { return shown_value(value); }
std::string shown(const nlohmann::ordered_json& value) { return shown_value(value); }

}  // namespace fenceline
