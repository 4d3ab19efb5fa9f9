// SPDX-License-Identifier: Apache-2.0
#include "api/hlsl/register_packing.hpp"

#include <catch2/catch.hpp>

#include <random>
#include <string>
#include <vector>

using namespace fenceline::d3d12;

namespace {

DeclaredElement of(const char* name, std::uint32_t components, std::uint32_t rows = 1,
                   std::uint32_t interpolation = 0) {
  DeclaredElement element;
  element.name = name;
  element.components = components;
  element.rows = rows;
  element.interpolation = interpolation;
  return element;
}

std::vector<std::string> packed(const std::vector<DeclaredElement>& elements, Packing packing = Packing::stages) {
  std::vector<std::string> lines;
  for (const ShaderElement& one : pack_registers(elements, packing)) {
    lines.push_back(one.semantic + " " + (one.reg ? std::to_string(*one.reg) : "-") + "." +
                    std::to_string(one.first_component));
  }
  return lines;
}
using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("register packing: between stages into the first room, from the left", "[hlsl]") {
  CHECK(packed({of("A", 4), of("B", 2), of("C", 2)}) == Lines{"A0 0.0", "B0 1.0", "C0 1.2"});
  CHECK(packed({of("A", 3), of("B", 3), of("C", 1), of("D", 1)}) == Lines{"A0 0.0", "B0 1.0", "C0 0.3", "D0 1.3"});
  CHECK(packed({of("A", 2), of("B", 3), of("C", 2), of("D", 1)}) == Lines{"A0 0.0", "B0 1.0", "C0 0.2", "D0 1.3"});
}

TEST_CASE("register packing: other interpolation, another register", "[hlsl]") {
  CHECK(packed({of("A", 1), of("B", 1, 1, 1), of("C", 1, 1, 2), of("D", 1, 1, 1)}) ==
        Lines{"A0 0.0", "B0 1.0", "C0 2.0", "D0 1.1"});
}

TEST_CASE("register packing: own values stand left of system values, and those left of made ones", "[hlsl]") {
  CHECK(packed({of("SV_RenderTargetArrayIndex", 1, 1, 1), of("A", 1, 1, 1)}) ==
        Lines{"SV_RenderTargetArrayIndex0 0.0", "A0 1.0"});
  CHECK(packed({of("A", 1, 1, 1), of("SV_RenderTargetArrayIndex", 1, 1, 1), of("B", 1, 1, 1)}) ==
        Lines{"A0 0.0", "SV_RenderTargetArrayIndex0 0.1", "B0 1.0"});
  CHECK(packed({of("SV_IsFrontFace", 1, 1, 1), of("SV_ViewportArrayIndex", 1, 1, 1), of("SV_SampleIndex", 1, 1, 1)}) ==
        Lines{"SV_IsFrontFace0 0.0", "SV_ViewportArrayIndex0 1.0", "SV_SampleIndex0 0.1"});
}

TEST_CASE("register packing: arrays keep one column, and share no register with system values", "[hlsl]") {
  CHECK(packed({of("A", 3), of("B", 1, 3), of("C", 3)}) == Lines{"A0 0.0", "B0 0.3", "B1 1.3", "B2 2.3", "C0 1.0"});
  CHECK(packed({of("A", 2, 2), of("B", 2), of("C", 2)}) == Lines{"A0 0.0", "A1 1.0", "B0 0.2", "C0 1.2"});
  CHECK(packed({of("A", 1, 2, 1), of("SV_PrimitiveID", 1, 1, 1)}) == Lines{"A0 0.0", "A1 1.0", "SV_PrimitiveID0 2.0"});
}

TEST_CASE("register packing: clip and cull distances keep to themselves", "[hlsl]") {
  CHECK(
      packed({of("A", 1), of("SV_ClipDistance", 3), of("B", 1), of("SV_CullDistance", 1), of("SV_ClipDistance", 2)}) ==
      Lines{"A0 0.0", "SV_ClipDistance0 1.0", "B0 0.1", "SV_CullDistance0 1.3", "SV_ClipDistance0 2.0"});
}

TEST_CASE("register packing: from vertex buffers a register each; targets by their index", "[hlsl]") {
  CHECK(packed({of("A", 1), of("B", 2, 3), of("C", 1)}, Packing::vertices) ==
        Lines{"A0 0.0", "B0 1.0", "B1 2.0", "B2 3.0", "C0 4.0"});
  CHECK(packed({of("SV_Target", 4)}, Packing::targets) == Lines{"SV_Target0 -.0"});
  CHECK(packed({of("A", 4, 33)}, Packing::vertices).back() == "A32 32.0");  // which no signature takes
  CHECK(packed({of("A", 4, 33)}).front() == "A0 32.0");
}

TEST_CASE("register packing: of random lists nothing overlaps, and more elements move none", "[hlsl]") {
  std::mt19937 random(3);
  const char* const names[] = {
      "A", "B", "SV_Position", "SV_RenderTargetArrayIndex", "SV_IsFrontFace", "SV_ClipDistance"};
  for (int round = 0; round < 400; ++round) {
    std::vector<DeclaredElement> elements;
    std::vector<ShaderElement> before;
    for (unsigned count = random() % 14; count > 0; --count) {
      const std::string name = names[random() % 6];
      const std::uint32_t rows = name[0] == 'S' ? 1 : 1 + random() % 3;
      elements.push_back(of(name.c_str(), 1 + random() % 4, rows, name == "SV_ClipDistance" ? 0 : random() % 2));
      const auto now = pack_registers(elements, Packing::stages);
      std::vector<unsigned> taken(33, 0);
      for (std::size_t i = 0; i < now.size(); ++i) {
        const unsigned mask = ((1U << now[i].components) - 1) << now[i].first_component;
        REQUIRE(mask <= 0xF);
        if (*now[i].reg == 32) continue;
        REQUIRE((taken.at(*now[i].reg) & mask) == 0);
        taken[*now[i].reg] |= mask;
        if (i < before.size()) {
          REQUIRE(now[i].reg == before[i].reg);
          REQUIRE(now[i].first_component == before[i].first_component);
        }
      }
      before = now;
    }
  }
}
