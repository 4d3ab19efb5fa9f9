// SPDX-License-Identifier: Apache-2.0
// CommandQueue, the functions that map tiles.
#include "api/d3d12/bytes/tile_mapping.hpp"
#include "api/d3d12/com/com_cast.hpp"
#include "api/d3d12/host/host.hpp"
#include "api/d3d12/queues/command_queue.hpp"
#include "api/d3d12/resources/heap.hpp"
#include "api/d3d12/resources/resource.hpp"
#include "engines/command/command_effects.hpp"

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fenceline::d3d12 {
namespace {

constexpr UINT known_flags = D3D12_TILE_MAPPING_FLAG_NO_HAZARD;

/// A packet without commands that changes mappings once it is complete: after everything that its queue was given
/// before, and before everything after.
class MappingChange final : public CommandEffects {
 public:
  explicit MappingChange(std::function<void()> change) : change_(std::move(change)) {}
  void ended(std::size_t) override {}
  void skip(std::size_t) override {}
  bool skips(std::size_t) override { return false; }
  const IndirectCall* call(std::size_t) override { return nullptr; }
  void finish() override { change_(); }
  void timestamp(std::uint32_t, std::uint64_t) override {}

 private:
  std::function<void()> change_;
};

/// Nothing: it is none of the device's machine.
std::optional<std::uint32_t> allocation_of(const HeapMemory& memory, const DeviceCore& device) {
  const std::shared_ptr<PageableMemory>& pageable = memory.pageable();
  if (pageable == nullptr || !pageable->is_of(device)) return std::nullopt;
  return pageable->allocation();
}

void submit(Machine& machine, ContextId queue, const char* name, std::function<void()> change) {
  auto stream = std::make_shared<CommandStream>();
  stream->name = name;
  machine.execute(queue, std::move(stream), std::make_shared<MappingChange>(std::move(change)));
}

}  // namespace

void CommandQueue::UpdateTileMappings(ID3D12Resource* resource, UINT regions,
                                      const D3D12_TILED_RESOURCE_COORDINATE* starts,
                                      const D3D12_TILE_REGION_SIZE* sizes, ID3D12Heap* heap, UINT ranges,
                                      const D3D12_TILE_RANGE_FLAGS* range_flags, const UINT* heap_starts,
                                      const UINT* range_tiles, D3D12_TILE_MAPPING_FLAGS flags) {
  const Host::Lock lock = device().enter(device().costs().call_ps);
  if (device().removed()) return;
  const auto tell = [&](D3D12_MESSAGE_SEVERITY severity, D3D12_MESSAGE_ID id, const std::string& text) {
    device().message(severity, id, "ID3D12CommandQueue::UpdateTileMappings: " + text);
  };
  const auto wrong = [&](const std::string& text) {
    tell(D3D12_MESSAGE_SEVERITY_ERROR, D3D12_MESSAGE_ID_UPDATETILEMAPPINGS_INVALID_PARAMETER, text);
  };
  const auto* const tiled = com_cast<Resource>(resource);
  if (tiled == nullptr || tiled->tiles() == nullptr) return wrong("expected a reserved resource");
  if ((static_cast<UINT>(flags) & ~known_flags) != 0) {
    return wrong(fmt::format("expected flags NONE or NO_HAZARD (1), found {:#x}", static_cast<UINT>(flags)));
  }
  const auto* const from = com_cast<Heap>(heap);
  const std::shared_ptr<HeapMemory> memory = from != nullptr ? from->memory() : nullptr;
  std::vector<TileMapping> mappings;
  const Verdict verdict =
      find_tile_mappings(*tiled->tiles(), {regions, starts, sizes, ranges, range_flags, heap_starts, range_tiles},
                         memory != nullptr ? memory->bytes() / tile_bytes : 0, mappings);
  if (!verdict.message.empty()) wrong(verdict.message);
  if (!verdict.ok() || mappings.empty()) return;
  if (from != nullptr) {
    const D3D12_HEAP_DESC& desc = from->desc();
    const Verdict placed = check_resource_in_heap(tiled->desc(), desc.Properties, desc.Flags);
    if (!placed.ok()) {
      tell(D3D12_MESSAGE_SEVERITY_WARNING, D3D12_MESSAGE_ID_UPDATETILEMAPPINGS_POSSIBLY_MISMATCHING_PROPERTIES,
           placed.message);
    }
  }
  const std::shared_ptr<HeapMemory>& of = tiled->memory();
  bool maps = false;
  for (const TileMapping& one : mappings) {
    of->queued_tiles().map(one.tiles.first, one.tiles.count, one.mapped ? memory : nullptr);
    maps = maps || one.mapped;
  }
  Machine& machine = device().machine();
  const auto held = maps ? allocation_of(*memory, device()) : std::nullopt;
  if (held) machine.hold_allocation(*held);
  submit(machine, queue_, "UpdateTileMappings", [of, memory, mappings = std::move(mappings), &machine, held] {
    map_tiles(*of->tiles(), mappings, memory);
    if (held) machine.let_go_of_allocation(*held);
  });
  Host::instance().notify();
}

void CommandQueue::CopyTileMappings(ID3D12Resource* destination, const D3D12_TILED_RESOURCE_COORDINATE* to,
                                    ID3D12Resource* source, const D3D12_TILED_RESOURCE_COORDINATE* from,
                                    const D3D12_TILE_REGION_SIZE* size, D3D12_TILE_MAPPING_FLAGS flags) {
  const Host::Lock lock = device().enter(device().costs().call_ps);
  if (device().removed()) return;
  const auto wrong = [&](const std::string& text) {
    device().message(D3D12_MESSAGE_SEVERITY_ERROR, D3D12_MESSAGE_ID_COPYTILEMAPPINGS_INVALID_PARAMETER,
                     "ID3D12CommandQueue::CopyTileMappings: " + text);
  };
  const auto* const written = com_cast<Resource>(destination);
  const auto* const read = com_cast<Resource>(source);
  if (written == nullptr || written->tiles() == nullptr || read == nullptr || read->tiles() == nullptr) {
    return wrong("expected reserved resources");
  }
  if (to == nullptr || from == nullptr || size == nullptr) return wrong("expected two coordinates and a size");
  if ((static_cast<UINT>(flags) & ~known_flags) != 0) {
    return wrong(fmt::format("expected flags NONE or NO_HAZARD (1), found {:#x}", static_cast<UINT>(flags)));
  }
  std::vector<TileRun> to_runs;
  std::vector<TileRun> from_runs;
  Verdict verdict = add_region(*written->tiles(), *to, *size, to_runs);
  if (!verdict.message.empty()) wrong("destination: " + verdict.message);
  if (!verdict.ok()) return;
  verdict = add_region(*read->tiles(), *from, *size, from_runs);
  if (!verdict.ok()) return wrong("source: " + verdict.message);
  if (to_runs.empty()) return;
  written->memory()->queued_tiles().copy(to_runs, read->memory()->queued_tiles(), from_runs);
  submit(device().machine(), queue_, "CopyTileMappings",
         [written = written->memory(), read = read->memory(), to_runs = std::move(to_runs),
          from_runs = std::move(from_runs)] {
           copy_tile_mappings(*written->tiles(), to_runs, *read->tiles(), from_runs);
         });
  Host::instance().notify();
}

}  // namespace fenceline::d3d12
