//! The axes of a chart: from values to places, and where the ticks go.

/// How values are spread along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scale {
    /// Evenly.
    #[default]
    Linear,
    /// By their logarithm; only positive values have a place.
    Log,
}

/// One axis.
#[derive(Debug, Clone, Default)]
pub struct Axis {
    /// What it shows, with the unit.
    pub title: String,
    /// The same as the name of a column in a data file.
    pub column: &'static str,
    /// How values are spread.
    pub scale: Scale,
    /// The ends, where they should not follow the data.
    pub range: Option<[f64; 2]>,
}

impl Axis {
    /// An axis whose ends follow the data.
    pub fn new(title: &str, column: &'static str, scale: Scale) -> Self {
        Self { title: title.to_owned(), column, scale, range: None }
    }

    /// The same with given ends.
    pub fn within(mut self, low: f64, high: f64) -> Self {
        self.range = Some([low, high]);
        self
    }
}

/// A tick, with its label if there is room for one.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tick {
    /// From 0 at the low end to 1 at the high end.
    pub place: f64,
    pub label: Option<String>,
}

/// An axis whose ends are settled.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ruler {
    scale: Scale,
    /// Of the values, or of their decimal logarithms.
    low: f64,
    high: f64,
}

impl Ruler {
    /// The axis over these values.
    pub fn over(axis: &Axis, values: impl Iterator<Item = f64>) -> Self {
        let scale = axis.scale;
        let measured = |value: f64| match scale {
            Scale::Linear => value,
            Scale::Log => value.log10(),
        };
        let [mut low, mut high] = match axis.range {
            Some(ends) => ends.map(measured),
            None => values
                .map(measured)
                .filter(|value| value.is_finite())
                .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| {
                    [low.min(value), high.max(value)]
                }),
        };
        if !(low.is_finite() && high.is_finite()) {
            [low, high] = [0.0, 1.0];
        }
        if axis.range.is_none() {
            let margin = if high > low { 0.04 * (high - low) } else { 0.5 };
            (low, high) = (low - margin, high + margin);
        }
        Self { scale, low, high }
    }

    /// Where a value is, if it is on the axis.
    pub fn place(&self, value: f64) -> Option<f64> {
        self.place_beyond(value).filter(|place| (-1e-9..=1.0 + 1e-9).contains(place))
    }

    /// Where a value is, or would be beyond the ends.
    pub fn place_beyond(&self, value: f64) -> Option<f64> {
        let value = if self.scale == Scale::Log { value.log10() } else { value };
        let place = (value - self.low) / (self.high - self.low);
        place.is_finite().then_some(place)
    }

    /// About `wanted` labelled ticks, and plain ones between.
    pub fn ticks(&self, wanted: f64) -> Vec<Tick> {
        match self.scale {
            Scale::Linear => self.even_ticks(wanted),
            Scale::Log => self.decade_ticks(wanted),
        }
    }

    fn even_ticks(&self, wanted: f64) -> Vec<Tick> {
        let rough = (self.high - self.low) / wanted;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|k| k * power);
        let step = step.into_iter().find(|step| *step >= rough).unwrap_or(10.0 * power);
        let decimals = (-step.log10().floor()).max(0.0) as usize;
        let first = (self.low / step - 1e-9).ceil();
        let count = ((self.high / step + 1e-9).floor() - first).clamp(0.0, 100.0) as usize;
        let at = |index: usize| {
            // Adding zero turns the zero below zero into the plain one.
            let value = (first + index as f64) * step + 0.0;
            let place = (value - self.low) / (self.high - self.low);
            Tick { place, label: Some(format!("{value:.decimals$}")) }
        };
        (0..=count).map(at).collect()
    }

    fn decade_ticks(&self, wanted: f64) -> Vec<Tick> {
        let decades = self.high - self.low;
        let every = (decades / wanted).ceil().max(1.0) as i32;
        // Between decades there is room for more only where there are few.
        let labelled: &[f64] = match wanted / decades {
            room if room > 6.5 => &[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0],
            room if room > 2.7 => &[1.0, 2.0, 5.0],
            _ => &[1.0],
        };
        let mut ticks = Vec::new();
        let exponents = self.low.floor().max(-400.0) as i32..=self.high.ceil().min(400.0) as i32;
        for exponent in exponents {
            for digit in [1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0] {
                let is_labelled = labelled.contains(&digit) && exponent.rem_euclid(every) == 0;
                let is_drawn = is_labelled || digit == 1.0 || (decades < 6.0 && digit != 1.5);
                let place = (f64::from(exponent) + digit.log10() - self.low) / decades;
                if is_drawn && (-1e-9..=1.0 + 1e-9).contains(&place) {
                    let label = is_labelled.then(|| power_label(digit, exponent));
                    ticks.push(Tick { place, label });
                }
            }
        }
        ticks
    }
}

/// Plain numbers near one, powers of ten elsewhere.
fn power_label(digit: f64, exponent: i32) -> String {
    if (-3..=4).contains(&exponent) {
        let decimals = (i32::from(digit.fract() != 0.0) - exponent).max(0);
        return format!("{:.*}", decimals as usize, digit * 10f64.powi(exponent));
    }
    let power: String = exponent.to_string().chars().map(raised).collect();
    if digit == 1.0 { format!("10{power}") } else { format!("{digit}·10{power}") }
}

fn raised(letter: char) -> char {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    match letter.to_digit(10) {
        Some(digit) => DIGITS[digit as usize],
        None => '⁻',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: Scale, ends: [f64; 2], wanted: f64) -> Vec<String> {
        let axis = Axis::new("", "", scale).within(ends[0], ends[1]);
        let ticks = Ruler::over(&axis, [].into_iter()).ticks(wanted);
        ticks.into_iter().filter_map(|tick| tick.label).collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(labels(Scale::Linear, [0.0, 180.0], 5.0), ["0", "50", "100", "150"]);
        assert_eq!(labels(Scale::Linear, [-0.1, 0.11], 4.0), ["-0.1", "0.0", "0.1"]);
        assert_eq!(labels(Scale::Log, [1.0, 100.0], 6.0), ["1", "2", "5", "10", "20", "50", "100"]);
        assert_eq!(labels(Scale::Log, [1e-12, 1e12], 5.0), ["10⁻¹⁰", "10⁻⁵", "1", "10⁵", "10¹⁰"]);
    }

    #[test]
    fn what_is_not_positive_has_no_place_on_a_log_axis() {
        let ruler = Ruler::over(&Axis::new("", "", Scale::Log), [0.0, 1.0, 10.0].into_iter());
        assert!(ruler.place(0.0).is_none() && ruler.place(-1.0).is_none());
        assert!(ruler.place(f64::NAN).is_none() && ruler.place(f64::INFINITY).is_none());
        assert!(ruler.place(3.0).is_some_and(|place| 0.4 < place && place < 0.6));
    }

    #[test]
    fn an_axis_without_data_still_has_ends() {
        for scale in [Scale::Linear, Scale::Log] {
            let ruler = Ruler::over(&Axis::new("", "", scale), [].into_iter());
            assert!(!ruler.ticks(5.0).is_empty());
        }
    }
}
