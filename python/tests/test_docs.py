"""Examples of docstrings and pages run; types are checked."""

import doctest
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy
import pytest
import umigame
from umigame import _native

PACKAGE = Path(__file__).resolve().parents[1]
FLAGS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL


def docstrings():
    """Names and docstrings of everything compiled, and of the modules in Python."""
    for name, item in vars(_native).items():
        if inspect.isclass(item) or callable(item):
            yield name, item.__doc__
        if inspect.isclass(item):
            for member, value in vars(item).items():
                if not member.startswith("__"):
                    yield f"{name}.{member}", value.__doc__
    for module in (umigame, umigame.arrays, umigame.arena, umigame.results):
        yield module.__name__, module.__doc__
        for name, item in vars(module).items():
            if inspect.isfunction(item):
                yield f"{module.__name__}.{name}", item.__doc__
            if inspect.isclass(item) and item.__module__ == module.__name__:
                yield f"{module.__name__}.{name}", item.__doc__
                for member, value in vars(item).items():
                    if isinstance(value, property) or inspect.isfunction(value):
                        if not member.startswith("_"):
                            yield f"{module.__name__}.{name}.{member}", value.__doc__


def run(name, text, names):
    test = doctest.DocTestParser().get_doctest(text, names, name, name, 0)
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    failed = []
    runner.run(test, out=failed.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(failed)
    return len(test.examples)


def test_docstrings_run():
    examples = 0
    for name, text in docstrings():
        names = {"umigame": umigame, "numpy": numpy, **vars(umigame.arrays), **vars(umigame.arena)}
        examples += run(name, text or "", names)
    print(f"\n{examples} examples")
    assert examples > 30


def test_everything_has_a_docstring():
    # Setters share the text of their getters; exceptions have their own.
    bare = [name for name, text in docstrings() if not text and "_restore" not in name]
    assert [name for name in bare if not name.endswith("_repr_svg_")] == []


@pytest.mark.parametrize("page", ["README.md", "../docs/python.md"])
def test_pages_run(page, tmp_path, monkeypatch):
    path = PACKAGE / page
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", path.read_text(), re.DOTALL)
    assert blocks
    names = {}
    for block in blocks:
        if ">>>" in block:
            run(page, block, names)
        else:
            exec(compile(block, page, "exec"), names)
    print(f"\n{len(blocks)} blocks")


def tool(*arguments):
    pytest.importorskip("mypy", reason="SKIPPED: needs mypy")
    # Outside the sources, so that the installed package is checked.
    done = subprocess.run(
        [sys.executable, "-m", *arguments], capture_output=True, text=True, cwd=PACKAGE / "tests",
        env={**os.environ, "MYPYPATH": ""},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_types():
    print("\n" + tool("mypy", "--strict", "--package", "umigame"))
    print(tool("mypy", "--strict", "typed.py"))


def test_stubs_have_the_docstrings_of_the_module():
    done = subprocess.run([sys.executable, "-I", PACKAGE / "stubs.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_stubs_are_those_of_the_module():
    print("\n" + tool("mypy.stubtest", "umigame._native", "--allowlist", "stubtest-allowed"))
