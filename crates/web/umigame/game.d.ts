export { Game } from "./index.js";
