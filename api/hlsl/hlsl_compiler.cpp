// SPDX-License-Identifier: Apache-2.0
#include "api/hlsl/hlsl_compiler.hpp"

#include "api/hlsl/glslang_front_end.hpp"
#include "api/hlsl/hlsl_profile.hpp"
#include "api/hlsl/isolated_call.hpp"

#include <fmt/format.h>

#include <mutex>
#include <variant>

namespace fenceline::d3d12 {
namespace {

// Between the processes: texts without a null stand before a null, the last text is the rest.

std::string question_of(const std::string& header, const std::string& from, bool in_quotes) {
  return (in_quotes ? '"' : '<') + header + '\0' + from;
}

std::string answer_to(const std::string& question, const HlslIncluder& include) {
  const std::size_t end = question.find('\0');
  if (!include || end == std::string::npos) return {};
  const auto found = include(question.substr(1, end - 1), question.substr(end + 1), question.front() == '"');
  return found ? found->name + '\0' + found->text : std::string();
}

std::optional<HlslInclude> include_of(const std::string& answer) {
  const std::size_t end = answer.find('\0');
  if (end == std::string::npos) return {};
  return HlslInclude{answer.substr(0, end), answer.substr(end + 1)};
}

std::string text_of(const HlslResult& result) { return result.messages + '\0' + result.code; }

HlslResult result_of(const std::string& text) {
  const std::size_t end = text.find('\0');
  return {text.substr(end + 1), text.substr(0, end)};
}

/// As editors put it before UTF-8.
std::string without_mark(const std::string& text) {
  constexpr const char* mark = "\xEF\xBB\xBF";
  return text.compare(0, 3, mark) == 0 ? text.substr(3) : text;
}

}  // namespace

bool has_hlsl_compiler() { return true; }

HlslResult compile_hlsl(const HlslSource& source) {
  const auto profile = parse_hlsl_profile(source.profile);
  if (const auto* wrong = std::get_if<std::string>(&profile)) {
    return {{}, fmt::format("{}: error: {}\n", source.name, *wrong)};
  }
  constexpr std::size_t most_bytes = 16 << 20;
  if (source.text.size() > most_bytes) {
    return {
        {},
        fmt::format("{}: error: expected at most {} bytes, found {}\n", source.name, most_bytes, source.text.size())};
  }
  static std::mutex turn;
  const std::lock_guard<std::mutex> mine(turn);
  const auto text = call_isolated(
      [&](const AskParent& ask) {
        HlslSource here = source;
        here.text = without_mark(here.text);
        if (source.include) {
          here.include = [&](const std::string& header, const std::string& from, bool in_quotes) {
            auto found = include_of(ask(question_of(header, from, in_quotes)));
            if (found) found->text = without_mark(found->text);
            return found;
          };
        }
        return text_of(compile_here(here, std::get<HlslProfile>(profile)));
      },
      [&](const std::string& question) { return answer_to(question, source.include); });
  if (!text) {
    return {{}, fmt::format("{}: error: the HLSL front end (glslang) broke down on this code\n", source.name)};
  }
  return result_of(*text);
}

}  // namespace fenceline::d3d12
