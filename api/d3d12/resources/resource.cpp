// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/resources/resource.hpp"

#include "api/d3d12/bytes/heap_desc.hpp"
#include "api/d3d12/com/com_cast.hpp"
#include "api/d3d12/debug/allocation_record.hpp"
#include "api/d3d12/formats/format.hpp"
#include "api/d3d12/formats/resource_size.hpp"
#include "api/d3d12/formats/subresource.hpp"
#include "api/d3d12/hazards/hazards.hpp"
#include "api/d3d12/host/host.hpp"
#include "api/d3d12/resources/heap.hpp"
#include "api/d3d12/states/initial_state.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fenceline::d3d12 {
namespace {

/// As a resource says it of itself: nothing is left open.
D3D12_RESOURCE_DESC1 resolved(D3D12_RESOURCE_DESC1 desc) {
  const D3D12_RESOURCE_DESC plain = without_feedback(desc);
  desc.MipLevels = static_cast<UINT16>(mip_count(plain));
  if (desc.Alignment == 0) desc.Alignment = allocation_of(plain).Alignment;
  return desc;
}

D3D12_HEAP_PROPERTIES with_nodes(D3D12_HEAP_PROPERTIES heap) {
  if (heap.CreationNodeMask == 0) heap.CreationNodeMask = 1;
  if (heap.VisibleNodeMask == 0) heap.VisibleNodeMask = 1;
  return heap;
}

struct Method {
  DeviceCore& device;
  const char* name;
  HRESULT refuse(const Verdict& verdict) const {
    device.message(D3D12_MESSAGE_SEVERITY_ERROR, D3D12_MESSAGE_ID_CREATERESOURCE_INVALIDDESC,
                   fmt::format("ID3D12Device::{}: {}", name, verdict.message));
    return verdict.result;
  }
};

/// The state, and what D3D12 lets optimized clear values be for.
Verdict check_creation(const D3D12_RESOURCE_DESC1& desc, const D3D12_HEAP_PROPERTIES& heap, D3D12_RESOURCE_STATES state,
                       const D3D12_CLEAR_VALUE* clear) {
  const bool target =
      (desc.Flags & (D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET | D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL)) != 0;
  if (clear != nullptr && (desc.Dimension == D3D12_RESOURCE_DIMENSION_BUFFER || !target)) {
    return {E_INVALIDARG, "an optimized clear value is for render targets and depth buffers"};
  }
  return check_initial_state(without_feedback(desc), heap.Type, state);
}

/// What ours need, which with their compact rows is at most what D3D12 says.
std::uint64_t needed_bytes(const D3D12_RESOURCE_DESC1& desc) {
  const D3D12_RESOURCE_DESC plain = without_feedback(desc);
  return std::max<std::uint64_t>(allocation_of(plain).SizeInBytes, ResourceLayout(plain).bytes());
}

std::shared_ptr<HeapMemory> make_committed(DeviceCore& device, const D3D12_HEAP_PROPERTIES& heap,
                                           D3D12_HEAP_FLAGS flags, const D3D12_RESOURCE_DESC1& desc) {
  const std::uint64_t bytes = needed_bytes(desc);
  const PageableMemory::Desc pageable{heap, flags, bytes, default_residency_priority(desc.Flags, bytes)};
  return HeapMemory::make(bytes, true, std::make_shared<PageableMemory>(device, pageable));
}

/// A committed resource: its implicit heap and its description.
class SharedResource final : public SharedObject {
 public:
  SharedResource(const D3D12_RESOURCE_DESC1& desc, const D3D12_HEAP_PROPERTIES& heap, D3D12_HEAP_FLAGS flags,
                 Bytes bytes, LUID created_on)
      : desc_(desc), heap_(heap), flags_(flags), bytes_(std::move(bytes)), created_on_(created_on) {}
  HRESULT open(DeviceCore& device, REFIID iid, void** resource) override {
    if (!may_open(device, created_on_, flags_)) return E_INVALIDARG;
    auto* const made = new Resource(device, desc_, heap_, flags_, bytes_);
    made->has_memory("committed");
    made->track_states(D3D12_RESOURCE_STATE_COMMON);
    return give_out(made, iid, resource);
  }

 private:
  D3D12_RESOURCE_DESC1 desc_;
  D3D12_HEAP_PROPERTIES heap_;
  D3D12_HEAP_FLAGS flags_;
  Bytes bytes_;
  LUID created_on_;
};

}  // namespace

std::shared_ptr<SharedObject> Resource::shared() const {
  if (placed_in_ || tiles() != nullptr || (heap_flags_ & D3D12_HEAP_FLAG_SHARED) == 0) return nullptr;
  return std::make_shared<SharedResource>(desc1_, heap_, heap_flags_, bytes_, device().GetAdapterLuid());
}

Resource::Resource(DeviceCore& device, const D3D12_RESOURCE_DESC1& desc, const D3D12_HEAP_PROPERTIES& heap,
                   D3D12_HEAP_FLAGS heap_flags, Bytes bytes, std::shared_ptr<const BackBuffer> back_buffer)
    : DeviceChild(device),
      desc1_(resolved(desc)),
      desc_(without_feedback(desc1_)),
      layout_(desc_),
      heap_(with_nodes(heap)),
      heap_flags_(heap_flags),
      in_host_(in_system_memory(heap, heap_flags, device.video_memory()->unified())),
      bytes_(std::move(bytes)),
      back_buffer_(std::move(back_buffer)) {
  tell_of_addresses();
  if (!DeviceCore::debug_layer()) return;
  const auto kind = is_buffer() ? AccessedResource::Kind::buffer : AccessedResource::Kind::texture;
  accessed_ =
      std::make_shared<AccessedResource>(AccessedResource{kind, bytes_.memory, bytes_.offset, this->bytes(), desc_});
}

Resource::Resource(DeviceCore& device, const D3D12_RESOURCE_DESC1& desc, Heap& heap, std::uint64_t offset)
    : Resource(device, desc, heap.desc().Properties, heap.desc().Flags, Bytes{heap.memory(), offset}) {
  placed_in_ = Held<Heap>(&heap);
}

Resource::~Resource() {
  whereabouts_->gone();
  if (!placed_in_) bytes_.memory->left_by(this);
}

void Resource::has_memory(const char* unnamed) {
  bytes_.memory->belongs_to(this, {[this] { return name(); }, unnamed, heap_, bytes()});
}

void Resource::on_last_release() {
  if (AllocationRecord* const record = device().allocations()) record->free(this);
  if (device().hazards() != nullptr) {
    const Host::Lock lock = device().enter(0);
    tell_if_used("ID3D12Resource::Release", D3D12_MESSAGE_ID_OBJECT_DELETED_WHILE_STILL_IN_USE);
  }
  DeviceChild::on_last_release();
}

Resource::Resource(DeviceCore& device, const D3D12_RESOURCE_DESC1& desc, const TileLayout& tiles,
                   std::shared_ptr<HeapMemory> memory)
    : DeviceChild(device),
      desc1_(resolved(desc)),
      desc_(without_feedback(desc1_)),
      tiles_(tiles),
      layout_(desc_, tiles),
      heap_(with_nodes({D3D12_HEAP_TYPE_DEFAULT, D3D12_CPU_PAGE_PROPERTY_UNKNOWN, D3D12_MEMORY_POOL_UNKNOWN, 0, 0})),
      heap_flags_(D3D12_HEAP_FLAG_NONE),
      in_host_(false),
      bytes_{std::move(memory), 0} {
  tell_of_addresses();
}

/// For whoever asks what a page fault is of.
void Resource::tell_of_addresses() {
  AllocationRecord* const record = device().allocations();
  if (record == nullptr || bytes_.memory->address() == 0) return;
  record->add(this, bytes_.memory->address() + bytes_.offset, bytes(), [this] { return name(); });
}

void Resource::tell_if_used(const char* method, D3D12_MESSAGE_ID id) const {
  if (accessed_ == nullptr || device().hazards() == nullptr) return;
  device().hazards()->ends([&](const Accesses& list) { return list.touches(accessed_.get()); },
                           describe(*accessed_, name()), method, id);
}

void Resource::track_states(D3D12_RESOURCE_STATES initial) {
  if (DeviceCore::debug_layer()) {
    states_ = std::make_shared<ResourceStates>(desc_, state_of_heap(heap_.Type) | initial, heap_.Type);
  }
}

bool Resource::mappable() const {
  return resolved_heap_properties(heap_).CPUPageProperty != D3D12_CPU_PAGE_PROPERTY_NOT_AVAILABLE;
}

HRESULT Resource::Map(UINT subresource, const D3D12_RANGE*, void** data) {
  Host::spend(device().costs().record_ps);
  if (!mappable() || subresource >= layout_.subresources().size()) return E_INVALIDARG;
  // A texture of unknown layout may be mapped, but its bytes are reached by Write- and ReadFromSubresource. A 3D one
  // with several mips may not.
  if (!is_buffer() && data != nullptr) return E_INVALIDARG;
  if (desc_.Dimension == D3D12_RESOURCE_DIMENSION_TEXTURE3D && desc_.MipLevels > 1) return E_INVALIDARG;
  if (data != nullptr) *data = bytes_.data();
  return S_OK;
}

void Resource::Unmap(UINT, const D3D12_RANGE*) { Host::spend(device().costs().record_ps); }

D3D12_GPU_VIRTUAL_ADDRESS Resource::GetGPUVirtualAddress() {
  return is_buffer() ? bytes_.memory->address() + bytes_.offset : 0;
}

HRESULT Resource::WriteToSubresource(UINT to, const D3D12_BOX* box, const void* data, UINT row_pitch,
                                     UINT slice_pitch) {
  if (!mappable() || is_buffer() || to >= layout_.subresources().size() || data == nullptr) return E_INVALIDARG;
  const TexelGrid grid = grid_of(layout_, to);
  TexelGrid linear = grid;
  linear.offset = 0;
  linear.row_pitch = row_pitch;
  linear.slice_pitch = slice_pitch;
  const D3D12_BOX whole = box != nullptr ? *box : whole_box(grid);
  if (!check_subresource_box(copy_side(), to, whole).ok()) return E_INVALIDARG;
  if (whole.left >= whole.right || whole.top >= whole.bottom || whole.front >= whole.back) return S_OK;
  linear.texels = {whole.right - whole.left, whole.bottom - whole.top, whole.back - whole.front};
  copy_texels(bytes_.data(), grid, whole.left, whole.top, whole.front, static_cast<const std::byte*>(data), linear,
              {0, 0, 0, whole.right - whole.left, whole.bottom - whole.top, whole.back - whole.front});
  return S_OK;
}

HRESULT Resource::ReadFromSubresource(void* data, UINT row_pitch, UINT slice_pitch, UINT from, const D3D12_BOX* box) {
  if (!mappable() || is_buffer() || from >= layout_.subresources().size() || data == nullptr) return E_INVALIDARG;
  const TexelGrid grid = grid_of(layout_, from);
  TexelGrid linear = grid;
  linear.offset = 0;
  linear.row_pitch = row_pitch;
  linear.slice_pitch = slice_pitch;
  const D3D12_BOX whole = box != nullptr ? *box : whole_box(grid);
  if (!check_subresource_box(copy_side(), from, whole).ok()) return E_INVALIDARG;
  if (whole.left >= whole.right || whole.top >= whole.bottom || whole.front >= whole.back) return S_OK;
  copy_texels(static_cast<std::byte*>(data), linear, 0, 0, 0, bytes_.data(), grid, whole);
  return S_OK;
}

HRESULT Resource::GetHeapProperties(D3D12_HEAP_PROPERTIES* properties, D3D12_HEAP_FLAGS* flags) {
  if (tiles() != nullptr) {
    device().message(D3D12_MESSAGE_SEVERITY_ERROR, D3D12_MESSAGE_ID_GETHEAPPROPERTIES_INVALIDRESOURCE,
                     "ID3D12Resource::GetHeapProperties: the resource is reserved, and its tiles may be of many heaps");
    return E_INVALIDARG;
  }
  if (properties != nullptr) *properties = heap_;
  if (flags != nullptr) *flags = heap_flags_;
  return S_OK;
}

HRESULT Resource::GetProtectedResourceSession(REFIID, void** session) {
  if (session != nullptr) *session = nullptr;
  return DXGI_ERROR_NOT_FOUND;
}

Resource* make_back_buffer(DeviceCore& device, const D3D12_RESOURCE_DESC1& desc, const BackBuffer& of) {
  const D3D12_HEAP_PROPERTIES heap{D3D12_HEAP_TYPE_DEFAULT, {}, {}, 0, 0};
  auto memory = make_committed(device, heap, D3D12_HEAP_FLAG_CREATE_NOT_ZEROED, desc);
  if (memory == nullptr) return nullptr;
  auto* const made = new Resource(device, desc, heap, D3D12_HEAP_FLAG_ALLOW_DISPLAY, Bytes{std::move(memory), 0},
                                  std::make_shared<const BackBuffer>(of));
  made->has_memory("back buffer");
  made->track_states(D3D12_RESOURCE_STATE_COMMON);
  return made;
}

CopyRoute route_between(const Resource& from, const Resource& to) {
  if (from.in_host()) return to.in_host() ? CopyRoute::host_to_host : CopyRoute::host_to_device;
  return to.in_host() ? CopyRoute::device_to_host : CopyRoute::device_to_device;
}

HRESULT create_committed_resource(DeviceCore& device, const D3D12_HEAP_PROPERTIES* heap, D3D12_HEAP_FLAGS flags,
                                  const D3D12_RESOURCE_DESC1* desc, D3D12_RESOURCE_STATES state,
                                  const D3D12_CLEAR_VALUE* clear, REFIID iid, void** resource) {
  Host::spend(device.costs().call_ps);
  const Method method{device, "CreateCommittedResource"};
  if (resource != nullptr) *resource = nullptr;
  if (heap == nullptr || desc == nullptr) return E_INVALIDARG;
  Verdict verdict = check_heap_properties(*heap, heap_rules(device.machine().config()));
  if (verdict.ok()) verdict = check_heap_flags(*heap, flags);
  if (verdict.ok()) verdict = check_resource_desc(*desc);
  if (verdict.ok()) verdict = check_resource_in_heap(without_feedback(*desc), *heap, flags);
  if (verdict.ok()) verdict = check_creation(*desc, *heap, state, clear);
  if (!verdict.ok()) return method.refuse(verdict);
  if (device.removed()) return DXGI_ERROR_DEVICE_REMOVED;
  if (resource == nullptr) return S_FALSE;
  auto memory = make_committed(device, *heap, flags, *desc);
  if (memory == nullptr) return E_OUTOFMEMORY;
  auto* const made = new Resource(device, *desc, *heap, flags, Bytes{std::move(memory), 0});
  made->has_memory("committed");
  made->track_states(state);
  return give_out(made, iid, resource);
}

HRESULT create_placed_resource(DeviceCore& device, ID3D12Heap* heap, UINT64 offset, const D3D12_RESOURCE_DESC1* desc,
                               D3D12_RESOURCE_STATES state, const D3D12_CLEAR_VALUE* clear, REFIID iid,
                               void** resource) {
  Host::spend(device.costs().call_ps);
  const Method method{device, "CreatePlacedResource"};
  if (resource != nullptr) *resource = nullptr;
  if (heap == nullptr || desc == nullptr) return E_INVALIDARG;
  auto* const into = com_cast<Heap>(heap);
  const D3D12_HEAP_DESC of = into->GetDesc();
  Verdict verdict = check_resource_desc(*desc);
  if (verdict.ok()) verdict = check_resource_in_heap(without_feedback(*desc), of.Properties, of.Flags);
  if (verdict.ok()) verdict = check_creation(*desc, of.Properties, state, clear);
  if (!verdict.ok()) return method.refuse(verdict);
  const D3D12_RESOURCE_ALLOCATION_INFO info = allocation_of(without_feedback(*desc));
  if (offset % info.Alignment != 0) {
    return method.refuse(
        {E_INVALIDARG, fmt::format("expected an offset that is a multiple of {}, found {}", info.Alignment, offset)});
  }
  if (info.Alignment > of.Alignment) {
    return method.refuse(
        {E_INVALIDARG, fmt::format("the heap is aligned to {}, and {} is needed", of.Alignment, info.Alignment)});
  }
  const std::uint64_t room = heap_bytes(of);
  const std::uint64_t needed = needed_bytes(*desc);
  if (offset > room || needed > room - offset) {
    return method.refuse(
        {E_INVALIDARG, fmt::format("the heap has {} bytes, and {} from {} on are needed", room, needed, offset)});
  }
  if (device.removed()) return DXGI_ERROR_DEVICE_REMOVED;
  auto* const made = new Resource(device, *desc, *into, offset);
  made->track_states(state);
  return give_out(made, iid, resource);
}

HRESULT create_reserved_resource(DeviceCore& device, const D3D12_RESOURCE_DESC* desc,
                                 const std::optional<D3D12_RESOURCE_STATES>& state, const D3D12_CLEAR_VALUE* clear,
                                 REFIID iid, void** resource) {
  Host::spend(device.costs().call_ps);
  const Method method{device, "CreateReservedResource"};
  if (resource != nullptr) *resource = nullptr;
  if (desc == nullptr) return E_INVALIDARG;
  D3D12_RESOURCE_DESC1 made{desc->Dimension,        desc->Alignment, desc->Width,  desc->Height,
                            desc->DepthOrArraySize, desc->MipLevels, desc->Format, desc->SampleDesc,
                            desc->Layout,           desc->Flags,     {0, 0, 0}};
  const D3D12_HEAP_PROPERTIES any{D3D12_HEAP_TYPE_DEFAULT, {}, {}, 0, 0};
  Verdict verdict = check_reserved_desc(*desc);
  if (verdict.ok()) verdict = check_creation(made, any, state.value_or(D3D12_RESOURCE_STATE_COMMON), clear);
  if (!verdict.ok()) return method.refuse(verdict);
  if (device.removed()) return device.removed_reason();
  if (resource == nullptr) return S_FALSE;
  made.Alignment = D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT;
  const TileLayout tiles(*desc);
  auto memory = HeapMemory::reserve(tiles.tiles(), desc->Dimension == D3D12_RESOURCE_DIMENSION_BUFFER);
  auto* const reserved = new Resource(device, made, tiles, std::move(memory));
  if (state) reserved->track_states(*state);
  return give_out(reserved, iid, resource);
}

}  // namespace fenceline::d3d12
