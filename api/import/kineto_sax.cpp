// SPDX-License-Identifier: Apache-2.0
#include "api/import/kineto_sax.hpp"

#include "api/import/launch_limits.hpp"
#include "sim/config_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

namespace fenceline {
namespace {

constexpr std::uint64_t any_id = std::numeric_limits<std::uint64_t>::max();
constexpr std::int64_t most_time_us = launch_limits::time_ns / 1000;
constexpr std::int64_t most_duration_us = launch_limits::duration_ns / 1000;

/// Decimal text in thousandths, rounded to the nearest: 4363548417294.072 keeps its last digit, as it would not in a
/// double of the time since 1970. Nothing for text that is no number.
std::optional<std::int64_t> thousandths(std::string_view text) {
  const bool negative = !text.empty() && text[0] == '-';
  if (negative) text.remove_prefix(1);
  const std::size_t point = std::min(text.find('.'), text.size());
  std::int64_t whole = 0;
  const char* const whole_end = text.data() + point;
  const auto [at, error] = std::from_chars(text.data(), whole_end, whole);
  const bool digits = error == std::errc() && at == whole_end && whole >= 0 && whole <= most_time_us;
  const std::string_view fraction = point < text.size() ? text.substr(point + 1) : std::string_view("0");
  const bool plain = digits && !fraction.empty() && fraction.find_first_not_of("0123456789") == std::string_view::npos;
  if (plain) {
    std::int64_t value = 0;
    for (std::size_t i = 0; i < 3; ++i) value = value * 10 + (i < fraction.size() ? fraction[i] - '0' : 0);
    if (fraction.size() > 3 && fraction[3] >= '5') ++value;
    value += whole * 1000;
    return negative ? -value : value;
  }
  double number = 0;  // 1e3, 4.5E+12
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) return std::nullopt;
  if (!std::isfinite(number)) return std::nullopt;
  constexpr double beyond = 9.2e18;  // of every limit, within 64 bits
  const double scaled = std::clamp(std::round(number * 1e3), -beyond, beyond);
  return static_cast<std::int64_t>(negative ? -scaled : scaled);
}

bool same_letters(std::string_view text, std::string_view lower) {
  return text.size() == lower.size() && std::equal(text.begin(), text.end(), lower.begin(), [](char a, char b) {
           return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b;
         });
}

}  // namespace

KinetoSax::Member KinetoSax::member_of(std::string_view key, bool in_args) {
  static constexpr std::pair<std::string_view, Member> own[] = {
      {"ph", phase}, {"cat", category}, {"name", name}, {"ts", start}, {"dur", duration}};
  static constexpr std::pair<std::string_view, Member> of_args[] = {
      {"device", device},
      {"context", context},
      {"stream", stream},
      {"correlation", correlation},
      {"registers per thread", registers},
      {"shared memory", shared},
      {"grid", grid},
      {"block", block},
      {"bytes", bytes},
      {"wait_on_stream", wait_on_stream},
      {"wait_on_cuda_event_record_corr_id", wait_on_record}};
  if (in_args) {
    for (const auto& [text, member] : of_args) {
      if (key == text) return member;
    }
  } else {
    for (const auto& [text, member] : own) {
      if (key == text) return member;
    }
  }
  return member_count;
}

const char* KinetoSax::pointer_of(Member member) {
  static constexpr const char* pointers[] = {"/ph",
                                             "/cat",
                                             "/name",
                                             "/ts",
                                             "/dur",
                                             "/args/device",
                                             "/args/context",
                                             "/args/stream",
                                             "/args/correlation",
                                             "/args/registers per thread",
                                             "/args/shared memory",
                                             "/args/grid",
                                             "/args/block",
                                             "/args/bytes",
                                             "/args/wait_on_stream",
                                             "/args/wait_on_cuda_event_record_corr_id"};
  return pointers[member];
}

/// Where the scalar that comes now belongs; null when nobody wants it.
KinetoSax::Value* KinetoSax::place() {
  if (events_depth_ == 0 || depth_ <= events_depth_ || member_ == member_count) return nullptr;
  const std::size_t inside = depth_ - events_depth_;  // 1: the event itself, 2: its args, 3: a list there
  if (inside == (in_args_ ? 2u : 1u)) return &values_[member_];
  if (inside == 3 && in_args_ && (member_ == grid || member_ == block)) {
    std::size_t& count = element_count_[member_ == grid ? 0 : 1];
    ++count;
    return count <= 3 ? &elements_[member_ == grid ? 0 : 1][count - 1] : nullptr;
  }
  return nullptr;
}

bool KinetoSax::scalar(Value::Kind kind, std::string_view text) {
  if (depth_ == 0) top_ = 's';
  if (events_depth_ != 0 && depth_ == events_depth_) ++event_;  // an event that is no object: nothing of ours
  if (Value* const value = place()) {
    value->kind = kind;
    value->text = text;
  }
  return true;
}

bool KinetoSax::start_object(std::size_t) {
  if (depth_ == 0) top_ = '{';
  if (events_depth_ != 0) {
    const std::size_t inside = depth_ - events_depth_;
    if (inside == 0) {
      for (Value& value : values_) value.kind = Value::Kind::absent;
      for (std::size_t& count : element_count_) count = 0;
      member_ = member_count;
    } else if (!(inside == 1 && in_args_)) {
      if (Value* const value = place()) value->kind = Value::Kind::other;
    }
  }
  ++depth_;
  return true;
}

bool KinetoSax::end_object() {
  --depth_;
  if (events_depth_ != 0 && depth_ == events_depth_ + 1) in_args_ = false;
  if (events_depth_ != 0 && depth_ == events_depth_) {
    end_event();
    in_args_ = false;
    ++event_;
  }
  return true;
}

bool KinetoSax::start_array(std::size_t) {
  if (depth_ == 0) top_ = '[';
  const bool bare = depth_ == 0;
  const bool named = depth_ == 1 && top_ == '{' && top_key_ == "traceEvents" && !found_events_;
  if (events_depth_ == 0 && (bare || named)) {
    found_events_ = true;
    trace_.pointer_prefix = bare ? "" : "/traceEvents";
    events_depth_ = depth_ + 1;
  } else if (Value* const value = place()) {
    value->kind = Value::Kind::list;
  } else if (events_depth_ != 0 && depth_ == events_depth_) {
    ++event_;
  }
  ++depth_;
  return true;
}

bool KinetoSax::end_array() {
  --depth_;
  if (events_depth_ != 0 && depth_ + 1 == events_depth_) events_depth_ = 0;
  return true;
}

bool KinetoSax::key(std::string& key) {
  if (depth_ == 1 && top_ == '{') top_key_ = key;
  if (events_depth_ == 0 || depth_ <= events_depth_) return true;
  const std::size_t inside = depth_ - events_depth_;
  if (inside == 1) {
    in_args_ = key == "args";
    member_ = in_args_ ? member_count : member_of(key, false);
  } else if (inside == 2) {
    member_ = in_args_ ? member_of(key, true) : member_count;
  }
  return true;
}

bool KinetoSax::parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& exception) {
  const std::string_view message = exception.what();
  const bool ended = message.find("unexpected end of input") != std::string_view::npos ||
                     message.find("missing closing quote") != std::string_view::npos;
  const std::string where = events_depth_ == 0 ? "" : fmt::format("{}/{}", trace_.pointer_prefix, event_);
  throw ConfigError(trace_.file, where, "JSON",
                    ended ? fmt::format("the end of the file at byte {}", position == 0 ? 0 : position - 1)
                          : fmt::format("text that is none at byte {}", position == 0 ? 0 : position - 1));
}

void KinetoSax::finish() const {
  const std::string expected = "a Kineto trace: an object with an array \"traceEvents\", or an array of events";
  if (!found_events_) {
    throw ConfigError(trace_.file, "", expected, top_ == '{' ? "an object without one" : "another JSON value");
  }
}

void KinetoSax::end_event() {
  const Value& cat = values_[category];
  if (cat.kind != Value::Kind::text) return;
  const Value& ph = values_[phase];
  const bool complete = ph.kind == Value::Kind::text && ph.text == "X";
  if (values_[wait_on_stream].kind != Value::Kind::absent) {
    add_wait();
  } else if (complete && same_letters(cat.text, "kernel")) {  // "Kernel", "Memcpy", "Memset" before PyTorch 1.13
    add_op(KinetoOp::Kind::kernel);
  } else if (complete && (cat.text == "gpu_memcpy" || cat.text == "Memcpy")) {
    add_op(KinetoOp::Kind::copy);
  } else if (complete && (cat.text == "gpu_memset" || cat.text == "Memset")) {
    add_op(KinetoOp::Kind::fill);
  }
}

void KinetoSax::add_op(KinetoOp::Kind kind) {
  KinetoOp op;
  op.kind = kind;
  op.event = event_;
  const Value& title = values_[name];
  if (title.kind != Value::Kind::text) fail("/name", "the operation's name", shown(title));
  op.start_ns = nanoseconds(start, -most_time_us, most_time_us);
  op.end_ns = op.start_ns + nanoseconds(duration, 0, most_duration_us);
  constexpr Limits id32 = {0, std::numeric_limits<std::uint32_t>::max()};
  constexpr Limits of_registers = {0, launch_limits::registers};
  constexpr Limits of_shared = {0, launch_limits::shared_bytes};
  op.device = static_cast<std::uint32_t>(integer_or(device, id32, 0));
  op.context = static_cast<std::uint32_t>(integer_or(context, id32, 0));
  op.stream = integer(stream, {0, any_id});
  op.correlation = integer_or(correlation, {0, any_id}, 0);
  const auto is_absent = [this](Member member) { return values_[member].kind == Value::Kind::absent; };
  if (kind == KinetoOp::Kind::kernel && is_absent(grid) && is_absent(block)) {  // AMD's GPUs
    op.has_size = false;
    if (!is_absent(registers)) op.registers_per_thread = static_cast<std::uint32_t>(integer(registers, of_registers));
    if (!is_absent(shared)) op.shared_bytes = static_cast<std::uint32_t>(integer(shared, of_shared));
  } else if (kind == KinetoOp::Kind::kernel) {
    const auto grid_of = triple(grid, launch_limits::grid);
    const auto block_of = triple(block, launch_limits::block);
    op.x = grid_of[0];
    op.y = grid_of[1];
    op.z = grid_of[2];
    if (std::uint64_t{op.x} * op.y > launch_limits::groups / op.z) {
      fail(pointer_of(grid), fmt::format("at most {} blocks", launch_limits::groups), "more");
    }
    const std::uint64_t threads = std::uint64_t{block_of[0]} * block_of[1] * block_of[2];
    if (threads > launch_limits::threads) {
      fail(pointer_of(block), fmt::format("at most {} threads", launch_limits::threads), fmt::format("{}", threads));
    }
    op.threads = static_cast<std::uint32_t>(threads);
    op.registers_per_thread = static_cast<std::uint32_t>(integer(registers, of_registers));
    op.shared_bytes = static_cast<std::uint32_t>(integer(shared, of_shared));
  } else {
    op.has_size = !is_absent(bytes);
    if (op.has_size) op.bytes = integer(bytes, {0, launch_limits::bytes});
    if (kind == KinetoOp::Kind::copy) op.route = route();
  }
  op.name = interned(title.text);
  trace_.ops.push_back(op);
}

/// A wait that says too little (a profiler writes -1 for what it does not know) orders nothing.
void KinetoSax::add_wait() {
  const auto known = [this](Member member) { return whole(values_[member]); };
  const auto on = known(stream);
  const auto call = known(correlation);
  const auto other = known(wait_on_stream);
  const auto record = known(wait_on_record);
  if (!on || !call || !other || !record) return;
  trace_.waits.push_back({known(context).value_or(KinetoWait::any_context), *on, *call, *other, *record});
}

std::uint32_t KinetoSax::interned(const std::string& text) {
  const auto found = names_.find(text);
  if (found != names_.end()) return found->second;
  const auto index = static_cast<std::uint32_t>(trace_.names.size());
  trace_.names.push_back(text);
  names_.emplace(text, index);
  return index;
}

std::int64_t KinetoSax::nanoseconds(Member member, std::int64_t least_us, std::int64_t most_us) const {
  const Value& value = values_[member];
  const bool written = value.kind == Value::Kind::number || value.kind == Value::Kind::text;
  const auto number = written ? thousandths(value.text) : std::nullopt;
  if (!number || *number < least_us * 1000 || *number > most_us * 1000) {
    fail(pointer_of(member), fmt::format("microseconds, {} to {}", least_us, most_us), shown(value));
  }
  return *number;
}

/// The number that was written, as a number or a string; nothing for anything else.
std::optional<std::uint64_t> KinetoSax::whole(const Value& value) {
  if (value.kind != Value::Kind::number && value.kind != Value::Kind::text) return std::nullopt;
  std::uint64_t number = 0;
  const char* const end = value.text.data() + value.text.size();
  const auto parsed = std::from_chars(value.text.data(), end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return number;
}

std::uint64_t KinetoSax::integer(Member member, Limits limits) const {
  const auto number = whole(values_[member]);
  if (number && *number >= limits.least && *number <= limits.most) return *number;
  fail(pointer_of(member),
       limits.most == any_id ? "a whole number" : fmt::format("a whole number, {} to {}", limits.least, limits.most),
       shown(values_[member]));
}

std::uint64_t KinetoSax::integer_or(Member member, Limits limits, std::uint64_t absent) const {
  const Value& value = values_[member];
  const bool written = value.kind == Value::Kind::number || value.kind == Value::Kind::text;
  const bool unknown = value.kind == Value::Kind::absent || (written && (value.text == "-1" || value.text.empty()));
  return unknown ? absent : integer(member, limits);
}

std::array<std::uint32_t, 3> KinetoSax::triple(Member member, const std::array<std::uint32_t, 3>& most) const {
  const std::size_t which = member == grid ? 0 : 1;
  if (values_[member].kind != Value::Kind::list || element_count_[which] != 3) {
    fail(pointer_of(member), "a list of three numbers",
         values_[member].kind == Value::Kind::list ? fmt::format("{} elements", element_count_[which])
                                                   : shown(values_[member]));
  }
  std::array<std::uint32_t, 3> result{};
  for (std::size_t i = 0; i < 3; ++i) {
    const Value& value = elements_[which][i];
    const auto number = whole(value);
    if (!number || *number < 1 || *number > most[i]) {
      fail(fmt::format("{}/{}", pointer_of(member), i), fmt::format("a whole number, 1 to {}", most[i]), shown(value));
    }
    result[i] = static_cast<std::uint32_t>(*number);
  }
  return result;
}

/// "Memcpy HtoD (Pinned -> Device)": H is the host; D the device, A an array on it, P a peer.
CopyRoute KinetoSax::route() const {
  const std::string& text = values_[name].text;
  const std::size_t to = text.find("to");
  const auto side = [](char c) { return c == 'H' ? 'H' : c == 'D' || c == 'A' || c == 'P' ? 'D' : '?'; };
  const char from = to != std::string::npos && to > 0 ? side(text[to - 1]) : '?';
  const char into = to != std::string::npos && to + 2 < text.size() ? side(text[to + 2]) : '?';
  if (from == '?' || into == '?') {
    fail("/name", "a copy's direction: HtoD, DtoH, DtoD, HtoH or PtoP", in_quotes(text));
  }
  if (from == 'H') return into == 'H' ? CopyRoute::host_to_host : CopyRoute::host_to_device;
  return into == 'H' ? CopyRoute::device_to_host : CopyRoute::device_to_device;
}

void KinetoSax::fail(const std::string& member, const std::string& expected, const std::string& found) const {
  throw ConfigError(trace_.file, fmt::format("{}/{}{}", trace_.pointer_prefix, event_, member), expected, found);
}

std::string KinetoSax::shown(const Value& value) {
  switch (value.kind) {
    case Value::Kind::absent: return "nothing";
    case Value::Kind::number: return value.text;
    case Value::Kind::text: return in_quotes(value.text);
    case Value::Kind::list: return "a list";
    case Value::Kind::other: return "something else";
  }
  return "nothing";
}

}  // namespace fenceline
