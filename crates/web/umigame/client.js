// The client of a worker: requests one at a time, their reports and replies, stops, and another
// worker after a fault.

import { UmigameError, startWorker } from "./load.js";

/** Time that a search has to end by itself before its worker is ended, in milliseconds. */
const GRACE_MS = 5;

/** A request and what becomes of it. */
class Job {
  /** The number by which the worker knows it; 0 until it is sent. */
  id = 0;
  /** It is to stop. */
  halted = false;
  /** The worker may be ended as soon as there is a report. */
  abandoned = false;
  /** The latest report. */
  latest = null;

  constructor(request, onReport) {
    this.hasReports = ["search", "play", "analyze"].some((kind) => kind in request);
    this.text = JSON.stringify(request);
    this.onReport = onReport;
    this.done = new Promise((resolve, reject) => Object.assign(this, { resolve, reject }));
    // Whoever waits for it sees the error.
    this.done.catch(() => {});
  }

  finish(reply) {
    this.resolve(this.hasReports ? { ...reply, stopped: this.halted } : reply);
  }
}

export class Client {
  #setup;
  /** The last request to stop, shared with the worker; null if the page is not isolated. */
  #flag = null;
  #worker = null;
  #info = null;
  #isOpen = false;
  #closed = false;
  #queue = [];
  #running = null;
  #lastId = 0;

  constructor(setup) {
    this.#setup = setup;
    if (setup.stopBy === "flag") {
      this.#flag = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    }
  }

  get info() {
    return { ...this.#info, stopBy: this.#setup.stopBy };
  }

  /** Starts a worker and waits for its engine. */
  async open() {
    const { module, weights, hashMb, stopBy } = this.#setup;
    await new Promise((resolve, reject) => {
      const opening = { resolve, reject };
      let own = null;
      const receive = (message) => own === this.#worker && this.#receive(message, opening);
      const fail = (why) => (own === null || own === this.#worker) && this.#fail(why, opening);
      startWorker(receive, fail).then((worker) => {
        if (this.#closed) return worker.end();
        own = this.#worker = worker;
        const open = { module, weights, hashMb, flag: this.#flag, turns: stopBy === "turns" };
        worker.post({ open });
      }, reject);
    });
  }

  /** Puts a request into the queue. Its promise is `done`. */
  ask(request, onReport) {
    const job = new Job(request, onReport);
    if (this.#closed) {
      job.reject(new UmigameError("the engine is closed"));
      return job;
    }
    this.#queue.push(job);
    this.#next();
    return job;
  }

  /** Ends a request: one that runs soon has a result, one that waits has none. */
  halt(job) {
    const at = this.#queue.indexOf(job);
    if (at >= 0) {
      this.#queue.splice(at, 1);
      job.resolve(null);
    } else if (job === this.#running) {
      this.#stop(job);
    }
  }

  /** Ends the request that runs, or would run next, and waits for its result. */
  async stop() {
    const job = this.#running ?? this.#queue[0];
    if (job === undefined) return;
    job.halted = true;
    if (job === this.#running) this.#stop(job);
    await job.done.catch(() => {});
  }

  close(why = "the engine is closed") {
    this.#closed = true;
    this.#worker?.end();
    this.#worker = null;
    const error = new UmigameError(why);
    for (const job of [this.#running, ...this.#queue]) job?.reject(error);
    this.#running = null;
    this.#queue = [];
  }

  #next() {
    if (this.#running !== null || !this.#isOpen) return;
    const job = this.#queue.shift();
    this.#worker.hold(job !== undefined);
    if (job === undefined) return;
    this.#running = job;
    job.id = ++this.#lastId;
    this.#worker.post({ id: job.id, request: job.text });
    if (job.halted) this.#stop(job);
  }

  #stop(job) {
    job.halted = true;
    if (this.#flag !== null) Atomics.store(this.#flag, 0, job.id);
    else if (this.#setup.stopBy === "turns") this.#worker.post({ stop: job.id });
    else setTimeout(() => this.#abandon(job), GRACE_MS);
  }

  /** Takes the latest report for the result, and ends the worker, which knows of no stop. */
  #abandon(job) {
    if (job !== this.#running) return;
    job.abandoned = true;
    if (job.latest === null) return;
    job.finish(job.latest);
    this.#restart();
  }

  #restart() {
    this.#worker.end();
    this.#worker = null;
    this.#running = null;
    this.#isOpen = false;
    // The answer first: starting a worker takes a while.
    setTimeout(() => this.#closed || this.open().catch(() => {}));
  }

  /** Rejects everything: a worker that cannot be started now cannot be started later. */
  #fail(why, opening) {
    const message = `the engine cannot be started: ${why}`;
    opening.reject(new UmigameError(message));
    this.close(message);
  }

  #receive(message, opening) {
    const { opened, failed, id, report, reply, fault, memoryMb } = message;
    if (failed !== undefined) return this.#fail(failed, opening);
    if (opened !== undefined) {
      this.#info = { ...opened, memoryMb };
      this.#isOpen = true;
      opening.resolve();
      return this.#next();
    }
    const job = this.#running;
    if (job === null || job.id !== id) return;
    if (report !== undefined) return this.#report(job, JSON.parse(report));
    if (fault !== undefined) {
      job.reject(new UmigameError(`a fault in the engine: ${fault}`));
      return this.#restart();
    }
    this.#running = null;
    this.#info.memoryMb = memoryMb;
    const result = JSON.parse(reply);
    if (typeof result?.error === "string") job.reject(new UmigameError(result.error));
    else job.finish(result);
    this.#next();
  }

  #report(job, report) {
    job.latest = report;
    if (job.abandoned) return this.#abandon(job);
    try {
      job.onReport?.(report);
    } catch (error) {
      job.reject(error);
      this.#stop(job);
    }
  }
}
