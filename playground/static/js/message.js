// One message in one pane: built once, then patched where it differs.

import { avatar, die, fill, h, hue, icon } from "./dom.js";
import { richText } from "./entities.js";
import { Keyboard } from "./keyboard.js";
import { voicePlayer } from "./voice.js";
import { language, t } from "./texts.js";

// Browsers without the `v` flag show such messages at their usual size.
const ONLY_EMOJI = (() => {
  try {
    return new RegExp("^(?:\\p{RGI_Emoji}\\ufe0f?\\s*){1,3}$", "v");
  } catch {
    return /^$/;
  }
})();

export function clock(unix) {
  return new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(
    new Date(unix * 1000),
  );
}

function sizeText(bytes) {
  return bytes < 1024
    ? `${bytes} B`
    : bytes < 1048576
      ? `${(bytes / 1024).toFixed(1)} KB`
      : `${(bytes / 1048576).toFixed(1)} MB`;
}

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

export class MessageView {
  /**
   * `host`: `{world, personId, chat, reader, press(message, button), react(message, emoji), zoom(message), menu(message, element, event), goTo(id)}`.
   */
  constructor(host, message) {
    this.host = host;
    this.message = message;
    const mine = message.sender.id === host.personId && message.sender.kind === "person";
    const group = host.chat.type !== "private";
    if (message.kind === "service") {
      this.element = h(
        "div",
        { class: "service", dataset: { id: message.id }, tabIndex: -1 },
        h("span", { dir: "auto" }, this.#serviceText()),
      );
      return;
    }
    this.name =
      group && !mine ? h("div", { class: `name ${hue(message.sender.id)}`, dir: "auto" }, message.sender.name) : null;
    this.only = message.only_for === null ? null : h("div", { class: "only" }, icon("eye"), t("message.only"));
    this.quote = h("div", { class: "quote-place" });
    this.media = h("div", { class: "media" });
    this.text = h("div", { class: "text", dir: "auto" });
    this.reactions = h("div", { class: "reactions" });
    this.meta = h("span", { class: "meta" });
    this.bubble = h("div", { class: "bubble" });
    this.keyboard = new Keyboard((button) => host.press(this.message, button));
    const more = h(
      "button",
      {
        type: "button",
        class: "more",
        tabIndex: -1,
        "aria-label": t("message.menu"),
        title: t("message.menu"),
        on: { click: () => host.menu(this.message, more) },
      },
      icon("more"),
    );
    this.element = h(
      "article",
      {
        class: "message",
        dataset: { id: message.id },
        tabIndex: -1,
        "aria-label": message.sender.name,
        on: {
          contextmenu: (event) => {
            if (event.target.closest("a, img") && event.pointerType === "mouse" && event.shiftKey) return;
            event.preventDefault();
            host.menu(this.message, this.element, event);
          },
        },
      },
      h(
        "div",
        { class: "body" },
        h(
          "div",
          { class: "bubble-place" },
          group && !mine
            ? avatar(message.sender.kind === "bot" ? "bot" : "person", message.sender.id, message.sender.name)
            : null,
          this.bubble,
        ),
        this.keyboard.element,
      ),
      more,
    );
    this.element.classList.add(mine ? "mine" : "theirs", group ? "in-group" : "in-private");
    this.#drawMedia(null);
    this.#drawQuote();
    this.#drawBubble();
    this.#drawKeyboard();
  }

  patch(message) {
    const old = this.message;
    this.message = message;
    if (message.kind === "service") {
      fill(this.element, h("span", { dir: "auto" }, this.#serviceText()));
      return;
    }
    if (old.kind !== message.kind || !same(old.media, message.media) || !same(old.dice, message.dice))
      this.#drawMedia(old);
    if (!same(old.reply_to, message.reply_to)) this.#drawQuote();
    if (
      old.text !== message.text ||
      !same(old.entities, message.entities) ||
      !same(old.reactions, message.reactions) ||
      old.edit_date !== message.edit_date ||
      old.caption_above !== message.caption_above ||
      old.kind !== message.kind
    )
      this.#drawBubble();
    this.#drawKeyboard();
  }

  spin() {
    this.keyboard?.spin(this.host.world.waiting(this.host.personId, this.message));
  }

  #drawKeyboard() {
    const { keyboard } = this.message;
    this.keyboard.update(keyboard, this.host.world.waiting(this.host.personId, this.message));
    const columns = Math.max(0, ...keyboard.map((row) => row.length));
    this.element.classList.toggle("keyed", columns > 0);
    this.element.classList.toggle("wide", columns > 2);
  }

  #drawQuote() {
    const reply = this.message.reply_to;
    fill(
      this.quote,
      reply
        ? h(
            "button",
            { type: "button", class: "quote", on: { click: () => this.host.goTo(reply.message_id) } },
            h("b", { dir: "auto" }, reply.name),
            h("span", { dir: "auto" }, reply.text || t("message.media")),
          )
        : null,
    );
  }

  #drawBubble() {
    const { message } = this;
    fill(this.text, message.text ? richText(message.text, message.entities, this.host.reader) : null);
    this.#drawReactions();
    fill(
      this.meta,
      message.silent
        ? h(
            "span",
            { class: "silent", role: "img", "aria-label": t("message.silent"), title: t("message.silent") },
            icon("bellOff"),
          )
        : null,
      message.protected
        ? h("span", { role: "img", "aria-label": t("message.protected"), title: t("message.protected") }, icon("lock"))
        : null,
      message.edit_date ? h("span", { class: "edited" }, t("message.edited")) : null,
      h("time", { datetime: new Date(message.date * 1000).toISOString() }, clock(message.date)),
    );
    if (message.reactions.length) this.reactions.append(this.meta);
    else this.text.append(this.meta);
    const textual = message.text || message.reactions.length;
    const parts = message.caption_above ? [this.text, this.media] : [this.media, this.text];
    fill(
      this.bubble,
      this.name,
      this.only,
      this.quote,
      message.media || message.dice ? parts : this.text,
      message.reactions.length ? this.reactions : null,
    );
    this.bubble.className =
      `bubble kind-${message.kind}${textual ? "" : " bare"}${message.only_for === null ? "" : " ephemeral"}` +
      `${message.kind === "text" && ONLY_EMOJI.test(message.text) && !message.entities.length ? " jumbo" : ""}`;
  }

  #drawReactions() {
    fill(
      this.reactions,
      this.message.reactions.map(({ emoji, by }) => {
        const mine = by.includes(this.host.personId);
        return h(
          "button",
          {
            type: "button",
            class: "reaction",
            "aria-pressed": String(mine),
            title: by.map((id) => this.host.world.nameOf(id)).join("、"),
            on: { click: () => this.host.react(this.message, mine ? null : emoji) },
          },
          `${emoji} ${by.length}`,
        );
      }),
    );
  }

  #drawMedia(old) {
    const { kind, media, dice } = this.message;
    if (kind === "photo" && old?.kind === "photo" && this.image) {
      if (old.media.url !== media.url) this.#swap(media);
      return;
    }
    this.image = null;
    if (dice) fill(this.media, this.#dice(dice));
    else if (kind === "photo") fill(this.media, this.#photo(media));
    else if (kind === "voice") fill(this.media, voicePlayer(media));
    else if (kind === "animation") {
      fill(
        this.media,
        media.mime_type?.startsWith("video/")
          ? h("video", { src: media.url, loop: true, autoplay: true, muted: true, playsinline: true, class: "photo" })
          : h("img", { src: media.url, alt: t("message.animation"), class: "photo" }),
      );
    } else if (media) {
      fill(
        this.media,
        h(
          "a",
          { class: "document", href: media.url, download: media.file_name ?? "" },
          h("span", { class: "document-icon" }, icon("file")),
          h(
            "span",
            { class: "document-name" },
            h("b", { dir: "auto" }, media.file_name ?? t("message.file")),
            h("small", {}, sizeText(media.size)),
          ),
        ),
      );
    } else fill(this.media);
  }

  #photo(media) {
    this.image = h("img", { src: media.url, alt: t("message.photo"), decoding: "async", draggable: "false" });
    const button = h(
      "button",
      {
        type: "button",
        class: "photo",
        "aria-label": t("message.zoom"),
        on: {
          click: () => {
            if (button.classList.contains("veiled")) button.classList.remove("veiled");
            else this.host.zoom(this.message);
          },
        },
      },
      this.image,
    );
    button.classList.toggle("veiled", Boolean(media.spoiler));
    this.#shape(media);
    return button;
  }

  // The place is kept before the picture is there, so that nothing jumps.
  #shape(media) {
    const { width, height } = media;
    if (!width || !height) return;
    this.image.width = width;
    this.image.height = height;
    this.image.style.aspectRatio = `${width} / ${Math.min(height, width * 1.6)}`;
  }

  // The old picture stays until the new one is decoded: no blink at an edit.
  async #swap(media) {
    const next = new Image();
    next.src = media.url;
    try {
      await next.decode();
    } catch {
      // Shown all the same: the browser then says what is wrong with it.
    }
    if (this.message.media?.url !== media.url || !this.image) return;
    this.image.src = media.url;
    this.#shape(media);
  }

  #dice({ emoji, value }) {
    const face = emoji === "🎲" ? die(value) : h("span", { class: "dice-emoji" }, emoji);
    return h(
      "div",
      {
        class: "dice",
        role: "img",
        "aria-label": `${emoji} ${value}`,
        title: `${emoji} ${value}`,
      },
      face,
      h("span", { class: "dice-value", "aria-hidden": "true" }, String(value)),
    );
  }

  #serviceText() {
    const { service, sender } = this.message;
    const { world } = this.host;
    const names = service.people.map((id) => world.nameOf(id)).join("、");
    const alone = service.people.length === 1 && service.people[0] === sender.id;
    const key = { joined: alone ? "joined" : "added", left: alone ? "left" : "removed" }[service.kind] ?? service.kind;
    return t(`service.${key}`, { who: sender.name, people: names, text: service.text ?? "" });
  }
}
