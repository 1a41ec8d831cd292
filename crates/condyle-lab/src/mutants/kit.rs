//! The small files that damage begins from, in a folder of their own.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};

use super::small;

/// What a file is for: it decides which commands take it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Recording,
    /// A recording of a whole performer, for the commands that solve one.
    Performer,
    Walk,
    Hand,
    HandModel,
    Subject,
    Chain,
    Targets,
    Robot,
    Figure,
    FigureMotion,
    Surface,
    Plan,
    Description,
    Rays,
    Pointer,
    Ball,
    /// A motion that needs a skeleton, or that skeleton.
    Acclaim,
    /// What others need beside them, and nobody damages.
    Beside,
}

/// A file of the kit.
struct Part {
    name: String,
    role: Role,
    bytes: Vec<u8>,
}

/// The files, in memory and in a folder.
pub struct Kit {
    folder: tempfile::TempDir,
    parts: Vec<Part>,
}

const CHAIN: &str =
    r#"{"joints": [[0,0,0],[0,0,1],[0,0.2,2],[0,0,3],[0,0,4]], "limits": [null, 45, null, 30]}"#;
const TARGETS: &str = "x,y,z\n1,1,2\n0,-2,1.5\n7,0,0\n";
const TREE: &str = r#"{"joints": [{"name": "root", "position": [0,0,0]}, {"name": "elbow", "parent": "root", "position": [0,0,1]}, {"name": "hand", "parent": "elbow", "position": [0,0.3,2]}]}"#;

impl Kit {
    /// Makes all files, with the program that is to be tested.
    ///
    /// # Errors
    /// The program cannot make them: then there is nothing to damage.
    pub fn new(program: &Path) -> anyhow::Result<Self> {
        let mut kit = Self { folder: tempfile::tempdir()?, parts: Vec::new() };
        for small in small::files()? {
            let ending = match small.target {
                "performer" | "plan" => "toml",
                "poses" => "txt",
                "figure_motion" => "motion",
                other => other,
            };
            let role = match small.target {
                "performer" => Role::Description,
                "plan" => Role::Plan,
                "amc" | "asf" => Role::Acclaim,
                "atm" => Role::Figure,
                "figure_motion" => Role::FigureMotion,
                "mesh" | "ply" => Role::Surface,
                _ => Role::Recording,
            };
            kit.add(&format!("{}-{}.{ending}", small.target, small.name), role, small.bytes)?;
        }
        kit.add("chain.json", Role::Chain, CHAIN.into())?;
        kit.add("tree.json", Role::Chain, TREE.into())?;
        kit.add("targets.csv", Role::Targets, TARGETS.into())?;
        kit.add("pointer.csv", Role::Pointer, pointer().into_bytes())?;
        kit.add("ball.csv", Role::Ball, ball().into_bytes())?;
        kit.add("keypoints.npy", Role::Recording, keypoints())?;
        kit.performers(program)?;
        Ok(kit)
    }

    /// What the program itself makes: performers, what is solved of them, and what that is written as.
    fn performers(&mut self, program: &Path) -> anyhow::Result<()> {
        let made = tempfile::tempdir()?;
        let at = made.path();
        let call = |words: &str| call(program, at, words);
        call(
            "simulate -o person --seconds 1.5 --rate 20 --markers cmu41 --noise-mm 1 --occlusion 0.05",
        )?;
        call("simulate -o clusters --seconds 1.5 --rate 20 --cameras 5")?;
        call("simulate -o walk --routine walk --seconds 2 --rate 50 --markers plug-in-gait")?;
        call("simulate -o dog --performer dog --seconds 1 --rate 20 --to csv")?;
        call("simulate -o arm --performer arm --seconds 2 --rate 20 --to trc")?;
        call("simulate -o hand --performer hand --seconds 1 --rate 20")?;
        call("simulate -o sensors --sensors --seconds 1 --rate 20 --to csv")?;
        call("simulate -o filmed --keypoints --seconds 1 --rate 20 --to csv")?;
        call("run person/recording.c3d -o out --figure --urdf --mujoco --physics --weight-kg 70")?;
        call("convert person/recording.c3d person.trc")?;
        call("hand calibrate hand/recording.c3d -o hand.toml")?;
        let files = [
            ("person/recording.c3d", "person.c3d", Role::Performer),
            ("person.trc", "person.trc", Role::Performer),
            ("clusters/recording.c3d", "clusters.c3d", Role::Performer),
            ("clusters/rays.csv", "rays.csv", Role::Rays),
            ("walk/recording.c3d", "walk.c3d", Role::Walk),
            ("dog/recording.csv", "dog.csv", Role::Performer),
            ("arm/recording.trc", "arm.trc", Role::Performer),
            ("sensors/recording.csv", "sensors.csv", Role::Performer),
            ("filmed/recording.csv", "filmed.csv", Role::Performer),
            ("hand/recording.c3d", "hand.c3d", Role::Hand),
            ("hand.toml", "hand.toml", Role::HandModel),
            ("out/recording/subject.json", "subject.json", Role::Subject),
            ("out/recording/skeleton.bvh", "skeleton.bvh", Role::Recording),
            ("out/recording/angles.mot", "angles.mot", Role::Recording),
            ("out/recording/subject.urdf", "robot.urdf", Role::Robot),
            ("out/recording/figure.atm", "figure.atm", Role::Figure),
        ];
        for (from, name, role) in files {
            let bytes = fs::read(at.join(from)).with_context(|| from.to_owned())?;
            self.add(name, role, bytes)?;
        }
        for entry in fs::read_dir(at.join("out/recording"))? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if name.ends_with(".mesh") {
                self.add(&name, Role::Beside, fs::read(path)?)?;
            }
        }
        // What the small figure asks for.
        for name in ["a.mesh", "b.mesh"] {
            let like = self.parts.iter().find(|part| part.name == "mesh-small.mesh");
            let bytes = like.map_or_else(Vec::new, |part| part.bytes.clone());
            self.add(name, Role::Beside, bytes)?;
        }
        Ok(())
    }

    fn add(&mut self, name: &str, role: Role, bytes: Vec<u8>) -> anyhow::Result<()> {
        fs::write(self.folder.path().join(name), &bytes)?;
        self.parts.push(Part { name: name.to_owned(), role, bytes });
        Ok(())
    }

    /// Links all files into a folder.
    pub fn put(&self, folder: &Path) -> anyhow::Result<()> {
        for part in &self.parts {
            let from = self.folder.path().join(&part.name);
            let to = folder.join(&part.name);
            if fs::hard_link(&from, &to).is_err() {
                fs::copy(from, to)?;
            }
        }
        Ok(())
    }

    /// How many files there are.
    pub fn count(&self) -> usize {
        self.parts.len()
    }

    /// The content of a file.
    pub fn bytes(&self, index: usize) -> &[u8] {
        &self.parts[index].bytes
    }

    /// The content of the file with a name; nothing if there is none.
    pub fn named(&self, name: &str) -> &[u8] {
        self.parts.iter().find(|part| part.name == name).map_or(&[], |part| &part.bytes)
    }

    /// The names of the files in a role.
    pub fn in_role(&self, role: Role) -> Vec<&str> {
        self.parts.iter().filter(|part| part.role == role).map(|part| part.name.as_str()).collect()
    }

    /// Whether a file is of the kit, and not written by a command.
    pub fn has(&self, name: &str) -> bool {
        self.parts.iter().any(|part| part.name == name)
    }
}

fn call(program: &Path, folder: &Path, words: &str) -> anyhow::Result<()> {
    let ran = Command::new(program).args(words.split(' ')).current_dir(folder).output()?;
    if !ran.status.success() {
        bail!("condyle {words}: {}", String::from_utf8_lossy(&ran.stderr));
    }
    Ok(())
}

/// A tracked tool whose tip rests while it turns.
fn pointer() -> String {
    let mut text = "frame,time_s,tool_x,tool_y,tool_z,tool_qw,tool_qx,tool_qy,tool_qz\n".to_owned();
    for frame in 0..40 {
        let (a, b) = (0.2 * f64::from(frame), 0.6 * (0.31 * f64::from(frame)).sin());
        // About z by a, then the tip 0.2 m below the tool tilts by b about x.
        let q = [(a / 2.0).cos() * (b / 2.0).cos(), (a / 2.0).cos() * (b / 2.0).sin()];
        let q = [q[0], q[1], (a / 2.0).sin() * (b / 2.0).sin(), (a / 2.0).sin() * (b / 2.0).cos()];
        let up = [b.sin() * a.sin(), -b.sin() * a.cos(), b.cos()].map(|c| 0.2 * c);
        let cells = up.iter().chain(&q).map(|c| format!(",{c:.6}")).collect::<String>();
        text.push_str(&format!("{},{}{cells}\n", frame + 1, f64::from(frame) / 50.0));
    }
    text
}

/// A marker on a sphere.
fn ball() -> String {
    let mut text = "frame,time_s,A_x,A_y,A_z\n".to_owned();
    for frame in 0..60 {
        let (a, b) = (0.37 * f64::from(frame), (0.11 * f64::from(frame)).sin());
        let at = [b.cos() * a.cos(), b.cos() * a.sin(), b.sin()].map(|c| 0.1 + 0.4 * c);
        let [x, y, z] = at;
        text.push_str(&format!("{},{},{x},{y},{z}\n", frame + 1, f64::from(frame) / 100.0));
    }
    text
}

/// An array of NumPy: frames, 33 points, 3 coordinates.
fn keypoints() -> Vec<u8> {
    let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (8, 33, 3), }";
    let mut bytes = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    bytes.extend(format!("{header:<117}\n").bytes());
    for number in 0..8 * 33 * 3_u16 {
        bytes.extend((f32::from(number % 97) / 50.0).to_le_bytes());
    }
    bytes
}
