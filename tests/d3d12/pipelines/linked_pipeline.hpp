// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/d3d12/debugged.hpp"
#include "tests/d3d12/pipelines/pipeline_builder.hpp"

#include <string>
#include <utility>
#include <vector>

namespace fenceline::testing::linkage {

using Elements = std::vector<Element>;

inline const Element position = element("SV_Position", 0, 0);
inline const Element three = element("ARG", 0, 1, 3);
inline const Element two = element("ARG", 1, 2, 2);
inline const Element integers = element("ARG", 2, 3, 4, uint_type);
/// What every stage of the tables puts out.
inline const Elements reference = {position, three, two, integers};

inline Element primitive_id(std::uint32_t reg) { return element("SV_PrimitiveID", 0, reg, 1, uint_type); }

inline Elements targets() {
  return {element("SV_Target", 0, 0), element("SV_Target", 1, 1, 2), element("SV_Target", 2, 2, 4, uint_type)};
}

/// A pipeline state whose shaders fit each other, and what D3D12 says when one of them is another.
struct Linked : Pipeline {
  explicit Linked(App& app) : Pipeline(app) {
    vertices(code(vertex_kind, {element("POSITION", 0, 0)}, reference));
    pixels(code(pixel_kind, reference, targets()));
    desc.NumRenderTargets = 3;
    desc.RTVFormats[0] = DXGI_FORMAT_R32G32B32A32_FLOAT;
    desc.RTVFormats[1] = DXGI_FORMAT_R32G32_FLOAT;
    desc.RTVFormats[2] = DXGI_FORMAT_R32G32B32A32_UINT;
  }
  void vertices(std::string bytes) { set(vertex, desc.VS, std::move(bytes)); }
  void pixels(std::string bytes) { set(pixel, desc.PS, std::move(bytes)); }
  void geometries(std::string bytes) { set(geometry_, desc.GS, std::move(bytes)); }
  void patches(std::string hull_bytes, std::string domain_bytes) {
    set(hull_, desc.HS, std::move(hull_bytes));
    set(domain_, desc.DS, std::move(domain_bytes));
    desc.PrimitiveTopologyType = D3D12_PRIMITIVE_TOPOLOGY_TYPE_PATCH;
  }
  void warn(DebuggedApp& app, int id) {
    app.said_ids();
    CHECK(create(app) == S_OK);
    CHECK(app.said_ids() == Ids{id});
  }
  void expect(DebuggedApp& app, int id) {
    app.said_ids();
    CHECK(create(app) == (id == 0 ? S_OK : E_INVALIDARG));
    CHECK(app.said_ids() == (id == 0 ? Ids{} : Ids{id}));
  }

 private:
  static void set(std::string& kept, D3D12_SHADER_BYTECODE& in, std::string bytes) {
    kept = std::move(bytes);
    in = bytecode(kept);
  }
  std::string geometry_;
  std::string hull_;
  std::string domain_;
};

}  // namespace fenceline::testing::linkage
