// SPDX-License-Identifier: Apache-2.0
#include "sim/files/input_file.hpp"

#include "sim/config/json_file.hpp"
#include "sim/config_error.hpp"
#include "tests/support/temporary_directory.hpp"

#include <catch2/catch.hpp>

#include <sys/stat.h>
#include <zlib.h>

#include <random>
#include <string>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

void write_gzip(const fs::path& path, const std::string& text) {
  const gzFile file = gzopen(path.c_str(), "wb");
  REQUIRE(file != nullptr);
  REQUIRE(gzwrite(file, text.data(), static_cast<unsigned>(text.size())) == static_cast<int>(text.size()));
  REQUIRE(gzclose(file) == Z_OK);
}

std::string noise(std::size_t bytes) {
  std::mt19937_64 random(7);
  std::string text;
  while (text.size() < bytes) text += std::to_string(random());
  text.resize(bytes);
  return text;
}

}  // namespace

TEST_CASE("input file: bytes come as they are, or unpacked", "[sim]") {
  const TemporaryDirectory directory;
  const std::string text = noise(GENERATE(std::size_t{0}, std::size_t{1}, std::size_t{3'000'000}));
  write_file(directory / "plain", text);
  write_gzip(directory / "packed", text);
  CHECK(read_input(directory / "plain") == text);
  CHECK(read_input(directory / "packed") == text);
  CHECK(first_bytes(directory / "packed", 1000) == text.substr(0, 1000));
  InputFile file(directory / "packed");
  CHECK(file.size() == fs::file_size(directory / "packed"));
  std::string chunk(4'000'000, '\0');
  while (file.read(chunk.data(), chunk.size()) > 0) {
  }
  CHECK(file.position() == file.size());
}

TEST_CASE("input file: JSON is read packed as well as plain", "[sim]") {
  const TemporaryDirectory directory;
  write_gzip(directory / "machine.json.gz", R"({"name": "packed"})");
  CHECK(load_json(directory / "machine.json.gz") == nlohmann::json{{"name", "packed"}});
}

TEST_CASE("input file: what is longer than its limit, packed or not, is refused", "[sim]") {
  const TemporaryDirectory directory;
  write_file(directory / "plain", std::string(1001, 'x'));
  write_gzip(directory / "bomb", std::string(50'000'000, 'x'));
  CHECK(read_input(directory / "plain", 1001).size() == 1001);
  CHECK_THROWS_WITH(read_input(directory / "plain", 1000), Contains("expected at most 1000 bytes, found more"));
  CHECK(fs::file_size(directory / "bomb") < 100'000);
  CHECK_THROWS_WITH(read_input(directory / "bomb", 1'000'000), Contains("expected at most 1000000 bytes"));
}

TEST_CASE("input file: a gzip file that is cut off or damaged is refused", "[sim]") {
  const TemporaryDirectory directory;
  write_gzip(directory / "whole", noise(100'000));
  const std::string whole = contents_of(directory / "whole");
  write_file(directory / "cut", whole.substr(0, whole.size() / 2));
  CHECK_THROWS_WITH(read_input(directory / "cut"), Contains("expected a gzip file that is whole"));
  write_file(directory / "without its sum", whole.substr(0, whole.size() - 4));
  CHECK_THROWS_WITH(read_input(directory / "without its sum"), Contains("a gzip file that is whole"));
  for (std::size_t at = 20; at < whole.size(); at += whole.size() / 50) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    write_file(directory / "damaged", damaged);
    INFO("byte " << at);
    CHECK_THROWS_AS(read_input(directory / "damaged"), ConfigError);
  }
}

TEST_CASE("input file: devices, FIFOs and directories are refused at once", "[sim]") {
  const TemporaryDirectory directory;
  REQUIRE(::mkfifo((directory / "fifo").c_str(), 0600) == 0);
  CHECK_THROWS_WITH(read_input(directory / "fifo"),
                    Contains("expected a regular file, or - for standard input, found a FIFO"));
  CHECK_THROWS_WITH(read_input("/dev/zero"), Contains("found a device"));
  CHECK_THROWS_WITH(read_input(directory / ""), Contains("found a directory"));
  CHECK_THROWS_WITH(read_input(directory / "missing"), Contains("no such file"));
  CHECK(first_bytes("/dev/zero", 10).empty());
  CHECK(first_bytes(directory / "fifo", 10).empty());
}
