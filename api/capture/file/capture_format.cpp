// SPDX-License-Identifier: Apache-2.0
#define XXH_INLINE_ALL
#include "api/capture/file/capture_format.hpp"

#include <xxhash.h>

#include <new>

namespace fenceline {

std::uint64_t number_at(const char* bytes, std::size_t count) {
  std::uint64_t number = 0;
  for (std::size_t i = count; i > 0; --i) number = number << 8 | static_cast<unsigned char>(bytes[i - 1]);
  return number;
}

void put_number_at(char* bytes, std::size_t count, std::uint64_t number) {
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<char>(number >> (8 * i));
}

std::uint64_t capture_check(std::string_view bytes, std::uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

CaptureCheck::CaptureCheck() : state_(XXH3_createState()) {
  if (state_ == nullptr) throw std::bad_alloc();
  XXH3_64bits_reset(static_cast<XXH3_state_t*>(state_));
}
CaptureCheck::~CaptureCheck() { XXH3_freeState(static_cast<XXH3_state_t*>(state_)); }
void CaptureCheck::add(std::string_view bytes) {
  XXH3_64bits_update(static_cast<XXH3_state_t*>(state_), bytes.data(), bytes.size());
}
std::uint64_t CaptureCheck::value() const { return XXH3_64bits_digest(static_cast<const XXH3_state_t*>(state_)); }

std::array<char, capture_header_bytes> capture_header() {
  std::array<char, capture_header_bytes> bytes{};
  capture_magic.copy(bytes.data(), capture_magic.size());
  put_number_at(&bytes[8], 2, capture_major);
  put_number_at(&bytes[10], 2, capture_minor);
  put_number_at(&bytes[12], 4, byte_order_mark);
  put_number_at(&bytes[24], 8, capture_check({bytes.data(), 24}));
  return bytes;
}

std::array<char, section_header_bytes> bytes_of(const SectionHeader& header, std::uint64_t offset) {
  std::array<char, section_header_bytes> bytes{};
  header.type.copy(bytes.data(), 4);
  put_number_at(&bytes[4], 4, header.flags);
  put_number_at(&bytes[8], 8, header.stored_bytes);
  put_number_at(&bytes[16], 8, header.full_bytes);
  put_number_at(&bytes[24], 8, header.check);
  put_number_at(&bytes[32], 8, capture_check({bytes.data(), 32}, offset));
  return bytes;
}

std::optional<SectionHeader> section_header(const std::array<char, section_header_bytes>& bytes, std::uint64_t offset) {
  if (number_at(&bytes[32], 8) != capture_check({bytes.data(), 32}, offset)) return std::nullopt;
  SectionHeader header;
  header.type.assign(bytes.data(), 4);
  header.flags = static_cast<std::uint32_t>(number_at(&bytes[4], 4));
  header.stored_bytes = number_at(&bytes[8], 8);
  header.full_bytes = number_at(&bytes[16], 8);
  header.check = number_at(&bytes[24], 8);
  return header;
}

}  // namespace fenceline
