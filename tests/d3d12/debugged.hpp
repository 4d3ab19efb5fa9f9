// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/d3d12/app.hpp"

#include <string>
#include <vector>

namespace fenceline::testing {

/// The debug layer is on while this is there.
struct DebugLayerOn {
  DebugLayerOn() {
    REQUIRE(D3D12GetDebugInterface(IID_PPV_ARGS(&debug)) == S_OK);
    debug->EnableDebugLayer();
  }
  DebugLayerOn(const DebugLayerOn&) = delete;
  DebugLayerOn& operator=(const DebugLayerOn&) = delete;
  ~DebugLayerOn() { debug->DisableDebugLayer(); }
  ComPtr<ID3D12Debug6> debug;
};

/// A message of the debug layer.
struct Said {
  int id;
  D3D12_MESSAGE_SEVERITY severity;
  std::string text;
};
using Ids = std::vector<int>;

/// The messages of a device since the last call.
inline std::vector<Said> take_messages(ID3D12InfoQueue& messages) {
  std::vector<Said> all;
  for (UINT64 i = 0; i < messages.GetNumStoredMessages(); ++i) {
    SIZE_T bytes = 0;
    REQUIRE(SUCCEEDED(messages.GetMessage(i, nullptr, &bytes)));
    std::vector<char> space(bytes);
    auto* const message = reinterpret_cast<D3D12_MESSAGE*>(space.data());
    REQUIRE(messages.GetMessage(i, message, &bytes) == S_OK);
    all.push_back({message->ID, message->Severity, message->pDescription});
  }
  messages.ClearStoredMessages();
  return all;
}

/// Their ids alone.
inline Ids take_ids(ID3D12InfoQueue& messages) {
  Ids ids;
  for (const Said& one : take_messages(messages)) ids.push_back(one.id);
  return ids;
}

/// A program with the debug layer on, which reads its messages.
struct DebuggedApp : DebugLayerOn, App {
  DebuggedApp() {
    REQUIRE(device.As(&messages) == S_OK);
    messages->SetMuteDebugOutput(TRUE);
    messages->SetMessageCountLimit(~UINT64{0});
  }
  std::vector<Said> said() { return take_messages(*messages.Get()); }
  Ids said_ids() { return take_ids(*messages.Get()); }
  ComPtr<ID3D12InfoQueue> messages;
};

}  // namespace fenceline::testing
