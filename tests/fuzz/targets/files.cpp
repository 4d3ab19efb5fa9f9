// SPDX-License-Identifier: Apache-2.0
// Readers that take a file, not a document: given one in memory.
#include "api/import/kineto_trace.hpp"
#include "api/import/nsys/read_nsys.hpp"
#include "api/import/read_kineto.hpp"
#include "api/report/contents/access_log.hpp"
#include "api/report/contents/resource_history.hpp"
#include "api/report/explain/explain_deadline.hpp"
#include "api/validation/load_measured.hpp"
#include "api/validation/measured/measured_file.hpp"
#include "sim/config_error.hpp"
#include "sim/files/input_file.hpp"
#include "tests/crash/quick_directory.hpp"
#include "tests/fuzz/targets/target.hpp"
#include "tests/support/kineto_sample.hpp"
#include "tests/support/places.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/temporary_directory.hpp"

#include <fmt/format.h>

#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace fenceline::testing {
namespace {

class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : descriptor_(::memfd_create("fuzz", MFD_CLOEXEC)) {
    if (descriptor_ < 0 || ::pwrite(descriptor_, bytes.data(), bytes.size(), 0) != static_cast<::ssize_t>(bytes.size()))
      throw std::runtime_error("no file in memory");
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const { return fmt::format("/proc/self/fd/{}", descriptor_); }

 private:
  int descriptor_;
};

/// `ask` answers, or throws a ConfigError of one line.
template <class Ask>
void answer_or_refuse(Ask&& ask) {
  try {
    ask();
  } catch (const ConfigError& error) {
    const std::string message = error.what();
    if (message.find('\n') != std::string::npos) throw std::logic_error("form: " + message);
  }
}

/// `read` takes the file, or refuses it.
template <class Read>
void read_or_refuse(std::string_view bytes, Read&& read) {
  const MemoryFile file(bytes);
  answer_or_refuse([&] { read(file.path()); });
}

void kineto(std::string_view bytes) {
  read_or_refuse(bytes, [](const std::string& path) { read_kineto(path); });
}

/// A file with a name: SQLite opens no descriptor of ours.
void nsys(std::string_view bytes) {
  static const TemporaryDirectory directory(quick_directory());
  write_file(directory / "report.sqlite", std::string(bytes));
  answer_or_refuse([] { read_nsys(directory / "report.sqlite"); });
}

constexpr std::uint64_t most_unpacked = 1 << 20;
void gzip(std::string_view bytes) {
  read_or_refuse(bytes, [](const std::string& path) {
    if (read_input(path, most_unpacked).size() > most_unpacked) throw std::logic_error("beyond the limit");
    first_bytes(path, 100);
  });
}

void table(std::string_view bytes) {
  read_or_refuse(bytes, [](const std::string& path) {
    if (is_measured_text(path)) load_measured(path);
  });
}

/// What a run left, damaged since: report.json, behind the first empty line the accesses to its resources.
void finished_run(std::string_view bytes) {
  static const TemporaryDirectory run(quick_directory());
  const std::size_t line = bytes.find("\n\n");
  write_file(run / "report.json", std::string(bytes.substr(0, line)));
  write_file(run / accesses_file, std::string(line == std::string_view::npos ? "" : bytes.substr(line + 2)));
  answer_or_refuse([] { explained(deadline_time(run / "", "vsync", 1e6)); });
  answer_or_refuse([] { explained(deadline_time(run / "", "vsync", std::nullopt)); });
  answer_or_refuse([] { history_text(resource_history(run / "", "r")); });
}

std::string packed(const std::string& text) {
  ::z_stream stream{};
  constexpr int with_gzip_header = 15 + 16;
  ::deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, with_gzip_header, 8, Z_DEFAULT_STRATEGY);
  std::string out(::deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<::Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<::uInt>(text.size());
  stream.next_out = reinterpret_cast<::Bytef*>(out.data());
  stream.avail_out = static_cast<::uInt>(out.size());
  ::deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  ::deflateEnd(&stream);
  return out;
}

std::vector<std::string> trace_seeds() {
  Trace trace;
  trace.kernel(7, 0, 40, 5);
  trace.kernel(7, 40.25, 20, 5, "void app::(anonymous namespace)::second<int>(int)", 1000);
  trace.memory("Memcpy HtoD (Pinned -> Device)", 9, 20, 30, 1 << 20, 7);
  trace.stream_wait(9, 8, 7, 6);
  trace.memory("Memset (Device)", 9, 300, 2, 64, 10);
  trace.events.push_back({{"ph", "X"}, {"cat", "cpu_op"}, {"name", "aten::mm"}, {"ts", 5}, {"args", {{"a", {1}}}}});
  const std::string text = trace.document().dump();
  return {text, packed(text)};
}

std::vector<std::string> database_seeds() {
  return {contents_of(source_directory() / "examples/nsys/two_streams.sqlite"), "SQLite format 3"};
}

std::vector<std::string> gzip_seeds() {
  const std::string one = packed("{\"name\": \"x\"}");
  return {one, one + packed(std::string(100'000, 'a')), packed(small_workload_text), "plain"};
}

std::vector<std::string> run_seeds() {
  return {
      R"({"statistics":{"deadline_times":[{"deadline":"vsync","value":1,"due_ps":5,"reached_ps":7,"packet":{"id":1,)"
      R"("list":"l","queue":"q","engine":"3d0","submitted_ps":1,"queued_ps":1,"fence_ps":1,"engine_wait_ps":1,)"
      R"("running_ps":1,"preempted_ps":0,"meanwhile":[{"list":"o","ps":1}],"could_not_stop":{"packet":2,"list":"o",)"
      R"("at_ps":3,"result":"r"}}},{"deadline":"vsync","value":2,"due_ps":9,"reached_ps":null}]}})",
      R"({"workload":{"resources":[{"name":"r"}]},"statistics":{"contents":[{"resource":"r","bytes":4,"xxh3":"0",)"
      R"("written_bytes":1}]}})"
      "\n\nat_us,access,resource,offset,bytes,by,packet,list,command,name\n1,read,r,0,4,gpu,1,l,0,\n"
      "2.5,write,\"r\",0,4,gpu,,\"l\"\"m\",0,x\n"};
}

std::vector<std::string> table_seeds() {
  return {contents_of(source_directory() / "bench/hardware/gv100/level1.dat"),
          "kernel_time avg p50 p90 p99\n1 2 3 4 5\n"};
}

}  // namespace

std::vector<FuzzTarget> file_targets() {
  return {{"kineto", kineto, trace_seeds},
          {"nsys", nsys, database_seeds},
          {"gzip", gzip, gzip_seeds},
          {"table", table, table_seeds},
          {"run", finished_run, run_seeds}};
}

}  // namespace fenceline::testing
