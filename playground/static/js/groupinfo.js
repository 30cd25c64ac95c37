// Members, rights, topics and settings of a group.

import { post } from "./control.js";
import { avatar, fill, h, icon, iconButton } from "./dom.js";
import { confirm, dialog, form } from "./popup.js";
import { t } from "./texts.js";

// What a member can be. One who is restricted may write nothing, or everything but photos.
const STANDINGS = {
  administrator: { status: "administrator" },
  member: { status: "member" },
  restricted: { status: "restricted", can_send: false, photos: false },
  no_photos: { status: "restricted", can_send: true, photos: false },
};

/** A dialog that follows the group while it is open. */
export function groupInfo(world, chatId) {
  const content = h("div", { class: "group-info" });
  const error = h("p", { class: "error", role: "alert" });
  const run = async (path, body) => {
    fill(error);
    try {
      await post(path, { chat_id: chatId, ...body });
    } catch (problem) {
      fill(error, problem.message);
    }
  };
  const button = (text, click, danger = false) =>
    h("button", { type: "button", class: danger ? "flat danger" : "flat", on: { click } }, text);

  const standing = ({ status, can_send }) => (status === "restricted" && can_send ? "no_photos" : status);

  const member = (one, creator) => {
    const name = world.nameOf(one.id);
    const bot = one.id === world.bot.id;
    const select = h(
      "select",
      {
        dataset: { key: `standing ${one.id}` },
        "aria-label": t("group.status", { name }),
        on: { change: () => run("groups/status", { member_id: one.id, ...STANDINGS[select.value] }) },
      },
      Object.keys(STANDINGS).map((key) =>
        h("option", { value: key, selected: key === standing(one) }, t(`status.${key}`)),
      ),
    );
    return h(
      "li",
      {},
      avatar(bot ? "bot" : "person", one.id, name),
      h("span", { dir: "auto" }, name, bot ? h("small", {}, t("pane.bot")) : null),
      one.status === "creator" ? h("small", {}, t("status.creator")) : select,
      one.status === "creator"
        ? null
        : iconButton("close", t("group.remove_member", { name }), () =>
            run("groups/leave", { member_id: one.id, by: creator }),
          ),
    );
  };

  const joining = (others) => {
    const chooser = h(
      "select",
      { "aria-label": t("group.join") },
      others.map((one) => h("option", { value: one.id }, world.nameOf(one.id))),
    );
    return h(
      "div",
      { class: "row" },
      chooser,
      button(t("group.join"), () => run("groups/join", { member_id: Number(chooser.value) })),
    );
  };

  const topic = ({ id, name, closed }) =>
    h(
      "li",
      {},
      icon(closed ? "lock" : "topic"),
      h("span", { dir: "auto" }, name),
      h(
        "button",
        {
          type: "button",
          class: "flat",
          dataset: { key: `topic ${id}` },
          "aria-label": t(closed ? "group.topic_reopen_it" : "group.topic_close_it", { name }),
          on: { click: () => run(closed ? "topics/reopen" : "topics/close", { topic_id: id }) },
        },
        t(closed ? "group.topic_reopen" : "group.topic_close"),
      ),
      id === 1
        ? null
        : iconButton("trash", t("group.topic_remove", { name }), () => run("topics/remove", { topic_id: id })),
    );

  const settings = (chat) => [
    button(t("group.rename"), () =>
      form(
        t("group.rename"),
        [{ name: "title", label: t("group.title"), value: chat.title, required: true }],
        t("dialog.save"),
        (values) => post("groups/change", { chat_id: chatId, ...values }),
      ),
    ),
    chat.type === "group"
      ? button(t("group.migrate"), async () => {
          await run("groups/migrate", {});
          box.close();
        })
      : button(t(chat.is_forum ? "group.topics_off" : "group.topics_on"), () =>
          run("groups/change", { is_forum: !chat.is_forum }),
        ),
    chat.is_forum
      ? button(t("group.topic_add"), () =>
          form(
            t("group.topic_add"),
            [{ name: "name", label: t("group.title"), required: true }],
            t("dialog.add"),
            (values) => post("topics/add", { chat_id: chatId, ...values }),
          ),
        )
      : null,
    button(
      t("group.delete"),
      () =>
        confirm(t("group.delete"), t("group.delete_sure", { title: chat.title }), t("group.delete"), async () => {
          await post("groups/remove", { chat_id: chatId });
          box.close();
        }),
      true,
    ),
  ];

  const draw = () => {
    const chat = world.chats.get(chatId);
    if (!chat) return;
    const members = world.members(chat);
    const creator = members.find((one) => one.status === "creator")?.id;
    const others = [...world.people.values(), world.bot].filter((one) => !members.some(({ id }) => id === one.id));
    const focused = content.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    fill(
      content,
      h(
        "p",
        { class: "muted" },
        t(chat.is_forum ? "group.is_forum" : chat.type === "group" ? "group.plain" : "group.supergroup"),
      ),
      h("ul", {}, members.map((one) => member(one, creator))),
      others.length ? joining(others) : null,
      chat.is_forum ? h("ul", { "aria-label": t("group.topics"), class: "topic-list" }, chat.topics.map(topic)) : null,
      error,
      h("footer", {}, settings(chat)),
    );
    if (focused) content.querySelector(`[data-key="${focused}"]`)?.focus();
  };
  draw();
  const box = dialog(world.chats.get(chatId).title, content);
  const offs = [
    world.on("chat", ({ chat }) => {
      if (chat.id === chatId) draw();
    }),
    world.on("person", draw),
    world.on("chat_removed", ({ chat_id }) => {
      if (chat_id === chatId) box.close();
    }),
  ];
  box.addEventListener("close", () => offs.forEach((off) => off()));
}
