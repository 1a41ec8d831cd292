//! The solid figure in a report, and the physics of its motion.

use condyle::Trial;
use condyle::physics::{Physics, State};
use condyle_page::page::{Axis, Chart, Ink, Mark, Page, Scale, Series, Table};
use serde::{Deserialize, Serialize};

/// Points of a curve.
const CHART_POINTS: usize = 400;

/// What a performer's figure is, and how it moves.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PhysicsResult {
    pub mass_kg: f64,
    /// Whether the masses are those of a table of people; else every segment weighs what its volume does as water.
    pub has_masses_of_people: bool,
    /// How far off the centre of mass is, a standard error an axis, in the middle of the recording: in all, and by the
    /// table of masses alone.
    pub com_sd_m: Option<[f64; 2]>,
    pub curves: Vec<CurveResult>,
    pub flights: Vec<FlightResult>,
    /// Gravity from all flights, its standard error, and the part of that by the table of masses.
    pub gravity_m_s2: Option<[f64; 3]>,
    pub plates: Option<PlatesResult>,
}

/// Something through time, thinned out for charts.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CurveResult {
    pub name: String,
    pub unit: String,
    pub times_s: Vec<f32>,
    pub values: Vec<Option<f32>>,
}

/// A flight; frames have the recording's numbers.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FlightResult {
    pub first_frame: i64,
    pub last_frame: i64,
    pub seconds: f64,
    pub gravity_m_s2: f64,
    pub sd_m_s2: f64,
    pub across_m_s2: f64,
    pub residual_m: f64,
    pub angular_momentum_change: f64,
    /// The same of the first segment alone.
    pub first_segment_gravity_m_s2: f64,
}

/// The force that the motion needs beside the force that plates measured.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PlatesResult {
    pub frames: usize,
    pub correlation: f64,
    pub rms_n: f64,
    /// The rms of the weight alone, without any motion.
    pub weight_alone_rms_n: f64,
    /// The weight that the plates say.
    pub weight_kg: f64,
    /// Time, by the motion, by the plates.
    pub vertical_n: Vec<[f32; 3]>,
}

impl PhysicsResult {
    /// What a report shows of the physics of a performer.
    pub fn of(physics: &Physics, trial: &Trial, has_masses_of_people: bool) -> Self {
        let stride = physics.states.len().div_ceil(CHART_POINTS).max(1);
        let curve = |name: &str, unit: &str, value: &dyn Fn(&State) -> Option<f64>| {
            let frames = || (0..physics.states.len()).step_by(stride);
            let own = |frame: usize| {
                let value = physics.states[frame].as_ref().and_then(value);
                value.filter(|value| value.is_finite()).map(|value| value as f32)
            };
            CurveResult {
                name: name.to_owned(),
                unit: unit.to_owned(),
                times_s: frames().map(|frame| trial.time_s(frame) as f32).collect(),
                values: frames().map(own).collect(),
            }
        };
        let weight_n = physics.mass_kg * condyle::physics::GRAVITY_M_S2;
        let curves = vec![
            curve("height of the centre of mass", "m", &|own| Some(own.potential_j? / weight_n)),
            curve("speed of the centre of mass", "m/s", &|own| {
                Some(own.moving?.momentum_kg_m_s.norm() / physics.mass_kg)
            }),
            curve("kinetic energy", "J", &|own| Some(own.moving?.kinetic_j)),
            curve("angular momentum", "kg m²/s", &|own| {
                Some(own.moving?.angular_momentum_kg_m2_s.norm())
            }),
        ];
        let gravity = physics.gravity();
        let flights = gravity.iter().flat_map(|gravity| &gravity.flights);
        let flights = flights.map(|own| FlightResult {
            first_frame: trial.frame_number(own.frames.start),
            last_frame: trial.frame_number(own.frames.end - 1),
            seconds: own.frames.len() as f64 / trial.rate_hz,
            gravity_m_s2: own.gravity_m_s2,
            sd_m_s2: own.gravity_sd_m_s2,
            across_m_s2: own.across_m_s2,
            residual_m: own.residual_m,
            angular_momentum_change: own.angular_momentum_change,
            first_segment_gravity_m_s2: own.gravity_by_first_body_m_s2,
        });
        Self {
            mass_kg: physics.mass_kg,
            has_masses_of_people,
            com_sd_m: physics.centre_of_mass_sd_m(physics.states.len() / 2),
            curves,
            flights: flights.collect(),
            gravity_m_s2: gravity
                .as_ref()
                .map(|own| [own.gravity_m_s2, own.sd_m_s2, own.sd_by_masses_m_s2]),
            plates: None,
        }
    }
}

/// What a report says of one performer.
pub fn section(own: &PhysicsResult, picture: Option<&str>, page: &mut Page) {
    if let Some(picture) = picture {
        let image = format!(
            "<img alt=\"the solid figure\" style=\"max-width:100%;max-height:32rem\" \
             src=\"data:image/png;base64,{picture}\">"
        );
        page.figure(&image, "At rest, from ahead, from the right, and from above at an angle.");
    }
    let masses = match own.has_masses_of_people {
        true => "by a table of masses of people",
        false => "by volume, as heavy as water: nobody knows its masses",
    };
    let sd = own.com_sd_m.map_or(String::new(), |[all, by_masses]| {
        let [all, by_masses] = [all, by_masses].map(|m| 1e3 * m);
        format!(
            " The centre of mass is known to {all:.0} mm an axis, {by_masses:.0} mm of it by the table."
        )
    });
    page.paragraph(&format!("{:.1} kg, {masses}.{sd}", own.mass_kg));
    page.charts(&own.curves.iter().filter(|own| own.is_shown()).map(chart).collect::<Vec<_>>());
    if let Some([gravity, sd, by_masses]) = own.gravity_m_s2 {
        page.paragraph(&format!(
            "In flight the centre of mass falls with {gravity:.2} m/s², give or take {sd:.2} (one standard error, {by_masses:.2} \
             of it by the table of masses); 9.81 is right. How far the angular momentum changes, which nothing can change in \
             flight, tells how good masses and poses are. Alone: the first segment's own fall, for comparison."
        ));
        page.table(&flights(own));
    }
    if let Some(plates) = &own.plates {
        page.paragraph(&format!(
            "Force plates: in {} frames nothing but plates is stood on. There the vertical force by the motion and the measured \
             one correlate by {:.2} and differ by {:.0} N (rms); the weight alone would differ by {:.0} N. The plates say \
             {:.1} kg.",
            plates.frames, plates.correlation, plates.rms_n, plates.weight_alone_rms_n, plates.weight_kg,
        ));
        page.charts(&[forces(plates)]);
    }
}

impl CurveResult {
    fn is_shown(&self) -> bool {
        self.values.iter().any(Option::is_some)
    }
}

fn chart(own: &CurveResult) -> Chart {
    let points = own.times_s.iter().zip(&own.values);
    let points =
        points.map(|(time_s, value)| (f64::from(*time_s), value.map_or(f64::NAN, f64::from), None));
    Chart {
        title: own.name.clone(),
        x: Axis::new("time (s)", "time_s", Scale::Linear),
        y: Axis::new(&own.unit, "value", Scale::Linear),
        series: vec![Series::new("", Ink(0), Mark::Curve, points)],
        is_small: true,
        ..Chart::default()
    }
}

fn forces(own: &PlatesResult) -> Chart {
    let curve = |name: &str, ink: Ink, of: usize| {
        let points = own.vertical_n.iter();
        let points = points.map(|row| (f64::from(row[0]), f64::from(row[of]), None));
        Series::new(name, ink, Mark::Curve, points)
    };
    Chart {
        title: "vertical force".to_owned(),
        x: Axis::new("time (s)", "time_s", Scale::Linear),
        y: Axis::new("force (N)", "force_n", Scale::Linear),
        series: vec![curve("by the motion", Ink(0), 1), curve("by the plates", Ink(7), 2)],
        ..Chart::default()
    }
}

fn flights(own: &PhysicsResult) -> Table {
    let mut table = Table::columns(
        "frames | s | m/s² | give or take | across | off its parabola mm | angular momentum % | alone m/s²",
        1,
    );
    for flight in &own.flights {
        table.row([
            format!("{} to {}", flight.first_frame, flight.last_frame),
            format!("{:.2}", flight.seconds),
            format!("{:.2}", flight.gravity_m_s2),
            format!("{:.2}", flight.sd_m_s2),
            format!("{:.2}", flight.across_m_s2),
            format!("{:.1}", 1e3 * flight.residual_m),
            format!("{:.1}", 1e2 * flight.angular_momentum_change),
            format!("{:.2}", flight.first_segment_gravity_m_s2),
        ]);
    }
    table
}
