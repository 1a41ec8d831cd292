//! Check 8: several markers around one centre.

use super::*;
use nalgebra::{Matrix3, Rotation3};

/// Three markers on a bone that swings in a cone; the true ones come along.
fn swing(cone_degrees: f64, sigma: f64, seed: u64) -> (Vec<Cloud>, Vec<Cloud>) {
    let mut rng = generator(seed);
    let local = [
        Vector3::new(20.0, 0.0, -98.0),
        Vector3::new(-30.0, 20.0, -196.0),
        Vector3::new(10.0, -40.0, -347.0),
    ];
    let mut clouds = vec![Vec::new(); 3];
    let mut truths = vec![Vec::new(); 3];
    for _ in 0..500 {
        let toward = loop {
            let toward = direction(&mut rng);
            if toward.z < -(cone_degrees * DEGREE).cos() {
                break toward;
            }
        };
        let turn = Rotation3::rotation_between(&-Vector3::z(), &toward).unwrap();
        for (i, marker) in local.iter().enumerate() {
            let on = turn * marker;
            truths[i].push(on);
            clouds[i].push(on + noise(&mut rng, sigma));
        }
    }
    let all = |rows: Vec<Vec<_>>| rows.into_iter().map(Cloud::from_rows).collect();
    (all(clouds), all(truths))
}

#[test]
fn check_08_several_markers_reach_the_joint_bound() {
    const TRIALS: u64 = 400;
    let (mut many, mut singles, mut bound) = (0.0, [0.0; 3], 0.0);
    let (mut plain, mut unbiased) = (0.0, 0.0);
    for seed in 0..TRIALS {
        let (clouds, truths) = swing(40.0, 3.0, seed);
        let axes: Vec<_> = clouds.iter().map(Cloud::axes).collect();
        let fit = sphere_many(&axes, ManyMethod::SelfCalibrated).unwrap();
        assert_eq!(fit.verdict, Verdict::Ball);
        many += fit.centre.coords.norm_squared();
        let by = |method| sphere_many(&axes, method).unwrap().centre.coords.norm_squared();
        plain += by(ManyMethod::Plain);
        unbiased += by(ManyMethod::Unbiased { sigma: 3.0 });
        let mut information = Matrix3::zeros();
        for (i, points) in axes.iter().enumerate() {
            singles[i] += sphere(*points, Method::ScGdk).unwrap().centre.coords.norm_squared();
            let truth = Moments::<3>::from_points(truths[i].axes());
            information += truth.a / (9.0 * truths[i].rows()[0].norm_squared());
        }
        bound += information.try_inverse().unwrap().trace();
    }
    let ratio = |square: f64| (square / bound).sqrt();
    let best = singles.into_iter().fold(f64::INFINITY, f64::min);
    println!(
        "check 8: weighted {:.3}, (222) {:.3}, (220) {:.3}, best single {:.3}",
        ratio(many),
        ratio(unbiased),
        ratio(plain),
        ratio(best)
    );
    assert!(ratio(many) <= 1.1, "{}", ratio(many));
    assert!(ratio(best) >= 2.0 * ratio(many), "{} {}", ratio(best), ratio(many));
}

#[test]
fn check_08_several_arcs_of_one_hinge_give_its_axis() {
    let near = Arc { radius: 150.0, axial_offset: -40.0, ..hinge_of(40.0, 0.0) }.points(1);
    let far = hinge_of(40.0, 0.0).points(2);
    let fit = sphere_many(&[near.axes(), far.axes()], ManyMethod::SelfCalibrated).unwrap();
    assert_eq!(fit.verdict, Verdict::Hinge);
    assert!(fit.centre.xy().coords.norm() < 1.0, "{}", fit.centre);
    assert!((fit.centre.z - 5.0).abs() < 0.5, "midway between the arcs: {}", fit.centre);
    assert!((fit.radii[0] - 150.0).abs() < 1.0 && (fit.radii[1] - 300.0).abs() < 1.0);
    assert!(fit.axis.unwrap().direction.xy().norm() < 0.003);
}
