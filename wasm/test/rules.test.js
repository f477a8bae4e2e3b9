// The rules in JavaScript, against known counts and against those of the engine.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Engine, Game, Position, randomNumbers } from "./support.js";

let engine;
before(async () => (engine = await Engine.create({ hashMb: 1 })));
after(() => engine.close());

function perft(position, depth) {
  if (depth === 0) return 1;
  const moves = position.legalMoves();
  if (moves.length === 0) return 1;
  return moves.reduce((sum, move) => sum + perft(position.play(move), depth - 1), 0);
}

/** Plays random moves from the start, a game at a time. */
function* randomGames(count, seed) {
  const random = randomNumbers(seed);
  for (let i = 0; i < count; i++) {
    const game = new Game();
    while (!game.position.isOver) {
      const moves = game.position.legalMoves();
      game.play(moves[Math.floor(random() * moves.length)]);
    }
    yield game;
  }
}

test("perft from the start is the known count, and that of the engine", async () => {
  const counts = [1, 4, 12, 56, 244, 1396, 8200];
  for (const [depth, count] of counts.entries()) {
    assert.equal(perft(Position.start(), depth), count);
    assert.equal(await engine.perft(Position.start(), depth), count);
  }
  assert.equal(await engine.perft(Position.start(), 10), 24571284);
});

test("moves and flips are those of the engine in random games", async () => {
  let positions = 0;
  for (const game of randomGames(60, 1)) {
    for (const position of game.positions) {
      assert.equal(await engine.perft(position, 2), perft(position, 2), position.text);
      positions += 1;
    }
  }
  assert.ok(positions > 3000);
});

test("a game survives its transcript, undo and replay, passes included", () => {
  let passes = 0;
  for (const game of randomGames(200, 2)) {
    const read = Game.fromText(game.toString());
    assert.deepEqual(read.moves, game.moves);
    assert.ok(read.position.equals(game.position));
    passes += game.moves.filter((move) => move === "pass").length;
    const half = game.positions[30];
    const rest = new Game(half);
    for (const move of game.moves.slice(30)) rest.play(move);
    assert.deepEqual(Game.fromText(rest.toString()).moves, rest.moves);
    assert.ok(Game.fromText(rest.toString()).start.equals(half));
    const undone = [];
    for (let move; (move = read.undo()) !== null; ) undone.unshift(move);
    assert.deepEqual(undone, game.moves);
    assert.ok(read.position.equals(Position.start()));
  }
  assert.ok(passes > 0, "a pass somewhere");
});

test("the final score is the difference of discs, the winner taking the empties", () => {
  const wiped = Position.fromText(`${"X".repeat(10)}${"-".repeat(54)} O`);
  assert.equal(wiped.isOver, true);
  assert.deepEqual([wiped.score(), wiped.score("black"), wiped.score("white")], [-64, 64, -64]);
  assert.equal(Position.start().score(), null);
  for (const game of randomGames(50, 3)) {
    const { black, white, empty } = game.position.discs;
    const sign = Math.sign(black - white);
    assert.equal(game.position.score("black"), black - white + sign * empty);
    assert.equal(game.position.score("black") + game.position.score("white"), 0);
  }
});

test("positions are read as the command line reads them", () => {
  const start = Position.start();
  const rows = `---------------------------OX------XO---------------------------`;
  for (const text of [`${rows} X`, `${rows.replaceAll("X", "*")}b`, rows.replaceAll("-", ". ") + "x"]) {
    assert.ok(Position.fromText(text).equals(start), text);
  }
  assert.equal(start.at("e4"), "black");
  assert.equal(start.at("D4"), "white");
  assert.equal(start.at("a1"), null);
  assert.deepEqual(start.legalMoves(), ["d3", "c4", "f5", "e6"]);
  assert.deepEqual(start.flips("f5"), ["e5"]);
  assert.equal(start.equals("no position"), false);
  assert.equal(JSON.stringify({ start }), JSON.stringify({ start: start.text }));
});

test("transcripts are read as the command line reads them", () => {
  const moves = ["f5", "d6", "c3"];
  for (const text of ["f5d6c3", " F5 D6\nC3", "1. f5 2. d6 3. c3", "f5, d6; c3", "f5-d6-c3"]) {
    assert.deepEqual(Game.fromText(text).moves, moves, text);
  }
  assert.deepEqual(Game.fromText("").moves, []);
});

test("what is no position, square, move or game is quoted in the error", () => {
  const start = Position.start();
  const squares = start.text.slice(0, 64);
  const faults = [
    [() => Position.fromText(7), /`7` is no position/],
    [() => Position.fromText(""), /the board has 0 squares of 64/],
    [() => Position.fromText(squares), /the side to move is missing/],
    [() => Position.fromText(`${squares} Q`), /column 66: `Q` is no side to move/],
    [() => Position.fromText(`${squares} X f5`), /`f5` after the side to move/],
    [() => Position.fromText(squares.replace("X", "?")), /column 29: `\?` is no square/],
    [() => new Position(), /Position.start\(\)/],
    [() => start.at("i9"), /`i9` is no square/],
    [() => start.at(undefined), /`undefined` is no square/],
    [() => start.flips(Symbol("x")), /is no square/],
    [() => start.play("zz"), /`zz` is no move/],
    [() => start.play("a1"), /a1 is illegal: it flips no disc/],
    [() => start.play("d4"), /d4 is illegal: the square is not empty/],
    [() => start.play("pass"), /pass is illegal: black has a legal move/],
    [() => start.score("red"), /`red` is no color/],
    [() => new Game("start"), /`start` is no start of a game/],
    [() => Game.fromText(null), /`null` is no transcript/],
    [() => Game.fromText("f5x9"), /character 3: `x9` is no move/],
    [() => Game.fromText("f5 f5"), /character 4: move 2: f5 is illegal/],
    [() => new Game().play("h8"), /h8 is illegal/],
    [() => Game.fromText("x".repeat(5000)), /./],
  ];
  for (const [fault, message] of faults) {
    assert.throws(fault, (error) => {
      assert.match(error.message, message);
      assert.ok(error.message.length < 200, error.message);
      return error instanceof TypeError || error instanceof RangeError;
    });
  }
  assert.equal(new Game().undo(), null);
});
