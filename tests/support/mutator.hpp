// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace fenceline::testing {

/// Makes texts that are nearly documents. The same seed makes the same texts.
class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  std::string mutated(std::string text) {
    for (std::size_t times = 1 + pick(4); times > 0; --times) mutate(text);
    return text;
  }

 private:
  std::size_t pick(std::size_t size) { return static_cast<std::size_t>(random_() % size); }

  void mutate(std::string& text) {
    static const std::vector<std::string> tokens = {"{",
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
    const std::size_t at = pick(text.size() + 1);
    const std::size_t length = pick(12);
    switch (pick(6)) {
      case 0: text.insert(at, tokens[pick(tokens.size())]); break;
      case 1: text.erase(at, length); break;
      case 2: text.insert(at, text.substr(pick(text.size() + 1), 4 * length)); break;
      case 3: text.replace(at, length, tokens[pick(tokens.size())]); break;
      case 4: text.resize(at); break;
      default:
        if (at < text.size()) text[at] = static_cast<char>(pick(256));
    }
  }

  std::mt19937_64 random_;
};

/// `file: /pointer: expected ..., found ...` on one line of printable text.
inline bool has_the_form(const std::string& message) {
  const std::size_t expected = message.find(": expected ");
  if (message.rfind("x.json: /", 0) != 0 || expected == std::string::npos) return false;
  if (message.find(", found ", expected) == std::string::npos) return false;
  for (const char c : message) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) return false;
  }
  return true;
}

}  // namespace fenceline::testing
