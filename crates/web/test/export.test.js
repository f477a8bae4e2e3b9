// The exported page on a plain file server: offline after the first visit, installed, updated.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { browser, noExport, onPage, options, serveExport, serveFiles, shown, site, startBrowser, until } from "./support.js";

startBrowser();

const skip = noExport ?? options.skip;
const valued = (page) => page.locator(".square.valued").count();
const controlled = (page) => page.waitForFunction(() => navigator.serviceWorker.controller !== null, null, { timeout: 60_000 });

/** The page's manifest, as Chromium reads it, and what it finds wrong with it. */
async function manifestOf(page) {
  const session = await page.context().newCDPSession(page);
  return session.send("Page.getAppManifest");
}

test("the page can be installed: a manifest without faults, icons, and a service worker", { skip }, async () => {
  await onPage(browser, site.address, async (page) => {
    const { url, errors, data } = await manifestOf(page);
    assert.equal(url, `${site.address}/manifest.webmanifest`);
    assert.deepEqual(errors, []);
    for (const { src, sizes, type } of JSON.parse(data).icons) {
      const size = await page.evaluate(async (address) => {
        const image = new Image();
        image.src = address;
        await image.decode();
        return `${image.naturalWidth}x${image.naturalHeight}`;
      }, `${site.address}/${src}`);
      if (type === "image/png") assert.equal(size, sizes, src);
    }
    await controlled(page);
    const session = await page.context().newCDPSession(page);
    const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
    const ids = installabilityErrors.map(({ errorId }) => errorId);
    // The tests' windows are private, and no app can be installed from those.
    assert.deepEqual(ids.filter((id) => id !== "in-incognito"), []);
  });
});

test("after the first visit the page works without its server", { skip }, async () => {
  const own = await serveExport();
  await onPage(browser, own.address, async (page) => {
    await controlled(page);
    own.close();
    await page.reload();
    await until(async () => (await valued(page)) === 4);
    await page.click("[data-square=f5]");
    await until(async () => (await valued(page)) === 3);
    await page.waitForFunction(() => document.querySelector("#loading").hidden, null, { timeout: 60_000 });
    await page.click("#paste");
    await page.fill("#paste-text", "f5d6c3");
    await page.click("#paste-open");
    await page.waitForFunction(() => document.querySelectorAll("#moves .move").length === 3);
    assert.match(await shown(page), /^-{18}X/);
  });
});

test("a new version is shown from the next visit on", { skip }, async () => {
  const own = await serveExport();
  await onPage(browser, own.address, async (page) => {
    await controlled(page);
    const folder = join(own.root, "board");
    const change = (name, from, to) => {
      const path = join(folder, name);
      writeFileSync(path, readFileSync(path, "utf8").replaceAll(from, to));
    };
    change("index.html", "<title>umigame</title>", "<title>another</title>");
    change("sw.js", /const VERSION = "[^"]*"/g, 'const VERSION = "another"');
    const hasWaiting = () => page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      await registration.update();
      return registration.waiting !== null;
    });
    await until(hasWaiting);
    assert.equal(await page.title(), "umigame", "a page that is open stays as it is");
    await page.reload();
    await until(async () => (await page.title().catch(() => "")) === "another");
    const caches = await page.evaluate(() => caches.keys());
    assert.equal(caches.length, 1, "the old version is gone");
  });
  own.close();
});
