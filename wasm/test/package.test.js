// The package as npm would pack it, and the README's example for node.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const dist = fileURLToPath(new URL("../dist/", import.meta.url));

test("npm packs every file of the package", () => {
  const out = execFileSync("npm", ["pack", "--dry-run", "--json"], { cwd: dist, encoding: "utf8" });
  const packed = JSON.parse(out)[0].files.map(({ path }) => path);
  assert.deepEqual(packed.sort(), readdirSync(dist).sort());
  for (const name of ["index.js", "index.d.ts", "worker.js", "umigame.wasm", "umigame.weights"]) {
    assert.ok(packed.includes(name), name);
  }
});

test("the README's example for node works as it stands, in an installed package", () => {
  const folder = mkdtempSync(join(tmpdir(), "umigame-"));
  mkdirSync(join(folder, "node_modules"));
  cpSync(dist, join(folder, "node_modules", "umigame"), { recursive: true });
  const [, example] = /```js\n([\s\S]*?)```/.exec(readFileSync(join(dist, "README.md"), "utf8"));
  writeFileSync(join(folder, "example.mjs"), example);
  const out = execFileSync(process.execPath, ["example.mjs"], { cwd: folder, encoding: "utf8" });
  const [played, solved] = out.split("\n");
  assert.match(played, /^f5d6c3[a-h][1-8] -?\d+(\.\d+)? /);
  assert.match(solved, /^-24 b3 /);
  rmSync(folder, { recursive: true });
});

test("a script that only searches ends by itself", () => {
  const script = `
    import { Engine, Position } from ${JSON.stringify(join(dist, "index.js"))};
    const engine = await Engine.create();
    console.log((await engine.search(Position.start(), { depth: 3 })).depth);`;
  const args = ["--input-type=module", "--eval", script];
  const out = execFileSync(process.execPath, args, { encoding: "utf8", timeout: 60_000 });
  assert.equal(out, "3\n");
});
