// The page: one pane a person, the bar above, the drawer beside.

import { Follower, post } from "./control.js";
import { avatar, fill, h, icon, iconButton } from "./dom.js";
import { Drawer } from "./drawer.js";
import { tickRelativeTimes } from "./entities.js";
import { groupForm, personForm } from "./forms.js";
import { Pane } from "./pane.js";
import { confirm, popup } from "./popup.js";
import { ding } from "./sound.js";
import { LANGUAGES, chooseLanguage, language, languageName, loadTexts, t } from "./texts.js";
import { Welcome, soloist } from "./welcome.js";
import { World } from "./world.js";

const PANE_PX = 288;
const DRAWER_PX = 400;
const EDGE_PX = 30;

// Small wishes of this browser: theme, sound, layout.
const wish = {
  get: (name) => localStorage.getItem(`playground.${name}`),
  set: (name, value) => localStorage.setItem(`playground.${name}`, value),
};

// Which chats are open, in this window: for when it is loaded anew.
const opened = {
  get: (name) => Number(sessionStorage.getItem(`playground.open.${name}`)) || null,
  set: (name, id) => sessionStorage.setItem(`playground.open.${name}`, id),
};

class App {
  constructor() {
    this.world = new World();
    this.panes = new Map();
    this.hidden = new Set();
    this.current = opened.get("current");
    this.first = 0;
    this.sound = wish.get("sound") === "on";
    this.single = wish.get("layout") === "single";
    this.welcome = new Welcome(this);
    this.drawer = new Drawer(this.world);
    this.drawer.onToggle = (open) => {
      this.tools.setAttribute("aria-pressed", String(open));
      this.arrange();
    };
    this.#theme(wish.get("theme"));
    this.#build();
    this.#listen();
    new Follower({
      onState: (state, renewed) => this.world.load(state, renewed),
      onEvent: (name, data) => this.world.apply(name, data),
      onLine: (connected) => this.#online(connected),
    }).start();
    setInterval(() => this.#second(), 1000);
    new ResizeObserver(() => this.arrange()).observe(document.body);
  }

  #build() {
    this.status = h("small", { role: "status" });
    this.chips = h("div", { class: "chips", role: "group", "aria-label": t("bar.people") });
    this.chips.addEventListener("scroll", () => this.#edges(), { passive: true });
    this.chips.addEventListener("wheel", (event) => this.#wheel(event), { passive: true });
    this.groupSelect = h("select", { "aria-label": t("bar.group"), on: { change: () => this.#everyone("group") } });
    this.switcher = h(
      "div",
      { class: "segmented", role: "group", "aria-label": t("bar.everyone") },
      h(
        "button",
        { type: "button", title: t("bar.all_group"), on: { click: () => this.#everyone("group") } },
        icon("group"),
        h("span", {}, t("bar.group_chat")),
      ),
      h(
        "button",
        { type: "button", title: t("bar.all_private"), on: { click: () => this.#everyone("private") } },
        icon("person"),
        h("span", {}, t("bar.private_chat")),
      ),
    );
    this.soundButton = iconButton("speakerOff", t("bar.sound"), () => this.#setSound(!this.sound));
    this.layoutButton = iconButton("columns", t("bar.layout"), () => this.#setLayout(!this.single));
    this.themeButton = iconButton("moon", t("bar.theme"), () => this.#theme(this.dark ? "light" : "dark"));
    this.tools = iconButton("tools", t("bar.tools"), () => this.drawer.toggle(), { "aria-pressed": "false" });
    this.more = iconButton("more", t("bar.more"), () => this.#menu());
    const bar = h(
      "header",
      { class: "bar" },
      h(
        "div",
        { class: "brand" },
        h("span", { class: "tile", "aria-hidden": "true" }, "中"),
        h("div", {}, h("h1", {}, t("bar.title")), this.status),
      ),
      this.chips,
      h("div", { class: "bar-chats" }, this.switcher, this.groupSelect),
      h(
        "div",
        { class: "bar-tools" },
        iconButton("addPerson", t("person.add"), () => personForm(this.world)),
        iconButton("addGroup", t("group.add"), () => this.#addGroup()),
        this.layoutButton,
        this.soundButton,
        this.themeButton,
        this.tools,
      ),
      this.more,
    );
    this.row = h("main", { class: "panes", "aria-label": t("bar.phones") });
    this.trouble = h("p", { class: "trouble", hidden: true });
    this.splash = h("p", { class: "splash", role: "status" }, t("bar.connecting"));
    fill(document.body, h("div", { class: "top" }, bar, this.trouble), h("div", { class: "desk" }, this.row, this.drawer.element), this.splash);
    this.#setSound(this.sound);
    this.#setLayout(this.single);
    this.#theme(wish.get("theme"));
  }

  #listen() {
    const { world } = this;
    const each = (action) => (data) => {
      for (const pane of this.panes.values()) action(pane, data);
    };
    world.on("state", ({ renewed }) => {
      this.splash.hidden = true;
      this.#people(renewed);
      this.#refreshBar();
      this.welcome.consider();
    });
    world.on(
      "message",
      each((pane, { chat, message }) => pane.onMessage(chat, message)),
    );
    world.on(
      "edited",
      each((pane, { chat, message }) => pane.onEdited(chat, message)),
    );
    world.on(
      "deleted",
      each((pane, { chat, ids }) => pane.onDeleted(chat, ids)),
    );
    world.on(
      "older",
      each((pane, { chat, messages }) => pane.onOlder(chat, messages)),
    );
    world.on(
      "callback",
      each((pane, callback) => pane.onCallback(callback)),
    );
    world.on(
      "unread",
      each((pane, { chat }) => pane.showUnread(chat)),
    );
    world.on("unread", () => this.#unread());
    world.on(
      "typing",
      each((pane, { chat_id }) => {
        const chat = world.chats.get(chat_id);
        if (chat) pane.showTyping(chat);
      }),
    );
    for (const name of ["chat", "chat_removed", "person", "bot"]) {
      world.on(name, () => {
        if (name === "person") this.#people();
        else for (const pane of this.panes.values()) pane.refresh();
        this.#refreshBar();
      });
    }
    world.on("person_removed", () => {
      this.#people();
      this.#refreshBar();
    });
    document.addEventListener("visibilitychange", () => this.#look());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#theme(wish.get("theme")));
  }

  // A pane for each person; those that are there already are kept. `renewed`: given after a reload of the whole state.
  #people(renewed = null) {
    for (const [id, pane] of this.panes) {
      if (this.world.people.has(id)) continue;
      pane.element.remove();
      this.panes.delete(id);
    }
    for (const id of this.world.people.keys()) {
      if (this.panes.has(id)) {
        if (renewed === null) this.panes.get(id).refresh();
        else this.panes.get(id).reload(renewed);
      } else {
        this.panes.set(id, new Pane(this, id));
        this.row.append(this.panes.get(id).element);
      }
    }
    this.arrange();
  }

  /** Decides which panes stand side by side: as many as fit, the current one among them. */
  arrange() {
    const width =
      document.body.clientWidth - (this.drawer.element.hidden || document.body.clientWidth < 900 ? 0 : DRAWER_PX);
    const shown = [...this.panes.values()].filter((pane) => !this.hidden.has(pane.personId));
    const fit = this.single ? 1 : Math.max(1, Math.floor((width - 8) / PANE_PX));
    const at = Math.max(
      0,
      shown.findIndex((pane) => pane.personId === this.current),
    );
    this.first = Math.max(0, Math.min(Math.max(Math.min(this.first, at), at - fit + 1), shown.length - fit));
    const visible = new Set(shown.slice(this.first, this.first + fit));
    document.body.classList.toggle("one", fit === 1);
    document.body.classList.toggle("narrow", document.body.clientWidth < 700);
    for (const pane of this.panes.values()) {
      const was = pane.element.hidden;
      pane.element.hidden = !visible.has(pane);
      if (was && !pane.element.hidden) pane.views.get(pane.active)?.shown();
    }
    this.#chips();
    this.#reveal();
  }

  // The chips of those in front come into sight, that of the current one above all.
  #reveal() {
    const pressed = [...this.chips.children].filter((chip) => chip.getAttribute("aria-pressed") === "true");
    const wanted = pressed.find((chip) => Number(chip.dataset.person) === this.current);
    const row = this.chips.getBoundingClientRect();
    for (const chip of [pressed.at(-1), pressed[0], wanted]) {
      if (!chip) continue;
      const box = chip.getBoundingClientRect();
      if (box.left < row.left + EDGE_PX) this.chips.scrollLeft += box.left - row.left - EDGE_PX;
      else if (box.right > row.right - EDGE_PX) this.chips.scrollLeft += box.right - row.right + EDGE_PX;
    }
    this.#edges();
  }

  // Where the row of chips goes on beyond its ends, it fades.
  #edges() {
    const { scrollLeft, scrollWidth, clientWidth } = this.chips;
    this.chips.classList.toggle("cut-start", scrollLeft > 1);
    this.chips.classList.toggle("cut-end", scrollLeft < scrollWidth - clientWidth - 1);
  }

  // A mouse's wheel turns one way only.
  #wheel({ deltaX, deltaY, shiftKey }) {
    if (!deltaX && !shiftKey) this.chips.scrollLeft += deltaY;
  }

  #look() {
    for (const pane of this.panes.values()) pane.seen(pane.views.get(pane.active));
  }

  #chips() {
    const people = [...this.world.people.values()];
    const known = new Map([...this.chips.children].map((chip) => [Number(chip.dataset.person), chip]));
    this.chips.replaceChildren(
      ...people.map((person) => {
        const chip =
          known.get(person.id) ??
          h("button", {
            type: "button",
            class: "chip",
            dataset: { person: person.id },
            on: { click: () => this.show(person.id) },
          });
        if (chip.dataset.name !== person.name) {
          chip.dataset.name = person.name;
          fill(
            chip,
            avatar("person", person.id, person.name),
            h("span", { dir: "auto", class: "chip-name" }, person.name),
            h("span", { class: "badge", hidden: true }),
          );
          chip.title = person.name;
          chip.setAttribute("aria-label", person.name);
        }
        chip.setAttribute("aria-pressed", String(!this.panes.get(person.id)?.element.hidden));
        return chip;
      }),
    );
    this.#unread();
    // Names only if there is room for all of them.
    this.chips.classList.remove("tight");
    this.chips.classList.toggle("tight", this.chips.scrollWidth > this.chips.clientWidth);
    this.#edges();
  }

  #unread() {
    let all = 0;
    for (const chip of this.chips.children) {
      const pane = this.panes.get(Number(chip.dataset.person));
      const count = pane?.unread() ?? 0;
      all += count;
      const badge = chip.querySelector(".badge");
      badge.hidden = count === 0 || !pane.element.hidden;
      badge.textContent = count > 99 ? "99+" : count;
    }
    document.title = (all ? `(${all}) ` : "") + t("bar.title");
  }

  /** Brings a person's pane into sight. */
  show(personId) {
    this.hidden.delete(personId);
    this.current = personId;
    opened.set("current", personId);
    this.arrange();
    const { element } = this.panes.get(personId);
    element.classList.remove("here");
    void element.offsetWidth;
    element.classList.add("here");
  }

  hidePane(personId) {
    if (this.hidden.size < this.panes.size - 1) this.hidden.add(personId);
    this.arrange();
  }

  /** A pane rang: its chip too, and the bell if sound is on. */
  rang(pane) {
    const chip = this.chips.querySelector(`[data-person="${pane.personId}"]`);
    if (chip && pane.element.hidden) {
      chip.classList.remove("ring");
      void chip.offsetWidth;
      chip.classList.add("ring");
    }
    if (this.sound) ding();
  }

  #everyone(kind) {
    const group = Number(this.groupSelect.value);
    for (const pane of this.panes.values()) {
      const id = kind === "private" ? pane.personId : group;
      if (this.world.chatsOf(pane.personId).some((chat) => chat.id === id)) pane.open(id);
    }
  }

  /** The chat that a person had open before the page was loaded anew. */
  lastOpen(personId) {
    return opened.get(personId);
  }

  opens(personId, chatId) {
    opened.set(personId, chatId);
  }

  /** A newcomer has chosen: to be one person alone with the bot, or all the people of a group. */
  take(offer) {
    if (offer.start) {
      const person = soloist([...this.world.people.values()]);
      if (!person) return;
      this.#setLayout(true);
      this.show(person.id);
      this.panes.get(person.id).begin(offer);
      return;
    }
    const { bot } = this.world;
    const group = this.world.groups().find((chat) => this.world.statusIn(chat, bot.id) !== null);
    const inside = group && [...this.panes.values()].filter((pane) => this.world.statusIn(group, pane.personId) !== null);
    if (!inside?.length) return;
    const own = inside.map((pane) => this.world.people.get(pane.personId));
    const first = this.panes.get(soloist(own).id);
    this.#setLayout(false);
    this.groupSelect.value = group.id;
    this.#everyone("group");
    this.show(first.personId);
    first.begin(offer);
  }

  #addGroup() {
    groupForm(this.world, (chat) => {
      this.wanted = chat.id;
      this.#refreshBar();
    });
  }

  #refreshBar() {
    const groups = this.world.groups();
    const before = Number(this.groupSelect.value);
    fill(
      this.groupSelect,
      groups.map((chat) => h("option", { value: chat.id }, chat.title)),
    );
    if (groups.some((chat) => chat.id === before)) this.groupSelect.value = before;
    if (groups.some((chat) => chat.id === this.wanted)) {
      this.groupSelect.value = this.wanted;
      this.wanted = null;
      this.#everyone("group");
    }
    this.groupSelect.hidden = groups.length < 2;
    this.#chips();
    this.#status();
  }

  #online(connected) {
    this.connected = connected;
    this.#status();
  }

  #status() {
    const { bot } = this.world;
    const state = this.connected === false ? "lost" : bot.polling ? "on" : "idle";
    this.status.className = state;
    const text =
      state === "lost" ? t("bar.lost") : t(bot.polling ? "bar.polling" : "bar.no_bot", { bot: `@${bot.username}` });
    fill(this.status, text);
    // On a small screen the status has no room: there a line of its own says what is wrong.
    this.trouble.hidden = state === "on";
    fill(this.trouble, text);
  }

  #second() {
    tickRelativeTimes(this.world.now());
    for (const [id, until] of this.world.typing) {
      if (until > this.world.now()) continue;
      this.world.typing.delete(id);
      this.world.emit("typing", { chat_id: id });
    }
  }

  #theme(name) {
    this.dark = name ? name === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    if (name) wish.set("theme", name);
    document.documentElement.dataset.theme = this.dark ? "dark" : "light";
    if (this.themeButton) fill(this.themeButton, icon(this.dark ? "sun" : "moon"));
  }

  #setSound(on) {
    this.sound = on;
    wish.set("sound", on ? "on" : "off");
    this.soundButton.setAttribute("aria-pressed", String(on));
    fill(this.soundButton, icon(on ? "speaker" : "speakerOff"));
  }

  #setLayout(single) {
    this.single = single;
    wish.set("layout", single ? "single" : "columns");
    this.layoutButton.setAttribute("aria-pressed", String(single));
    fill(this.layoutButton, icon(single ? "single" : "columns"));
    this.arrange();
  }

  #menu() {
    const small = document.body.clientWidth < 1000;
    popup(this.more, [
      ...(small
        ? [
            { icon: "group", label: t("bar.all_group"), run: () => this.#everyone("group") },
            { icon: "person", label: t("bar.all_private"), run: () => this.#everyone("private") },
            { icon: "addPerson", label: t("person.add"), run: () => personForm(this.world) },
            { icon: "addGroup", label: t("group.add"), run: () => this.#addGroup() },
            { icon: "speaker", label: t("bar.sound"), checked: this.sound, run: () => this.#setSound(!this.sound) },
            {
              icon: this.dark ? "sun" : "moon",
              label: t("bar.theme"),
              run: () => this.#theme(this.dark ? "light" : "dark"),
            },
            { icon: "tools", label: t("bar.tools"), run: () => this.drawer.toggle() },
          ]
        : []),
      ...LANGUAGES.map((code) => ({
        icon: "globe",
        label: languageName(code.toLowerCase()),
        checked: code === language,
        run: () => chooseLanguage(code),
      })),
      this.world.offers ? { icon: "play", label: t("welcome.again"), run: () => this.welcome.open() } : null,
      {
        icon: "reset",
        label: t("bar.reset"),
        danger: true,
        run: () => confirm(t("bar.reset"), t("bar.reset_sure"), t("bar.reset_do"), () => post("reset")),
      },
    ]);
  }
}

await loadTexts();
new App();
