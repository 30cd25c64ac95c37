// Menus and dialogs.

import { fill, h, icon } from "./dom.js";
import { t } from "./texts.js";

let open = null;

/**
 * A menu beside `anchor` (or at the pointer of `event`).
 *
 * `items`: `{icon, label, run, danger, checked}`; null is left out; `{row: [{label, run}]}` is a line of small buttons.
 */
export function popup(anchor, items, event) {
  open?.();
  const entry = (item) =>
    h(
      "button",
      {
        type: "button",
        class: item.danger ? "danger" : "",
        tabIndex: -1,
        role: item.checked === undefined ? "menuitem" : "menuitemcheckbox",
        "aria-checked": item.checked === undefined ? null : String(item.checked),
        "aria-label": item.name,
        on: {
          click: () => {
            close();
            item.run();
          },
        },
      },
      item.icon ? icon(item.icon) : null,
      item.label,
      item.checked ? icon("check") : null,
    );
  const menu = h(
    "div",
    { class: "popup", role: "menu" },
    items
      .filter(Boolean)
      .map((item) => (item.row ? h("div", { class: "popup-row", role: "group" }, item.row.map(entry)) : entry(item))),
  );
  const before = document.activeElement;
  const close = () => {
    if (open !== close) return;
    open = null;
    menu.remove();
    document.removeEventListener("pointerdown", outside, true);
    window.removeEventListener("resize", close);
    if (before?.isConnected) before.focus({ preventScroll: true });
  };
  const outside = (press) => {
    if (!menu.contains(press.target)) close();
  };
  menu.addEventListener("keydown", (key) => {
    const buttons = [...menu.querySelectorAll("button")];
    const at = buttons.indexOf(document.activeElement);
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[key.key];
    if (step) buttons[(at + step + buttons.length) % buttons.length].focus();
    else if (key.key === "Home") buttons[0].focus();
    else if (key.key === "End") buttons.at(-1).focus();
    else if (key.key === "Escape" || key.key === "Tab") close();
    else return;
    key.preventDefault();
    key.stopPropagation();
  });
  document.body.append(menu);
  open = close;
  const box = anchor.getBoundingClientRect();
  const pointer = event?.clientX > 0;
  const x = pointer ? event.clientX : box.right - menu.offsetWidth;
  const y = pointer ? event.clientY : box.bottom + 4;
  menu.style.left = `${Math.max(8, Math.min(x, innerWidth - menu.offsetWidth - 8))}px`;
  menu.style.top = `${Math.max(8, y + menu.offsetHeight > innerHeight - 8 ? (pointer ? y : box.top - 4) - menu.offsetHeight : y)}px`;
  document.addEventListener("pointerdown", outside, true);
  window.addEventListener("resize", close);
  menu.querySelector("button")?.focus();
}

/** A modal dialog with any content; returns its element. It is gone when closed. */
export function dialog(title, content, props = {}) {
  const box = h(
    "dialog",
    {
      class: `dialog ${props.class ?? ""}`,
      "aria-label": title,
      on: {
        close: () => box.remove(),
        pointerdown: (event) => {
          if (event.target === box) box.close();
        },
      },
    },
    h(
      "div",
      { class: "dialog-box" },
      h(
        "header",
        {},
        h("h2", {}, title),
        h(
          "button",
          { type: "button", class: "icon-button", "aria-label": t("dialog.close"), on: { click: () => box.close() } },
          icon("close"),
        ),
      ),
      content,
    ),
  );
  document.body.append(box);
  box.showModal();
  return box;
}

/**
 * A form in a dialog.
 *
 * `fields`: `{name, label, value, type}`, type `text`, `number`, `check`, `select` (`options`: [value, label]) or
 * `checks` (several of `options`; value: an array). `run(values)` may throw: the message is shown and the form stays.
 */
export function form(title, fields, submit, run) {
  const readers = {};
  const rows = fields.map((field) => {
    const { name, label, value, type = "text" } = field;
    if (type === "checks") {
      const boxes = field.options.map(([key, text]) => [
        key,
        h("input", { type: "checkbox", checked: value.includes(key) }),
        text,
      ]);
      readers[name] = () => boxes.filter(([, box]) => box.checked).map(([key]) => key);
      return h(
        "fieldset",
        {},
        h("legend", {}, label),
        boxes.map(([, box, text]) => h("label", { class: "check" }, box, text)),
      );
    }
    if (type === "check") {
      const box = h("input", { type: "checkbox", checked: value });
      readers[name] = () => box.checked;
      return h("label", { class: "check" }, box, label);
    }
    const input =
      type === "select"
        ? h(
            "select",
            {},
            field.options.map(([key, text]) =>
              h("option", { value: key, selected: String(key) === String(value) }, text),
            ),
          )
        : h("input", {
            type,
            value: value ?? "",
            required: field.required ?? false,
            min: field.min,
            step: field.step,
            placeholder: field.placeholder,
            autocomplete: "off",
          });
    readers[name] = () => (type === "number" ? Number(input.value) : input.value.trim());
    return h("label", {}, h("span", {}, label), input);
  });
  const error = h("p", { class: "error", role: "alert" });
  const button = h("button", { type: "submit", class: "solid" }, submit);
  const body = h(
    "form",
    {
      method: "dialog",
      on: {
        submit: async (event) => {
          event.preventDefault();
          button.disabled = true;
          fill(error);
          try {
            await run(Object.fromEntries(Object.entries(readers).map(([name, read]) => [name, read()])));
            box.close();
          } catch (problem) {
            fill(error, problem.message);
            button.disabled = false;
          }
        },
      },
    },
    rows,
    error,
    h("footer", {}, button),
  );
  const box = dialog(title, body);
  body.querySelector("input, select")?.focus();
  return box;
}

/** Asks before something that cannot be taken back. */
export function confirm(title, text, submit, run) {
  const box = form(title, [], submit, run);
  box.querySelector("form").prepend(h("p", {}, text));
  box.querySelector(".solid").classList.add("danger");
  box.querySelector(".solid").focus();
}

/** A picture over the whole window: a click, or Enter, switches between whole and full size; Escape closes. */
export function zoom(url, caption) {
  const image = h("img", { src: url, alt: caption || t("message.photo") });
  const frame = h(
    "button",
    {
      type: "button",
      class: "zoom-frame",
      "aria-label": t("message.zoom"),
      on: { click: () => frame.classList.toggle("full") },
    },
    image,
  );
  const box = h(
    "dialog",
    {
      class: "zoom",
      "aria-label": t("message.photo"),
      on: {
        close: () => box.remove(),
        click: (event) => {
          if (event.target === box) box.close();
        },
      },
    },
    frame,
    caption ? h("p", { dir: "auto" }, caption) : null,
    h(
      "button",
      {
        type: "button",
        class: "icon-button zoom-close",
        "aria-label": t("dialog.close"),
        on: { click: () => box.close() },
      },
      icon("close"),
    ),
  );
  document.body.append(box);
  box.showModal();
}
