// The engine umigame in pages and in node. index.d.ts describes every function.

export { Engine, UmigameError } from "./engine.js";
export { Game } from "./game.js";
export { Position } from "./position.js";
