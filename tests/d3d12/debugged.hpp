// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/d3d12/app.hpp"

#include <string>
#include <vector>

namespace fenceline::testing {

/// A program with the debug layer on.
struct DebugLayer {
  DebugLayer() {
    ComPtr<ID3D12Debug> debug;
    REQUIRE(D3D12GetDebugInterface(IID_PPV_ARGS(&debug)) == S_OK);
    debug->EnableDebugLayer();
  }
};
struct DebuggedApp : DebugLayer, App {
  DebuggedApp() {
    REQUIRE(device.As(&messages) == S_OK);
    messages->SetMuteDebugOutput(TRUE);
  }
  /// Ids of the messages since the last call.
  std::vector<int> said() {
    std::vector<int> ids;
    for (UINT64 i = 0; i < messages->GetNumStoredMessages(); ++i) {
      SIZE_T bytes = 0;
      REQUIRE(SUCCEEDED(messages->GetMessage(i, nullptr, &bytes)));
      std::vector<char> space(bytes);
      auto* const message = reinterpret_cast<D3D12_MESSAGE*>(space.data());
      REQUIRE(messages->GetMessage(i, message, &bytes) == S_OK);
      ids.push_back(message->ID);
    }
    messages->ClearStoredMessages();
    return ids;
  }
  ComPtr<ID3D12InfoQueue> messages;
};
using Ids = std::vector<int>;

}  // namespace fenceline::testing
