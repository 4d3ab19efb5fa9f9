// SPDX-License-Identifier: Apache-2.0
#include "api/validation/measured/measured_published.hpp"

#include "sim/config/fields.hpp"

namespace fenceline {

void describe(Fields& f, PublishedFigure& c) {
  f.required("figure", c.figure, "what was measured, and in which unit");
  f.required("value", c.value, "measured", between(1e-3, 1e9));
  f.required("source", c.source, "author and title");
  f.required("year", c.year, "of the publication", between(1990, 2100));
  f.required("measured", c.measured, "what was measured, on which card, how");
  f.optional("set_mib", c.set_mib, "of load_latency_ns: what the loads walk through, MiB", between(1e-3, 1e6));
  f.check(!c.source.empty(), "author and title", "nothing", "source");
  f.check(!c.measured.empty(), "what was measured", "nothing", "measured");
  const bool loads = c.figure == PublishedKind::load_latency;
  f.check(loads == c.set_mib.has_value(), loads ? "what the loads walk through" : "no set: only loads walk through one",
          loads ? "none" : "one", "set_mib");
}

}  // namespace fenceline
