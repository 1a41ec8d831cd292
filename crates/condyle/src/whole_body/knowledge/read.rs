//! Reading a knowledge file: names become indices, millimetres metres.

use toml::Spanned;

use super::entries::{self, Amount, File, Frames, Landmarks, Number, Text};
use super::expression;
use super::{
    Angle, Bone, Deviation, Equation, Knowledge, Landmark, Limit, Offset, Point, Quantity, Rule,
    SegmentKind, Side, Size, Source, Sum,
};
use crate::error::{Error, Result};
use crate::tables;

/// The version that is read.
const VERSION: i64 = 1;
const MM: f64 = 1e-3;

/// Reads a knowledge file.
pub(super) fn read(text: &str) -> Result<Knowledge> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let file: File = tables::read(text)?;
    let reader = Reader { text, file: &file, radius_m: MM * 7.0 };
    reader.read()
}

/// Reads a knowledge file with other landmarks: those of its own that are not among them have no label. An angle of the
/// same joint, axes and kind of limit takes the place of its own.
pub(super) fn read_with(text: &str, landmarks: &str) -> Result<Knowledge> {
    let mut file: File = tables::read(text)?;
    let Landmarks { mut landmark, angle } = tables::read(landmarks)?;
    for mut own in std::mem::take(&mut file.landmark) {
        if landmark.iter().all(|new| new.name.get_ref() != own.name.get_ref()) {
            own.labels.clear();
            own.belt.clear();
            landmark.push(own);
        }
    }
    file.landmark = landmark;
    let what = |angle: &entries::Angle| {
        let limits = [angle.at_least.is_some(), angle.at_most.is_some()];
        (angle.joint.get_ref().clone(), angle.axes.get_ref().clone(), limits)
    };
    file.angle.retain(|own| angle.iter().all(|new| what(new) != what(own)));
    file.angle.extend(angle);
    let reader = Reader { text, file: &file, radius_m: MM * 7.0 };
    reader.read()
}

struct Reader<'a> {
    text: &'a str,
    file: &'a File,
    radius_m: f64,
}

impl Reader<'_> {
    fn read(mut self) -> Result<Knowledge> {
        let file = self.file;
        if *file.version.get_ref() != VERSION {
            let what = format!("version: need {VERSION}, got {}", file.version.get_ref());
            return Err(self.error(&file.version, what));
        }
        if let Some(radius) = &file.marker_radius_mm {
            self.radius_m = MM * self.not_negative("marker_radius_mm", radius)?;
        }
        let inflation = match &file.inflation {
            Some(inflation) => self.positive("inflation", inflation)?,
            None => 1.0,
        };
        Ok(Knowledge {
            name: file.name.clone(),
            inflation,
            not_for: file.not_for.clone(),
            has_ends: false,
            sizes: file.size.iter().map(|size| self.size(size)).collect::<Result<_>>()?,
            segments: file
                .segment
                .iter()
                .enumerate()
                .map(|(index, segment)| self.segment(index, segment))
                .collect::<Result<_>>()?,
            bones: file.bone.iter().map(|bone| self.bone(bone)).collect::<Result<_>>()?,
            rules: file.rule.iter().map(|rule| self.rule(rule)).collect::<Result<_>>()?,
            landmarks: file.landmark.iter().map(|l| self.landmark(l)).collect::<Result<_>>()?,
            offsets: file.offset.iter().map(|offset| self.offset(offset)).collect::<Result<_>>()?,
            angles: file.angle.iter().map(|angle| self.angle(angle)).collect::<Result<_>>()?,
        })
    }

    fn error<T>(&self, at: &Spanned<T>, what: impl Into<String>) -> Error {
        Error::at_line(tables::line(self.text, at.span().start), what)
    }

    fn positive(&self, field: &str, number: &Number) -> Result<f64> {
        let value = *number.get_ref();
        if value.is_finite() && value > 0.0 {
            return Ok(value);
        }
        Err(self.error(number, format!("{field}: need a positive number, got {value}")))
    }

    fn not_negative(&self, field: &str, number: &Number) -> Result<f64> {
        let value = *number.get_ref();
        if value.is_finite() && value >= 0.0 {
            return Ok(value);
        }
        Err(self.error(number, format!("{field}: need a number from 0 up, got {value}")))
    }

    fn size(&self, size: &entries::Size) -> Result<Size> {
        let origin = &size.origin;
        Ok(Size {
            name: size.name.clone(),
            mean: self.sum("mean", &size.mean)?,
            relative_sd: 0.01 * self.positive("sd_percent", &size.sd_percent)?,
            source: source(origin.source.as_ref(), origin.verified),
        })
    }

    fn size_named(&self, field: &str, name: Option<&Text>) -> Result<Option<usize>> {
        let Some(name) = name else { return Ok(None) };
        let found = self.file.size.iter().position(|size| size.name == *name.get_ref());
        found.map(Some).ok_or_else(|| {
            let got = name.get_ref();
            self.error(name, format!("{field}: need a [[size]] of this file, got '{got}'"))
        })
    }

    fn kind(&self, field: &str, name: &Text) -> Result<usize> {
        let found = self.file.segment.iter().position(|s| s.name.get_ref() == name.get_ref());
        found.ok_or_else(|| {
            self.error(
                name,
                format!("{field}: need a [[segment]] of this file, got '{}'", name.get_ref()),
            )
        })
    }

    /// The kind of segment whose joint has a name.
    fn joint(&self, field: &str, name: &Text) -> Result<usize> {
        let is_it =
            |s: &entries::Segment| s.joint.as_ref().is_some_and(|j| j.get_ref() == name.get_ref());
        self.file.segment.iter().position(is_it).ok_or_else(|| {
            self.error(
                name,
                format!("{field}: need the joint of a [[segment]], got '{}'", name.get_ref()),
            )
        })
    }

    fn segment(&self, index: usize, segment: &entries::Segment) -> Result<SegmentKind> {
        let parent = segment.parent.as_ref().map(|name| self.kind("parent", name)).transpose()?;
        if let (Some(parent), Some(name)) = (parent, &segment.parent)
            && parent >= index
        {
            return Err(self.error(name, "parent: need a segment before this one"));
        }
        let twice =
            self.file.segment[..index].iter().any(|s| s.name.get_ref() == segment.name.get_ref());
        if twice {
            let what = format!(
                "name: need segments of different names, got '{}' twice",
                segment.name.get_ref()
            );
            return Err(self.error(&segment.name, what));
        }
        let is_hinge = match segment.kind.as_ref().map(|kind| (kind, kind.get_ref().as_str())) {
            None | Some((_, "ball")) => false,
            Some((_, "hinge")) => true,
            Some((at, other)) => {
                return Err(self.error(at, format!("kind: need 'ball' or 'hinge', got '{other}'")));
            }
        };
        let (mut joint, mut closure_m, mut start) = (String::new(), 0.0, Default::default());
        if parent.is_some() {
            let needed = |field: &str| {
                let what =
                    format!("segment '{}': need {field} beside its parent", segment.name.get_ref());
                self.error(&segment.name, what)
            };
            joint = segment.joint.as_ref().ok_or_else(|| needed("joint"))?.get_ref().clone();
            let closure = segment.closure.as_ref().ok_or_else(|| needed("closure"))?;
            closure_m = MM * self.positive("closure", closure)?;
            let at = segment.start.as_ref().ok_or_else(|| needed("start"))?;
            start = self.sums("start", at)?;
        }
        let bone = match &segment.bone {
            Some(end) => Some((self.joint("bone", &end.to)?, end.up)),
            None => None,
        };
        Ok(SegmentKind {
            name: segment.name.get_ref().clone(),
            is_sided: segment.sided,
            parent,
            joint,
            is_hinge,
            closure_m,
            start,
            noise_m: MM * self.positive("noise", &segment.noise)?,
            bone,
        })
    }

    fn bone(&self, bone: &entries::Bone) -> Result<Bone> {
        let left_right_sd = match &bone.left_right_percent {
            Some(percent) => Some(0.01 * self.positive("left_right_percent", percent)?),
            None => None,
        };
        let between = match &bone.between {
            Some([a, b]) => {
                Some([self.landmark_index("between", a)?, self.landmark_index("between", b)?])
            }
            None => None,
        };
        Ok(Bone {
            segment: self.kind("segment", &bone.segment)?,
            length: self.sum("length", &bone.length)?,
            relative_sd: 0.01 * self.positive("sd_percent", &bone.sd_percent)?,
            left_right_sd,
            between,
            source: source(bone.source.as_ref(), bone.verified),
        })
    }

    fn landmark_index(&self, field: &str, name: &Text) -> Result<usize> {
        self.landmark_named(name.get_ref()).ok_or_else(|| {
            self.error(
                name,
                format!("{field}: need a [[landmark]] of this file, got '{}'", name.get_ref()),
            )
        })
    }

    fn landmark_named(&self, name: &str) -> Option<usize> {
        self.file.landmark.iter().position(|landmark| landmark.name.get_ref() == name)
    }

    /// Landmarks with spaces between them.
    fn landmarks(&self, field: &str, names: Option<&Text>) -> Result<Vec<usize>> {
        let Some(names) = names else { return Ok(Vec::new()) };
        let words = names.get_ref().split_whitespace();
        words
            .map(|word| {
                self.landmark_named(word).ok_or_else(|| {
                    self.error(
                        names,
                        format!("{field}: need a [[landmark]] of this file, got '{word}'"),
                    )
                })
            })
            .collect()
    }

    fn rule(&self, rule: &entries::Rule) -> Result<Rule> {
        let equation = |equation: &entries::Equation| -> Result<Equation> {
            let at = &equation.is;
            let (left, right) = at.get_ref().split_once('=').ok_or_else(|| {
                self.error(at, format!("is: need 'this = that', got '{}'", at.get_ref()))
            })?;
            let sd = match (&equation.sd, &equation.sd_percent) {
                (Some(sd), None) => Deviation::Absolute(self.amount("sd", sd)?),
                (None, Some(percent)) => {
                    Deviation::Relative(0.01 * self.positive("sd_percent", percent)?)
                }
                _ => return Err(self.error(at, "need either sd or sd_percent")),
            };
            Ok(Equation {
                left: self.sum_of("is", at, left)?,
                right: self.sum_of("is", at, right)?,
                sd,
                unless: self.landmarks("unless", equation.unless.as_ref())?,
            })
        };
        Ok(Rule {
            name: rule.name.get_ref().clone(),
            is_frame: rule.frame,
            is_sided: rule.sided,
            equations: rule.equations.iter().map(equation).collect::<Result<_>>()?,
            needs: rule
                .needs
                .iter()
                .map(|any| self.landmarks("needs", Some(any)))
                .collect::<Result<_>>()?,
            unless: self.landmarks("unless", rule.unless.as_ref())?,
            needs_measured: self.size_named("needs_measured", rule.needs_measured.as_ref())?,
            unless_measured: self.size_named("unless_measured", rule.unless_measured.as_ref())?,
            belt_factor: match &rule.belt_factor {
                Some(factor) => self.positive("belt_factor", factor)?,
                None => 1.0,
            },
            source: source(rule.source.as_ref(), rule.verified),
        })
    }

    fn landmark(&self, landmark: &entries::Landmark) -> Result<Landmark> {
        let expected = match (&landmark.at, &landmark.sd) {
            (Some(at), Some(sd)) => {
                let [x, y, z] = sd;
                let amount = |sd| self.amount("sd", sd);
                Some((self.sums("at", at)?, [amount(x)?, amount(y)?, amount(z)?]))
            }
            (None, None) => None,
            _ => {
                let what =
                    format!("landmark '{}': need both at and sd, got one", landmark.name.get_ref());
                return Err(self.error(&landmark.name, what));
            }
        };
        let start = landmark.start.as_ref().map(|start| self.sums("start", start)).transpose()?;
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
        Ok(Landmark {
            name: landmark.name.get_ref().clone(),
            segment: self.kind("segment", &landmark.segment)?,
            is_sided: landmark.sided,
            is_offset: landmark.offset,
            labels: words(&landmark.labels),
            belt_labels: words(&landmark.belt),
            start: start.or_else(|| expected.as_ref().map(|(at, _)| at.clone())),
            expected,
            noise_m: match &landmark.noise {
                Some(noise) => Some(MM * self.positive("noise", noise)?),
                None => None,
            },
            source: source(landmark.source.as_ref(), landmark.verified),
        })
    }

    fn offset(&self, offset: &entries::Offset) -> Result<Offset> {
        let landmarks = self.landmarks("landmarks", Some(&offset.landmarks))?;
        let before = self.file.offset.iter().take_while(|other| !std::ptr::eq(*other, offset));
        for other in before {
            let taken = self.landmarks("landmarks", Some(&other.landmarks))?;
            if taken.iter().any(|landmark| landmarks.contains(landmark)) {
                let what = format!(
                    "landmarks: need each in one [[offset]], got some of '{}' again",
                    other.name.get_ref()
                );
                return Err(self.error(&offset.landmarks, what));
            }
        }
        let all = |name: &str, [x, y, z]: &[Spanned<Amount>; 3]| -> Result<[Sum; 3]> {
            Ok([self.amount(name, x)?, self.amount(name, y)?, self.amount(name, z)?])
        };
        let sd = all("sd", &offset.sd)?;
        Ok(Offset {
            error_sd: match &offset.error_sd {
                Some(error_sd) => all("error_sd", error_sd)?,
                None => sd.clone(),
            },
            sd,
            name: offset.name.get_ref().clone(),
            landmarks,
            source: source(offset.source.as_ref(), offset.verified),
        })
    }

    fn angle(&self, angle: &entries::Angle) -> Result<Angle> {
        let axis = |letter: char| "xyz".find(letter);
        let letters: Vec<char> = angle.axes.get_ref().chars().collect();
        let axes = match letters[..] {
            [parent, child] => axis(parent).zip(axis(child)),
            _ => None,
        };
        let (parent, child) = axes.ok_or_else(|| {
            let got = angle.axes.get_ref();
            self.error(&angle.axes, format!("axes: need two of x, y and z, got '{got}'"))
        })?;
        let frames = match &angle.frames {
            None => Some(1.0),
            Some(frames) => match frames.get_ref() {
                Frames::Number(number) if *number > 0.0 => Some(*number),
                Frames::All(word) if word == "all" => None,
                _ => return Err(self.error(frames, "frames: need a positive number or 'all'")),
            },
        };
        let limit = match (angle.at_least, angle.at_most) {
            (None, None) => Limit::Near(angle.mean.to_radians().sin()),
            (Some(least), None) => Limit::AtLeast(least),
            (None, Some(most)) => Limit::AtMost(most),
            _ => return Err(self.error(&angle.joint, "need at_least or at_most, got both")),
        };
        Ok(Angle {
            child: self.joint("joint", &angle.joint)?,
            axes: [parent, child],
            limit,
            sd: self.positive("sd", &angle.sd)?.to_radians(),
            frames,
        })
    }

    /// A standard deviation that may grow with the body.
    fn amount(&self, field: &str, amount: &Spanned<Amount>) -> Result<Sum> {
        let sum = match amount.get_ref() {
            Amount::Number(number) => vec![(MM * number, Quantity::One)],
            Amount::Text(text) => self.sum_of(field, amount, text)?,
        };
        if let Some((wrong, _)) =
            sum.iter().find(|(factor, _)| !(factor.is_finite() && *factor > 0.0))
        {
            let got = match amount.get_ref() {
                Amount::Number(number) => number.to_string(),
                Amount::Text(_) => format!("the term {wrong}"),
            };
            return Err(self.error(amount, format!("{field}: need a positive number, got {got}")));
        }
        let is_size =
            |(_, quantity): &(f64, Quantity)| matches!(quantity, Quantity::One | Quantity::Size(_));
        if !sum.iter().all(is_size) {
            return Err(self.error(amount, format!("{field}: need numbers and sizes only")));
        }
        Ok(sum)
    }

    fn sums(&self, field: &str, texts: &[Text; 3]) -> Result<[Sum; 3]> {
        let [x, y, z] = texts;
        Ok([self.sum(field, x)?, self.sum(field, y)?, self.sum(field, z)?])
    }

    fn sum(&self, field: &str, text: &Text) -> Result<Sum> {
        self.sum_of(field, text, text.get_ref())
    }

    /// A sum in metres, with definitions put in.
    fn sum_of<T>(&self, field: &str, at: &Spanned<T>, text: &str) -> Result<Sum> {
        let terms =
            expression::terms(text).map_err(|what| self.error(at, format!("{field}: {what}")))?;
        let mut sum = Sum::new();
        for (factor, name) in terms {
            let Some(name) = name else {
                sum.push((MM * factor, Quantity::One));
                continue;
            };
            if let Some(define) = self.file.define.iter().find(|d| d.symbol.get_ref() == name) {
                // One level of definitions: a definition that uses itself would never end.
                for (inner, quantity) in expression::terms(define.is.get_ref())
                    .map_err(|what| self.error(&define.is, format!("is: {what}")))?
                {
                    let quantity = quantity.and_then(|name| self.quantity(name));
                    let quantity = quantity.ok_or_else(|| {
                        self.error(
                            &define.is,
                            "is: need sizes and points, no definitions or numbers",
                        )
                    })?;
                    sum.push((factor * inner, quantity));
                }
                continue;
            }
            if name == "r" {
                sum.push((factor * self.radius_m, Quantity::One));
                continue;
            }
            let quantity = self.quantity(name).ok_or_else(|| {
                self.error(
                    at,
                    format!("{field}: need a size, a definition or a point, got '{name}'"),
                )
            })?;
            sum.push((factor, quantity));
        }
        Ok(sum)
    }

    fn quantity(&self, name: &str) -> Option<Quantity> {
        if name == "L" {
            return Some(Quantity::Length(None));
        }
        if let Some(size) = self.file.size.iter().position(|size| size.symbol.get_ref() == name) {
            return Some(Quantity::Size(size));
        }
        if let Some(segment) = name.strip_prefix("length.") {
            let is_it = |s: &entries::Segment| underscored(s.name.get_ref()) == segment;
            return Some(Quantity::Length(Some(self.file.segment.iter().position(is_it)?)));
        }
        let (point, last) = name.rsplit_once('.')?;
        let (side, point) = match point.split_once('.') {
            Some(("left", point)) => (Side::Left, point),
            Some(("right", point)) => (Side::Right, point),
            Some(("mid", point)) => (Side::Mean, point),
            Some(_) => return None,
            None => (Side::Own, point),
        };
        let is_joint = |s: &entries::Segment| {
            s.joint.as_ref().is_some_and(|joint| underscored(joint.get_ref()) == point)
        };
        let landmark = self.landmark_named(point).map(Point::Landmark);
        let point =
            landmark.or_else(|| self.file.segment.iter().position(is_joint).map(Point::Joint))?;
        match (last, side) {
            ("width", Side::Own) => Some(Quantity::Width(point)),
            ("x" | "y" | "z", _) => Some(Quantity::Coordinate(side, point, "xyz".find(last)?)),
            _ => None,
        }
    }
}

fn underscored(name: &str) -> String {
    name.replace(' ', "_")
}

fn source(text: Option<&String>, is_verified: bool) -> Source {
    Source { text: text.cloned(), is_verified }
}
