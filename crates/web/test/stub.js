// A stand-in for `umigame serve`: the page's files, and answers of the same form with made-up values.
// With the tests' own marks on it: what was asked, and how many searches run at once.

import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname } from "node:path";
import { Game } from "../umigame/game.js";
import { Position } from "../umigame/position.js";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };
const TOKEN = "a-token-of-the-tests";
const web = new URL("../page/", import.meta.url);
const OPENINGS = new URL("../../othello/src/openings/openings.tsv", import.meta.url);

function file(path) {
  if (path === "/") {
    const page = readFileSync(new URL("index.html", web), "utf8");
    return page.replace('name="umigame-token" content=""', `name="umigame-token" content="${TOKEN}"`);
  }
  if (path === "/umigame/openings.tsv") return readFileSync(OPENINGS);
  const [, folder, name] = /^\/(web|umigame)\/([\w-]+\.\w+)$/.exec(path) ?? [];
  const url = new URL(folder === "web" ? name : `../umigame/${name}`, web);
  return folder && existsSync(url) ? readFileSync(url) : null;
}

/** A number for a position, the same every time, about the difference of mobility. */
export function guess(position) {
  if (position.isOver) return position.score();
  let mixed = 7;
  for (const letter of position.text) mixed = (31 * mixed + letter.charCodeAt(0)) % 1009;
  return Math.round(10 * ((position.legalMoves().length - 8) / 2 + (mixed % 60) / 12)) / 10;
}

function lineAfter(position, move) {
  const moves = [move];
  for (let at = position.play(move); moves.length < 6 && !at.isOver; ) {
    const next = at.legalMoves()[moves.length % at.legalMoves().length];
    moves.push(next);
    at = at.play(next);
  }
  return moves;
}

function chances(discs, deviation) {
  const below = (x) => 1 / (1 + Math.exp(-1.7 * x));
  const win = below((discs - 1) / deviation);
  const loss = below((-discs - 1) / deviation);
  return { win, draw: 1 - win - loss, loss };
}

export function report(position, depth, lines = 1) {
  const exact = depth >= position.discs.empty;
  const label = exact ? "100%" : `${depth}@73%`;
  const std_dev = exact ? 0 : 5 / Math.sqrt(depth + 1);
  const found = position.legalMoves().map((move) => {
    const value = -guess(position.play(move));
    const discs = exact ? Math.round(value) : Math.round(10 * value) / 10;
    const wdl = exact ? { win: +(discs > 0), draw: +(discs === 0), loss: +(discs < 0) } : chances(discs, std_dev);
    return { move, moves: lineAfter(position, move), eval: discs, bound: "exact", std_dev, wdl, label };
  });
  found.sort((a, b) => b.eval - a.eval);
  return {
    lines: found.slice(0, lines),
    kind: exact ? "exact" : "depth",
    depth: exact ? null : depth,
    confidence: exact ? 100 : 73,
    label,
    nodes: 100 * depth,
    ms: depth,
    ms_to_exact: exact ? null : 3200,
  };
}

function analysis(game) {
  const judged = (position, move) => {
    const line = report(position, 16, 64).lines.find((each) => each.move === move);
    const { std_dev, wdl } = line;
    return { move, score: line.eval, std_dev, wdl, depth: "16@73%", proven: false, pv: line.moves };
  };
  const positions = game.positions;
  const moves = game.moves.map((move, ply) => {
    const position = positions[ply];
    const played = judged(position, move);
    const best = judged(position, report(position, 16, 1).lines[0].move);
    const loss = Math.max(0, best.score - played.score);
    return { ply, number: ply + 1, color: position.sideToMove, position: position.text, played, best, loss, grade: loss > 4 ? "mistake" : "good" };
  });
  return { moves, complete: true };
}

function layers(position) {
  const moves = position.legalMoves().filter((move) => move !== "pass");
  return {
    stable: { black: ["a1"], white: ["h8"] },
    frontier: { black: ["d5"], white: ["e5"] },
    regions: [["a8", "b8", "c8"], ["g1", "h1"]],
    openness: Object.fromEntries(moves.map((move, index) => [move, index])),
  };
}

function read(text) {
  const damaged = /z[0-9]/.exec(text);
  if (damaged) {
    const before = text.slice(0, damaged.index).split("\n");
    const place = { line: before.length, column: before.at(-1).length + 1 };
    throw Object.assign(new Error("`z9` is no move: expected a square such as f5"), place);
  }
  const game = Game.fromText(text);
  return { form: "transcript", start: game.start.text, moves: game.moves, players: null };
}

/** Starts the server. `log` has what was asked; `most` is the largest number of searches at once. */
export async function serveStub() {
  const log = [];
  const state = { log, running: 0, most: 0, moveMs: 60 };
  const search = async (response, steps, each) => {
    state.most = Math.max(state.most, ++state.running);
    let closed = false;
    response.on("close", () => (closed = true));
    for (let step = 1; step <= steps && !closed; step++) {
      each(step);
      await new Promise((resolve) => setTimeout(resolve, 8));
    }
    state.running--;
  };
  const answer = async (path, body, response, isStream) => {
    const send = (event, data) => response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    const json = (value) => response.end(JSON.stringify(value));
    response.setHeader("Content-Type", isStream ? "text/event-stream" : "application/json");
    if (path === "levels") {
      const named = ["beginner", "novice"].map((level) => ({ level, text: "", depth: 4, exact_from: 8, rating: 455 }));
      const numbered = [1, 8].map((depth) => ({ level: String(depth), text: "", depth, exact_from: 8, rating: null }));
      return json({ levels: [...named, ...numbered] });
    }
    if (path === "read") return json(read(body.text));
    if (path === "diagram") return json({ svg: `<svg xmlns="http://www.w3.org/2000/svg" width="${body.size}" height="${body.size}"><title>${body.board}</title></svg>` });
    if (path === "layers") return json(layers(Position.fromText(body.position)));
    if (path === "book") {
      response.statusCode = 404;
      return json({ error: { message: "no book is open" } });
    }
    if (path === "analyze") {
      await search(response, 3, () => {});
      send("report", { moves: [], complete: false });
      send("end", analysis(Game.fromText(body.game)));
      return response.end();
    }
    const position = Position.fromText(body.position);
    if (path === "play") {
      await search(response, state.moveMs / 8, () => {});
      const moves = position.legalMoves();
      return json({ move: moves[log.length % moves.length] });
    }
    const depth = body.depth ?? 40;
    if (isStream) await search(response, depth, (step) => send("report", report(position, step, body.lines)));
    const result = { ...report(position, depth, body.lines), stopped: false };
    if (isStream) send("end", result);
    return response.end(isStream ? undefined : JSON.stringify(result));
  };
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    if (!path.startsWith("/api/v1/")) {
      const body = file(path);
      response.writeHead(body === null ? 404 : 200, { "Content-Type": TYPES[extname(path)] ?? (path === "/" ? "text/html" : "text/plain") });
      return response.end(body ?? "");
    }
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const name = path.replace("/api/v1/", "");
    const body = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : {};
    log.push({ name, body, token: request.headers["x-umigame-token"] });
    try {
      await answer(name, body, response, request.headers.accept === "text/event-stream");
    } catch ({ message, line, column }) {
      response.statusCode = 400;
      response.end(JSON.stringify({ error: { message, line, column } }));
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { address: `http://127.0.0.1:${server.address().port}`, token: TOKEN, state, close };
}
