// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace fenceline {

/// The style of report.html. Colours q0 to q7 are the queues', told apart also by the colour-blind; q8 is no queue's.
constexpr std::string_view html_style = R"css(
:root {
  color-scheme: light dark;
  --page: #ffffff; --panel: #f6f7f9; --line: #dfe3e8; --text: #1b2027; --muted: #606b78;
  --row: #f6f7f9; --fence: #c0392b; --node: #9aa5b1; --preempted: #d98200; --signal: #1b2027;
  --q0: #8cbcf0; --q1: #f5b76c; --q2: #86d19c; --q3: #c8aef0; --q4: #f2a0b5; --q5: #7ed3d6; --q6: #d9cb62; --q7: #c9a88a;
  --e0: #2f6fb3; --e1: #b36d12; --e2: #2f8549; --e3: #7a52b8; --e4: #b3486a; --e5: #1f8488; --e6: #877a12; --e7: #80593a;
  --q8: #c8cdd3; --e8: #7b8590;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14171c; --panel: #1d2229; --line: #333b46; --text: #e6e9ee; --muted: #9aa5b3;
    --row: #1a1f26; --fence: #ff7b6b; --node: #6d7885; --preempted: #ffb347; --signal: #e6e9ee;
    --q0: #2c5f9b; --q1: #96600f; --q2: #2b7441; --q3: #66479c; --q4: #96405a; --q5: #1d7276; --q6: #736811; --q7: #704f35;
    --e0: #7db4f0; --e1: #f0b05c; --e2: #7bcf94; --e3: #c3a5f2; --e4: #f095ad; --e5: #72d0d4; --e6: #d8c95a; --e7: #cfa887;
    --q8: #4a525c; --e8: #9aa5b1;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text);
  font: 14px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
main { max-width: 1560px; margin: 0 auto; padding: 24px 24px 48px; }
h1 { margin: 0; font-size: 26px; font-weight: 650; overflow-wrap: anywhere; }
h2 { margin: 32px 0 10px; font-size: 17px; font-weight: 650; }
.muted { color: var(--muted); }
.facts { display: flex; flex-wrap: wrap; gap: 12px; margin: 20px 0 0; padding: 0; }
.facts div { flex: 1 1 190px; min-width: 0; padding: 12px 16px; background: var(--panel);
  border: 1px solid var(--line); border-radius: 8px; overflow-wrap: anywhere; }
.facts dt { color: var(--muted); font-size: 12px; }
.facts dd { margin: 2px 0 0; font-size: 22px; font-weight: 600; font-variant-numeric: tabular-nums; }
.facts small { display: block; color: var(--muted); font-size: 12px; font-weight: 400; }
.warnings { margin: 20px 0 0; padding: 10px 16px 10px 34px; background: var(--panel); border: 1px solid var(--fence);
  border-radius: 8px; overflow-wrap: anywhere; }
.bar-line { display: flex; flex-wrap: wrap; gap: 6px 18px; align-items: center; margin: 0 0 8px; font-size: 13px; }
.key { display: inline-flex; align-items: center; gap: 6px; max-width: 100%; overflow-wrap: anywhere; }
.key i { flex: none; width: 22px; height: 12px; border: 1px solid; }
.key i.fence, .key i.node, .key i.preempted { height: 4px; border: 0; }
.key i.signal { width: 2px; height: 16px; border: 0; background: var(--signal); }
.key i.q0 { background: var(--q0); border-color: var(--e0); } .key i.q1 { background: var(--q1); border-color: var(--e1); }
.key i.q2 { background: var(--q2); border-color: var(--e2); } .key i.q3 { background: var(--q3); border-color: var(--e3); }
.key i.q4 { background: var(--q4); border-color: var(--e4); } .key i.q5 { background: var(--q5); border-color: var(--e5); }
.key i.q6 { background: var(--q6); border-color: var(--e6); } .key i.q7 { background: var(--q7); border-color: var(--e7); }
.key i.q8 { background: var(--q8); border-color: var(--e8); }
.key i.fence { background: var(--fence); } .key i.node { background: var(--node); }
.key i.preempted { background: var(--preempted); }
.timeline { display: flex; border: 1px solid var(--line); border-radius: 8px; overflow: hidden; }
.names { position: relative; flex: none; width: 132px; border-right: 1px solid var(--line); background: var(--panel); }
.names h3, .names div { position: absolute; left: 0; right: 0; margin: 0; padding: 0 10px 0 12px; }
.names h3 { height: 30px; padding-top: 9px; font-size: 11px; line-height: 16px; font-weight: 650; color: var(--muted);
  text-transform: uppercase; letter-spacing: .06em; }
.names div { display: flex; align-items: center; font-size: 13px; white-space: nowrap; }
.names div span { overflow: hidden; text-overflow: ellipsis; }
.plot { flex: 1; min-width: 0; overflow-x: auto; overflow-y: hidden; }
.plot > svg { display: block; width: 100%; }
.plot text { fill: var(--text); font-size: 12px; pointer-events: none; }
.ticks rect { fill: var(--line); } .ticks text { fill: var(--muted); font-variant-numeric: tabular-nums; }
.t4, .t48, .t192, .n4, .n16 { display: none; }
.row { fill: none; } .window { fill: transparent; }
.bar { stroke-width: 1px; } .bar:hover { stroke-width: 2.5px; }
.q0 { fill: var(--q0); stroke: var(--e0); } .q1 { fill: var(--q1); stroke: var(--e1); }
.q2 { fill: var(--q2); stroke: var(--e2); } .q3 { fill: var(--q3); stroke: var(--e3); }
.q4 { fill: var(--q4); stroke: var(--e4); } .q5 { fill: var(--q5); stroke: var(--e5); }
.q6 { fill: var(--q6); stroke: var(--e6); } .q7 { fill: var(--q7); stroke: var(--e7); }
.q8 { fill: var(--q8); stroke: var(--e8); }
.fence { fill: var(--fence); } .node { fill: var(--node); } .preempted { fill: var(--preempted); } .signal { fill: var(--signal); }
.plot path { stroke: none; }
.zoom { position: absolute; opacity: 0; pointer-events: none; }
.zooms { margin-left: auto; white-space: nowrap; }
.zooms label { display: inline-block; padding: 2px 10px; border: 1px solid var(--line); cursor: pointer; margin-left: -1px; }
#z1:checked ~ .bar-line [for=z1], #z4:checked ~ .bar-line [for=z4], #z16:checked ~ .bar-line [for=z16] {
  background: var(--text); color: var(--page); border-color: var(--text); }
.zoom:focus-visible ~ .bar-line .zooms { outline: 2px solid var(--e0); outline-offset: 2px; }
#z4:checked ~ .timeline svg[role] { width: 400%; } #z16:checked ~ .timeline svg[role] { width: 1600%; }
#z4:checked ~ .timeline :is(.t12, .t192), #z16:checked ~ .timeline :is(.t12, .t48) { display: none; }
#z4:checked ~ .timeline :is(.t48, .n4), #z16:checked ~ .timeline :is(.t192, .n4, .n16) { display: block; }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: 6px 14px; text-align: right; white-space: nowrap; unicode-bidi: isolate; }
th { font-size: 12px; font-weight: 600; color: var(--muted); background: var(--panel); }
tr + tr td { border-top: 1px solid var(--line); }
th:first-child, td:first-child { text-align: left; }
td:first-child { max-width: 420px; overflow: hidden; text-overflow: ellipsis; }
.share { width: 34%; min-width: 120px; }
.share i { display: block; height: 10px; background: var(--e8); }
.share b { display: block; background: var(--line); }
.note { margin: 8px 0 0; color: var(--muted); font-size: 13px; max-width: 90ch; }
@media (max-width: 640px) {
  main { padding: 16px 12px 32px; }
  h1 { font-size: 21px; }
  .names { width: 84px; } .names h3, .names div { padding: 0 4px 0 8px; }
  .facts { gap: 8px; } .facts div { flex-basis: 40%; padding: 10px 12px; } .facts dd { font-size: 18px; }
  .zooms { margin-left: 0; }
  .share, th:empty { display: none; }
  #z1:checked ~ .timeline .t4, #z4:checked ~ .timeline .t12, #z16:checked ~ .timeline .t48 { display: block; }
  #z1:checked ~ .timeline .t12, #z4:checked ~ .timeline .t48, #z16:checked ~ .timeline .t192 { display: none; }
  th, td { padding: 6px 10px; }
}
@media print { .zooms { display: none; } }
)css";

/// Besides, where background tasks are drawn: in no queue's colour.
constexpr std::string_view html_task_style = R"css(
.task { fill: var(--line); stroke: var(--muted); }
.key i.task { background: var(--line); border-color: var(--muted); }
)css";

}  // namespace fenceline
