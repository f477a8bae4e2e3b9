// A page that is exported for web hosts is kept by the browser, and works without a network.

/** Lets the browser keep the page and the engine, where the page was made for that. */
export function keepPage() {
  const canBeKept = document.querySelector('link[rel="manifest"]') !== null;
  if (!canBeKept || !("serviceWorker" in navigator)) return;
  // A browser that keeps nothing shows the page all the same.
  navigator.serviceWorker.register(new URL("sw.js", document.baseURI)).catch(() => {});
}
