// Forms about people and groups.

import { get, post } from "./control.js";
import { avatar, fill, h, iconButton } from "./dom.js";
import { confirm, dialog, form } from "./popup.js";
import { languageName, t } from "./texts.js";

const LANGUAGES = ["zh-hans", "zh-hant", "en", "ja", "ko", "id", "ms", "th", "vi", "de", "es", "fr", "pt-br", "ru"];

function languageField(value) {
  const known = LANGUAGES.includes(value) || !value ? LANGUAGES : [value, ...LANGUAGES];
  return {
    name: "language_code",
    label: t("person.language"),
    type: "select",
    value: value ?? "zh-hans",
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

/** Members and settings of a group; follows the group while it is open. */
export function groupInfo(world, chatId) {
  const content = h("div", { class: "group-info" });
  const error = h("p", { class: "error", role: "alert" });
  const run = async (path, body) => {
    fill(error);
    try {
      await post(path, body);
    } catch (problem) {
      fill(error, problem.message);
    }
  };
  const draw = () => {
    const chat = world.chats.get(chatId);
    if (!chat) return;
    const members = world.members(chat);
    const others = [...world.people.values(), world.bot].filter(
      (one) => !members.some((member) => member.id === one.id),
    );
    const isBot = (id) => id === world.bot.id;
    const chooser = h(
      "select",
      { "aria-label": t("group.join") },
      others.map((one) => h("option", { value: one.id }, world.nameOf(one.id))),
    );
    const pick = (member) => {
      const select = h(
        "select",
        {
          "aria-label": t("group.status", { name: world.nameOf(member.id) }),
          on: { change: () => run("groups/status", { chat_id: chatId, member_id: member.id, status: select.value }) },
        },
        ["administrator", "member", "restricted"].map((status) =>
          h("option", { value: status, selected: status === member.status }, t(`status.${status}`)),
        ),
      );
      return select;
    };
    fill(
      content,
      h(
        "p",
        { class: "muted" },
        t(chat.is_forum ? "group.is_forum" : chat.type === "group" ? "group.plain" : "group.supergroup"),
      ),
      h(
        "ul",
        {},
        members.map((member) =>
          h(
            "li",
            {},
            avatar(isBot(member.id) ? "bot" : "person", member.id, world.nameOf(member.id)),
            h(
              "span",
              { dir: "auto" },
              world.nameOf(member.id),
              isBot(member.id) ? h("small", {}, t("pane.bot")) : null,
            ),
            member.status === "creator" ? h("small", {}, t("status.creator")) : pick(member),
            member.status === "creator"
              ? null
              : iconButton("close", t("group.remove_member", { name: world.nameOf(member.id) }), () =>
                  run("groups/leave", {
                    chat_id: chatId,
                    member_id: member.id,
                    by: members.find((one) => one.status === "creator")?.id,
                  }),
                ),
          ),
        ),
      ),
      others.length
        ? h(
            "div",
            { class: "row" },
            chooser,
            h(
              "button",
              {
                type: "button",
                class: "flat",
                on: { click: () => run("groups/join", { chat_id: chatId, member_id: Number(chooser.value) }) },
              },
              t("group.join"),
            ),
          )
        : null,
      error,
      h(
        "footer",
        {},
        h(
          "button",
          {
            type: "button",
            class: "flat",
            on: {
              click: () =>
                form(
                  t("group.rename"),
                  [{ name: "title", label: t("group.title"), value: chat.title, required: true }],
                  t("dialog.save"),
                  (values) => post("groups/change", { chat_id: chatId, ...values }),
                ),
            },
          },
          t("group.rename"),
        ),
        chat.type === "group"
          ? h(
              "button",
              {
                type: "button",
                class: "flat",
                on: {
                  click: async () => {
                    await run("groups/migrate", { chat_id: chatId });
                    box.close();
                  },
                },
              },
              t("group.migrate"),
            )
          : null,
        chat.type === "supergroup"
          ? h(
              "button",
              {
                type: "button",
                class: "flat",
                on: { click: () => run("groups/change", { chat_id: chatId, is_forum: !chat.is_forum }) },
              },
              t(chat.is_forum ? "group.topics_off" : "group.topics_on"),
            )
          : null,
        chat.is_forum
          ? h(
              "button",
              {
                type: "button",
                class: "flat",
                on: {
                  click: () =>
                    form(
                      t("group.topic_add"),
                      [{ name: "name", label: t("group.title"), required: true }],
                      t("dialog.add"),
                      (values) => post("topics/add", { chat_id: chatId, ...values }),
                    ),
                },
              },
              t("group.topic_add"),
            )
          : null,
        h(
          "button",
          {
            type: "button",
            class: "flat danger",
            on: {
              click: () =>
                confirm(
                  t("group.delete"),
                  t("group.delete_sure", { title: chat.title }),
                  t("group.delete"),
                  async () => {
                    await post("groups/remove", { chat_id: chatId });
                    box.close();
                  },
                ),
            },
          },
          t("group.delete"),
        ),
      ),
    );
  };
  draw();
  const box = dialog(world.chats.get(chatId).title, content);
  const offs = [
    world.on("chat", ({ chat }) => {
      if (chat.id === chatId) draw();
    }),
    world.on("person", draw),
  ];
  box.addEventListener("close", () => offs.forEach((off) => off()));
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
