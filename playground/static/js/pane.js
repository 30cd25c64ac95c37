// One person's phone: their chats as tabs, the open chat, the composer, toasts and alerts.

import { ChatView } from "./chatview.js";
import { Composer } from "./composer.js";
import { post } from "./control.js";
import { avatar, fill, h, icon, iconButton } from "./dom.js";
import { botLink, localeOf } from "./entities.js";
import { addBotForm, personForm } from "./forms.js";
import { groupInfo } from "./groupinfo.js";
import { Overlay } from "./overlay.js";
import { confirm, popup, zoom } from "./popup.js";
import { languageName, t } from "./texts.js";

const REACTIONS = ["👍", "❤️", "😁", "🔥", "🎉", "😢"];

export class Pane {
  /** `app`: `{world, hidePane(personId), rang(), lastOpen(personId), opens(personId, chatId)}`. */
  constructor(app, personId) {
    this.app = app;
    this.world = app.world;
    this.personId = personId;
    this.views = new Map();
    this.tabs = new Map();
    this.active = null;
    this.payload = null;
    this.moved = null;
    this.readTimers = new Map();
    this.anonymous = new Set();
    this.title = h("div", { class: "who" });
    this.tabBar = h("div", { class: "tabs", role: "tablist", on: { keydown: (event) => this.#tabKeys(event) } });
    this.pinned = h("button", { type: "button", class: "pinned", hidden: true });
    this.topics = h("div", { class: "topics", hidden: true });
    this.stage = h("div", { class: "stage", role: "tabpanel" });
    this.overlay = new Overlay(this.world);
    this.composer = new Composer(this);
    this.menuButton = iconButton("more", t("pane.menu"), () => this.#menu());
    this.element = h(
      "section",
      { class: "pane" },
      h("header", {}, this.title, this.menuButton),
      this.tabBar,
      this.pinned,
      this.topics,
      h("div", { class: "screen" }, this.stage, this.overlay.notices),
      this.composer.element,
      this.overlay.boxes,
    );
    this.refresh();
  }

  get person() {
    return this.world.people.get(this.personId);
  }

  /** Everything that is not messages: names, tabs, marks, foot. Cheap enough for every change of a chat. */
  refresh() {
    const { person, world } = this;
    if (!person) return;
    const own = world.privateChat(this.personId);
    fill(
      this.title,
      avatar("person", person.id, person.name),
      h("h2", { dir: "auto" }, person.name),
      h("small", {}, languageName(person.language_code)),
      own?.blocked ? h("small", { class: "blocked" }, icon("block"), t("pane.blocked")) : null,
    );
    this.element.setAttribute("aria-label", person.name);
    this.element.lang = localeOf(person.language_code);
    const chats = world.chatsOf(this.personId);
    const ids = new Set(chats.map((chat) => chat.id));
    for (const id of [...this.tabs.keys()]) if (!ids.has(id)) this.#drop(id);
    for (const chat of chats) this.#tab(chat);
    this.tabBar.replaceChildren(...chats.map((chat) => this.tabs.get(chat.id).element));
    this.tabBar.setAttribute("aria-label", t("pane.chats", { name: person.name }));
    // A group that became a supergroup stays open under its new id, and one that was just chosen opens: it may come a moment later.
    this.moved = world.chats.get(this.active)?.migrated_to ?? this.moved;
    if (ids.has(this.moved)) {
      this.open(this.moved);
      this.moved = null;
    }
    if (!ids.has(this.active))
      this.open(
        (
          chats.find((chat) => chat.id === this.app.lastOpen(this.personId)) ??
          chats.find((chat) => chat.type !== "private" && chat.members.some((one) => one.id === world.bot.id)) ??
          chats[0]
        )?.id,
      );
    else this.#frame();
  }

  #drop(id) {
    this.tabs.delete(id);
    this.views.get(id)?.element.remove();
    this.views.delete(id);
  }

  #tab(chat) {
    let tab = this.tabs.get(chat.id);
    if (!tab) {
      tab = {
        name: h("b", { dir: "auto" }),
        line: h("small"),
        badge: h("span", { class: "badge", hidden: true }),
        face: h("span", { class: "face" }),
      };
      tab.element = h(
        "button",
        {
          type: "button",
          role: "tab",
          class: "tab",
          dataset: { chat: chat.id },
          on: { click: () => (this.active === chat.id ? this.views.get(chat.id).bottom(true) : this.open(chat.id)) },
        },
        tab.face,
        h("span", { class: "tab-text" }, tab.name, tab.line),
        tab.badge,
      );
      this.tabs.set(chat.id, tab);
    }
    const single = chat.type === "private";
    const name = single ? this.world.bot.first_name : chat.title;
    if (tab.name.textContent !== name) {
      fill(tab.name, name);
      fill(tab.face, avatar(single ? "bot" : "group", chat.id, name));
    }
    const selected = chat.id === this.active;
    tab.element.setAttribute("aria-selected", String(selected));
    tab.element.tabIndex = selected ? 0 : -1;
    this.showTyping(chat);
    this.showUnread(chat);
  }

  showTyping(chat) {
    const tab = this.tabs.get(chat.id);
    if (!tab) return;
    const typing = (this.world.typing.get(chat.id) ?? 0) > this.world.now();
    tab.element.classList.toggle("typing", typing);
    fill(
      tab.line,
      typing
        ? t("pane.typing")
        : chat.type === "private"
          ? t("pane.bot")
          : t("pane.members", { n: this.world.members(chat).length }),
    );
  }

  showUnread(chat) {
    const tab = this.tabs.get(chat.id);
    if (!tab) return;
    const count = this.world.unread(chat, this.personId);
    tab.badge.hidden = count === 0;
    tab.badge.textContent = count > 99 ? "99+" : count || "";
    tab.badge.setAttribute("aria-label", t("pane.unread", { n: count }));
    if (count && chat.id === this.active) this.seen(this.views.get(chat.id));
  }

  unread() {
    return this.world.chatsOf(this.personId).reduce((sum, chat) => sum + this.world.unread(chat, this.personId), 0);
  }

  open(chatId) {
    const chat = this.world.chats.get(chatId);
    if (!chat) return;
    if (this.active !== chatId && chat.type !== "private") this.payload = null;
    this.active = chatId;
    this.app.opens(this.personId, chatId);
    if (!this.views.has(chatId)) this.views.set(chatId, new ChatView(this, chat));
    const view = this.views.get(chatId);
    for (const other of this.views.values()) other.element.hidden = other !== view;
    if (!view.element.isConnected) this.stage.append(view.element);
    for (const one of this.world.chatsOf(this.personId)) this.#tab(one);
    this.composer.open(view);
    this.#frame();
    this.stage.setAttribute("aria-label", this.tabs.get(chatId).name.textContent);
    this.tabs.get(chatId).element.scrollIntoView({ block: "nearest", inline: "nearest" });
    this.#unring(chatId);
    view.shown();
  }

  // Pinned message, topics and foot of the open chat.
  #frame() {
    const chat = this.world.chats.get(this.active);
    const view = this.views.get(this.active);
    if (!chat || !view) return;
    view.chat = chat;
    const message = chat.pinned ? chat.messages.get(chat.pinned) : null;
    this.pinned.hidden = !message;
    if (message) {
      fill(
        this.pinned,
        icon("pin"),
        h("span", {}, h("b", {}, t("pane.pinned")), h("small", { dir: "auto" }, message.text || t("message.media"))),
      );
      this.pinned.onclick = () => view.goTo(message.id);
    }
    this.topics.hidden = !chat.is_forum;
    if (chat.is_forum) {
      if (!chat.topics.some((topic) => topic.id === view.thread)) view.chooseThread(1);
      fill(
        this.topics,
        chat.topics.map((topic) =>
          h(
            "button",
            {
              type: "button",
              "aria-pressed": String(topic.id === view.thread),
              on: {
                click: () => {
                  view.chooseThread(topic.id);
                  this.#frame();
                },
              },
            },
            icon(topic.closed ? "lock" : "topic"),
            topic.name,
          ),
        ),
      );
    } else if (view.thread !== null) view.chooseThread(null);
    this.composer.refresh();
    view.showEmpty();
  }

  /** After the whole state came anew. */
  reload(renewed) {
    this.payload = renewed ? null : this.payload;
    for (const [id, view] of this.views) {
      const chat = this.world.chats.get(id);
      if (!chat) continue;
      view.chat = chat;
      view.redraw(renewed);
    }
    this.refresh();
    this.unringAll();
  }

  // Events of the world.

  onMessage(chat, message) {
    if (!this.tabs.has(chat.id) || !this.world.shows(message, this.personId)) return;
    this.views.get(chat.id)?.add(message);
    this.showTyping(chat);
    if (!message.silent && message.kind !== "service" && message.sender.id !== this.personId) this.#ring(chat, message);
  }

  onEdited(chat, message) {
    this.views.get(chat.id)?.edit(message);
    if (chat.id === this.active && chat.pinned === message.id) this.#frame();
  }

  onDeleted(chat, ids) {
    this.views.get(chat.id)?.remove(ids);
  }

  onOlder(chat, messages) {
    this.views.get(chat.id)?.prepend(messages);
  }

  onCallback(callback) {
    if (callback.person_id !== this.personId) return;
    this.views.get(callback.chat_id)?.spin(callback.message_id);
    if (callback.status !== "answered") return;
    if (callback.text) {
      if (callback.alert) this.overlay.alert(callback.text);
      else this.overlay.toast(callback.text);
    }
    if (callback.start !== null) this.openStart(callback.start);
    else if (callback.url) this.overlay.askLink(callback.url);
  }

  #ring(chat, message) {
    const tab = this.tabs.get(chat.id).element;
    for (const element of [tab, this.element]) {
      element.classList.remove("ring");
      void element.offsetWidth; // The animation begins anew.
      element.classList.add("ring");
    }
    setTimeout(() => this.element.classList.remove("ring"), 1600);
    this.app.rang(this);
    if (chat.id === this.active) {
      setTimeout(() => tab.classList.remove("ring"), 1600);
      return;
    }
    const single = chat.type === "private";
    const title = single ? this.world.bot.first_name : chat.title;
    this.overlay.banner({
      face: avatar(single ? "bot" : "group", chat.id, title),
      name: single ? title : `${message.sender.name} · ${title}`,
      text: message.text || t("message.media"),
      open: () => this.open(chat.id),
    });
  }

  #unring(chatId) {
    this.tabs.get(chatId)?.element.classList.remove("ring");
    this.overlay.clearBanner();
  }

  unringAll() {
    for (const { element } of this.tabs.values()) element.classList.remove("ring");
  }

  /** The view shows its newest message: what is unread in it is read, if anybody can look. */
  seen(view) {
    const chat = view?.chat;
    if (!chat || view !== this.views.get(this.active) || !view.stuck || document.hidden || this.element.hidden) return;
    if (!this.world.unread(chat, this.personId) || this.readTimers.has(chat.id)) return;
    this.readTimers.set(
      chat.id,
      setTimeout(() => {
        this.readTimers.delete(chat.id);
        if (this.world.people.has(this.personId))
          post("read", { person_id: this.personId, chat_id: chat.id }).catch(() => {});
      }, 250),
    );
  }

  // What the person does.

  async #try(action) {
    try {
      return await action();
    } catch (error) {
      this.overlay.toast(error.status ? error.message : t("pane.offline"));
      return null;
    }
  }

  say(text, replyTo) {
    const view = this.views.get(this.active);
    const thread = view.chat.is_forum && view.thread !== 1 ? view.thread : undefined;
    return this.#try(() =>
      this.world.say(this.personId, view.chat.id, text, {
        replyTo,
        threadId: thread,
        anonymous: this.#hidden(view.chat),
      }),
    );
  }

  /** Admins may write as the group: whether this one does so in the open chat. */
  get hidden() {
    const chat = this.views.get(this.active)?.chat;
    return Boolean(chat && this.#hidden(chat));
  }

  #admin(chat) {
    return chat.type !== "private" && ["creator", "administrator"].includes(this.world.statusIn(chat, this.personId));
  }

  #hidden(chat) {
    return this.anonymous.has(chat.id) && this.#admin(chat) ? true : undefined;
  }

  async press(message, button) {
    if (button.kind === "callback") {
      const done = await this.#try(() => this.world.press(this.personId, message, button.data));
      if (!done) this.views.get(message.chat_id)?.spin(message.id);
    } else if (button.kind === "copy") {
      navigator.clipboard?.writeText(button.copy).catch(() => {});
      this.overlay.toast(t("pane.copied"));
    } else if (button.kind === "url") {
      if (button.start !== null) this.openStart(button.start);
      else if (!this.openLink(button.url)) window.open(button.url, "_blank", "noopener,noreferrer");
    } else if (button.kind === "other") this.overlay.toast(t("pane.unsupported"));
  }

  react(message, emoji) {
    return this.#try(() =>
      post("react", { person_id: this.personId, chat_id: message.chat_id, message_id: message.id, emoji }),
    );
  }

  /** Handles links that stay inside (deep links to this bot); says whether it did. */
  openLink(url) {
    const link = botLink(url, this.world.bot.username);
    if (link === null) return false;
    if (link.group === undefined) this.openStart(link.start);
    else addBotForm(this.world, this.personId, (chat) => this.#addBot(chat, link.group));
    return true;
  }

  // To this group the bot is added, and as on Telegram it hears the link's payload there.
  async #addBot(chat, payload) {
    const { bot } = this.world;
    if (this.world.statusIn(chat, bot.id) === null)
      await post("groups/join", { chat_id: chat.id, member_id: bot.id, by: this.personId });
    if (payload) await this.world.say(this.personId, chat.id, `/start@${bot.username} ${payload}`);
    this.moved = chat.id;
    this.refresh();
  }

  openMention(name) {
    if (name.toLowerCase() === this.world.bot.username?.toLowerCase()) this.open(this.personId);
  }

  /** A deep link: the private chat opens and offers START, which sends the payload. */
  openStart(payload) {
    const own = this.world.privateChat(this.personId);
    if (!own) return;
    this.payload = payload || (own.started && !own.blocked ? null : "");
    this.open(own.id);
    this.views.get(own.id).showEmpty();
    if (!this.composer.big.hidden) this.composer.big.focus();
  }

  async start(payload) {
    this.payload = null;
    if (await this.#try(() => this.world.start(this.personId, payload))) this.composer.refresh();
    this.views.get(this.personId)?.bottom();
  }

  /** Does what was offered: a deep link's START in the private chat, or words in the open chat. */
  async begin(offer) {
    if (!offer.start) return this.say(offer.say);
    this.open(this.personId);
    return this.start(offer.start);
  }

  unblock() {
    return this.#try(() => post("unblock", { person_id: this.personId }));
  }

  reply(message) {
    this.composer.reply(message);
  }

  zoom(message) {
    zoom(message.media.url, message.text);
  }

  messageMenu(message, element, event) {
    const mine = message.sender.id === this.personId;
    const given = message.reactions.find((reaction) => reaction.by.includes(this.personId))?.emoji ?? null;
    popup(
      element,
      [
        message.only_for !== null
          ? null
          : {
              row: REACTIONS.map((emoji) => ({
                label: emoji,
                name: emoji,
                run: () => this.react(message, emoji === given ? null : emoji),
              })),
            },
        { icon: "reply", label: t("message.reply"), run: () => this.reply(message) },
        message.text && !message.protected
          ? {
              icon: "copy",
              label: t("message.copy"),
              run: () => navigator.clipboard?.writeText(message.text).catch(() => {}),
            }
          : null,
        mine
          ? {
              icon: "trash",
              label: t("message.delete"),
              danger: true,
              run: () =>
                this.#try(() =>
                  post("delete", { person_id: this.personId, chat_id: message.chat_id, message_id: message.id }),
                ),
            }
          : null,
      ],
      event,
    );
  }

  #menu() {
    const { person, world } = this;
    const chat = world.chats.get(this.active);
    const own = world.privateChat(this.personId);
    const group = chat && chat.type !== "private" ? chat : null;
    popup(this.menuButton, [
      { icon: "globe", label: t("pane.edit"), run: () => personForm(world, person) },
      group ? { icon: "group", label: t("pane.group_info"), run: () => groupInfo(world, group.id) } : null,
      group && this.#admin(group)
        ? {
            icon: "eye",
            label: t("pane.anonymous"),
            checked: this.anonymous.has(group.id),
            run: () => {
              if (!this.anonymous.delete(group.id)) this.anonymous.add(group.id);
              this.composer.refresh();
            },
          }
        : null,
      own?.blocked
        ? { icon: "check", label: t("pane.unblock"), run: () => this.unblock() }
        : {
            icon: "block",
            label: t("pane.block"),
            run: () => this.#try(() => post("block", { person_id: this.personId })),
          },
      group
        ? {
            icon: "leave",
            label: t("pane.leave", { group: group.title }),
            danger: true,
            run: () =>
              confirm(
                t("pane.leave", { group: group.title }),
                t("pane.leave_sure", { name: person.name }),
                t("pane.leave_do"),
                () => post("groups/leave", { chat_id: group.id, member_id: this.personId }),
              ),
          }
        : null,
      { icon: "eye", label: t("pane.hide"), run: () => this.app.hidePane(this.personId) },
      {
        icon: "trash",
        label: t("pane.remove"),
        danger: true,
        run: () =>
          confirm(t("pane.remove"), t("pane.remove_sure", { name: person.name }), t("pane.remove_do"), () =>
            post("people/remove", { person_id: this.personId }),
          ),
      },
    ]);
  }

  #tabKeys(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const tabs = [...this.tabBar.children];
    const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length];
    event.preventDefault();
    next.click();
    next.focus();
  }
}
