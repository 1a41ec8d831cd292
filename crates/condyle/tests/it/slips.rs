//! Markers that slip during a recording, and clusters that were put on again before a subject is reused.

use condyle::job::{self, Options, Repair};
use condyle::simulate::{self, Performer, Simulation, simulate};

fn recorded(options: simulate::Options) -> Simulation {
    let options = simulate::Options { seconds: 12.0, noise_m: 1e-3, ..options };
    simulate(&Performer::human(), &options).unwrap()
}

#[test]
fn a_marker_that_slips_is_told_and_before_and_after_are_two_places() {
    let slipped = simulate::Options { seed: 2, slips: 1, slip_m: 0.015, ..Default::default() };
    let Simulation { trial, truth, .. } = recorded(slipped);
    let slip = truth.slips[0];
    let label = trial.markers[slip.marker].label.clone();
    let performance = job::run(trial, &Options::default()).unwrap();
    let found: Vec<_> = performance
        .repairs
        .iter()
        .filter_map(|repair| match repair {
            Repair::MarkerSlipped { label, after, frame, shift_m, .. } => {
                Some((label, after, *frame, *shift_m))
            }
            _ => None,
        })
        .collect();
    let [(name, after, frame, shift_m)] = found[..] else { panic!("{:?}", performance.repairs) };
    assert_eq!(*name, label);
    assert!(frame.abs_diff(slip.frame) <= 10, "{frame}, not {}", slip.frame);
    assert!((shift_m - 0.015).abs() < 4e-3, "{shift_m}");
    let note = performance.all_notes().into_iter().find(|note| note.code == "marker-slipped");
    assert_eq!(note.unwrap().about, Some(label.clone()));
    // Both are on the segment, about as far apart as the marker slipped.
    let segments = performance.performers[0].subject.segments().iter();
    let place = |wanted: &str| {
        let markers = segments.clone().flat_map(|segment| &segment.markers);
        markers.clone().find(|marker| marker.label == wanted).unwrap().position_in_segment_m
    };
    let apart_m = (place(after) - place(&label)).norm();
    assert!((apart_m - 0.015).abs() < 6e-3, "{apart_m}");
}

#[test]
fn a_cluster_put_on_again_is_told_when_its_subject_is_reused() {
    let subject = {
        let Simulation { trial, .. } =
            recorded(simulate::Options { seed: 2, ..Default::default() });
        job::fit(vec![trial.into()], &Options::default()).unwrap().subjects.remove(0)
    };
    let mut options = Options::default();
    options.subject = Some(subject);
    let told = |moved_clusters: usize| {
        let seed = 1_000_002;
        let Simulation { trial, truth, .. } =
            recorded(simulate::Options { seed, moved_clusters, ..Default::default() });
        let moved = truth.moved.iter().map(|moved| truth.segments[moved.segment].name.clone());
        let notes = job::run(trial, &options).unwrap().all_notes();
        let told = notes.into_iter().filter(|note| note.code == "cluster-moved");
        (told.filter_map(|note| note.about).collect::<Vec<_>>(), moved.collect::<Vec<_>>())
    };
    let (told_of, moved) = told(1);
    assert_eq!(told_of, moved);
    assert_eq!(moved.len(), 1);
    assert!(told(0).0.is_empty());
}
