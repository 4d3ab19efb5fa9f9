// SPDX-License-Identifier: Apache-2.0
#include "api/capture/file/section_reader.hpp"

#include "sim/config_error.hpp"

#include <fmt/format.h>

#include <zstd.h>

#include <algorithm>
#include <memory>
#include <new>
#include <utility>

namespace fenceline {
namespace {

constexpr std::size_t piece_bytes = 256 * 1024;

std::string check_text(std::uint64_t check) { return fmt::format("0x{:016x}", check); }

bool is_type(const std::string& type) {
  return std::all_of(type.begin(), type.end(), [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); });
}

/// Log2 of a window that holds so many bytes, and not many more.
int window_log(std::uint64_t bytes) {
  int log = 10;  // zstd's smallest
  while ((std::uint64_t{1} << log) < bytes) ++log;
  return log;
}

}  // namespace

SectionReader::SectionReader(ReadBytes read, std::string file) : read_(std::move(read)), file_(std::move(file)) {
  std::array<char, capture_header_bytes> header{};
  const std::size_t length = read_some(header.data(), header.size());
  const auto wrong = [&](const std::string& expected, const std::string& found) {
    throw ConfigError(file_, "", expected, found);
  };
  if (std::string_view(header.data(), std::min(length, capture_magic.size())) != capture_magic) {
    wrong("a capture, which begins with \\x89FLCAP", in_quotes({header.data(), std::min<std::size_t>(length, 8)}));
  }
  if (length < header.size()) {
    wrong(fmt::format("a capture's header of {} bytes", header.size()),
          fmt::format("the end of the file at byte {}", length));
  }
  const std::uint64_t check = capture_check({header.data(), 24});
  if (number_at(&header[24], 8) != check) {
    wrong("the capture's header to have the check " + check_text(number_at(&header[24], 8)), check_text(check));
  }
  if (number_at(&header[12], 4) != byte_order_mark) wrong("a capture of little-endian numbers", "another byte order");
  if (number_at(&header[8], 2) != capture_major) {
    wrong(fmt::format("a capture of format {}", capture_major),
          fmt::format("format {}.{}", number_at(&header[8], 2), number_at(&header[10], 2)));
  }
  minor_ = static_cast<std::uint16_t>(number_at(&header[10], 2));
  if (number_at(&header[16], 4) != 0) wrong("a capture without flags", check_text(number_at(&header[16], 4)));
}

std::size_t SectionReader::read_some(char* to, std::size_t count) {
  std::size_t length = 0;
  while (length < count) {
    const std::size_t more = read_(to + length, count - length);
    if (more == 0) break;
    length += more;
  }
  offset_ += length;
  return length;
}

SectionReader::Next SectionReader::next() {
  at_section_ = offset_;
  section_ = {};
  std::array<char, section_header_bytes> bytes{};
  const std::size_t length = read_some(bytes.data(), bytes.size());
  if (length == 0) return Next::end;
  ++number_;
  if (length < bytes.size()) return Next::cut;
  const auto header = section_header(bytes, at_section_);
  if (!header) {
    throw ConfigError(file_, "",
                      fmt::format("the header of section {}, at byte {}, to have the check {}", number_, at_section_,
                                  check_text(number_at(&bytes[32], 8))),
                      check_text(capture_check({bytes.data(), 32}, at_section_)));
  }
  section_ = *header;
  check_header();
  return Next::section;
}

void SectionReader::check_header() const {
  if (!is_type(section_.type)) refuse("to have a type of four capital letters or digits", in_quotes(section_.type));
  if (number_ > most_sections) refuse(fmt::format("to be one of at most {}", most_sections), "one more");
}

bool SectionReader::read(std::string& stored) {
  stored.clear();
  constexpr std::uint32_t known = SectionHeader::compressed_flag | SectionHeader::skippable_flag;
  if ((section_.flags & ~known) != 0)
    refuse(fmt::format("to have flags of {}", known), fmt::format("{}", section_.flags));
  const std::uint64_t most = section_.is_compressed() ? ::ZSTD_compressBound(most_section_bytes) : most_section_bytes;
  if (section_.full_bytes > most_section_bytes) {
    refuse(fmt::format("to hold at most {} bytes", most_section_bytes), fmt::format("{}", section_.full_bytes));
  }
  if (section_.stored_bytes > most) {
    refuse(fmt::format("to store at most {} bytes", most), fmt::format("{}", section_.stored_bytes));
  }
  const auto count = static_cast<std::size_t>(section_.stored_bytes);
  while (stored.size() < count) {
    const std::size_t before = stored.size();
    stored.resize(std::min(count, before + std::max(piece_bytes, before)));  // twice as much each time
    const std::size_t length = read_some(&stored[before], stored.size() - before);
    if (length < stored.size() - before) return false;
  }
  check_payload(capture_check(stored));
  return true;
}

bool SectionReader::skip() {
  CaptureCheck check;
  std::string piece(piece_bytes, '\0');
  for (std::uint64_t left = section_.stored_bytes; left > 0;) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(left, piece.size()));
    if (read_some(piece.data(), count) < count) return false;
    check.add({piece.data(), count});
    left -= count;
  }
  check_payload(check.value());
  return true;
}

void SectionReader::check_payload(std::uint64_t found) const {
  if (found != section_.check) refuse("to have the check " + check_text(section_.check), check_text(found));
}

std::string SectionReader::full(const std::string& stored, std::uint64_t most) const {
  if (!section_.is_compressed()) {
    if (section_.full_bytes != stored.size()) {
      refuse(fmt::format("to store the {} bytes that it has", section_.full_bytes), fmt::format("{}", stored.size()));
    }
    return stored.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(most, stored.size())));
  }
  struct Free {
    void operator()(::ZSTD_DCtx* context) const { ::ZSTD_freeDCtx(context); }
  };
  const std::unique_ptr<::ZSTD_DCtx, Free> context(::ZSTD_createDCtx());
  if (!context) throw std::bad_alloc();
  ::ZSTD_DCtx_setParameter(context.get(), ::ZSTD_d_windowLogMax, window_log(section_.full_bytes));
  const auto wanted = static_cast<std::size_t>(std::min(most, section_.full_bytes));
  std::string text;
  ::ZSTD_inBuffer in = {stored.data(), stored.size(), 0};
  std::size_t result = 1;  // 0: the frame is over
  while (result != 0 && text.size() <= wanted) {
    const std::size_t before = text.size();
    if (before == wanted && wanted < section_.full_bytes) return text;
    // One byte more than there should be, for a frame that is longer.
    text.resize(std::min(wanted + 1, before + std::max(piece_bytes, before)));
    ::ZSTD_outBuffer out = {&text[before], text.size() - before, 0};
    const std::size_t read_before = in.pos;
    result = ::ZSTD_decompressStream(context.get(), &out, &in);
    text.resize(before + out.pos);
    if (::ZSTD_isError(result) != 0) refuse("to be a zstd frame", ::ZSTD_getErrorName(result));
    if (result != 0 && out.pos == 0 && in.pos == read_before)
      refuse("to be a whole zstd frame", "one that ends too early");
  }
  if (wanted < section_.full_bytes && text.size() >= wanted) return text.substr(0, wanted);
  if (result != 0 || text.size() != section_.full_bytes || in.pos != in.size) {
    refuse(fmt::format("to unpack to {} bytes", section_.full_bytes),
           text.size() > section_.full_bytes ? "more" : fmt::format("{}, and bytes behind them", text.size()));
  }
  return text;
}

std::string SectionReader::place() const {
  return fmt::format("section {} ({}, at byte {})", number_, one_line(section_.type), at_section_);
}

void SectionReader::refuse(const std::string& expected, const std::string& found) const {
  throw ConfigError(file_, "", place() + ' ' + expected, found);
}

}  // namespace fenceline
