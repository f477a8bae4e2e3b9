// The package in Chromium, from a plain static server.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { chromiumPath, hasChromium, launch, serve } from "./browser.js";
import { benchHashMb, benchSearches, ffoEndings, inOneOfThreeRounds, signature } from "./support.js";

const options = { skip: hasChromium ? false : `there is no ${chromiumPath}` };
let browser;
let plain;
let isolated;
before(async () => {
  if (!hasChromium) return;
  browser = await launch();
  plain = await serve();
  isolated = await serve({ isolated: true });
});
after(async () => {
  await browser?.close();
  plain?.close();
  isolated?.close();
});

/** Opens a page, hands it to `use`, and checks that its console stayed silent. */
async function onPage(address, use) {
  const page = await browser.newPage();
  const messages = [];
  page.on("console", (message) => messages.push(message.text()));
  page.on("pageerror", (error) => messages.push(error.message));
  await page.goto(address);
  const result = await use(page);
  await page.close();
  assert.deepEqual(messages, []);
  return result;
}

test("an unbuilt page of two script lines shows hints", options, async () => {
  await onPage(`${plain.address}/page.html`, async (page) => {
    await page.waitForFunction(() => document.querySelectorAll("li").length === 3);
    const texts = await page.locator("li").allTextContents();
    assert.deepEqual(texts.map((text) => text.split(" ")[0]).sort(), ["d6", "f4", "f6"]);
  });
});

test("the page of the README works as it stands", options, async () => {
  await onPage(`${plain.address}/readme.html`, async (page) => {
    await page.waitForFunction(() => /16@73%/.test(document.body.innerText), null, {
      timeout: 60_000,
    });
  });
});

test("the signature in Chromium is that of the repository", options, async () => {
  const searches = benchSearches();
  const nodes = await onPage(`${plain.address}/empty.html`, (page) =>
    page.evaluate(
      async ({ searches, hashMb }) => {
        const { Engine, Position } = await import("./umigame/index.js");
        const engine = await Engine.create({ hashMb });
        let nodes = 0;
        for (const { position, limits } of searches) {
          await engine.clear();
          nodes += (await engine.search(Position.fromText(position), limits)).nodes;
        }
        return nodes;
      },
      { searches, hashMb: benchHashMb() },
    ),
  );
  assert.equal(nodes, signature());
});

/** Stops twenty running searches; returns the longest wait for a stop and for the request after it. */
async function stops({ hard, stopBy }) {
  const { Engine, Position } = await import("./umigame/index.js");
  const engine = await Engine.create({ stopBy });
  const waits = { stop: 0, next: 0, results: 0, nodes: 0, stopBy: engine.info.stopBy };
  for (let i = 0; i < 20; i++) {
    const position = i % 2 ? Position.start() : Position.fromText(hard);
    let search;
    await new Promise((begun) => {
      search = engine.search(position, { depth: 60, confidence: 100 }, begun);
    });
    await new Promise((resolve) => setTimeout(resolve, 100 + 10 * i));
    const begun = performance.now();
    await engine.stop();
    const stopped = performance.now();
    const result = await search;
    await engine.evaluate(position);
    waits.stop = Math.max(waits.stop, stopped - begun);
    waits.next = Math.max(waits.next, performance.now() - stopped);
    waits.results += result.stopped && result.lines.length === 1 ? 1 : 0;
    waits.nodes += result.nodes;
  }
  return waits;
}

for (const [name, ways] of [
  ["plain", [undefined, "turns", "restart"]],
  ["isolated", [undefined, "turns"]],
]) {
  for (const stopBy of ways) {
    test(`a search in a page, ${name}, is stopped within 50 ms by ${stopBy ?? "default"}`, options, async (t) => {
      const hard = ffoEndings(56, 56)[0].position;
      const { address } = name === "plain" ? plain : isolated;
      await inOneOfThreeRounds(async () => {
        const waits = await onPage(`${address}/empty.html`, (page) =>
          page.evaluate(stops, { hard, stopBy }),
        );
        t.diagnostic(JSON.stringify(waits));
        assert.equal(waits.stopBy, stopBy ?? (name === "plain" ? "turns" : "flag"));
        assert.equal(waits.results, 20);
        return waits.stop;
      });
    });
  }
}

test("a search visits the same nodes however it is stopped", options, async () => {
  const nodes = await onPage(`${isolated.address}/empty.html`, (page) =>
    page.evaluate(async () => {
      const { Engine, Position } = await import("./umigame/index.js");
      const nodes = [];
      for (const stopBy of ["flag", "turns", "restart"]) {
        const engine = await Engine.create({ stopBy });
        nodes.push((await engine.search(Position.start(), { depth: 18 })).nodes);
        engine.close();
      }
      return nodes;
    }),
  );
  assert.deepEqual(nodes, [nodes[0], nodes[0], nodes[0]]);
});

test("a server without types, and a page of another origin, serve too", options, async () => {
  const other = await serve({ types: false, foreign: true });
  for (const [page, from] of [
    [other.address, other.address],
    [plain.address, other.address],
  ]) {
    const depth = await onPage(`${page}/empty.html`, (page) =>
      page.evaluate(async (url) => {
        const { Engine, Position } = await import(url);
        const engine = await Engine.create();
        return (await engine.search(Position.start(), { depth: 6 })).depth;
      }, `${from}/umigame/index.js`),
    );
    assert.equal(depth, 6);
  }
  other.close();
});

test("without SIMD, or a file, the page is told so", options, async () => {
  const page = await browser.newPage();
  await page.goto(`${plain.address}/empty.html`);
  const errors = await page.evaluate(async () => {
    const { Engine, Position } = await import("./umigame/index.js");
    const message = (options) => Engine.create(options).then(() => "none", (error) => error.message);
    const missing = await message({ weightsUrl: "none.weights" });
    WebAssembly.validate = () => false;
    return [missing, await message(), Position.start().legalMoves().length];
  });
  assert.match(errors[0], /none.weights cannot be fetched: status 404/);
  assert.match(errors[1], /^this browser lacks WebAssembly SIMD, which umigame needs/);
  assert.equal(errors[2], 4, "the rules need no WebAssembly");
  await page.close();
});

test("1,000 searches in a row in a page leave the memory as it is", options, async () => {
  const memory = await onPage(`${plain.address}/empty.html`, (page) =>
    page.evaluate(async () => {
      const { Engine, Position } = await import("./umigame/index.js");
      const engine = await Engine.create();
      const memory = [];
      for (let i = 0; i < 1100; i++) {
        let position = Position.start();
        for (let ply = 0; ply < i % 30; ply++) {
          const moves = position.legalMoves();
          position = position.play(moves[(7 * i + ply) % moves.length]);
          if (position.isOver) break;
        }
        await engine.search(position, { depth: 6 });
        if (i >= 100) memory.push(engine.info.memoryMb);
      }
      return [Math.min(...memory), Math.max(...memory)];
    }),
  );
  assert.equal(memory[0], memory[1]);
});
