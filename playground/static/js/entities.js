// A message's text with its entities, as DOM nodes; and what its links do.

import { h } from "./dom.js";
import { t } from "./texts.js";

const TAGS = {
  bold: "strong",
  italic: "em",
  underline: "u",
  strikethrough: "s",
  code: "code",
  blockquote: "blockquote",
};

/**
 * The nodes of `text`.
 *
 * `entities`: Telegram's MessageEntity objects; offsets are UTF-16 units, as in JavaScript strings, and entities nest.
 * `reader`: `{now, language, onLink(url), onCommand(text), onMention(name)}`.
 */
export function richText(text, entities, reader) {
  const sorted = entities
    .filter((entity) => entity.length > 0 && entity.offset >= 0 && entity.offset < text.length)
    .toSorted((a, b) => a.offset - b.offset || b.length - a.length);
  let next = 0;
  // Draws [start, end) with every entity that begins in it; a child is cut where its parent ends.
  const draw = (start, end) => {
    const nodes = [];
    let at = start;
    while (next < sorted.length && sorted[next].offset < end) {
      const entity = sorted[next++];
      const from = Math.max(entity.offset, at);
      const to = Math.min(entity.offset + entity.length, end);
      if (from > at) nodes.push(text.slice(at, from));
      if (to > from) {
        nodes.push(entityNode(entity, text.slice(from, to), draw(from, to), reader));
        at = to;
        // A quote is a block of its own: the line break after it is its end, not an empty line.
        if (entity.type.endsWith("blockquote") && text[at] === "\n" && at < end) at += 1;
      }
    }
    if (at < end) nodes.push(text.slice(at, end));
    return nodes;
  };
  return draw(0, text.length);
}

function entityNode(entity, text, children, reader) {
  switch (entity.type) {
    case "bold":
    case "italic":
    case "underline":
    case "strikethrough":
    case "code":
    case "blockquote":
      return h(TAGS[entity.type], {}, children);
    case "expandable_blockquote": {
      const quote = h("blockquote", { class: "expandable" }, h("span", {}, children));
      const more = h(
        "button",
        {
          type: "button",
          class: "quote-more",
          "aria-expanded": "false",
          on: {
            click: () => {
              more.setAttribute("aria-expanded", String(quote.classList.toggle("open")));
            },
          },
        },
        t("message.more"),
      );
      quote.append(more);
      return quote;
    }
    case "pre":
      return h("pre", {}, h("code", { "data-language": entity.language }, children));
    case "spoiler": {
      const spoiler = h(
        "span",
        { class: "spoiler", role: "button", tabIndex: 0, "aria-label": t("message.spoiler") },
        h("span", {}, children),
      );
      const show = (event) => {
        if (event.type === "keydown" && event.key !== "Enter" && event.key !== " ") return;
        if (spoiler.classList.contains("shown")) return;
        event.preventDefault();
        event.stopPropagation();
        // One press opens all that the message hides.
        for (const one of (spoiler.closest(".text") ?? spoiler.parentElement).querySelectorAll(".spoiler")) {
          one.classList.add("shown");
          for (const name of ["role", "tabindex", "aria-label"]) one.removeAttribute(name);
        }
      };
      spoiler.addEventListener("click", show, true);
      spoiler.addEventListener("keydown", show);
      return spoiler;
    }
    case "text_link":
    case "url":
    case "email": {
      const url = entity.type === "text_link" ? entity.url : entity.type === "email" ? `mailto:${text}` : text;
      return link(withScheme(url), children, reader);
    }
    case "bot_command":
      return h("button", { type: "button", class: "link", on: { click: () => reader.onCommand(text) } }, children);
    case "mention":
      return h(
        "button",
        { type: "button", class: "link", on: { click: () => reader.onMention(text.slice(1)) } },
        children,
      );
    case "text_mention":
      return h("span", { class: "mention" }, children);
    case "hashtag":
    case "cashtag":
      return h("span", { class: "mention" }, children);
    case "date_time": {
      const format = entity.date_time_format ?? "";
      const time = h("time", {
        datetime: new Date(entity.unix_time * 1000).toISOString(),
        title: absolute(entity.unix_time, "wDT", reader.language),
      });
      if (!format) time.append(...children);
      else if (format === "r") {
        time.className = "relative";
        Object.assign(time.dataset, { unix: entity.unix_time, language: reader.language });
        time.textContent = relative(entity.unix_time - reader.now(), reader.language);
      } else time.textContent = absolute(entity.unix_time, format, reader.language) || text;
      return time;
    }
    default:
      return h("span", {}, children);
  }
}

function withScheme(url) {
  return /^[a-z][a-z0-9+.-]*:/i.test(url) ? url : `https://${url}`;
}

function link(url, children, reader) {
  return h(
    "a",
    {
      href: /^(https?|tg|mailto|tel):/i.test(url) ? url : "#",
      target: "_blank",
      rel: "noopener noreferrer",
      title: url,
      on: {
        click: (event) => {
          if (reader.onLink(url) || !/^(https?|mailto|tel):/i.test(url)) event.preventDefault();
        },
      },
    },
    children,
  );
}

/**
 * What a link to this bot (`t.me/<bot>?start=…`, `tg://resolve?domain=…`) asks for, or null for any other link:
 * `{start}` is the payload for the private chat, `{group}` that for a group to which the bot is to be added.
 */
export function botLink(url, username) {
  let parsed;
  try {
    parsed = new URL(withScheme(url));
  } catch {
    return null;
  }
  const bot =
    parsed.protocol === "tg:"
      ? parsed.searchParams.get("domain")
      : /^(www\.)?(t|telegram)\.me$/i.test(parsed.hostname)
        ? parsed.pathname.slice(1)
        : null;
  if (!username || bot?.toLowerCase() !== username.toLowerCase()) return null;
  const group = parsed.searchParams.get("startgroup");
  return group === null ? { start: parsed.searchParams.get("start") ?? "" } : { group };
}

const LANGUAGES = { "zh-hans": "zh-Hans", "zh-hant": "zh-Hant" };

/** The locale for a person's language code; the browser's own if it is unknown. */
export function localeOf(code) {
  try {
    return Intl.getCanonicalLocales(LANGUAGES[(code ?? "").toLowerCase()] ?? code ?? "")[0] ?? navigator.language;
  } catch {
    return navigator.language;
  }
}

const UNITS = [
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

/** "in 12 seconds", "3 minutes ago": `seconds` from now, in the largest whole unit. */
export function relative(seconds, language) {
  const format = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  const whole = Math.round(seconds);
  const [unit, size] = UNITS.find(([, length]) => Math.abs(whole) >= length) ?? UNITS.at(-1);
  return format.format(Math.trunc(whole / size), unit);
}

/** After a Bot API `date_time_format` of the letters w, d or D, t or T. */
export function absolute(unix, format, language) {
  const options = {};
  if (/w/i.test(format)) options.weekday = "long";
  if (format.includes("d")) Object.assign(options, { year: "2-digit", month: "2-digit", day: "2-digit" });
  if (format.includes("D")) Object.assign(options, { year: "numeric", month: "long", day: "numeric" });
  if (/t/i.test(format)) Object.assign(options, { hour: "2-digit", minute: "2-digit" });
  if (format.includes("T")) options.second = "2-digit";
  return Object.keys(options).length ? new Intl.DateTimeFormat(language, options).format(new Date(unix * 1000)) : "";
}

/** Once a second: every relative time in the document says what it is now. */
export function tickRelativeTimes(now) {
  for (const time of document.querySelectorAll("time.relative")) {
    const text = relative(Number(time.dataset.unix) - now, time.dataset.language);
    if (time.textContent !== text) time.textContent = text;
  }
}
