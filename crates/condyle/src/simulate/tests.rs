use super::*;

#[test]
fn every_routine_of_a_person_can_be_performed() {
    for routine in Routine::ALL {
        for seed in 0..3 {
            let options =
                Options { routine, seed, seconds: 12.0, rate_hz: 50.0, ..Options::default() };
            simulate(&Performer::human(), &options).unwrap_or_else(|e| panic!("{routine:?}: {e}"));
        }
    }
}
