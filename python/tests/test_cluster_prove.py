"""The planner of proofs: claims against plain solves, its certificates, kills and what is left by them."""

import io
import signal
import subprocess
import sys

import pytest
from proofs_by_hand import random_ending
from umigame import Board, Engine

pytest.importorskip("distributed", reason="SKIPPED: needs umigame[cluster]")
from umigame.cluster import Store  # noqa: E402
from umigame.cluster.command import main  # noqa: E402
from umigame.cluster.local import connect  # noqa: E402
from umigame.cluster.proof import check_proof, watch  # noqa: E402
from umigame.cluster.proof.certificate import write_certificate  # noqa: E402
from umigame.cluster.proof.claim import Claim, ProofError  # noqa: E402
from umigame.cluster.proof.cluster_executor import ClusterExecutor  # noqa: E402
from umigame.cluster.proof.costs import LeafCosts, StepCosts  # noqa: E402
from umigame.cluster.proof.page import tree_page  # noqa: E402
from umigame.cluster.proof.planner import prove  # noqa: E402
from umigame.cluster.status import page, status, text  # noqa: E402
from workers import fault_in  # noqa: E402

COMMAND = [sys.executable, "-m", "umigame.cluster"]


@pytest.fixture(scope="module")
def pair():
    with Engine(threads=2, hash_mb=8) as engine:
        yield engine


def replay(proof, path):
    """Writes a certificate and checks it."""
    write_certificate(proof, path)
    with check_proof.open_certificate(str(path)) as file:
        found = check_proof.check(file, 5, 1)
    check_proof.solve_sample(found, None)
    assert (found.claim, found.score) == (proof.proven.kind, proof.proven.score)
    return found


def is_true(claim, value):
    return {"at least": value >= claim.score, "at most": value <= claim.score}.get(claim.kind, value == claim.score)


def check_claims(engine, tmp_path, empties, leaf, seeds, name):
    for seed in seeds:
        board = random_ending(empties, seed)
        value = int(engine.solve(board).eval)
        store = Store(f"memory://{name}-{empties}-{seed}")
        for kind, shift in [("at least", 0), ("at least", 2), ("at most", 0), ("at most", -2), ("exactly", 0), ("exactly", 2)]:
            if -64 <= value + shift <= 64:
                claim = Claim(board, kind, value + shift)
                proof = prove(claim, store, engine, leaf_empties=leaf)
                assert proof.holds == is_true(claim, value), (seed, claim.text(), value)
                assert is_true(proof.proven, value)
                replay(proof, tmp_path / "proof.jsonl.gz")


def test_claims_are_answered_as_plain_solves_say(pair, tmp_path):
    check_claims(pair, tmp_path, 13, 9, range(2), "plain")


@pytest.mark.slow
def test_more_claims_are_answered_as_plain_solves_say(pair, tmp_path):
    check_claims(pair, tmp_path, 14, 8, range(10, 40), "slow")
    check_claims(pair, tmp_path, 18, 10, range(5), "slow")


def test_odd_scores_and_claims_of_nothing(pair, tmp_path):
    board = random_ending(12, 5)
    value = int(pair.solve(board).eval)
    store = Store("memory://odd")
    assert prove(Claim(board, "at least", value - 1), store, pair, leaf_empties=8).holds
    refuted = prove(Claim(board, "at least", value + 1), store, pair, leaf_empties=8)
    assert refuted.proven == Claim(board, "at most", value)
    assert replay(refuted, tmp_path / "odd.jsonl").score == value
    # True of any position.
    assert replay(prove(Claim(board, "at least", -64), store, pair), tmp_path / "all.jsonl").lines == 0
    with pytest.raises(ProofError, match="values are even"):
        Claim(board, "exactly", 3)
    with pytest.raises(ProofError, match="from -64 to 64"):
        Claim(board, "at most", 66)


def test_games_that_are_over_and_passes(pair, tmp_path):
    over = Board("X" * 63 + "- X")
    assert prove(Claim(over, "exactly", 64), Store("memory://over"), pair).holds
    assert not prove(Claim(over, "at most", 62), Store("memory://over"), pair).holds
    passing = Board("O" * 62 + "X- X")
    proof = prove(Claim(passing, "at most", -64), Store("memory://passing"), pair, leaf_empties=1)
    assert proof.holds
    replay(proof, tmp_path / "pass.jsonl")


def test_a_second_run_solves_nothing(pair):
    board = random_ending(14, 3)
    claim = Claim(board, "at least", int(pair.solve(board).eval))
    store = Store("memory://again")
    first = prove(claim, store, pair, leaf_empties=9)
    again = prove(Claim(board.transform(3), "at least", claim.score), Store("memory://again"), pair, leaf_empties=9)
    assert first.solved > 0 and again.solved == 0 and again.holds == first.holds


def test_results_of_other_limits_are_used(pair):
    """Exact scores of all children settle the root; a sign alone counts as two discs."""
    board = random_ending(12, 8)
    value = int(pair.solve(board).eval)
    children = [board.copy() for _ in board.legal_moves]
    for child, move in zip(children, board.legal_moves, strict=True):
        child.push(move)
    rows = []
    for number, child in enumerate(children):
        folded = child.canonical()
        score = int(pair.solve(child).eval)
        row = {"key": bytes([number] * 16), "player": folded.player, "opponent": folded.opponent, "nodes": 1, "seconds": 0.1}
        rows.append({**row, "score": score, "bound": "exact", "limits": "exact"})
    store = Store("memory://exact")
    store.write("solve", rows)
    proof = prove(Claim(board, "exactly", value), store, pair, leaf_empties=8)
    assert proof.holds and proof.solved == 0
    store = Store("memory://wld")
    store.write("solve", [{**row, "score": (row["score"] > 0) - (row["score"] < 0), "limits": "wld"} for row in rows])
    kind = "at least" if value > 0 else "at most"
    assert prove(Claim(board, kind, 2 if value > 0 else 0), store, pair, leaf_empties=8).solved == 0


def test_progress_predicts_what_remains(pair, monkeypatch):
    board = random_ending(16, 4)
    claim = Claim(board, "at most", int(pair.solve(board).eval) + 4)
    reports = []
    monkeypatch.setattr(watch, "PROGRESS_SECONDS", 0.0)
    monkeypatch.setattr(watch, "WAIT", 0.0)
    prove(claim, Store("memory://progress"), pair, leaf_empties=10, batch_seconds=0.02, progress=reports.append)
    assert len(reports) > 3 and all(report.factor >= 1 for report in reports)
    assert [report.solved for report in reports] == sorted(report.solved for report in reports)
    assert reports[-1].open_leaves == 0 and reports[-1].seconds_left == 0.0


def test_costs_learn():
    costs = LeafCosts()
    for empties in range(16, 24):
        for margin in range(8):
            costs.learn(empties, 9, margin, 2.0 ** (empties - 22 - margin / 4))
    assert 0.5 < costs.seconds(20, 9, 4) / 2.0**-3 < 2
    steps = StepCosts()
    assert steps.bits(1, 16, True) > steps.bits(1, 2, True) > steps.bits(1, 16, False)
    assert steps.bits(4, 8, True) == pytest.approx(steps.bits(4, 8, False), abs=1.0)


def run(capsys, *words):
    """Runs a command in this process; returns its exit code and what it wrote."""
    try:
        code = main([str(word) for word in words])
    except SystemExit as end:
        code = end.code
    out, err = capsys.readouterr()
    return code, out, err


def test_command_proves_refutes_and_writes(pair, tmp_path, capsys):
    board = random_ending(14, 3)
    value = int(pair.solve(board).eval)
    common = ["prove", board.obf(), "--store", tmp_path / "s", "--leaf-empties", 9, "--here", 1]
    code, out, err = run(capsys, *common, f"--exactly={value}", "--certificate", tmp_path / "p.jsonl.gz")
    assert code == 0 and out.startswith(f"proven: exactly {value:+d} for "), err
    assert run(capsys, "check-proof", tmp_path / "p.jsonl.gz")[1].startswith("proven: the value of")
    code, out, err = run(capsys, *common, f"--at-least={value + 2}")
    assert code == 1 and f"refuted: at least {value + 2:+d} is false; proven: at most {value:+d}" in out
    for wrong in (["--at-least=70"], ["--exactly=3"], ["--at-least=1", "--at-most=2"], [], ["--at-least=x"]):
        assert run(capsys, *common, *wrong)[0] == 2
    code, _, err = run(capsys, "prove", "nonsense", "--at-least=0", "--store", tmp_path / "s", "--here", 1)
    assert code == 2 and "nonsense" in err


def prove_with_kills(tmp_path, board, claim, leaf, seconds):
    """Kills a proof again and again, each time later, until it ends; returns the output and the kills."""
    words = [*COMMAND, "prove", board.obf(), claim, "--store", str(tmp_path / "store"), "--leaf-empties", str(leaf)]
    words += ["--here", "1", "--certificate", str(tmp_path / "killed.jsonl.gz"), "--quiet"]
    kills = 0
    while True:
        process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        try:
            text, _ = process.communicate(timeout=seconds)
            assert process.returncode == 0
            return text, kills
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.communicate()
            kills += 1
            seconds *= 1.7


def test_a_killed_proof_goes_on(pair, tmp_path):
    board = random_ending(16, 12)
    value = int(pair.solve(board).eval)
    text, kills = prove_with_kills(tmp_path, board, f"--at-least={value}", 8, 1.5)
    print(f"\n{kills} kills")
    assert text.startswith(f"proven: at least {value:+d}")
    with check_proof.open_certificate(str(tmp_path / "killed.jsonl.gz")) as file:
        assert check_proof.check(file).claim == "at least"


def test_a_cluster_proves_the_same(pair, tmp_path, capsys):
    board = random_ending(15, 6)
    value = int(pair.solve(board).eval)
    store, path = tmp_path / "store", tmp_path / "c.jsonl"
    words = ["prove", board.obf(), f"--exactly={value}", "--store", store, "--leaf-empties", 10]
    code, _, err = run(capsys, *words, "--workers", 1, "--certificate", path)
    assert code == 0, err
    assert check_proof.check(io.BytesIO(path.read_bytes())).claim == "exactly"
    assert prove(Claim(board, "exactly", value), Store(str(store)), pair, leaf_empties=10).solved == 0


@pytest.mark.parametrize("deadly", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_endings_that_cannot_be_solved_are_expanded(pair, tmp_path, deadly):
    board = random_ending(15, 6)
    claim = Claim(board, "at least", int(pair.solve(board).eval))
    [answer] = prove(claim, Store("memory://bad"), pair, leaf_empties=10).answers
    endings = [node.pair for node in answer.tree.nodes.values() if node.empties == 10 and node.state.value == "true"]
    bad = set(endings[:1] if deadly else endings[::8])

    def fault(worker):
        import os
        import signal

        from umigame.cluster.kinds.solve import Solve

        whole = Solve.run

        def run(self, engine, subjects, limits):
            if bad & {(int(player), int(opponent)) for player, opponent in subjects}:
                if deadly:
                    os.kill(os.getpid(), signal.SIGKILL)
                raise RuntimeError("no memory")
            return whole(self, engine, subjects, limits)

        Solve.run = run
        return lambda: setattr(Solve, "run", whole)

    said = []
    with connect(workers=1) as cluster, fault_in(cluster, fault):
        executor = ClusterExecutor(cluster, store := Store(str(tmp_path)), say=said.append)
        proof = prove(claim, store, pair, executor=executor, leaf_empties=10)
        executor.close()
    assert proof.holds and len(said) == len(set(said)) > 0
    assert all(f"3 times: {'its worker died' if deadly else 'RuntimeError: no memory'}" in line for line in said)
    replay(proof, tmp_path / "proof.jsonl")


def test_status_shows_proofs_while_they_are_open_and_when_they_are_done(pair, tmp_path, capsys):
    board = random_ending(16, 5)
    claim = Claim(board, "at least", int(pair.solve(board).eval))
    store, seen = Store(str(tmp_path / "s")), []

    def look(tree):
        found = status(Store(str(tmp_path / "s")))
        seen.append((text(found), page(found)))

    # The store is written after the caller was told: the second look shows the first record.
    prove(claim, store, pair, leaf_empties=8, batch_seconds=0.01, on_tree=look)
    look(None)
    line = f"proof: {claim.text()} for {board.obf()}: "
    assert line not in seen[0][0]
    assert f"{line}open after 0 s: " in seen[1][0] and "to solve" in seen[1][1]
    assert f"{line}proven" in seen[2][0]
    prove(Claim(board, "at least", claim.score + 2), store, pair, leaf_empties=8)
    store.files.write("proofs/damaged.json", b"{")
    store.files.write_json("proofs/other.json", {"position": 1, "progress": {}})
    look(None)
    assert f"at least {claim.score + 2:+d} for {board.obf()}: refuted: at most {claim.score:+d}" in seen[3][0]
    assert seen[3][0].count("proof: ") == 2 and seen[3][1].count("<iframe") == 2


def test_the_tree_is_a_page_while_it_grows_and_when_it_is_done(tmp_path, pair):
    board = random_ending(16, 5)
    claim = Claim(board, "at least", int(pair.solve(board).eval))
    pages = []
    prove(
        claim, Store("memory://pages"), pair, leaf_empties=8, batch_seconds=0.01,
        on_tree=lambda tree: pages.append(tree_page(claim, tree)),
    )
    assert len(pages) == 2
    for page in pages:
        assert page.count("<details") == page.count("</details>")
        assert f"at least {claim.score:+d} for {board.obf()}" in page
    assert "open</span>, one move must hold" in pages[0] and "to solve" in pages[0]
    assert 'class="holds">holds</span> <small>16 empties' in pages[1] and "<details" not in pages[1]
