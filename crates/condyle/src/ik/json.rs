//! Linkages as JSON: `{"joints": [[x, y, z], …], "limits": […]}` and more (docs/ik.md).

use nalgebra::{Point3, Vector2, Vector3};
use serde::Deserialize;
use serde_json::Value;

use super::limit::{Limit, Polygon, Swing, Twist};
use super::linkage::{Linkage, ZeroDirection};
use crate::error::{Error, Result};

/// A linkage as a file has it, with what only the file knows.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// What moves.
    pub linkage: Linkage,
    /// The names of the joints; their numbers where the file has none.
    pub names: Vec<String>,
    /// The joints that reach for targets, in the order of the targets' columns.
    pub effectors: Vec<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    joints: Vec<[f64; 3]>,
    #[serde(default)]
    names: Vec<String>,
    #[serde(default)]
    parents: Option<Vec<Option<usize>>>,
    #[serde(default)]
    limits: Vec<Value>,
    #[serde(default)]
    bone_limits: Vec<Value>,
    #[serde(default)]
    zero: Option<GivenZero>,
    #[serde(default)]
    effectors: Option<Vec<usize>>,
    #[serde(default)]
    loops: Vec<[usize; 2]>,
    #[serde(default, rename = "about")]
    _about: Option<String>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum GivenZero {
    Straight,
    Rest,
}

/// A limit: a number is a cone in degrees.
enum Given {
    Cone(f64),
    Full(Box<Full>),
}

impl Given {
    /// The limit that entry `index` of a list gives; `None` for null.
    fn of(list: &str, index: usize, value: &Value) -> Result<Option<Self>> {
        let refused = |what: String| Error::argument(format!("{list}[{index}]: {what}"));
        match value {
            Value::Null => Ok(None),
            Value::Number(degrees) => Ok(degrees.as_f64().map(Self::Cone)),
            Value::Object(_) => Full::deserialize(value)
                .map(|full| Some(Self::Full(Box::new(full))))
                .map_err(|error| refused(error.to_string())),
            other => Err(refused(format!(
                "need null, a number of degrees or an object with a type, got {other}"
            ))),
        }
    }
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Full {
    #[serde(rename = "type")]
    kind: String,
    angle_deg: Option<f64>,
    angles_deg: Option<[f64; 4]>,
    corners_deg: Option<Vec<[f64; 2]>>,
    axis: Option<[f64; 3]>,
    range_deg: Option<[f64; 2]>,
    twist_deg: Option<[f64; 2]>,
    slide: Option<[f64; 2]>,
}

/// The place of a name among others; a low line is as good as a blank, which shells would split at.
pub(crate) fn find_name<S: AsRef<str>>(names: &[S], name: &str) -> Option<usize> {
    let plain = |name: &str| name.replace('_', " ");
    let exact = names.iter().position(|known| known.as_ref() == name);
    exact.or_else(|| names.iter().position(|known| plain(known.as_ref()) == plain(name)))
}

impl Model {
    /// The joint of a name, or with a number in digits; a low line in it is as good as a blank.
    pub fn find(&self, name: &str) -> Option<usize> {
        let by_number = || name.parse().ok().filter(|joint| *joint < self.names.len());
        find_name(&self.names, name).or_else(by_number)
    }

    /// A model from the text of a file.
    ///
    /// # Errors
    /// Text that is not such a file, or a linkage or limit that is none, with the joint it is about.
    pub fn from_json(text: &str) -> Result<Self> {
        let file: File = serde_json::from_str(text)
            .map_err(|error| Error::at_line(error.line(), error.to_string()))?;
        let joints_m: Vec<Point3<f64>> = file.joints.iter().map(|at| Point3::from(*at)).collect();
        let zero = match (file.zero, &file.parents) {
            (Some(GivenZero::Straight), _) | (None, None) => ZeroDirection::Straight,
            (Some(GivenZero::Rest), _) | (None, Some(_)) => ZeroDirection::Rest,
        };
        let chain: Vec<Option<usize>> = (0..joints_m.len()).map(|i| i.checked_sub(1)).collect();
        let parents = file.parents.unwrap_or(chain);
        let mut linkage = Linkage::tree(&joints_m, &parents, zero)?;
        let joints = linkage.joints();
        let given = |name: &str, values: &[Value]| -> Result<Vec<Option<Given>>> {
            if values.len() > joints {
                return Err(Error::argument(format!(
                    "{name}: need at most {joints}, got {}",
                    values.len()
                )));
            }
            values.iter().enumerate().map(|(at, value)| Given::of(name, at, value)).collect()
        };
        let limits = given("limits", &file.limits)?;
        let bone_limits = given("bone_limits", &file.bone_limits)?;
        for (end, parent) in parents.iter().enumerate().skip(1) {
            let of_joint = parent.and_then(|parent| limits.get(parent));
            let given = bone_limits.get(end).and_then(Option::as_ref);
            let Some(given) = given.or(of_joint.and_then(Option::as_ref)) else { continue };
            set(&mut linkage, end, given).map_err(|error| {
                Error::argument(format!("limit of the bone to joint {end}: {error}"))
            })?;
        }
        for [one, other] in file.loops {
            linkage.close(one, other)?;
        }
        let effectors = match file.effectors {
            None => linkage.leaves().collect(),
            Some(effectors) => effectors,
        };
        if let Some(wrong) = effectors.iter().find(|joint| **joint == 0 || **joint >= joints) {
            return Err(Error::argument(format!(
                "effectors: need joints from 1 to {}, got {wrong}",
                joints - 1
            )));
        }
        let mut names = file.names;
        if !names.is_empty() && names.len() != joints {
            return Err(Error::argument(format!("names: need {joints}, got {}", names.len())));
        }
        if names.is_empty() {
            names = (0..joints).map(|joint| joint.to_string()).collect();
        }
        Ok(Self { linkage, names, effectors })
    }
}

fn set(linkage: &mut Linkage, end: usize, given: &Given) -> Result<()> {
    let full = match given {
        Given::Cone(degrees) => return linkage.limit(end, Limit::cone(degrees.to_radians())),
        Given::Full(full) => full,
    };
    if let Some(slide) = full.slide {
        linkage.slide(end, slide)?;
    }
    let world_from_zero = linkage.world_from_zero_at_rest(end);
    let limit = full.limit(|axis| world_from_zero.inverse() * axis)?;
    linkage.limit(end, limit)
}

impl Full {
    fn limit(&self, to_zero: impl Fn(Vector3<f64>) -> Vector3<f64>) -> Result<Limit> {
        let need = |name: &str| Error::argument(format!("{}: need {name}, got none", self.kind));
        let angle = || self.angle_deg.map(f64::to_radians).ok_or_else(|| need("angle_deg"));
        let angles = || {
            let angles = self.angles_deg.ok_or_else(|| need("angles_deg"))?;
            Ok::<_, Error>(angles.map(f64::to_radians))
        };
        let twist = match self.twist_deg.map(|range| range.map(f64::to_radians)) {
            Some([min_rad, max_rad]) => Twist::Range { min_rad, max_rad },
            None => Twist::Free,
        };
        Ok(match self.kind.as_str() {
            "ball" => Limit { swing: Swing::Free, twist },
            "fixed" => Limit::FIXED,
            "cone" => Limit { swing: Swing::Cone { half_rad: angle()? }, twist },
            "ellipse" | "ellipsoidal" => Limit::ellipsoidal(angles()?, twist),
            "conic" => Limit { swing: Swing::Conic { angles_rad: angles()? }, twist },
            "saddle" => Limit::saddle(angles()?),
            "gliding" => Limit::gliding(angle()?),
            "suture" => Limit::suture(angle()?),
            "pivot" => {
                let range = self.twist_deg.ok_or_else(|| need("twist_deg"))?;
                Limit::pivot(range.map(f64::to_radians))
            }
            "polygon" => {
                let corners = self.corners_deg.as_ref().ok_or_else(|| need("corners_deg"))?;
                let corner = |at: &[f64; 2]| Vector2::from(at.map(f64::to_radians));
                Limit::polygon(Polygon::new(corners.iter().map(corner).collect())?, twist)
            }
            "hinge" => {
                let axis = Vector3::from(self.axis.ok_or_else(|| need("axis"))?);
                let range = self.range_deg.ok_or_else(|| need("range_deg"))?;
                Limit::hinge(to_zero(axis), range.map(f64::to_radians))?
            }
            other => {
                return Err(Error::argument(format!(
                    "type: need ball, fixed, cone, ellipse, conic, polygon, hinge, saddle, gliding, \
                     pivot or suture, got '{other}'"
                )));
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_with_limits_of_every_kind_is_read() {
        let model = Model::from_json(
            r#"{"joints": [[0,0,0],[0,0,1],[0,0,2],[0,0,3],[0,0,4],[0,0,5],[0,0,6],[0,0,7],[0,0,8],[0,0,9]],
                "limits": [null, 45, {"type": "cone", "angle_deg": 30, "twist_deg": [-10, 10]},
                  {"type": "ellipse", "angles_deg": [10, 20, 30, 40]},
                  {"type": "hinge", "axis": [0, 1, 0], "range_deg": [0, 120], "slide": [0.5, 2]},
                  {"type": "polygon", "corners_deg": [[10, 0], [0, 20], [-15, -10]]},
                  {"type": "pivot", "twist_deg": [-90, 90]}, {"type": "suture", "angle_deg": 2},
                  {"type": "saddle", "angles_deg": [10, 20, 30, 40]}]}"#,
        )
        .unwrap();
        assert_eq!(model.effectors, [9]);
        assert_eq!(model.linkage.limit_of(2), Some(&Limit::cone(45_f64.to_radians())));
        assert!(model.linkage.limit_of(1).unwrap().is_free());
        let Swing::Hinge(hinge) = &model.linkage.limit_of(5).unwrap().swing else { panic!() };
        assert!(
            (model.linkage.world_from_zero_at_rest(5) * hinge.axis.into_inner() - Vector3::y())
                .norm()
                < 1e-12
        );
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let text = |json: &str| Model::from_json(json).unwrap_err().to_string();
        assert!(text("{\"joints\": [[0,0,0],\n[0,0]]}").starts_with("line 2: "));
        assert!(text(r#"{"joints": []}"#).contains("joints: need 2, got 0"));
        let swapped = text(
            r#"{"joints": [[0,0,0],[0,0,1]],
                "limits": [{"type": "hinge", "axis": [1,0,0], "range_deg": [20, 10]}]}"#,
        );
        assert!(swapped.contains("bone to joint 1") && swapped.contains("20 to 10"), "{swapped}");
        assert!(
            text(r#"{"joints": [[0,0,0],[0,0,1]], "limits": [{"type": "hing"}]}"#)
                .contains("got 'hing'")
        );
        assert!(
            text(r#"{"joints": [[0,0,0],[0,0,1]], "limits": [null, null, null]}"#)
                .contains("limits: need at most 2")
        );
        assert!(text(r#"{"joints": [[0,0,0],[0,0,1]], "effectors": [2]}"#).contains("effectors"));
    }
}
