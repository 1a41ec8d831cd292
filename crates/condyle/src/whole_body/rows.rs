//! Knowledge as equations in the parameters: each a value, its gradient, and how well it is known.

use nalgebra::Vector3;

use super::knowledge::{Deviation, Knowledge, Point, Quantity, Side as Which, Sum};
use super::model::{Model, sides};
use crate::marker_set::Side;

/// A frame that is defined by points is that to this much, in metres.
const FRAME_SD_M: f64 = 0.3e-3;

/// Something that is believed or doubted as a whole.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Block {
    pub name: String,
    pub kind: BlockKind,
    /// By how much its deviations are widened.
    pub widening: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BlockKind {
    /// Defines a frame: never doubted.
    Frame,
    Size,
    Bone,
    Rule,
    Landmark,
}

/// One equation: `value` should be zero.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row {
    pub block: usize,
    /// In metres, or a share for a ratio; inflated, not widened.
    pub sd: f64,
    /// How far off it may be, which error bars count, as many times `sd`.
    pub error: f64,
    form: Form,
}

#[derive(Debug, Clone, PartialEq)]
enum Form {
    /// Σ factor · atom.
    Sum(Vec<(f64, Atom)>),
    /// ln of one sum over another.
    LogRatio(Vec<(f64, Atom)>, Vec<(f64, Atom)>),
}

/// What a parameter, or several, amount to.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Atom {
    One,
    /// The exponential of a parameter.
    Exp(usize),
    Parameter(usize),
    /// The distance of a point from its frame's origin.
    Norm(usize),
    /// The distance between two points of one frame.
    Distance(usize, usize),
}

/// A value and its gradient, where that is not zero; a parameter may occur more than once.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Slope {
    pub value: f64,
    pub gradient: Vec<(usize, f64)>,
}

/// All that is known, for one body.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Rows {
    pub blocks: Vec<Block>,
    pub rows: Vec<Row>,
}

impl Row {
    fn new(block: usize, sd: f64, form: Form) -> Self {
        Self { block, sd, error: 1.0, form }
    }

    /// The value and gradient at some parameters.
    pub(super) fn at(&self, parameters: &[f64]) -> Slope {
        match &self.form {
            Form::Sum(terms) => slope(terms, parameters),
            Form::LogRatio(above, below) => {
                let (above, below) = (slope(above, parameters), slope(below, parameters));
                // Lengths that have turned negative on the way are nowhere near either.
                let [a, b] = [above.value, below.value].map(|value| value.max(1e-3));
                let mut all = Slope { value: (a / b).ln(), gradient: above.gradient };
                all.gradient.iter_mut().for_each(|(_, d)| *d /= a);
                all.gradient.extend(below.gradient.iter().map(|(at, d)| (*at, -d / b)));
                all
            }
        }
    }
}

fn slope(terms: &[(f64, Atom)], parameters: &[f64]) -> Slope {
    let mut slope = Slope::default();
    let point = |at: usize| Vector3::new(parameters[at], parameters[at + 1], parameters[at + 2]);
    for &(factor, atom) in terms {
        let mut add = |at: usize, derivative: f64| slope.gradient.push((at, factor * derivative));
        let value = match atom {
            Atom::One => 1.0,
            Atom::Exp(at) => {
                let value = parameters[at].exp();
                add(at, value);
                value
            }
            Atom::Parameter(at) => {
                add(at, 1.0);
                parameters[at]
            }
            Atom::Norm(at) => {
                let norm = point(at).norm().max(1e-6);
                (0..3).for_each(|axis| add(at + axis, parameters[at + axis] / norm));
                norm
            }
            Atom::Distance(a, b) => {
                let apart = point(a) - point(b);
                let norm = apart.norm().max(1e-6);
                for axis in 0..3 {
                    add(a + axis, apart[axis] / norm);
                    add(b + axis, -apart[axis] / norm);
                }
                norm
            }
        };
        slope.value += factor * value;
    }
    slope
}

/// Whose side and whose bone a sum speaks of.
#[derive(Clone, Copy)]
struct Context {
    side: Side,
    segment: Option<usize>,
}

/// The knowledge of a body.
pub(super) struct Instances<'a> {
    pub model: &'a Model,
    pub knowledge: &'a Knowledge,
    /// For every size its value and standard deviation in metres, if it was measured.
    pub measured: &'a [Option<(f64, f64)>],
}

impl Instances<'_> {
    /// Everything that the knowledge says of a body; `parameters` tell how large it is about.
    pub(super) fn rows(&self, parameters: &[f64]) -> Rows {
        let mut rows = Rows::default();
        self.add_sizes(&mut rows);
        self.add_frames(&mut rows);
        self.add_bones(&mut rows);
        self.add_rules(&mut rows, parameters);
        self.add_offsets(&mut rows, parameters);
        self.add_landmarks(&mut rows, parameters);
        for row in &mut rows.rows {
            if rows.blocks[row.block].kind != BlockKind::Frame {
                row.sd *= self.knowledge.inflation;
            }
        }
        rows
    }

    /// A sum for a side, at some parameters; `None` if something in it does not exist.
    pub(super) fn value(
        &self,
        sum: &Sum,
        side: Side,
        segment: usize,
        parameters: &[f64],
    ) -> Option<f64> {
        let terms = self.terms(sum, Context { side, segment: Some(segment) })?;
        Some(slope(&terms, parameters).value)
    }

    fn add_sizes(&self, rows: &mut Rows) {
        for (index, size) in self.knowledge.sizes.iter().enumerate() {
            let context = Context { side: Side::Unsaid, segment: None };
            let Some(mean) = self.terms(&size.mean, context) else { continue };
            let block = rows.open(&size.name, BlockKind::Size);
            let form = Form::LogRatio(vec![(1.0, Atom::Exp(index))], mean);
            rows.rows.push(Row::new(block, size.relative_sd, form));
            if let Some((value_m, sd_m)) = self.is_measured(index) {
                let block = rows.open(&format!("measured {}", size.name), BlockKind::Size);
                let form =
                    Form::LogRatio(vec![(1.0, Atom::Exp(index))], vec![(value_m, Atom::One)]);
                // What was measured is not inflated.
                let sd = sd_m / value_m / self.knowledge.inflation;
                rows.rows.push(Row::new(block, sd, form));
            }
        }
    }

    fn add_frames(&self, rows: &mut Rows) {
        let block = rows.open("frames of bones", BlockKind::Frame);
        for segment in &self.model.segments {
            let Some((joint, _)) = segment.bone else { continue };
            let at = self.model.joint_at(joint);
            for axis in 0..2 {
                let form = Form::Sum(vec![(1.0, Atom::Parameter(at + axis))]);
                rows.rows.push(Row::new(block, FRAME_SD_M, form));
            }
        }
    }

    /// Ratio to the stature and left against right are one block: apart they excuse each other.
    fn add_bones(&self, rows: &mut Rows) {
        for bone in &self.knowledge.bones {
            let kind = &self.knowledge.segments[bone.segment];
            let length = |side: Side| {
                let segment = &self.model.segments[self.model.segment(bone.segment, side)?];
                Some(vec![(1.0, Atom::Norm(self.model.joint_at(segment.bone?.0)))])
            };
            let lengths: Vec<_> =
                sides(kind.is_sided).iter().map(|side| (*side, length(*side))).collect();
            if lengths.iter().all(|(_, length)| length.is_none()) {
                continue;
            }
            let block = rows.open(&format!("length of the {}", kind.name), BlockKind::Bone);
            for (side, length) in &lengths {
                let expected = self.terms(&bone.length, Context { side: *side, segment: None });
                if let (Some(length), Some(expected)) = (length, expected) {
                    let form = Form::LogRatio(length.clone(), expected);
                    rows.rows.push(Row::new(block, bone.relative_sd, form));
                }
            }
            if let ([(_, Some(left)), (_, Some(right))], Some(sd)) =
                (&lengths[..], bone.left_right_sd)
            {
                let form = Form::LogRatio(left.clone(), right.clone());
                rows.rows.push(Row::new(block, sd, form));
            }
        }
    }

    fn is_measured(&self, size: usize) -> Option<(f64, f64)> {
        self.measured.get(size).copied().flatten()
    }

    fn has(&self, landmarks: &[usize]) -> bool {
        let is_there =
            |landmark: &usize| self.model.markers.iter().any(|m| m.landmark == Some(*landmark));
        landmarks.iter().any(is_there)
    }

    fn add_rules(&self, rows: &mut Rows, parameters: &[f64]) {
        for rule in &self.knowledge.rules {
            if self.has(&rule.unless) || !rule.needs.iter().all(|any| self.has(any)) {
                continue;
            }
            if rule.needs_measured.is_some_and(|size| self.is_measured(size).is_none())
                || rule.unless_measured.is_some_and(|size| self.is_measured(size).is_some())
            {
                continue;
            }
            let is_on_belt = self.model.markers.iter().any(|marker| {
                let named = |l: usize| rule.needs.iter().any(|any| any.contains(&l));
                marker.is_on_belt && marker.landmark.is_some_and(named)
            });
            let factor = if is_on_belt { rule.belt_factor } else { 1.0 };
            let kind = if rule.is_frame { BlockKind::Frame } else { BlockKind::Rule };
            let mut found = Vec::new();
            for &side in sides(rule.is_sided) {
                let context = Context { side, segment: None };
                for equation in &rule.equations {
                    if self.has(&equation.unless) {
                        continue;
                    }
                    let sides =
                        (self.terms(&equation.left, context), self.terms(&equation.right, context));
                    let (Some(left), Some(right)) = sides else { continue };
                    let (form, sd) = match &equation.sd {
                        Deviation::Relative(sd) => (Form::LogRatio(left, right), *sd),
                        Deviation::Absolute(sd) => {
                            let negative = right.into_iter().map(|(factor, atom)| (-factor, atom));
                            let Some(sd) = self.terms(sd, context) else { continue };
                            (
                                Form::Sum(left.into_iter().chain(negative).collect()),
                                slope(&sd, parameters).value,
                            )
                        }
                    };
                    found.push((form, sd * factor));
                }
            }
            if !found.is_empty() {
                let block = rows.open(&rule.name, kind);
                rows.rows.extend(found.into_iter().map(|(form, sd)| Row::new(block, sd, form)));
            }
        }
    }

    /// What several landmarks share is one error, not as many as they are.
    fn add_offsets(&self, rows: &mut Rows, parameters: &[f64]) {
        for (index, offset) in self.knowledge.offsets.iter().enumerate() {
            let own = self.model.offsets.iter().filter(|(own, _)| *own == index);
            let places: Vec<usize> =
                own.filter_map(|(_, side)| self.model.offset_at(index, *side)).collect();
            if places.is_empty() {
                continue;
            }
            let block = rows.open(&offset.name, BlockKind::Rule);
            for (at, axis) in places.into_iter().flat_map(|at| [0, 1, 2].map(|axis| (at, axis))) {
                let Some([sd, error]) = self.offset_sd_m(index, axis, parameters) else { continue };
                let form = Form::Sum(vec![(1.0, Atom::Parameter(at + axis))]);
                rows.rows.push(Row { error: error / sd, ..Row::new(block, sd, form) });
            }
        }
    }

    /// How an offset is weighed, and how far off it may be.
    fn offset_sd_m(&self, offset: usize, axis: usize, parameters: &[f64]) -> Option<[f64; 2]> {
        let context = Context { side: Side::Unsaid, segment: None };
        let value = |sum: &Sum| Some(slope(&self.terms(sum, context)?, parameters).value);
        let offset = &self.knowledge.offsets[offset];
        Some([value(&offset.sd[axis])?, value(&offset.error_sd[axis])?])
    }

    fn add_landmarks(&self, rows: &mut Rows, parameters: &[f64]) {
        for (index, landmark) in self.knowledge.landmarks.iter().enumerate() {
            let Some((at, sd)) = &landmark.expected else { continue };
            let all = self.model.markers.iter().enumerate();
            let own: Vec<_> = all.filter(|(_, marker)| marker.landmark == Some(index)).collect();
            let Some((_, first)) = own.first() else { continue };
            let labels: Vec<&str> = own.iter().map(|(_, marker)| marker.label.as_str()).collect();
            let name = if labels.is_empty() { first.label.clone() } else { labels.join(", ") };
            let name = format!("{} ({name})", landmark.name.replace('_', " "));
            let block = rows.open(&name, BlockKind::Landmark);
            let offset = self.knowledge.offset_of(index);
            for (number, marker) in own {
                let shared = offset.and_then(|offset| self.model.offset_at(offset, marker.side));
                let context = Context { side: marker.side, segment: Some(marker.segment) };
                for axis in 0..3 {
                    let (at, sd) = (self.terms(&at[axis], context), self.terms(&sd[axis], context));
                    let (Some(at), Some(sd)) = (at, sd) else { continue };
                    let own = (
                        outward(axis, marker.side),
                        Atom::Parameter(self.model.marker_at(number) + axis),
                    );
                    let negative = at.into_iter().map(|(factor, atom)| (-factor, atom));
                    let mut sd = slope(&sd, parameters).value;
                    let mut error_sd = sd;
                    let shared = shared.map(|at| (-1.0, Atom::Parameter(at + axis)));
                    if let (Some(offset), None) = (offset, shared) {
                        // The only one of its landmarks: both errors are its own.
                        let shared = self.offset_sd_m(offset, axis, parameters).unwrap_or_default();
                        (sd, error_sd) = (sd.hypot(shared[0]), sd.hypot(shared[1]));
                    }
                    let terms = std::iter::once(own).chain(shared).chain(negative);
                    let row = Row::new(block, sd, Form::Sum(terms.collect()));
                    rows.rows.push(Row { error: error_sd / sd, ..row });
                }
            }
        }
    }

    fn terms(&self, sum: &Sum, context: Context) -> Option<Vec<(f64, Atom)>> {
        let mut terms = Vec::new();
        for &(factor, quantity) in sum {
            match quantity {
                Quantity::One => terms.push((factor, Atom::One)),
                Quantity::Size(size) => terms.push((factor, Atom::Exp(size))),
                Quantity::Length(kind) => {
                    let segment = match kind {
                        None => context.segment?,
                        Some(kind) => {
                            let is_sided = self.knowledge.segments[kind].is_sided;
                            let side = if is_sided { context.side } else { Side::Unsaid };
                            self.model.segment(kind, side)?
                        }
                    };
                    let (joint, _) = self.model.segments[segment].bone?;
                    terms.push((factor, Atom::Norm(self.model.joint_at(joint))));
                }
                Quantity::Coordinate(which, point, axis) => {
                    let sides: &[Side] = match which {
                        Which::Own => &[context.side],
                        Which::Left => &[Side::Left],
                        Which::Right => &[Side::Right],
                        Which::Mean => &[Side::Left, Side::Right],
                    };
                    for side in sides {
                        let side = if self.is_sided(point) { *side } else { Side::Unsaid };
                        let at = self.point_at(point, side)? + axis;
                        let factor = factor * outward(axis, side) / sides.len() as f64;
                        terms.push((factor, Atom::Parameter(at)));
                    }
                }
                Quantity::Width(point) => {
                    let [left, right] =
                        [Side::Left, Side::Right].map(|side| self.point_at(point, side));
                    terms.push((factor, Atom::Distance(left?, right?)));
                }
            }
        }
        Some(terms)
    }

    fn is_sided(&self, point: Point) -> bool {
        match point {
            Point::Joint(kind) => self.knowledge.segments[kind].is_sided,
            Point::Landmark(landmark) => self.knowledge.landmarks[landmark].is_sided,
        }
    }

    fn point_at(&self, point: Point, side: Side) -> Option<usize> {
        match point {
            Point::Joint(kind) => Some(self.model.joint_at(self.model.joint(kind, side)?)),
            Point::Landmark(landmark) => {
                Some(self.model.marker_at(self.model.marker(landmark, side)?))
            }
        }
    }
}

/// What makes a coordinate point outwards.
pub(super) fn outward(axis: usize, side: Side) -> f64 {
    if axis == 1 && side == Side::Right { -1.0 } else { 1.0 }
}

impl Rows {
    pub(super) fn open(&mut self, name: &str, kind: BlockKind) -> usize {
        self.blocks.push(Block { name: name.to_owned(), kind, widening: 1.0 });
        self.blocks.len() - 1
    }

    /// Adds that a sum of parameters stays what it is.
    pub(super) fn push_linear(
        &mut self,
        block: usize,
        sd: f64,
        terms: &[(f64, usize)],
        parameters: &[f64],
    ) {
        let now: f64 = terms.iter().map(|(factor, at)| factor * parameters[*at]).sum();
        let terms = terms.iter().map(|(factor, at)| (*factor, Atom::Parameter(*at)));
        let form = Form::Sum(terms.chain([(-now, Atom::One)]).collect());
        self.rows.push(Row::new(block, sd, form));
    }

    /// The standard deviation of a row with its block's widening.
    pub(super) fn sd(&self, row: &Row) -> f64 {
        row.sd * self.blocks[row.block].widening
    }
}
