//! A scalar signal with its own rate: force plate, EMG, a column of a table.

/// A named series of numbers sampled at its own rate.
///
/// The numbers are kept as the file stores them, which may include NaN; [`Channel::value`] gives
/// the physical quantity `(raw - offset) * scale`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Channel {
    /// The label as the file spells it.
    pub label: String,
    /// Free text that came with the label.
    pub description: String,
    /// The unit of [`Channel::value`] as the file spells it: `V`, `N`, `Nmm`, `rad`.
    pub unit: String,
    /// Samples a second.
    pub rate_hz: f64,
    /// Physical units per stored unit.
    pub scale: f64,
    /// The stored number that means zero.
    pub offset: f64,
    /// The stored numbers.
    pub raw: Vec<f64>,
}

impl Channel {
    /// A channel whose stored numbers are the values themselves.
    pub fn from_values(
        label: impl Into<String>,
        unit: impl Into<String>,
        rate_hz: f64,
        values: Vec<f64>,
    ) -> Self {
        Self {
            label: label.into(),
            description: String::new(),
            unit: unit.into(),
            rate_hz,
            scale: 1.0,
            offset: 0.0,
            raw: values,
        }
    }

    /// The physical quantity of one sample.
    pub fn value(&self, sample: usize) -> Option<f64> {
        self.raw.get(sample).map(|raw| (raw - self.offset) * self.scale)
    }

    /// The physical quantities of all samples.
    pub fn values(&self) -> impl ExactSizeIterator<Item = f64> + '_ {
        self.raw.iter().map(|raw| (raw - self.offset) * self.scale)
    }
}
