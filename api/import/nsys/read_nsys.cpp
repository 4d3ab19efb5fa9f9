// SPDX-License-Identifier: Apache-2.0
#include "api/import/nsys/read_nsys.hpp"

#include "api/import/launch_limits.hpp"
#include "api/import/nsys/nsys_database.hpp"
#include "api/import/nsys/nsys_ranges.hpp"
#include "api/import/nsys/nsys_strings.hpp"
#include "api/import/nsys/nsys_table.hpp"
#include "api/import/nsys/nsys_waits.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {
namespace {

const char* const kernel_table = "CUPTI_ACTIVITY_KIND_KERNEL";
const char* const copy_table = "CUPTI_ACTIVITY_KIND_MEMCPY";
const char* const fill_table = "CUPTI_ACTIVITY_KIND_MEMSET";
const char* const graph_table = "CUPTI_ACTIVITY_KIND_GRAPH_TRACE";

constexpr NsysTable::Limits any_id = {0, std::numeric_limits<std::uint32_t>::max()};

/// Up to so much.
constexpr NsysTable::Limits up_to(std::uint64_t most) { return {0, static_cast<std::int64_t>(most)}; }

/// ENUM_CUDA_MEMCPY_OPER. An array (A) is on the device, and so is a peer (P).
std::optional<CopyRoute> route_of(std::int64_t copy_kind) {
  switch (copy_kind) {
    case 1:   // HTOD
    case 3:   // HTOA
    case 11:  // UVM_HTOD
      return CopyRoute::host_to_device;
    case 2:   // DTOH
    case 4:   // ATOH
    case 12:  // UVM_DTOH
      return CopyRoute::device_to_host;
    case 5:   // ATOA
    case 6:   // ATOD
    case 7:   // DTOA
    case 8:   // DTOD
    case 10:  // PTOP
    case 13:  // UVM_DTOD
      return CopyRoute::device_to_device;
    case 9: return CopyRoute::host_to_host;
    default: return std::nullopt;
  }
}

class NsysReader {
 public:
  NsysReader(NsysDatabase& database, KinetoTrace& trace, std::optional<std::uint32_t> device)
      : database_(database), trace_(trace), device_(device) {}

  void read() {
    trace_.file = database_.name();
    trace_.pointers = {"/deviceId", "/start", "", "/gridX"};
    if (database_.has(kernel_table)) read_kernels();
    if (database_.has(copy_table)) read_memory(copy_table, KinetoOp::Kind::copy);
    if (database_.has(fill_table)) read_memory(fill_table, KinetoOp::Kind::fill);
    if (database_.has(graph_table)) read_graphs();
    if (trace_.ops.empty()) {
      throw ConfigError(trace_.file, "",
                        fmt::format("GPU work{}: rows of {}, {}, {} or {} (`nsys profile --trace=cuda`)",
                                    device_ ? fmt::format(" of device {}", *device_) : "", kernel_table, copy_table,
                                    fill_table, graph_table),
                        "none");
    }
    add_nsys_waits(database_, trace_, process_);
    const NsysRanges ranges(database_, trace_, process_, strings_);
    strings_.read(database_);
    name_kernels();
    ranges.add_to(trace_, strings_);
  }

 private:
  /// What tables of operations have in common.
  struct Common {
    explicit Common(NsysTable& table)
        : start(table.needed("start")),
          end(table.needed("end")),
          device(table.needed("deviceId")),
          context(table.needed("contextId")),
          stream(table.needed("streamId")),
          correlation(table.optional("correlationId")),
          process(table.optional("globalPid")) {}
    NsysTable::Column start;
    NsysTable::Column end;
    NsysTable::Column device;
    NsysTable::Column context;
    NsysTable::Column stream;
    NsysTable::Column correlation;
    NsysTable::Column process;
  };

  /// Goes to the next row whose work is wanted; false: there is none.
  bool next(NsysTable& table, const Common& columns) const {
    while (table.next()) {
      if (!device_ || table.integer(columns.device, any_id) == *device_) return true;
    }
    return false;
  }

  KinetoOp operation(const NsysTable& table, const Common& columns, KinetoOp::Kind kind) {
    KinetoOp op;
    op.kind = kind;
    op.event = table.row();
    op.table = static_cast<std::uint32_t>(trace_.tables.size() - 1);
    op.start_ns = table.integer(columns.start, {-launch_limits::time_ns, launch_limits::time_ns}, "nanoseconds");
    op.end_ns = table.integer(columns.end, {op.start_ns, op.start_ns + launch_limits::duration_ns}, "nanoseconds");
    op.device = static_cast<std::uint32_t>(table.integer(columns.device, any_id));
    op.context = static_cast<std::uint32_t>(table.integer(columns.context, any_id));
    op.stream = static_cast<std::uint64_t>(table.integer(columns.stream, {}));
    op.correlation = static_cast<std::uint64_t>(table.integer_or(columns.correlation, {}, 0));
    if (!table.is_null(columns.process)) {
      const std::int64_t process = table.integer(columns.process, any_integer);
      if (!process_) process_ = process;
      if (process != *process_) {
        table.fail(columns.process, fmt::format("operations of one process, {} as before", *process_),
                   fmt::format("{}", process));
      }
    }
    return op;
  }

  void read_kernels() {
    NsysTable table(database_, kernel_table);
    const Common common(table);
    const NsysTable::Column name = table.one_of({"demangledName", "shortName", "mangledName"});
    const std::array<NsysTable::Column, 3> grid = {table.needed("gridX"), table.needed("gridY"), table.needed("gridZ")};
    const std::array<NsysTable::Column, 3> block = {table.needed("blockX"), table.needed("blockY"),
                                                    table.needed("blockZ")};
    const NsysTable::Column registers = table.needed("registersPerThread");
    const NsysTable::Column fixed = table.needed("staticSharedMemory");
    const NsysTable::Column dynamic = table.needed("dynamicSharedMemory");
    trace_.tables.push_back(std::string("/") + kernel_table);
    const auto dimension = [&](NsysTable::Column column, std::uint32_t most) {
      return static_cast<std::uint32_t>(table.integer(column, {1, most}));
    };
    while (next(table, common)) {
      KinetoOp op = operation(table, common, KinetoOp::Kind::kernel);
      names_.push_back(strings_.place_of(table.integer(name, any_integer)));
      op.x = dimension(grid[0], launch_limits::grid[0]);
      op.y = dimension(grid[1], launch_limits::grid[1]);
      op.z = dimension(grid[2], launch_limits::grid[2]);
      if (std::uint64_t{op.x} * op.y > launch_limits::groups / op.z) {
        table.fail(grid[0], fmt::format("at most {} blocks", launch_limits::groups), "more");
      }
      std::uint64_t threads = 1;
      for (std::size_t i = 0; i < block.size(); ++i) threads *= dimension(block[i], launch_limits::block[i]);
      if (threads > launch_limits::threads) {
        table.fail(block[0], fmt::format("at most {} threads", launch_limits::threads), fmt::format("{}", threads));
      }
      op.threads = static_cast<std::uint32_t>(threads);
      op.registers_per_thread = static_cast<std::uint32_t>(table.integer(registers, up_to(launch_limits::registers)));
      const NsysTable::Limits shared = up_to(launch_limits::shared_bytes);
      op.shared_bytes = static_cast<std::uint32_t>(table.integer(fixed, shared) + table.integer(dynamic, shared));
      trace_.ops.push_back(op);
    }
    name_column_ = table.name_of(name);
  }

  void read_memory(const char* which, KinetoOp::Kind kind) {
    NsysTable table(database_, which);
    const Common common(table);
    const NsysTable::Column bytes = table.needed("bytes");
    const bool copies = kind == KinetoOp::Kind::copy;
    const NsysTable::Column copy_kind = copies ? table.needed("copyKind") : NsysTable::absent;
    trace_.tables.push_back(std::string("/") + which);
    while (next(table, common)) {
      KinetoOp op = operation(table, common, kind);
      op.bytes = static_cast<std::uint64_t>(table.integer(bytes, up_to(launch_limits::bytes)));
      if (copies) {
        const std::int64_t number = table.integer(copy_kind, any_integer);
        const std::optional<CopyRoute> route = route_of(number);
        if (!route) table.fail(copy_kind, "a kind of copy, 1 to 13", fmt::format("{}", number));
        op.route = *route;
      }
      trace_.ops.push_back(op);
    }
  }

  void read_graphs() {
    NsysTable table(database_, graph_table);
    const Common common(table);
    const NsysTable::Column graph = table.optional("graphId");
    trace_.tables.push_back(std::string("/") + graph_table);
    while (next(table, common)) {
      KinetoOp op = operation(table, common, KinetoOp::Kind::kernel);
      op.has_size = false;
      op.name = interned(fmt::format("graph{}", table.integer_or(graph, any_integer, 0)));
      trace_.ops.push_back(op);
      ++trace_.whole_graphs;
    }
  }

  /// The kernels are the first of the operations.
  void name_kernels() {
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const std::string* const text = strings_.at(names_[i]);
      if (text == nullptr) {
        throw trace_.error(trace_.ops[i], "/" + name_column_, "a number of the table StringIds",
                           "one that it does not have");
      }
      trace_.ops[i].name = interned(*text);
    }
  }

  std::uint32_t interned(const std::string& text) {
    const auto [name, is_new] = name_indices_.emplace(text, static_cast<std::uint32_t>(trace_.names.size()));
    if (is_new) trace_.names.push_back(text);
    return name->second;
  }

  NsysDatabase& database_;
  KinetoTrace& trace_;
  std::optional<std::uint32_t> device_;  // whose work alone is wanted
  NsysStrings strings_;
  std::vector<std::size_t> names_;  // of kernels: places in the strings
  std::string name_column_;
  std::map<std::string, std::uint32_t> name_indices_;
  std::optional<std::int64_t> process_;  // of all operations that say
};

}  // namespace

KinetoTrace read_nsys(const std::filesystem::path& file,
                      const std::function<void(std::uint64_t, std::uint64_t)>& progress,
                      std::optional<std::uint32_t> device) {
  KinetoTrace trace;
  NsysDatabase database(file, progress);
  NsysReader(database, trace, device).read();
  return trace;
}

}  // namespace fenceline
