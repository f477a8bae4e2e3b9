// What axe-core finds wrong with the page, in both themes and languages, with its dialogs open.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { browser, onPage, options, startBrowser, stub } from "./support.js";

startBrowser();
const require = createRequire(new URL("../../../wasm/test/package.json", import.meta.url));

const faults = (page) =>
  page.evaluate(async () => {
    const { violations } = await globalThis.axe.run(document);
    // axe wants the text of a square in its name as one piece; `namesOfValues` wants each part of it.
    const isValue = ({ id }, { html }) => id === "label-content-name-mismatch" && html.includes("data-square");
    return violations
      .filter(({ impact }) => impact !== "minor")
      .map((fault) => ({ ...fault, nodes: fault.nodes.filter((node) => !isValue(fault, node)) }))
      .filter(({ nodes }) => nodes.length > 0)
      .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ")}`);
  });

/** The squares with values whose names lack a part of what they show, the plus-minus sign aside. */
const namesOfValues = (page) =>
  page.evaluate(() => {
    const lacks = (square) =>
      [...square.querySelectorAll(".value > *")]
        .map((part) => part.textContent.replace("\u00b1", ""))
        .filter((part) => !square.getAttribute("aria-label").includes(part));
    const squares = [...document.querySelectorAll(".square.valued")];
    return squares.flatMap((square) => lacks(square).map((part) => `${part}: ${square.getAttribute("aria-label")}`));
  });

for (const [name, context] of Object.entries({
  light: {},
  dark: { colorScheme: "dark" },
  Japanese: { locale: "ja-JP" },
  phone: { viewport: { width: 375, height: 700 } },
})) {
  test(`axe-core finds nothing: ${name}`, options, async () => {
    const source = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
    await onPage(browser, stub.address, async (page) => {
      await page.waitForSelector(".square.valued");
      await page.click("#analyze");
      await page.waitForFunction(() => document.querySelectorAll("#graph .loss").length > 0);
      await page.evaluate(source);
      assert.deepEqual(await faults(page), []);
      await page.waitForSelector(".square.valued");
      assert.deepEqual(await namesOfValues(page), []);
      for (const id of ["play-game", "paste", "share", "games", "help"]) {
        await page.click(`#${id}`);
        await page.waitForSelector("dialog[open]");
        assert.deepEqual(await faults(page), [], id);
        await page.click("dialog[open] [data-close]");
      }
    }, { hash: "#f5d6c3d3c4f4c5b3@5", ...context });
  });
}
