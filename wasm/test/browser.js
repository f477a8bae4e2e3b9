// A static server, and Chromium.

import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname } from "node:path";

export const chromiumPath = process.env.CHROMIUM ?? "/usr/bin/chromium";
export const hasChromium = existsSync(chromiumPath);

const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
  ".weights": "application/octet-stream",
};
const ISOLATION = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

/** A page in the package's README, counted from 0. */
function readmePage(number) {
  const readme = readFileSync(new URL("../package/README.md", import.meta.url), "utf8");
  return [...readme.matchAll(/```html\n([\s\S]*?)```/g)][number][1];
}

function file(path) {
  if (path === "/favicon.ico") return "";
  if (path === "/readme.html") return readmePage(0);
  if (path === "/board.html") return readmePage(1);
  if (path === "/empty.html") return "<!doctype html><title>empty</title>";
  const [, folder, name] = /^\/(umigame\/)?([\w.-]+)$/.exec(path) ?? [];
  const url = new URL(folder ? `../dist/${name}` : name ?? "none", import.meta.url);
  return existsSync(url) ? readFileSync(url) : null;
}

/**
 * Serves wasm/dist as /umigame/, the pages of this folder, and an empty page. `types` false leaves
 * out the type of modules; `isolated` adds the headers of cross-origin isolation, `foreign` the one
 * that lets pages of other origins load the files.
 */
export async function serve({ isolated = false, types = true, foreign = false } = {}) {
  const server = createServer((request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    const body = file(path);
    const known = types || extname(path) !== ".wasm";
    response.writeHead(body === null ? 404 : 200, {
      "Content-Type": (known && TYPES[extname(path)]) || "text/plain",
      ...(isolated ? ISOLATION : {}),
      ...(foreign ? { "Access-Control-Allow-Origin": "*" } : {}),
    });
    response.end(body ?? "");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

export async function launch() {
  const { chromium } = await import("playwright-core");
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync",
    ],
  });
}
