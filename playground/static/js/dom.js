// Building blocks for the DOM. Nothing here ever parses HTML: every text becomes a text node.

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element with properties and children.
 *
 * `props`: `class`, `dataset` (object), `on` (event → handler), boolean attributes as true or false, DOM properties
 * of the names in `DIRECT`; anything else is an attribute; null and undefined are left out.
 */
const DIRECT = new Set(["value", "checked", "disabled", "hidden", "tabIndex", "muted", "loop", "autoplay", "selected"]);

export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined) continue;
    if (name === "class") element.className = value;
    else if (name === "dataset") Object.assign(element.dataset, value);
    else if (name === "on")
      for (const [event, handler] of Object.entries(value)) element.addEventListener(event, handler);
    else if (DIRECT.has(name)) element[name] = value;
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false) element.setAttribute(name, String(value));
  }
  element.append(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

/** The element's children become exactly these. */
export function fill(element, ...children) {
  element.replaceChildren(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

const PATHS = {
  send: "M3 11.2 20.5 3.6c.6-.3 1.2.3.9.9L13.8 22c-.3.7-1.3.6-1.5-.1l-2-6.7-6.9-2.3c-.8-.3-.9-1.3-.4-1.7Z",
  menu: "M4 6.5h16M4 12h16M4 17.5h16",
  more: "M12 5.5v.01M12 12v.01M12 18.5v.01",
  close: "M6 6l12 12M18 6 6 18",
  down: "M6 9.5l6 6 6-6",
  back: "M15 5l-7 7 7 7",
  next: "M9 5l7 7-7 7",
  reply: "M10 6 4 12l6 6M4.5 12H14c4 0 6 2.5 6 6.5",
  bell: "M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15L6 16.5ZM10 20.5h4",
  bellOff: "M6 16.5V11c0-1 .2-1.9.7-2.7M9 5.8A6 6 0 0 1 18 11v3.5M4.5 18h11.5M10 20.5h4M4 4l16 16",
  lock: "M6.5 11h11v8.5h-11zM9 11V8a3 3 0 0 1 6 0v3",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12ZM12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5Z",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5Z",
  person: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM4.5 20.5c.5-4 3.5-6 7.5-6s7 2 7.5 6",
  addPerson: "M10 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM3 20c.5-3.7 3.2-5.5 7-5.5 1.6 0 3 .3 4.1 1M18.5 14v6M15.5 17h6",
  group:
    "M9 5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM2.5 19.5c.4-3.3 2.9-5 6.5-5s6.1 1.7 6.5 5M15.5 5.3a3.5 3.5 0 0 1 0 6.4M18 14.9c2 .7 3.2 2.2 3.5 4.6",
  addGroup:
    "M9 5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM2.5 19.5c.4-3.3 2.9-5 6.5-5 1.6 0 3 .3 4.1 1M18.5 13.5v6M15.5 16.5h6M15.5 5.3a3.5 3.5 0 0 1 1.5 5.2",
  tools: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.8v4.4M9 14.8v4.4",
  speaker: "M4 9.5v5h3.5L12 19V5L7.5 9.5H4ZM15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11",
  speakerOff: "M4 9.5v5h3.5L12 19V5L7.5 9.5H4ZM16 9.5l5 5M21 9.5l-5 5",
  pin: "M9 4h6l-.7 6.5 3.2 3.5h-11l3.2-3.5L9 4ZM12 14v6.5",
  play: "M8 5.5v13l10.5-6.5L8 5.5Z",
  pause: "M8 5.5v13M16 5.5v13",
  file: "M6 3.5h8l4.5 4.5v12.5H6zM13.5 3.5V8.5h5",
  copy: "M8.5 8.5h11v11h-11zM5 15.5H4.5v-11h11V5",
  link: "M8 16 16 8M9.5 8H16v6.5",
  trash: "M5 7h14M10 7V4.5h4V7M7 7l.8 12.5h8.4L17 7",
  reset: "M5 12a7 7 0 1 1 2.2 5.1M5 17.5v-4h4",
  globe: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM3.5 12h17M12 3.5c-5 5-5 12 0 17 5-5 5-12 0-17Z",
  block: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM6 6l12 12",
  leave: "M10 4.5H5v15h5M14.5 8l4 4-4 4M18 12H9.5",
  check: "M5 12.5l4.5 4.5L19 7",
  columns: "M4 5h6.5v14H4zM13.5 5H20v14h-6.5z",
  single: "M8 4h8v16H8z",
  topic: "M4 5h16v11h-9l-5 4v-4H4z",
};
const FILLED = new Set(["send", "play"]);

/** A line icon in the colour of its text; decoration only, so hidden from screen readers. */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("class", FILLED.has(name) ? "icon filled" : name === "more" ? "icon dots" : "icon");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}

/** A die with its pips, 1 to 6, as SVG. */
export function die(value) {
  const spots =
    { 1: [4], 2: [2, 6], 3: [2, 4, 6], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] }[value] ?? [];
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 100 100");
  svg.setAttribute("aria-hidden", "true");
  const shape = (tag, attributes) => {
    const element = document.createElementNS(SVG, tag);
    for (const [name, text] of Object.entries(attributes)) element.setAttribute(name, text);
    svg.append(element);
  };
  shape("rect", { x: 6, y: 9, width: 88, height: 88, rx: 20, class: "die-edge" });
  shape("rect", { x: 6, y: 4, width: 88, height: 88, rx: 20, class: "die-face" });
  for (const spot of spots) {
    const one = value === 1;
    shape("circle", {
      cx: 26 + 24 * (spot % 3),
      cy: 24 + 24 * Math.floor(spot / 3),
      r: one ? 13 : 8.5,
      class: one || value === 4 ? "die-pip red" : "die-pip",
    });
  }
  return svg;
}

/** First letter as people see it: a whole grapheme, so that an emoji or a letter with marks is not cut. */
export function initial(name) {
  const text = (name ?? "").trim();
  if (!text) return "·";
  if (typeof Intl.Segmenter === "function") {
    for (const { segment } of new Intl.Segmenter().segment(text)) return segment.toUpperCase();
  }
  return [...text][0].toUpperCase();
}

/** One of seven hues for a person or chat, always the same one. */
export function hue(id) {
  return `hue-${Math.abs(Number(id)) % 7}`;
}

export function avatar(kind, id, name) {
  return h("span", { class: `avatar ${kind} ${kind === "bot" ? "" : hue(id)}`, "aria-hidden": "true" }, initial(name));
}

/** How to scroll where a person asked to go: at once for those who want no motion. */
export function gently() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
}

/** A button that shows only an icon. */
export function iconButton(name, label, onClick, props = {}) {
  return h(
    "button",
    {
      type: "button",
      ...props,
      class: `icon-button ${props.class ?? ""}`,
      "aria-label": label,
      title: label,
      on: { click: onClick },
    },
    icon(name),
  );
}
