// SPDX-License-Identifier: Apache-2.0
// Pipeline states described by a stream of subobjects.
#include "tests/d3d12/debugged.hpp"
#include "tests/d3d12/pipelines/pipeline_builder.hpp"

#include <cstring>
#include <directx/d3dx12.h>
#include <memory>

using namespace fenceline::testing;

namespace {

/// A stream that is put together subobject by subobject.
class Stream {
 public:
  template <class T>
  Stream& add(D3D12_PIPELINE_STATE_SUBOBJECT_TYPE type, const T& value) {
    const struct alignas(void*) Subobject {
      D3D12_PIPELINE_STATE_SUBOBJECT_TYPE type;
      T value;
    } subobject{type, value};
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof subobject);
    std::memcpy(&bytes_[at], static_cast<const void*>(&subobject), sizeof subobject);
    return *this;
  }
  std::vector<char>& bytes() { return bytes_; }

 private:
  std::vector<char> bytes_;
};

HRESULT create(App& app, void* bytes, std::size_t size, ComPtr<ID3D12PipelineState>* made = nullptr) {
  ComPtr<ID3D12Device2> device;
  REQUIRE(app.device.As(&device) == S_OK);
  const D3D12_PIPELINE_STATE_STREAM_DESC desc{size, bytes};
  ComPtr<ID3D12PipelineState> state;
  const HRESULT result = device->CreatePipelineState(&desc, IID_PPV_ARGS(&state));
  REQUIRE((result == S_OK) == (state.Get() != nullptr));
  if (made != nullptr) *made = state;
  return result;
}
HRESULT create(App& app, Stream& stream) { return create(app, stream.bytes().data(), stream.bytes().size()); }
template <class T>
HRESULT create(App& app, T& stream, ComPtr<ID3D12PipelineState>* made) {
  return create(app, &stream, sizeof stream, made);
}

constexpr auto root_type = D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_ROOT_SIGNATURE;
constexpr auto vs_type = D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_VS;
constexpr auto ps_type = D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_PS;
constexpr auto cs_type = D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_CS;
constexpr auto layout_type = D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_INPUT_LAYOUT;

}  // namespace

TEST_CASE("pipeline streams: what Windows takes and refuses, by vkd3d-proton's table", "[d3d12]") {
  DebuggedApp app;
  const Pipeline pipeline(app);
  ID3D12RootSignature* const root = pipeline.root.Get();
  const std::string compute = code(compute_kind, {}, {});
  const D3D12_SO_DECLARATION_ENTRY entry{0, "SV_POSITION", 0, 0, 4, 0};
  const UINT stride = 16;
  const D3D12_STREAM_OUTPUT_DESC output{&entry, 1, &stride, 1, D3D12_SO_NO_RASTERIZED_STREAM};
  const D3D12_INPUT_LAYOUT_DESC layout = pipeline.desc.InputLayout;

  SECTION("compute") { CHECK(create(app, Stream().add(root_type, root).add(cs_type, bytecode(compute))) == S_OK); }
  SECTION("vertices to stream output") {
    CHECK(create(app, Stream()
                          .add(root_type, root)
                          .add(vs_type, pipeline.desc.VS)
                          .add(D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_STREAM_OUTPUT, output)
                          .add(layout_type, layout)) == S_OK);
  }
  SECTION("nothing but a root signature") {
    CHECK(create(app, Stream().add(root_type, root)) == E_INVALIDARG);
    CHECK(app.said_ids() == Ids{D3D12_MESSAGE_ID_CREATEPIPELINESTATE_CANNOT_DEDUCE_TYPE});
  }
  SECTION("compute and vertices") {
    CHECK(create(app, Stream().add(root_type, root).add(cs_type, bytecode(compute)).add(vs_type, pipeline.desc.VS)) ==
          E_INVALIDARG);
    CHECK(app.said_ids() == Ids{D3D12_MESSAGE_ID_CREATEPIPELINESTATE_CANNOT_DEDUCE_TYPE});
  }
  SECTION("compute does not heed pixel shader and rasterizer") {
    CHECK(create(app, Stream()
                          .add(root_type, root)
                          .add(cs_type, bytecode(compute))
                          .add(ps_type, pipeline.desc.PS)
                          .add(D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_RASTERIZER, pipeline.desc.RasterizerState)) == S_OK);
  }
  SECTION("depth alone") {
    const D3D12_DEPTH_STENCIL_DESC depth = CD3DX12_DEPTH_STENCIL_DESC(CD3DX12_DEFAULT());
    CHECK(create(app, Stream()
                          .add(root_type, root)
                          .add(D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_DEPTH_STENCIL, depth)
                          .add(D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_DEPTH_STENCIL_FORMAT, DXGI_FORMAT_D32_FLOAT)
                          .add(layout_type, layout)
                          .add(vs_type, pipeline.desc.VS)) == S_OK);
  }
  SECTION("compute twice") {
    CHECK(create(app, Stream().add(root_type, root).add(cs_type, bytecode(compute)).add(cs_type, bytecode(compute))) ==
          E_INVALIDARG);
    CHECK(app.said_ids() == Ids{D3D12_MESSAGE_ID_CREATEPIPELINESTATE_DUPLICATE_SUBOBJECT});
  }
  SECTION("a type without its value") {
    Stream stream;
    stream.add(root_type, root).add(vs_type, pipeline.desc.VS).add(layout_type, layout);
    const std::size_t whole = stream.bytes().size();
    stream.add(D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_DEPTH_STENCIL, D3D12_DEPTH_STENCIL_DESC{});
    CHECK(create(app, stream.bytes().data(), whole + sizeof(void*)) == E_INVALIDARG);
    CHECK(app.said_ids() == Ids{D3D12_MESSAGE_ID_CREATEPIPELINESTATE_INVALID_STREAM});
  }
}

TEST_CASE("pipeline streams: d3dx12's streams make the pipeline state of their description", "[d3d12]") {
  DebuggedApp app;
  const Pipeline pipeline(app);
  ComPtr<ID3D12PipelineState> described;
  ComPtr<ID3D12PipelineState> streamed;
  REQUIRE(pipeline.create(app, &described) == S_OK);
  const std::string blob = cached_blob(described.Get());

  CD3DX12_PIPELINE_STATE_STREAM first(pipeline.desc);
  REQUIRE(create(app, first, &streamed) == S_OK);
  CHECK(cached_blob(streamed.Get()) == blob);
  CD3DX12_PIPELINE_STATE_STREAM1 second(pipeline.desc);
  REQUIRE(create(app, second, &streamed) == S_OK);
  CHECK(cached_blob(streamed.Get()) == blob);
  CD3DX12_PIPELINE_STATE_STREAM2 third(pipeline.desc);
  REQUIRE(create(app, third, &streamed) == S_OK);
  CHECK(cached_blob(streamed.Get()) == blob);
  CD3DX12_PIPELINE_STATE_STREAM3 fourth(pipeline.desc);
  REQUIRE(create(app, fourth, &streamed) == S_OK);
  CHECK(cached_blob(streamed.Get()) == blob);

  D3D12_COMPUTE_PIPELINE_STATE_DESC compute{};
  const std::string shader = code(compute_kind, {}, {});
  compute.pRootSignature = pipeline.root.Get();
  compute.CS = bytecode(shader);
  REQUIRE(app.device->CreateComputePipelineState(&compute, IID_PPV_ARGS(&described)) == S_OK);
  CD3DX12_PIPELINE_STATE_STREAM1 of_compute(compute);
  REQUIRE(create(app, of_compute, &streamed) == S_OK);
  CHECK(cached_blob(streamed.Get()) == cached_blob(described.Get()));
  CHECK(app.said_ids().empty());
}

TEST_CASE("pipeline streams: what a stream leaves out has its default", "[d3d12]") {
  App app;
  const Pipeline pipeline(app);
  Stream least;
  least.add(root_type, pipeline.root.Get()).add(vs_type, pipeline.desc.VS).add(layout_type, pipeline.desc.InputLayout);
  Stream all = least;
  all.add(D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_BLEND, CD3DX12_BLEND_DESC(CD3DX12_DEFAULT()))
      .add(D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_SAMPLE_MASK, ~UINT{0})
      .add(D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_RASTERIZER, CD3DX12_RASTERIZER_DESC(CD3DX12_DEFAULT()))
      .add(D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_DEPTH_STENCIL1, CD3DX12_DEPTH_STENCIL_DESC1(CD3DX12_DEFAULT()))
      .add(D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_IB_STRIP_CUT_VALUE, D3D12_INDEX_BUFFER_STRIP_CUT_VALUE_DISABLED)
      .add(D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_PRIMITIVE_TOPOLOGY, D3D12_PRIMITIVE_TOPOLOGY_TYPE_UNDEFINED)
      .add(D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_RENDER_TARGET_FORMATS, D3D12_RT_FORMAT_ARRAY{})
      .add(D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_DEPTH_STENCIL_FORMAT, DXGI_FORMAT_UNKNOWN)
      .add(D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_SAMPLE_DESC, DXGI_SAMPLE_DESC{1, 0})
      .add(D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_NODE_MASK, UINT{1})
      .add(D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_CACHED_PSO, D3D12_CACHED_PIPELINE_STATE{})
      .add(D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_FLAGS, D3D12_PIPELINE_STATE_FLAG_NONE)
      .add(D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_VIEW_INSTANCING, D3D12_VIEW_INSTANCING_DESC{})
      .add(D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_STREAM_OUTPUT, D3D12_STREAM_OUTPUT_DESC{})
      .add(D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_HS, D3D12_SHADER_BYTECODE{})
      .add(D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_DS, D3D12_SHADER_BYTECODE{})
      .add(D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_GS, D3D12_SHADER_BYTECODE{})
      .add(D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_AS, D3D12_SHADER_BYTECODE{})
      .add(D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_MS, D3D12_SHADER_BYTECODE{})
      .add(cs_type, D3D12_SHADER_BYTECODE{})
      .add(ps_type, D3D12_SHADER_BYTECODE{});
  ComPtr<ID3D12PipelineState> one;
  ComPtr<ID3D12PipelineState> other;
  REQUIRE(create(app, least.bytes().data(), least.bytes().size(), &one) == S_OK);
  REQUIRE(create(app, all.bytes().data(), all.bytes().size(), &other) == S_OK);
  CHECK(cached_blob(one.Get()) == cached_blob(other.Get()));
}

TEST_CASE("pipeline streams: types that are none, and forms of one type beside each other", "[d3d12]") {
  DebuggedApp app;
  const Pipeline pipeline(app);
  const auto with = [&](int type) {
    Stream stream;
    stream.add(root_type, pipeline.root.Get()).add(vs_type, pipeline.desc.VS);
    stream.add(layout_type, pipeline.desc.InputLayout);
    stream.add(static_cast<D3D12_PIPELINE_STATE_SUBOBJECT_TYPE>(type), UINT64{0});
    return create(app, stream);
  };
  for (const int type : {23, 27, 100, -1, 1 << 30}) {
    CAPTURE(type);
    CHECK(with(type) == E_INVALIDARG);
    CHECK(app.said_ids() == Ids{D3D12_MESSAGE_ID_CREATEPIPELINESTATE_UNKNOWN_SUBOBJECT});
  }
  const auto both = [&](auto one, auto one_type, auto other, auto other_type) {
    Stream stream;
    stream.add(root_type, pipeline.root.Get()).add(vs_type, pipeline.desc.VS);
    stream.add(layout_type, pipeline.desc.InputLayout).add(one_type, one).add(other_type, other);
    CHECK(create(app, stream) == E_INVALIDARG);
    CHECK(app.said_ids() == Ids{D3D12_MESSAGE_ID_CREATEPIPELINESTATE_DUPLICATE_SUBOBJECT});
  };
  const D3D12_DEPTH_STENCIL_DESC oldest = CD3DX12_DEPTH_STENCIL_DESC(CD3DX12_DEFAULT());
  const D3D12_DEPTH_STENCIL_DESC1 middle = CD3DX12_DEPTH_STENCIL_DESC1(CD3DX12_DEFAULT());
  const D3D12_DEPTH_STENCIL_DESC2 newest = CD3DX12_DEPTH_STENCIL_DESC2(CD3DX12_DEFAULT());
  constexpr auto oldest_type = D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_DEPTH_STENCIL;
  constexpr auto middle_type = D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_DEPTH_STENCIL1;
  constexpr auto newest_type = D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_DEPTH_STENCIL2;
  both(oldest, oldest_type, middle, middle_type);
  both(middle, middle_type, oldest, oldest_type);
  both(newest, newest_type, middle, middle_type);
}

TEST_CASE("pipeline streams: a stream that is cut short is refused, and nothing behind it is read", "[d3d12]") {
  DebuggedApp app;
  const Pipeline pipeline(app);
  CD3DX12_PIPELINE_STATE_STREAM3 stream(pipeline.desc);
  std::size_t taken = 0;
  for (std::size_t size = 0; size <= sizeof stream; ++size) {
    // In memory of exactly that size, so that the sanitizer sees a step beyond it.
    const auto memory = std::make_unique<char[]>(size);
    std::memcpy(memory.get(), static_cast<const void*>(std::addressof(stream)), size);
    const HRESULT result = create(app, memory.get(), size);
    if (result == S_OK) ++taken;
    const auto ids = app.said_ids();
    if (result != S_OK && (result != E_INVALIDARG || ids.size() != 1)) FAIL("size " << size);
    if (size == 0) CHECK(ids == Ids{D3D12_MESSAGE_ID_CREATEPIPELINESTATE_ZERO_SIZE_STREAM});
  }
  // Where a subobject ends, what follows may be left out once there is a vertex shader.
  CHECK(taken >= 5);
  CHECK(taken < sizeof stream / sizeof(void*));
  CHECK(create(app, nullptr, 16) == E_INVALIDARG);
  CHECK(app.said_ids() == Ids{D3D12_MESSAGE_ID_CREATEPIPELINESTATE_INVALID_STREAM});
}

TEST_CASE("pipeline streams: without a place for the pipeline state the answer is S_FALSE", "[d3d12]") {
  App app;
  const Pipeline pipeline(app);
  ComPtr<ID3D12Device2> device;
  REQUIRE(app.device.As(&device) == S_OK);
  CD3DX12_PIPELINE_STATE_STREAM stream(pipeline.desc);
  const D3D12_PIPELINE_STATE_STREAM_DESC desc{sizeof stream, &stream};
  CHECK(device->CreatePipelineState(&desc, __uuidof(ID3D12PipelineState), nullptr) == S_FALSE);
  void* place = &app;
  CHECK(device->CreatePipelineState(nullptr, __uuidof(ID3D12PipelineState), &place) == E_INVALIDARG);
  CHECK(place == nullptr);
  const ULONG before = references(app.device.Get());
  ComPtr<ID3D12PipelineState> made;
  REQUIRE(device->CreatePipelineState(&desc, IID_PPV_ARGS(&made)) == S_OK);
  CHECK(references(made.Get()) == 1);
  CHECK(references(pipeline.root.Get()) == 1);
  CHECK(references(app.device.Get()) == before + 1);
  made.Reset();
  CHECK(references(app.device.Get()) == before);
}
