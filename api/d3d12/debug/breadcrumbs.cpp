// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/debug/breadcrumbs.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace fenceline::d3d12 {
namespace {

struct Named {
  std::string_view method;
  D3D12_AUTO_BREADCRUMB_OP op;
};

// By name.
constexpr Named named[] = {
    {"AtomicCopyBufferUINT", D3D12_AUTO_BREADCRUMB_OP_ATOMICCOPYBUFFERUINT},
    {"AtomicCopyBufferUINT64", D3D12_AUTO_BREADCRUMB_OP_ATOMICCOPYBUFFERUINT64},
    {"Barrier", D3D12_AUTO_BREADCRUMB_OP_RESOURCEBARRIER},
    {"BeginEvent", D3D12_AUTO_BREADCRUMB_OP_BEGINEVENT},
    {"ClearDepthStencilView", D3D12_AUTO_BREADCRUMB_OP_CLEARDEPTHSTENCILVIEW},
    {"ClearRenderTargetView", D3D12_AUTO_BREADCRUMB_OP_CLEARRENDERTARGETVIEW},
    {"ClearUnorderedAccessViewFloat", D3D12_AUTO_BREADCRUMB_OP_CLEARUNORDEREDACCESSVIEW},
    {"ClearUnorderedAccessViewUint", D3D12_AUTO_BREADCRUMB_OP_CLEARUNORDEREDACCESSVIEW},
    {"CopyBufferRegion", D3D12_AUTO_BREADCRUMB_OP_COPYBUFFERREGION},
    {"CopyResource", D3D12_AUTO_BREADCRUMB_OP_COPYRESOURCE},
    {"CopyTextureRegion", D3D12_AUTO_BREADCRUMB_OP_COPYTEXTUREREGION},
    {"CopyTiles", D3D12_AUTO_BREADCRUMB_OP_COPYTILES},
    {"Dispatch", D3D12_AUTO_BREADCRUMB_OP_DISPATCH},
    {"DispatchMesh", D3D12_AUTO_BREADCRUMB_OP_DISPATCHMESH},
    {"DrawIndexedInstanced", D3D12_AUTO_BREADCRUMB_OP_DRAWINDEXEDINSTANCED},
    {"DrawInstanced", D3D12_AUTO_BREADCRUMB_OP_DRAWINSTANCED},
    {"EndEvent", D3D12_AUTO_BREADCRUMB_OP_ENDEVENT},
    {"ExecuteBundle", D3D12_AUTO_BREADCRUMB_OP_EXECUTEBUNDLE},
    {"ExecuteIndirect", D3D12_AUTO_BREADCRUMB_OP_EXECUTEINDIRECT},
    {"ResolveQueryData", D3D12_AUTO_BREADCRUMB_OP_RESOLVEQUERYDATA},
    {"ResolveSubresource", D3D12_AUTO_BREADCRUMB_OP_RESOLVESUBRESOURCE},
    {"ResolveSubresourceRegion", D3D12_AUTO_BREADCRUMB_OP_RESOLVESUBRESOURCEREGION},
    {"ResourceBarrier", D3D12_AUTO_BREADCRUMB_OP_RESOURCEBARRIER},
    {"SetMarker", D3D12_AUTO_BREADCRUMB_OP_SETMARKER},
    {"WriteBufferImmediate", D3D12_AUTO_BREADCRUMB_OP_WRITEBUFFERIMMEDIATE},
};

bool is_marker(D3D12_AUTO_BREADCRUMB_OP op) { return op <= D3D12_AUTO_BREADCRUMB_OP_ENDEVENT; }

}  // namespace

std::optional<D3D12_AUTO_BREADCRUMB_OP> breadcrumb_op(std::string_view method) {
  const auto* const found =
      std::lower_bound(std::begin(named), std::end(named), method,
                       [](const Named& one, std::string_view wanted) { return one.method < wanted; });
  if (found == std::end(named) || found->method != method) return {};
  return found->op;
}

void Breadcrumbs::add(std::string_view method, std::size_t command) {
  const auto op = breadcrumb_op(method);
  if (!op || (markers_only_ && !is_marker(*op))) return;
  operations_.push_back(*op);
  first_commands_.push_back(command);
}

void Breadcrumbs::add_context(std::wstring text) {
  if (!operations_.empty()) contexts_.push_back({static_cast<UINT>(operations_.size() - 1), std::move(text)});
}

}  // namespace fenceline::d3d12
