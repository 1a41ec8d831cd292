//! Which command takes which file, and how.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::kit::{Kit, Role};

/// Command lines of a role; `IN` is the file, and the number says how often one is chosen.
const COMMANDS: &[(Role, u32, &[&str])] = &[
    (Role::Recording, 120, READ),
    (Role::Performer, 48, READ),
    (Role::Performer, 48, SOLVE),
    // Bodies are filled with tetrahedra: one takes as long as fifty of the others.
    (
        Role::Performer,
        2,
        &[
            "run IN -o out --figure --physics --urdf --mujoco",
            "analyse IN --figure figure.atm --subject subject.json --window 0.2:0.8 -o out.motion",
        ],
    ),
    (Role::Subject, 2, &["figure IN -o out.atm", "figure IN --json"]),
    (
        Role::Figure,
        1,
        &["analyse person.c3d --figure IN --subject subject.json --window 0.2:0.8 -o out.motion"],
    ),
    (
        Role::Walk,
        16,
        &["gait IN -o out", "gait IN --json", "run IN -o out --mot-model gait2392 --json"],
    ),
    (
        Role::Hand,
        16,
        &["hand IN -o out.csv", "hand IN -o out.bvh --json", "hand calibrate IN -o out.toml"],
    ),
    (Role::HandModel, 8, &["hand hand.c3d --model IN -o out.csv"]),
    (
        Role::Subject,
        24,
        &[
            "solve person.c3d --subject IN -o out.bvh",
            "run person.c3d --subject IN -o out",
            "label person.c3d --subject IN -o out.c3d",
            "ik IN targets.csv --effectors right_wrist -o out.bvh",
            "plot person.c3d --subject IN -o out.svg",
            "fill person.c3d --subject IN --method ukf -o out.trc",
        ],
    ),
    (
        Role::Chain,
        24,
        &[
            "ik IN targets.csv --json",
            "ik IN targets.csv --track -o out.csv",
            "ik IN targets.csv --method ccd -o out.c3d",
            "ik IN targets.csv --method gauss-newton -o out.bvh",
            "ik IN targets.csv --method arc --json",
        ],
    ),
    (
        Role::Targets,
        12,
        &[
            "ik chain.json IN --json",
            "ik chain.json IN --method dls -o out.trc",
            "ik skeleton.bvh IN --effectors left_wrist -o out.bvh",
        ],
    ),
    (Role::Robot, 12, &["ik IN targets.csv --json", "ik IN targets.csv -o out.csv"]),
    (
        Role::Figure,
        20,
        &[
            "figure IN --json",
            "figure IN -o out.glb",
            "figure IN -o out.atm --force",
            "figure IN --motion figure_motion-small.motion -o out.glb",
        ],
    ),
    (Role::FigureMotion, 12, &["figure atm-small.atm --motion IN -o out.glb"]),
    (
        Role::Surface,
        20,
        &[
            "figure IN --json",
            "figure IN -o out.mesh",
            "figure IN -o out.ply",
            "figure IN --solid -o out.mesh",
            "figure IN -o out.glb",
        ],
    ),
    (
        Role::Plan,
        12,
        &["run clusters.c3d --plan IN -o out", "fit clusters.c3d --plan IN -o out.json"],
    ),
    (Role::Description, 12, &["simulate --performer IN --seconds 0.5 --rate 20 -o out"]),
    (Role::Rays, 8, &["fill clusters.c3d --method ukf --rays IN -o out.csv"]),
    (
        Role::Pointer,
        16,
        &[
            "pivot IN --json",
            "pivot IN --tool tool --robust",
            "pivot IN pointer.csv --json",
            "run IN -o out",
        ],
    ),
    (
        Role::Ball,
        16,
        &[
            "centre IN --json",
            "centre IN --robust",
            "centre IN --shape hinge",
            "centre IN --method pratt --json",
            "scale IN --distance-mm 100 --between A,A",
        ],
    ),
    (
        Role::Acclaim,
        12,
        &[
            "info IN --skeleton asf-leg.asf",
            "convert IN out.bvh --skeleton asf-leg.asf",
            "convert IN out.glb --skeleton asf-leg.asf",
            "convert amc-leg.amc out.bvh --skeleton IN",
            "run amc-leg.amc --skeleton IN -o out",
        ],
    ),
];

/// What every recording is given to.
const READ: &[&str] = &[
    "info IN",
    "info IN --json",
    "info IN --units mm --up z --assume-rate 50",
    "convert IN out.c3d",
    "convert IN out.trc",
    "convert IN out.csv",
    "convert IN out.sto",
    "convert IN out.mot",
    "convert IN out.bvh",
    "convert IN out.glb",
    "convert IN out.csv --rate 33 --out-units in --out-up y",
    "convert IN out.c3d --keep-invalid --force",
    "fill IN -o out.c3d",
    "plot IN -o out.svg",
    "groups IN --json",
    "run IN -o out",
];

/// What recordings of a performer are given to.
const SOLVE: &[&str] = &[
    "run IN -o out",
    "run IN -o out --physics --urdf --mujoco",
    "run IN -o out --by motion --json",
    "run IN person.trc -o out",
    "fit IN -o out.json",
    "solve IN --subject subject.json -o out.trc --angles angles.csv",
    "solve IN -o out.glb",
    "label IN --subject subject.json -o out.trc",
    "label IN --set cmu41 --labelled-frame 1 -o out.c3d",
    "fill IN -o out.trc --method low-rank",
    "gait IN -o out",
    "groups IN --write-plan out.toml",
    "plot IN --subject subject.json -o out.svg",
];

/// A file of the kit, and the words of a command that takes it.
pub fn any<'a>(rng: &mut ChaCha8Rng, kit: &'a Kit) -> (&'a str, Vec<String>) {
    let total: u32 = COMMANDS.iter().map(|(_, weight, _)| weight).sum();
    let mut left = rng.random_range(0..total);
    let (role, _, lines) = COMMANDS
        .iter()
        .find(|(_, weight, _)| {
            let is_it = left < *weight;
            left = left.saturating_sub(*weight);
            is_it
        })
        .unwrap_or(&COMMANDS[0]);
    let files = kit.in_role(*role);
    let file = files[rng.random_range(0..files.len())];
    let line = lines[rng.random_range(0..lines.len())];
    let words = line.split(' ').map(|word| if word == "IN" { file } else { word }.to_owned());
    (file, words.collect())
}
