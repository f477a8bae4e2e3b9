// The worker: one instance of the module, one request at a time.
//
// A search must learn of a stop while it runs. It reads a flag in shared memory where there is one.
// Else, where a module can be suspended (JavaScript Promise Integration), it gives way every
// TURN_MS so that the worker reads its messages. Else it cannot learn of it: the page ends the
// worker and starts another.

import { Instance } from "./instance.js";

/** Time from one turn of the worker's messages to the next, in milliseconds. */
const TURN_MS = 10;

let post;
let instance;
/** Requests up to this number are to stop; by messages, where there is no flag. */
let stopped = 0;
/** The number of the request that runs. */
let running = 0;
let turnEnds = 0;

/** Resolves after the messages that wait for this worker. */
function messagesRead() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      turnEnds = performance.now() + TURN_MS;
      resolve();
    };
    port2.postMessage(null);
  });
}

async function open({ module, weights, hashMb, flag, turns }) {
  const mustStop = () => (flag ? Atomics.load(flag, 0) : stopped) >= running;
  const imports = {
    now: () => performance.now(),
    go_on() {
      if (mustStop()) return 0;
      return turns && performance.now() >= turnEnds ? 2 : 1;
    },
    give_way: turns ? new WebAssembly.Suspending(messagesRead) : () => {},
    report: (at, length) => post({ id: running, report: instance.read(at, length) }),
  };
  instance = await Instance.of(module, imports, { turns });
  const info = JSON.parse(instance.open(weights, hashMb));
  if (info.error) throw new Error(info.error);
  post({ opened: info, memoryMb: instance.memoryMb });
}

async function serve({ id, request }) {
  running = id;
  turnEnds = performance.now() + TURN_MS;
  try {
    const reply = await instance.call(request);
    post({ id, reply, memoryMb: instance.memoryMb });
  } catch (error) {
    post({ id, fault: instance.panic ?? String(error) });
  }
}

function receive(message) {
  if (message.stop) stopped = message.stop;
  else if (message.open) {
    open(message.open).catch((error) => post({ failed: instance?.panic ?? error.message }));
  }
  else serve(message);
}

if (typeof self === "object" && typeof self.postMessage === "function") {
  post = (message) => self.postMessage(message);
  self.onmessage = (event) => receive(event.data);
} else {
  import("node:worker_threads").then(({ parentPort }) => {
    post = (message) => parentPort.postMessage(message);
    parentPort.on("message", receive);
  });
}
