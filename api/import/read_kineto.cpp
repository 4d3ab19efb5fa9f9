// SPDX-License-Identifier: Apache-2.0
#include "api/import/read_kineto.hpp"

#include "api/import/kineto_sax.hpp"
#include "sim/files/input_file.hpp"

#include <fmt/format.h>

#include <istream>
#include <streambuf>
#include <vector>

namespace fenceline {
namespace {

/// A file as a stream that says how far it has been read.
class FileBuffer final : public std::streambuf {
 public:
  using Progress = std::function<void(std::uint64_t, std::uint64_t)>;
  FileBuffer(const std::filesystem::path& path, const Progress& progress)
      : progress_(progress), file_(path, InputFile::trace_limit), chunk_(chunk_size) {
    if (sgetc() == traits_type::eof()) throw ConfigError(file_.name(), "", "a JSON trace", "an empty file");
  }
  std::uint64_t read() const { return read_ - static_cast<std::uint64_t>(egptr() - gptr()); }
  const std::string& name() const { return file_.name(); }

 private:
  static constexpr std::size_t chunk_size = 256 * 1024;

  int_type underflow() override {
    if (progress_) progress_(file_.position(), file_.size());
    const std::size_t count = file_.read(chunk_.data(), chunk_.size());
    read_ += count;
    setg(chunk_.data(), chunk_.data(), chunk_.data() + count);
    return count == 0 ? traits_type::eof() : traits_type::to_int_type(chunk_[0]);
  }

  const Progress& progress_;
  InputFile file_;
  std::vector<char> chunk_;
  std::uint64_t read_ = 0;
};

}  // namespace

KinetoTrace read_kineto(const std::filesystem::path& file,
                        const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
  KinetoTrace trace;
  FileBuffer buffer(file, progress);
  trace.file = buffer.name();
  std::istream stream(&buffer);
  KinetoSax sax(trace);
  nlohmann::json::sax_parse(stream, &sax);
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
