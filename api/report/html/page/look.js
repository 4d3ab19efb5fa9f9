// SPDX-License-Identifier: Apache-2.0
// Colours and patterns. A queue's colour comes from its name: it has the same one in every run.

const paletteSize = 12;

/// Colour numbers by name. Names that would share a number take the next free one, in the order of names.
function coloursOf(names) {
  const colours = new Map();
  const taken = new Set();
  for (const name of [...names].sort(byName)) {
    let hash = 0x811c9dc5;
    for (let i = 0; i < name.length; ++i) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193) >>> 0;
    let number = (hash >>> 8) % paletteSize;
    if (taken.size === paletteSize) taken.clear();
    while (taken.has(number)) number = (number + 1) % paletteSize;
    taken.add(number);
    colours.set(name, number);
  }
  return colours;
}

class Look {
  constructor(model) {
    this.numbers = coloursOf(model.contexts.keys());
    this.refresh();
  }

  /// After a change between dark and light.
  refresh() {
    const style = getComputedStyle(document.documentElement);
    const value = name => style.getPropertyValue("--" + name).trim();
    this.palette = Array.from({length: paletteSize}, (_, i) => value("q" + i));
    for (const name of ["page", "panel", "line", "text", "muted", "on-bar", "fence", "node", "preempted", "save", "restore",
      "switch", "met", "missed", "task", "row", "accent", "none"]) this[name] = value(name);
    this.patterns = {};
  }

  of(context) {
    const number = this.numbers.get(context);
    return number === undefined ? this.none : this.palette[number];
  }

  /// Of things that are drawn as boxes.
  ofItem(item) {
    if (item.kind === "packet") return this.of(item.context);
    if (item.kind === "preemption") return this.missed;
    if (item.kind === "frame") return this.frameColour(item);
    return this.task;
  }

  frameColour(frame) { return frame.frame % 2 === 0 ? this.palette[0] : this.palette[8]; }

  /// What tells the types of packets apart: hatching upon the colour. Null: none, an ordinary packet.
  pattern(c, item) {
    const type = item.kind === "preemption" ? "preemption" : item.kind === "packet" ? item.type : "";
    if (!["present", "paging", "context_switch", "preemption"].includes(type)) return null;
    if (!this.patterns[type]) this.patterns[type] = this.hatch(c, type);
    return this.patterns[type];
  }

  hatch(c, type) {
    const size = 8;
    const tile = document.createElement("canvas");
    tile.width = tile.height = size;
    const t = tile.getContext("2d");
    t.strokeStyle = this.page;
    t.globalAlpha = 0.75;
    t.lineWidth = 1.4;
    const line = (...points) => {
      t.beginPath();
      for (let i = 0; i < points.length; i += 4) {
        t.moveTo(points[i], points[i + 1]);
        t.lineTo(points[i + 2], points[i + 3]);
      }
      t.stroke();
    };
    if (type === "present") line(0, 0, 8, 8, 0, 8, 8, 0);
    else if (type === "paging") line(0, 2, 8, 2, 0, 6, 8, 6);
    else if (type === "context_switch") line(2, 0, 2, 8, 6, 0, 6, 8);
    else line(0, 8, 8, 0, -1, 1, 1, -1, 7, 9, 9, 7);
    return c.createPattern(tile, "repeat");
  }
}
