use std::collections::HashMap;
use std::fs;

use nalgebra::{Point3, Vector3};
use proptest::prelude::*;

use super::*;
use crate::figure::FreedomKind;
use crate::solid::{Solid, TetrahedralMesh};

/// Knight's arm: a base, an arm that turns about two axes, a hand that turns about three and slides.
const ARM: &str = "FIGURE 5R1P
SEGMENTS 3
MESH 0 cube.mesh // a unit cube about the origin
  NAME Base
  TRANSLATE_Z 0.5
  JOINT base
    3 0 0 0.5
  CHILDREN 1 1
ENDMESH
MESH 1 cube.mesh
  MASS 2.5
  NAME extendArm
  SCALE_XYZ 0.2 0.2 1
  TRANSLATE_Z 1.5
  PARENT 0
  JOINT shoulder
    3 0 0 1
    DEGREES_OF_FREEDOM 2 0
      VALUE 0 3 0 1 0 FROM -90 TO 90
      VALUE 0 3 0 0 1 FROM -180 TO 180
  CHILDREN 1 2
ENDMESH
MESH 2 cube.mesh
  NAME Hand
  SCALE_XYZ 0.8 0.8 0.4
  TRANSLATE_XYZ 0 0 2.5
  PARENT 1
  JOINT wrist
    3 0 0 2
    DEGREES_OF_FREEDOM 3 1
      VALUE 0 3 1 0 0 FROM -90 TO 90
      VALUE 0 3 0 1 0 FROM -90 TO 90
      VALUE 0 3 0 0 1 FROM -180 TO 180
      VALUE 0.1 3 0 0 1 FROM 0 TO 0.4
ENDMESH
ENDFIGURE
";

/// Five tetrahedra.
fn cube() -> Solid {
    let corner = |at: usize| Point3::from([at & 1, at >> 1 & 1, at >> 2].map(|x| x as f64 - 0.5));
    let tetrahedra = vec![[0, 1, 2, 4], [3, 2, 1, 7], [5, 4, 7, 1], [6, 7, 4, 2], [1, 2, 4, 7]];
    let mesh = TetrahedralMesh::new((0..8).map(corner).collect(), tetrahedra).unwrap();
    Solid::try_from(mesh).unwrap()
}

pub(in crate::format) fn arm() -> Figure {
    read(ARM.as_bytes()).unwrap().figure(|_| Ok(cube())).unwrap()
}

#[test]
fn the_arm_of_the_document_has_five_rotations_and_a_slide() {
    let figure = arm();
    let kinds: Vec<FreedomKind> = figure.freedoms().map(|own| own.kind).collect();
    assert_eq!(kinds[..5], [FreedomKind::Rotation; 5]);
    assert_eq!(kinds[5..], [FreedomKind::Translation]);
    let degrees: Vec<[f64; 2]> =
        figure.freedoms().take(5).map(|own| own.limits.map(f64::to_degrees)).collect();
    for (found, expected) in degrees.iter().zip([90.0, 180.0, 90.0, 90.0, 180.0]) {
        assert!((found[1] - expected).abs() < 1e-12 && (found[0] + expected).abs() < 1e-12);
    }
    assert_eq!(figure.freedoms().last().unwrap().limits, [0.0, 0.4]);
    assert_eq!(figure.freedoms().last().unwrap().value, 0.1);
    let [base, arm, hand] = figure.segments() else { panic!() };
    assert!((base.mass.mass_kg - 1000.0).abs() < 1e-9);
    assert_eq!(arm.mass.mass_kg, 2.5);
    assert!((hand.mass.volume_m3 - 0.256).abs() < 1e-12);
    assert!((hand.mass.centre_of_mass_m - Point3::new(0.0, 0.0, 2.5)).norm() < 1e-12);
    let mut pose = figure.rest_pose();
    figure.pose(&[90f64.to_radians()], &mut pose);
    // Its own slide holds: 0.1 m along the arm, which points along x now.
    let at = pose.figure_from_rest[2] * hand.mass.centre_of_mass_m;
    assert!((at.coords - Vector3::new(1.6, 0.0, 1.0)).norm() < 1e-12, "{at}");
}

#[test]
fn the_waist_of_the_document_is_read() {
    let mut text = "FIGURE dynman51DOF\nSEGMENTS 4\nMESH 0 chest.mesh MASS 30\n".to_owned();
    text = text.replace(" MASS", "\nMASS");
    text.push_str(
        "NAME Chest\nJOINT Waist\n3 0.994765 1.002953 1.084350\nDEGREES_OF_FREEDOM 1 0\nVALUE 0 3 \
         -0.257042 0.966392 -0.003915 FROM -93.199994 TO 29.0\nCHILDREN 3 1 2 3\nENDMESH\n",
    );
    for at in 1..4 {
        text.push_str(&format!(
            "MESH {at} limb.mesh\nNAME Upper Left Arm {at}\nPARENT 0\nENDMESH\n"
        ));
    }
    text.push_str("ENDFIGURE\n");
    let atm = read(text.as_bytes()).unwrap();
    let waist = atm.segments[0].joint.as_ref().unwrap();
    assert_eq!(waist.freedoms[0].from, -93.199994);
    assert_eq!(waist.centre_m, [0.994765, 1.002953, 1.084350]);
    assert_eq!(atm.segments[2].name.as_deref(), Some("Upper Left Arm 2"));
    assert_eq!(read(atm.to_text().as_bytes()).unwrap(), atm);
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    let refused = |from: &str, to: &str| {
        let text = ARM.replacen(from, to, 1);
        assert_ne!(text, ARM);
        read(text.as_bytes()).unwrap_err().to_string()
    };
    assert!(refused("cube.mesh", "../cube.mesh").starts_with("line 3: mesh: need a file in the"));
    assert!(refused("cube.mesh", "/etc/cube.mesh").contains("same folder"));
    assert!(refused("cube.mesh", "..").contains("same folder"));
    assert!(refused("cube.mesh", "C:\\cube.mesh").contains("same folder"));
    assert!(refused("PARENT 0", "PARENT 2").contains("line 15: PARENT: need a tree, got a cycle"));
    assert!(refused("PARENT 0", "PARENT 9").contains("line 15: PARENT: need a segment"));
    assert!(refused("  PARENT 0\n", "").contains("line 10: MESH 1: need one root"));
    assert!(refused("CHILDREN 1 1", "CHILDREN 1 2").contains("line 8: CHILDREN: need segments"));
    assert!(refused("CHILDREN 1 1", "CHILDREN 0").contains("need 1 as PARENT has it, got 0"));
    assert!(refused("FROM -90 TO 90", "FROM 91 TO 90").contains("line 19: freedom 1: need FROM"));
    assert!(refused("3 0 1 0 FROM", "3 0 0 0 FROM").contains("need an axis, got zero"));
    assert!(refused("MASS 2.5", "MASS -2.5").contains("line 11: MASS: need more than 0"));
    assert!(refused("0.2 0.2 1", "0.2 -0.2 1").contains("line 13: SCALE_XYZ: need more than 0"));
    assert!(refused("SEGMENTS 3", "SEGMENTS 4").contains("need 4, got 3"));
    assert!(refused("SEGMENTS 3", "SEGMENTS 4000000000").contains("got room for"));
    assert!(refused("MESH 1", "MESH 0").contains("numbers once each"));
    assert!(refused("VALUE 0 3 1", "VALUE x 3 1").contains("need a number, got 'x'"));
    assert!(refused("ENDFIGURE", "").contains("the end of the file"));
    (0..ARM.len()).for_each(|end| drop(read(&ARM.as_bytes()[..end])));
}

#[test]
fn a_figure_and_its_meshes_are_written_and_read_again() {
    let figure = arm();
    let folder = std::env::temp_dir().join(format!("condyle-atm-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("arm.atm");
    let written = write_path(&figure, &path).unwrap();
    let names: Vec<_> = written.iter().filter_map(|path| path.file_name()?.to_str()).collect();
    assert_eq!(names, ["arm.atm", "arm-Base.mesh", "arm-extendArm.mesh", "arm-Hand.mesh"]);
    let (again, notes) = read_path(&path).unwrap();
    assert!(notes.is_empty(), "{notes:?}");
    for (own, other) in figure.segments().iter().zip(again.segments()) {
        assert_eq!((&own.name, &own.joint, &own.solid), (&other.name, &other.joint, &other.solid));
        assert!((own.mass.mass_kg - other.mass.mass_kg).abs() < 1e-12 * own.mass.mass_kg);
    }
    fs::remove_file(folder.join("arm-Hand.mesh")).unwrap();
    let error = read_path(&path).unwrap_err().to_string();
    assert!(error.contains("arm-Hand.mesh"), "{error}");
    fs::remove_dir_all(&folder).unwrap();
}

proptest! {
    #[test]
    fn write_then_read_is_the_identity(
        numbers in proptest::collection::vec(-1e3..1e3f64, 40),
        parents in proptest::collection::vec(0usize..100, 1..8),
        rotations in 0usize..4,
    ) {
        let mut next = numbers.iter().copied().cycle();
        let mut number = || next.next().unwrap();
        let mut hang: HashMap<u32, Vec<u32>> = HashMap::new();
        let mut atm = Atm { name: "a figure".into(), segments: Vec::new() };
        for (at, parent) in parents.iter().enumerate() {
            let parent = (at > 0).then(|| 3 * (parent % at.max(1)) as u32);
            if let Some(parent) = parent {
                hang.entry(parent).or_default().push(3 * at as u32);
            }
            let freedoms: Vec<AtmFreedom> = (0..4)
                .map(|_| {
                    let (a, b) = (number(), number());
                    let axis = [number(), number(), 1.0];
                    AtmFreedom { value: number(), axis, from: a.min(b), to: a.max(b) }
                })
                .collect();
            atm.segments.push(AtmSegment {
                index: 3 * at as u32,
                file: format!("a mesh {at}.mesh"),
                mass_kg: Some(number().abs() + 1e-9),
                name: Some(format!("Upper Arm {at}")),
                transforms: vec![
                    Transform::Scale([number().abs() + 1e-9, 1.0, 2.0]),
                    Transform::Rotate((at % 3) as u8, number()),
                    Transform::Translate([number(), number(), number()]),
                ],
                parent,
                joint: Some(AtmJoint {
                    name: "a joint".into(),
                    centre_m: [number(), number(), number()],
                    rotations,
                    freedoms,
                }),
                children: None,
            });
        }
        for own in &mut atm.segments {
            own.children = hang.remove(&own.index);
        }
        prop_assert_eq!(read(atm.to_text().as_bytes()).unwrap(), atm);
    }
}
