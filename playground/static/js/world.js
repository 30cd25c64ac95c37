// What the page knows of the world: a mirror of the state document, kept up to date by the event stream.

import { get, post } from "./control.js";

const GONE = new Set(["left", "kicked"]);

export class World {
  constructor() {
    this.listeners = new Map();
    this.people = new Map();
    this.chats = new Map();
    this.callbacks = new Map();
    this.calls = [];
    this.typing = new Map();
    this.bot = { id: 0, first_name: "", username: "", descriptions: {}, polling: false };
    this.faults = [];
    this.session = null;
    this.offers = null;
    this.budgets = null;
    this.#setClock({ now: Date.now() / 1000, speed: 1 });
  }

  /** `handler(data)` at every event of this name; "state" comes after a whole reload. */
  on(name, handler) {
    if (!this.listeners.has(name)) this.listeners.set(name, new Set());
    this.listeners.get(name).add(handler);
    return () => this.listeners.get(name).delete(handler);
  }

  emit(name, data) {
    for (const handler of [...(this.listeners.get(name) ?? [])]) handler(data);
  }

  // The server's clock, in Unix seconds.
  now() {
    return this.clock.now + ((performance.now() - this.clock.at) / 1000) * this.clock.speed;
  }

  #setClock(clock) {
    this.clock = { now: clock.now, speed: clock.speed, at: performance.now() };
  }

  load(state, renewed) {
    this.bot = state.bot;
    this.session = state.session;
    this.offers = state.offers;
    this.people = new Map(state.people.map((person) => [person.id, person]));
    this.chats = new Map(state.chats.map((chat) => [chat.id, this.#chat(chat)]));
    this.callbacks = new Map(state.callbacks.map((callback) => [callback.id, callback]));
    this.faults = state.faults;
    this.budgets = state.budgets;
    this.typing.clear();
    if (renewed) this.calls = [];
    this.#setClock(state.clock);
    this.emit("state", { renewed });
  }

  // `messages` becomes a Map by id, oldest first; `whole` tells that there are no older ones to ask for.
  #chat(chat) {
    return {
      ...chat,
      messages: new Map(chat.messages.map((message) => [message.id, message])),
      whole: chat.messages.length < 200,
    };
  }

  apply(name, data) {
    const handler = this[`_${name}`];
    if (handler) handler.call(this, data);
  }

  _message({ message, unread }) {
    const chat = this.chats.get(message.chat_id);
    if (!chat) return;
    chat.messages.set(message.id, message);
    chat.unread = unread;
    if (message.sender.kind === "bot") this.typing.delete(chat.id);
    this.emit("message", { chat, message });
    this.emit("unread", { chat });
  }

  _edited({ message }) {
    const chat = this.chats.get(message.chat_id);
    if (!chat?.messages.has(message.id)) return;
    chat.messages.set(message.id, message);
    this.emit("edited", { chat, message });
  }

  _deleted({ chat_id, message_ids, unread }) {
    const chat = this.chats.get(chat_id);
    if (!chat) return;
    for (const id of message_ids) chat.messages.delete(id);
    chat.unread = unread;
    this.emit("deleted", { chat, ids: message_ids });
    this.emit("unread", { chat });
  }

  _read({ chat_id, unread }) {
    const chat = this.chats.get(chat_id);
    if (!chat) return;
    chat.unread = unread;
    this.emit("unread", { chat });
  }

  _callback({ callback }) {
    if (callback.status === "waiting") this.callbacks.set(callback.id, callback);
    else this.callbacks.delete(callback.id);
    this.emit("callback", callback);
  }

  _action({ chat_id, until }) {
    this.typing.set(chat_id, until);
    this.emit("typing", { chat_id, until });
  }

  _chat({ chat }) {
    const known = this.chats.get(chat.id);
    if (known) Object.assign(known, chat, { messages: known.messages });
    else this.chats.set(chat.id, this.#chat({ ...chat, messages: [] }));
    this.emit("chat", { chat: this.chats.get(chat.id) });
  }

  _chat_removed({ chat_id }) {
    this.chats.delete(chat_id);
    this.emit("chat_removed", { chat_id });
  }

  _person({ person }) {
    this.people.set(person.id, person);
    this.emit("person", { person });
  }

  _person_removed({ person_id }) {
    this.people.delete(person_id);
    this.chats.delete(person_id);
    this.emit("person_removed", { person_id });
  }

  _bot({ bot }) {
    this.bot = bot;
    this.emit("bot", {});
  }

  _call({ call, budgets }) {
    this.calls.push(call);
    if (this.calls.length > 400) this.calls.splice(0, this.calls.length - 400);
    this.emit("call", { call, budgets });
  }

  _faults({ faults }) {
    this.faults = faults;
    this.emit("faults", {});
  }

  _budgets({ budgets }) {
    this.budgets = budgets;
    this.emit("budgets", {});
  }

  _clock({ clock }) {
    this.#setClock(clock);
    this.emit("clock", {});
  }

  /** Chats in this person's list: groups first, then the private chat with the bot. */
  chatsOf(personId) {
    const list = [];
    for (const chat of this.chats.values()) {
      if (chat.type === "private") {
        if (chat.person_id === personId) list.push(chat);
      } else if (chat.migrated_to === null && this.statusIn(chat, personId) !== null) list.push(chat);
    }
    return list.sort((a, b) => (a.type === "private") - (b.type === "private"));
  }

  /** Groups that are alive, for the top bar. */
  groups() {
    return [...this.chats.values()].filter((chat) => chat.type !== "private" && chat.migrated_to === null);
  }

  privateChat(personId) {
    return this.chats.get(personId) ?? null;
  }

  /** The member's status in a group, or null for who is not in it. */
  statusIn(chat, id) {
    const member = chat.members.find((one) => one.id === id);
    return member && !GONE.has(member.status) ? member.status : null;
  }

  members(chat) {
    return chat.members.filter((member) => !GONE.has(member.status));
  }

  unread(chat, personId) {
    return chat.unread?.[personId] ?? 0;
  }

  nameOf(id) {
    if (id === this.bot.id) return this.bot.first_name;
    return this.people.get(id)?.name ?? this.chats.get(id)?.title ?? "?";
  }

  chatName(id) {
    const chat = this.chats.get(id);
    if (!chat) return id === null ? "" : this.nameOf(id);
    return chat.type === "private" ? this.nameOf(chat.person_id) : chat.title;
  }

  /** Does this person's pane show the message? An ephemeral one is for one person only. */
  shows(message, personId) {
    return message.only_for === null || message.only_for === personId;
  }

  /** Data of the buttons of this message that the person pressed and that are not answered yet. */
  waiting(personId, message) {
    const data = new Set();
    for (const callback of this.callbacks.values()) {
      if (callback.person_id === personId && callback.chat_id === message.chat_id && callback.message_id === message.id)
        data.add(callback.data);
    }
    return data;
  }

  /** Fetches up to 100 older messages of a chat; says how many came. */
  async older(chat, personId) {
    // Ephemeral messages have negative ids and do not count.
    const first = [...chat.messages.keys()].find((id) => id > 0);
    if (chat.whole || first === undefined) return 0;
    const messages = await get("messages", { chat_id: chat.id, before: first, limit: 100, person_id: personId });
    if (messages.length < 100) chat.whole = true;
    const news = messages.filter((message) => !chat.messages.has(message.id));
    if (news.length) {
      chat.messages = new Map([...news.map((message) => [message.id, message]), ...chat.messages]);
      this.emit("older", { chat, messages: news });
    }
    return news.length;
  }

  press(personId, message, data) {
    // `force`: what the person saw and touched is what counts, as on a phone that has not got the latest edit yet.
    return post("press", { person_id: personId, chat_id: message.chat_id, message_id: message.id, data, force: true });
  }

  say(personId, chatId, text, { replyTo, threadId, anonymous } = {}) {
    return post("say", { person_id: personId, chat_id: chatId, text, reply_to: replyTo, thread_id: threadId, anonymous });
  }

  start(personId, payload) {
    return post("start", { person_id: personId, payload: payload || undefined });
  }
}
