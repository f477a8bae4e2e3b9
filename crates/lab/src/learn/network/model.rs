//! The network with numbers that can be learnt: floating point in place of
//! small whole numbers, otherwise what [`umigame_engine::eval::network`] computes, and
//! its derivatives.

use umigame_engine::eval::network::embedding::{BLOCKS, turned};
use umigame_engine::eval::network::layer::{
    BIAS, FULL, HEAD_PARTS, Head, LEAK, MIX, MIX_BIAS, MOST as FARTHEST, NUMBERS, OUT, SHIFT, SKIP,
    largest,
};
use umigame_engine::eval::network::{CHANNELS, HIDDEN, Numbers, ROW_PARTS, Row, TURNS, WIDTH};
use umigame_engine::eval::patterns::layout::{FEATURES, PACKING, raw_features};
use umigame_engine::eval::patterns::shapes::{PLACEMENT, PLACEMENTS};
use umigame_engine::eval::patterns::{MidBoard, STAGES, Tables, stage_of};
use umigame_othello::Position;
use umigame_othello::Symmetry;

/// What belongs to a sum of rows: one number each.
pub type Wide = [f32; WIDTH];

/// Where a head has the scale of what the patterns say, behind its own
/// numbers.
pub const SCALE: usize = NUMBERS;
/// Numbers of a head that are learnt.
pub const LEARNT: usize = NUMBERS + 1;

/// The rows are dealt out to so many parts, each of which one thread changes.
pub const PARTS: usize = 8;

/// A row, and the sum of the squares of its derivatives.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub struct Learnt {
    row: Wide,
    squares: Wide,
}

/// All numbers that are learnt.
pub struct Model {
    /// Row `i` is number `i / PARTS` of part `i % PARTS`.
    pub rows: Vec<Vec<Learnt>>,
    /// For every stage.
    pub heads: Vec<[f32; LEARNT]>,
}

/// What the model sees of a position.
pub struct Seen {
    rows: [u32; FEATURES],
    turns: [u8; FEATURES],
    /// The stage of the position.
    pub stage: usize,
    /// What the patterns say, in discs.
    patterns: f32,
}

impl Seen {
    /// What there is to see.
    pub fn new(position: Position, tables: &Tables) -> Seen {
        let board = MidBoard::new(position);
        let raw = raw_features(position, board.indices());
        let (mut rows, mut turns) = ([0; FEATURES], [0; FEATURES]);
        for (i, &raw) in raw.iter().enumerate() {
            rows[i] = PACKING.packed[raw];
            if let Some(placement) = PLACEMENT.get(i) {
                turns[i] = BLOCKS[placement.symmetry.index()][PACKING.turns[raw].index()] as u8;
            }
        }
        let patterns = tables.sum_of(&board) as f32 / 100.0;
        Seen { rows, turns, stage: stage_of(position.empties()), patterns }
    }
}

/// What became of one position: the derivatives by its sum of rows.
pub struct Passed {
    /// What was seen.
    pub seen: Seen,
    /// The derivatives.
    pub by_sum: Wide,
}

impl Model {
    /// A model that says nothing yet.
    pub fn new(random: &mut fastrand::Rng, caution: f32) -> Model {
        let row = Learnt { row: [0.0; WIDTH], squares: [caution; WIDTH] };
        let mut head = [0.0; LEARNT];
        let mut any = |most: f32| (2.0 * random.f32() - 1.0) * most;
        head[BIAS..MIX].fill(0.5);
        head[MIX..MIX_BIAS].fill_with(|| any(1.5 / (WIDTH as f32).sqrt()));
        for (kind, out) in head[OUT..SKIP].iter_mut().enumerate() {
            *out = if kind % 2 == 0 { 1.0 } else { -1.0 };
        }
        head[SKIP..SHIFT].fill_with(|| any(1.0));
        head[SCALE] = 1.0;
        let rows = vec![vec![row; PACKING.len.div_ceil(PARTS)]; PARTS];
        Model { rows, heads: vec![head; STAGES] }
    }

    fn row(&self, at: u32) -> &Wide {
        &self.rows[at as usize % PARTS][at as usize / PARTS].row
    }

    /// The sum of the rows of what is seen, without biases.
    pub fn sum(&self, seen: &Seen) -> Wide {
        let mut sum = [0.0; WIDTH];
        for (&row, &turn) in seen.rows.iter().zip(&seen.turns) {
            let row = self.row(row);
            for (block, &to) in BLOCKS[turn as usize].iter().enumerate() {
                for channel in 0..CHANNELS {
                    sum[to * CHANNELS + channel] += row[block * CHANNELS + channel];
                }
            }
        }
        sum
    }

    /// What the model makes of a position, in discs.
    #[cfg(test)]
    pub fn value(&self, seen: &Seen) -> f32 {
        Pass::new(&self.heads[seen.stage], self.sum(seen), seen.patterns).value
    }

    /// Compares the value of a position with what it ought to be, in discs:
    /// the difference. The derivatives of half its square, times what the
    /// position counts, by the head's numbers are added to `by_head`.
    pub fn learn(
        &self,
        seen: Seen,
        (target, weight): (f32, f32),
        by_head: &mut [f32; LEARNT],
    ) -> (f32, Passed) {
        let pass = Pass::new(&self.heads[seen.stage], self.sum(&seen), seen.patterns);
        let error = pass.value - target;
        let by_sum = pass.back(&self.heads[seen.stage], seen.patterns, weight * error, by_head);
        (error, Passed { seen, by_sum })
    }

    /// Makes every row that is its own image under a symmetry so again.
    pub fn make_symmetric(&mut self, symmetric: &[(u32, Symmetry)]) {
        for &(row, turn) in symmetric {
            let learnt = &mut self.rows[row as usize % PARTS][row as usize / PARTS];
            for numbers in [&mut learnt.row, &mut learnt.squares] {
                let image = turned(numbers, turn);
                numbers.iter_mut().zip(image).for_each(|(one, two)| *one = (*one + two) / 2.0);
            }
        }
    }

    /// Rounds every number to what [`Model::numbers`] makes of it.
    #[cfg(test)]
    pub fn round(&mut self) {
        let rounded = |number: &mut f32, parts: i32| {
            *number = (*number * parts as f32).round() / parts as f32;
        };
        for learnt in self.rows.iter_mut().flatten() {
            learnt.row.iter_mut().for_each(|number| rounded(number, ROW_PARTS));
        }
        for head in &mut self.heads {
            for (at, number) in head.iter_mut().enumerate() {
                rounded(number, parts_of_head(at));
            }
        }
    }

    /// Takes the numbers of a network. A head of a stage that it says nothing
    /// about stays as it is.
    pub fn set(&mut self, network: &Numbers) {
        for (at, row) in network.rows.iter().enumerate() {
            let learnt = &mut self.rows[at % PARTS][at / PARTS];
            learnt.row = row.map(|number| f32::from(number) / ROW_PARTS as f32);
        }
        for (learnt, Head(head)) in self.heads.iter_mut().zip(&network.heads) {
            if head.iter().all(|&number| number == 0) {
                continue;
            }
            for (at, (learnt, &number)) in learnt.iter_mut().zip(head).enumerate() {
                *learnt = f32::from(number) / parts_of_head(at) as f32;
            }
        }
    }

    /// The numbers as evaluation takes them, and the scale of the patterns at
    /// each stage. A stage that is not `known` has no correction.
    pub fn numbers(&self, known: &[bool; STAGES]) -> (Numbers, [f64; STAGES]) {
        let part = |number: f32, parts: i32, most: i32| {
            (number * parts as f32).round().clamp(-most as f32, most as f32)
        };
        let whole = |at: u32| -> Row {
            self.row(at).map(|number| part(number, ROW_PARTS, i8::MAX.into()) as i8)
        };
        let head = |(learnt, known): (&[f32; LEARNT], &bool)| {
            Head(std::array::from_fn(|at| match at {
                _ if !known => 0,
                _ => part(learnt[at], parts_of_head(at), largest(at)) as i16,
            }))
        };
        let scale = |stage: usize| if known[stage] { self.heads[stage][SCALE].into() } else { 1.0 };
        let numbers = Numbers {
            rows: (0..PACKING.len as u32).map(whole).collect(),
            heads: self.heads.iter().zip(known).map(head).collect(),
        };
        (numbers, std::array::from_fn(scale))
    }
}

/// How many parts of one a head's numbers are stored in.
fn parts_of_head(at: usize) -> i32 {
    if (BIAS..MIX).contains(&at) { ROW_PARTS } else { HEAD_PARTS }
}

/// One position's way through a head.
struct Pass {
    /// The sum with its biases.
    sum: Wide,
    near: Wide,
    mixed: [f32; HIDDEN],
    value: f32,
}

impl Pass {
    fn new(head: &[f32; LEARNT], mut sum: Wide, patterns: f32) -> Pass {
        let mut near = [0.0; WIDTH];
        let mut value = head[SCALE] * patterns + head[SHIFT];
        for (i, (sum, near)) in sum.iter_mut().zip(&mut near).enumerate() {
            *sum += head[BIAS + i % CHANNELS];
            *near = squeezed(*sum);
            value += head[SKIP + i % CHANNELS] * *near;
        }
        let mut mixed = [0.0; HIDDEN];
        for (i, mixed) in mixed.iter_mut().enumerate() {
            let (kind, turn) = (i / TURNS, i % TURNS);
            let mix = &head[MIX + kind * WIDTH..][..WIDTH];
            let mut sum = head[MIX_BIAS + kind];
            for (block, &to) in BLOCKS[turn].iter().enumerate() {
                for channel in 0..CHANNELS {
                    sum += mix[block * CHANNELS + channel] * near[to * CHANNELS + channel];
                }
            }
            *mixed = sum.max(0.0);
            value += head[OUT + kind] * *mixed;
        }
        Pass { sum, near, mixed, value }
    }

    fn back(
        &self,
        head: &[f32; LEARNT],
        patterns: f32,
        error: f32,
        by_head: &mut [f32; LEARNT],
    ) -> Wide {
        by_head[SCALE] += error * patterns;
        by_head[SHIFT] += error;
        let mut by_near: Wide = std::array::from_fn(|i| error * head[SKIP + i % CHANNELS]);
        for (i, near) in self.near.iter().enumerate() {
            by_head[SKIP + i % CHANNELS] += error * near;
        }
        for (i, &mixed) in self.mixed.iter().enumerate().filter(|(_, mixed)| **mixed > 0.0) {
            let (kind, turn) = (i / TURNS, i % TURNS);
            by_head[OUT + kind] += error * mixed;
            let by_mixed = error * head[OUT + kind];
            by_head[MIX_BIAS + kind] += by_mixed;
            let first = MIX + kind * WIDTH;
            for (block, &to) in BLOCKS[turn].iter().enumerate() {
                for channel in 0..CHANNELS {
                    let (own, to) = (first + block * CHANNELS + channel, to * CHANNELS + channel);
                    by_head[own] += by_mixed * self.near[to];
                    by_near[to] += by_mixed * head[own];
                }
            }
        }
        for (i, (by_near, &sum)) in by_near.iter_mut().zip(&self.sum).enumerate() {
            if sum != sum.clamp(0.0, MOST) {
                *by_near /= LEAK as f32;
            }
            by_head[BIAS + i % CHANNELS] += *by_near;
        }
        by_near
    }
}

/// No number of a row is larger.
const MOST_OF_ROW: f32 = i8::MAX as f32 / ROW_PARTS as f32;
/// A number beyond this counts for no more; how it might come back is learnt
/// all the same.
pub const END: f32 = (FARTHEST / ROW_PARTS) as f32;
/// A number beyond this counts for a part only.
const MOST: f32 = (FULL / ROW_PARTS) as f32;

fn squeezed(number: f32) -> f32 {
    let within = number.clamp(0.0, MOST);
    within + (number.clamp(-END, END) - within) / LEAK as f32
}

/// Changes the rows of a part by what became of some positions, each as far
/// as its derivatives of old leave it free to.
///
/// After: J. Duchi, E. Hazan and Y. Singer, "Adaptive subgradient methods",
/// 2011.
pub fn change_rows(at: usize, part: &mut [Learnt], passed: &[Passed], rate: f32) {
    for Passed { seen, by_sum } in passed {
        for (i, (&row, &turn)) in seen.rows.iter().zip(&seen.turns).enumerate() {
            if row as usize % PARTS != at {
                continue;
            }
            let mut by_row = [0.0; WIDTH];
            if i < PLACEMENTS {
                for (block, &to) in BLOCKS[turn as usize].iter().enumerate() {
                    for channel in 0..CHANNELS {
                        by_row[block * CHANNELS + channel] = by_sum[to * CHANNELS + channel];
                    }
                }
            } else {
                // The same for all symmetries, and so it stays.
                for (at, by_sum) in by_sum.iter().enumerate() {
                    (0..TURNS).for_each(|turn| by_row[turn * CHANNELS + at % CHANNELS] += by_sum);
                }
            }
            let Learnt { row, squares } = &mut part[row as usize / PARTS];
            for ((number, squares), by) in row.iter_mut().zip(squares).zip(by_row) {
                *squares += by * by;
                *number = (*number - rate * by / squares.sqrt()).clamp(-MOST_OF_ROW, MOST_OF_ROW);
            }
        }
    }
}
