// SPDX-License-Identifier: Apache-2.0
#include "api/report/html/packed_text.hpp"

#include "sim/assert.hpp"

#include <zlib.h>

#include <array>

namespace fenceline {
namespace {

constexpr std::string_view base64_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::array<char, 4> base64_of(unsigned char a, unsigned char b, unsigned char c) {
  const std::uint32_t bits = std::uint32_t{a} << 16 | std::uint32_t{b} << 8 | c;
  return {base64_digits[bits >> 18], base64_digits[bits >> 12 & 63], base64_digits[bits >> 6 & 63],
          base64_digits[bits & 63]};
}

}  // namespace

class PackedText::Deflater {
 public:
  Deflater() {
    FENCELINE_ASSERT(deflateInit(&stream_, Z_DEFAULT_COMPRESSION) == Z_OK, "packed text: zlib has no memory");
  }
  ~Deflater() { deflateEnd(&stream_); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  /// Calls `write` with what comes out.
  template <class Write>
  void add(std::string_view text, int flush, Write write) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));  // zlib does not write there
    stream_.avail_in = static_cast<uInt>(text.size());
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(out_.data());
      stream_.avail_out = static_cast<uInt>(out_.size());
      deflate(&stream_, flush);
      write(std::string_view(out_.data(), out_.size() - stream_.avail_out));
    } while (stream_.avail_out == 0);
  }

 private:
  z_stream stream_{};
  std::array<char, 16 * 1024> out_{};
};

PackedText::PackedText(OutputFile& file) : file_(file), deflater_(std::make_unique<Deflater>()) {}

PackedText::~PackedText() = default;

void PackedText::append(std::string_view text) {
  if (text.empty()) return;
  deflater_->add(text, Z_NO_FLUSH, [this](std::string_view bytes) { write(bytes); });
}

void PackedText::finish() {
  deflater_->add({}, Z_FINISH, [this](std::string_view bytes) { write(bytes); });
  if (left_.empty()) return;
  const auto a = static_cast<unsigned char>(left_[0]);
  const auto b = static_cast<unsigned char>(left_.size() > 1 ? left_[1] : '\0');
  std::array<char, 4> last = base64_of(a, b, 0);
  last[3] = '=';
  if (left_.size() == 1) last[2] = '=';
  file_.append({last.data(), last.size()});
  left_.clear();
}

void PackedText::write(std::string_view bytes) {
  for (const char byte : bytes) {
    left_ += byte;
    if (left_.size() < 3) continue;
    const std::array<char, 4> four =
        base64_of(static_cast<unsigned char>(left_[0]), static_cast<unsigned char>(left_[1]),
                  static_cast<unsigned char>(left_[2]));
    file_.buffer().append(std::string_view(four.data(), four.size()));
    left_.clear();
  }
  file_.end_record();
}

}  // namespace fenceline
