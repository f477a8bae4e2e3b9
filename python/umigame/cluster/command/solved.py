"""Answers of `solve`: a table or JSON Lines, in the order of the file, and a summary."""

from __future__ import annotations

import json
from typing import Any

import numpy

from umigame import arrays
from umigame.cluster.folded import move_name, unfolded
from umigame.cluster.keys import key_list
from umigame.cluster.problems import Problems
from umigame.cluster.store import Store
from umigame.cluster.task import Tasks

_SIGNS = {1: "win", 0: "draw", -1: "loss"}

__all__ = ["Printer"]


class Printer:
    """Prints answers and counts them."""

    def __init__(self, limits: str, jsonl: bool, quiet: bool) -> None:
        """Begins with the limits of the tasks."""
        self.limits, self.jsonl, self.quiet = limits, jsonl, quiet
        self.solved = self.right = self.wrong = self.compared = self.missing = self.nodes = 0

    def begin(self) -> None:
        """Prints the head of the table."""
        if not (self.jsonl or self.quiet):
            print("# line   score  move  depth        nodes   seconds  principal variation")

    def show(self, problems: Problems, store: Store) -> None:
        """Prints the answers to some positions."""
        tasks = Tasks.of_positions("solve", problems.positions, self.limits)
        rows = store.read("solve", tasks.keys)
        by_key = dict(zip(rows.column("key").to_pylist(), range(len(rows)), strict=True))
        columns = {
            name: rows.column(name).to_pylist()
            for name in ("score", "bound", "move", "nodes", "seconds")
        }
        symmetries = arrays.canonical(problems.positions)[1]
        for number, key in enumerate(key_list(tasks.keys)):
            row = by_key.get(key)
            if row is None:
                self.missing += 1
                continue
            found = {name: column[row] for name, column in columns.items()}
            found["move"] = move_name(int(unfolded(found["move"], symmetries[number])))
            self._show_one(problems, number, found)

    def _show_one(self, problems: Problems, number: int, found: dict[str, Any]) -> None:
        expected = problems.expected[number]
        right = None if expected is None else self._fits(found, expected)
        self.solved += 1
        self.nodes += found["nodes"]
        self.compared += right is not None
        self.right += right is True
        self.wrong += right is False
        if self.quiet:
            return
        if self.jsonl:
            line = {"line": problems.lines[number], "position": problems.texts[number],
                    "limits": self.limits, **found, "expected": expected, "right": right}
            print(json.dumps(line))
            return
        verdict = "" if right is None else "  ok" if right else f"  WRONG: expected {expected:+d}"
        print(f"{problems.lines[number]:6}  {self._score(found):>6}  {found['move']:4}  "
              f"{'100%W' if self.limits == 'wld' else '100%':>5}  {found['nodes']:11}  "
              f"{found['seconds']:8.3f}  {found['move']}{verdict}")

    def _score(self, found: dict[str, Any]) -> str:
        if self.limits == "wld":
            return _SIGNS[found["score"]]
        sign = {"lower": ">=", "upper": "<="}.get(found["bound"], "")
        return sign + (f"{found['score']:+d}" if found["score"] else "0")

    def _fits(self, found: dict[str, Any], expected: int) -> bool:
        score = found["score"]
        if self.limits == "wld":
            return bool(numpy.sign(expected) == score)
        if found["bound"] == "lower":
            return bool(expected >= score)
        return bool(expected <= score if found["bound"] == "upper" else expected == score)

    def end(self, seconds: float, known: int, unreadable: int, store: Store) -> None:
        """Prints the summary."""
        if self.jsonl:
            return
        print(f"# {self.solved} positions: {self.right} right, {self.wrong} wrong, "
              f"{self.solved - self.compared} without an expected score, {self.missing} not solved, "
              f"{unreadable} lines not read")
        before = f"; {known} positions were answered before" if known else ""
        print(f"# {self.nodes} nodes, {seconds:.3f} s, results in {store.url}{before}")

    def is_wrong(self) -> bool:
        """Returns whether a score is wrong or missing."""
        return self.wrong > 0 or self.missing > 0
