//! The main job, as every command does it.

use condyle::job::{self, KnowledgeChoice};
use condyle::plan::{Performer, Plan};
use condyle::trial::Note;
use condyle::{Trial, marker_set};

use super::estimate::{Estimate, Estimator, Settings};
use super::subject_motion;

/// The main job with its defaults, but for what is stated.
pub struct MainJob;

impl Estimator for MainJob {
    fn name(&self) -> &'static str {
        "main-job"
    }

    fn estimate(
        &self,
        trial: &Trial,
        plan: Option<&Performer>,
        settings: &Settings,
    ) -> anyhow::Result<Vec<Estimate>> {
        let mut options = job::Options::default();
        options.soft_tissue = settings.soft_tissue;
        if !settings.knowledge {
            options.knowledge = KnowledgeChoice::None;
        }
        options.plan = plan.map(|performer| {
            let plan = Plan { performers: vec![performer.clone()], ..Plan::default() };
            marker_set::to_toml(&plan, trial).as_str().into()
        });
        let performance = job::run(trial.clone(), &options)?;
        let repaired = performance.repairs.iter().filter_map(|r| r.note(&performance.trial));
        let of_all = performance.trial.notes.iter().chain(&performance.notes).cloned();
        let common: Vec<String> = of_all.chain(repaired).map(|note| note.to_string()).collect();
        let mut estimates = Vec::new();
        for performer in performance.performers {
            let own = performer.notes.iter().map(Note::to_string);
            let said = common.iter().cloned().chain(own).collect();
            let solved = (performer.subject, performer.motion);
            estimates.push(subject_motion::estimate(solved.0, solved.1, &performance.trial, said)?);
        }
        Ok(estimates)
    }
}

#[cfg(test)]
mod tests {
    use condyle::simulate::Routine;

    use super::super::scene::Scene;
    use super::super::score::summary;
    use super::super::{simulated, whole_body};
    use super::*;

    /// The mean distance of shoulders from where they are.
    fn shoulders_off_m(estimator: &dyn Estimator) -> f64 {
        let scene = Scene { frames: 400, ..Scene::everyday(Routine::Walk) };
        let outcome =
            simulated::run(estimator, &scene, &Settings::default(), 41000..41002).unwrap();
        summary(outcome.scores.iter().filter(|score| score.class() == "shoulder")).error_m
    }

    #[test]
    fn solved_shoulders_are_as_near_as_the_fit_has_them() {
        let [fitted_m, solved_m] =
            [&whole_body::OneFit as &dyn Estimator, &MainJob].map(shoulders_off_m);
        assert!(solved_m < fitted_m + 1e-3, "{solved_m} and {fitted_m}");
    }
}
