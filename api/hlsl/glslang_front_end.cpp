// SPDX-License-Identifier: Apache-2.0
#include "api/hlsl/glslang_front_end.hpp"

#include "api/hlsl/declared_interface.hpp"
#include "api/hlsl/glslang_messages.hpp"
#include "api/hlsl/spirv_bindings.hpp"
#include "api/hlsl/spirv_cost.hpp"
#include "api/hlsl/static_buffers.hpp"

#include <fmt/format.h>

#include <glslang/MachineIndependent/localintermediate.h>
#include <glslang/Public/ResourceLimits.h>
#include <glslang/Public/ShaderLang.h>
#include <glslang/SPIRV/GlslangToSpv.h>

#include <algorithm>
#include <map>
#include <memory>
#include <spirv-tools/optimizer.hpp>
#include <stdexcept>
#include <tuple>

namespace fenceline::d3d12 {
namespace {

constexpr auto rules = static_cast<EShMessages>(EShMsgReadHlsl | EShMsgSpvRules | EShMsgVulkanRules |
                                                EShMsgHlslOffsets | EShMsgHlslLegalization);

EShLanguage language_of(PipelineStage stage) {
  switch (stage) {
    case PipelineStage::vertex: return EShLangVertex;
    case PipelineStage::hull: return EShLangTessControl;
    case PipelineStage::domain: return EShLangTessEvaluation;
    case PipelineStage::geometry: return EShLangGeometry;
    case PipelineStage::pixel: return EShLangFragment;
    default: return EShLangCompute;
  }
}

/// The number by which HLSL's macros call a stage.
unsigned macro_number(PipelineStage stage) {
  switch (stage) {
    case PipelineStage::vertex: return 1;
    case PipelineStage::geometry: return 2;
    case PipelineStage::hull: return 3;
    case PipelineStage::domain: return 4;
    case PipelineStage::compute: return 5;
    default: return 0;
  }
}

/// Asks for each file once, however often the text is read.
class Includer final : public glslang::TShader::Includer {
 public:
  explicit Includer(const HlslIncluder& ask) : ask_(ask) {}

  IncludeResult* includeLocal(const char* header, const char* from, std::size_t depth) override {
    return include(header, from, depth, true);
  }
  IncludeResult* includeSystem(const char* header, const char* from, std::size_t depth) override {
    return include(header, from, depth, false);
  }
  void releaseInclude(IncludeResult* result) override { delete result; }

 private:
  IncludeResult* include(const std::string& header, const std::string& from, std::size_t depth, bool in_quotes) {
    constexpr std::size_t deepest = 64;
    if (!ask_ || depth > deepest) return nullptr;
    const auto key = std::tuple(header, from, in_quotes);
    auto found = files_.find(key);
    if (found == files_.end()) {
      found = files_.emplace(key, ask_(header, from, in_quotes)).first;
      if (found->second) found->second->text = without_static_buffers(std::move(found->second->text));
    }
    if (!found->second) return nullptr;
    const HlslInclude& file = *found->second;
    return new IncludeResult(file.name, file.text.data(), file.text.size(), nullptr);
  }

  const HlslIncluder& ask_;
  std::map<std::tuple<std::string, std::string, bool>, std::optional<HlslInclude>> files_;
};

/// In front of the source, as lines that do not count.
std::string macros_of(const HlslSource& source, const HlslProfile& profile) {
  std::string text;
  constexpr unsigned first_of_dxc = 6;
  if (profile.major >= first_of_dxc) {
    text += "#define __hlsl_dx_compiler 1\n#define __HLSL_VERSION 2021\n";
    text += fmt::format("#define __SHADER_TARGET_MAJOR {}\n#define __SHADER_TARGET_MINOR {}\n", profile.major,
                        profile.minor);
    text += fmt::format("#define __SHADER_TARGET_STAGE {}\n", macro_number(profile.stage));
    const char* const stages[] = {"PIXEL", "VERTEX", "GEOMETRY", "HULL", "DOMAIN", "COMPUTE"};
    for (unsigned i = 0; i < std::size(stages); ++i)
      text += fmt::format("#define __SHADER_STAGE_{} {}\n", stages[i], i);
  }
  for (const auto& [name, value] : source.defines) {
    std::string line = name + ' ' + value;
    std::replace(line.begin(), line.end(), '\n', ' ');
    text += "#define ";
    text += line + '\n';
  }
  return text;
}

/// HLSL 2021's function, which the front end does not know: its older ?: chooses by component, too.
constexpr const char* select_macro = "#define select(c, a, b) ((c) ? (a) : (b))\n";

/// One try to read the source; what its tree refers to lives as long as it.
class Reading {
 public:
  Reading(const HlslSource& source, const HlslProfile& profile, const std::string& macros, Includer& includer)
      : text_(without_static_buffers(source.text)),
        name_(source.name),
        macros_(macros),
        language_(language_of(profile.stage)),
        shader_(language_) {
    const char* const text = text_.data();
    const int length = static_cast<int>(text_.size());
    const char* const name = name_.c_str();
    shader_.setStringsWithLengthsAndNames(&text, &length, &name, 1);
    shader_.setPreamble(macros_.c_str());
    shader_.setEntryPoint(source.entry.c_str());
    shader_.setSourceEntryPoint(source.entry.c_str());
    shader_.setEnvInput(glslang::EShSourceHlsl, language_, glslang::EShClientVulkan, 100);
    shader_.setEnvClient(glslang::EShClientVulkan, glslang::EShTargetVulkan_1_1);
    shader_.setEnvTarget(glslang::EShTargetSpv, glslang::EShTargetSpv_1_3);
    shader_.setEnvTargetHlslFunctionality1();
    constexpr int default_version = 500;
    good_ = shader_.parse(GetDefaultResources(), default_version, false, rules, includer);
    messages_ = compiler_messages(shader_.getInfoLog(), name_);
  }

  bool good() const { return good_; }
  const std::string& messages() const { return messages_; }
  /// Null when the parts do not fit together, which the messages tell.
  const glslang::TIntermediate* link() {
    program_.addShader(&shader_);
    if (program_.link(rules)) return program_.getIntermediate(language_);
    messages_ += compiler_messages(program_.getInfoLog(), name_);
    return nullptr;
  }

 private:
  std::string text_;
  std::string name_;
  std::string macros_;
  EShLanguage language_;
  glslang::TShader shader_;
  glslang::TProgram program_;
  bool good_ = false;
  std::string messages_;
};

/// SPIR-V in which functions are inlined and what has no effect is gone.
std::vector<std::uint32_t> spirv_of(const glslang::TIntermediate& tree) {
  std::vector<std::uint32_t> raw;
  spv::SpvBuildLogger log;
  glslang::SpvOptions options;
  glslang::GlslangToSpv(tree, raw, &log, &options);
  spvtools::Optimizer optimizer(SPV_ENV_VULKAN_1_1);
  optimizer.SetMessageConsumer([](spv_message_level_t, const char*, const spv_position_t&, const char*) {});
  optimizer.RegisterLegalizationPasses().RegisterPerformancePasses();
  spvtools::OptimizerOptions how;
  how.set_run_validator(false);
  std::vector<std::uint32_t> optimized;
  if (!optimizer.Run(raw.data(), raw.size(), &optimized, how)) return raw;
  return optimized;
}

std::uint32_t count_up_to(std::uint64_t count) {
  constexpr std::uint64_t most = 500'000'000;  // so that ALU and SFU together are what a container may say
  return static_cast<std::uint32_t>(std::min(count, most));
}

void add_code(const glslang::TIntermediate& tree, ShaderDesc& to) {
  const std::vector<std::uint32_t> words = spirv_of(tree);
  const SpirvModule module(words);
  to.bindings = spirv_bindings(module, declared_resources(tree));
  const SpirvCost cost = spirv_cost(module);
  to.alu_instructions = count_up_to(cost.alu);
  to.sfu_instructions = count_up_to(cost.sfu);
  to.texture_samples = count_up_to(cost.memory);
  to.shared_accesses = count_up_to(cost.shared);
  to.code_instructions = count_up_to(cost.alu + cost.sfu + cost.memory + cost.shared);
}

}  // namespace

HlslResult compile_here(const HlslSource& source, const HlslProfile& profile) {
  static const bool ready = glslang::InitializeProcess();
  HlslResult result;
  if (!ready) {
    result.messages = fmt::format("{}: error: the HLSL front end does not start\n", source.name);
    return result;
  }
  Includer includer(source.include);
  const std::string macros = macros_of(source, profile);
  auto reading = std::make_unique<Reading>(source, profile, macros, includer);
  const auto tells_of_select = [](const Reading& one) { return one.messages().find("'select'") != std::string::npos; };
  if (!reading->good() && tells_of_select(*reading)) {
    auto again = std::make_unique<Reading>(source, profile, macros + select_macro, includer);
    if (again->good() || !tells_of_select(*again)) reading = std::move(again);
  }
  const glslang::TIntermediate* const tree = reading->good() ? reading->link() : nullptr;
  result.messages = reading->messages();
  if (tree == nullptr) return result;
  ShaderDesc desc;
  const std::string wrong = add_declared_interface(*tree, profile.stage, source.entry, source.name, desc);
  if (!wrong.empty()) {
    result.messages += wrong;
    return result;
  }
  add_code(*tree, desc);
  try {
    result.code = shader(profile.stage, desc);
  } catch (const std::invalid_argument& error) {
    result.messages += fmt::format("{}: error: '{}' : {}\n", source.name, source.entry, error.what());
  }
  return result;
}

}  // namespace fenceline::d3d12
