export { Position } from "./index.js";
