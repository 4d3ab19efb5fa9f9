// SPDX-License-Identifier: Apache-2.0
#include "engines/command/dxbc_container.hpp"
#include "engines/command/shader_stat.hpp"
#include "tests/support/dxbc_builder.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

DxbcContainer sound(const std::string& bytes) {
  const auto parsed = parse_dxbc(bytes);
  REQUIRE(std::holds_alternative<DxbcContainer>(parsed));
  return std::get<DxbcContainer>(parsed);
}

void check_error(const std::string& bytes, std::uint64_t offset, const std::string& expected,
                 const std::string& found) {
  const auto parsed = parse_dxbc(bytes);
  REQUIRE(std::holds_alternative<DxbcError>(parsed));
  const DxbcError& error = std::get<DxbcError>(parsed);
  CHECK(error.offset == offset);
  CHECK_THAT(error.expected, Catch::Contains(expected));
  CHECK_THAT(error.found, Catch::Contains(found));
}

/// The statistics of a shader with these counts, the first being the number of instructions.
std::optional<ShaderStat> stat_of(const std::vector<std::uint32_t>& counts) {
  const std::string bytes = dxbc({{"SHEX", "code"}, {"STAT", numbers(counts)}});
  const auto stat = shader_stat(sound(bytes));
  REQUIRE(std::holds_alternative<std::optional<ShaderStat>>(stat));
  return std::get<std::optional<ShaderStat>>(stat);
}

}  // namespace

TEST_CASE("DXBC: parts by their tags, with their places", "[engines]") {
  const std::string bytes = dxbc({{"RDEF", "abc"}, {"STAT", ""}, {"SHEX", "12345678"}, {"RDEF", "second"}});
  const DxbcContainer container = sound(bytes);
  REQUIRE(container.parts().size() == 4);
  REQUIRE(container.part("RDEF") != nullptr);
  CHECK(container.part("RDEF")->bytes == "abc");  // the first of its tag
  CHECK(container.part("RDEF")->offset == 32 + 4 * 4 + 8);
  CHECK(container.part("STAT")->bytes.empty());
  CHECK(container.part("SHEX")->bytes == "12345678");
  CHECK(container.part("PSV0") == nullptr);
  CHECK(sound(dxbc({})).parts().empty());
}

TEST_CASE("DXBC: what is no sound container is told with the offset", "[engines]") {
  const std::string good = dxbc({{"STAT", "12345678"}, {"SHEX", "1234"}});
  const std::size_t size = good.size();
  const auto with = [&](std::size_t offset, std::uint32_t value) {
    std::string bytes = good;
    put_number(bytes, offset, value);
    return bytes;
  };
  check_error("", 0, "at least 32 bytes", "0 bytes");
  check_error(good.substr(0, 31), 0, "at least 32 bytes", "31 bytes");
  check_error(with(0, 0), 0, "a DXBC container", "another tag");
  check_error(with(20, 2), 20, "version 1", "2");
  check_error(good + "x", 24, std::to_string(size + 1) + " bytes", std::to_string(size) + " bytes");
  check_error(good.substr(0, size - 1), 24, std::to_string(size - 1), std::to_string(size));
  check_error(with(28, 0xFFFFFFFF), 28, "at most the " + std::to_string((size - 32) / 4) + " parts", "4294967295");
  check_error(with(32, 39), 32, "an offset from 40 to " + std::to_string(size - 8), "39");
  check_error(with(36, static_cast<std::uint32_t>(size - 7)), 36, "an offset from 40", std::to_string(size - 7));
  check_error(with(36, 0xFFFFFFFF), 36, "an offset from 40", "4294967295");
  check_error(with(44, 21), 44, "a part of at most 20 bytes", "21 bytes");
  check_error(with(60, 0xFFFFFFFF), 60, "a part of at most 4 bytes", "4294967295 bytes");
}

TEST_CASE("STAT: every count goes where it belongs", "[engines]") {
  // Alone in a part of zeros, each number adds to instructions, to texture samples, to registers or to nothing.
  const std::vector<std::size_t> alu = {4, 5, 6, 7, 8, 11, 19, 20, 21, 34, 35};
  const std::vector<std::size_t> texture = {14, 15, 16, 17, 18, 36};
  const auto among = [](const std::vector<std::size_t>& places, std::size_t place) {
    return std::count(places.begin(), places.end(), place) > 0;
  };
  for (std::size_t place = 0; place < 37; ++place) {
    std::vector<std::uint32_t> counts(37);
    counts[place] = 1000;
    const auto stat = stat_of(counts);
    REQUIRE(stat);
    INFO(place);
    CHECK(stat->cost.alu_instructions == (among(alu, place) ? 1000 : 0));
    CHECK(stat->cost.texture_samples == (among(texture, place) ? 1000 : 0));
    CHECK(stat->registers == (place == 1 ? 4 * 1000 : 0));
    CHECK(stat->cost.sfu_instructions == 0);
    CHECK(stat->cost.shared_accesses == 0);
  }
}

TEST_CASE("STAT: a pixel shader of shader model 4", "[engines]") {
  std::vector<std::uint32_t> counts(29);
  counts[0] = 17;  // instructions
  counts[1] = 3;   // temporaries
  counts[4] = 9;   // float
  counts[8] = 2;   // dynamic flow control
  counts[14] = 4;  // texture samples
  counts[19] = 1;  // mov
  const auto stat = stat_of(counts);
  REQUIRE(stat);
  CHECK(stat->cost.alu_instructions == 9 + 2 + 1);
  CHECK(stat->cost.texture_samples == 4);
  CHECK(stat->registers == 12);
}

TEST_CASE("STAT: absent, of DXIL, too short or absurd", "[engines]") {
  const auto none = [](const std::string& bytes) {
    const auto stat = shader_stat(sound(bytes));
    return std::holds_alternative<std::optional<ShaderStat>>(stat) && !std::get<std::optional<ShaderStat>>(stat);
  };
  CHECK(none(dxbc({{"SHEX", "code"}})));
  CHECK(none(dxbc({{"DXIL", "module"}, {"STAT", "a copy of the module"}})));
  const auto error = [](const std::string& part) {
    const std::string bytes = dxbc({{"STAT", part}});
    const auto stat = shader_stat(sound(bytes));
    REQUIRE(std::holds_alternative<DxbcError>(stat));
    return std::get<DxbcError>(stat);
  };
  const std::uint64_t content = 32 + 4 + 8;
  CHECK(error(std::string(115, '\0')).offset == content);
  CHECK(error(std::string(115, '\0')).expected == "a STAT part of at least 116 bytes");
  CHECK(error(std::string(115, '\0')).found == "115");
  std::vector<std::uint32_t> counts(37);
  counts[36] = 1'000'000'001;
  CHECK(error(numbers(counts)).offset == content + 4 * 36);
  counts[5] = 0xFFFFFFFF;
  CHECK(error(numbers(counts)).offset == content + 4 * 5);
  counts = std::vector<std::uint32_t>(29);
  counts[1] = 4097;
  CHECK(error(numbers(counts)).expected == "a count up to 4096");
  CHECK(error(numbers(counts)).found == "4097");
}

TEST_CASE("FNCL: goes before STAT, in DXBC and in DXIL", "[engines]") {
  const std::string own = numbers({1, 100, 20, 3, 4, 55});
  for (const char* const program : {"SHEX", "DXIL"}) {
    const auto read = shader_stat(
        sound(dxbc({{program, "code"}, {"STAT", numbers(std::vector<std::uint32_t>(37, 9))}, {"FNCL", own}})));
    const auto stat = std::get<std::optional<ShaderStat>>(read);
    REQUIRE(stat);
    CHECK(stat->cost.alu_instructions == 100);
    CHECK(stat->cost.sfu_instructions == 20);
    CHECK(stat->cost.texture_samples == 3);
    CHECK(stat->cost.shared_accesses == 4);
    CHECK(stat->registers == 55);
    CHECK(stat->cost.code_instructions == 0);
  }
}

TEST_CASE("FNCL: version 2 tells the instructions of the program, too", "[engines]") {
  const auto read = shader_stat(sound(dxbc({{"DXIL", "code"}, {"FNCL", numbers({2, 327'680, 20, 3, 4, 55, 36})}})));
  const auto stat = std::get<std::optional<ShaderStat>>(read);
  REQUIRE(stat);
  CHECK(stat->cost.alu_instructions == 327'680);
  CHECK(stat->registers == 55);
  CHECK(stat->cost.code_instructions == 36);
}

TEST_CASE("FNCL: of another size, another version or with absurd counts is refused", "[engines]") {
  const auto error = [](const std::string& part) {
    const std::string bytes = dxbc({{"FNCL", part}});
    const auto stat = shader_stat(sound(bytes));
    REQUIRE(std::holds_alternative<DxbcError>(stat));
    return std::get<DxbcError>(stat);
  };
  const std::uint64_t content = 32 + 4 + 8;
  CHECK(error("").expected == "an FNCL part of 24 or 28 bytes");
  CHECK(error(numbers({2, 0, 0, 0, 0, 0, 0, 0})).found == "32");
  CHECK(error(numbers({2, 0, 0, 0, 0, 0})).expected == "version 1 of FNCL");
  CHECK(error(numbers({1, 0, 0, 0, 0, 0, 0})).expected == "version 2 of FNCL");
  CHECK(error(numbers({2, 0, 0, 0, 0, 0, 1'000'000'001})).offset == content + 4 * 6);
  CHECK(error(numbers({1, 0, 0, 1'000'000'001, 0, 0})).offset == content + 4 * 3);
  CHECK(error(numbers({1, 0, 0, 0, 0, 256})).expected == "a count up to 255");
}
