// The worker: one instance of the module, one request at a time.
//
// A search must learn of a stop while it runs. It reads a flag in shared memory where there is one.
// Else, where a module can be suspended (JavaScript Promise Integration), it gives way every
// TURN_MS so that the worker reads its messages. Else it cannot learn of it: the page ends the
// worker and starts another.

/** Time from one turn of the worker's messages to the next, in milliseconds. */
const TURN_MS = 10;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

let post;
let exports;
let call;
/** Requests up to this number are to stop; by messages, where there is no flag. */
let stopped = 0;
/** The number of the request that runs. */
let running = 0;
let turnEnds = 0;
let panic;

function memoryMb() {
  return exports.memory.buffer.byteLength / 2 ** 20;
}

function read(at, length) {
  return decoder.decode(new Uint8Array(exports.memory.buffer, at, length));
}

function write(bytes) {
  const at = exports.input(bytes.length);
  new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
}

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
  const umigame = {
    now: () => performance.now(),
    go_on() {
      if (mustStop()) return 0;
      return turns && performance.now() >= turnEnds ? 2 : 1;
    },
    give_way: turns ? new WebAssembly.Suspending(messagesRead) : () => {},
    report: (at, length) => post({ id: running, report: read(at, length) }),
    panicked: (at, length) => (panic = read(at, length)),
  };
  ({ exports } = await WebAssembly.instantiate(module, { umigame }));
  call = turns ? WebAssembly.promising(exports.call) : exports.call;
  write(new Uint8Array(weights));
  const length = exports.open(hashMb);
  const info = JSON.parse(read(exports.output(), length));
  if (info.error) throw new Error(info.error);
  post({ opened: info, memoryMb: memoryMb() });
}

async function serve({ id, request }) {
  running = id;
  turnEnds = performance.now() + TURN_MS;
  try {
    write(encoder.encode(request));
    const length = await call();
    post({ id, reply: read(exports.output(), length), memoryMb: memoryMb() });
  } catch (error) {
    post({ id, fault: panic ?? String(error) });
  }
}

function receive(message) {
  if (message.stop) stopped = message.stop;
  else if (message.open) open(message.open).catch((error) => post({ failed: panic ?? error.message }));
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
