// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/compute_engine_config.hpp"
#include "engines/shader_engine.hpp"

namespace fenceline {

/// Dispatches, and whatever the copy engine can do.
class ComputeEngine final : public ShaderEngine {
 public:
  ComputeEngine(sc_core::sc_module_name name, const ComputeEngineConfig& config, ShaderArray& array, Memory& memory,
                EventLog& log)
      : ShaderEngine(name, config, array, memory, log) {}

 private:
  WorkClass class_of(const Command&) const override { return WorkClass::compute; }
  std::vector<WorkClass> classes() const override { return {WorkClass::compute}; }
};

}  // namespace fenceline
