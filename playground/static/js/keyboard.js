// The inline keyboard under a message. Buttons are patched in place, so that focus and pressed ones survive an edit.

import { h, icon, fill } from "./dom.js";
import { t } from "./texts.js";

// What Telegram shows as nothing: spaces of all kinds and the invisible letters that bots use for an empty cell.
const BLANK = /^[\s\u00ad\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2060-\u2064\u2800\u3164\ufeff\uffa0]*$/;
const ROW_LIMIT = 8;

export class Keyboard {
  /** `onPress(button)` with the button's document as it was when the finger went down. */
  constructor(onPress) {
    this.onPress = onPress;
    this.rows = [];
    this.element = h("div", {
      class: "keyboard",
      role: "group",
      "aria-label": t("message.buttons"),
      on: { keydown: (event) => this.#arrows(event) },
    });
  }

  /** Shows `rows`; `waiting`: data of the pressed buttons that spin. */
  update(rows, waiting) {
    this.rows = rows.flatMap((row) => {
      // Telegram breaks rows at eight; the server refuses longer ones, so this is a second fence only.
      const parts = [];
      for (let at = 0; at < row.length; at += ROW_LIMIT) parts.push(row.slice(at, at + ROW_LIMIT));
      return parts;
    });
    while (this.element.children.length > this.rows.length) this.element.lastChild.remove();
    this.rows.forEach((row, number) => {
      const line = this.element.children[number] ?? this.element.appendChild(h("div", { class: "keys" }));
      line.dataset.columns = row.length;
      while (line.children.length > row.length) line.lastChild.remove();
      row.forEach((button, column) => this.#draw(line.children[column] ?? line.appendChild(this.#key()), button));
    });
    this.element.hidden = this.rows.length === 0;
    this.spin(waiting);
  }

  spin(waiting) {
    for (const key of this.element.querySelectorAll(".key")) {
      const busy = key.button.kind === "callback" && waiting.has(key.button.data);
      key.classList.toggle("busy", busy);
      key.setAttribute("aria-busy", String(busy));
    }
  }

  #key() {
    const key = h("button", {
      type: "button",
      class: "key",
      on: {
        pointerdown: () => {
          key.armed = key.button;
        },
        click: (event) => {
          // An edit may come between touch and release: what was touched is what is meant.
          const button = event.detail > 0 && key.armed ? key.armed : key.button;
          key.armed = null;
          if (button.kind === "callback" && button === key.button) key.classList.add("busy");
          this.onPress(button);
        },
      },
    });
    return key;
  }

  #draw(key, button) {
    const old = key.button;
    key.button = button;
    if (old && old.text === button.text && old.style === button.style && old.kind === button.kind) return;
    const blank = BLANK.test(button.text);
    key.className = `key ${button.style ?? ""} ${blank ? "blank" : ""} ${button.kind}`;
    fill(
      key,
      h("span", { dir: "auto" }, blank ? "" : button.text),
      button.kind === "url" ? icon("link") : button.kind === "copy" ? icon("copy") : null,
    );
    if (blank) key.setAttribute("aria-label", t("message.blank"));
    else key.removeAttribute("aria-label");
    key.disabled = button.kind === "disabled";
    key.title = blank ? "" : button.text;
  }

  // The arrow keys walk the grid, as it is a grid to look at.
  #arrows(event) {
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    const key = event.target.closest(".key");
    if (!step || !key) return;
    const lines = [...this.element.children];
    const row = lines.indexOf(key.parentElement) + step[0];
    const column = [...key.parentElement.children].indexOf(key) + step[1];
    const target = lines[row]?.children[step[0] ? Math.min(column, lines[row].children.length - 1) : column];
    if (!target) return;
    event.preventDefault();
    event.stopPropagation();
    target.focus();
  }
}
