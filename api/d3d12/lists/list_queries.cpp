// SPDX-License-Identifier: Apache-2.0
// GraphicsCommandList, queries and predication.
#include "api/d3d12/com/com_cast.hpp"
#include "api/d3d12/lists/graphics_command_list.hpp"
#include "api/d3d12/resources/accessed_part.hpp"
#include "api/d3d12/resources/query_heap.hpp"
#include "api/d3d12/resources/resource.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fenceline::d3d12 {
namespace {

/// Heaps of one type may take several types of query.
bool fits(D3D12_QUERY_TYPE type, D3D12_QUERY_HEAP_TYPE heap) {
  switch (heap) {
    case D3D12_QUERY_HEAP_TYPE_OCCLUSION:
      return type == D3D12_QUERY_TYPE_OCCLUSION || type == D3D12_QUERY_TYPE_BINARY_OCCLUSION;
    case D3D12_QUERY_HEAP_TYPE_TIMESTAMP:
    case D3D12_QUERY_HEAP_TYPE_COPY_QUEUE_TIMESTAMP: return type == D3D12_QUERY_TYPE_TIMESTAMP;
    case D3D12_QUERY_HEAP_TYPE_PIPELINE_STATISTICS: return type == D3D12_QUERY_TYPE_PIPELINE_STATISTICS;
    case D3D12_QUERY_HEAP_TYPE_PIPELINE_STATISTICS1: return type == D3D12_QUERY_TYPE_PIPELINE_STATISTICS1;
    case D3D12_QUERY_HEAP_TYPE_SO_STATISTICS:
      return type >= D3D12_QUERY_TYPE_SO_STATISTICS_STREAM0 && type <= D3D12_QUERY_TYPE_SO_STATISTICS_STREAM3;
    default: return false;
  }
}

QueryType type_of(D3D12_QUERY_TYPE type) {
  switch (type) {
    case D3D12_QUERY_TYPE_OCCLUSION: return QueryType::occlusion;
    case D3D12_QUERY_TYPE_BINARY_OCCLUSION: return QueryType::binary_occlusion;
    case D3D12_QUERY_TYPE_TIMESTAMP: return QueryType::timestamp;
    default: return QueryType::pipeline_statistics;
  }
}

}  // namespace

bool GraphicsCommandList::check_query(const QueryHeap* heap, D3D12_QUERY_TYPE type, UINT index, const char* method) {
  const auto wrong = [&](const std::string& text) {
    error(E_INVALIDARG, D3D12_MESSAGE_ID_BEGIN_END_QUERY_INVALID_PARAMETERS, method, text);
    return false;
  };
  if (heap == nullptr) return wrong("expected a query heap, found null");
  if (!fits(type, heap->desc().Type)) {
    return wrong(fmt::format("a heap of type {} has no queries of type {}", static_cast<int>(heap->desc().Type),
                             static_cast<int>(type)));
  }
  if (index >= heap->desc().Count) {
    return wrong(fmt::format("the heap has {} queries, and {} is none of them", heap->desc().Count, index));
  }
  const bool of_copies = heap->desc().Type == D3D12_QUERY_HEAP_TYPE_COPY_QUEUE_TIMESTAMP;
  if (of_copies != (type_ == D3D12_COMMAND_LIST_TYPE_COPY)) {
    return wrong("COPY_QUEUE_TIMESTAMP heaps are for copy lists, and copy lists have no others");
  }
  if (type != D3D12_QUERY_TYPE_TIMESTAMP && type_ != D3D12_COMMAND_LIST_TYPE_DIRECT) {
    return wrong("other queries than time stamps are for direct lists");
  }
  return true;
}

void GraphicsCommandList::BeginQuery(ID3D12QueryHeap* heap, D3D12_QUERY_TYPE type, UINT index) {
  if (!begin(direct_only, "BeginQuery")) return;
  auto* const queries = com_cast<QueryHeap>(heap);
  if (!check_query(queries, type, index, "BeginQuery")) return;
  const OpenQuery query{queries, type, index, 0};
  if (type == D3D12_QUERY_TYPE_TIMESTAMP) {
    return error(E_INVALIDARG, D3D12_MESSAGE_ID_BEGIN_END_QUERY_INVALID_PARAMETERS, "BeginQuery",
                 "time stamps have no beginning");
  }
  if (std::find(open_queries_.begin(), open_queries_.end(), query) != open_queries_.end()) {
    unmatched_query_ = true;
    return complain(D3D12_MESSAGE_ID_BEGIN_END_QUERY_INVALID_PARAMETERS, "BeginQuery", "the query has begun already");
  }
  open_queries_.push_back(query);
  open_queries_.back().first = recording_->stream().commands.size();
  recording_->add(fenceline::BeginQuery{type_of(type), index});
}

void GraphicsCommandList::EndQuery(ID3D12QueryHeap* heap, D3D12_QUERY_TYPE type, UINT index) {
  if (!begin(not_in_bundles, "EndQuery")) return;
  auto* const queries = com_cast<QueryHeap>(heap);
  if (!check_query(queries, type, index, "EndQuery")) return;
  if (type == D3D12_QUERY_TYPE_TIMESTAMP) {
    writes("EndQuery", [&] { return query_part(*queries, index, 1); });
    return recording_->add_timestamp(queries->at(index));
  }
  const auto open = std::find(open_queries_.begin(), open_queries_.end(), OpenQuery{queries, type, index, 0});
  if (open == open_queries_.end()) {
    unmatched_query_ = true;
    return complain(D3D12_MESSAGE_ID_BEGIN_END_QUERY_INVALID_PARAMETERS, "EndQuery",
                    "the query has not begun in this list");
  }
  writes("EndQuery", [&] { return query_part(*queries, index, 1); });
  recording_->add_query(fenceline::EndQuery{type_of(type), index}, {queries->at(index), type, open->first});
  open_queries_.erase(open);
}

void GraphicsCommandList::ResolveQueryData(ID3D12QueryHeap* heap, D3D12_QUERY_TYPE type, UINT first, UINT count,
                                           ID3D12Resource* to, UINT64 offset) {
  const char* const method = "ResolveQueryData";
  if (!begin(not_in_bundles, method)) return;
  const auto wrong = [&](const std::string& text) {
    error(E_INVALIDARG, D3D12_MESSAGE_ID_RESOLVE_QUERY_DATA_INVALID_PARAMETERS, method, text);
  };
  auto* const queries = com_cast<QueryHeap>(heap);
  auto* const buffer = com_cast<Resource>(to);
  if (queries == nullptr || buffer == nullptr) return wrong("expected a query heap and a buffer, found null");
  if (!fits(type, queries->desc().Type)) return wrong("the heap has no queries of that type");
  if (first > queries->desc().Count || count > queries->desc().Count - first) {
    return wrong(
        fmt::format("the heap has {} queries, and {} from {} on are asked for", queries->desc().Count, count, first));
  }
  const std::uint64_t bytes = std::uint64_t{count} * QueryHeap::result_bytes(queries->desc().Type);
  if (offset % 8 != 0) return wrong(fmt::format("expected an offset that is a multiple of 8, found {}", offset));
  if (!buffer->is_buffer() || offset > buffer->bytes() || bytes > buffer->bytes() - offset) {
    return wrong(fmt::format("the buffer has {} bytes, and {} from {} on are needed", buffer->bytes(), bytes, offset));
  }
  if (count == 0) return;
  needs(*buffer, D3D12_RESOURCE_STATE_COPY_DEST);
  writes(method, [&] { return buffer_part(*buffer, offset, bytes); });
  reads(method, [&] { return query_part(*queries, first, count); });
  const CopyRoute route = buffer->in_host() ? CopyRoute::device_to_host : CopyRoute::device_to_device;
  recording_->add(
      fenceline::ResolveQueryData{route, bytes},
      ResolveQueries{buffer->at(offset), queries->at(first), bytes, type == D3D12_QUERY_TYPE_BINARY_OCCLUSION});
}

void GraphicsCommandList::SetPredication(ID3D12Resource* buffer, UINT64 offset, D3D12_PREDICATION_OP op) {
  const char* const method = "SetPredication";
  if (!begin(direct_and_compute, method)) return;
  if (buffer == nullptr) return recording_->add_predication(nullptr);
  auto* const values = com_cast<Resource>(buffer);
  const auto wrong = [&](const std::string& text) {
    error(E_INVALIDARG, D3D12_MESSAGE_ID_SET_PREDICATION_INVALID_PARAMETERS, method, text);
  };
  if (offset % 8 != 0) return wrong(fmt::format("expected an offset that is a multiple of 8, found {}", offset));
  if (!values->is_buffer() || values->bytes() < 8 || offset > values->bytes() - 8) {
    return wrong(fmt::format("the buffer has {} bytes, and 8 from {} on are needed", values->bytes(), offset));
  }
  if (op != D3D12_PREDICATION_OP_EQUAL_ZERO && op != D3D12_PREDICATION_OP_NOT_EQUAL_ZERO) {
    return wrong(fmt::format("expected operation 0 or 1, found {}", static_cast<int>(op)));
  }
  needs(*values, D3D12_RESOURCE_STATE_PREDICATION);
  reads(method, [&] { return buffer_part(*values, offset, sizeof(UINT64)); });
  const Recording::Predicate predicate{values->at(offset), op == D3D12_PREDICATION_OP_EQUAL_ZERO};
  recording_->add_predication(&predicate);
}

}  // namespace fenceline::d3d12
