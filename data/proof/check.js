// What docs/fair-deal.md says, done again with nothing but this file: no library, no network, no WebCrypto (which a
// browser may refuse to a page that was opened from a disk).
"use strict";

const Fair = (() => {
  const SIZES = { m: 9, p: 9, s: 9, z: 7, f: 8 };
  const ORDER = [];
  for (const suit of "mpszf") for (let n = 1; n <= SIZES[suit]; n++) ORDER.push(n + suit);
  const RULES = ["zhangzhou", "putian-an", "putian-ming"];
  const KEYS = ["rules", "options", "dealer", "streak", "base", "coins", "wall", "gold_dice", "actions",
    "id", "seed", "dice", "players", "note", "result"];
  const RESULT = ["outcome", "winner", "by", "from", "tile", "points", "fenbing", "payments", "net", "coins", "next"];
  // Wins that name no tile, and the others that come of no discard and no kong.
  const WHOLE = ["heavenly", "three_gold", "two_gold", "small_bomb", "big_bomb", "super_bomb"];
  const DRAWN = ["self_draw", "single_you", "double_you", "triple_you"];
  const VERBS = { discard: [1], chow: [2], pong: [0], kong: [0, 1], hu: [0], pass: [0], rob: [0] };

  // SHA-256 (FIPS 180-4). Its constants are the first bits of the fractional parts of roots of primes.
  const primes = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p)) primes.push(n);
  const fraction = (x) => Math.floor((x - Math.floor(x)) * 2 ** 32) >>> 0;
  const START = primes.slice(0, 8).map((p) => fraction(Math.sqrt(p)));
  const ROUNDS = primes.map((p) => fraction(Math.cbrt(p)));

  function sha256(bytes) {
    const state = START.slice();
    const length = bytes.length;
    const message = new Uint8Array(((length + 8) >> 6) * 64 + 64);
    message.set(bytes);
    message[length] = 0x80;
    new DataView(message.buffer).setUint32(message.length - 4, length * 8);
    const turn = (x, n) => (x >>> n) | (x << (32 - n));
    for (let at = 0; at < message.length; at += 64) {
      const w = [];
      const view = new DataView(message.buffer, at, 64);
      for (let i = 0; i < 64; i++) {
        if (i < 16) w[i] = view.getUint32(i * 4);
        else {
          const a = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ (w[i - 15] >>> 3);
          const b = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ (w[i - 2] >>> 10);
          w[i] = (w[i - 16] + a + w[i - 7] + b) >>> 0;
        }
      }
      let [a, b, c, d, e, f, g, h] = state;
      for (let i = 0; i < 64; i++) {
        const one = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
        const first = (h + one + ((e & f) ^ (~e & g)) + ROUNDS[i] + w[i]) >>> 0;
        const zero = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
        const second = (zero + ((a & b) ^ (a & c) ^ (b & c))) >>> 0;
        [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) >>> 0, c, b, a, (first + second) >>> 0];
      }
      [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] = (state[i] + word) >>> 0));
    }
    const out = new Uint8Array(32);
    state.forEach((word, i) => new DataView(out.buffer).setUint32(i * 4, word));
    return out;
  }

  const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

  function fromHex(text) {
    if (typeof text !== "string" || !/^[0-9a-f]{64}$/i.test(text)) throw new Error("seed");
    return Uint8Array.from(text.match(/../g), (pair) => parseInt(pair, 16));
  }

  // Tiles as names: "123m5z" is 1m 2m 3m 5z.
  function tiles(text) {
    const found = [];
    let digits = "";
    for (const char of String(text)) {
      if (/[1-9]/.test(char)) digits += char;
      else {
        if (!digits || !SIZES[char]) throw new Error("tiles");
        for (const digit of digits) {
          if (Number(digit) > SIZES[char]) throw new Error("tiles");
          found.push(digit + char);
        }
        digits = "";
      }
    }
    if (digits) throw new Error("tiles");
    return found;
  }

  // Step 3: the numbers that seed and dice make.
  function* numbers(seed, dice) {
    for (let block = 0; ; block++) {
      const key = new Uint8Array(seed.length + dice.length + 8);
      key.set(seed);
      key.set(dice, seed.length);
      new DataView(key.buffer).setUint32(key.length - 4, block);
      const digest = new DataView(sha256(key).buffer);
      for (let at = 0; at < 32; at += 4) yield digest.getUint32(at);
    }
  }

  // Step 4.
  function below(stream, n) {
    const limit = 2 ** 32 - (2 ** 32 % n);
    for (;;) {
      const u = stream.next().value;
      if (u < limit) return u % n;
    }
  }

  // Steps 5 and 6; the stream goes on with the gold.
  function wallOf(seed, dice, rules, dealer) {
    const stream = numbers(seed, dice);
    let wall = [];
    for (const name of ORDER) {
      const suit = name[1];
      const inPutian = suit !== "f" && (suit !== "z" || name === "5z");
      const copies = rules === "zhangzhou" ? (suit === "f" ? 1 : 4) : inPutian ? 4 : 0;
      for (let i = 0; i < copies; i++) wall.push(name);
    }
    for (let i = wall.length - 1; i > 0; i--) {
      const j = below(stream, i + 1);
      [wall[i], wall[j]] = [wall[j], wall[i]];
    }
    if (dice.length) {
      const total = dice[0] + dice[1];
      const side = wall.length / 8;
      const start = (2 * (side * ((4 - ((total - 1) % 4)) % 4) + total)) % wall.length;
      wall = wall.slice(start).concat(wall.slice(0, start));
    }
    return { wall, stream };
  }

  // What kongs add to Zhangzhou's reserve, in stacks (8.1).
  const KONGS = { exposed: 1, added: 1, concealed: 2 };
  const seatsFrom = (first) => [0, 1, 2, 3].map((step) => (first + step) % 4);

  // The deal (rules 2 to 4): hands, flowers, gold. Throws are taken from `next` until one stands.
  function deal(wall, rules, dealer, next) {
    const table = { wall: wall.slice(), hands: [[], [], [], []], laid: [[], [], [], []], gold: [], throws: [] };
    for (let round = 0; round < 4; round++)
      for (const seat of seatsFrom(dealer)) table.hands[seat].push(...table.wall.splice(0, 4));
    table.hands[dealer].push(table.wall.shift());
    const zhangzhou = rules === "zhangzhou";
    table.isFlower = (tile) => (zhangzhou ? tile[1] === "f" : tile === "5z" && !table.gold.includes("5z"));
    const replace = () => {
      for (let found = true; found; ) {
        found = false;
        for (const seat of seatsFrom(dealer)) {
          const flowers = table.hands[seat].filter(table.isFlower);
          if (!flowers.length) continue;
          found = true;
          table.laid[seat].push(...flowers);
          table.hands[seat] = table.hands[seat].filter((tile) => !table.isFlower(tile));
          for (let i = 0; i < flowers.length; i++) table.hands[seat].push(table.wall.pop());
        }
      }
    };
    if (zhangzhou) replace();
    for (;;) {
      const g = next(table.throws.length);
      if (g === undefined) throw new Error("gold");
      table.throws.push(g);
      const places = zhangzhou ? [g] : rules === "putian-an" ? [2 * g - 1, 2 * g] : [2 * g - 1];
      const turned = places.map((place) => table.wall[table.wall.length - place]);
      if (zhangzhou && turned[0][1] === "f") continue;
      const pair = turned.length === 2 && turned[0] === turned[1];
      if (pair && !table.hands.some((hand) => hand.filter((tile) => tile === turned[0]).length === 2)) continue;
      for (const place of places.slice().sort((a, b) => b - a)) table.wall.splice(table.wall.length - place, 1);
      table.gold = turned;
      break;
    }
    if (!zhangzhou) replace();
    return table;
  }

  // The moves on the table of the deal. Every tile must be where the move takes it from. Returns what happened.
  function* moves(record, table) {
    const actions = record.actions.map((text) => {
      const [seat, verb, held, more] = text.split(" ");
      const action = { seat: Number(seat), verb, tiles: held ? tiles(held) : [], text };
      const allowed = Object.hasOwn(VERBS, verb) && VERBS[verb].includes(action.tiles.length);
      if (!/^[0-3]$/.test(seat) || more !== undefined || held === "" || !allowed) throw new Error(text);
      return action;
    });
    const real = actions.filter((action) => action.verb !== "pass");
    const { by, outcome, winner } = record.result || {};
    const pongs = [[], [], [], []];
    let mover = record.dealer;
    let last = null;
    const fail = (action) => { throw new Error(action ? action.text : "end"); };
    const take = (seat, wanted, action) => {
      for (const tile of wanted) {
        const at = table.hands[seat].indexOf(tile);
        if (at < 0) fail(action);
        table.hands[seat].splice(at, 1);
      }
    };
    function* draw(seat, fromTail, action) {
      for (;;) {
        if (!table.wall.length) fail(action);
        const tile = fromTail ? table.wall.pop() : table.wall.shift();
        yield { seat, verb: fromTail ? "replaces" : "draws", tiles: [tile] };
        if (!table.isFlower(tile)) {
          table.hands[seat].push(tile);
          return;
        }
        table.laid[seat].push(tile);
        yield { seat, verb: "flower", tiles: [tile] };
        fromTail = true;
      }
    }
    // After a gold was thrown for 双游 the others only draw.
    const locked = () => last && table.gold.includes(last.tile);
    function* turnOf(seat, action) {
      for (let draws = 0; mover !== seat; draws++) {
        if (draws === 4 || (mover !== null && !locked())) fail(action);
        const next = ((mover === null ? last.seat : mover) + 1) % 4;
        yield* draw(next, false, action);
        mover = next;
      }
    }
    // What turns may still draw: in Zhangzhou all but the reserve, which grows with flowers and kongs (8.1).
    let kongs = 0;
    const drawable = () => {
      if (record.rules !== "zhangzhou") return table.wall.filter((tile) => !table.isFlower(tile)).length;
      const more = table.laid.reduce((sum, laid) => sum + Math.max(0, laid.length - 3), 0);
      return table.wall.length + 1 - 2 * (((record.options || {}).dead_wall_stacks || 8) + more + kongs);
    };
    const face = (tile) =>
      record.rules === "zhangzhou" && tile === "5z" && !table.gold.includes("5z") ? table.gold[0] : tile;
    for (let number = 0; number < real.length; number++) {
      const action = real[number];
      const { seat, verb } = action;
      const claims = mover === null && last !== null && !last.taken;
      if (number && ["hu", "rob"].includes(real[number - 1].verb)) fail(action);
      if (verb === "discard") {
        yield* turnOf(seat, action);
        take(seat, action.tiles, action);
        last = { seat, tile: action.tiles[0], taken: false };
        mover = null;
        yield action;
      } else if (verb === "chow" || verb === "pong" || (verb === "kong" && !action.tiles.length)) {
        if (!claims || seat === last.seat) fail(action);
        const used = verb === "chow" ? action.tiles : Array(verb === "pong" ? 2 : 3).fill(last.tile);
        if (verb === "chow") {
          const run = used.concat(last.tile).map(face).sort();
          const [a, b, c] = run.map((tile) => Number(tile[0]));
          const suited = run.every((tile) => tile[1] === run[0][1] && tile[1] !== "z");
          if (seat !== (last.seat + 1) % 4 || used.length !== 2 || !suited || b !== a + 1 || c !== a + 2) fail(action);
        }
        take(seat, used, action);
        last.taken = true;
        if (verb === "pong") pongs[seat].push(last.tile);
        mover = seat;
        yield { ...action, tiles: used.concat(last.tile) };
        if (verb === "kong") kongs += KONGS.exposed;
        if (verb === "kong") yield* draw(seat, true, action);
      } else if (verb === "kong") {
        yield* turnOf(seat, action);
        const tile = action.tiles[0];
        const added = pongs[seat].includes(tile) && table.hands[seat].filter((other) => other === tile).length < 4;
        take(seat, Array(added ? 1 : 4).fill(tile), action);
        yield action;
        const next = real[number + 1];
        if (next && next.verb === "rob") continue;
        kongs += added ? KONGS.added : KONGS.concealed;
        yield* draw(seat, true, action);
      } else if (verb === "hu") {
        if (number && by !== "discard") yield* turnOf(seat, action);
        if (by === "discard" && !claims) fail(action);
        yield action;
      } else if (verb === "rob") {
        if (!number || real[number - 1].verb !== "kong") fail(action);
        yield action;
      } else fail(action);
    }
    // Wins that nobody can decline are not written, and neither are the draws after a 双游.
    const ended = real.length && ["hu", "rob"].includes(real[real.length - 1].verb);
    if (!ended && outcome === "win") yield* turnOf(winner, null);
    if (outcome !== "draw") return;
    for (let draws = 0; draws < 4 && mover === null && locked() && drawable() > 0; draws++) {
      last = { ...last, seat: (last.seat + 1) % 4 };
      yield* draw(last.seat, false, null);
    }
    if (drawable() > 0) throw new Error("draw");
  }

  // Whether a result is the end of these moves: who won, how, on which tile, by whose; who deals next.
  function ends(record, log) {
    const { outcome, winner, by, from, tile, next } = record.result;
    const end = log[log.length - 1];
    const before = log[log.length - 2];
    const stays = outcome === "draw" || winner === record.dealer;
    const dealer = stays ? record.dealer : (record.dealer + 1) % 4;
    if (next.dealer !== dealer || next.streak !== (stays ? record.streak + 1 : 1)) return false;
    const nobody = winner === null && by === null && tile === null;
    if (outcome === "draw") return nobody && from === null && !["hu", "rob"].includes(end.verb);
    if (outcome === "false_win") return nobody && end.verb === "rob" && from === end.seat;
    if (by === "discard" || by === "rob_kong") {
      const [verb, source] = by === "discard" ? ["hu", "discard"] : ["rob", "kong"];
      return end.verb === verb && end.seat === winner && winner !== from &&
        before.verb === source && before.seat === from && before.tiles[0] === tile;
    }
    if (from !== null || end.verb === "rob") return false;
    if (WHOLE.includes(by)) return end.verb === "hu" && end.seat === winner && tile === null;
    const turned = log.find((done) => done.verb === "turned").tiles;
    if (by === "rob_gold") return end.verb === "hu" && end.seat === winner && turned.includes(tile);
    const drawn = end.verb === "hu" ? before : end;
    const mine = end.seat === winner && drawn.seat === winner && ["draws", "replaces"].includes(drawn.verb);
    return DRAWN.includes(by) && mine && drawn.tiles[0] === tile;
  }

  const seats = (value) => [0, 1, 2, 3].includes(value);
  const count = (value, least) => Number.isSafeInteger(value) && value >= least;
  const four = (value, fits) => Array.isArray(value) && value.length === 4 && value.every(fits);
  const only = (value, keys, needed) =>
    typeof value === "object" && value !== null && !Array.isArray(value) &&
    Object.keys(value).every((key) => keys.includes(key)) && needed.every((key) => Object.hasOwn(value, key));

  // Whether record and result have all that they need, and nothing else.
  function formed(record, dice) {
    const result = record.result;
    const throws = record.gold_dice;
    return only(record, KEYS, KEYS.slice(0, 9).filter((key) => key !== "options")) &&
      (record.options === undefined || only(record.options, Object.keys(record.options || {}), [])) &&
      RULES.includes(record.rules) && seats(record.dealer) && count(record.streak, 1) && count(record.base, 1) &&
      four(record.coins, (coins) => count(coins, 0)) &&
      Array.isArray(record.actions) && record.actions.length > 0 &&
      record.actions.every((action) => typeof action === "string") &&
      Array.isArray(throws) && throws.every((total) => count(total, 2) && total <= 12) &&
      (record.dice === undefined || Array.isArray(record.dice)) &&
      (dice.length === 0 || (dice.length === 2 && dice.every((die) => [1, 2, 3, 4, 5, 6].includes(die)))) &&
      only(result, RESULT, RESULT) && ["win", "draw", "false_win"].includes(result.outcome) &&
      four(result.points, (points) => count(points, 0)) && count(result.fenbing, 0) &&
      four(result.net, Number.isSafeInteger) && four(result.coins, (coins) => count(coins, 0)) &&
      only(result.next, ["dealer", "streak"], ["dealer", "streak"]) &&
      Array.isArray(result.payments) && result.payments.every((payment) => payable(record, payment));
  }

  // Whether a payment can be one of this hand; what it is worth is in the rules.
  function payable(record, payment) {
    const { outcome, winner, from, fenbing } = record.result;
    const keys = ["from", "to", "item", "amount"];
    const zhangzhou = record.rules === "zhangzhou";
    const fits = {
      win: outcome === "win" && payment.to === winner,
      false_win: outcome === "false_win" && payment.from === from,
      points: zhangzhou,
      fenbing: zhangzhou && fenbing > 0 && [payment.from, payment.to].includes(record.dealer),
      suanhua: !zhangzhou,
    };
    return only(payment, [...keys, "shortfall"], keys) &&
      seats(payment.from) && seats(payment.to) && payment.from !== payment.to && count(payment.amount, 0) &&
      (payment.shortfall === undefined || count(payment.shortfall, 1)) &&
      Object.hasOwn(fits, payment.item) && fits[payment.item];
  }

  const same = (a, b) => a.length === b.length && a.every((value, i) => value === b[i]);

  // All checks of a record: [{ name, ok, detail }], and the log of what happened.
  function check(record, published) {
    const checks = [];
    const log = [];
    let table = null;
    const look = (name, test) => {
      try {
        const found = test();
        checks.push({ name, ok: found.ok, detail: found.detail || "" });
      } catch (error) {
        checks.push({ name, ok: false, detail: error.message });
      }
    };
    const dice = Array.isArray(record.dice) ? record.dice : [];
    look("form", () => ({ ok: formed(record, dice) }));
    look("commitment", () => {
      const seal = hex(sha256(fromHex(record.seed)));
      const noted = record.note && Object.hasOwn(record.note, "commitment") ? record.note.commitment : seal;
      return { ok: seal === published && seal === noted, detail: seal };
    });
    let stream = null;
    look("wall", () => {
      const made = wallOf(fromHex(record.seed), dice, record.rules, record.dealer);
      stream = made.stream;
      return { ok: same(made.wall, tiles(record.wall)) };
    });
    look("gold", () => {
      const made = deal(tiles(record.wall), record.rules, record.dealer, () => 2 + below(stream, 6) + below(stream, 6));
      return { ok: same(made.throws, record.gold_dice), detail: made.throws.join(" ") };
    });
    look("moves", () => {
      table = deal(tiles(record.wall), record.rules, record.dealer, (number) => record.gold_dice[number]);
      const sorted = (held) => held.slice().sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
      log.push({ verb: "dealt", hands: table.hands.map(sorted), laid: table.laid.map(sorted) });
      log.push({ verb: "turned", tiles: table.gold });
      for (const done of moves(record, table)) log.push(done);
      return { ok: true, detail: String(record.actions.length) };
    });
    look("end", () => ({ ok: record.actions.length > 0 && ends(record, log) }));
    const result = record.result || {};
    look("sums", () => ({ ok: result.net.reduce((sum, net) => sum + net, 0) === 0, detail: result.net.join("  ") }));
    look("net", () => {
      const net = [0, 0, 0, 0];
      for (const payment of result.payments) {
        net[payment.from] -= payment.amount;
        net[payment.to] += payment.amount;
      }
      return { ok: same(net, result.net) };
    });
    look("coins", () => ({ ok: same(record.coins.map((coins, seat) => coins + result.net[seat]), result.coins) }));
    return { checks, log, ok: checks.every((found) => found.ok) };
  }

  return { sha256, hex, tiles, below, wallOf, deal, check };
})();

if (typeof module !== "undefined") module.exports = Fair;
