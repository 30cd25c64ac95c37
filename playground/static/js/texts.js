// The page's own words, from texts.json, in the browser's language (or the one chosen in the menu).

let words = {};
let fallback = {};
export let language = "en";

/** What the page itself speaks. */
export const LANGUAGES = ["zh-Hans", "zh-Hant", "en"];

const WISH = "playground.language";

export async function loadTexts() {
  const catalogues = await (await fetch(new URL("../texts.json", import.meta.url))).json();
  const wishes = [localStorage.getItem(WISH), ...navigator.languages].filter(Boolean);
  for (const wish of wishes) {
    const short = wish.toLowerCase();
    language = /^zh.*(hant|tw|hk|mo)/.test(short)
      ? "zh-Hant"
      : short.startsWith("zh")
        ? "zh-Hans"
        : short.startsWith("en")
          ? "en"
          : "";
    if (language) break;
  }
  language ||= "en";
  words = catalogues[language];
  fallback = catalogues.en;
  document.documentElement.lang = language;
}

export function chooseLanguage(code) {
  localStorage.setItem(WISH, code);
  location.reload();
}

/** The words for `key`, with `{fields}` filled in; a plural is chosen by the field `n`. */
export function t(key, fields = {}) {
  let text = words[key] ?? fallback[key] ?? key;
  if (typeof text === "object") text = text[new Intl.PluralRules(language).select(fields.n)] ?? text.other;
  return text.replace(/\{(\w+)\}/g, (whole, name) => fields[name] ?? whole);
}

/** A language in its own words: 简体中文, English. */
export function languageName(code) {
  const names = { "zh-hans": "简体中文", "zh-hant": "繁體中文" };
  if (names[code]) return names[code];
  try {
    return new Intl.DisplayNames([code], { type: "language" }).of(code);
  } catch {
    return code ?? "";
  }
}
