// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/fields.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// A config with everything that a config may hold, for the tests of what walks configs.
namespace fenceline::testing::sample {

enum class Order { first_come, round_robin };
constexpr EnumNames<Order, 2> enum_names(Order) {
  return {{{Order::first_come, "first_come"}, {Order::round_robin, "round_robin"}}};
}

struct Engine {
  std::string name;
  double clock_mhz = 1500;
  std::uint32_t lanes = 4;
  std::int64_t offset = -1;
  bool enabled = true;
};
inline void describe(Fields& f, Engine& e) {
  f.about("A hardware node.");
  f.required("name", e.name, "name in traces");
  f.optional("clock_mhz", e.clock_mhz, "core clock of the node", positive);
  f.optional("lanes", e.lanes, "bytes a cycle", between(1, 64));
  f.optional("offset", e.offset, "any whole number");
  f.optional("enabled", e.enabled, "takes packets");
}

struct Copy {
  static constexpr const char* type_name = "copy";
  std::uint64_t bytes = 0;
};
inline void describe(Fields& f, Copy& c) {
  f.about("Moves bytes.");
  f.required("bytes", c.bytes, "how many");
}

struct Draw {
  static constexpr const char* type_name = "draw";
  std::uint32_t vertices = 3;
  std::optional<double> depth;
};
inline void describe(Fields& f, Draw& d) {
  f.optional("vertices", d.vertices, "how many", at_least(1));
  f.optional("depth", d.depth, "of the scene", between(0, 1));
}
using Command = std::variant<Copy, Draw>;

struct Group {
  std::int32_t priority = 0;
  std::vector<Group> children;
};
inline void describe(Fields& f, Group& g) {
  f.optional("priority", g.priority, "higher runs first");
  f.optional("children", g.children, "groups inside");
}

// A function, because GCC 12 warns wrongly of `Engine shader = {...}` as a member default under -O3.
inline Engine default_shader() { return {"shader", 1800, 32, 0, true}; }

struct Gpu {
  std::string source = "invented";
  Order order = Order::first_come;
  Engine shader = default_shader();
  std::vector<Engine> engines;
  std::vector<Command> commands;
  Command idle = Draw{};
  std::map<std::string, double> rates = {{"fma", 2}};
  std::optional<std::uint64_t> seed;
  std::optional<Engine> display;
  Group groups;
  std::vector<std::vector<std::int32_t>> tiles = {{1, 2}, {}};
};
inline void describe(Fields& f, Gpu& g) {
  f.about("A GPU for tests.");
  f.required("source", g.source, "where the numbers are from");
  f.optional("order", g.order, "who runs next");
  f.optional("shader", g.shader, "the 3D engine");
  f.optional("engines", g.engines, "the other engines");
  f.optional("commands", g.commands, "what to run");
  f.optional("idle", g.idle, "what to run when there is nothing to run");
  f.optional("rates", g.rates, "operations a cycle", non_negative);
  f.optional("seed", g.seed, "of the generator");
  f.optional("display", g.display, "the node that scans out");
  f.optional("groups", g.groups, "groups of contexts");
  f.optional("tiles", g.tiles, "sizes", at_most(4096));
}

/// A document that says something for every key.
inline constexpr const char* full_text = R"({
  "$schema": "gpu.schema.json",
  "source": "datasheet",
  "order": "round_robin",
  "shader": {"name": "sm", "clock_mhz": 1.5e3, "lanes": 64, "offset": -9223372036854775808, "enabled": false},
  "engines": [{"name": "copy0"}, {"name": "copy1", "clock_mhz": 0.1, "lanes": 1.0}],
  "commands": [{"type": "copy", "bytes": 4096}, {"type": "draw", "vertices": 7, "depth": 0.25}, {"type": "draw"}],
  "idle": {"type": "copy", "bytes": 1},
  "rates": {"a/b": 0.30000000000000004, "m~n": 5e-324},
  "seed": 9007199254740993,
  "display": {"name": "scan"},
  "groups": {"priority": -3, "children": [{"children": [{"priority": 2147483647}]}, {}]},
  "tiles": [[], [4096, -1], [3]]
})";

}  // namespace fenceline::testing::sample
