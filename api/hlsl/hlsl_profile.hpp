// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/shaders/pipeline_desc.hpp"

#include <string>
#include <variant>

namespace fenceline::d3d12 {

/// A target profile: for which stage and shader model code is compiled.
struct HlslProfile {
  PipelineStage stage = PipelineStage::vertex;
  unsigned major = 6;
  unsigned minor = 0;
};

/// Reads "vs_6_0"; what is wrong with it otherwise, or that the front end has no such shaders.
std::variant<HlslProfile, std::string> parse_hlsl_profile(const std::string& text);

}  // namespace fenceline::d3d12
