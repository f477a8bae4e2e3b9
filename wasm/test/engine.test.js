// The engine in node: the searches of the native binary, node for node.

import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import {
  Engine, Game, Position, UmigameError, assertsTimes, benchHashMb, benchSearches, binary, ffoEndings,
  inOneOfThreeRounds, native, randomNumbers, signature, sleep,
} from "./support.js";

let engine;
before(async () => (engine = await Engine.create({ hashMb: benchHashMb() })));
after(() => engine.close());

test("the signature is that of the repository", async () => {
  const searches = benchSearches();
  assert.equal(searches.length, 24);
  let nodes = 0;
  for (const { position, limits } of searches) {
    await engine.clear();
    nodes += (await engine.search(Position.fromText(position), limits)).nodes;
  }
  assert.equal(nodes, signature());
});

test("the kernels are the SIMD ones, and agree with plain code", async () => {
  assert.equal(await engine.checkKernels(100_000, 5), "SIMD128");
});

test("the weights are those of the repository", () => {
  assert.match(engine.info.weights, /^[0-9a-f]{8}$/);
  assert.equal(engine.info.stopBy, "flag");
  assert.equal(engine.info.hashMb, benchHashMb());
  const dist = readFileSync(new URL("../dist/umigame.weights", import.meta.url));
  const own = readFileSync(new URL("../../crates/eval/weights/umigame.weights", import.meta.url));
  assert.ok(dist.equals(own));
});

test("FFO 40 to 44 have their scores, and the nodes of the native binary", async (t) => {
  const found = [];
  const solver = await Engine.create({ hashMb: 64 });
  for (const { number, position, score } of ffoEndings(40, 44)) {
    await solver.clear();
    const report = await solver.solve(Position.fromText(position));
    assert.equal(report.kind, "exact");
    assert.equal(report.lines[0].eval, score, `FFO ${number}`);
    found.push({ number, nodes: report.nodes });
  }
  solver.close();
  assert.equal(found.length, 5);
  if (!binary) return t.diagnostic("SKIPPED the comparison: UMIGAME_BINARY is not set");
  const rows = native("bench", "ffo", "--to", "44", "--hash", "64", "--jsonl").trim().split("\n");
  const expected = rows.map((row) => JSON.parse(row)).map(({ number, nodes }) => ({ number, nodes }));
  assert.deepEqual(found, expected);
});

test("an estimate has a deviation and probabilities, and a proven score is certain", async () => {
  const [line] = (await engine.search(Game.fromText("f5d6c3"), { depth: 6 })).lines;
  assert.ok(line.std_dev > 0 && line.std_dev < 20, `${line.std_dev}`);
  assert.ok(Math.abs(line.wdl.win + line.wdl.draw + line.wdl.loss - 1) < 1e-9);
  const [{ position, score }] = ffoEndings(40, 40);
  const solved = await engine.solve(Position.fromText(position));
  const { std_dev, wdl } = solved.lines[0];
  const [win, draw, loss] = [score > 0, score === 0, score < 0].map(Number);
  assert.deepEqual([std_dev, wdl], [0, { win, draw, loss }]);
  const sign = await engine.solve(Position.fromText(position), { goal: "winLossDraw" });
  assert.deepEqual([sign.lines[0].std_dev, sign.lines[0].wdl], [null, { win, draw, loss }]);
});

test("a search is that of the native binary", async (t) => {
  if (!binary) return t.skip("UMIGAME_BINARY is not set");
  const args = ["hint", "f5d6c3", "-n", "3", "--depth", "12", "--jsonl", "--hash", "16"];
  const hints = native(...args).trim().split("\n").map((row) => JSON.parse(row));
  await engine.clear();
  const report = await engine.search(Game.fromText("f5d6c3"), { depth: 12, lines: 3 });
  assert.equal(hints.length, 3);
  assert.equal(report.nodes, hints[0].nodes);
  assert.deepEqual(
    report.lines.map(({ moves, eval: value, std_dev, wdl }) => [moves, value, std_dev, wdl]),
    hints.map(({ pv, score, std_dev, wdl }) => [pv, score, std_dev, wdl]),
  );
});

test("an analysis is that of the native binary", async (t) => {
  if (!binary) return t.skip("UMIGAME_BINARY is not set");
  const transcript = "f5d6c5f4e7f6g5e6e3";
  const args = ["analyze", transcript, "--jsonl", "--depth", "8", "--threads", "1", "--hash", "16"];
  const expected = JSON.parse(native(...args));
  await engine.clear();
  const grown = [];
  const analysis = await engine.analyze(Game.fromText(transcript), { depth: 8 }, (partial) => {
    grown.push(partial.moves.length);
  });
  delete expected.file;
  assert.deepEqual({ ...analysis, stopped: undefined }, { ...expected, stopped: undefined });
  assert.deepEqual([analysis.complete, analysis.stopped], [true, false]);
  assert.deepEqual(grown, [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test("the eight images of a position have one value", async () => {
  const position = Game.fromText("f5d6c3d3c4").position;
  const squares = position.text.slice(0, 64);
  const at = (x, y) => squares[8 * y + x];
  const value = await engine.evaluate(position);
  assert.equal(typeof value, "number");
  for (const image of [(x, y) => at(7 - x, y), (x, y) => at(y, x), (x, y) => at(7 - y, 7 - x)]) {
    let text = "";
    for (let i = 0; i < 64; i++) text += image(i % 8, i >> 3);
    assert.equal(await engine.evaluate(Position.fromText(`${text} O`)), value);
  }
});

test("hints grow, and their last is the search", async () => {
  await engine.clear();
  const reports = [];
  for await (const report of engine.hints(Position.start().play("f5"), { depth: 12, lines: 3 })) {
    assert.ok(report.lines.length === 3);
    reports.push(report);
    await sleep(0);
  }
  assert.equal(reports.at(-1).depth, 12);
  assert.ok(reports.every((report, i) => i === 0 || report.depth > reports[i - 1].depth));
});

test("leaving the loop of hints ends their search", async () => {
  for await (const report of engine.hints(Position.start(), { depth: 60, confidence: 100 })) {
    if (report.depth >= 5) break;
  }
  const begun = performance.now();
  await engine.evaluate(Position.start());
  assert.ok(performance.now() - begun < 1000);
});

test("a finished game has no lines, a forced pass is a move", async () => {
  const over = await engine.search(Position.fromText(`${"X".repeat(64)} O`));
  assert.deepEqual([over.lines, over.kind, over.stopped], [[], "exact", false]);
  const hints = [];
  for await (const report of engine.hints(Position.fromText(`${"X".repeat(64)} O`))) hints.push(report);
  assert.deepEqual(hints, []);
  const passing = Position.fromText(`OX${"-".repeat(62)} X`);
  assert.deepEqual(passing.legalMoves(), ["pass"]);
  const { lines } = await engine.solve(passing);
  assert.deepEqual([lines[0].moves, lines[0].eval], [["pass", "c1"], -64]);
  const nothing = await engine.search(Position.fromText(`${"-".repeat(64)} X`), { depth: 3 });
  assert.deepEqual(nothing.lines, []);
});

test("limits of time and nodes are kept", async () => {
  for (const timeMs of [20, 100, 300]) {
    const { ms } = await engine.search(Position.start(), { timeMs });
    assert.ok(ms >= 0.9 * timeMs && (!assertsTimes || ms < timeMs + 50), `${ms} of ${timeMs}`);
  }
  const { nodes } = await engine.search(Position.start(), { nodes: 50_000 });
  assert.ok(nodes >= 50_000 && nodes < 60_000, `${nodes}`);
  const clock = { remainingMs: 2000, incrementMs: 10 };
  const { ms } = await engine.search(Position.start(), { clock });
  assert.ok(ms < 1000, `${ms}`);
  const { kind } = await engine.solve(Position.fromText(ffoEndings(40, 40)[0].position), {
    goal: "winLossDraw",
  });
  assert.equal(kind, "winLossDraw");
});

for (const stopBy of ["flag", "restart"]) {
  test(`a stop by ${stopBy} comes within 50 ms, and the next request is served`, async (t) => {
    const own = await Engine.create({ stopBy });
    const random = randomNumbers(7);
    const hard = Position.fromText(ffoEndings(56, 56)[0].position);
    await inOneOfThreeRounds(async () => {
      let longest = 0;
      for (let i = 0; i < 20; i++) {
        let search;
        await new Promise((begun) => {
          const position = i % 2 === 0 ? hard : Position.start();
          search = own.search(position, { depth: 60, confidence: 100 }, begun);
        });
        await sleep(100 + 100 * random());
        const begun = performance.now();
        await own.stop();
        longest = Math.max(longest, performance.now() - begun);
        const result = await search;
        assert.equal(result.stopped, true);
        assert.ok(result.lines.length > 0);
        assert.equal(typeof (await own.evaluate(hard)), "number");
      }
      t.diagnostic(`longest of 20 stops by ${stopBy}: ${longest.toFixed(1)} ms`);
      return longest;
    });
    own.close();
  });
}

// A thousand times: UMIGAME_STOPS=1000 node --test --test-name-pattern='two engines' wasm/test/engine.test.js
test("two engines end soon after each stop", async (t) => {
  const stops = Number(process.env.UMIGAME_STOPS ?? 25);
  const stopOften = async (seed) => {
    const own = await Engine.create({ stopBy: "flag", hashMb: 4 });
    const random = randomNumbers(seed);
    const times = [];
    for (let i = 0; i < stops; i++) {
      let search;
      await new Promise((begun) => {
        search = own.search(Position.start(), { depth: 60, confidence: 100 }, begun);
      });
      await sleep(5 * random());
      const begun = performance.now();
      await own.stop();
      times.push(performance.now() - begun);
      const result = await search;
      assert.equal(result.stopped, true);
      assert.ok(result.lines.length > 0);
    }
    own.close();
    return times;
  };
  const times = (await Promise.all([stopOften(8), stopOften(9)])).flat().sort((a, b) => a - b);
  const longest = times.at(-1);
  t.diagnostic(`${times.length} stops: median ${times[stops].toFixed(2)}, longest ${longest.toFixed(2)} ms`);
  if (process.env.UMIGAME_STOPS) assert.ok(longest < 10, `${longest} ms`);
});

test("a stop ends the request that runs, not those that wait; an idle engine has none", async () => {
  await engine.stop();
  const long = engine.search(Position.start(), { depth: 60, confidence: 100 });
  const next = engine.search(Position.start(), { depth: 4 });
  await sleep(50);
  await engine.stop();
  assert.equal((await long).stopped, true);
  assert.deepEqual([(await next).stopped, (await next).depth], [false, 4]);
});

test("an analysis that is stopped says what it judged", async () => {
  const game = Game.fromText("f5d6c3d3c4f4f6f3e6e7f7c5b6g6e3e2f1d2e1");
  const analysis = engine.analyze(game, { level: 30 });
  await sleep(300);
  await engine.stop();
  const { complete, stopped, moves } = await analysis;
  assert.deepEqual([complete, stopped], [false, true]);
  assert.ok(moves.length < game.moves.length);
});

test("1,000 searches in a row leave the memory as it is", async () => {
  const random = randomNumbers(3);
  const search = async () => {
    const game = new Game();
    for (let ply = 0; ply < 10 + 30 * random() && !game.position.isOver; ply++) {
      const moves = game.position.legalMoves();
      game.play(moves[Math.floor(random() * moves.length)]);
    }
    await engine.search(game, { depth: 6, lines: 2 });
  };
  for (let i = 0; i < 200; i++) await search();
  const before = engine.info.memoryMb;
  for (let i = 0; i < 1000; i++) await search();
  assert.ok(before > 0);
  assert.equal(engine.info.memoryMb, before);
});

test("a level with a name errs the same with the same seed, and others differ", async () => {
  const levels = await engine.levels();
  const names = levels.map(({ level }) => level).filter((level) => !/^[0-9]+$/.test(level));
  assert.ok(names.length > 0 && levels.length === names.length + 30);
  const moves = new Set();
  for (let seed = 0; seed < 20; seed++) {
    const game = Game.fromText("f5d6c3");
    const played = await engine.play(game, { level: names[0], seed });
    assert.equal(played.lines.length, 1);
    assert.ok(game.position.isLegal(played.lines[0].move));
    const again = await engine.play(game, { level: names[0], seed: played.seed });
    assert.equal(again.lines[0].move, played.lines[0].move);
    moves.add(played.lines[0].move);
  }
  assert.ok(moves.size > 1);
  const best = await engine.play(Position.start(), { depth: 4 });
  const near = await engine.play(Position.start(), { depth: 4, error: 100, maxError: 0 });
  assert.ok(best.lines[0].eval - near.lines[0].eval < 1e-9);
});

test("bad input is quoted in the error, and the engine serves on", async () => {
  const start = Position.start();
  const faults = [
    [() => engine.search("start"), /`start` is no position/],
    [() => engine.search(), /`undefined` is no position/],
    [() => engine.search(start, null), /limits: `null`: expected an object/],
    [() => engine.search(start, [1]), /limits: `1`: expected an object/],
    [() => engine.search(start, { dept: 3 }), /limits: `dept`: expected level, depth/],
    [() => engine.search(start, { depth: "12" }), /depth of `12`: expected a whole number/],
    [() => engine.search(start, { depth: 0 }), /depth of `0`: expected a whole number, 1 to 60/],
    [() => engine.search(start, { depth: NaN }), /depth of `NaN`/],
    [() => engine.search(start, { depth: 12n }), /depth of `12`/],
    [() => engine.search(start, { level: 31 }), /level of `31`/],
    [() => engine.search(start, { depth: 3, level: 3 }), /level=3: expected no depth beside it/],
    [() => engine.search(start, { confidence: 50 }), /confidence of `50`: expected 73, 87/],
    [() => engine.search(start, { goal: "win" }), /goal of `win`/],
    [() => engine.search(start, { lines: 0 }), /lines of `0`/],
    [() => engine.search(start, { nodes: 1.5 }), /nodes of `1.5`/],
    [() => engine.search(start, { timeMs: -1 }), /timeMs of `-1`/],
    [() => engine.search(start, { timeMs: Infinity }), /timeMs of `Infinity`/],
    [() => engine.search(start, { clock: 5 }), /clock: `5`: expected an object/],
    [() => engine.search(start, { clock: {} }), /remainingMs of `undefined`/],
    [() => engine.search(start, {}, 5), /onReport: `5`: expected a function/],
    [() => engine.search(start, { level: "beginner" }), /level of `beginner`/],
    [() => engine.play(start, { level: "beginners" }), /level `beginners`: expected 1 to 30, or/],
    [() => engine.play(start, { level: 31 }), /level of `31`/],
    [() => engine.play(start, { level: "beginner", error: 3 }), /expected no error beside it/],
    [() => engine.play(start, { error: -1 }), /error of `-1`: expected discs, 0 to 320/],
    [() => engine.play(start, { maxError: 3 }), /max_error=3: expected an error/],
    [() => engine.play(start, { seed: 0.5 }), /seed of `0.5`/],
    [() => engine.solve(start, { depth: 5 }), /options: `depth`: expected goal, lines/],
    [() => engine.evaluate({}), /is no position/],
    [() => engine.analyze("f5d6"), /`f5d6` is no game/],
    [() => engine.perft(start, 13), /depth of `13`/],
    [() => engine.checkKernels(0), /rounds of `0`/],
    [async () => engine.hints(7), /`7` is no position/],
    [() => Engine.create({ hash: 5 }), /options: `hash`: expected hashMb/],
    [() => Engine.create({ hashMb: 0 }), /hashMb of `0`/],
    [() => Engine.create({ hashMb: 2001 }), /hashMb of `2001`: expected a whole number, 1 to 2000/],
    [() => Engine.create({ weights: "x" }), /weights of `x`/],
    [() => Engine.create({ weights: new Uint8Array(50) }), /weights/],
    [() => Engine.create({ weightsUrl: "http://[" }), /weightsUrl of/],
    [() => Engine.create({ weightsUrl: "./none.weights" }), /none.weights cannot be read/],
    [() => Engine.create({ moduleUrl: "./index.js" }), /index.js is no WebAssembly module/],
    [() => Engine.create({ stopBy: "magic" }), /stopBy of `magic`/],
    [async () => new Engine(), /Engine.create/],
  ];
  for (const [fault, message] of faults) {
    await assert.rejects(fault, (error) => {
      assert.match(error.message, message);
      assert.ok(error.message.length < 300, error.message);
      return true;
    });
  }
  assert.equal((await engine.search(start, { depth: 3 })).depth, 3);
});

test("damaged weights are refused with a sentence", async () => {
  const weights = new Uint8Array(readFileSync(new URL("../dist/umigame.weights", import.meta.url)));
  weights[5_000_000] ^= 1;
  await assert.rejects(Engine.create({ weights }), (error) => {
    assert.ok(error instanceof UmigameError);
    assert.match(error.message, /damaged|checksum/);
    return true;
  });
});

test("an error thrown by a listener rejects its search only", async () => {
  const search = engine.search(Position.start(), { depth: 20 }, () => {
    throw new Error("made for a test");
  });
  await assert.rejects(search, /made for a test/);
  assert.equal((await engine.search(Position.start(), { depth: 2 })).depth, 2);
});

test("a signal ends the request that runs or waits, and the next is served", async () => {
  const endless = { depth: 60, confidence: 100 };
  for (const ask of [
    (signal) => engine.search(Position.start(), { ...endless, signal }),
    (signal) => engine.solve(Position.start(), { signal }),
    (signal) => engine.play(Position.start(), { ...endless, signal }),
    (signal) => engine.analyze(Game.fromText("f5d6c3"), { depth: 40, signal }),
    async (signal) => {
      for await (const report of engine.hints(Position.start(), { ...endless, signal })) assert.ok(report);
    },
  ]) {
    const runs = new AbortController();
    const waits = new AbortController();
    const running = ask(runs.signal);
    const waiting = ask(waits.signal);
    setTimeout(() => waits.abort(), 30);
    setTimeout(() => runs.abort(new Error("made for a test")), 60);
    await assert.rejects(waiting, { name: "AbortError" });
    await assert.rejects(running, /made for a test/);
    await assert.rejects(ask(AbortSignal.abort()), { name: "AbortError" });
    assert.equal((await engine.search(Position.start(), { depth: 2 })).depth, 2);
  }
  await assert.rejects(Engine.create({ signal: AbortSignal.abort() }), { name: "AbortError" });
  await assert.rejects(engine.search(Position.start(), { signal: 5 }), /signal: `5`: expected an AbortSignal/);
});

test("a board is drawn with the values of a search, or with numbers", async () => {
  const engine = await Engine.create({ hashMb: 1 });
  const game = Game.fromText("f5d6c3");
  const report = await engine.search(game, { depth: 3, lines: 60 });
  const svg = await engine.svg(game, { values: report, size: 300 });
  assert.match(svg, /^<svg .* width="300" .*<\/svg>$/);
  assert.equal(svg.match(/<g fill="[^"]+"><text/g).length, report.lines.length);
  const numbered = await engine.svg(game, { numbers: true });
  assert.ok(numbered.includes(">3</text>"));
  assert.doesNotMatch(numbered, /^<svg [^>]* width=/);
  const drawn = await engine.svg(Position.start(), { values: { f5: 4, d3: -0.5 }, legal: false });
  assert.ok(drawn.includes(">+4</text>") && drawn.includes(">&#8722;0.5</text>"));
  await assert.rejects(engine.svg(game, { values: { z9: 1 } }), /z9/);
  await assert.rejects(engine.svg(game, { colour: "red" }), /colour/);
  engine.close();
});

test("games in any form, layers and levels are read beside a search", async () => {
  const stop = new AbortController();
  const search = engine.search(Position.start(), { depth: 60, confidence: 100, signal: stop.signal });
  const board = Position.start().text.slice(0, 64);
  const ggf = `(;GM[Othello]PC[x]PB[Anna]PW[Ben]RE[?]TI[5:00]TY[8]BO[8 ${board} *]B[f5]W[d6];)`;
  const { form, moves, players } = await engine.read(ggf);
  assert.deepEqual({ form, moves, players }, { form: "ggf", moves: ["f5", "d6"], players: ["Anna", "Ben"] });
  await assert.rejects(engine.read("f5d6\nc3z9"), (error) => {
    assert.ok(error instanceof UmigameError);
    assert.match(error.message, /`z9` is no move/);
    assert.deepEqual([error.line, error.column], [2, 3]);
    return true;
  });
  await assert.rejects(engine.read(5), TypeError);
  const layers = await engine.layers(Position.start().play("f5"));
  assert.deepEqual(layers.frontier.white, ["d4"]);
  assert.equal(Object.keys(layers.openness).length, 3);
  assert.ok((await engine.levels()).length > 30);
  stop.abort();
  await assert.rejects(search, { name: "AbortError" });
});

test("what was fetched is told", async () => {
  const told = [];
  const own = await Engine.create({ hashMb: 1, onProgress: (progress) => told.push(progress) });
  own.close();
  const { loaded, total } = told.at(-1);
  assert.ok(loaded === total && total > 12_000_000, JSON.stringify(told));
});

test("a closed engine rejects what waits and what comes", async () => {
  const own = await Engine.create({ hashMb: 1 });
  const running = own.search(Position.start(), { depth: 60 });
  const waiting = own.evaluate(Position.start());
  own.close();
  own.close();
  await assert.rejects(running, /the engine is closed/);
  await assert.rejects(waiting, /the engine is closed/);
  await assert.rejects(own.evaluate(Position.start()), /the engine is closed/);
  await own.stop();
});

test("a fault in the worker costs one answer", async () => {
  const folder = mkdtempSync(join(tmpdir(), "umigame-"));
  cpSync(new URL("../dist/", import.meta.url), folder, { recursive: true });
  const worker = join(folder, "worker.js");
  const code = readFileSync(worker, "utf8");
  const call = "const reply = await instance.call(request);";
  assert.ok(code.includes(call));
  const fault = `if (request.includes('"depth":11')) throw new Error("made for a test");`;
  writeFileSync(worker, code.replace(call, fault + call));
  const faulty = await import(pathToFileURL(join(folder, "index.js")));
  const own = await faulty.Engine.create({ hashMb: 1 });
  const start = faulty.Position.start();
  const first = own.perft(start, 3);
  const second = own.perft(start, 11);
  const third = own.perft(start, 4);
  assert.equal(await first, 56);
  await assert.rejects(second, /a fault in the engine: Error: made for a test/);
  assert.equal(await third, 244);
  own.close();
  rmSync(folder, { recursive: true });
});

test("the smallest and the largest table serve", async () => {
  for (const hashMb of [1, 2000]) {
    const own = await Engine.create({ hashMb });
    assert.equal(own.info.hashMb, hashMb);
    assert.equal((await own.search(Position.start(), { depth: 8 })).depth, 8);
    own.close();
  }
});

test("two engines search side by side", async () => {
  const other = await Engine.create({ hashMb: benchHashMb() });
  await engine.clear();
  const [a, b] = await Promise.all(
    [engine, other].map((each) => each.search(Position.start(), { depth: 10 })),
  );
  assert.equal(a.nodes, b.nodes);
  other.close();
});

test("without SIMD the error says what is missing", async () => {
  const { validate } = WebAssembly;
  WebAssembly.validate = () => false;
  try {
    await assert.rejects(Engine.create(), /lacks WebAssembly SIMD, which umigame needs; Chrome/);
  } finally {
    WebAssembly.validate = validate;
  }
});
