// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fenceline {

// A capture file: a header, then sections, one behind the other, the last one DONE. It holds one workload, in pieces
// that are appended as work is submitted, and nothing that a workload cannot say. Numbers are little-endian.
//
// | header, at byte    | what                                                        |
// |--------------------|-------------------------------------------------------------|
// | 0, 8 bytes         | capture_magic                                               |
// | 8, 2 and 10, 2     | major and minor version of the format                       |
// | 12, 4              | byte_order_mark                                             |
// | 16, 4 and 20, 4    | flags and a number to come; both 0                          |
// | 24, 8              | XXH3 (64 bits) of what is before                            |
//
// | section, at byte   | what                                                        |
// |--------------------|-------------------------------------------------------------|
// | 0, 4               | type: four capital letters or digits                        |
// | 4, 4               | flags: 1 the payload is one zstd frame, 2 it may be skipped |
// | 8, 8 and 16, 8     | length of the payload, as stored and in full                |
// | 24, 8              | XXH3 of the payload, as stored                              |
// | 32, 8              | XXH3 of what is before, seeded with the section's offset    |
// | 40                 | payload                                                     |
//
// | type | payload                                                                                                |
// |------|--------------------------------------------------------------------------------------------------------|
// | WORK | CBOR, first: {"workload": all but its command lists and steps, "machine": that it was taken on, if any} |
// |      | further ones: {"workload": arrays whose elements come behind those that are there}                      |
// | LIST | CBOR: an array of command lists; an array in it continues the commands of the list before it            |
// | STEP | CBOR: an array of {"queue" or "cpu": index, "steps": an array}, in the order of submission              |
// | BLOB | two bytes with the length of a name, the name, bytes; one of the same name continues it                 |
// | DONE | CBOR: how many sections of each type there are before it                                                |
//
// Checks of headers are seeded with the place: sections that were moved, taken out or put in are noticed. A file that
// ends before DONE is one whose writer was killed: what is complete is read.

constexpr std::string_view capture_magic(
    "\x89"
    "FLCAP\r\n",
    8);                                     // shows what takes \r away, or is for text
constexpr std::uint16_t capture_major = 1;  ///< readers refuse others
constexpr std::uint16_t capture_minor = 0;  ///< sections that may be skipped came to it
constexpr std::uint32_t byte_order_mark = 0x01020304;
constexpr std::size_t capture_header_bytes = 32;
constexpr std::size_t section_header_bytes = 40;

/// Payload of a section, in full. Whoever writes more makes several sections of it.
constexpr std::uint64_t most_section_bytes = std::uint64_t{64} << 20;
/// Payloads of WORK, LIST and STEP together, in full: what a JSON document may have.
constexpr std::uint64_t most_capture_bytes = std::uint64_t{256} << 20;
/// Numbers, texts, arrays and objects of a capture's workload: some 100 bytes of memory each.
constexpr std::uint64_t most_capture_values = std::uint64_t{1} << 24;
/// Sections of a file.
constexpr std::uint64_t most_sections = 1'000'000;

/// What stands before a payload.
struct SectionHeader {
  static constexpr std::uint32_t compressed_flag = 1;
  static constexpr std::uint32_t skippable_flag = 2;

  std::string type;  ///< four characters
  std::uint32_t flags = 0;
  std::uint64_t stored_bytes = 0;  ///< of the payload
  std::uint64_t full_bytes = 0;    ///< of the payload
  std::uint64_t check = 0;         ///< of the payload as stored

  bool is_compressed() const { return (flags & compressed_flag) != 0; }
  bool may_be_skipped() const { return (flags & skippable_flag) != 0; }
};

/// The first bytes of a capture.
std::array<char, capture_header_bytes> capture_header();
/// The section's header, at that place.
std::array<char, section_header_bytes> bytes_of(const SectionHeader& header, std::uint64_t offset);
/// The same read; nothing where its check is wrong.
std::optional<SectionHeader> section_header(const std::array<char, section_header_bytes>& bytes, std::uint64_t offset);

/// XXH3, 64 bits.
std::uint64_t capture_check(std::string_view bytes, std::uint64_t seed = 0);
/// The same of bytes that come piece by piece.
class CaptureCheck {
 public:
  CaptureCheck();
  ~CaptureCheck();
  CaptureCheck(const CaptureCheck&) = delete;
  CaptureCheck& operator=(const CaptureCheck&) = delete;
  void add(std::string_view bytes);
  std::uint64_t value() const;

 private:
  void* state_;
};

/// The number that begins there.
std::uint64_t number_at(const char* bytes, std::size_t count);
void put_number_at(char* bytes, std::size_t count, std::uint64_t number);

}  // namespace fenceline
