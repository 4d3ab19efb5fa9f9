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

/// A program with the debug layer on, which reads its messages.
struct DebuggedApp : DebugLayerOn, App {
  struct Said {
    int id;
    std::string text;
  };
  DebuggedApp() {
    REQUIRE(device.As(&messages) == S_OK);
    messages->SetMuteDebugOutput(TRUE);
    messages->SetMessageCountLimit(~UINT64{0});
  }
  /// Since the last call.
  std::vector<Said> said() {
    std::vector<Said> all;
    for (UINT64 i = 0; i < messages->GetNumStoredMessages(); ++i) {
      SIZE_T bytes = 0;
      REQUIRE(SUCCEEDED(messages->GetMessage(i, nullptr, &bytes)));
      std::vector<char> space(bytes);
      auto* const message = reinterpret_cast<D3D12_MESSAGE*>(space.data());
      REQUIRE(messages->GetMessage(i, message, &bytes) == S_OK);
      all.push_back({message->ID, message->pDescription});
    }
    messages->ClearStoredMessages();
    return all;
  }
  /// Their ids alone.
  std::vector<int> said_ids() {
    std::vector<int> ids;
    for (const Said& one : said()) ids.push_back(one.id);
    return ids;
  }
  ComPtr<ID3D12InfoQueue> messages;
};
using Ids = std::vector<int>;

}  // namespace fenceline::testing
