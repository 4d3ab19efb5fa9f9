// SPDX-License-Identifier: Apache-2.0
// What is known of a thing, as text. Names only ever become text, never markup.

function el(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter(one => one !== null && one !== undefined && one !== ""));
  return element;
}

/// The pieces of a packet's life: {name, colour, from, to}.
function reasonsOf(packet) {
  const pieces = [];
  const now = {"waited for a fence": "waits for a fence", "waited for memory": "waits for memory",
    "waited for the engine": "waits for the engine", "ran": "runs"}; // to the run's end
  const add = (name, colour, from, to) => {
    if (to <= from) return;
    pieces.push({name: !packet.done && to === packet.completed && now[name] || name, colour, from, to});
  };
  add(packet.behind ? `behind packet ${packet.behind} of its queue` : "queued behind others", "none", packet.submitted,
    packet.head);
  const memory = waitsForMemory(packet);
  const ran = packet.type === "wait" ? ["waited for a fence", "fence"] : ["ran", "accent"]; // it held its engine's queue
  add(memory ? "waited for memory" : "waited for a fence", memory ? "memory" : "fence", packet.head, packet.ready);
  add("waited for the engine", "node", packet.ready, packet.started);
  if (packet.runs.length === 0 && packet.done) add(...ran, packet.started, packet.finished);
  packet.runs.forEach((run, i) => {
    if (i > 0) add("preempted", "preempted", packet.runs[i - 1][1], run[0]);
    add(...ran, run[0], run[1]);
  });
  const last = packet.runs[packet.runs.length - 1];
  if (!packet.done && last) add("preempted", "preempted", last[1], packet.finished);
  if (packet.done) add("until the scheduler knew", "switch", packet.finished, packet.completed);
  return pieces;
}

/// What ran on a packet's engine while it waited for it: [{name, time}], most first.
function meanwhile(model, packet) {
  const sums = new Map();
  for (const other of model.packets.values()) {
    if (other === packet || other.node !== packet.node || !packet.node) continue;
    if (other.finished < packet.ready || other.started > packet.started) continue;
    let time = 0;
    for (const [from, to] of other.runs) time += Math.max(0, Math.min(to, packet.started) - Math.max(from, packet.ready));
    const name = `${model.shown(other.context)}: ${model.shown(other.label)}`;
    if (time > 0) sums.set(name, (sums.get(name) || 0) + time);
  }
  return [...sums].map(([name, time]) => ({name, time})).sort((a, b) => b.time - a.time);
}

/// Whether an attempt made what ran give way.
function succeeded(attempt) { return attempt.result === "Success"; }
function attemptText(attempt) { return succeeded(attempt) ? "asked to stop" : "could not stop"; }
function timesText(count) { return count === 1 ? "once" : `${countText(count)} times`; }
function moveText(move) { return `${move.resource} (${move.operation}, ${bytesText(move.bytes)})`; }

/// A line or two for what the mouse is at.
function tipLines(model, item) {
  if (item.kind === "packet") {
    const lines = [`${typeMark(item)}${model.shown(item.label) || "packet"}`,
      `packet ${item.id} of ${model.shown(item.context)}${item.node ? " on " + model.shown(item.node) : ""}` +
        (item.status === "completed" ? "" : `, ${item.status.replace("_", " ")}`)];
    const sums = new Map();
    for (const piece of reasonsOf(item)) sums.set(piece.name, (sums.get(piece.name) || 0) + piece.to - piece.from);
    for (const [name, time] of sums) lines.push(`${name}: ${timeText(time)}`);
    const last = item.attempts[item.attempts.length - 1];
    if (last && item.ready < item.started && !succeeded(last)) {
      lines.push(`could not stop packet ${last.running}: ${last.result}`);
    }
    if (item.memory) lines.push(`memory: ${moveText(item.memory)}, paging packet ${item.memory.packet}`);
    if (item.preemptions > 0) lines.push(`preempted ${timesText(item.preemptions)}`);
    for (const move of (model.moved.get(item.id) || []).slice(0, 3)) {
      lines.push(`${move.operation} ${move.resource}, ${bytesText(move.bytes)}`);
    }
    return lines;
  }
  if (item.kind === "preemption") {
    return [`preemption of ${model.shown(item.node)}: ${item.reason}`, `requested at ${timeText(item.requested)}`,
      ...(item.answered ? [`drain ${timeText(item.stopped - item.requested - item.restoreWait)}`,
        `save ${timeText(item.free - item.stopped)}, ${bytesText(item.bytes)}`,
        item.reached ? `stopped at ${item.reached.replace(/_/g, " ")}` : "nothing was stopped"] : ["not answered"])];
  }
  if (item.kind === "deadline") {
    return [`${item.name}: ${item.missed ? "missed" : "met"}`, `due ${timeText(item.due)}`,
      item.reached === null ? "not reached"
        : item.missed ? `${timeText(item.reached - item.due)} late` : `${timeText(item.due - item.reached)} to spare`];
  }
  if (item.kind === "frame") {
    return [`frame ${item.frame} of ${model.shown(item.chain.name)}: ${item.fate}`,
      item.fate === "discarded" ? `discarded at ${timeText(item.shown)}`
        : `on screen for ${timeText(item.left - item.shown)} from ${timeText(item.shown)}`,
      `presented at ${timeText(item.presented)}, ready at ${timeText(item.ready)}`,
      ...(item.missed.length > 0 ? [`${item.missed.length} vertical blank${item.missed.length > 1 ? "s" : ""} missed from ` +
        timeText(item.missed[0])] : [])];
  }
  if (item.kind === "recovery") {
    return [item.step.replace(/_/g, " "), `at ${timeText(item.at)}`, item.node ? `of ${model.shown(item.node)}` : "",
      item.list ? `list ${item.list}${item.command ? ", " + item.command : ""}` : ""].filter(Boolean);
  }
  return [`${item.what || "task"}: ${item.name}`, `on ${model.shown(item.worker)}` +
    (item.processor >= 0 ? `, processor ${item.processor}` : ""), `${timeText(item.end - item.start)} from ` +
    timeText(item.start) + (item.done ? "" : ", not finished")];
}

/// When the CPU gave a deadline's packet to its queue.
function submittedText(deadline) {
  const {submitted} = deadline.packet;
  return submitted > deadline.due ? `submitted ${timeText(submitted - deadline.due)} after it was due: its CPU thread was late`
    : `submitted ${timeText(deadline.due - submitted)} before it was due`;
}

/// A time of a packet, or that it was not reached.
function stampText(packet, name) {
  return packet.done || packet.known[name] ? exactText(packet[name]) : "not finished";
}

class Panel {
  /// `go(item)` selects another thing.
  constructor(element, model, look, go) { Object.assign(this, {element, model, look, go}); }

  show(item) {
    this.element.hidden = !item;
    this.element.replaceChildren();
    if (!item) return;
    const lines = tipLines(this.model, item);
    this.element.append(
      el("button", {class: "close", title: "Close (Esc)", onclick: () => this.go(null)}, "\u00d7"), el("h2", {}, lines[0]));
    if (item.kind === "packet") this.packet(item, lines[1]);
    else if (item.kind === "deadline") this.deadline(item, lines.slice(1));
    else this.element.append(...lines.slice(1).map(line => el("p", {}, line)));
    if (item.kind === "preemption") this.element.append(...this.links("gave way", item.victim),
      ...this.links("for", item.beneficiary));
    if (item.kind === "frame") this.frame(item);
    if (item.kind === "recovery") this.element.append(...this.links("packet", item.packet));
  }

  frame(frame) {
    if (frame.present) this.element.append(el("h3", {}, "Its present"), el("p", {}, this.link(frame.present.id)));
    if (frame.work.length > 0) this.element.append(el("h3", {}, "Its work"));
    for (const packet of frame.work.slice(-4)) this.element.append(el("p", {}, this.link(packet.id)), this.life(packet));
  }

  /// What stood before a packet, and whose signal that waited for.
  stoodBehind(packet) {
    if (packet.behind) return [el("h3", {}, "Stands behind"), el("p", {}, this.link(packet.behind))];
    if (packet.head <= packet.submitted) return [];
    const {packets} = this.model.context(packet.context);
    let place = packet.place - 1;
    while (place > 0 && packets[place].type === "signal") --place; // that takes no time
    const before = packets[place];
    if (!before) return [];
    const signal = before.type === "wait" && before.awaited && before.awaited.signal;
    return [el("h3", {}, "Stood behind"), el("p", {}, this.link(before.id)),
      signal ? el("p", {}, "which waited for ", this.link(signal.id)) : null].filter(Boolean);
  }

  packet(packet, line) {
    this.element.append(el("p", {class: "muted"}, line), this.life(packet));
    const other = meanwhile(this.model, packet);
    if (other.length > 0) {
      this.element.append(el("h3", {}, "Meanwhile on " + this.model.shown(packet.node)),
        this.table(other.slice(0, 6).map(one => [one.name, timeText(one.time)])));
    }
    if (packet.attempts.length > 0) {
      this.element.append(el("h3", {}, "Attempts to stop others"));
      for (const one of packet.attempts.slice(-8)) {
        this.element.append(el("p", {}, `${timeText(one.at)}: ${attemptText(one)} `, this.link(one.running),
          succeeded(one) ? "" : ": " + one.result, one.times > 1 ? ` (${timesText(one.times)})` : ""));
      }
    }
    if (packet.asked.length + packet.stopped.length > 0) this.element.append(el("h3", {}, "Preemption"));
    for (const one of packet.asked.slice(0, 8)) {
      this.element.append(el("p", {}, `at ${timeText(one.requested)} asked to stop `, this.link(one.victim), `: ${one.reason}`));
    }
    for (const one of packet.stopped.slice(0, 8)) {
      this.element.append(el("p", {}, `at ${timeText(one.requested)} asked to give way to `, this.link(one.beneficiary),
        `: ${one.reason}`));
    }
    this.element.append(...this.stoodBehind(packet));
    if (packet.awaits) this.element.append(el("h3", {}, "Waits for"), el("p", {}, this.link(packet.awaits.id)));
    if (packet.awaited && packet.awaited.signal) {
      this.element.append(el("h3", {}, "Waited for"), el("p", {}, this.link(packet.awaited.signal.id)));
    }
    if (packet.memory) {
      this.element.append(el("h3", {}, "Waited for memory"), el("p", {}, moveText(packet.memory) + ": ",
        this.link(packet.memory.packet)));
    }
    if (packet.releases) {
      this.element.append(el("h3", {}, "Released"),
        ...packet.releases.slice(0, 8).map(one => el("p", {}, this.link(one.id))));
    }
    const moved = this.model.moved.get(packet.id) || [];
    if (moved.length > 0) {
      this.element.append(el("h3", {}, "Moved"),
        this.table(moved.slice(0, 10).map(one => [`${one.operation} ${one.resource}`, bytesText(one.bytes)])));
    }
    const stamps = ["submitted", "head", "ready", "hardware", "started", "finished", "completed"];
    this.element.append(el("h3", {}, "Times"), this.table(stamps.map(name => [name, stampText(packet, name)])),
      this.table([["type", packet.type], ["status", packet.status.replace("_", " ")],
        ["submission fence id", countText(packet.fenceId)], ["preemptions", countText(packet.preemptions)],
        ["pieces", countText(packet.pieces)]]));
  }

  /// A bar as long as the packet lived, and its pieces as text.
  life(packet) {
    const pieces = reasonsOf(packet);
    const total = Math.max(1, packet.completed - packet.submitted);
    const colour = piece => piece.colour === "accent" ? this.look.of(packet.context) : this.look[piece.colour];
    const bar = el("div", {class: "life"});
    const sums = new Map();
    for (const piece of pieces) {
      const part = el("i", {title: `${piece.name}: ${timeText(piece.to - piece.from)}`});
      part.style.flexGrow = (piece.to - piece.from) / total;
      part.style.background = colour(piece);
      if (pieces.length < 400) bar.append(part);
      const sum = made(sums, piece.name, () => ({time: 0, colour: colour(piece)}));
      sum.time += piece.to - piece.from;
    }
    const table = el("table", {});
    for (const [name, sum] of sums) {
      const dot = el("i", {class: "dot"});
      dot.style.background = sum.colour;
      table.append(el("tr", {}, el("td", {}, dot, name), el("td", {}, timeText(sum.time))));
    }
    return el("div", {}, bar, table);
  }

  deadline(deadline, lines) {
    this.element.append(el("p", {class: deadline.missed ? "missed" : "met"}, lines.join(", ")),
      this.table([["due", exactText(deadline.due)],
        ["reached", deadline.reached === null ? "not reached" : exactText(deadline.reached)],
        ["fence", `${this.model.shown(deadline.fence)} = ${deadline.value}`]]));
    if (!deadline.packet) return;
    this.element.append(el("h3", {}, "Its packet"), el("p", {}, this.link(deadline.packet.id)),
      el("p", {}, submittedText(deadline)), this.life(deadline.packet), ...this.stoodBehind(deadline.packet));
    const other = meanwhile(this.model, deadline.packet);
    if (other.length > 0) {
      this.element.append(el("h3", {}, "Meanwhile on " + this.model.shown(deadline.packet.node)),
        this.table(other.slice(0, 6).map(one => [one.name, timeText(one.time)])));
    }
    for (const one of deadline.packet.attempts.slice(-3)) {
      this.element.append(el("p", {}, `${attemptText(one)} `, this.link(one.running),
        ` at ${timeText(one.at)}` + (succeeded(one) ? "" : `: ${one.result}`)));
    }
  }

  links(text, id) { return id ? [el("p", {}, text + " ", this.link(id))] : []; }

  link(id) {
    const packet = this.model.packets.get(id);
    if (!packet || !id) return "nobody in particular";
    return el("button", {class: "link", onclick: () => this.go(packet, true)},
      `${typeMark(packet)}${this.model.shown(packet.label) || "packet"} (${id}, ${this.model.shown(packet.context)})`);
  }

  table(rows) {
    return el("table", {}, ...rows.map(([name, value]) => el("tr", {}, el("td", {}, name), el("td", {}, value))));
  }
}
