// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/com/com_cast.hpp"
#include "api/d3d12/device/device.hpp"
#include "sim/log.hpp"
#include "tests/d3d12/pipelines/shader_builder.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace fenceline::testing {

/// When the machine ran each queue's command lists.
class GpuTimeline final : public LogSink {
 public:
  struct Run {
    std::uint64_t start_ps;
    std::uint64_t end_ps;
    bool overlaps(const Run& other) const { return start_ps < other.end_ps && other.start_ps < end_ps; }
  };

  explicit GpuTimeline(ID3D12Device* device)
      : log_(d3d12::com_cast<d3d12::Device>(static_cast<ID3D12Device11*>(device))->machine().log()) {
    log_.attach(*this, EventLog::Detail::packets);
  }
  ~GpuTimeline() override { log_.detach(*this); }

  void packet(const EventLog& log, const PacketRecord& record) override {
    if (record.type != PacketType::render) return;
    runs_[std::string(log.text(record.context))].push_back({record.started_ps, record.finished_ps});
  }
  /// Of the device's queue with that number, in order of creation.
  const std::vector<Run>& of(std::uint32_t queue) const {
    return runs_.at("adapter.scheduler.queue" + std::to_string(queue));
  }

 private:
  EventLog& log_;
  std::map<std::string, std::vector<Run>> runs_;
};

/// Compiled code of a shader that does so many ALU instructions, as its STAT part says.
inline std::string shader_of(std::uint32_t kind, std::uint32_t alu_instructions) {
  constexpr std::uint32_t ret_token = 1U << 24 | 62;
  std::vector<std::uint32_t> stat(37, 0);
  stat[0] = alu_instructions + 1;
  stat[1] = 4;                 // temporaries
  stat[4] = alu_instructions;  // float instructions
  return dxbc({{"SHEX", program(program_version(kind, 5, 1), {ret_token})},
               {"STAT", numbers(stat)},
               {"RTS0", empty_root_signature()}});
}

}  // namespace fenceline::testing
