// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/json_file.hpp"
#include "tests/support/places.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>

namespace fenceline::testing {

inline const std::filesystem::path measured_workloads_file = source_directory() / "bench/hardware/h200/workloads.json";

inline std::filesystem::path shipped_workload(const std::string& name) {
  return source_directory() / "configs/workloads" / (name + ".json");
}

/// A workload with one of everything that runs in a moment.
constexpr const char* small_workload_text = R"({
  "name": "small",
  "resources": [
    {"type": "buffer", "name": "upload", "heap": "upload", "bytes": 4096},
    {"type": "buffer", "name": "buffer", "bytes": 8192},
    {"type": "texture", "name": "texture", "width": 16, "height": 16},
    {"type": "texture", "name": "large", "width": 64, "height": 64}
  ],
  "compute_pipelines": [{"name": "cs", "group_cycles": 1000}],
  "graphics_pipelines": [{"name": "gs"}],
  "fences": [{"name": "a"}, {"name": "b"}],
  "command_lists": [
    {"name": "copies", "type": "copy", "commands": [
      {"type": "copy_buffer", "source": "upload", "destination": "buffer"},
      {"type": "copy_texture", "source": "upload", "destination": "texture"}
    ]},
    {"name": "grid", "type": "compute", "commands": [{"type": "dispatch", "pipeline": "cs", "x": 8}]},
    {"name": "draws", "type": "direct", "commands": [
      {"type": "clear", "target": "texture"},
      {"type": "draw", "pipeline": "gs", "vertices": 300, "pixels": 1000},
      {"type": "barrier"},
      {"type": "draw_indexed", "pipeline": "gs", "indices": 300, "unique_vertices": 100, "pixels": 1000},
      {"type": "timestamp", "slot": 0}
    ]}
  ],
  "processes": [{"name": "app", "focus": true}, {"name": "background", "priority": "idle"}],
  "queues": [
    {"name": "copy", "type": "copy", "timeline": [
      {"type": "execute", "lists": ["copies"]},
      {"type": "signal", "fence": "a", "value": 1}
    ]},
    {"name": "compute", "type": "compute", "timeline": [
      {"type": "wait", "fence": "a", "value": 1},
      {"type": "repeat", "count": 3, "steps": [
        {"type": "execute", "lists": ["grid"]},
        {"type": "signal", "fence": "b", "value": 1, "value_step": 1}
      ]}
    ]},
    {"name": "direct", "type": "direct", "process": "app"}
  ],
  "cpus": [
    {"name": "main", "timeline": [
      {"type": "fence_wait", "fence": "b", "value": 3},
      {"type": "execute", "queue": "direct", "lists": ["draws"]},
      {"type": "work", "us": 3},
      {"type": "queue_signal", "queue": "direct", "fence": "b", "value": 9},
      {"type": "sleep_until", "us": 50},
      {"type": "focus", "process": "background"},
      {"type": "repeat", "count": 2, "steps": [{"type": "sleep_until", "us": 60, "us_step": 5}]}
    ]}
  ],
  "deadlines": [
    {"name": "grids", "fence": "b", "value": 1, "value_step": 1, "count": 3, "us": 10, "us_step": 10},
    {"name": "draws", "fence": "b", "value": 9, "us": 100}
  ]
})";

inline nlohmann::json small_workload() { return parse_json(small_workload_text, "small.json"); }

}  // namespace fenceline::testing
