// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/import/kineto_trace.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace fenceline {

/// Picks the GPU's operations out of a trace while nlohmann's parser walks it. Keeps the members of one event at a
/// time.
class KinetoSax final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit KinetoSax(KinetoTrace& trace) : trace_(trace) {}

  bool null() override { return scalar(Value::Kind::other, "null"); }
  bool boolean(bool value) override { return scalar(Value::Kind::other, value ? "true" : "false"); }
  bool number_integer(std::int64_t value) override { return scalar(Value::Kind::number, std::to_string(value)); }
  bool number_unsigned(std::uint64_t value) override { return scalar(Value::Kind::number, std::to_string(value)); }
  bool number_float(double, const std::string& text) override { return scalar(Value::Kind::number, text); }
  bool string(std::string& value) override { return scalar(Value::Kind::text, value); }
  bool binary(nlohmann::json::binary_t&) override { return false; }  // text has none

  bool start_object(std::size_t) override;
  bool end_object() override;
  bool start_array(std::size_t) override;
  bool end_array() override;
  bool key(std::string& key) override;

  bool parse_error(std::size_t position, const std::string& last_token,
                   const nlohmann::detail::exception& exception) override;

  /// The document was a trace. Throws ConfigError if it was not.
  void finish() const;

 private:
  /// A member as it was written; nothing is judged before the event is known to be GPU work.
  struct Value {
    enum class Kind : std::uint8_t { absent, number, text, list, other };
    Kind kind = Kind::absent;
    std::string text;
  };
  enum Member : std::uint8_t {
    phase,
    category,
    name,
    start,
    duration,
    device,
    context,
    stream,
    correlation,
    registers,
    shared,
    grid,
    block,
    bytes,
    wait_on_stream,
    wait_on_record,
    member_count,
  };
  struct Limits {
    std::uint64_t least;
    std::uint64_t most;
  };

  bool scalar(Value::Kind kind, std::string_view text);
  Value* place();
  static Member member_of(std::string_view key, bool in_args);
  static const char* pointer_of(Member member);

  void end_event();
  void add_op(KinetoOp::Kind kind);
  void add_wait();
  std::uint32_t interned(const std::string& text);
  std::int64_t nanoseconds(Member member, std::int64_t least_us, std::int64_t most_us) const;
  std::uint64_t integer(Member member, Limits limits) const;
  std::uint64_t integer_or(Member member, Limits limits, std::uint64_t absent) const;
  std::array<std::uint32_t, 3> triple(Member member, const std::array<std::uint32_t, 3>& most) const;
  CopyRoute route() const;
  [[noreturn]] void fail(const std::string& member, const std::string& expected, const std::string& found) const;
  static std::string shown(const Value& value);
  static std::optional<std::uint64_t> whole(const Value& value);

  KinetoTrace& trace_;
  std::map<std::string, std::uint32_t, std::less<>> names_;
  std::size_t depth_ = 0;         // open containers
  std::size_t events_depth_ = 0;  // depth inside the array of events; 0: not there
  bool found_events_ = false;
  bool in_args_ = false;
  std::uint64_t event_ = 0;
  Member member_ = member_count;
  std::array<Value, member_count> values_;
  std::array<std::array<Value, 3>, 2> elements_;  // of grid and block
  std::size_t element_count_[2] = {0, 0};
  std::string top_key_;
  char top_ = 0;  // what the document is: '{', '[' or a scalar
};

}  // namespace fenceline
