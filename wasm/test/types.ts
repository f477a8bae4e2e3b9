// The declared types, as a page would use them. Compiled by tsc --strict, never run.

import type {} from "../dist/board.js";
import { Engine, Game, Position, UmigameError, type Analysis, type Report } from "../dist/index.js";

const engine: Engine = await Engine.create({ hashMb: 64, weightsUrl: new URL("https://example.org/w") });
const game: Game = Game.fromText("f5d6c3").play("d3");
const position: Position = game.position.play(game.position.legalMoves()[0]!);
for await (const report of engine.hints(position, { depth: 12, lines: 3 })) {
  const values: number[] = report.lines.map((line) => line.eval);
  if (report.kind === "depth") console.log(report.depth, values);
}
const result = await engine.search(game, { timeMs: 100, confidence: 95 }, (report: Report) => report.nodes);
const stopped: boolean = result.stopped;
const { lines: [move], seed } = await engine.play(game, { level: "beginner", maxError: 12 });
const again = await engine.play(game, { level: "beginner", maxError: 12, seed });
const ratings: (number | null)[] = (await engine.levels()).map((level) => level.rating);
const solved = await engine.solve(position, { goal: "winLossDraw" });
const analysis = await engine.analyze(game, { level: 5 }, (partial: Analysis) => partial.complete);
const loss: number | null = analysis.totals.black.mean_loss;
const error: Error = new UmigameError("x");
console.log(move?.move, again.seed, ratings, stopped, solved.nodes, loss, error, await engine.evaluate(game), engine.info.stopBy);
const { signal } = new AbortController();
await engine.solve(position, { signal });
const { form, players } = await engine.read("f5d6");
const regions: string[][] = (await engine.layers(position)).regions;
const picture: string = await engine.svg(position, { values: { f5: 1 }, size: 200 });
console.log(picture, form, players?.[0], regions, error instanceof UmigameError && error.line);
await Engine.create({ signal, onProgress: ({ loaded, total }) => console.log(loaded, total) });
await engine.stop();
engine.close();

// @ts-expect-error no such limit
await engine.search(game, { dept: 3 });
// @ts-expect-error no such confidence
await engine.search(game, { confidence: 50 });
// @ts-expect-error a text is no position
await engine.evaluate("f5");
// @ts-expect-error made by Engine.create only
new Engine();

const board = document.querySelector("umigame-board")!;
board.game = "f5d6c3";
board.addEventListener("move", ({ detail }) => detail.position.play(detail.move));
board.addEventListener("values", ({ detail }) => (board.values = detail.lines));
board.show(board.position, new Map([["a1", { label: "a1, empty" }]]), { animate: false });
