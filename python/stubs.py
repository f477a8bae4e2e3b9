"""Writes the docstrings of the compiled module into its stubs, umigame/_native.pyi.

Run it as `python -I python/stubs.py`, so that it reads the installed package. Signatures and types are
written by hand. With --check, only says whether anything would change.
"""

import ast
import inspect
import sys
from pathlib import Path

from umigame import _native

STUBS = Path(__file__).with_name("umigame") / "_native.pyi"


def docstring(owner: object, name: str) -> str | None:
    """Returns the docstring of a member that is the module's own."""
    members = vars(owner)
    member = members.get(name)
    if isinstance(member, staticmethod):
        member = member.__func__
    text = getattr(member, "__doc__", None)
    if text is None or (name.startswith("__") and name.endswith("__")):
        return None
    return inspect.cleandoc(text)


def quoted(text: str, indent: str) -> list[str]:
    """Returns a docstring as lines of source."""
    lines = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"').split("\n")
    lines = [lines[0], *(indent + line if line else "" for line in lines[1:])]
    # A closing mark must not touch a quotation mark.
    end = [indent + '"""'] if len(lines) > 1 or lines[-1].endswith('"') else None
    if end is None:
        return [f'{indent}"""{lines[0]}"""']
    return [f'{indent}"""{lines[0]}', *lines[1:], *end]


def is_setter(node: ast.FunctionDef) -> bool:
    """Returns whether a function sets a property: its getter has the docstring."""
    return any(isinstance(mark, ast.Attribute) and mark.attr == "setter" for mark in node.decorator_list)


def documented(source: str) -> str:
    """Returns stubs with the docstrings of the module."""
    lines = source.split("\n")
    edits: list[tuple[int, int, list[str]]] = []

    def edit(node: ast.ClassDef | ast.FunctionDef, owner: object) -> None:
        text = docstring(owner, node.name)
        first = node.body[0]
        has_docstring = ast.get_docstring(node) is not None
        indent = " " * (node.col_offset + 4)
        new = quoted(text, indent) if text and not (isinstance(node, ast.FunctionDef) and is_setter(node)) else []
        if isinstance(node, ast.ClassDef):
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and first.value.value is ...:
                # An exception: the dots make room for its docstring.
                head = lines[first.lineno - 1].split(": ...")[0] + ":"
                edits.append((first.lineno, first.lineno, [head, *new] if new else [head + " ..."]))
            elif has_docstring:
                edits.append((first.lineno, first.end_lineno or first.lineno, new))
            elif new:
                marks = getattr(first, "decorator_list", [])
                line = min([first.lineno, *(mark.lineno for mark in marks)])
                edits.append((line, line - 1, new))
            return
        # The body is a docstring, or dots at the end of the line.
        if has_docstring:
            edits.append((first.lineno, first.end_lineno or first.lineno, new or [indent + "..."]))
        elif new:
            head = lines[first.lineno - 1].rsplit(": ...", 1)[0] + ":"
            edits.append((first.lineno, first.lineno, [head, *new]))

    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef):
            edit(node, _native)
            for member in node.body:
                if isinstance(member, ast.FunctionDef):
                    edit(member, getattr(_native, node.name))
        elif isinstance(node, ast.FunctionDef):
            edit(node, _native)
    for first, last, new in sorted(edits, reverse=True):
        lines[first - 1 : last] = new
    return "\n".join(lines)


def main() -> int:
    """Rewrites the stubs, or checks them."""
    source = STUBS.read_text()
    new = documented(source)
    if "--check" in sys.argv[1:]:
        if new != source:
            print(f"{STUBS.name} lacks docstrings of the module: run python/stubs.py", file=sys.stderr)
        return int(new != source)
    STUBS.write_text(new)
    return 0


if __name__ == "__main__":
    sys.exit(main())
