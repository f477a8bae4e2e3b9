//! Values that many games share, each kept once.

use std::hash::Hash;

use rustc_hash::FxHashMap;

/// Values by number.
#[derive(Clone, Debug)]
pub(super) struct Interner<T> {
    values: Vec<T>,
    numbers: FxHashMap<T, u32>,
}

impl<T> Default for Interner<T> {
    fn default() -> Interner<T> {
        Interner { values: Vec::new(), numbers: FxHashMap::default() }
    }
}

impl<T: Clone + Eq + Hash> Interner<T> {
    /// Returns the number of a value, a new one if it has none.
    pub fn number(&mut self, value: &T) -> u32 {
        if let Some(&number) = self.numbers.get(value) {
            return number;
        }
        let number = self.values.len() as u32;
        self.values.push(value.clone());
        self.numbers.insert(value.clone(), number);
        number
    }

    /// Returns the value with a number of this interner.
    pub fn get(&self, number: u32) -> Option<&T> {
        self.values.get(number as usize)
    }

    /// Returns for each number whether its value fits.
    pub fn flags(&self, fits: impl FnMut(&T) -> bool) -> Vec<bool> {
        self.values.iter().map(fits).collect()
    }
}
