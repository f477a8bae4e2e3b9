// The service worker of the exported page: it answers from a cache of its version, with or without a
// network. `umigame serve --export` writes the version and the files.

const VERSION = "";
const FILES = [];
const PREFIX = `umigame ${registration.scope} `;
const CACHE = PREFIX + VERSION;

addEventListener("install", (event) => event.waitUntil(fill()));
addEventListener("activate", (event) => event.waitUntil(takeOver()));
addEventListener("fetch", (event) => {
  if (event.request.method === "GET") event.respondWith(answer(event.request));
});
addEventListener("message", ({ data }) => {
  if (data === "take over") skipWaiting();
});

/** Asks for every file whether it is still the one that the browser has. */
async function fill() {
  const cache = await caches.open(CACHE);
  await cache.addAll(FILES.map((file) => new Request(file, { cache: "no-cache" })));
}

async function takeOver() {
  const old = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await clients.claim();
}

async function answer(request) {
  // A new version waits until no page uses the old one: a page that is loaded again, alone, is none.
  const { waiting } = registration;
  if (request.mode === "navigate" && waiting && (await clients.matchAll()).length < 2) {
    waiting.postMessage("take over");
    const headers = { "Content-Type": "text/html", Refresh: "0" };
    return new Response('<link rel="icon" href="data:,">', { headers });
  }
  const cache = await caches.open(CACHE);
  return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request);
}
