// SPDX-License-Identifier: Apache-2.0
#include "api/contents/byte_extents.hpp"

#include "api/capture/file/capture_format.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstring>
#include <random>
#include <string_view>
#include <vector>

using namespace fenceline;

namespace {

using Plain = std::vector<std::byte>;

Plain bytes_of(const ByteExtents& extents) {
  Plain bytes(static_cast<std::size_t>(extents.size()));
  extents.read(0, bytes.size(), bytes.data());
  return bytes;
}

std::uint64_t plain_hash(const Plain& bytes) {
  return capture_check({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

SharedBytes random_source(std::mt19937_64& random, std::size_t count) {
  Plain bytes(count);
  for (std::byte& one : bytes) one = static_cast<std::byte>(random());
  if (random() % 3 == 0) {
    bytes.resize(1 + random() % 7);
    return ByteSource::repeated(bytes);
  }
  return std::make_shared<const ByteSource>(bytes);
}

}  // namespace

TEST_CASE("byte extents: random writes, fills and copies, also within one, come to what they do to a plain array",
          "[contents]") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    std::mt19937_64 random(seed);
    const std::size_t sizes[] = {1 + random() % 40, 1 + random() % 3000, 1 + random() % 70'000};
    std::vector<ByteExtents> extents;
    std::vector<Plain> plain;
    for (const std::size_t size : sizes) {
      const SharedBytes source = random() % 2 == 0 ? nullptr : random_source(random, size);
      extents.emplace_back(size, source);
      plain.push_back(Plain(size));
      if (source != nullptr) source->read(0, size, plain.back().data());
    }
    for (int step = 0; step < 300; ++step) {
      const std::size_t to = random() % 3, from = random() % 3;
      const std::size_t at = random() % sizes[to], start = random() % sizes[from];
      const std::size_t most = std::min(sizes[to] - at, sizes[from] - start);
      const std::size_t count = random() % (std::min<std::size_t>(most, random() % 2 == 0 ? 16 : most) + 1);
      INFO("seed " << seed << ", step " << step << ": " << count << " bytes to " << at << " of " << to);
      if (random() % 3 > 0) {
        extents[to].copy(at, extents[from], start, count);
        std::memmove(plain[to].data() + at, plain[from].data() + start, count);
      } else {
        const std::size_t skipped = random() % 20;
        const SharedBytes source = random() % 4 == 0 ? nullptr : random_source(random, count + skipped);
        extents[to].write(at, count, source, skipped);
        if (source != nullptr) source->read(skipped, count, plain[to].data() + at);
        if (source == nullptr) std::fill_n(plain[to].begin() + static_cast<std::ptrdiff_t>(at), count, std::byte{0});
      }
      REQUIRE(bytes_of(extents[to]) == plain[to]);
    }
    for (std::size_t i = 0; i < 3; ++i) CHECK(extents[i].hash() == plain_hash(plain[i]));
  }
}

TEST_CASE("byte extents: zeros, fills and copies of them take no memory, however large they are", "[contents]") {
  constexpr std::uint64_t size = std::uint64_t{1} << 50;
  ByteExtents zeros(size);
  ByteExtents filled(size, ByteSource::repeated({std::byte{1}, std::byte{2}, std::byte{3}}));
  CHECK(zeros.extents() == 1);
  zeros.copy(size / 2, filled, size / 4, size / 4);
  CHECK(zeros.extents() == 3);
  zeros.copy(3 * (size / 4), filled, size / 2, size / 8);  // goes on where the other one ended
  CHECK(zeros.extents() == 3);
  std::byte last{};
  zeros.read(size / 2, 1, &last);
  CHECK(last == std::byte{static_cast<unsigned char>(1 + size / 4 % 3)});
  zeros.write(0, size, nullptr);
  CHECK(zeros.extents() == 1);
}

TEST_CASE("byte extents: what falls to pieces is gathered when it is copied again and again", "[contents]") {
  constexpr std::uint64_t size = 1 << 20;
  ByteExtents bytes(size);
  // Each byte from elsewhere, then what there is twice, four times ...
  for (std::uint64_t at = 0; at < 64; ++at) {
    bytes.write(at, 1, std::make_shared<const ByteSource>(Plain(2, static_cast<std::byte>(at))), at % 2);
  }
  for (std::uint64_t count = 64; count < size; count *= 2) bytes.copy(count, bytes, 0, count);
  CHECK(bytes.extents() < 64 + size / 256 + 20);
  const Plain plain = bytes_of(bytes);
  for (std::size_t at = 0; at < size; ++at) {
    if (plain[at] != static_cast<std::byte>(at % 64)) FAIL("byte " << at);
  }
}

TEST_CASE("byte extents: the hash of large fills is that of their bytes", "[contents]") {
  for (const std::size_t period : {1u, 3u, 16u, 65'536u, 70'001u}) {
    Plain pattern(period);
    for (std::size_t i = 0; i < period; ++i) pattern[i] = static_cast<std::byte>(i * 7 + 1);
    ByteExtents bytes(300'000, ByteSource::repeated(pattern));
    bytes.write(100'001, 17, nullptr);
    CHECK(bytes.hash() == plain_hash(bytes_of(bytes)));
  }
}
