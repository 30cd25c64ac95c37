// The messages of one chat as one person sees them: a scrolling log that stays at the bottom unless the reader went up.

import { fill, gently, h, iconButton } from "./dom.js";
import { localeOf } from "./entities.js";
import { MessageView } from "./message.js";
import { language, t } from "./texts.js";
import { worded } from "./welcome.js";

const NEAR_PX = 60;
const TOGETHER_S = 600;
const ARRIVAL_MS = 1500;

export class ChatView {
  /** `pane`: the pane that shows it; see MessageView for what it must offer. */
  constructor(pane, chat) {
    this.pane = pane;
    this.world = pane.world;
    this.personId = pane.personId;
    this.chat = chat;
    this.thread = chat.is_forum ? 1 : null;
    this.views = new Map();
    this.byElement = new WeakMap();
    this.below = 0;
    this.loading = false;
    this.draft = { text: "", reply: null };
    this.list = h("div", { class: "list" });
    this.empty = h("div", { class: "empty" });
    this.log = h(
      "div",
      { class: "log", role: "log", "aria-live": "off", tabIndex: 0, on: { keydown: (event) => this.#keys(event) } },
      this.empty,
      this.list,
    );
    this.toBottom = iconButton("down", t("chat.bottom"), () => this.bottom(true), { class: "to-bottom" });
    this.count = this.toBottom.appendChild(h("span", { class: "badge" }));
    this.element = h("div", { class: "chat" }, this.log, this.toBottom);
    this.stuck = true;
    this.log.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    this.heights = "";
    const keep = new ResizeObserver(() => this.#resized());
    keep.observe(this.list);
    keep.observe(this.log);
    this.redraw();
  }

  /** Whether the newest message stays in sight, whatever comes or goes. */
  get stuck() {
    return this.log.classList.contains("stuck");
  }
  set stuck(stays) {
    this.log.classList.toggle("stuck", stays);
  }

  get reader() {
    return {
      language: localeOf(this.world.people.get(this.personId)?.language_code),
      now: () => this.world.now(),
      onLink: (url) => this.pane.openLink(url),
      onCommand: (text) => this.pane.say(text),
      onMention: (name) => this.pane.openMention(name),
    };
  }

  press(message, button) {
    this.pane.press(message, button);
  }
  react(message, emoji) {
    this.pane.react(message, emoji);
  }
  zoom(message) {
    this.pane.zoom(message);
  }
  menu(message, element, event) {
    this.pane.messageMenu(message, element, event);
  }

  /** After a reload of the state, or another topic: the same messages keep their elements. */
  redraw(clear = false) {
    const wanted = [...this.chat.messages.values()].filter((message) => this.#belongs(message));
    const ids = new Set(wanted.map((message) => message.id));
    for (const id of [...this.views.keys()]) if (clear || !ids.has(id)) this.#take(id);
    const known = [...this.views.keys()];
    // Only appended or patched in the usual case; one that is missing in between makes a fresh list. (The ids do not tell
    // the order: those of ephemeral messages are negative.)
    if (known.some((id, place) => wanted[place].id !== id)) for (const id of known) this.#take(id);
    for (const message of wanted) {
      if (this.views.has(message.id)) this.views.get(message.id).patch(message);
      else this.add(message, false);
    }
    this.showEmpty();
    if (this.stuck) this.bottom();
  }

  #belongs(message) {
    if (!this.world.shows(message, this.personId)) return false;
    return !this.chat.is_forum || (message.thread_id ?? 1) === this.thread;
  }

  chooseThread(id) {
    this.thread = id;
    this.stuck = true;
    this.redraw(true);
  }

  /** A message that has come; says whether it is shown here. */
  add(message, fresh = true) {
    if (!this.#belongs(message)) return false;
    const view = new MessageView(this, message);
    this.views.set(message.id, view);
    this.byElement.set(view.element, view);
    const before = this.#lastView();
    if (!before || dayOf(before.message) !== dayOf(message))
      this.list.append(h("div", { class: "day" }, h("span", {}, dayName(message.date))));
    if (fresh) {
      // It arrives once, not again whenever its chat is opened.
      view.element.classList.add("fresh");
      setTimeout(() => view.element.classList.remove("fresh"), ARRIVAL_MS);
    }
    this.list.append(view.element);
    if (before) this.#joints(before.element);
    this.#joints(view.element);
    if (fresh) {
      this.showEmpty();
      if (message.sender.id === this.personId) this.bottom();
      else if (!this.stuck) {
        this.below += 1;
        this.#count();
      }
    }
    return true;
  }

  edit(message) {
    this.views.get(message.id)?.patch(message);
  }

  remove(ids) {
    for (const id of ids) this.#take(id);
    this.showEmpty();
  }

  spin(messageId) {
    this.views.get(messageId)?.spin();
  }

  #take(id) {
    const view = this.views.get(id);
    if (!view) return;
    const { previousElementSibling: before, nextElementSibling: after } = view.element;
    view.element.remove();
    this.views.delete(id);
    if (before?.classList.contains("day") && (!after || after.classList.contains("day"))) before.remove();
    else if (before) this.#joints(before);
    if (after) this.#joints(after);
  }

  /** Older messages that were fetched go on top; what the reader looks at stays where it is. */
  prepend(messages) {
    const shown = messages.filter((message) => this.#belongs(message));
    if (!shown.length) return;
    const fromBottom = this.log.scrollHeight - this.log.scrollTop;
    const rest = [...this.views];
    const kept = [...this.list.children];
    const firstDay = kept[0]?.classList.contains("day") ? kept[0] : null;
    this.views = new Map();
    this.list.replaceChildren();
    for (const message of shown) this.add(message, false);
    if (firstDay && rest.length && dayOf(shown.at(-1)) === dayOf(rest[0][1].message)) kept.shift();
    for (const [id, view] of rest) this.views.set(id, view);
    this.list.append(...kept);
    for (const view of [this.views.get(shown.at(-1).id), rest[0]?.[1]]) if (view) this.#joints(view.element);
    this.log.scrollTop = this.log.scrollHeight - fromBottom;
  }

  // Consecutive messages of one sender stand together: the name above the first, the face beside the last.
  #joints(element) {
    const view = this.byElement.get(element);
    if (!view) return;
    element.classList.toggle("first", !this.#together(this.byElement.get(element.previousElementSibling), view));
    element.classList.toggle("last", !this.#together(view, this.byElement.get(element.nextElementSibling)));
  }

  #together(a, b) {
    return (
      Boolean(a && b) &&
      a.message.kind !== "service" &&
      b.message.kind !== "service" &&
      a.message.sender.id === b.message.sender.id &&
      a.message.only_for === b.message.only_for &&
      b.message.date - a.message.date < TOGETHER_S
    );
  }

  #lastView() {
    return this.byElement.get(this.list.lastElementChild);
  }

  /** In a chat where nobody has written yet: what the bot says of itself, or how to begin. */
  showEmpty() {
    this.empty.hidden = [...this.views.values()].some((view) => view.bubble);
    if (this.empty.hidden) return;
    const card = this.chat.type === "private" ? this.#botCard() : this.#groupCard();
    // The same card stays, with the focus and the finger that may be on it.
    if (!this.empty.firstChild?.isEqualNode(card)) fill(this.empty, card);
  }

  #botCard() {
    const { bot } = this.world;
    const { started, blocked } = this.chat;
    // Telegram shows the description in the reader's language, else the one for all others.
    const code = (this.world.people.get(this.personId)?.language_code ?? "").split("-")[0];
    const description = bot.descriptions[code] || bot.descriptions[""];
    return h(
      "div",
      { class: "empty-card", lang: description ? null : language },
      h("b", { dir: "auto" }, description ? t("chat.what") : bot.first_name),
      h("p", { dir: "auto" }, description || t("chat.press_start")),
      // Whoever came by a deep link has chosen already.
      started || blocked || this.pane.payload ? null : this.#choices("start"),
    );
  }

  #groupCard() {
    const { bot } = this.world;
    const choices = this.world.statusIn(this.chat, bot.id) === null ? null : this.#choices("say");
    return h(
      "div",
      { class: "empty-card", lang: language },
      h("b", { dir: "auto" }, t("chat.hello")),
      h("p", { dir: "auto" }, t("chat.hint")),
      choices ??
        h(
          "button",
          { type: "button", class: "solid", on: { click: () => this.pane.composer.toggleMenu() } },
          t("composer.menu"),
        ),
    );
  }

  // What one can begin with here: the offers that `start` the bot, or those that `say` something in a group.
  #choices(kind) {
    const offers = (this.world.offers?.offers ?? []).filter((offer) => offer[kind]);
    if (!offers.length) return null;
    const begin = async (offer, button) => {
      button.disabled = true;
      await this.pane.begin(offer);
      button.disabled = false;
    };
    return h(
      "div",
      { class: "choices", lang: language },
      offers.map((offer) =>
        h(
          "button",
          { type: "button", class: "solid", on: { click: (event) => begin(offer, event.currentTarget) } },
          worded(offer.title),
        ),
      ),
    );
  }

  /** To the newest message; `smooth` when a person asked for it. */
  bottom(smooth = false) {
    this.stuck = true;
    this.below = 0;
    this.#count();
    this.log.scrollTo({ top: this.log.scrollHeight, behavior: smooth ? gently() : "instant" });
    this.pane.seen(this);
  }

  /** Called when the pane shows this chat (again). */
  shown() {
    if (this.stuck) this.bottom();
    this.#scrolled();
  }

  goTo(id) {
    const view = this.views.get(id);
    if (!view) return;
    this.stuck = false;
    view.element.scrollIntoView({ block: "center", behavior: gently() });
    view.element.classList.remove("flash");
    requestAnimationFrame(() => view.element.classList.add("flash"));
  }

  #count() {
    this.count.textContent = this.below || "";
    this.count.hidden = this.below === 0;
    this.toBottom.classList.toggle("shown", !this.stuck);
  }

  // Something has another size: whoever was at the bottom stays there. Says whether that was so.
  #resized() {
    const heights = `${this.log.scrollHeight} ${this.log.clientHeight}`;
    const changed = heights !== this.heights;
    this.heights = heights;
    if (changed && this.stuck) this.log.scrollTop = this.log.scrollHeight;
    return changed && this.stuck;
  }

  #scrolled() {
    // The browser scrolls too, when sizes change, and says so before the observer does: that is not the reader.
    if (!this.log.clientHeight || this.#resized()) return;
    const { scrollTop, scrollHeight, clientHeight } = this.log;
    this.stuck = scrollHeight - scrollTop - clientHeight < NEAR_PX;
    if (this.stuck) {
      this.below = 0;
      this.pane.seen(this);
    }
    this.#count();
    if (scrollTop < 200 && !this.loading && !this.chat.whole && scrollHeight > clientHeight) {
      this.loading = true;
      this.world
        .older(this.chat, this.personId)
        .catch(() => {})
        .finally(() => {
          this.loading = false;
        });
    }
  }

  // Arrow keys go from message to message; Enter opens its menu, R replies.
  #keys(event) {
    const message = event.target.closest(".message");
    if (event.target !== this.log && event.target !== message) return;
    const shown = [...this.views.values()].filter((view) => view.bubble);
    const at = shown.findIndex((view) => view.element === message);
    if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      const next = at < 0 ? shown.at(-1) : shown[at + (event.key === "ArrowUp" ? -1 : 1)];
      if (!next) return;
      event.preventDefault();
      next.element.focus();
      next.element.scrollIntoView({ block: "nearest" });
    } else if (at >= 0 && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      this.menu(shown[at].message, message);
    } else if (at >= 0 && event.key.toLowerCase() === "r" && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      this.pane.reply(shown[at].message);
    }
  }
}

function dayOf(message) {
  return new Date(message.date * 1000).toDateString();
}

function dayName(unix) {
  const date = new Date(unix * 1000);
  const days = Math.round((new Date().setHours(0, 0, 0, 0) - new Date(date).setHours(0, 0, 0, 0)) / 86400000);
  if (days === 0) return t("chat.today");
  return new Intl.DateTimeFormat(language, {
    month: "long",
    day: "numeric",
    year: Math.abs(days) > 300 ? "numeric" : undefined,
  }).format(date);
}
