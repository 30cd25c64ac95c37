// The page: what was checked, and the hand in words. All texts come with the record.
"use strict";

(() => {
  const { texts, tiles: names } = GIVEN;
  const main = document.getElementById("main");

  function element(tag, attributes, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) made.setAttribute(name, value);
    made.append(...children);
    return made;
  }

  const said = (tiles) => tiles.map((tile) => names[tile] || tile).join(" ");
  const row = (tiles, gold) =>
    element("p", { class: "tiles" }, ...tiles.map((tile) =>
      element("span", gold.includes(tile) ? { class: "gold" } : {}, names[tile] || tile)));

  function show(record, published, players) {
    const who = (seat) => players[seat] || String(seat + 1);
    const { checks, log, ok } = Fair.check(record, published);
    const gold = (log.find((done) => done.verb === "turned") || { tiles: [] }).tiles;
    const parts = [
      element("h1", {}, texts.title),
      element("p", { class: "verdict " + (ok ? "good" : "bad"), id: "verdict" }, ok ? texts.good : texts.bad),
      element("p", {}, texts.what),
      element("ul", { class: "checks" }, ...checks.map((found) =>
        element("li", { "data-check": found.name, "data-ok": String(found.ok) },
          element("b", { class: found.ok ? "good" : "bad" }, found.ok ? "✓" : "✗"),
          texts[found.name],
          ...(found.detail ? [element("code", {}, found.detail)] : [])))),
      element("p", {}, texts.not),
      element("h2", {}, texts.published),
      element("code", {}, String(published)),
      element("h2", {}, texts.open),
      element("code", {}, String(record.seed)),
      element("p", {}, record.dice && record.dice.length ? texts.dice + " " + record.dice.join(" + ") : texts.no_dice),
    ];
    const dealt = log.find((done) => done.verb === "dealt");
    if (dealt) {
      parts.push(element("h2", {}, texts.dealt));
      for (const seat of [0, 1, 2, 3]) {
        parts.push(element("p", {}, element("b", {}, who(seat)),
          dealt.laid[seat].length ? " · " + texts.flower + " " + said(dealt.laid[seat]) : ""));
        parts.push(row(dealt.hands[seat], gold));
      }
    }
    const lines = log.filter((done) => done.verb !== "dealt").map((done) =>
      element("li", {}, (done.seat === undefined ? "" : who(done.seat) + " ") +
        texts[done.verb] + (done.tiles.length ? " " + said(done.tiles) : "")));
    parts.push(element("details", { open: "" }, element("summary", {}, texts.steps), element("ol", {}, ...lines)));
    const result = record.result;
    if (result && Array.isArray(result.payments)) {
      parts.push(element("h2", {}, texts.result));
      const paid = result.payments.filter((payment) => payment.amount).map((payment) =>
        element("li", {}, who(payment.from) + " → " + who(payment.to) + "  " + payment.amount));
      parts.push(element("ul", {}, ...(paid.length ? paid : [element("li", {}, texts.no_pay)])));
    }
    const raw = element("details", {}, element("summary", {}, texts.record),
      element("code", {}, JSON.stringify(record)));
    const input = element("input", { type: "file", accept: ".json,application/json" });
    input.addEventListener("change", async () => {
      if (!input.files.length) return;
      try {
        const other = JSON.parse(await input.files[0].text());
        show(other, (other.note && other.note.commitment) || published, other.id === record.id ? players : []);
      } catch (error) {
        main.replaceChildren(element("p", { class: "verdict bad", id: "verdict" }, texts.unreadable), label);
      }
    });
    const label = element("label", {}, texts.file, input);
    main.replaceChildren(...parts, raw, label);
  }

  show(GIVEN.record, GIVEN.commitment, GIVEN.names);
})();
