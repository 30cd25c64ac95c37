// What a phone shows on top of its chat: toasts, banners of other chats, alerts.

import { fill, h } from "./dom.js";
import { language, t } from "./texts.js";

const TOAST_MS = 3500;
const BANNER_MS = 4500;
const READING_MS = 70; // for each letter of a long toast

export class Overlay {
  constructor(world) {
    this.world = world;
    this.toasts = h("div", { class: "toasts", role: "status" });
    this.banners = h("div", { role: "status" });
    /** Goes above the messages. */
    this.notices = h("div", { class: "above" }, this.banners, this.toasts);
    /** Covers the whole phone. */
    this.boxes = h("div", { class: "over", hidden: true });
  }

  /** The answer to a press, for a few seconds. */
  toast(text) {
    const note = h("div", { class: "toast", dir: "auto" }, text);
    fill(this.toasts, note);
    setTimeout(() => note.remove(), Math.max(TOAST_MS, text.length * READING_MS));
  }

  /** A message in another chat: `{face, name, text, open}`. */
  banner({ face, name, text, open }) {
    const note = h(
      "button",
      {
        type: "button",
        class: "banner",
        on: {
          click: () => {
            note.remove();
            open();
          },
        },
      },
      face,
      h("span", {}, h("b", { dir: "auto" }, name), h("small", { dir: "auto" }, text)),
    );
    fill(this.banners, note);
    setTimeout(() => note.remove(), BANNER_MS);
  }

  clearBanner() {
    fill(this.banners);
  }

  alert(text) {
    this.#box(text, [h("button", { type: "button", class: "flat" }, t("dialog.ok"))]);
  }

  /** As Telegram does, asks before a link leads out of it. */
  askLink(url) {
    const go = h(
      "button",
      { type: "button", class: "flat", on: { click: () => window.open(url, "_blank", "noopener,noreferrer") } },
      t("dialog.open"),
    );
    this.#box(t("dialog.open_link", { url }), [h("button", { type: "button", class: "flat" }, t("dialog.cancel")), go]);
  }

  #box(text, buttons) {
    const before = document.activeElement;
    const name = this.world.bot.first_name;
    const box = h(
      "div",
      { class: "alert", role: "alertdialog", "aria-modal": "true", "aria-label": name, lang: language },
      h("b", { dir: "auto" }, name),
      h("p", { dir: "auto" }, text),
      h("footer", {}, buttons),
    );
    const close = () => {
      this.boxes.hidden = true;
      fill(this.boxes);
      if (before?.isConnected) before.focus({ preventScroll: true });
    };
    for (const button of buttons) button.addEventListener("click", close);
    box.addEventListener("keydown", (event) => {
      if (event.key === "Escape") close();
      if (event.key === "Tab") {
        event.preventDefault();
        buttons[(buttons.indexOf(document.activeElement) + 1) % buttons.length].focus();
      }
    });
    fill(this.boxes, box);
    this.boxes.hidden = false;
    // Four phones share one keyboard: whoever types on another one is not interrupted.
    if (before === document.body || this.boxes.parentElement.contains(before)) buttons.at(-1).focus();
  }
}
