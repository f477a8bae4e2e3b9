"""The rules on arrays against a reference in plain numpy."""

import time

import numpy as np
import reference
from umigame import Board, arrays


def test_legal_moves_of_a_million_positions(million):
    started = time.perf_counter()
    found = arrays.legal_moves(million)
    seconds = time.perf_counter() - started
    assert np.array_equal(found, reference.legal_moves(million))
    print(f"\nlegal moves of {len(million):,} positions: {len(million) / seconds:,.0f}/s")


def test_flips_and_apply_of_a_million_positions(million):
    legal = reference.legal_moves(million)
    playable = million[legal != 0]
    moves = reference.random_moves(legal[legal != 0], np.random.default_rng(1))
    assert np.array_equal(arrays.flips(playable, moves), reference.flips(playable, moves))
    assert np.array_equal(arrays.apply(playable, moves), reference.apply(playable, moves))
    print(f"\nflips of {len(playable):,} positions with a legal move")
    assert len(playable) > 800_000


def test_arrays_agree_with_boards(million):
    some = million[:: len(million) // 2000]
    boards = arrays.to_boards(some)
    assert np.array_equal(arrays.from_boards(boards), some)
    assert [board.legal_bits for board in boards] == arrays.legal_moves(some).tolist()
    assert [board.is_game_over() for board in boards] == arrays.game_over(some).tolist()
    differences = np.array([board.disc_difference() for board in boards])
    empties = np.array([board.empties for board in boards])
    assert np.array_equal(differences + np.sign(differences) * empties, arrays.final_scores(some))
    images = arrays.symmetries(some)
    assert images.shape == (len(some), 8, 2)
    for number in range(8):
        of_boards = [board.transform(number) for board in boards]
        assert np.array_equal(images[:, number], arrays.from_boards(of_boards))
    least, used = arrays.canonical(some)
    assert np.array_equal(least, arrays.from_boards([board.canonical() for board in boards]))
    assert np.array_equal(images[np.arange(len(some)), used], least)


def test_moves_follow_their_positions(million):
    """A move and its image lead to images of each other."""
    some = million[reference.legal_moves(million) != 0][::500]
    moves = reference.random_moves(reference.legal_moves(some), np.random.default_rng(2))
    after = arrays.apply(some, moves)
    images, table = arrays.symmetries(some), arrays.move_images()
    for number in range(8):
        image = np.ascontiguousarray(images[:, number])
        assert np.array_equal(
            arrays.apply(image, table[number][moves]), arrays.symmetries(after)[:, number]
        )
    assert (table[:, arrays.PASS] == arrays.PASS).all()


def test_threads_change_nothing(million):
    for threads in (1, 2, 3):
        found = arrays.legal_moves(million[:50_001], threads=threads)
        assert np.array_equal(found, arrays.legal_moves(million)[:50_001])


def test_any_layout_is_read(million):
    some = million[:1000]
    expected = arrays.legal_moves(some)
    wide = np.zeros((1000, 5), dtype=np.uint64)
    wide[:, 1:3] = some
    assert np.array_equal(arrays.legal_moves(wide[:, 1:3]), expected)
    assert np.array_equal(arrays.legal_moves(some[::-1])[::-1], expected)
    assert np.array_equal(arrays.legal_moves(np.asfortranarray(some)), expected)
    octets = np.zeros(16_001, dtype=np.uint8)
    octets[1:] = some.view(np.uint8).ravel()
    unaligned = octets[1:].view(np.uint64).reshape(1000, 2)
    assert np.array_equal(arrays.legal_moves(unaligned), expected)
    some.flags.writeable = False
    assert np.array_equal(arrays.legal_moves(some), expected)
    some.flags.writeable = True
    assert arrays.legal_moves(some[:0]).shape == (0,)


def test_planes(million):
    some = million[:1000]
    planes = arrays.to_planes(some)
    assert planes.shape == (1000, 2, 8, 8) and planes.dtype == bool
    assert np.array_equal(arrays.from_planes(planes), some)
    board = Board("f5")
    planes = arrays.to_planes(arrays.from_boards([board]))[0]
    assert planes[1, 4, 5] and not planes[0, 4, 5]


def test_features_are_places_of_one_table(million):
    some = million[:20_000]
    for folded in (False, True):
        count = arrays.feature_count(folded=folded)
        found = arrays.features(some, folded=folded)
        assert found.shape == (20_000, 66)
        assert found.min() >= 0 and found.max() < count
    # Folded, the eight images of a position have the same patterns.
    images = arrays.symmetries(some[:500])
    expected = np.sort(arrays.features(some[:500], folded=True), axis=1)
    for number in range(8):
        image = np.ascontiguousarray(images[:, number])
        assert np.array_equal(np.sort(arrays.features(image, folded=True), axis=1), expected)
