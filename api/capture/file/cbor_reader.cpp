// SPDX-License-Identifier: Apache-2.0
#include "api/capture/file/cbor_reader.hpp"

#include "sim/config_error.hpp"
#include "sim/text/utf8.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

namespace fenceline {
namespace {

using nlohmann::json;

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const bool ascii = static_cast<unsigned char>(text[0]) < 0x80;
    const std::size_t length = ascii ? 1 : utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

class CborReader {
 public:
  using Refuse = std::function<void(const std::string&, const std::string&)>;
  CborReader(std::string_view payload, const CborLimits& limits, const Refuse& refuse)
      : bytes_(payload), limits_(limits), refuse_(refuse) {}

  json read() {
    json root;
    value(root);
    while (!open_.empty()) {
      Level& level = open_.back();
      if (level.left == 0) {
        open_.pop_back();
      } else {
        --level.left;
        value(level.container->is_object() ? member(*level.container) : level.container->emplace_back());
      }
    }
    if (at_ != bytes_.size()) refuse("the end of the payload", fmt::format("{} bytes more", bytes_.size() - at_));
    return root;
  }

 private:
  enum Major : unsigned { unsigned_number, negative_number, bytes, text, array, map, tag, simple };
  struct Level {
    json* container;  // stays where it is: its parent grows only after it is closed
    std::uint64_t left;
  };

  [[noreturn]] void refuse(const std::string& expected, const std::string& found) const {
    refuse_(fmt::format("to have, at byte {} of its payload, {}", start_, expected), found);
    throw std::logic_error("not refused");
  }

  std::string_view take(std::uint64_t count) {
    if (count > bytes_.size() - at_) {
      refuse(fmt::format("{} bytes more", count), fmt::format("{} to its end", bytes_.size() - at_));
    }
    const std::string_view taken = bytes_.substr(at_, static_cast<std::size_t>(count));
    at_ += taken.size();
    return taken;
  }
  std::uint64_t number(std::size_t count) {
    std::uint64_t number = 0;
    for (const char c : take(count)) number = number << 8 | static_cast<unsigned char>(c);
    return number;
  }

  struct Head {
    unsigned major;
    unsigned more;  // of the first byte
    std::uint64_t number;
  };
  Head head() {
    start_ = at_;
    const unsigned first = static_cast<unsigned char>(take(1)[0]);
    Head head = {first >> 5U, first & 31U, first & 31U};
    if (head.more >= 24) {
      if (head.more > 27) refuse("a length in front", fmt::format("0x{:02x}", first));
      head.number = number(std::size_t{1} << (head.more - 24));
    }
    return head;
  }

  std::string text_of(std::uint64_t length) {
    const std::string_view taken = take(length);
    if (!is_utf8(taken)) refuse("valid UTF-8", in_quotes(taken));
    return std::string(taken);
  }

  json& member(json& object) {
    const Head key = head();
    if (key.major != text) refuse("a key that is a text", fmt::format("major type {}", key.major));
    std::string name = text_of(key.number);
    if (object.contains(name)) refuse("each key once", in_quotes(name) + " a second time");
    return object[std::move(name)];
  }

  void value(json& to) {
    const Head one = head();
    if (limits_.values == 0) refuse("no more values: the capture has as many as it may", "one more");
    --limits_.values;
    switch (one.major) {
      case unsigned_number: to = one.number; break;
      case negative_number:
        if (one.number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
          refuse("a number from -2^63 on", "a smaller one");
        }
        to = -1 - static_cast<std::int64_t>(one.number);
        break;
      case text: to = text_of(one.number); break;
      case array: open(to, json::array(), one.number); break;
      case map: open(to, json::object(), one.number); break;
      case simple: simple_value(to, one); break;
      default: refuse("what JSON can say", one.major == tag ? "a tag" : "a byte string");
    }
  }

  void open(json& to, json&& container, std::uint64_t count) {
    if (open_.size() == limits_.depth) refuse(fmt::format("at most {} levels of nesting", limits_.depth), "one more");
    if (count > bytes_.size() - at_) {
      refuse("so many elements as can follow", fmt::format("{} in {} bytes", count, bytes_.size() - at_));
    }
    to = std::move(container);
    open_.push_back({&to, count});
  }

  void simple_value(json& to, const Head& one) {
    constexpr unsigned no = 20;
    constexpr unsigned yes = 21;
    constexpr unsigned null = 22;
    constexpr unsigned single = 26;
    constexpr unsigned twice = 27;
    if (one.more == no || one.more == yes) {
      to = one.more == yes;
    } else if (one.more == null) {
      to = nullptr;
    } else if (one.more == single) {
      const auto bits = static_cast<std::uint32_t>(one.number);
      float number = 0;
      std::memcpy(&number, &bits, sizeof number);
      floating(to, number);
    } else if (one.more == twice) {
      double number = 0;
      std::memcpy(&number, &one.number, sizeof number);
      floating(to, number);
    } else {
      refuse("what JSON can say", fmt::format("simple value {}", one.number));
    }
  }

  void floating(json& to, double number) const {
    if (!std::isfinite(number)) refuse("a number that is finite", "one that is not");
    to = number;
  }

  std::string_view bytes_;
  const CborLimits& limits_;
  const Refuse& refuse_;
  std::size_t at_ = 0;
  std::size_t start_ = 0;  // of what is looked at
  std::vector<Level> open_;
};

}  // namespace

json read_cbor(std::string_view bytes, const CborLimits& limits,
               const std::function<void(const std::string&, const std::string&)>& refuse) {
  return CborReader(bytes, limits, refuse).read();
}

}  // namespace fenceline
