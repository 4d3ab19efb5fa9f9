// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace fenceline {

/// The most bytes that the beginning of an item of CBOR takes.
constexpr std::size_t most_cbor_head = 9;

/// Begins an item of CBOR at `to`: 0 a number, 3 a text, 4 an array, 5 a map of so many (RFC 8949, the shortest form).
/// Returns how many bytes that takes.
inline std::size_t put_cbor_head(char* to, unsigned major, std::uint64_t value) {
  const auto first = static_cast<unsigned char>(major << 5);
  if (value < 24) {
    *to = static_cast<char>(first | value);
    return 1;
  }
  const unsigned power = value < 0x100 ? 0 : value < 0x10000 ? 1 : value < 0x100000000 ? 2 : 3;  // of the bytes
  const std::size_t bytes = std::size_t{1} << power;
  *to = static_cast<char>(first | (24 + power));
  for (std::size_t i = bytes; i > 0; --i, value >>= 8) to[i] = static_cast<char>(value);
  return 1 + bytes;
}
inline void append_cbor_head(std::string& to, unsigned major, std::uint64_t value) {
  char head[most_cbor_head];
  to.append(head, put_cbor_head(head, major, value));
}

/// Appends a map of at most 23 keys, which is whole when this ends. Without nlohmann::json, which takes a microsecond a
/// command, and to the text at once, for a frame has a million of them.
class CborMap {
 public:
  explicit CborMap(std::string& to) : to_(to), at_(to.size()) { to += '\0'; }
  ~CborMap() {
    flush();
    to_[at_] = static_cast<char>(0xA0 | count_);
  }
  CborMap(const CborMap&) = delete;
  CborMap& operator=(const CborMap&) = delete;

  template <std::size_t Size>
  void add(const char (&key)[Size], std::uint64_t number) {
    add_key(key);
    used_ += put_cbor_head(room_ + used_, 0, number);
  }
  template <std::size_t Size>
  void add(const char (&key)[Size], std::uint32_t number) {
    add(key, std::uint64_t{number});
  }
  template <std::size_t Size>
  void add(const char (&key)[Size], std::string_view text) {
    add_key(key);
    put_text(text);
  }
  template <std::size_t Size>
  void add(const char (&key)[Size], bool value) {
    add_key(key);
    room_[used_++] = value ? '\xF5' : '\xF4';
  }
  template <std::size_t Size>
  void add(const char (&key)[Size], const char* text) {
    add(key, std::string_view(text));
  }
  /// A number that readers take to be `usual` where it is absent.
  template <std::size_t Size>
  void add_unless(const char (&key)[Size], std::uint64_t number, std::uint64_t usual) {
    if (number != usual) add(key, number);
  }
  /// For another kind of value, to be appended there before anything else is added.
  template <std::size_t Size>
  std::string& value_of(const char (&key)[Size]) {
    add_key(key);
    flush();
    return to_;
  }

 private:
  /// With room for a number behind it. Its length is known, so that copying it is no call.
  template <std::size_t Size>
  void add_key(const char (&key)[Size]) {
    constexpr std::size_t length = Size - 1;
    static_assert(length < 24);
    ++count_;
    if (used_ + Size + most_cbor_head > sizeof room_) flush();
    room_[used_] = static_cast<char>(3U << 5 | length);
    std::memcpy(room_ + used_ + 1, key, length);
    used_ += Size;
  }
  void put_text(std::string_view text) {
    if (used_ + text.size() + most_cbor_head > sizeof room_) flush();
    used_ += put_cbor_head(room_ + used_, 3, text.size());
    if (text.size() > sizeof room_ - most_cbor_head) {
      flush();
      to_ += text;
    } else {
      std::memcpy(room_ + used_, text.data(), text.size());
      used_ += text.size();
    }
  }
  void flush() {
    to_.append(room_, used_);
    used_ = 0;
  }

  std::string& to_;
  std::size_t at_;
  unsigned count_ = 0;
  std::size_t used_ = 0;
  char room_[256];  // what is to be appended
};

}  // namespace fenceline
