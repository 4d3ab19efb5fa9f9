// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/debug/debug_layer.hpp"

#include "sim/files/console.hpp"

#include <cstdlib>
#include <string_view>

namespace fenceline::d3d12 {
namespace {

DebugLayerSetting read_setting() {
  const char* const value = std::getenv("FENCELINE_DEBUG_LAYER");
  const std::string_view text = value != nullptr ? value : "";
  if (text.empty()) return DebugLayerSetting::program;
  if (text == "0") return DebugLayerSetting::off;
  if (text == "1") return DebugLayerSetting::on;
  if (text == "break") return DebugLayerSetting::break_on_error;
  console::tell("fenceline: FENCELINE_DEBUG_LAYER: expected \"0\", \"1\" or \"break\", found \"{}\"\n", value);
  return DebugLayerSetting::program;
}

}  // namespace

DebugLayerSetting debug_layer_setting() {
  static const DebugLayerSetting setting = read_setting();
  return setting;
}

}  // namespace fenceline::d3d12
