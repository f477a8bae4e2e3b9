// The page's modules in node: texts, the game tree, links, values.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGLISH } from "../page/english.js";
import { GameTree, all } from "../page/game_tree.js";
import { JAPANESE } from "../page/japanese.js";
import { hashOf, treeOfHash } from "../page/link.js";
import { Position } from "../page/rules.js";
import { percentages } from "../page/value_text.js";
import { Values } from "../page/values.js";
import { report } from "./stub.js";

const names = (text) => [...text.matchAll(/\{\w+\}/g)].map(String).toSorted();

test("both languages have the same texts with the same names in braces", () => {
  assert.deepEqual(Object.keys(JAPANESE), Object.keys(ENGLISH));
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
