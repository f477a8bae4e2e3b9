"""`python -m umigame.cluster` as a process: its output and its exit codes."""

import json
import os
import re
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from conftest import ROOT
from umigame import Book, arrays

pytest.importorskip("distributed", reason="SKIPPED: needs umigame[cluster]")
duckdb = pytest.importorskip("duckdb", reason="SKIPPED: needs umigame[cluster]")

from test_cluster_jobs import positions_of, scores_in  # noqa: E402
from umigame.cluster import Store  # noqa: E402
from umigame.cluster.command import main  # noqa: E402

PROBLEMS = """\
# Two problems with scores, one without, and a line that is none.
--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12;
-XXXXXX---XOOOO--XOXXOOX-OOOOOOOOOOOXXOOOOOXXOOX--XXOO----XXXXX- X; A4:+10; B2:+0; % comment
----OX----OOXX---OOOXX-XOOXXOOOOOXXOXXOOOXXXOOOOOXXXXOXO--OOOOOX X
X-O X
"""


def cluster(*words, **options):
    """Runs a command to its end."""
    command = [sys.executable, "-m", "umigame.cluster", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=280, **options)


def obf(path, positions):
    """Writes positions as OBF."""
    path.write_text("".join(f"{board.obf()}\n" for board in arrays.to_boards(positions)))
    return path


def test_solve_prints_what_umigame_solve_prints(tmp_path):
    file, store = tmp_path / "problems.obf", tmp_path / "store"
    file.write_text(PROBLEMS)
    done = cluster("solve", file, "--store", store, "--workers", 1)
    plain = subprocess.run(
        [sys.executable, "-m", "umigame", "solve", file], capture_output=True, text=True
    )
    assert done.returncode == plain.returncode == 2, done.stderr
    assert "line 5: the board has 4 squares of 64" in done.stderr

    def shape(text):
        # Line, score, move, depth, first move of the variation, verdict.
        rows = [line.split() for line in text.splitlines() if not line.startswith("#")]
        return [(*row[:4], row[6], row[-1] if row[-1] == "ok" else "") for row in rows]

    assert shape(done.stdout) == shape(plain.stdout)
    assert "# 3 positions: 2 right, 0 wrong, 1 without an expected score" in done.stdout
    # Again, from the store: no worker is started.
    again = cluster("solve", file, "--store", store, "--jsonl")
    assert [json.loads(line)["score"] for line in again.stdout.splitlines()] == [18, 10, 2]
    wrong = tmp_path / "wrong.obf"
    wrong.write_text(PROBLEMS.splitlines()[1].replace("+18", "+20"))
    done = cluster("solve", wrong, "--store", store)
    assert done.returncode == 1 and "WRONG: expected +20" in done.stdout


def test_wrong_words_and_files_end_with_a_sentence(tmp_path, capsys):
    def end(*words):
        try:
            return main([str(word) for word in words]), capsys.readouterr().err
        except SystemExit as ended:
            return ended.code, capsys.readouterr().err

    file = tmp_path / "p.obf"
    file.write_text(PROBLEMS.splitlines()[1])
    for words, said in [
        ([], "COMMAND"),
        (["solv"], "solv"),
        (["solve", file], "--store"),
        (["solve", tmp_path / "none.obf", "--store", tmp_path], "none.obf: No such file"),
        (["solve", tmp_path, "--store", tmp_path], "Is a directory"),
        (["solve", file, "--store", "nowhere://x"], "nowhere"),
        (["solve", file, "--store", tmp_path / "s", "--window", "4", "4"], "the lower one first"),
        (["solve", file, "--store", tmp_path / "s", "--workers", "0"], "`0`"),
        (["solve", file, "--store", tmp_path / "s", "--weights", "none"], "none: there is no such file"),
        (["label", tmp_path / "x.ggf", "--store", tmp_path / "s"], "x.ggf"),
        (["label", file, "--store", tmp_path / "s", "--empties", "9-3"], "FIRST-LAST"),
        (["match", "self", "self", "--store", tmp_path / "s", "--limits", "time 3"], "depth N"),
        (["export", "--store", tmp_path / "s", "solve", tmp_path / "x.doc"], "formats"),
        (["export", "--store", tmp_path / "s", "label", tmp_path / "x.obf"], "solve"),
    ]:
        code, text = end(*words)
        assert code == 2 and said in text, (words, text)
        assert "Traceback" not in text
    (tmp_path / "file").write_text("")
    code, text = end("solve", file, "--store", tmp_path / "file" / "s", "--quiet")
    assert code in (1, 2) and "Traceback" not in text


@pytest.mark.slow
def test_ctrl_c_keeps_what_is_done_and_the_next_run_goes_on(tmp_path):
    positions = positions_of(300, 15, 18, seed=11)
    file, url = obf(tmp_path / "many.obf", positions), str(tmp_path / "store")
    words = [sys.executable, "-m", "umigame.cluster", "solve", str(file), "--store", url,
             "--workers", "2", "--no-answers"]
    running = subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    time.sleep(9)
    # As a terminal does: to the workers too.
    os.killpg(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=60)
    if running.returncode == 0:
        pytest.skip("SKIPPED: the job was done before it was interrupted")
    assert running.returncode == 130, err
    assert "Traceback" not in err, err
    assert "the same command goes on from there" in err
    kept = len(scores_in(url)) if os.path.exists(url) else 0
    done = subprocess.run(words, capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stderr
    assert f"{kept} positions were answered before" in done.stdout or kept == 0
    assert len(scores_in(url)) == 300
    print(f"\n{kept} of 300 kept")


@pytest.mark.slow
def test_labels_and_games_do_not_depend_on_the_cluster(tmp_path):
    positions = positions_of(80, 10, 24, seed=3)
    file = obf(tmp_path / "p.obf", positions)
    for workers in (1, 2):
        store = tmp_path / f"store{workers}"
        done = cluster("label", file, "--store", store, "--depth", 3, "--exact-from", 12, "--workers", workers)
        assert done.returncode == 0, done.stderr
        done = cluster("selfplay", "--store", store, "--games", 40, "--depth", 1, "--exact-from", 8,
                       "--workers", workers)
        assert done.returncode == 0, done.stderr
        for kind in ("label", "selfplay"):
            path = tmp_path / f"{kind}{workers}.umi"
            assert main(["export", "--store", str(store), kind, str(path)]) == 0
    for kind in ("label", "selfplay"):
        one, two = ((tmp_path / f"{kind}{workers}.umi").read_bytes() for workers in (1, 2))
        assert one == two
    [labels] = arrays.read_samples(tmp_path / "label1.umi")
    assert len(labels.positions) == 80 and set(labels.kinds.tolist()) == {0, 2}
    games = np.concatenate([block.positions for block in arrays.read_samples(tmp_path / "selfplay1.umi")])
    assert len(games) > 40 * 10
    done = cluster("verify", "--store", tmp_path / "store1", "--sample", 200)
    assert done.returncode == 0, done.stdout
    assert "120 results computed again, 0 differ" in done.stdout


@pytest.mark.slow
def test_books_grow_and_games_are_judged_and_played(tmp_path):
    store = tmp_path / "store"
    done = cluster("grow", tmp_path / "book.sqlite", "--store", store, "--rounds", 4, "--level", 1)
    assert done.returncode == 0 and "4 rounds" in done.stdout, done.stderr
    with Book(tmp_path / "book.sqlite") as book:
        searched = book.counts()["searched"]
        assert searched >= 10 and book.view("start").eval is not None
    assert main(["export", "--store", str(store), "search", str(tmp_path / "other.sqlite")]) == 0
    with Book(tmp_path / "other.sqlite") as book:
        assert book.counts()["searched"] == searched
    games = tmp_path / "games.txt"
    games.write_text("f5d6c3d3c4f4f6\nf5f6e6f4e3\n")
    done = cluster("analyze", games, "--store", store, "--level", 1)
    assert done.returncode == 0 and "2 games computed" in done.stdout, done.stderr
    rows = Store(str(store)).read("analyze").to_pylist()
    assert {len(json.loads(row["analysis"])["moves"]) for row in rows} == {7, 5}
    done = cluster("match", "self --level 1", "self --level 1", "--store", store, "--pairs", 2)
    assert done.returncode == 0 and "4 games" in done.stdout, done.stderr
    assert ", 0 forfeits" in done.stdout


def test_exports_status_and_questions(tmp_path):
    positions = positions_of(60, 8, 11, seed=8)
    file, url = obf(tmp_path / "p.obf", positions), tmp_path / "store"
    assert cluster("solve", file, "--store", url, "--workers", 1, "--no-answers").returncode == 0
    assert main(["export", "--store", str(url), "solve", str(tmp_path / "scores.obf")]) == 0
    done = subprocess.run(
        [sys.executable, "-m", "umigame", "solve", tmp_path / "scores.obf"], capture_output=True, text=True
    )
    assert done.returncode == 0 and "60 right, 0 wrong" in done.stdout
    for name in ("scores.jsonl", "scores.umi", "scores.sqlite"):
        assert main(["export", "--store", str(url), "solve", str(tmp_path / name)]) == 0
    lines = [json.loads(line) for line in (tmp_path / "scores.jsonl").read_text().splitlines()]
    [samples] = arrays.read_samples(tmp_path / "scores.umi")
    assert sorted(samples.scores.tolist()) == sorted(line["score"] for line in lines)
    with Book(tmp_path / "scores.sqlite") as book:
        assert book.counts()["proven"] >= 60
    query = f"select count(*), sum(score) from '{url}/blocks/solve/*.parquet'"
    assert duckdb.sql(query).fetchall()[0] == (60, sum(line["score"] for line in lines))
    more = obf(tmp_path / "more.obf", np.concatenate([positions, positions_of(5, 14, 14, seed=2)]))
    done = cluster("status", "--store", url, "--of", more)
    assert "solve exact: 60 results" in done.stdout and "5 tasks remain" in done.stdout
    assert cluster("status", "--store", url, "--html", tmp_path / "s.html").returncode == 0
    page = (tmp_path / "s.html").read_text()
    assert "60" in page and "<svg" in page and "Nothing." in page
    # A score that is not true is found.
    rows = Store(str(url)).read("solve").to_pylist()
    rows[0]["score"] += 2
    (store := Store(str(tmp_path / "wrong"))).write("solve", rows)
    assert store.kinds() == ["solve"]
    done = cluster("verify", "--store", tmp_path / "wrong", "--sample", 60)
    assert done.returncode == 1 and "60 results computed again, 1 differ" in done.stdout


def test_the_questions_and_examples_of_the_page_run(tmp_path, monkeypatch):
    text = (ROOT / "docs" / "cluster.md").read_text()
    monkeypatch.chdir(tmp_path)
    file = obf(tmp_path / "p.obf", positions_of(40, 6, 9, seed=5))
    assert main(["solve", str(file), "--store", "results", "--quiet", "--workers", "1", "--no-answers"]) == 0
    results = duckdb.sql("select * from 'results/blocks/solve/*.parquet'")
    [questions] = re.findall(r"```sql\n(.*?)```", text, re.DOTALL)
    answers = []
    for question in filter(str.strip, questions.split(";")):
        answers.append(duckdb.sql(question).fetchall())
    assert len(answers) == 5 and all(answers)
    assert sum(count for _, count in answers[0]) == sum(count for _, count in answers[3]) == 40
    assert len(results.fetchall()) == 40
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    names = {"__name__": "page"}
    for block in blocks:
        if "random_openings" in block or "run_job" in block:
            exec(compile(block, "cluster.md", "exec"), names)


@pytest.mark.slow
def test_two_clients_on_one_store_agree(tmp_path):
    positions = positions_of(120, 13, 15, seed=21)
    file, url = obf(tmp_path / "p.obf", positions), str(tmp_path / "store")
    words = [sys.executable, "-m", "umigame.cluster", "solve", str(file), "--store", url,
             "--workers", "1", "--no-answers", "--quiet"]
    both = [subprocess.Popen(words, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    outs = [one.communicate(timeout=280)[0] for one in both]
    assert [one.returncode for one in both] == [0, 0]
    assert all("120 positions" in out and "0 not solved" in out for out in outs)
    assert len(scores_in(url)) == 120
