"""The checker of proofs: its rules against the arrays', true certificates, and hundreds of damaged ones."""

import copy
import gzip
import io
import json
import random
import subprocess
import sys
from pathlib import Path

import numpy
import pytest
import reference
import umigame
from proofs_by_hand import is_true, random_ending, replies, seal, some_proofs, squares, value
from umigame import arrays

pytest.importorskip("distributed", reason="SKIPPED: needs umigame[cluster]")
from umigame.cluster.command import main  # noqa: E402
from umigame.cluster.proof import check_proof  # noqa: E402
from umigame.cluster.proof.check_proof import Refused, check, solve_sample  # noqa: E402

SCRIPT = Path(check_proof.__file__)
SOLVE = f"{sys.executable} -m umigame solve - --jsonl"


def replay(content, sample=10_000):
    """Checks a certificate and all of its leaves."""
    proof = check(io.BytesIO(content), sample)
    solve_sample(proof, None)
    assert proof.again == proof.leaves
    return proof


def test_rules_are_those_of_the_arrays():
    some = reference.random_positions(12_000)[::4]
    legal, least = arrays.legal_moves(some).tolist(), arrays.canonical(some)[0].tolist()
    over, scores = arrays.game_over(some).tolist(), arrays.final_scores(some).tolist()
    chance = random.Random(1)
    for at, (player, opponent) in enumerate(some.tolist()):
        assert check_proof.legal_moves(player, opponent) == legal[at]
        assert check_proof.folded(player, opponent) == check_proof.folded(*least[at])
        assert (check_proof.children_of(player, opponent) is None) == over[at]
        assert check_proof.final_score(player, opponent) == scores[at]
        if legal[at] and at % 4 == 0:
            square = chance.choice(arrays.moves_of(legal[at]))
            after = arrays.apply(some[at : at + 1], numpy.array([umigame.square_index(square)], numpy.int8))[0].tolist()
            assert list(dict(check_proof.children_of(player, opponent))[square]) == after


def test_all_images_fold_to_one():
    for images in arrays.symmetries(reference.random_positions(3_000)[::30]).tolist():
        assert len({check_proof.folded(*image) for image in images}) == 1


def test_solver_agrees_with_brute_force():
    for seed in range(20):
        board = random_ending(4 + seed % 4, seed)
        found, solver = value(board), check_proof.Solver()
        assert solver.is_at_least(board.player, board.opponent, found)
        assert not solver.is_at_least(board.player, board.opponent, found + 1)


def test_true_certificates_are_accepted():
    kinds = set()
    for lines in some_proofs(15):
        proof = replay(seal(lines))
        assert proof.lines == len(lines) - 1
        kinds.add(proof.claim)
    assert kinds == {"at least", "at most", "exactly"}


def shift(chance, line, key):
    line[key] += chance.choice([-4, -2, -1, 1, 2, 4])


def other_square(chance, text):
    at = chance.randrange(64)
    return text[:at] + chance.choice("XO-") + text[at + 1 :]


def mutate(lines, chance):
    """Damages a certificate in one of eleven ways; returns which."""
    at = chance.randrange(1, len(lines)) if len(lines) > 1 else 0
    line = lines[at]
    leaves = [line for line in lines if "bound" in line]
    way = chance.choice(
        ["drop", "score", "leaf", "bound", "move", "square", "swap", "claim", "root", "other leaf", "cut", "turn"]
    )
    if way == "drop":
        del lines[at]
    elif way == "score":
        shift(chance, line, next(key for key in ("at_least", "at_most", "score") if key in line))
    elif way == "leaf" and leaves:
        shift(chance, chance.choice(leaves), "score")
    elif way == "bound" and leaves:
        chance.choice(leaves)["bound"] = chance.choice(["exact", "lower", "upper"])
    elif way == "move":
        chance.choice([line for line in lines if "move" in line] or [{}])["move"] = chance.choice(umigame.SQUARES)
    elif way == "square" and "board" in line:
        line["board"] = other_square(chance, line["board"])
    elif way == "swap":
        other = chance.randrange(len(lines))
        lines[at], lines[other] = lines[other], lines[at]
    elif way == "claim":
        lines[0]["claim"] = chance.choice(["at least", "at most", "exactly"])
        shift(chance, lines[0], "score")
    elif way == "root":
        lines[0]["position"] = other_square(chance, lines[0]["position"][:64]) + lines[0]["position"][64:]
    elif way == "other leaf" and len(leaves) > 1:
        one, two = chance.sample(leaves, 2)
        one["board"], two["board"] = two["board"], one["board"]
    elif way == "cut":
        del lines[at:]
    elif way == "turn" and "board" in line:
        line["board"] = line["board"].translate(str.maketrans("XO", "OX"))
    return way


def test_damaged_certificates_are_refused_or_still_true():
    """The last line is made anew, so that nothing but the proof itself can show the damage."""
    refused, reasons = try_mutations(list(some_proofs(12, seed=100)), 300)
    assert refused > 150 and len(reasons) > 8


@pytest.mark.slow
def test_many_damaged_certificates_of_up_to_ten_empties():
    refused, reasons = try_mutations(list(some_proofs(60, sizes=(6, 8, 9, 10), seed=1000)), 6000)
    assert refused > 3000 and len(reasons) > 8


def try_mutations(proofs, count):
    """Damages proofs in turn; returns how many were refused, and the beginnings of the reasons."""
    chance = random.Random(5)
    refused, accepted, reasons = 0, 0, set()
    for number in range(count):
        lines = copy.deepcopy(proofs[number % len(proofs)])
        way = mutate(lines, chance)
        try:
            replay(seal(lines))
        except Refused as error:
            assert str(error).startswith("line "), (way, error)
            reasons.add(str(error).split(": ", 1)[1][:12])
            refused += 1
        else:
            assert is_true(lines[0]), (way, lines[0])
            accepted += 1
    print(f"\n{refused} refused for {len(reasons)} reasons, {accepted} still true")
    return refused, reasons


def test_any_cut_or_changed_byte_is_refused():
    chance = random.Random(6)
    for lines in some_proofs(6, seed=200):
        content = seal(lines)
        packed = gzip.compress(content)
        for number in range(30):
            damaged = bytearray(packed if number % 3 == 0 else content)
            if number % 2:
                del damaged[chance.randrange(len(damaged)) :]
            else:
                # The header of gzip has bytes without a meaning.
                at = chance.randrange(10 if number % 3 == 0 else 0, len(damaged))
                damaged[at] ^= 1 << chance.randrange(7)
            with pytest.raises(Refused):
                check(unpacked(bytes(damaged)))


def unpacked(content):
    """A certificate as the checker opens it."""
    file = io.BytesIO(content)
    return gzip.open(file) if content[:2] == b"\x1f\x8b" else file


def small_proof():
    """A proof with a pass of neither side, two plies and leaves."""
    return next(lines for lines in some_proofs(40, sizes=(7,), seed=300) if len(lines) > 12)


def refusal(content):
    with pytest.raises(Refused) as caught:
        replay(content)
    return str(caught.value)


def test_refusals_name_line_and_reason():
    lines = small_proof()
    leaf = next(at for at, line in enumerate(lines) if "bound" in line)
    content = seal(lines)
    assert refusal(b"") == "line 1: the file is empty"
    assert "line 1: expected position" in refusal(seal([{**lines[0], "format": "umigame proof 2"}]))
    assert "the file was cut" in refusal(b"".join(content.splitlines(True)[:-1]))
    assert "ends in the middle of this line" in refusal(content[:-5])
    assert refusal(content + b"{}\n").endswith("a line behind the last")
    assert "the lines above are not those written" in refusal(content.replace(b'"bound"', b'"bound" ', 1))
    wrong = copy.deepcopy(lines)
    wrong[leaf]["board"] = "-" * 63
    assert refusal(seal(wrong)).startswith(f"line {leaf + 1}: expected a board of 64 squares")
    for bad in (1.5, True, "4", None, 66, [4]):
        wrong[leaf] = {**lines[leaf], "score": bad}
        assert refusal(seal(wrong)).startswith(f"line {leaf + 1}: expected 'score' from -64 to 64")
    del wrong[leaf]
    assert "no line above shows" in refusal(seal(wrong))
    assert "not a line of JSON" in refusal(content.splitlines(True)[0] + b"nonsense\n")
    assert "expected an object" in refusal(content.splitlines(True)[0] + b'{"a":1,"a":2}\n')
    assert "longer than" in refusal(content.splitlines(True)[0] + b" " * 2000 + b"\n")
    assert "the lines do not show" in refusal(seal(lines[:1]))


def test_a_false_leaf_is_found_when_solved_again():
    lines = copy.deepcopy(small_proof())
    leaf = next(line for line in lines if "bound" in line)
    side = "at_least" if "at_least" in leaf else "at_most"
    # Claims that are too good follow from a leaf that is too good.
    leaf["bound"] = "lower" if side == "at_least" else "upper"
    leaf["score"] = 64 if side == "at_least" else -64
    try:
        check(io.BytesIO(seal(lines)))
    except Refused as error:
        assert "contradicts" in str(error)
    else:
        assert "is wrong: solved again" in refusal(seal(lines))


def run(*arguments, **options):
    return subprocess.run([*map(str, arguments)], capture_output=True, text=True, **options)


def test_script_needs_the_standard_library_alone(tmp_path):
    """-I -S: neither numpy nor umigame can be imported."""
    path = tmp_path / "proof.jsonl.gz"
    lines = small_proof()
    path.write_bytes(gzip.compress(seal(lines)))
    done = run(sys.executable, "-I", "-S", SCRIPT, path)
    assert done.returncode == 0 and done.stdout.startswith("proven: the value of"), done.stderr
    assert f"# {len(lines) - 1} lines replayed" in done.stdout
    path.write_bytes(gzip.compress(seal(lines[:-1])))
    done = run(sys.executable, "-I", "-S", SCRIPT, path)
    assert done.returncode == 1 and "refused: line" in done.stderr and "Traceback" not in done.stderr
    done = run(sys.executable, "-I", "-S", SCRIPT, tmp_path / "none")
    assert done.returncode == 2 and "No such file" in done.stderr


def test_command_solves_leaves_by_another_program(tmp_path, capsys):
    path = tmp_path / "proof.jsonl"
    lines = small_proof()
    path.write_bytes(seal(lines))
    for solve in (SOLVE, SOLVE + " --window {low} {high}"):
        assert main(["check-proof", str(path), "--solve", solve]) == 0, capsys.readouterr().err
    leaf = next(line for line in lines if "bound" in line)
    leaf["score"] = 64 if "at_least" in leaf else -64
    leaf["bound"] = "lower" if "at_least" in leaf else "upper"
    path.write_bytes(seal(lines))
    assert main(["check-proof", str(path), "--solve", SOLVE]) == 1
    assert "refused" in capsys.readouterr().err
    path.write_bytes(seal(small_proof()))
    for solve in ("/nonexistent", "true", "echo {}", "'"):
        assert main(["check-proof", str(path), "--solve", solve]) == 2
        assert str(path) in capsys.readouterr().err


def test_passes_and_ends_of_games():
    """White cannot move and passes; the game ends early; a game that is over needs no line."""
    lost = "X" * 62 + "O-"
    header = {"format": "umigame proof 1", "position": lost + " X", "claim": "exactly", "score": 64}
    assert replay(seal([header, {"board": lost, "at_least": 64, "move": "h8"}])).lines == 1
    passing = lost.translate(str.maketrans("XO", "OX"))
    header = {"format": "umigame proof 1", "position": passing + " X", "claim": "at most", "score": -64}
    lines = [header, {"board": lost, "at_least": 64, "move": "h8"}, {"board": passing, "at_most": -64}]
    assert replay(seal(lines)).lines == 2
    assert "after pass" in refusal(seal([lines[0], lines[2], lines[1]]))
    over = "X" * 63 + "-"
    header = {"format": "umigame proof 1", "position": over + " X", "claim": "exactly", "score": 64}
    assert replay(seal([header])).lines == 0
    assert "do not show" in refusal(seal([{**header, "claim": "at most", "score": 62}]))
    assert json.loads(seal([header]).splitlines()[0]) == header


def test_replies_are_those_of_the_board():
    board = random_ending(8, 1)
    children = dict(check_proof.children_of(board.player, board.opponent))
    assert set(children) == {move for move, _ in replies(board)}
    assert len(squares(board)) == 64
