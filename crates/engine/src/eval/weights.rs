//! The coefficients of the handmade evaluation, in thousandths of a disc.
//!
//! All of them were fitted together by `fit.rs` (least squares with a ridge,
//! straight lines between the numbers of empties below) to positions of the
//! WTHOR archive and to random departures of one to four moves from them;
//! `cargo test --release fit_the_weights -- --ignored --nocapture` prints
//! them again. Labels: the archive's score under perfect play, and solving,
//! for its own positions; a search of depth 5 with the weights of the round
//! before, or solving from 12 empties down, for the departures.
//!
//! Mean absolute error and mean absolute label in discs, on every tenth game,
//! which the fit did not see:
//!
//! | empties | archive | label | departures | label |
//! |---|---|---|---|---|
//! | 2 | 4.4 | 19.7 | 4.8 | 18.7 |
//! | 5 | 6.6 | 19.9 | 7.5 | 19.0 |
//! | 8 | 8.0 | 20.0 | 8.8 | 19.7 |
//! | 12 | 7.9 | 16.8 | 8.9 | 19.8 |
//! | 16 | 6.9 | 13.5 | 7.1 | 17.7 |
//! | 20 | 6.8 | 13.2 | 6.3 | 15.9 |
//! | 24 | 6.9 | 14.5 | 6.2 | 14.8 |
//! | 28 | | | 5.7 | 14.5 |
//! | 32 | | | 5.1 | 14.0 |
//! | 36 | | | 4.8 | 12.5 |
//! | 40 | | | 4.3 | 12.2 |
//! | 44 | | | 3.8 | 10.9 |
//! | 49 | | | 3.7 | 8.8 |
//! | 55 | | | 3.0 | 5.4 |
//!
//! The labels at 2 to 12 empties and the archive's at 24 are exact; those of
//! departures with more than 12 say what this evaluation finds five plies
//! on, so their errors are too small. Archive positions between 12 and 24
//! are those whose game stayed within 6 discs of its score.

use super::features::{OF_BOARD, OF_EDGE, OF_MOVES};

/// The weights of every feature at one number of empty squares.
#[derive(Clone, Copy, Debug)]
pub struct Weights {
    /// How many squares are empty where these weights hold.
    pub empties: i32,
    /// As [`super::features::EDGE_FEATURES`].
    pub edge: [i32; OF_EDGE],
    /// For the moves of the player, as [`super::features::moves_features`].
    pub moves: [i32; OF_MOVES],
    /// For the moves of the opponent.
    pub other_moves: [i32; OF_MOVES],
    /// As [`super::features::BOARD_FEATURES`].
    pub board: [i32; OF_BOARD],
}

/// The weights, from few empty squares to many, as `fit.rs` found them.
pub const WEIGHTS: [Weights; 14] = [
    Weights {
        empties: 2,
        edge: [1116, 142, -910, -170, -167, -345, 1301, 2357, 1120, 1961, 99, -215, 961],
        moves: [519, 2983, 900, 1368],
        other_moves: [-379, 282, -640, -953],
        board: [
            -264, -2491, 3320, 190, 129, -43, 255, 247, 844, 359, 1244, 343, -919, -1482, 1305,
            -885, 968, 1428, -4804, -3036,
        ],
    },
    Weights {
        empties: 5,
        edge: [1785, -467, -1313, -5, -40, -151, 1172, 2336, 721, 1466, -1184, -343, 648],
        moves: [596, -1285, 1472, 1544],
        other_moves: [-422, 781, -938, -1046],
        board: [
            -410, -1821, 3501, 296, 210, 51, 431, 208, 761, 3064, -941, 1044, -719, -1414, 1286,
            -941, 1090, 1370, -6086, -4195,
        ],
    },
    Weights {
        empties: 8,
        edge: [2778, -936, -1548, 210, 59, -6, 1111, 2717, 810, -76, -1712, -361, 1190],
        moves: [662, -3649, 1304, 1697],
        other_moves: [-542, 1995, -1255, -1301],
        board: [
            -743, -2381, 4174, 119, 247, 72, 445, 125, 816, 3807, -1196, 1218, -726, -1252, 1177,
            -1003, 1218, 1307, -5935, -3503,
        ],
    },
    Weights {
        empties: 12,
        edge: [3120, -1639, -1306, 48, 93, 147, 1014, 3801, 1175, 354, -2103, -321, 1650],
        moves: [786, -5117, 623, 1790],
        other_moves: [-725, 3439, -1076, -1602],
        board: [
            -1615, -2375, 3674, -210, 97, -19, 389, 154, 1093, 3812, -1271, 551, -520, -973, 931,
            -1136, 1306, 786, -3805, -1997,
        ],
    },
    Weights {
        empties: 16,
        edge: [3138, -1965, -776, 468, 80, 342, 906, 4750, 1369, 34, -1929, -375, 1890],
        moves: [933, -5757, -101, 1668],
        other_moves: [-819, 3870, -710, -1491],
        board: [
            -2594, -1699, 2548, -351, -78, -20, 247, 98, 1365, 3033, -156, -375, 354, -573, 591,
            -1216, 1303, 315, -2529, -1273,
        ],
    },
    Weights {
        empties: 20,
        edge: [3734, -2223, -645, 971, 340, 450, 875, 5454, 1713, -565, -2174, -516, 2372],
        moves: [1060, -6806, -705, 1944],
        other_moves: [-958, 4308, -402, -1709],
        board: [
            -3599, -2022, 1616, -524, -244, 158, 138, 90, 1494, 3446, 556, -434, 541, -270, 332,
            -1332, 1384, 177, -1957, -838,
        ],
    },
    Weights {
        empties: 24,
        edge: [4084, -3008, -1180, 1481, 812, 631, 934, 8782, 2810, 205, -2286, -667, 1976],
        moves: [1196, -8065, -1447, 2051],
        other_moves: [-1054, 5248, 72, -1923],
        board: [
            -3800, -1621, 1317, -847, -457, 367, 83, 21, 1547, 2058, 442, -820, 693, 3, 114, -1507,
            1577, 66, -1545, -728,
        ],
    },
    Weights {
        empties: 28,
        edge: [4015, -3038, -745, 1135, 1060, 698, 1001, 9422, 3334, 470, -1931, -674, 2965],
        moves: [1126, -8607, -1982, 2159],
        other_moves: [-956, 5312, 405, -1791],
        board: [
            -5097, -871, 331, -1032, -621, 569, 86, -70, 1454, 4381, 1929, -635, 579, 190, -101,
            -1597, 1653, 49, -2008, -1637,
        ],
    },
    Weights {
        empties: 32,
        edge: [4061, -3129, 36, -263, 1507, 812, 1036, 10835, 3311, -112, -2111, -652, 3588],
        moves: [1043, -8151, -2035, 2214],
        other_moves: [-937, 5147, 462, -1737],
        board: [
            -6683, -491, -688, -1168, -850, 599, 29, -66, 1347, 4356, 2606, -465, 510, 337, -302,
            -1647, 1713, 41, -1967, -1653,
        ],
    },
    Weights {
        empties: 36,
        edge: [4285, -3180, 596, -1037, 1887, 792, 1062, 11811, 4322, -770, -1905, -622, 4192],
        moves: [1010, -7611, -2007, 2211],
        other_moves: [-921, 4761, 416, -1653],
        board: [
            -8174, 346, -1468, -1275, -934, 646, 18, -124, 1239, 3680, 2146, -394, 469, 462, -463,
            -1706, 1769, 4, -1938, -1631,
        ],
    },
    Weights {
        empties: 40,
        edge: [4396, -2712, 952, -1319, 2296, 695, 1070, 12118, 6047, -1541, -1798, -243, 5123],
        moves: [997, -7128, -1978, 2142],
        other_moves: [-937, 4370, 303, -1487],
        board: [
            -9265, 671, -1941, -1301, -1037, 765, 83, -229, 1153, 2062, 1376, -392, 197, 598, -593,
            -1727, 1792, 60, -1870, -1602,
        ],
    },
    Weights {
        empties: 44,
        edge: [4303, -2277, 1023, -1351, 2754, 634, 1036, 11519, 7994, -2121, -1925, 146, 5070],
        moves: [989, -7029, -2087, 1984],
        other_moves: [-900, 3805, 129, -1237],
        board: [
            -9770, 707, -1924, -1681, -1053, 889, 318, -383, 1089, -46, -105, -351, 75, 757, -661,
            -1727, 1711, 85, -2037, -1855,
        ],
    },
    Weights {
        empties: 49,
        edge: [4117, -2141, 1005, -1305, 2894, 595, 997, 10843, 7973, -2129, -1909, 248, 4560],
        moves: [901, -7152, -2278, 1822],
        other_moves: [-801, 3232, -56, -890],
        board: [
            -9916, 543, -1833, -2082, -906, 826, 916, -281, 1047, -1339, -635, -752, 61, 877, -587,
            -1758, 1562, -73, -2707, -1614,
        ],
    },
    Weights {
        empties: 55,
        edge: [4042, -2146, 984, -1280, 2816, 529, 978, 10510, 7779, -3085, -1863, 241, 4397],
        moves: [483, -6830, -2316, 1670],
        other_moves: [-681, 3339, -15, -450],
        board: [
            -10756, 557, -1786, -2466, -728, 1620, 1670, 799, 1027, -1987, -966, -1389, 413, 760,
            -235, -1829, 1363, 665, -1163, -3448,
        ],
    },
];
