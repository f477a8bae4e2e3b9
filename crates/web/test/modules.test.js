// The page's modules in node: texts, the game tree, links, values.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Clock, clockText } from "../page/clock.js";
import { ENGLISH, ENGLISH_LEVELS } from "../page/english.js";
import { GameTree, all } from "../page/game_tree.js";
import { JAPANESE, JAPANESE_LEVELS } from "../page/japanese.js";
import { hashOf, treeOfHash } from "../page/link.js";
import { Game, Position } from "../page/rules.js";
import { percentages } from "../page/value_text.js";
import { Values } from "../page/values.js";
import { variedMove, xotStart } from "../page/variety.js";
import { report } from "./stub.js";

const names = (text) => [...text.matchAll(/\{\w+\}/g)].map(String).toSorted();

test("both languages have the same texts with the same names in braces", () => {
  assert.deepEqual(Object.keys(JAPANESE), Object.keys(ENGLISH));
  assert.deepEqual(Object.keys(JAPANESE_LEVELS), Object.keys(ENGLISH_LEVELS));
  for (const [key, text] of Object.entries(ENGLISH)) {
    assert.deepEqual(names(JAPANESE[key]), names(text), key);
  }
});

/** A tree of random moves and returns. */
function randomTree(seed) {
  let state = seed;
  const random = (below) => (state = (state * 48271) % 2147483647) % below;
  const tree = new GameTree();
  for (let step = 0; step < 120; step++) {
    const moves = tree.position.legalMoves();
    if (moves.length === 0 || random(6) === 0) tree.goToIndex(random(tree.index + 1));
    else tree.play(moves[random(moves.length)]);
  }
  return tree;
}

test("a tree is read as it is written, and its line by its link", () => {
  for (let seed = 1; seed <= 50; seed++) {
    const tree = randomTree(seed);
    const again = GameTree.read(tree.toText());
    assert.equal(again.toText(), tree.toText());
    assert.equal([...all(again.root)].length, [...all(tree.root)].length);
    for (const node of all(tree.root)) assert.equal(node.position.mustPass, false);
    const linked = treeOfHash(hashOf(tree));
    if (linked === null) continue;
    assert.equal(linked.position.text, tree.position.text);
    assert.equal(linked.transcript, tree.transcript);
  }
});

test("a variation becomes the main line, or goes", () => {
  const tree = GameTree.read("f5(d6c3)(f4)(f6)");
  tree.goToIndex(1);
  tree.play("f6");
  tree.promote(tree.current);
  assert.equal(tree.toText(), "f5(f6)(d6c3)(f4)");
  tree.remove(tree.current);
  assert.equal(tree.toText(), "f5(d6c3)(f4)");
  assert.equal(tree.index, 1);
});

test("a deeper value stays, and one of the position after a move replaces a lesser one", () => {
  const values = new Values();
  const start = Position.start();
  values.add(start, report(start, 12, 64));
  assert.equal(values.add(start, report(start, 5, 64)), false);
  assert.match(values.ofPosition(start).depth, /^12@/);
  const after = start.play("f5");
  values.add(after, report(after, 18, 64));
  const own = values.of(start).find(({ move }) => move === "f5").value;
  const best = values.ofPosition(after);
  assert.equal(own.depth, "18@73%");
  assert.equal(own.eval, -best.eval);
  assert.equal(own.wdl.win, best.wdl.loss);
  assert.deepEqual(own.line, ["f5", ...best.line]);
});

test("a deep value at the end of a line improves every move before it", () => {
  const values = new Values();
  const game = Game.fromText("f5d6c3d3");
  const [start, ...later] = game.positions;
  for (const position of game.positions) values.add(position, report(position, 12, 64));
  const deep = report(later[3], 20, 64);
  // The side to move loses by so much that the moves of the line are the best ones for the other.
  for (const line of deep.lines) line.eval -= 40;
  values.add(later[3], deep);
  for (const line of report(later[1], 12, 64).lines) assert.ok(line.eval < 30);
  const last = values.of(later[2]).find(({ move }) => move === "d3").value;
  assert.deepEqual([last.depth, last.eval > 30], ["20@73%", true]);
  const before = values.of(later[1]).find(({ move }) => move === "c3").value;
  assert.deepEqual([before.depth, before.eval], ["20@73%", -last.eval]);
  assert.deepEqual(before.line.slice(0, 2), ["c3", "d3"]);
  const other = values.of(later[1]).find(({ move }) => move !== "c3").value;
  assert.equal(other.depth, "12@73%");
  assert.ok(values.of(start).some(({ value }) => value.depth === "12@73%"));
});

test("a finished game has the value of its score", () => {
  const over = Position.fromText(`${"X".repeat(40)}${"O".repeat(24)} O`);
  const { eval: discs, exact, wdl } = new Values().ofPosition(over);
  assert.deepEqual([discs, exact, wdl], [-16, true, { win: 0, draw: 0, loss: 1 }]);
});

test("percentages are whole and add up to 100", () => {
  for (let i = 0; i < 1000; i++) {
    const [a, b] = [Math.abs(Math.sin(i)), Math.abs(Math.cos(7 * i))];
    const win = a * b;
    const { win: w, draw, loss } = percentages({ win, draw: (1 - win) * a, loss: (1 - win) * (1 - a) });
    assert.equal(w + draw + loss, 100);
    for (const part of [w, draw, loss]) assert.ok(Number.isInteger(part) && part >= 0);
  }
});

test("a clock runs for the side to move, and adds its seconds after a move alone", () => {
  let now = 0;
  const clock = new Clock({ minutes: 1, seconds: 2 }, () => now);
  clock.follow("black", 0);
  now += 10_000;
  clock.follow("black", 0);
  assert.deepEqual([clock.left("black"), clock.left("white")], [50_000, 60_000]);
  clock.follow("white", 1);
  now += 5_000;
  assert.deepEqual([clock.left("black"), clock.left("white")], [52_000, 55_000]);
  // Black passes: White moves twice.
  clock.follow("white", 2);
  assert.equal(clock.left("white"), 57_000);
  // Two moves are taken back.
  clock.follow("black", 0);
  assert.deepEqual([clock.left("black"), clock.left("white")], [52_000, 57_000]);
  assert.equal(clock.flagged, null);
  now += 60_000;
  assert.deepEqual([clock.flagged, clock.left("black")], ["black", 0]);
  clock.stop();
  assert.deepEqual([247_000, 9_940, 60_000, 59_001].map(clockText), ["4:07", "0:09.9", "1:00", "1:00"]);
});

test("a random start is eight moves, even by the engine where there is one", async () => {
  const asked = [];
  const values = async (position) => {
    asked.push(position);
    return { lines: [{ eval: asked.length < 4 ? 9 : -2 }] };
  };
  const { signal } = new AbortController();
  const moves = await xotStart({ values }, signal);
  assert.equal(moves.length, 8);
  assert.equal(asked.length, 4);
  assert.equal(Game.fromText(moves.join("")).position.text, asked[3]);
});

test("the opening is varied among moves that are about as good, for levels that do not err", async () => {
  const evals = { d3: 0, c4: -0.8, f5: 0.2, e6: -3 };
  const lines = Object.entries(evals).map(([move, discs]) => ({ move, eval: discs })).sort((a, b) => b.eval - a.eval);
  const engine = { hasBook: async () => false, values: async () => ({ lines }) };
  const { signal } = new AbortController();
  const seen = new Set();
  for (let i = 0; i < 200; i++) seen.add(await variedMove(engine, Position.start(), { level: "8" }, signal));
  assert.deepEqual([...seen].sort(), ["c4", "d3", "f5"]);
  assert.equal(await variedMove(engine, Position.start(), { level: "novice" }, signal), null);
  const late = Game.fromText("f5d6c3d3c4f4f6g5e6d7").position;
  assert.equal(await variedMove(engine, late, { level: "8" }, signal), null);
});
