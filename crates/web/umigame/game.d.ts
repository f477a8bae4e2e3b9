export { Game } from "../../../wasm/package/index.js";
