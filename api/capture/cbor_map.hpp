// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fenceline {

/// Begins an item of CBOR: 0 a number, 3 a text, 4 an array, 5 a map of so many (RFC 8949, the shortest form).
inline void append_cbor_head(std::string& to, unsigned major, std::uint64_t value) {
  const auto first = static_cast<unsigned char>(major << 5);
  if (value < 24) {
    to += static_cast<char>(first | value);
    return;
  }
  const unsigned power = value < 0x100 ? 0 : value < 0x10000 ? 1 : value < 0x100000000 ? 2 : 3;  // of the bytes
  to += static_cast<char>(first | (24 + power));
  for (int byte = (1 << power) - 1; byte >= 0; --byte) to += static_cast<char>(value >> (8 * byte));
}
inline void append_cbor_text(std::string& to, std::string_view text) {
  append_cbor_head(to, 3, text.size());
  to += text;
}

/// Appends a map of at most 23 keys, which is whole when this ends. Without nlohmann::json, which takes a microsecond a
/// command.
class CborMap {
 public:
  explicit CborMap(std::string& to) : to_(to), at_(to.size()) { to += '\0'; }
  ~CborMap() { to_[at_] = static_cast<char>(0xA0 | count_); }
  CborMap(const CborMap&) = delete;
  CborMap& operator=(const CborMap&) = delete;

  void add(std::string_view key, std::uint64_t number) { append_cbor_head(value_of(key), 0, number); }
  void add(std::string_view key, std::uint32_t number) { add(key, std::uint64_t{number}); }
  void add(std::string_view key, std::string_view text) { append_cbor_text(value_of(key), text); }
  void add(std::string_view key, bool value) { value_of(key) += value ? '\xF5' : '\xF4'; }
  void add(std::string_view key, const char* text) { add(key, std::string_view(text)); }
  /// A number that readers take to be `usual` where it is absent.
  void add_unless(std::string_view key, std::uint64_t number, std::uint64_t usual) {
    if (number != usual) add(key, number);
  }
  /// For another kind of value, to be appended there.
  std::string& value_of(std::string_view key) {
    ++count_;
    append_cbor_text(to_, key);
    return to_;
  }

 private:
  std::string& to_;
  std::size_t at_;
  unsigned count_ = 0;
};

}  // namespace fenceline
