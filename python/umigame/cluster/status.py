"""What a store holds, what is predicted to remain, and what failed: as text or one page."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape
from typing import Any

import numpy
import pyarrow.compute

from umigame.cluster.cost import CostModel
from umigame.cluster.kinds.kind import count_bits
from umigame.cluster.progress import duration
from umigame.cluster.proof.watch import ProofRecord, proofs_in
from umigame.cluster.store import Store
from umigame.cluster.task import Tasks

__all__ = ["Done", "Left", "Status", "page", "status", "text"]


@dataclass(slots=True)
class Done:
    """What was computed of one kind with one set of limits."""

    rows: int = 0
    """Results."""
    nodes: int = 0
    """Positions visited."""
    seconds: float = 0.0
    """Seconds of all threads."""
    by_empties: dict[int, tuple[int, float]] = field(default_factory=dict)
    """Results and seconds by empties."""


@dataclass(slots=True)
class Left:
    """What is predicted to remain of a file."""

    tasks: int
    """Tasks without a result."""
    seconds: float
    """Predicted seconds on one thread."""
    factor: float | None
    """The factor by which predictions of single tasks are wrong, root mean square; None if unknown."""


@dataclass(slots=True)
class Status:
    """What a store holds."""

    url: str
    """The store."""
    done: dict[tuple[str, str], Done] = field(default_factory=dict)
    """By kind and limits."""
    blocks: int = 0
    """Blocks."""
    size: int = 0
    """Bytes of all blocks."""
    failures: list[dict[str, Any]] = field(default_factory=list)
    """Tasks set aside that have no result since."""
    damaged: dict[str, str] = field(default_factory=dict)
    """Damaged blocks with the reason."""
    proofs: list[ProofRecord] = field(default_factory=list)
    """Proofs, the last one first."""
    left: Left | None = None
    """What remains of a file, if one was named."""


def status(store: Store, windows: Iterable[Tasks] | None = None) -> Status:
    """Returns what a store holds, and what remains of some tasks."""
    found = Status(store.url)
    failed = []
    for kind in store.kinds():
        index = store.index(kind)
        found.blocks += len(index.rows)
        found.size += sum(index.sizes.values())
        if kind == "failed":
            failed = store.read(kind).to_pylist()
            continue
        for table in store.tables(kind):
            _add(found, kind, table)
    for row in failed:
        if row["key"] not in set(store.read(row["kind"], [row["key"]]).column("key").to_pylist()):
            found.failures.append(row)
    found.damaged = store.damaged()
    found.proofs = proofs_in(store)
    if windows is not None:
        found.left = _left(store, windows)
    return found


def _add(found: Status, kind: str, table: Any) -> None:
    """Adds rows."""
    if not {"limits", "seconds"} <= set(table.column_names):
        found.done.setdefault((kind, ""), Done()).rows += len(table)
        return
    for limits in table.column("limits").unique().to_pylist():
        rows = table.filter(pyarrow.compute.equal(table["limits"], limits))
        done = found.done.setdefault((kind, limits), Done())
        done.rows += len(rows)
        seconds = rows["seconds"].to_numpy()
        done.seconds += float(seconds.sum())
        if not {"nodes", "player", "opponent"} <= set(rows.column_names):
            continue
        done.nodes += int(rows["nodes"].to_numpy().sum())
        discs = numpy.bitwise_or(rows["player"].to_numpy(), rows["opponent"].to_numpy())
        empties = 64 - count_bits(discs)
        for number in numpy.unique(empties).tolist():
            mask = empties == number
            count, total = done.by_empties.get(number, (0, 0.0))
            done.by_empties[number] = (count + int(mask.sum()), total + float(seconds[mask].sum()))


def _left(store: Store, windows: Iterable[Tasks]) -> Left:
    """Returns what remains of tasks."""
    cost, left = CostModel(store), Left(0, 0.0, None)
    for window in windows:
        missing = store.missing(window)
        left.tasks += len(missing)
        left.seconds += float(cost.seconds(missing.kind, missing.limits, missing.subjects).sum())
        bits = cost.error_bits(window.kind, window.limits)
        left.factor = None if bits is None else 2.0**bits
    return left


def _left_text(left: Left) -> str:
    error = "no task has told yet how good predictions are"
    if left.factor is not None:
        error = f"predictions of single tasks are wrong by a factor of {left.factor:.1f}"
    return f"{left.tasks} tasks remain: about {duration(left.seconds)} of one thread ({error})"


def text(found: Status) -> str:
    """Returns the status as text."""
    lines = [f"{found.url}: {found.blocks} blocks, {found.size / 1e6:.1f} MB"]
    for (kind, limits), done in sorted(found.done.items()):
        lines.append(f"{kind} {limits}: {done.rows} results, {done.nodes} nodes, "
                     f"{duration(done.seconds)} of one thread")
    lines += [f"proof: {proof.text()}" for proof in found.proofs]
    if found.left:
        lines.append(_left_text(found.left))
    lines += [f"set aside: {row['kind']} {row['subject']} ({row['limits']}): {row['reason']}"
              for row in found.failures]
    lines += [f"damaged: {path}: {reason}" for path, reason in found.damaged.items()]
    return "\n".join(lines)


_STYLE = """body{font:16px system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color-scheme:light dark}
table{border-collapse:collapse;margin:1rem 0}td,th{padding:.2rem .8rem;text-align:right;border-bottom:1px solid #8884}
td:first-child,th:first-child{text-align:left}rect{fill:#3b82c4}text{font-size:11px;fill:currentColor}.bad{color:#c33}
iframe{width:100%;height:30rem;border:1px solid #8884}"""


def page(found: Status) -> str:
    """Returns the status as a page of HTML: one file, without scripts."""
    rows = "".join(
        f"<tr><td>{escape(kind)} {escape(limits)}<td>{done.rows}<td>{done.nodes}<td>{duration(done.seconds)}"
        for (kind, limits), done in sorted(found.done.items())
    )
    charts = "".join(
        f"<h2>{escape(kind)} {escape(limits)}: results by empties</h2>{_chart(done)}"
        for (kind, limits), done in sorted(found.done.items()) if done.by_empties
    )
    left = f"<p>{escape(_left_text(found.left))}.</p>" if found.left else ""
    bad = [f"{row['kind']} {row['subject']} ({row['limits']}): {row['reason']}" for row in found.failures]
    bad += [f"{path}: damaged: {reason}" for path, reason in found.damaged.items()]
    faults = "".join(f"<li>{escape(line)}" for line in bad)
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>umigame cluster: {escape(found.url)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style>'
        f"<h1>{escape(found.url)}</h1><p>{found.blocks} blocks, {found.size / 1e6:.1f} MB.</p>{left}"
        f"<table><tr><th>kind<th>results<th>nodes<th>time of one thread{rows}</table>{charts}{_proofs(found)}"
        f'<h2>What failed</h2>{f"<ul class=bad>{faults}</ul>" if bad else "<p>Nothing.</p>"}</html>\n'
    )


def _proofs(found: Status) -> str:
    """Returns the proofs, each with its tree behind a line."""
    parts = [
        f'<details><summary>{escape(proof.text())}, {time.strftime("%Y-%m-%d %H:%M", time.localtime(proof.time))}'
        f'</summary><iframe sandbox title="{escape(proof.claim)}" srcdoc="{escape(proof.page)}"></iframe></details>'
        for proof in found.proofs
    ]
    return f"<h2>Proofs</h2>{''.join(parts)}" if parts else ""


def _chart(done: Done) -> str:
    """Returns a bar for each number of empties, with the mean seconds above it."""
    numbers = sorted(done.by_empties)
    most = max(count for count, _ in done.by_empties.values())
    bars = []
    for place, number in enumerate(numbers):
        count, seconds = done.by_empties[number]
        height, left = 120 * count / most, 46 * place
        bars.append(
            f'<rect x="{left + 4}" y="{140 - height:.1f}" width="38" height="{height:.1f}">'
            f"<title>{number} empties: {count} results, {seconds:.1f} s</title></rect>"
            f'<text x="{left + 23}" y="{134 - height:.1f}" text-anchor="middle">{seconds / count:.2g} s</text>'
            f'<text x="{left + 23}" y="155" text-anchor="middle">{number}</text>'
        )
    width = 46 * len(numbers)
    return f'<svg role="img" viewBox="0 0 {width} 160" width="{width}" height="160">{"".join(bars)}</svg>'
