"""Progress of a job on standard error, with the time when it will be done."""

from __future__ import annotations

import sys
import time
from typing import TextIO

TERMINAL_SECONDS = 0.5
"""Time between two updates of a line on a terminal."""
LOG_SECONDS = 30.0
"""Time between two lines elsewhere."""

__all__ = ["Progress", "duration"]


def duration(seconds: float) -> str:
    """Returns a time in words: 41 s, 3 min 5 s, 2 h 7 min, 4.5 days."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    if whole < 48 * 3600:
        return f"{whole // 3600} h {whole % 3600 // 60} min"
    return f"{seconds / 86400:.1f} days"


class Progress:
    """Counts and times of a job; prints nothing if `out` is None."""

    def __init__(self, total: int | None = None, out: TextIO | None = sys.stderr) -> None:
        """Begins. `total` is the number of tasks, None if it is unknown."""
        self.total, self.done, self.known = total, 0, 0
        self.out = out
        self._begun = self._shown = time.monotonic()
        self._predicted_done = 0.0
        self._is_terminal = out is not None and out.isatty()
        self._line = ""

    def add(self, tasks: int, seconds: float) -> None:
        """Adds finished tasks with their predicted seconds."""
        self.done += tasks
        self._predicted_done += seconds

    def left_seconds(self, predicted_left: float) -> float | None:
        """Returns the time until the end, by the speed until now; None before anything is done."""
        passed = time.monotonic() - self._begun
        if self._predicted_done <= 0 or passed <= 0:
            return None
        return predicted_left * passed / self._predicted_done

    def show(self, predicted_left: float, force: bool = False) -> None:
        """Prints the progress, if it is time to."""
        wait = TERMINAL_SECONDS if self._is_terminal else LOG_SECONDS
        if self.out is None or (time.monotonic() - self._shown < wait and not force):
            return
        self._shown = time.monotonic()
        of = "" if self.total is None else f" of {self.total}"
        left = self.left_seconds(predicted_left)
        end = "" if left is None else f", about {duration(left)} left"
        self._print(f"{self.done + self.known}{of} done{end}")

    def _print(self, line: str) -> None:
        assert self.out is not None
        if self._is_terminal:
            print(f"\r{line}{' ' * (len(self._line) - len(line))}", end="", file=self.out, flush=True)
            self._line = line
        else:
            print(line, file=self.out, flush=True)

    def say(self, message: str) -> None:
        """Prints a message on a line of its own."""
        if self.out is not None:
            self.clear()
            print(message, file=self.out, flush=True)

    def clear(self) -> None:
        """Removes the line of the progress."""
        if self._line and self.out is not None:
            print(f"\r{' ' * len(self._line)}\r", end="", file=self.out, flush=True)
            self._line = ""
