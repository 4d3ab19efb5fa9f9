// SPDX-License-Identifier: Apache-2.0
// What colours and marks mean, of those that this run has.

function fillLegend(timeline) {
  const {model, lanes, look} = timeline;
  const legend = document.getElementById("legend");
  legend.replaceChildren();
  const add = (css, text, onclick) => {
    const key = el(onclick ? "button" : "span", {class: "key", onclick}, el("i", {class: css}), text);
    legend.append(key);
    return key;
  };
  for (const lane of lanes.filter(one => one.kind === "software").slice(0, 24)) {
    const key = add("box", lane.title, () => timeline.searchFor("queue:" + lane.title));
    key.title = "Search for its packets";
    key.firstChild.style.background = look.of(lane.context.name);
  }
  const packets = [...model.packets.values()];
  const types = new Set(packets.map(one => one.type));
  if (model.requests.size > 0) types.add("preemption");
  if (types.has("signal") || types.has("wait")) add("box signal", "signal or wait");
  for (const type of ["present", "paging", "context_switch", "preemption"]) {
    if (types.has(type)) add("box hatch " + type, type.replace("_", " "));
  }
  add("box pale", "in a queue");
  add("box solid", "running");
  add("line fence", "waits for a fence");
  if (packets.some(waitsForMemory)) add("line memory", "waits for memory");
  add("line node", "waits for the engine");
  if (model.requests.size > 0) {
    add("line preempted", "preempted, drain");
    add("line save", "save");
  }
  if ([...model.nodes.values()].some(node => node.moves.length > 0)) {
    add("line restore", "restore");
    add("line switch", "switch");
  }
  if (model.arrows.some(one => one.held)) add("line arrow", "from a signal to the wait that it ended");
  if (lanes.some(lane => lane.mostAbove > 0)) add("box above", "more above what is drawn");
  if (model.deadlines.size > 0) {
    add("mark met", "deadline met");
    add("mark missed", "missed");
  }
  screenLegend(model, lanes, add);
}

function screenLegend(model, lanes, add) {
  const screens = lanes.filter(lane => lane.kind === "screen");
  if (screens.length > 0) {
    add("box frame-a", "frames in turn").firstChild.style.background =
      "linear-gradient(90deg, var(--frame-a) 50%, var(--frame-b) 50%)";
  }
  if (screens.some(lane => lane.vblanks.length > 0)) add("mark tick", "vertical blank");
  if (screens.some(lane => lane.missed.length > 0)) add("mark late", "vertical blank missed");
  if (screens.some(lane => lane.chain.frames.some(one => one.fate === "tore"))) add("mark tear", "tear");
  if (screens.some(lane => lane.discarded.length > 0)) add("mark dropped", "frame discarded");
  if (model.recoveries.some(one => timeoutSteps.includes(one.step))) add("mark timeout", "timeout or fault");
  if (model.recoveries.length > 0) add("mark step", "step of recovery");
  if (resetsOf(model).length > 0) add("box reset", "reset");
}
