// SPDX-License-Identifier: Apache-2.0
// The log of the run: what timeline_data.cpp wrote, read into packets, queues and what else is drawn.

async function unpacked(base64) {
  const packed = Uint8Array.from(atob(base64), c => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
}

class Model {
  constructor() {
    this.names = [""];
    this.heading = {prefixes: []};
    this.end = 0;
    this.packets = new Map();      // by id
    this.contexts = new Map();     // by name: {name, process, band, level, packets}
    this.nodes = new Map();        // by name: {name, queues, moves, preemptions}
    this.fences = new Map();       // by name: [{at, value, signal}]
    this.deadlines = new Map();    // by name: [{due, reached, fence, value}]
    this.workers = new Map();      // by name: [{start, end, name, ...}]
    this.chains = new Map();       // swap chains by name: {name, output, frames}
    this.vblanks = new Map();      // by output: times
    this.vblankNumbers = new Map(); // by output, of the same
    this.recoveries = [];          // steps
    this.requests = new Map();     // by node, hardware queue and preemption fence id
    this.moved = new Map();        // by packet: what a paging packet moved
  }

  /// "adapter.scheduler.game" as "game".
  shown(name) {
    const prefix = this.heading.prefixes.find(one => name.length > one.length && name.startsWith(one));
    return prefix ? name.slice(prefix.length) : name;
  }

  packet(id) {
    let packet = this.packets.get(id);
    if (!packet) {
      packet = {kind: "packet", id, context: "", node: "", label: "", type: "render", status: "under way", done: false,
        submitted: 0, head: 0, ready: null, hardware: null, started: 0, finished: 0, completed: 0, preemptions: 0,
        preempted: 0, fenceId: 0, value: 0, pieces: 1, runs: [], attempts: [], asked: [], stopped: []};
      this.packets.set(id, packet);
    }
    return packet;
  }
  context(name) {
    return made(this.contexts, name, () => ({name, process: "", band: 0, level: 0, packets: []}));
  }
  node(name) {
    return made(this.nodes, name, () => ({name, queues: new Map(), moves: [], preemptions: []}));
  }
  hardwareQueue(node, index) {
    return made(this.node(node).queues, index, () => ({index, events: []}));
  }
}

function made(map, key, make) {
  let found = map.get(key);
  if (found === undefined) map.set(key, found = make());
  return found;
}

const bands = ["idle", "normal", "focus", "realtime"];

/// A value of a fence: one of 64 bits with all its digits.
function exact(digits) { return digits.length < 16 ? Number(digits) : BigInt(digits); }

// A function for each letter: `at` is the first time of the record, `n` all of its numbers, `d` these as digits.
const readers = {
  s(m, at, n) {
    const [, later, track, kind, name, id, stopped] = n;
    const span = {kind: m.heading.spans[kind], name: m.names[name], start: at, end: at + later, id};
    if (span.kind === "packet") {
      const packet = m.packet(id);
      if (!packet.node) packet.node = m.names[track];
      if (!packet.label) packet.label = span.name;
      packet.runs.push([span.start, span.end, stopped === 1]);
      m.node(m.names[track]);
    } else if (span.kind === "pipeline") {
      made(m.workers, m.names[track], () => []).push({kind: "task", start: span.start, end: span.end, name: span.name,
        task: 0, worker: m.names[track], done: true, what: "pipeline state"});
    } else {
      m.node(m.names[track]).moves.push(span);
    }
  },
  i(m, at, n) {
    const name = m.names[n[2]];
    if (name !== "vblank") return;
    made(m.vblanks, m.names[n[1]], () => []).push(at);
    made(m.vblankNumbers, m.names[n[1]], () => []).push(n[3]);
  },
  c(m, at, n, d) { made(m.fences, m.names[n[1]], () => []).push({at, value: exact(d[2]), signal: null}); },
  p(m, at, n, d) {
    const packet = m.packet(n[7]);
    Object.assign(packet, {submitted: at, head: at + n[1], ready: at + n[2], hardware: at + n[3], started: at + n[4],
      finished: at + n[5], completed: at + n[6], context: m.names[n[8]], node: m.names[n[9]], label: m.names[n[10]],
      type: m.heading.types[n[11]], status: m.heading.statuses[n[12]], preemptions: n[13], preempted: n[14],
      fenceId: n[15], value: exact(d[16]), pieces: n[17], done: true});
  },
  q(m, at, n, d) {
    const packet = m.packet(n[1]);
    Object.assign(packet, {submitted: at, context: m.names[n[2]], node: m.names[n[3]], label: m.names[n[4]],
      type: m.heading.types[n[5]], value: exact(d[6])});
  },
  w(m, at, n) { m.packet(n[1]).ready = at; }, // this and the next: of packets that do not complete
  b(m, at, n) {
    const packet = m.packet(n[1]);
    if (!packet.node) packet.node = m.names[n[2]];
    if (!packet.label) packet.label = m.names[n[3]];
    m.node(packet.node);
    packet.begun = at;
  },
  u(m, at, n) {
    const packet = m.packet(n[3]);
    if (!packet.done) Object.assign(packet, {hardware: at, fenceId: n[4]});
    m.hardwareQueue(m.names[n[1]], n[2]).events.push({at, what: "submission", packet: n[3], fence: n[4]});
  },
  e(m, at, n) {
    m.hardwareQueue(m.names[n[1]], n[2]).events.push(
      {at, what: n[3] === 1 ? "completed" : "preempted", fence: n[4]});
  },
  x(m, at, n) {
    Object.assign(m.context(m.names[n[1]]), {process: m.names[n[2]], band: n[3], level: n[4]});
  },
  a(m, at, n) {
    if (n[1] === 0) return; // for nobody in particular: a process's turn is over
    const attempts = m.packet(n[1]).attempts;
    const last = attempts[attempts.length - 1];
    const result = m.names[n[3]];
    if (last && last.running === n[2] && last.result === result) last.times += 1;
    else attempts.push({at, running: n[2], result, times: 1});
  },
  r(m, at, n) {
    const request = {kind: "preemption", node: m.names[n[1]], queue: n[2], id: n[3], reason: m.heading.reasons[n[4]],
      victim: n[5], beneficiary: n[6], requested: at, stopped: 0, free: 0, known: 0, answered: false, restoreWait: 0,
      packets: 0, bytes: 0, asked: "", reached: ""};
    m.requests.set(`${n[1]}.${n[2]}.${n[3]}`, request);
    m.node(request.node).preemptions.push(request);
    m.hardwareQueue(request.node, request.queue).events.push({at, what: "request", request});
    if (request.victim) m.packet(request.victim).stopped.push(request);
    if (request.beneficiary) m.packet(request.beneficiary).asked.push(request);
  },
  v(m, at, n) {
    const request = m.requests.get(`${n[5]}.${n[6]}.${n[7]}`);
    if (!request) return;
    Object.assign(request, {stopped: at + n[1], free: at + n[2], known: Math.max(at + n[2], at + n[3]),
      restoreWait: n[4], packets: n[8], bytes: n[9], asked: m.names[n[10]], reached: m.names[n[11]], answered: true});
  },
  t(m, at, n) {
    const worker = m.names[n[3]];
    if (n[2] === 2) return; // cancelled
    const tasks = made(m.workers, worker, () => []);
    if (n[2] === 0) {
      tasks.push({kind: "task", start: at, end: -1, name: m.names[n[4]], task: n[5], worker, done: false, boosted: n[6],
        what: "background task"});
      return;
    }
    let task = tasks[tasks.length - 1];
    if (!task || task.task !== n[5]) tasks.push(task = {kind: "task", name: m.names[n[4]], task: n[5], worker});
    Object.assign(task, {start: at, end: at + n[1], done: true, boosted: n[6], cpu: n[7], processor: n[8] - 1,
      what: "background task"});
  },
  f(m, at, n) {
    const chain = made(m.chains, m.names[n[4]], () => ({name: m.names[n[4]], output: m.names[n[5]], frames: []}));
    chain.frames.push({kind: "frame", chain, shown: at, left: at + n[1], presented: at + n[2], ready: at + n[3],
      fate: m.heading.fates[n[6]], frame: n[7], interval: n[8], composed: n[9] === 1, missed: []});
  },
  y(m, at, n) {
    m.recoveries.push({kind: "recovery", at, step: m.heading.steps[n[1]], episode: n[2], node: m.names[n[3]],
      process: m.names[n[4]], packet: n[5], reason: m.names[n[6]], list: m.names[n[7]], command: m.names[n[8]]});
  },
  g(m, at, n) {
    made(m.moved, n[2], () => []).push({start: at, end: at + n[1], operation: m.heading.operations[n[3]],
      resource: m.names[n[4]], bytes: n[5], packet: n[2], process: m.names[n[6]]});
  },
  d(m, at, n, digits) {
    const name = m.names[n[2]];
    made(m.deadlines, name, () => []).push({kind: "deadline", name, due: at, fence: m.names[n[3]],
      value: exact(digits[4]),
      reached: Number.isNaN(n[1]) ? null : at + n[1], missed: Number.isNaN(n[1]) || n[1] > 0});
  },
  z(m, at) { m.end = at; },
};

/// Lines into a model.
function readModel(text) {
  const model = new Model();
  let last = 0;
  for (let from = 0; from < text.length;) {
    let to = text.indexOf("\n", from);
    if (to < 0) to = text.length;
    const letter = text[from];
    if (letter === "n") model.names.push(JSON.parse(text.slice(from + 1, to)));
    else if (letter === "h") model.heading = JSON.parse(text.slice(from + 1, to));
    else {
      const digits = text.slice(from + 1, to).split(",");
      const numbers = digits.map(one => one === "" ? NaN : Number(one));
      last += numbers[0];
      readers[letter](model, last, numbers, digits);
    }
    from = to + 1;
  }
  settle(model);
  return model;
}
