// SPDX-License-Identifier: Apache-2.0
// What follows from the log: who waited for whom, and what became of packets that the run's end cut off.

/// What follows from all of it together.
function settle(model) {
  model.end = Math.max(model.end, 1);
  for (const packet of model.packets.values()) {
    if (packet.context) model.context(packet.context).packets.push(packet);
    else if (!packet.done) settleUnfinished(packet, model.end, {open: null, completed: 0});
  }
  for (const context of model.contexts.values()) {
    context.packets.sort((a, b) => a.id - b.id);
    settleContext(context.packets, model.end);
    context.packets.forEach((packet, place) => { packet.place = place; });
  }
  for (const packet of model.packets.values()) packet.runs.sort((a, b) => a[0] - b[0]);
  for (const tasks of model.workers.values()) {
    for (const task of tasks) if (!task.done) task.end = model.end;
  }
  for (const request of model.requests.values()) {
    if (request.answered) continue;
    const reset = model.recoveries.find(one => one.at >= request.requested &&
      ((one.step === "engine_reset" && one.node === request.node) || one.step === "adapter_reset"));
    request.stopped = request.free = request.known = reset ? reset.at : model.end;
  }
  for (const rows of model.deadlines.values()) rows.sort((a, b) => a.due - b.due);
  model.recoveries.sort((a, b) => a.at - b.at);
  const signals = new Map();
  for (const packet of model.packets.values()) {
    if (packet.type !== "signal") continue;
    made(signals, packet.label + "\n" + packet.value, () => []).push(packet);
  }
  for (const [fence, values] of model.fences) {
    values.sort((a, b) => a.at - b.at);
    for (const value of values) {
      const found = signals.get(fence + "\n" + value.value) || [];
      value.signal = found.find(one => one.done && one.finished <= value.at && value.at <= one.completed) || null;
    }
  }
  const chains = [...model.chains.values()];
  for (const chain of chains) settleFrames(model, chain);
  for (const chain of chains) settleWindow(chain, chains);
  model.arrows = arrowsOf(model);
  settleMemory(model);
  const last = new Map(); // signals of a fence by value, for deadlines that were not reached
  for (const found of signals.values()) {
    for (const one of found) made(last, one.label, () => []).push(one);
  }
  for (const wait of model.packets.values()) {
    if (wait.type === "wait" && !wait.done) wait.awaits = (last.get(wait.label) || []).find(one => !one.done && one.value >= wait.value);
  }
  for (const rows of model.deadlines.values()) {
    for (const row of rows) row.packet = packetOf(model, row, last.get(row.fence) || []);
  }
}

/// Of a packet that the run's end cut off: what is known of it, and for the picture the end in place of what is not.
/// `before`: the first packet of its queue that is not over, and when the last one of those before it was.
function settleUnfinished(packet, end, before) {
  packet.status = "not finished";
  if (packet.begun !== undefined) packet.runs.push([packet.begun, end, false]);
  const first = packet.runs.reduce((least, run) => Math.min(least, run[0]), end);
  const taken = packet.hardware !== null || packet.runs.length > 0; // by the engine: others of its queue are there, too
  packet.behind = before.open && !taken ? before.open.id : 0;
  packet.known = {submitted: packet.context !== "", head: !before.open, ready: packet.ready !== null,
    hardware: packet.hardware !== null, started: packet.runs.length > 0};
  if (!packet.context) packet.submitted = first;
  const ready = packet.ready !== null ? packet.ready : packet.hardware !== null ? packet.hardware : first;
  packet.head = packet.behind ? end : before.open ? ready : Math.max(packet.submitted, before.completed);
  packet.ready = Math.max(packet.head, ready);
  packet.started = Math.max(packet.ready, first);
  packet.hardware = packet.hardware !== null ? packet.hardware : packet.started;
  packet.finished = packet.completed = end;
}

/// Of the packets of a context, by id.
function settleContext(packets, end) {
  let open = null;
  let completed = 0;
  for (const packet of packets) {
    if (packet.done) {
      completed = Math.max(completed, packet.completed);
      continue;
    }
    settleUnfinished(packet, end, {open, completed});
    open = open || packet;
  }
}

/// The index of the signal that a wait's end follows from: of the values, by time, the last to come up to the value, at
/// or before then. -1: none.
function reachedBy(values, value, at) {
  let i = above(values.at, at) - 1;
  while (i >= 0 && values.rows[i].value < value) --i; // it came up to it before, and went down
  while (i >= 0) {
    let from = values.since[i]; // from here to i it only went up
    const begin = from;
    for (let to = i; from < to;) {
      const middle = (from + to) >>> 1;
      if (values.rows[middle].value < value) from = middle + 1; else to = middle;
    }
    if (from > begin || begin === 0 || values.rows[begin - 1].value < value) return from;
    i = begin - 1;
  }
  return -1;
}

/// A fence's values to search in.
function searchable(rows) {
  const since = [];
  rows.forEach((row, i) => since.push(i > 0 && row.value >= rows[i - 1].value ? since[i - 1] : i));
  return {rows, since, at: rows.map(row => row.at)};
}

/// From signals to the waits that they ended, by time.
function arrowsOf(model) {
  const arrows = [];
  const fences = new Map([...model.fences].map(([name, rows]) => [name, searchable(rows)]));
  for (const wait of model.packets.values()) {
    if (wait.type !== "wait" || !wait.done) continue;
    const values = fences.get(wait.label);
    if (!values) continue;
    const engine = wait.runs.length > 0; // it waited there
    const ended = engine ? wait.finished : wait.ready;
    let found = reachedBy(values, wait.value, ended);
    if (found < 0) found = reachedBy(values, wait.value, wait.completed);
    if (found < 0) continue;
    const reached = values.rows[found];
    wait.awaited = reached;
    arrows.push({start: reached.at, end: Math.max(ended, reached.at), fence: wait.label, value: wait.value,
      signal: reached.signal, wait, held: engine || wait.ready > wait.head});
    if (reached.signal) (reached.signal.releases = reached.signal.releases || []).push(wait);
  }
  return arrows.sort((a, b) => a.start - b.start);
}

/// Frames by time; of one that came late the vertical blanks at which the one before it stayed for longer than it was to.
function settleFrames(model, chain) {
  chain.frames.sort((a, b) => a.shown - b.shown);
  const vblanks = model.vblanks.get(chain.output) || []; // those at which something could change, with their numbers
  const numbers = model.vblankNumbers.get(chain.output) || [];
  const numberAt = frame => numbers[above(vblanks, frame.shown + 1e3) - 1];
  let before = null;
  for (const frame of chain.frames) {
    frame.missed = [];
    if (frame.fate === "discarded") continue;
    if (before && before.interval > 0 && frame.interval > 0) {
      const refreshes = numberAt(frame) - numberAt(before);
      const length = (frame.shown - before.shown) / refreshes;
      for (let i = before.interval; i < refreshes; ++i) frame.missed.push(before.shown + i * length);
    }
    before = frame;
  }
  const presents = new Map();
  for (const packet of model.packets.values()) {
    if (packet.type === "present" && model.shown(packet.label) === leafOf(model, chain)) presents.set(packet.value, packet);
  }
  for (const frame of chain.frames) {
    frame.present = presents.get(frame.frame) || null;
    const packets = frame.present ? model.context(frame.present.context).packets : [];
    frame.work = [];
    for (let i = frame.present ? frame.present.place - 1 : -1; i >= 0 && packets[i].type !== "present"; --i) {
      if (packets[i].type === "render") frame.work.unshift(packets[i]);
    }
  }
}

/// What the compositor missed is not missed by a window, too: that counts for which vertical blanks it is composed.
function settleWindow(chain, chains) {
  if (!chain.frames.some(frame => frame.composed)) return;
  const timesOf = one => new Set(one.frames.filter(frame => frame.fate !== "discarded").map(frame => frame.shown));
  const shown = [...timesOf(chain)];
  // Nothing says whose windows they are: they come with frames of the compositor, and of others by chance.
  const [compositor] = chains.filter(one => one.output === chain.output && !one.frames.some(frame => frame.composed))
    .map(one => ({frames: one.frames, times: timesOf(one)})).filter(one => shown.every(at => one.times.has(at)))
    .sort((one, other) => one.times.size - other.times.size);
  const theirs = compositor ? compositor.frames.flatMap(frame => frame.missed) : [];
  const near = at => theirs[above(theirs, at - 1e3)] <= at + 1e3;
  for (const frame of chain.frames) frame.missed = frame.missed.filter(at => !near(at));
}

/// "film" of "adapter.display.film" on "adapter.display".
function leafOf(model, chain) {
  const name = model.shown(chain.name);
  const prefix = model.shown(chain.output) + "."; // of all of them
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

/// Lists that waited for video memory: the move that was the last to be over.
function settleMemory(model) {
  const moves = new Map();
  for (const rows of model.moved.values()) for (const row of rows) made(moves, processKey(row.process), () => []).push(row);
  for (const rows of moves.values()) {
    rows.sort((a, b) => a.end - b.end);
    rows.at = rows.map(row => row.end);
  }
  for (const packet of model.packets.values()) {
    if (!waitsForMemory(packet)) continue;
    const rows = moves.get(processKey(model.context(packet.context).process));
    if (!rows) continue;
    const last = rows[above(rows.at, packet.ready) - 1];
    if (last && last.end > packet.head) packet.memory = last;
  }
}

/// Memory has a process by its name alone.
function processKey(name) { return name.startsWith("process ") ? name : "process " + (name || "default"); }

/// A list that is the first of its queue and may not run yet waits for nothing else.
function waitsForMemory(packet) { return packet.type === "render" && packet.ready > packet.head; }

/// The work whose end kept or missed a deadline: what its signal's queue ran last before it.
function packetOf(model, deadline, signals) {
  let signal = null;
  if (deadline.reached === null) {
    signal = signals.find(one => one.value >= deadline.value) || null;
  } else {
    const values = model.fences.get(deadline.fence) || [];
    let from = 0;
    for (let to = values.length; from < to;) {
      const middle = (from + to) >>> 1;
      if (values[middle].at < deadline.reached) from = middle + 1; else to = middle;
    }
    while (from < values.length && values[from].value < deadline.value) ++from;
    if (from < values.length) signal = values[from].signal;
  }
  if (!signal) return null;
  const packets = model.context(signal.context).packets;
  for (let i = signal.place - 1; i >= 0; --i) {
    if (packets[i].type === "render") return packets[i];
    if (packets[i].type === "signal" && packets[i].label === signal.label) break;
  }
  return signal;
}
