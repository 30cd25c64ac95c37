// The drawer for developers: calls of the bot, budgets, faults, clock.

import { get, post } from "./control.js";
import { fill, h, iconButton } from "./dom.js";
import { callInfo } from "./forms.js";
import { t } from "./texts.js";
import { clock } from "./message.js";

const SHOWN = 300;
const KINDS = ["retry_after", "error", "drop", "lose", "late", "duplicate", "reorder"];

export class Drawer {
  constructor(world) {
    this.world = world;
    this.page = "calls";
    this.filter = "";
    this.list = h("ol", { class: "calls" });
    this.body = h("div", { class: "drawer-body", role: "tabpanel", tabIndex: 0 });
    this.nav = h(
      "div",
      { class: "drawer-tabs", role: "tablist", "aria-label": t("drawer.title") },
      ["calls", "budgets", "faults", "clock"].map((page) =>
        h(
          "button",
          {
            type: "button",
            role: "tab",
            dataset: { page },
            on: { click: () => this.show(page) },
          },
          t(`drawer.${page}`),
        ),
      ),
    );
    this.nav.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const tabs = [...this.nav.children];
      const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length];
      next.focus();
      next.click();
    });
    this.element = h(
      "aside",
      {
        class: "drawer",
        "aria-label": t("drawer.title"),
        hidden: true,
        on: {
          keydown: (event) => {
            if (event.key === "Escape") this.toggle(false);
          },
        },
      },
      h(
        "header",
        {},
        this.nav,
        iconButton("close", t("dialog.close"), () => this.toggle(false)),
      ),
      this.body,
    );
    world.on("call", ({ call }) => this.#add(call));
    world.on("faults", () => this.#fillFaults());
    world.on("budgets", () => this.#fillBudgets());
    world.on("state", () => {
      if (!this.element.hidden) this.#draw();
    });
    setInterval(() => this.#tick(), 1000);
  }

  toggle(open = this.element.hidden) {
    this.element.hidden = !open;
    document.body.classList.toggle("with-drawer", open);
    if (open) {
      this.show(this.page);
      this.nav.querySelector("[aria-selected=true]").focus();
    }
    this.onToggle?.(open);
  }

  show(page) {
    this.page = page;
    for (const tab of this.nav.children) {
      tab.setAttribute("aria-selected", String(tab.dataset.page === page));
      tab.tabIndex = tab.dataset.page === page ? 0 : -1;
    }
    this.#draw();
  }

  #draw() {
    ({
      calls: () => this.#calls(),
      budgets: () => this.#budgets(),
      faults: () => this.#faults(),
      clock: () => this.#clock(),
    })[this.page]();
  }

  async #tick() {
    if (this.element.hidden) return;
    if (this.page === "budgets") {
      try {
        this.world.budgets = await get("budgets");
        this.#fillBudgets();
      } catch {
        // Shown again when the server is back.
      }
    } else if (this.page === "clock" && this.time?.isConnected)
      fill(this.time, new Date(this.world.now() * 1000).toLocaleString());
  }

  // Calls

  async #calls() {
    const input = h("input", {
      type: "search",
      placeholder: t("drawer.filter"),
      "aria-label": t("drawer.filter"),
      value: this.filter,
      on: {
        input: () => {
          this.filter = input.value.trim().toLowerCase();
          this.#fillCalls();
        },
      },
    });
    fill(this.body, input, this.list);
    if (!this.world.calls.length) {
      try {
        // The log may be long: its end is wanted.
        let calls = await get("calls", { limit: 1000 });
        while (calls.length === 1000) {
          const more = await get("calls", { after: calls.at(-1).number, limit: 1000 });
          if (!more.length) break;
          calls = [...calls, ...more].slice(-1000);
        }
        const known = new Set(this.world.calls.map((call) => call.number));
        this.world.calls = [...calls.slice(-SHOWN).filter((call) => !known.has(call.number)), ...this.world.calls];
      } catch {
        // The stream brings the next ones.
      }
    }
    this.#fillCalls();
  }

  #fillCalls() {
    const rows = this.world.calls
      .filter((call) => this.#fits(call))
      .slice(-SHOWN)
      .map((call) => this.#row(call));
    fill(this.list, rows.length ? rows : h("li", { class: "muted" }, t("drawer.no_calls")));
    this.body.scrollTop = this.body.scrollHeight;
  }

  #fits(call) {
    return (
      !this.filter ||
      `${call.method} ${this.world.chatName(call.chat_id)} ${call.status}`.toLowerCase().includes(this.filter)
    );
  }

  #add(call) {
    if (this.element.hidden || this.page !== "calls" || !this.#fits(call)) return;
    const atEnd = this.body.scrollHeight - this.body.scrollTop - this.body.clientHeight < 40;
    this.list.querySelector(".muted")?.remove();
    this.list.append(this.#row(call));
    if (this.list.children.length > SHOWN) this.list.firstChild.remove();
    if (atEnd) this.body.scrollTop = this.body.scrollHeight;
  }

  #row(call) {
    return h(
      "li",
      {},
      h(
        "button",
        {
          type: "button",
          class: call.status === 200 ? "" : "bad",
          title: call.description ?? "",
          on: { click: () => callInfo(call) },
        },
        h("span", { class: "call-time" }, `${clock(call.time)}:${String(Math.floor(call.time % 60)).padStart(2, "0")}`),
        h("b", {}, call.method),
        h("span", { class: "call-chat" }, this.world.chatName(call.chat_id)),
        h("span", { class: "call-status" }, call.status === 200 ? `${call.ms.toFixed(1)} ms` : call.status),
      ),
    );
  }

  // Budgets

  // What is being used stays, with the focus on it: only the numbers are renewed.
  #budgets() {
    this.enforce = h("input", {
      type: "checkbox",
      on: { change: () => post("budgets", { enforced: this.enforce.checked }).catch(() => {}) },
    });
    this.refused = h("p", { class: "muted" });
    this.bars = h("ul", { class: "budgets" });
    fill(this.body, h("label", { class: "check" }, this.enforce, t("drawer.enforce")), this.refused, this.bars);
    this.#fillBudgets();
  }

  #fillBudgets() {
    const { budgets } = this.world;
    if (!budgets || !this.bars?.isConnected) return;
    const bar = (name, { used, limit, window, retry_after: pause }) =>
      h(
        "li",
        {},
        h(
          "span",
          {},
          h("b", { dir: "auto" }, name),
          h(
            "small",
            {},
            t("drawer.per", { used, limit, seconds: window }),
            pause ? ` · ${t("drawer.pause", { seconds: Math.ceil(pause) })}` : "",
          ),
        ),
        h("meter", { min: 0, max: limit, value: Math.min(used, limit), high: limit * 0.9, "aria-label": name }),
      );
    this.enforce.checked = budgets.enforced;
    fill(this.refused, t("drawer.refused", { n: budgets.refused }));
    fill(
      this.bars,
      bar(t("drawer.overall"), budgets.overall),
      budgets.chats.map((chat) => bar(this.world.chatName(chat.chat_id), chat)),
    );
  }

  // Faults

  #faults() {
    const select = (options) =>
      h(
        "select",
        {},
        options.map(([value, text]) => h("option", { value }, text)),
      );
    const number = (value, min) => h("input", { type: "number", min, value });
    const kind = select(KINDS.map((one) => [one, t(`fault.${one}`)]));
    const method = h("input", { type: "text", placeholder: "sendPhoto", autocomplete: "off", spellcheck: "false" });
    const chat = select([
      ["", t("drawer.any_chat")],
      ...[...this.world.chats.values()].map((one) => [one.id, this.world.chatName(one.id)]),
    ]);
    const seconds = h("input", { type: "number", min: 0, step: "any", value: 5 });
    const code = number(500, 400);
    const description = h("input", { type: "text", value: "Internal Server Error", autocomplete: "off" });
    const skip = number(0, 0);
    const times = number(1, 1);
    const error = h("p", { class: "error", role: "alert" });
    const field = (name, input) => h("label", {}, h("span", {}, t(`drawer.${name}`)), input);
    const fields = {
      kind: field("kind", kind),
      seconds: field("seconds", seconds),
      code: field("code", code),
      description: field("description", description),
      method: field("method", method),
      chat: field("chat", chat),
      skip: field("skip", skip),
      times: field("times", times),
    };
    // Each kind asks for what it needs.
    const show = () => {
      fields.seconds.hidden = !["retry_after", "late"].includes(kind.value);
      fields.code.hidden = fields.description.hidden = kind.value !== "error";
      fields.method.hidden = fields.chat.hidden = ["duplicate", "reorder"].includes(kind.value);
    };
    kind.addEventListener("change", show);
    show();
    const add = async (event) => {
      event.preventDefault();
      const fault = { kind: kind.value, skip: Number(skip.value), times: Number(times.value) };
      if (!fields.method.hidden) {
        fault.method = method.value.trim() || null;
        fault.chat_id = chat.value ? Number(chat.value) : null;
      }
      if (!fields.seconds.hidden) fault.seconds = Number(seconds.value);
      if (!fields.code.hidden) Object.assign(fault, { code: Number(code.value), description: description.value.trim() });
      fill(error);
      await post("faults/add", fault).catch((problem) => fill(error, problem.message));
    };
    this.waiting = h("ul", { class: "faults" });
    fill(
      this.body,
      h(
        "form",
        { on: { submit: add } },
        Object.values(fields),
        error,
        h("footer", {}, h("button", { type: "submit", class: "solid" }, t("drawer.inject"))),
      ),
      this.waiting,
    );
    this.#fillFaults();
  }

  #fillFaults() {
    if (!this.waiting?.isConnected) return;
    const about = (fault) =>
      [
        fault.method ?? "*",
        fault.chat_id ? this.world.chatName(fault.chat_id) : "",
        fault.skip ? t("drawer.after", { n: fault.skip }) : "",
        `×${fault.times}`,
      ].filter(Boolean);
    fill(
      this.waiting,
      this.world.faults.map((fault) =>
        h(
          "li",
          {},
          h("span", {}, h("b", {}, t(`fault.${fault.kind}`)), h("small", {}, about(fault).join(" · "))),
          iconButton("close", t("drawer.clear"), () => post("faults/clear", { id: fault.id }).catch(() => {})),
        ),
      ),
    );
  }

  // Clock

  #clock() {
    this.time = h("p", { class: "clock" }, new Date(this.world.now() * 1000).toLocaleString());
    const set = (body) => post("clock", body).catch(() => {});
    const speed = h(
      "select",
      { "aria-label": t("drawer.speed"), on: { change: () => set({ speed: Number(speed.value) }) } },
      [0, 0.5, 1, 2, 5, 10, 60].map((value) =>
        h("option", { value, selected: value === this.world.clock.speed }, `× ${value}`),
      ),
    );
    fill(
      this.body,
      this.time,
      h("label", {}, h("span", {}, t("drawer.speed")), speed),
      h(
        "div",
        { class: "row" },
        [
          [10, "10 s"],
          [60, "1 min"],
          [900, "15 min"],
          [3600, "1 h"],
          [86400, "24 h"],
        ].map(([seconds, name]) =>
          h("button", { type: "button", class: "flat", on: { click: () => set({ advance: seconds }) } }, `+ ${name}`),
        ),
      ),
      h("p", { class: "muted" }, t("drawer.clock_note")),
    );
  }
}
