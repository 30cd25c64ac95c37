// Forms about people and groups.

import { get, post } from "./control.js";
import { fill, h } from "./dom.js";
import { dialog, form } from "./popup.js";
import { language, languageName, t } from "./texts.js";

const LANGUAGES = ["zh-hans", "zh-hant", "en", "ja", "ko", "id", "ms", "th", "vi", "de", "es", "fr", "pt-br", "ru"];

function languageField(value) {
  const known = LANGUAGES.includes(value) || !value ? LANGUAGES : [value, ...LANGUAGES];
  return {
    name: "language_code",
    label: t("person.language"),
    type: "select",
    value: value ?? language.toLowerCase(),
    options: known.map((code) => [code, languageName(code)]),
  };
}

/** Adds a person, or changes `person`. */
export function personForm(world, person = null) {
  const fields = [
    { name: "first_name", label: t("person.first_name"), value: person?.first_name, required: true },
    { name: "last_name", label: t("person.last_name"), value: person?.last_name },
    { name: "username", label: t("person.username"), value: person?.username },
    languageField(person?.language_code),
  ];
  const groups = world.groups();
  if (!person && groups.length) {
    fields.push({
      name: "groups",
      label: t("person.groups"),
      type: "checks",
      value: [groups[0].id],
      options: groups.map((chat) => [chat.id, chat.title]),
    });
  }
  form(person ? t("person.edit") : t("person.add"), fields, person ? t("dialog.save") : t("dialog.add"), (values) => {
    const body = { ...values, username: values.username.replace(/^@/, "") || null };
    if (!person && body.username === null) delete body.username;
    return person ? post("people/change", { person_id: person.id, ...body }) : post("people/add", body);
  });
}

/** Asks to which of their groups, or to a new one, a person adds the bot; `run(chat)` adds it. */
export function addBotForm(world, personId, run) {
  const groups = world.chatsOf(personId).filter((chat) => chat.type !== "private");
  form(
    t("group.add_bot"),
    [
      {
        name: "group",
        label: t("bar.group"),
        type: "select",
        value: groups[0].id,
        options: [...groups.map((chat) => [chat.id, chat.title]), ["", t("group.new")]],
      },
    ],
    t("dialog.add"),
    async ({ group }) => {
      if (group) await run(world.chats.get(Number(group)));
      else groupForm(world, run);
    },
  );
}

export function groupForm(world, created) {
  const people = [...world.people.values()];
  form(
    t("group.add"),
    [
      { name: "title", label: t("group.title"), required: true },
      {
        name: "members",
        label: t("group.members"),
        type: "checks",
        value: people.map((person) => person.id),
        options: people.map((person) => [person.id, person.name]),
      },
      {
        name: "type",
        label: t("group.type"),
        type: "select",
        value: "supergroup",
        options: [
          ["supergroup", t("group.supergroup")],
          ["group", t("group.plain")],
        ],
      },
      { name: "is_forum", label: t("group.forum"), type: "check", value: false },
      { name: "bot", label: t("group.with_bot"), type: "check", value: true },
    ],
    t("dialog.add"),
    async (values) => created(await post("groups/add", values)),
  );
}

/** The parameters and the answer of one call of the log. */
export async function callInfo(call) {
  const place = h("pre", { class: "json", tabIndex: 0 }, "…");
  dialog(`${call.method} · ${call.number}`, place, { class: "broad" });
  try {
    const [whole] = await get("calls", { after: call.number - 1, limit: 1 });
    const { params, files, result, description, status, fault } = whole ?? {};
    fill(
      place,
      JSON.stringify(
        { params, files, status, description: description ?? undefined, fault: fault ?? undefined, result },
        null,
        2,
      ),
    );
  } catch (error) {
    fill(place, error.message);
  }
}
