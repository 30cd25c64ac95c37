// What a newcomer sees first: what one can begin with. The offers come from outside (`--offers`); without any there is no welcome.

import { h, icon } from "./dom.js";
import { localeOf } from "./entities.js";
import { LANGUAGES, chooseLanguage, language, languageName, t } from "./texts.js";

const PUT_AWAY = "playground.welcome";

/** Of texts by language the one for this page: its own language, else English, else the first. */
export function worded(texts) {
  return texts[language] ?? texts.en ?? Object.values(texts)[0];
}

/** Of these people the one who begins: the first who speaks the page's language, else the first of all. */
export function soloist(people) {
  return people.find((person) => localeOf(person.language_code) === language) ?? people[0];
}

// Has anybody written to the bot, or in a group?
function begun(world) {
  return [...world.chats.values()].some(
    (chat) => chat.started && [...chat.messages.values()].some((one) => one.sender.kind !== "bot" && !one.service),
  );
}

export class Welcome {
  /** `app`: `{world, take(offer)}`. */
  constructor(app) {
    this.app = app;
    this.box = null;
  }

  /** Comes by itself in a world where nobody has begun, until it is put away in this browser. */
  consider() {
    const { world } = this.app;
    if (!this.box && world.offers && !begun(world) && localStorage.getItem(PUT_AWAY) !== world.session) this.open();
  }

  open() {
    const { world } = this.app;
    const { title, text, offers } = world.offers;
    const box = h(
      "dialog",
      {
        class: "welcome",
        "aria-labelledby": "welcome-title",
        on: {
          close: () => {
            box.remove();
            this.box = null;
            localStorage.setItem(PUT_AWAY, world.session);
          },
        },
      },
      h(
        "div",
        { class: "welcome-head" },
        h(
          "div",
          { class: "welcome-tiles", "aria-hidden": "true" },
          offers.map(({ mark }) => h("span", { class: "tile" }, mark)),
        ),
        h("h2", { id: "welcome-title" }, worded(title)),
        h("p", {}, worded(text)),
      ),
      h(
        "div",
        { class: "offers" },
        offers.map((offer) =>
          h(
            "button",
            {
              type: "button",
              class: "offer",
              on: {
                click: () => {
                  box.close();
                  this.app.take(offer);
                },
              },
            },
            h("span", { class: "tile", "aria-hidden": "true" }, offer.mark),
            h("span", { class: "offer-text" }, h("b", {}, worded(offer.title)), h("small", {}, worded(offer.text))),
            icon("next"),
          ),
        ),
      ),
      h(
        "footer",
        {},
        h(
          "div",
          { class: "tongues", role: "group", "aria-label": t("welcome.language") },
          LANGUAGES.map((code) =>
            h(
              "button",
              {
                type: "button",
                lang: code,
                "aria-pressed": String(code === language),
                on: { click: () => chooseLanguage(code) },
              },
              languageName(code.toLowerCase()),
            ),
          ),
        ),
        h("button", { type: "button", class: "flat", on: { click: () => box.close() } }, t("welcome.look")),
      ),
    );
    this.box = box;
    document.body.append(box);
    box.showModal();
  }
}
