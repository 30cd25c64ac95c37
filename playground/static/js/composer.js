// The foot of a pane: START or restart where Telegram shows them, else the line to write in with its command menu.

import { get } from "./control.js";
import { fill, h, icon, iconButton } from "./dom.js";
import { t } from "./texts.js";

// With a finger a keyboard would come up and cover what was asked for.
const finger = () => matchMedia("(pointer: coarse)").matches;

export class Composer {
  /** `pane` sends: `say(text)`, `start(payload)`, `unblock()`. */
  constructor(pane) {
    this.pane = pane;
    this.view = null;
    this.commands = [];
    this.matches = [];
    this.chosen = 0;
    this.outside = (event) => {
      if (!this.element.contains(event.target)) this.#close();
    };
    const id = `suggest-${pane.personId}`;
    this.menuButton = h("button", {
      type: "button",
      class: "menu-button",
      "aria-label": t("composer.menu"),
      title: t("composer.menu"),
      on: { click: () => this.toggleMenu() },
    });
    this.input = h("textarea", {
      rows: 1,
      maxlength: 4096,
      dir: "auto",
      "aria-autocomplete": "list",
      "aria-controls": id,
      on: {
        input: () => this.#changed(),
        keydown: (event) => this.#keys(event),
        blur: () =>
          setTimeout(() => {
            if (!this.element.contains(document.activeElement)) this.#close();
          }, 150),
      },
    });
    this.sendButton = iconButton("send", t("composer.send"), () => this.send(), { class: "send" });
    this.list = h("div", { class: "suggest", role: "listbox", id, "aria-label": t("composer.menu"), hidden: true });
    this.replyBar = h("div", { class: "reply-bar", hidden: true });
    this.line = h("div", { class: "line" }, this.menuButton, this.input, this.sendButton);
    this.big = h("button", { type: "button", class: "big" });
    this.note = h("div", { class: "note" });
    this.element = h("div", { class: "composer" }, this.list, this.replyBar, this.line, this.big, this.note);
  }

  /** Shows the foot for a chat; keeps what was written in the one before. */
  open(view) {
    if (this.view) this.view.draft.text = this.input.value;
    this.view = view;
    this.input.value = view.draft.text;
    this.#close();
    this.refresh();
    this.#grow();
  }

  refresh() {
    const { chat } = this.view;
    const { world, personId } = this.pane;
    const single = chat.type === "private";
    const payload = this.pane.payload;
    let big = null;
    let note = "";
    if (single && chat.blocked) big = { text: t("composer.restart"), run: () => this.pane.unblock() };
    else if (single && (!chat.started || payload !== null))
      big = { text: t("composer.start"), run: () => this.pane.start(payload ?? "") };
    else if (!single && !["creator", "administrator", "member", "restricted"].includes(world.statusIn(chat, personId)))
      note = t("composer.not_member");
    const topic = chat.is_forum ? chat.topics.find((one) => one.id === this.view.thread) : null;
    if (topic?.closed && !["creator", "administrator"].includes(world.statusIn(chat, personId)))
      note = t("composer.closed");
    this.big.hidden = !big;
    if (big) {
      fill(this.big, big.text);
      this.big.onclick = big.run;
    }
    this.note.hidden = !note;
    fill(this.note, note);
    this.line.hidden = Boolean(big || note);
    fill(this.menuButton, single ? [icon("menu"), h("span", {}, t("composer.menu_short"))] : "/");
    this.menuButton.classList.toggle("pill", single);
    this.input.placeholder = t(this.pane.hidden ? "composer.anonymous" : "composer.placeholder");
    this.input.setAttribute("aria-label", t("composer.label", { chat: single ? world.bot.first_name : chat.title }));
    this.#showReply();
    this.#sendable();
  }

  reply(message) {
    this.view.draft.reply = message;
    this.#showReply();
    this.input.focus();
  }

  #showReply() {
    const reply = this.view.draft.reply;
    this.replyBar.hidden = !reply || this.line.hidden;
    if (!reply) return;
    fill(
      this.replyBar,
      icon("reply"),
      h(
        "span",
        {},
        h("b", { dir: "auto" }, reply.sender.name),
        h("small", { dir: "auto" }, reply.text || t("message.media")),
      ),
      iconButton("close", t("composer.no_reply"), () => {
        this.view.draft.reply = null;
        this.#showReply();
      }),
    );
  }

  send(text = this.input.value) {
    const words = text.trim();
    if (!words) return;
    const reply = this.view.draft.reply;
    this.view.draft.reply = null;
    if (text === this.input.value || this.matches.length) this.input.value = "";
    this.#showReply();
    this.#close();
    this.#grow();
    this.#sendable();
    this.pane.say(words, reply?.id);
  }

  #changed() {
    this.#grow();
    this.#sendable();
    const match = /^\/([\w@]*)$/.exec(this.input.value);
    if (match) this.#suggest(match[1].toLowerCase());
    else this.#close();
  }

  #sendable() {
    this.sendButton.disabled = !this.input.value.trim();
  }

  #grow() {
    this.input.style.height = "auto";
    if (this.input.scrollHeight) this.input.style.height = `${Math.min(this.input.scrollHeight, 120)}px`;
  }

  /** Opens or closes the command menu. */
  toggleMenu() {
    if (this.list.hidden) {
      if (!finger()) this.input.focus();
      this.#suggest("");
    } else this.#close();
  }

  // The commands that Telegram would suggest to this person in this chat.
  async #suggest(start) {
    const { chat } = this.view;
    this.asked = start;
    try {
      this.commands = await get("commands", { person_id: this.pane.personId, chat_id: chat.id });
    } catch {
      this.commands = [];
    }
    if (this.view.chat !== chat || this.asked !== start) return;
    this.matches = this.commands.filter(({ command }) => command.startsWith(start.split("@")[0]));
    this.chosen = 0;
    fill(
      this.list,
      this.matches.length
        ? this.matches.map(({ command, description }, number) =>
            h(
              "button",
              {
                type: "button",
                role: "option",
                tabIndex: -1,
                id: `${this.list.id}-${number}`,
                class: "suggestion",
                on: { pointerdown: (event) => event.preventDefault(), click: () => this.#pick(number) },
              },
              h("b", {}, `/${command}`),
              h("span", { dir: "auto" }, description),
            ),
          )
        : h("div", { class: "suggest-none" }, t("composer.no_commands")),
    );
    this.list.hidden = !this.matches.length && start !== "";
    document.addEventListener("pointerdown", this.outside);
    this.#mark();
  }

  #mark() {
    [...this.list.children].forEach((option, number) =>
      option.setAttribute("aria-selected", String(number === this.chosen)),
    );
    const option = this.matches.length ? this.list.children[this.chosen] : null;
    if (option) {
      this.input.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    }
  }

  #close() {
    this.asked = null;
    this.matches = [];
    this.list.hidden = true;
    document.removeEventListener("pointerdown", this.outside);
    this.input.removeAttribute("aria-activedescendant");
  }

  // As Telegram's apps do: a chosen command goes out at once, in a group with the bot's name.
  #pick(number) {
    const { command } = this.matches[number];
    this.send(`/${command}${this.view.chat.type === "private" ? "" : `@${this.pane.world.bot.username}`}`);
    if (!finger()) this.input.focus();
  }

  #keys(event) {
    if (event.isComposing) return;
    const open = !this.list.hidden && this.matches.length;
    if (open && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      this.chosen = (this.chosen + (event.key === "ArrowDown" ? 1 : this.matches.length - 1)) % this.matches.length;
      this.#mark();
    } else if (open && event.key === "Tab" && !event.shiftKey) {
      event.preventDefault();
      this.input.value = `/${this.matches[this.chosen].command} `;
      this.#changed();
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      if (open) this.#pick(this.chosen);
      else this.send();
    } else if (event.key === "Escape") {
      if (!this.list.hidden) this.#close();
      else if (this.view.draft.reply) {
        this.view.draft.reply = null;
        this.#showReply();
      }
    }
  }
}
