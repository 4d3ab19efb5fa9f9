// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace fenceline::testing {

/// What stands in JSON documents, or does not belong there.
inline const std::vector<std::string> json_tokens = {"{",
                                                     "}",
                                                     "[",
                                                     "]",
                                                     ",",
                                                     ":",
                                                     "\"",
                                                     "\\",
                                                     "null",
                                                     "true",
                                                     "-",
                                                     "0",
                                                     "1e999",
                                                     "-1",
                                                     "1.5",
                                                     "\"\"",
                                                     "{}",
                                                     "[]",
                                                     "\\u0000",
                                                     "\\ud800",
                                                     "//",
                                                     "/*",
                                                     "\n",
                                                     "\t",
                                                     "\xEF\xBB\xBF",
                                                     "\xFF",
                                                     "\xC3",
                                                     "18446744073709551616",
                                                     "1e300",
                                                     "\"type\":\"draw\",",
                                                     "\"name\":\"x\",",
                                                     "\"\":0,",
                                                     std::string(1, '\0'),
                                                     std::string(70, '[')};

/// Makes texts that are nearly documents. The same seed makes the same texts.
class Mutator {
 public:
  /// `often`: more than every other change gives a number another value, and a text has fewer changes.
  enum class Numbers : std::uint8_t { as_text, often };

  explicit Mutator(std::uint64_t seed, const std::vector<std::string>& tokens = json_tokens,
                   Numbers numbers = Numbers::as_text)
      : random_(seed),
        tokens_(tokens),
        most_changes_(numbers == Numbers::often ? 3 : 4),
        kinds_(numbers == Numbers::often ? 13 : 6) {}

  std::string mutated(std::string text) {
    for (std::size_t times = 1 + pick(most_changes_); times > 0; --times) mutate(text);
    return text;
  }

 private:
  std::size_t pick(std::size_t size) { return static_cast<std::size_t>(random_() % size); }

  const std::string& token() { return tokens_[pick(tokens_.size())]; }

  void mutate(std::string& text) {
    const std::size_t at = pick(text.size() + 1);
    const std::size_t length = pick(12);
    switch (pick(kinds_)) {
      case 0: text.insert(at, token()); break;
      case 1: text.erase(at, length); break;
      case 2: text.insert(at, text.substr(pick(text.size() + 1), 4 * length)); break;
      case 3: text.replace(at, length, token()); break;
      case 4: text.resize(at); break;
      case 5:
        if (at < text.size()) text[at] = static_cast<char>(pick(256));
        break;
      default: {
        const std::size_t digit = text.find_first_of("0123456789", at);
        if (digit == std::string::npos) break;
        const std::size_t end = text.find_first_not_of("0123456789.e+", digit);
        text.replace(digit, end == std::string::npos ? end : end - digit, token());
        break;
      }
    }
  }

  std::mt19937_64 random_;
  const std::vector<std::string>& tokens_;
  std::size_t most_changes_;
  std::size_t kinds_;  // of changes
};

/// `file: /pointer: expected ..., found ...` on one line of printable text; without a file's name, from the pointer on.
inline bool has_the_form(const std::string& message, const std::string& file = "x.json") {
  const std::size_t expected = message.find(": expected ");
  if (message.rfind(file.empty() ? "/" : file + ": /", 0) != 0 || expected == std::string::npos) return false;
  if (message.find(", found ", expected) == std::string::npos) return false;
  for (const char c : message) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) return false;
  }
  return true;
}

}  // namespace fenceline::testing
