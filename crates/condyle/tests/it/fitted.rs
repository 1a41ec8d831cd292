//! Subjects fitted to the recording that they are solved in.
use condyle::Trial;
use condyle::calibrate::Calibration;
use condyle::plan::Performer;
use condyle::simulate::{self, Simulation, simulate};
use condyle::solve::{self, Pose, SolvedMotion, Solver};
use condyle::subject::Subject;

/// A performer of a recording, fitted and solved.
pub fn fitted(trial: &Trial, performer: &Performer) -> (Subject, SolvedMotion) {
    let mut calibration = Calibration::new(performer, &trial.labels()).unwrap();
    let mut positions_m = vec![None; trial.markers.len()];
    for frame in 0..trial.frames {
        trial.positions_m(frame, &mut positions_m);
        calibration.push(&positions_m);
    }
    let subject = calibration.fit().unwrap();
    let solved = solve::solve_trial(&subject, trial).unwrap();
    (subject, solved)
}

/// The motion of a subject with every pose changed before it is kept.
pub fn changed(
    trial: &Trial,
    subject: &Subject,
    change: impl Fn(usize, &mut Pose),
) -> SolvedMotion {
    let solver = Solver::new(subject, &trial.labels()).unwrap();
    let mut pose = solver.pose();
    let mut positions_m = vec![None; trial.markers.len()];
    let mut motion = SolvedMotion::with_room(subject, trial.frames);
    for frame in 0..trial.frames {
        trial.positions_m(frame, &mut positions_m);
        solver.solve(&positions_m, &mut pose);
        change(frame, &mut pose);
        motion.push(&pose);
    }
    motion
}

/// A simulated performer who goes through its range of motion at 50 Hz, fitted and solved.
pub fn simulated(
    performer: &simulate::Performer,
    seconds: f64,
    noise_m: f64,
) -> (Simulation, Subject, SolvedMotion) {
    let options =
        simulate::Options { seconds, rate_hz: 50.0, noise_m, ..simulate::Options::default() };
    let simulation = simulate(performer, &options).unwrap();
    let (subject, solved) = fitted(&simulation.trial, &simulation.truth.plan.performers[0]);
    (simulation, subject, solved)
}
