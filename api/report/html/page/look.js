// SPDX-License-Identifier: Apache-2.0
// Colours and patterns. A queue's colour comes from its name: it has the same one in every run.

/// A number of 32 bits that names that differ a little do not share: FNV-1a from another start, and the mixing of
/// MurmurHash3.
function hashOf(name) {
  let hash = 11238; // names that queues often have lie far apart with it
  for (let i = 0; i < name.length; ++i) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  for (const [shift, factor] of [[16, 0x85ebca6b], [13, 0xc2b2ae35]]) hash = Math.imul(hash ^ (hash >>> shift), factor);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/// A colour of Oklab (Bjorn Ottosson): its lightness is what the eye sees, so that texts upon every hue can be read.
function oklch(lightness, chroma, degrees) {
  const a = chroma * Math.cos(degrees * Math.PI / 180);
  const b = chroma * Math.sin(degrees * Math.PI / 180);
  const [l, m, s] = [0.3963377774 * a + 0.2158037573 * b, -0.1055613458 * a - 0.0638541728 * b,
    -0.0894841775 * a - 1.291485548 * b].map(one => Math.pow(lightness + one, 3));
  return [4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s, -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s];
}

/// The same as "#rrggbb", with as much of its chroma as a screen can show.
function hexOf(lightness, chroma, degrees) {
  let rgb = oklch(lightness, chroma, degrees);
  while (chroma > 0 && rgb.some(one => one < 0 || one > 1)) rgb = oklch(lightness, chroma -= 0.005, degrees);
  return "#" + rgb.map(one => {
    const light = Math.min(1, Math.max(0, one));
    const shown = light <= 0.0031308 ? 12.92 * light : 1.055 * Math.pow(light, 1 / 2.4) - 0.055;
    return Math.round(shown * 255).toString(16).padStart(2, "0");
  }).join("");
}

/// The colour of a name follows from nothing but the name: hue, and to tell near hues apart one of three lightnesses.
function colourOf(name, dark) {
  const hash = hashOf(name);
  const step = (hash >>> 24) % 3;
  return hexOf((dark ? 0.72 : 0.5) + 0.05 * step, 0.15, (hash & 0xffff) / 65536 * 360);
}

class Look {
  constructor(model) {
    this.names = [...model.contexts.keys()];
    this.shown = name => model.shown(name); // the same queue has it by whatever path
    this.refresh();
  }

  /// After a change between dark and light.
  refresh() {
    const style = getComputedStyle(document.documentElement);
    const value = name => style.getPropertyValue("--" + name).trim();
    for (const name of ["page", "panel", "line", "text", "muted", "on-bar", "fence", "node", "preempted", "memory", "save",
      "restore", "switch", "met", "missed", "task", "row", "accent", "none", "frame-a", "frame-b"]) this[name] = value(name);
    this.patterns = {};
    const dark = style.colorScheme.includes("dark");
    this.colours = new Map(this.names.map(name => [name, colourOf(this.shown(name), dark)]));
  }

  of(context) {
    return this.colours.get(context) || this.none;
  }

  /// Of things that are drawn as boxes.
  ofItem(item) {
    if (item.kind === "packet") return this.of(item.context);
    if (item.kind === "preemption") return this.missed;
    if (item.kind === "frame") return this.frameColour(item);
    return this.task;
  }

  frameColour(frame) { return frame.frame % 2 === 0 ? this["frame-a"] : this["frame-b"]; }

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
