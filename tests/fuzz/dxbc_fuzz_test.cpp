// SPDX-License-Identifier: Apache-2.0
#include "engines/command/dxbc_container.hpp"
#include "engines/command/shader_stat.hpp"
#include "tests/support/byte_mutator.hpp"
#include "tests/support/dxbc_builder.hpp"

#include <catch2/catch.hpp>

#include <memory>
#include <random>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

std::string mutated(const std::string& container, std::mt19937_64& random) {
  std::string bytes = mutated_bytes(container, random);
  // Most changes would end at the size: put it right now and then.
  if (bytes.size() >= 28 && random() % 4 != 0) put_number(bytes, 24, static_cast<std::uint32_t>(bytes.size()));
  return bytes;
}

bool within(std::string_view inner, std::string_view outer) {
  return inner.data() >= outer.data() && inner.data() + inner.size() <= outer.data() + outer.size();
}

}  // namespace

TEST_CASE("DXBC fuzz: a mutated container is read within its bytes or refused with the place", "[fuzz]") {
  std::mt19937_64 random(21);
  const std::vector<std::string> seeds = {
      dxbc({{"RDEF", "resources"}, {"STAT", numbers(std::vector<std::uint32_t>(37, 5))}, {"SHEX", "code"}}),
      dxbc({{"STAT", numbers(std::vector<std::uint32_t>(29, 5))}}),
      dxbc({{"DXIL", "module"}, {"STAT", "copy"}, {"PSV0", std::string(52, '\0')}}),
      dxbc({{"DXIL", "module"}, {"FNCL", numbers({1, 5, 5, 5, 5, 5})}}),
  };
  std::size_t refused = 0;
  std::size_t bad_stat = 0;
  std::size_t with_stat = 0;
  for (std::size_t round = 0; round < 60'000; ++round) {
    const std::string text = mutated(seeds[round % seeds.size()], random);
    // In memory of exactly its size, so that the sanitizer sees a step beyond it.
    const auto memory = std::make_unique<char[]>(text.size());
    std::copy(text.begin(), text.end(), memory.get());
    const std::string_view bytes(memory.get(), text.size());
    const auto parsed = parse_dxbc(bytes);
    const auto check = [&](const DxbcError& error) {
      if (error.offset > bytes.size() || error.expected.empty() || error.found.empty()) FAIL("round " << round);
    };
    if (const auto* error = std::get_if<DxbcError>(&parsed)) {
      ++refused;
      check(*error);
      continue;
    }
    const auto& container = std::get<DxbcContainer>(parsed);
    for (const DxbcPart& part : container.parts()) {
      if (!within(part.tag, bytes) || !within(part.bytes, bytes) || part.tag.size() != 4) FAIL("round " << round);
    }
    const auto stat = shader_stat(container);
    if (const auto* error = std::get_if<DxbcError>(&stat)) {
      ++bad_stat;
      check(*error);
    } else if (const auto& counts = std::get<std::optional<ShaderStat>>(stat)) {
      ++with_stat;
      if (counts->cost.alu_instructions > 1e11 || counts->registers > 4 * 4096) FAIL("round " << round);
    }
  }
  CHECK(refused > 6'000);
  CHECK(bad_stat > 600);
  CHECK(with_stat > 3'000);
}
