/* SPDX-License-Identifier: Apache-2.0 */
/* D3D12 from C: a copy from an upload to a readback buffer, waited for with an event. */
#define COBJMACROS
#include "api/d3d12/event.hpp"

#include <stdio.h>
#include <string.h>

#define BYTES 4096

static int line_failed = 0;
#define TRY(call) \
  if (FAILED(call) && line_failed == 0) line_failed = __LINE__

static ID3D12Resource* buffer(ID3D12Device* device, D3D12_HEAP_TYPE type, D3D12_RESOURCE_STATES state) {
  D3D12_HEAP_PROPERTIES heap;
  D3D12_RESOURCE_DESC desc;
  ID3D12Resource* made = NULL;
  memset(&heap, 0, sizeof heap);
  heap.Type = type;
  memset(&desc, 0, sizeof desc);
  desc.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
  desc.Width = BYTES;
  desc.Height = 1;
  desc.DepthOrArraySize = 1;
  desc.MipLevels = 1;
  desc.SampleDesc.Count = 1;
  desc.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
  TRY(ID3D12Device_CreateCommittedResource(device, &heap, D3D12_HEAP_FLAG_NONE, &desc, state, NULL,
                                           &IID_ID3D12Resource, (void**)&made));
  return made;
}

int main(void) {
  ID3D12Device* device = NULL;
  ID3D12CommandQueue* queue = NULL;
  ID3D12CommandAllocator* allocator = NULL;
  ID3D12GraphicsCommandList* list = NULL;
  ID3D12CommandList* lists[1];
  ID3D12Fence* fence = NULL;
  D3D12_COMMAND_QUEUE_DESC desc;
  ID3D12Resource *from, *to;
  HANDLE event;
  void* data = NULL;
  ULONG references;
  char sent[BYTES];

  if (FAILED(D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device, (void**)&device))) return 1;
  memset(&desc, 0, sizeof desc);
  desc.Type = D3D12_COMMAND_LIST_TYPE_COPY;
  TRY(ID3D12Device_CreateCommandQueue(device, &desc, &IID_ID3D12CommandQueue, (void**)&queue));
  TRY(ID3D12Device_CreateCommandAllocator(device, desc.Type, &IID_ID3D12CommandAllocator, (void**)&allocator));
  TRY(ID3D12Device_CreateCommandList(device, 0, desc.Type, allocator, NULL, &IID_ID3D12GraphicsCommandList,
                                     (void**)&list));
  TRY(ID3D12Device_CreateFence(device, 0, D3D12_FENCE_FLAG_NONE, &IID_ID3D12Fence, (void**)&fence));
  from = buffer(device, D3D12_HEAP_TYPE_UPLOAD, D3D12_RESOURCE_STATE_GENERIC_READ);
  to = buffer(device, D3D12_HEAP_TYPE_READBACK, D3D12_RESOURCE_STATE_COPY_DEST);
  event = CreateEvent(NULL, FALSE, FALSE, NULL);
  if (line_failed != 0 || event == NULL) return 2;

  memset(sent, 0x5A, sizeof sent);
  TRY(ID3D12Resource_Map(from, 0, NULL, &data));
  memcpy(data, sent, sizeof sent);
  ID3D12Resource_Unmap(from, 0, NULL);

  ID3D12GraphicsCommandList_CopyResource(list, to, from);
  TRY(ID3D12GraphicsCommandList_Close(list));
  lists[0] = (ID3D12CommandList*)list;
  ID3D12CommandQueue_ExecuteCommandLists(queue, 1, lists);
  TRY(ID3D12CommandQueue_Signal(queue, fence, 1));
  TRY(ID3D12Fence_SetEventOnCompletion(fence, 1, event));
  if (WaitForSingleObject(event, INFINITE) != WAIT_OBJECT_0) return 3;

  TRY(ID3D12Resource_Map(to, 0, NULL, &data));
  if (memcmp(data, sent, sizeof sent) != 0) return 4;
  ID3D12Resource_Unmap(to, 0, NULL);

  CloseHandle(event);
  ID3D12Resource_Release(to);
  ID3D12Resource_Release(from);
  ID3D12Fence_Release(fence);
  ID3D12GraphicsCommandList_Release(list);
  ID3D12CommandAllocator_Release(allocator);
  ID3D12CommandQueue_Release(queue);
  references = ID3D12Device_Release(device);
  if (line_failed != 0) {
    fprintf(stderr, "line %d failed\n", line_failed);
    return 5;
  }
  printf("copied %d bytes, %u references left\n", BYTES, (unsigned)references);
  return 0;
}
