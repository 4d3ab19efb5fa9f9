// SPDX-License-Identifier: Apache-2.0
#include "api/capture/file/section_writer.hpp"

#include <fmt/format.h>

#include <zstd.h>

#include <new>
#include <stdexcept>
#include <system_error>

namespace fenceline {
namespace {

constexpr int compression_level = 3;  // zstd's own choice

}  // namespace

void SectionWriter::Free::operator()(ZSTD_CCtx_s* context) const { ::ZSTD_freeCCtx(context); }

SectionWriter::SectionWriter(OutputFile& file) : file_(file), context_(::ZSTD_createCCtx()) {
  if (!context_) throw std::bad_alloc();
  const auto header = capture_header();
  file_.append({header.data(), header.size()});
  offset_ = header.size();
}

void SectionWriter::append(std::string_view type, std::string_view payload, std::uint32_t flags) {
  if (payload.size() > most_section_bytes) {
    throw OutputError(
        file_.path(),
        fmt::format("cannot write a section {} of {} bytes: at most {}", type, payload.size(), most_section_bytes),
        std::make_error_code(std::errc::file_too_large));
  }
  SectionHeader header;
  header.type = type;
  header.flags = flags;
  header.full_bytes = payload.size();
  compressed_.resize(::ZSTD_compressBound(payload.size()));
  const std::size_t length = ::ZSTD_compressCCtx(context_.get(), compressed_.data(), compressed_.size(), payload.data(),
                                                 payload.size(), compression_level);
  if (::ZSTD_isError(length) != 0) throw std::runtime_error(::ZSTD_getErrorName(length));
  if (length < payload.size()) {
    header.flags |= SectionHeader::compressed_flag;
    payload = std::string_view(compressed_).substr(0, length);
  }
  header.stored_bytes = payload.size();
  header.check = capture_check(payload);
  const auto bytes = bytes_of(header, offset_);
  file_.append({bytes.data(), bytes.size()});
  file_.append(payload);
  offset_ += bytes.size() + payload.size();
  ++counts_[header.type];
}

}  // namespace fenceline
