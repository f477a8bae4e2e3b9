export { Position } from "../../../wasm/package/index.js";
