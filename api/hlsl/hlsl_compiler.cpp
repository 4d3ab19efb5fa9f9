// SPDX-License-Identifier: Apache-2.0
#include "api/hlsl/hlsl_compiler.hpp"

#include "api/hlsl/glslang_front_end.hpp"
#include "api/hlsl/hlsl_profile.hpp"
#include "api/hlsl/isolated_call.hpp"
#include "sim/config_error.hpp"

#include <fmt/format.h>

#include <mutex>
#include <set>
#include <variant>

namespace fenceline::d3d12 {
namespace {

// Between the processes: texts without a null stand before a null, the last text is the rest.

std::string question_of(const std::string& header, const std::string& from, bool in_quotes) {
  return (in_quotes ? '"' : '<') + header + '\0' + from;
}

/// The files that one source includes, up to a size.
class Includes {
 public:
  explicit Includes(const HlslSource& of) : include_(of.include), left_bytes_(most_bytes_together - of.text.size()) {}

  std::string answer_to(const std::string& question) {
    const std::size_t end = question.find('\0');
    if (!include_ || end == std::string::npos) return {};
    const auto found = include_(question.substr(1, end - 1), question.substr(end + 1), question.front() == '"');
    if (!found) return {};
    count(*found);
    return found->name + '\0' + found->text;
  }

 private:
  void count(const HlslInclude& file) {
    const auto refuse = [&](const std::string& expected, const std::string& found) {
      throw ConfigError(file.name, "", expected, found);
    };
    const std::size_t bytes = file.text.size();
    if (bytes > most_source_bytes) refuse(fmt::format("at most {} bytes", most_source_bytes), std::to_string(bytes));
    if (!counted_.insert(file.name).second) return;
    if (bytes > left_bytes_) {
      refuse(fmt::format("at most {} bytes with all that is included", most_bytes_together), "more");
    }
    left_bytes_ -= bytes;
  }

  const HlslIncluder& include_;
  std::size_t left_bytes_;
  std::set<std::string> counted_;
};

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

HlslResult compile_hlsl(const HlslSource& source) try {
  const auto profile = parse_hlsl_profile(source.profile);
  if (const auto* wrong = std::get_if<std::string>(&profile)) {
    return {{}, fmt::format("{}: error: {}\n", source.name, *wrong)};
  }
  if (source.text.size() > most_source_bytes) {
    return {{},
            fmt::format("{}: error: expected at most {} bytes, found {}\n", source.name, most_source_bytes,
                        source.text.size())};
  }
  static std::mutex turn;
  const std::lock_guard<std::mutex> mine(turn);
  Includes includes(source);
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
      [&](const std::string& question) { return includes.answer_to(question); });
  if (!text) {
    return {{}, fmt::format("{}: error: the HLSL front end (glslang) broke down on this code\n", source.name)};
  }
  return result_of(*text);
} catch (const ConfigError& error) {
  return {{}, fmt::format("{}: error: expected {}, found {}\n", error.file(), error.expected(), error.found())};
}

}  // namespace fenceline::d3d12
