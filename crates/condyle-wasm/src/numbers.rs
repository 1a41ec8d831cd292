//! Rows of numbers that lie in the module's memory until the next call.

use condyle::nalgebra::{Isometry3, Point3};
use condyle::trial::Note;
use serde_json::{Value, json};

/// What an answer points to that nothing else holds.
#[derive(Default)]
pub struct Numbers {
    f64s: Vec<f64>,
    bytes: Vec<u8>,
}

impl Numbers {
    /// Holds numbers until the next call; where they are.
    pub fn hold(&mut self, f64s: Vec<f64>) -> Value {
        self.f64s = f64s;
        of_f64s(&self.f64s)
    }

    /// The same, of an iterator, in memory that is used again.
    pub fn collect(&mut self, f64s: impl Iterator<Item = f64>) -> Value {
        self.f64s.clear();
        self.f64s.extend(f64s);
        of_f64s(&self.f64s)
    }

    /// Holds bytes until the next call; where they are.
    pub fn hold_bytes(&mut self, bytes: Vec<u8>) -> Value {
        self.bytes = bytes;
        of_bytes(&self.bytes)
    }

    /// A file, and what it cannot hold.
    pub fn file(&mut self, bytes: Vec<u8>, notes: &[Note]) -> Value {
        json!({ "bytes": self.hold_bytes(bytes), "notes": notes })
    }
}

/// Where numbers are in the module's memory.
pub fn of_f64s(f64s: &[f64]) -> Value {
    json!({ "at": f64s.as_ptr().addr(), "length": f64s.len(), "type": "f64" })
}

/// Where bytes are.
pub fn of_bytes<T>(bytes: &[T]) -> Value {
    const { assert!(size_of::<T>() == 1) };
    json!({ "at": bytes.as_ptr().addr(), "length": bytes.len(), "type": "u8" })
}

/// The numbers in bytes, in the order of the module's machine.
pub fn f64s(data: &[u8]) -> Vec<f64> {
    data.as_chunks::<8>().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect()
}

/// A quaternion w, x, y, z and a place; NaN where there is none.
pub fn pose(pose: Option<Isometry3<f64>>) -> [f64; 7] {
    pose.map_or([f64::NAN; 7], |pose| {
        let (q, at) = (pose.rotation.quaternion(), pose.translation.vector);
        [q.w, q.i, q.j, q.k, at.x, at.y, at.z]
    })
}

/// x, y, z; NaN where there is none.
pub fn place(at_m: Option<Point3<f64>>) -> [f64; 3] {
    at_m.map_or([f64::NAN; 3], Into::into)
}
