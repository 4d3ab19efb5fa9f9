// SPDX-License-Identifier: Apache-2.0
#include "api/hlsl/hlsl_profile.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace fenceline::d3d12 {
namespace {

constexpr std::pair<std::string_view, PipelineStage> stage_names[] = {
    {"vs", PipelineStage::vertex}, {"ps", PipelineStage::pixel},  {"gs", PipelineStage::geometry},
    {"hs", PipelineStage::hull},   {"ds", PipelineStage::domain}, {"cs", PipelineStage::compute}};

/// What compilers have and this front end does not.
constexpr std::pair<std::string_view, std::string_view> others[] = {{"ms", "mesh shaders"},
                                                                    {"as", "amplification shaders"},
                                                                    {"lib", "libraries (ray tracing, work graphs)"},
                                                                    {"rootsig", "root signatures"}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::variant<HlslProfile, std::string> parse_hlsl_profile(const std::string& text) {
  const std::string prefix = text.substr(0, text.find('_'));
  for (const auto& [name, what] : others) {
    if (prefix != name) continue;
    return fmt::format(
        "profile {}: the HLSL front end does not take {}; fenceline::d3d12::shader makes code of mesh and "
        "amplification shaders without HLSL",
        text, what);
  }
  for (const auto& [name, stage] : stage_names) {
    if (prefix != name) continue;
    const std::string model = text.substr(prefix.size());
    const bool levels = model.rfind("_4_0_level_9_", 0) == 0;  // Direct3D 9's hardware
    const bool plain = model.size() == 4 && model[0] == '_' && model[1] >= '4' && model[1] <= '6' && model[2] == '_' &&
                       (is_digit(model[3]) || model[3] == 'x');
    if (!levels && !plain) break;
    return HlslProfile{stage, static_cast<unsigned>(model[1] - '0'),
                       is_digit(model[3]) ? static_cast<unsigned>(model[3] - '0') : 9};
  }
  return fmt::format("profile {}: expected vs, ps, gs, hs, ds or cs and a shader model from 4_0 to 6_9, such as vs_6_0",
                     text.empty() ? "(none)" : text);
}

}  // namespace fenceline::d3d12
