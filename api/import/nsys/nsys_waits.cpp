// SPDX-License-Identifier: Apache-2.0
#include "api/import/nsys/nsys_waits.hpp"

#include "api/import/nsys/nsys_table.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace fenceline {
namespace {

constexpr std::int64_t stream_wait = 2;  // CUpti_ActivitySynchronizationType

struct Record {
  std::uint64_t correlation = 0;  // of the call that recorded the event
  std::uint64_t stream = 0;
};
using Records = std::map<std::pair<std::int64_t, std::int64_t>, std::vector<Record>>;  // of a context and an event

/// What both tables say of an event. Nothing where it is too little.
class EventColumns {
 public:
  EventColumns(NsysTable& table, std::optional<std::int64_t> process)
      : table_(table),
        process_(process),
        context_(table.needed("contextId")),
        stream_(table.needed("streamId")),
        correlation_(table.needed("correlationId")),
        event_(table.needed("eventId")),
        sync_(table.optional("eventSyncId")),
        global_pid_(table.optional("globalPid")) {}

  bool known() const {
    if (process_ && table_.integer_or(global_pid_, any_integer, *process_) != *process_) return false;
    for (const NsysTable::Column column : {context_, stream_, correlation_, event_}) {
      if (table_.is_null(column) || table_.integer(column, any_integer) < 0) return false;
    }
    return true;
  }
  std::int64_t context() const { return table_.integer(context_, {}); }
  std::int64_t event() const { return table_.integer(event_, {}); }
  std::int64_t sync() const { return table_.integer_or(sync_, any_integer, 0); }  // 0: none
  Record record() const {
    return {static_cast<std::uint64_t>(table_.integer(correlation_, {})),
            static_cast<std::uint64_t>(table_.integer(stream_, {}))};
  }

 private:
  NsysTable& table_;
  std::optional<std::int64_t> process_;  // all others are left out
  NsysTable::Column context_;
  NsysTable::Column stream_;
  NsysTable::Column correlation_;
  NsysTable::Column event_;
  NsysTable::Column sync_;
  NsysTable::Column global_pid_;
};

/// The last that came before the call.
std::optional<Record> last_before(const Records& records, std::pair<std::int64_t, std::int64_t> key,
                                  std::uint64_t correlation) {
  const auto found = records.find(key);
  if (found == records.end()) return std::nullopt;
  const auto behind = std::lower_bound(found->second.begin(), found->second.end(), correlation,
                                       [](const Record& one, std::uint64_t call) { return one.correlation < call; });
  if (behind == found->second.begin()) return std::nullopt;
  return *(behind - 1);
}

void sort(Records& records) {
  for (auto& [key, some] : records) {
    std::stable_sort(some.begin(), some.end(),
                     [](const Record& a, const Record& b) { return a.correlation < b.correlation; });
  }
}

}  // namespace

void add_nsys_waits(NsysDatabase& database, KinetoTrace& trace, std::optional<std::int64_t> process) {
  const char* const waiting = "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION";
  const char* const recording = "CUPTI_ACTIVITY_KIND_CUDA_EVENT";
  if (!database.has(waiting) || !database.has(recording)) return;
  Records by_event;
  Records by_sync;
  NsysTable events(database, recording);
  const EventColumns recorded(events, process);
  while (events.next()) {
    if (!recorded.known()) continue;
    by_event[{recorded.context(), recorded.event()}].push_back(recorded.record());
    if (recorded.sync() > 0) by_sync[{recorded.context(), recorded.sync()}].push_back(recorded.record());
  }
  sort(by_event);
  sort(by_sync);

  NsysTable syncs(database, waiting);
  const NsysTable::Column type = syncs.needed("syncType");
  const EventColumns waits(syncs, process);
  while (syncs.next()) {
    if (syncs.integer_or(type, any_integer, 0) != stream_wait || !waits.known()) continue;
    const Record call = waits.record();
    auto record = last_before(by_sync, {waits.context(), waits.sync()}, call.correlation);
    if (!record) record = last_before(by_event, {waits.context(), waits.event()}, call.correlation);
    if (!record) continue;
    trace.waits.push_back({static_cast<std::uint64_t>(waits.context()), call.stream, call.correlation, record->stream,
                           record->correlation});
  }
}

}  // namespace fenceline
