//! A C3D file built field by field, each of them free to be wrong.

use std::io::Cursor;

use condyle::format::{ReadOptions, c3d};
use condyle::trial::{Group, Parameter, ParameterData, Trial};
use condyle::{Error, Result};

/// The size of a block.
pub const BLOCK: usize = 512;
/// How many blocks the parameters take, unless a test says otherwise.
pub const PARAMETER_BLOCKS: u8 = 4;
/// The block where the samples start, unless a test says otherwise.
pub const DATA_BLOCK: u16 = 6;

/// What a file says; a new one is well formed, Intel, in millimetres, and reads without a note.
pub struct File {
    pub leading_zeros: usize,
    pub parameter_block: u8,
    pub parameter_blocks: u8,
    pub processor: u8,
    pub points: u16,
    pub analog_per_frame: u16,
    pub first_frame: u16,
    pub last_frame: u16,
    pub scale: f32,
    pub data_block: u16,
    pub analog_ratio: u16,
    pub rate_hz: f32,
    pub events: Vec<(&'static str, f32)>,
    pub groups: Vec<Group>,
    /// Records after those of `groups`, byte by byte.
    pub records: Vec<u8>,
    /// The samples, byte by byte.
    pub data: Vec<u8>,
}

/// A frame of points: coordinates and the fourth word of each.
pub type Frame = Vec<[f32; 4]>;

/// Frames of valid points that differ from each other in every coordinate.
pub fn frames(points: usize, frames: usize) -> Vec<Frame> {
    let place = |f: usize, p: usize| [1.0 + f as f32, 10.0 * (1 + p) as f32, 1000.0, 0.0];
    (0..frames).map(|f| (0..points).map(|p| place(f, p)).collect()).collect()
}

/// Someone who stands upright along z, in numbers that are millimetres times a factor.
pub fn standing(factor: f32) -> Vec<Frame> {
    let place = |p: usize| [100.0 * p as f32, 50.0, 50.0 + 330.0 * p as f32].map(|v| v * factor);
    let frame: Frame = (0..6).map(place).map(|[x, y, z]| [x, y, z, 0.0]).collect();
    vec![frame; 3]
}

impl File {
    /// A file of 32-bit floats.
    pub fn float(frames: &[Frame]) -> Self {
        let words = frames.iter().flatten().flatten();
        Self::with(frames, -1.0, words.flat_map(|word| word.to_le_bytes()).collect())
    }

    /// A file of 16-bit integers that hold the frames' numbers as they are.
    pub fn integer(frames: &[Frame]) -> Self {
        let words = frames.iter().flatten().flatten();
        Self::with(frames, 1.0, words.flat_map(|word| (*word as i16).to_le_bytes()).collect())
    }

    fn with(frames: &[Frame], scale: f32, data: Vec<u8>) -> Self {
        let points = frames.first().map_or(0, Vec::len);
        let labels: Vec<String> = (0..points).map(|p| format!("M{p}")).collect();
        let mut file = Self {
            leading_zeros: 0,
            parameter_block: 2,
            parameter_blocks: PARAMETER_BLOCKS,
            processor: 84,
            points: points as u16,
            analog_per_frame: 0,
            first_frame: 1,
            last_frame: frames.len().min(65_535) as u16,
            scale,
            data_block: DATA_BLOCK,
            analog_ratio: 1,
            rate_hz: 100.0,
            events: Vec::new(),
            groups: Vec::new(),
            records: Vec::new(),
            data,
        };
        file.set("POINT", Parameter::integer("USED", file.points));
        file.set("POINT", Parameter::integer("FRAMES", file.last_frame));
        file.set("POINT", Parameter::real("SCALE", scale));
        file.set("POINT", Parameter::real("RATE", 100.0));
        file.set("POINT", Parameter::strings("LABELS", &labels));
        file.set("POINT", Parameter::strings("UNITS", &["mm"]));
        file.set("POINT", Parameter::strings("Y_SCREEN", &["+Z"]));
        file
    }

    /// A file of analog samples alone: one 16-bit number a channel and frame.
    pub fn analog<const CHANNELS: usize>(samples: &[[u16; CHANNELS]]) -> Self {
        let mut file = Self::with(&[], 1.0, Vec::new());
        let labels: Vec<String> = (0..CHANNELS).map(|c| format!("C{c}")).collect();
        file.last_frame = samples.len() as u16;
        file.analog_per_frame = CHANNELS as u16;
        file.data = samples.as_flattened().iter().flat_map(|s| s.to_le_bytes()).collect();
        file.set("POINT", Parameter::integer("FRAMES", file.last_frame));
        file.set("ANALOG", Parameter::integer("USED", CHANNELS as u16));
        file.set("ANALOG", Parameter::real("RATE", 100.0));
        file.set("ANALOG", Parameter::strings("LABELS", &labels));
        file
    }

    /// Replaces a parameter, or adds it.
    pub fn set(&mut self, group: &str, parameter: Parameter) {
        self.remove(group, &parameter.name);
        let index = self.groups.iter().position(|g| g.name == group).unwrap_or_else(|| {
            self.groups.push(Group { name: group.into(), ..Group::default() });
            self.groups.len() - 1
        });
        self.groups[index].parameters.push(parameter);
    }

    /// Replaces a parameter by a list of 16-bit integers.
    pub fn set_integers(&mut self, group: &str, name: &str, values: &[i16]) {
        let dimensions = vec![values.len() as u8];
        let data = ParameterData::Integer(values.to_vec());
        self.set(group, Parameter::with(name, dimensions, data));
    }

    /// Takes a parameter out.
    pub fn remove(&mut self, group: &str, name: &str) {
        for group in self.groups.iter_mut().filter(|g| g.name == group) {
            group.parameters.retain(|p| p.name != name);
        }
    }

    /// Adds rotations in a section of their own: matrices by columns, each with its residual.
    pub fn add_rotations(&mut self, bodies: u16, records: &[[f32; 17]]) {
        self.data.resize(self.data.len().next_multiple_of(BLOCK), 0);
        let block = DATA_BLOCK + (self.data.len() / BLOCK) as u16;
        self.data.extend(records.iter().flatten().flat_map(|v| v.to_le_bytes()));
        self.set("ROTATION", Parameter::integer("USED", bodies));
        self.set("ROTATION", Parameter::integer("DATA_START", block));
        self.set("ROTATION", Parameter::strings("LABELS", &["pelvis", "thigh"]));
    }

    /// The file as it would lie on a disk.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.header();
        bytes.resize((usize::from(self.parameter_block) - 1) * BLOCK, 0);
        let mut section = vec![1, 0x50, self.parameter_blocks, self.processor];
        for (index, group) in self.groups.iter().enumerate() {
            let id = 1 + index as i8;
            section.extend(record(&group.name, -id, &[0]));
            for parameter in &group.parameters {
                section.extend(record(&parameter.name, id, &body(parameter)));
            }
        }
        section.extend(&self.records);
        let room = usize::from(self.parameter_blocks) * BLOCK;
        assert!(section.len() + 2 <= room, "parameters need more than {room} bytes");
        section.resize(room, 0);
        bytes.extend(section);
        bytes.extend(&self.data);
        [vec![0; self.leading_zeros], bytes].concat()
    }

    fn header(&self) -> Vec<u8> {
        let mut header = vec![0; BLOCK];
        (header[0], header[1]) = (self.parameter_block, 0x50);
        let mut put = |at: usize, bytes: &[u8]| header[at..at + bytes.len()].copy_from_slice(bytes);
        let counts = [self.points, self.analog_per_frame, self.first_frame, self.last_frame];
        for (index, count) in counts.into_iter().enumerate() {
            put(2 + 2 * index, &count.to_le_bytes());
        }
        put(12, &self.scale.to_le_bytes());
        put(16, &self.data_block.to_le_bytes());
        put(18, &self.analog_ratio.to_le_bytes());
        put(20, &self.rate_hz.to_le_bytes());
        put(298, &12_345u16.to_le_bytes());
        put(300, &(self.events.len() as u16).to_le_bytes());
        for (index, (label, time_s)) in self.events.iter().enumerate() {
            put(304 + 4 * index, &time_s.to_le_bytes());
            put(396 + 4 * index, label.as_bytes());
        }
        header
    }

    /// Reads the file with nothing known better.
    pub fn read(&self) -> Trial {
        self.read_with(&ReadOptions::default())
    }

    /// Reads the file.
    pub fn read_with(&self, options: &ReadOptions) -> Trial {
        c3d::read(Cursor::new(self.bytes()), options).unwrap()
    }

    /// Why the file cannot be read.
    pub fn last_fit_error(&self) -> Error {
        read(&self.bytes()).unwrap_err()
    }
}

/// Reads bytes with nothing known better.
pub fn read(bytes: &[u8]) -> Result<Trial> {
    c3d::read(Cursor::new(bytes), &ReadOptions::default())
}

/// A group or parameter record whose pointer leads to the record that follows it.
pub fn record(name: &str, id: i8, body: &[u8]) -> Vec<u8> {
    record_pointing(name, id, body.len() as u16 + 2, body)
}

/// A group or parameter record with a pointer of one's own.
pub fn record_pointing(name: &str, id: i8, pointer: u16, body: &[u8]) -> Vec<u8> {
    let mut record = vec![name.len() as u8, id.cast_unsigned()];
    record.extend(name.as_bytes());
    record.extend(pointer.to_le_bytes());
    record.extend(body);
    record
}

/// What follows the pointer of a parameter record; the description is empty.
pub fn body(parameter: &Parameter) -> Vec<u8> {
    let (kind, values): (i8, Vec<u8>) = match &parameter.data {
        ParameterData::Text(bytes) => (-1, bytes.clone()),
        ParameterData::Byte(bytes) => (1, bytes.clone()),
        ParameterData::Integer(values) => {
            (2, values.iter().flat_map(|v| v.to_le_bytes()).collect())
        }
        ParameterData::Real(values) => (4, values.iter().flat_map(|v| v.to_le_bytes()).collect()),
    };
    let mut body = vec![kind.cast_unsigned(), parameter.dimensions.len() as u8];
    body.extend(&parameter.dimensions);
    body.extend(values);
    body.push(0);
    body
}

/// The codes of a trial's notes, in order.
pub fn codes(trial: &Trial) -> Vec<&str> {
    trial.notes.iter().map(|note| &*note.code).collect()
}

/// The place of a marker in a frame in millimetres, rounded to a micrometre.
pub fn place_mm(trial: &Trial, marker: usize, frame: usize) -> Option<[f64; 3]> {
    let p = trial.markers[marker].position_m(frame)?;
    Some([p.x, p.y, p.z].map(|v| (v * 1e6).round() / 1e3))
}
