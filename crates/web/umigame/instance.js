// An instance of the module: requests go in and replies come out through its memory.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Instance {
  #exports;
  #call;
  /** The message of a panic, after which the instance is lost; null before one. */
  panic = null;

  /** `imports` lacks `panicked`; `turns` lets the module be suspended in `give_way`. */
  static async of(module, imports, { turns = false } = {}) {
    const instance = new Instance();
    const panicked = (at, length) => (instance.panic = instance.read(at, length));
    const { exports } = await WebAssembly.instantiate(module, { umigame: { ...imports, panicked } });
    instance.#exports = exports;
    instance.#call = turns ? WebAssembly.promising(exports.call) : exports.call;
    return instance;
  }

  get memoryMb() {
    return this.#exports.memory.buffer.byteLength / 2 ** 20;
  }

  /** Returns a text in the memory. */
  read(at, length) {
    return decoder.decode(new Uint8Array(this.#exports.memory.buffer, at, length));
  }

  #write(bytes) {
    const at = this.#exports.input(bytes.length);
    new Uint8Array(this.#exports.memory.buffer, at, bytes.length).set(bytes);
  }

  #reply(length) {
    return this.read(this.#exports.output(), length);
  }

  /** Makes the engine from the bytes of a weights file; returns the reply. */
  open(weights, hashMb) {
    this.#write(new Uint8Array(weights));
    return this.#reply(this.#exports.open(hashMb));
  }

  /** Returns the reply to a request. */
  async call(request) {
    this.#write(encoder.encode(request));
    return this.#reply(await this.#call());
  }
}
