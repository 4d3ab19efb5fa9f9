// SPDX-License-Identifier: Apache-2.0
#include "api/hlsl/static_buffers.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>

namespace fenceline::d3d12 {
namespace {

constexpr std::size_t none = std::string::npos;

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Words and signs of a source, one after another, without space, comments, strings and the preprocessor's lines.
class Tokens {
 public:
  Tokens(std::string_view text, std::size_t at) : text_(text), at_(at) {}

  /// Empty at the end.
  std::string_view next() {
    skip();
    begin_ = at_;
    if (at_ >= text_.size()) return {};
    do {
      ++at_;
    } while (in_word(text_[begin_]) && at_ < text_.size() && in_word(text_[at_]));
    return text_.substr(begin_, at_ - begin_);
  }
  std::size_t begin() const { return begin_; }  ///< of the last one
  std::size_t end() const { return at_; }

 private:
  void skip() {
    for (;;) {
      const std::string_view rest = text_.substr(std::min(at_, text_.size()));
      if (rest.empty()) return;
      if (std::isspace(static_cast<unsigned char>(rest[0])) != 0) {
        ++at_;
      } else if (rest.substr(0, 2) == "//" || rest[0] == '#') {
        leave(rest.find('\n'), 0);
      } else if (rest.substr(0, 2) == "/*") {
        leave(rest.find("*/", 2), 2);
      } else if (rest[0] == '"') {
        leave(rest.find('"', 1), 1);
      } else {
        return;
      }
    }
  }
  void leave(std::size_t end, std::size_t length) { at_ = end == none ? text_.size() : at_ + end + length; }

  std::string_view text_;
  std::size_t at_;
  std::size_t begin_ = 0;
};

struct Braces {
  std::size_t open;
  std::size_t close;
};

/// Of the buffer whose keyword ends at `at`, if it declares static variables and nothing else.
std::optional<Braces> static_buffer(std::string_view text, std::size_t at) {
  Tokens tokens(text, at);
  std::string_view token = tokens.next();
  while (token != "{") {
    if (token.empty() || token == ";" || token == "}") return {};
    token = tokens.next();
  }
  Braces braces{tokens.begin(), 0};
  bool some = false;
  bool begins = true;  // a declaration
  for (int depth = 1; depth > 0;) {
    token = tokens.next();
    if (token.empty()) return {};
    if (depth == 1 && begins && token != "}") {
      if (token != "static") return {};
      some = true;
    }
    begins = depth == 1 && token == ";";
    if (token == "{") ++depth;
    if (token == "}") --depth;
  }
  braces.close = tokens.begin();
  if (!some) return {};
  return braces;
}

void blank(std::string& text, std::size_t from, std::size_t to) {
  std::replace_if(
      text.begin() + static_cast<std::ptrdiff_t>(from), text.begin() + static_cast<std::ptrdiff_t>(to),
      [](char c) { return c != '\n'; }, ' ');
}

}  // namespace

std::string without_static_buffers(std::string text) {
  std::size_t at = 0;
  for (;;) {
    Tokens tokens(text, at);
    const std::string_view token = tokens.next();
    if (token.empty()) return text;
    at = tokens.end();
    if (token != "cbuffer" && token != "tbuffer") continue;
    const std::size_t keyword = tokens.begin();
    if (const auto braces = static_buffer(text, at)) {
      blank(text, keyword, braces->open + 1);
      blank(text, braces->close, braces->close + 1);
    }
  }
}

}  // namespace fenceline::d3d12
