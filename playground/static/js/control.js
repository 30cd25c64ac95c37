// The control interface of the server: requests and the event stream (docs/playground.md).

export class ControlError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function answer(response) {
  let body;
  try {
    body = await response.json();
  } catch {
    throw new ControlError(response.status, `HTTP ${response.status}`);
  }
  if (!body.ok) throw new ControlError(response.status, body.error ?? `HTTP ${response.status}`);
  return body.result;
}

/** GET `/control/<path>`; fields that are null or undefined are left out of the query. */
export async function get(path, query = {}) {
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== null && value !== undefined) fields.set(name, value);
  const text = fields.toString();
  return answer(await fetch(`/control/${path}${text ? `?${text}` : ""}`, { cache: "no-store" }));
}

/** POST `/control/<path>` with a JSON body; fields that are undefined are left out. */
export async function post(path, body = {}) {
  return answer(
    await fetch(`/control/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    }),
  );
}

const NAMES = [
  "message",
  "edited",
  "deleted",
  "read",
  "callback",
  "action",
  "chat",
  "chat_removed",
  "person",
  "person_removed",
  "bot",
  "commands",
  "call",
  "faults",
  "budgets",
  "clock",
];
const RETRY_MS = [250, 500, 1000, 2000, 3000];

/**
 * Follows the world for as long as the page lives: state first, then events, with no gap between the two.
 *
 * `onState(state, renewed)`: the whole document; `renewed` when another server session has begun.
 * `onEvent(name, data)`; `onLine(connected)`. Reconnects by itself and asks for the state again whenever events were lost.
 */
export class Follower {
  constructor({ onState, onEvent, onLine }) {
    Object.assign(this, { onState, onEvent, onLine });
    this.seq = 0;
    this.session = null;
    this.source = null;
    this.failures = 0;
    this.timer = null;
  }

  start() {
    this.#reload();
  }

  async #reload() {
    this.#close();
    try {
      const state = await get("state");
      const renewed = this.session !== null && this.session !== state.session;
      this.session = state.session;
      this.seq = state.seq;
      this.onState(state, renewed);
    } catch (error) {
      if (!(error instanceof ControlError || error instanceof TypeError)) throw error;
      this.#later(() => this.#reload());
      return;
    }
    this.#open();
  }

  #open() {
    this.#close();
    const source = new EventSource(`/control/events?after=${this.seq}`);
    this.source = source;
    source.addEventListener("hello", (event) => {
      this.failures = 0;
      this.onLine(true);
      if (JSON.parse(event.data).session !== this.session) this.#reload();
    });
    source.addEventListener("reset", () => this.#reload());
    for (const name of NAMES) {
      source.addEventListener(name, (event) => {
        if (this.source !== source) return;
        if (event.lastEventId) this.seq = Number(event.lastEventId);
        this.onEvent(name, JSON.parse(event.data));
      });
    }
    // The browser's own way of trying again gives up on some errors; ours does not.
    source.onerror = () => {
      if (this.source !== source) return;
      this.#close();
      this.#later(() => this.#open());
    };
  }

  #later(what) {
    this.onLine(false);
    clearTimeout(this.timer);
    this.timer = setTimeout(what, RETRY_MS[Math.min(this.failures++, RETRY_MS.length - 1)]);
  }

  #close() {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
  }
}
