// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bgproc/pgo/pattern_histogram.hpp"
#include "bgproc/pgo/pgo_config.hpp"

#include <cstdint>
#include <map>
#include <vector>

namespace fenceline {

/// The bound root constants, as one number: equal constants have equal keys.
using ConstantsKey = std::uint64_t;

/// How an execution of a pipeline state is measured.
enum class Measurement : std::uint8_t {
  none,
  light,      ///< which constants were bound
  intrusive,  ///< branches and resources, too
};

/// What an execution did, or had bound, besides its constants.
struct ExecutionPatterns {
  PatternKey branches = 0;
  PatternKey resources = 0;
};

/// The code for a set of constants: it folds the first `rounds` parts of FoldedParts::by_round() away, branches and
/// resources where they are those that it takes for granted, checking as it begins.
struct Variant {
  ConstantsKey constants = 0;
  std::uint32_t rounds = 0;  ///< 0: the original
  /// Taken for granted, and the part of the executions that had them when they were judged; part 0: left out, for none
  /// was steady. They count from their rounds on.
  SteadyPattern branches{};
  SteadyPattern resources{};
};

/// What a driver knows of one pipeline state: histograms of its executions by the constants bound, since they were
/// acted upon last, and how far variants have come. Pure state: told what happens, it says what to compile.
class PipelineProfile {
 public:
  explicit PipelineProfile(const FoldedParts& parts);

  /// It has been executed so often with these constants; patterns are seen by intrusive measurements alone.
  void measured(ConstantsKey constants, Measurement how, std::uint64_t executions,
                const ExecutionPatterns& patterns = {});
  /// What the histogram makes worth compiling, once it holds `act_now_executions`, or at once where it is committed:
  /// then it is scaled up to that many. In the order of the constants' keys; each is under way from now on. Branches or
  /// resources of which no pattern is steady are left out, until measurements are discarded. The histogram begins anew
  /// where it was acted upon.
  std::vector<Variant> act(const PgoConfig& config, bool committed);
  /// The variant is there.
  void compiled(const Variant& variant);
  /// The compile came to nothing: it may be asked for again.
  void dropped(const Variant& variant);
  /// Histograms mean nothing any more; variants and compiles under way stay.
  void discard();
  /// More GPU work would show more: for constants that were frequent when the histogram was acted upon last, or are in
  /// it and have not been judged yet, a round is open after those compiled and under way. Constants that have not been
  /// judged count from `frequent_part` of its executions on, and of those of the last one. Rounds after the first are
  /// open to intrusive measurements alone, so they count once there have been such.
  bool wants_more(double frequent_part = 0) const;
  /// The best variant for these constants; of no rounds: the original runs.
  Variant variant_of(ConstantsKey constants) const;

 private:
  struct Value {
    std::uint64_t executions = 0;  ///< in the histogram
    std::uint64_t rich = 0;        ///< of these, measured intrusively
    PatternHistogram branches;     ///< of these
    PatternHistogram resources;
    Variant variant;         ///< compiled
    Variant next;            ///< as far as rounds were judged: compiled, under way or left out
    bool compiling = false;  ///< one is under way
    bool judged = false;     ///< a histogram was acted upon that had it, since `discard`
    bool frequent = false;   ///< in the last of these
    void begin_histogram();
  };
  std::uint32_t round_open(std::uint32_t rounds, bool rich) const;
  bool judge(Value& value, double steady_part) const;

  FoldedParts parts_;
  std::map<ConstantsKey, Value> values_;
  std::uint64_t executions_ = 0;
  std::uint64_t judged_ = 0;  // in the histogram that was acted upon last, since `discard`
  bool rich_ = false;         // something was measured intrusively since `discard`
};

}  // namespace fenceline
