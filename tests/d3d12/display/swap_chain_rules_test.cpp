// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/dxgi/swap_chain_rules.hpp"

#include "tests/d3d12/display/game.hpp"

using namespace fenceline::testing;
using namespace fenceline::d3d12;

namespace {

HRESULT windowed(const DXGI_SWAP_CHAIN_DESC1& desc) { return check_swap_chain(desc, SwapChainTarget::window).result; }
HRESULT composed(const DXGI_SWAP_CHAIN_DESC1& desc) {
  return check_swap_chain(desc, SwapChainTarget::composition).result;
}

}  // namespace

TEST_CASE("swap chain rules: 2 to 16 buffers of the flip model", "[d3d12]") {
  for (const UINT count : {0U, 1U, 2U, 3U, 16U, 17U}) {
    for (const int effect : {0, 1, 2, 3, 4, 5}) {
      const bool right = count >= 2 && count <= 16 && (effect == 3 || effect == 4);
      const auto desc = swap_chain_desc(count, 0, static_cast<DXGI_SWAP_EFFECT>(effect));
      CHECK(windowed(desc) == (right ? S_OK : DXGI_ERROR_INVALID_CALL));
    }
  }
}

TEST_CASE("swap chain rules: four formats", "[d3d12]") {
  for (int format = 0; format < 140; ++format) {
    auto desc = swap_chain_desc();
    desc.Format = static_cast<DXGI_FORMAT>(format);
    const bool right = format == DXGI_FORMAT_R8G8B8A8_UNORM || format == DXGI_FORMAT_B8G8R8A8_UNORM ||
                       format == DXGI_FORMAT_R10G10B10A2_UNORM || format == DXGI_FORMAT_R16G16B16A16_FLOAT;
    CHECK(windowed(desc) == (right ? S_OK : DXGI_ERROR_INVALID_CALL));
  }
}

TEST_CASE("swap chain rules: one sample, a size, no stereo", "[d3d12]") {
  auto desc = swap_chain_desc();
  desc.SampleDesc = {4, 0};
  CHECK(windowed(desc) == DXGI_ERROR_INVALID_CALL);
  desc.SampleDesc = {1, 1};
  CHECK(windowed(desc) == DXGI_ERROR_INVALID_CALL);
  desc = swap_chain_desc();
  desc.Width = 0;  // a window's is filled in before
  CHECK(composed(desc) == DXGI_ERROR_INVALID_CALL);
  desc.Width = 16384;
  CHECK(composed(desc) == S_OK);
  desc.Width = 16385;
  CHECK(composed(desc) == DXGI_ERROR_INVALID_CALL);
  desc = swap_chain_desc();
  desc.Stereo = TRUE;
  CHECK(windowed(desc) == DXGI_ERROR_UNSUPPORTED);
}

TEST_CASE("swap chain rules: scaling and alpha mode by what it is for", "[d3d12]") {
  for (const int scaling : {0, 1, 2, 3}) {
    auto desc = swap_chain_desc();
    desc.Scaling = static_cast<DXGI_SCALING>(scaling);
    CHECK(windowed(desc) == (scaling < 3 ? S_OK : DXGI_ERROR_INVALID_CALL));
    CHECK(composed(desc) == (scaling == 0 ? S_OK : DXGI_ERROR_INVALID_CALL));
  }
  for (const int alpha : {0, 1, 2, 3, 4}) {
    auto desc = swap_chain_desc();
    desc.AlphaMode = static_cast<DXGI_ALPHA_MODE>(alpha);
    CHECK(windowed(desc) == (alpha == 0 || alpha == 3 ? S_OK : DXGI_ERROR_INVALID_CALL));
    CHECK(composed(desc) == (alpha == 0 || alpha == 1 || alpha == 3 ? S_OK : DXGI_ERROR_INVALID_CALL));
  }
}

TEST_CASE("swap chain rules: flags", "[d3d12]") {
  constexpr UINT taken = DXGI_SWAP_CHAIN_FLAG_NONPREROTATED | DXGI_SWAP_CHAIN_FLAG_ALLOW_MODE_SWITCH |
                         DXGI_SWAP_CHAIN_FLAG_FRAME_LATENCY_WAITABLE_OBJECT | DXGI_SWAP_CHAIN_FLAG_ALLOW_TEARING;
  for (UINT flag = 1; flag != 0; flag <<= 1) {
    const HRESULT expected = (flag & taken) != 0 ? S_OK
                             : flag == DXGI_SWAP_CHAIN_FLAG_GDI_COMPATIBLE || flag > (1U << 12)
                                 ? DXGI_ERROR_INVALID_CALL
                                 : DXGI_ERROR_UNSUPPORTED;
    CHECK(windowed(swap_chain_desc(2, flag)) == expected);
  }
  CHECK(windowed(swap_chain_desc(2, taken)) == S_OK);
}

TEST_CASE("swap chain rules: Present takes intervals 0 to 4, and tearing only where the swap chain has it", "[d3d12]") {
  for (UINT interval = 0; interval < 10; ++interval) {
    CHECK(check_present(interval, 0, 0).result == (interval <= 4 ? S_OK : DXGI_ERROR_INVALID_CALL));
    const HRESULT torn = interval == 0 ? S_OK : DXGI_ERROR_INVALID_CALL;
    CHECK(check_present(interval, DXGI_PRESENT_ALLOW_TEARING, DXGI_SWAP_CHAIN_FLAG_ALLOW_TEARING).result == torn);
    CHECK(check_present(interval, DXGI_PRESENT_ALLOW_TEARING, 0).result == DXGI_ERROR_INVALID_CALL);
  }
  constexpr UINT taken =
      DXGI_PRESENT_TEST | DXGI_PRESENT_DO_NOT_SEQUENCE | DXGI_PRESENT_RESTART | DXGI_PRESENT_DO_NOT_WAIT;
  for (UINT flag = 1; flag != 0; flag <<= 1) {
    CHECK(check_present(1, flag, 0).result == ((flag & taken) != 0 ? S_OK : DXGI_ERROR_INVALID_CALL));
  }
}

TEST_CASE("swap chain rules: resizing keeps the waitable object and tearing as they are", "[d3d12]") {
  constexpr UINT waitable = DXGI_SWAP_CHAIN_FLAG_FRAME_LATENCY_WAITABLE_OBJECT;
  constexpr UINT tearing = DXGI_SWAP_CHAIN_FLAG_ALLOW_TEARING;
  constexpr UINT mode = DXGI_SWAP_CHAIN_FLAG_ALLOW_MODE_SWITCH;
  for (const UINT from : {0U, waitable, tearing, waitable | tearing}) {
    for (const UINT to : {0U, waitable, tearing, waitable | tearing, waitable | mode}) {
      const bool same = (from & (waitable | tearing)) == (to & (waitable | tearing));
      CHECK(check_resize(from, swap_chain_desc(3, to)).result == (same ? S_OK : DXGI_ERROR_INVALID_CALL));
    }
  }
  CHECK(check_resize(0, swap_chain_desc(1)).result == DXGI_ERROR_INVALID_CALL);
}
