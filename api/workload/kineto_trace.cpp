// SPDX-License-Identifier: Apache-2.0
#include "api/workload/kineto_trace.hpp"

#include "api/workload/kineto_sax.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <fstream>
#include <istream>
#include <streambuf>
#include <system_error>
#include <vector>

namespace fenceline {
namespace {

/// A file as a stream that says how far it has been read.
class FileBuffer final : public std::streambuf {
 public:
  using Progress = std::function<void(std::uint64_t, std::uint64_t)>;
  FileBuffer(const std::filesystem::path& path, const Progress& progress) : progress_(progress), chunk_(chunk_size) {
    const std::string name = path.string();
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    const auto unreadable = [&](const std::string& found) { throw ConfigError(name, "", "a readable file", found); };
    if (status.type() == std::filesystem::file_type::not_found) unreadable("no such file");
    if (status.type() == std::filesystem::file_type::directory) unreadable("a directory");
    errno = 0;
    file_.open(path, std::ios::binary);
    if (!file_) unreadable("one that does not open: " + std::generic_category().message(errno));
    total_ = status.type() == std::filesystem::file_type::regular ? std::filesystem::file_size(path, error) : 0;
    if (sgetc() == traits_type::eof()) unreadable("an empty file");
    constexpr int gzip_mark = 0x1f;
    if (sgetc() == gzip_mark) throw ConfigError(name, "", "a JSON trace", "a gzip file: unpack it first");
  }
  std::uint64_t read() const { return read_ - static_cast<std::uint64_t>(egptr() - gptr()); }
  bool failed() const { return file_.bad(); }

 private:
  static constexpr std::size_t chunk_size = 256 * 1024;

  int_type underflow() override {
    if (progress_) progress_(read_, total_);
    file_.read(chunk_.data(), static_cast<std::streamsize>(chunk_.size()));
    const std::streamsize count = file_.gcount();
    read_ += static_cast<std::uint64_t>(count);
    setg(chunk_.data(), chunk_.data(), chunk_.data() + count);
    return count == 0 ? traits_type::eof() : traits_type::to_int_type(chunk_[0]);
  }

  const Progress& progress_;
  std::ifstream file_;
  std::vector<char> chunk_;
  std::uint64_t read_ = 0;
  std::uint64_t total_ = 0;
};

}  // namespace

ConfigError KinetoTrace::error(const KinetoOp& op, const std::string& member, const std::string& expected,
                               const std::string& found) const {
  return {file, fmt::format("{}/{}{}", pointer_prefix, op.event, member), expected, found};
}

KinetoTrace read_kineto(const std::filesystem::path& file,
                        const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
  KinetoTrace trace;
  trace.file = file.string();
  FileBuffer buffer(file, progress);
  std::istream stream(&buffer);
  KinetoSax sax(trace);
  nlohmann::json::sax_parse(stream, &sax);
  if (buffer.failed()) throw ConfigError(trace.file, "", "a readable file", "an error while reading it");
  // The parser takes a NUL for the end of its input.
  if (stream.peek() != std::char_traits<char>::eof()) {
    throw ConfigError(trace.file, "", "the end of the file", fmt::format("more text at byte {}", buffer.read() - 1));
  }
  sax.finish();
  if (trace.ops.empty()) {
    throw ConfigError(trace.file, trace.pointer_prefix,
                      "GPU work: complete events of category kernel, gpu_memcpy or gpu_memset", "none");
  }
  return trace;
}

}  // namespace fenceline
