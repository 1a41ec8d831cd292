//! Meshes in bytes (`.meshb`).
//!
//! A number 1 that tells the byte order, a version, then blocks: keyword, place of the next block, count, rows.

use std::io::{self, Read, Write};

use super::check::{self, Places};
use super::keyword::{ALL, Keyword};
use super::{Mesh, Rows, neighbours};
use crate::error::{Error, ErrorKind, Result};
use crate::note::Note;

/// Which byte of a number comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Little,
    Big,
}

const DIMENSION: i32 = 3;
const END: i32 = 54;
/// Bytes that are read or written at once.
const PIECE: usize = 1 << 16;

/// The byte order of a binary file; `None` of anything else.
pub(super) fn byte_order(head: &[u8]) -> Option<Order> {
    match head.first_chunk()? {
        [1, 0, 0, 0] => Some(Order::Little),
        [0, 0, 0, 1] => Some(Order::Big),
        _ => None,
    }
}

/// A file that comes piece by piece, so that its bytes never take memory of their own.
struct Source<R> {
    from: R,
    /// Bytes that were read, and those that there are.
    at: u64,
    size: u64,
    order: Order,
    /// Used again for every piece.
    piece: Vec<u8>,
}

impl<R: Read> Source<R> {
    fn too_short(&self, need: usize) -> Error {
        let left = self.size - self.at;
        Error::at_byte(self.at, format!("number: need {need} bytes, got {left}"))
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<()> {
        if bytes.len() as u64 > self.size - self.at {
            return Err(self.too_short(bytes.len()));
        }
        // A file may be cut while it is read.
        self.from.read_exact(bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => self.too_short(bytes.len()),
            _ => error.into(),
        })?;
        self.at += bytes.len() as u64;
        Ok(())
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    /// The next bytes, [`PIECE`] of them or as many as are asked for.
    fn piece(&mut self, length: usize) -> Result<&[u8]> {
        let mut piece = std::mem::take(&mut self.piece);
        piece.resize(length.max(piece.len()), 0);
        let filled = self.fill(&mut piece[..length]);
        self.piece = piece;
        filled?;
        Ok(&self.piece[..length])
    }

    fn skip_to(&mut self, place: u64) -> Result<()> {
        self.at += io::copy(&mut (&mut self.from).take(place - self.at), &mut io::sink())?;
        if self.at < place { Err(self.too_short(1)) } else { Ok(()) }
    }

    fn i32(&mut self) -> Result<i32> {
        let bytes = self.take()?;
        Ok(match self.order {
            Order::Little => i32::from_le_bytes(bytes),
            Order::Big => i32::from_be_bytes(bytes),
        })
    }

    /// A place in the file: of 64 bits from version 3 on.
    fn place(&mut self, version: i32) -> Result<u64> {
        if version < 3 {
            return Ok(u64::from(self.i32()? as u32));
        }
        let bytes = self.take()?;
        Ok(match self.order {
            Order::Little => u64::from_le_bytes(bytes),
            Order::Big => u64::from_be_bytes(bytes),
        })
    }
}

/// Reads a file of so many bytes.
pub(super) fn read(from: impl Read, size: u64, order: Order) -> Result<(Mesh, Vec<Note>)> {
    let mut source = Source { from, at: 0, size, order, piece: Vec::new() };
    source.i32()?;
    let version = source.i32()?;
    if !(1..=3).contains(&version) {
        return Err(Error::at_byte(4, format!("version: need 1, 2 or 3, got {version}")));
    }
    let (mut mesh, mut notes, mut starts) = (Mesh::default(), Vec::new(), Vec::new());
    let mut skipped: Vec<String> = Vec::new();
    loop {
        let start = source.at;
        // Some programs end without the last keyword.
        if start == size {
            break;
        }
        let code = source.i32()?;
        let next = source.place(version)?;
        if code == END {
            break;
        }
        if code == DIMENSION {
            let dimension = source.i32()?;
            if dimension != 3 {
                let what = format!("dimension: need 3, got {dimension}");
                return Err(Error::at_byte(source.at - 4, what));
            }
        } else if let Some(keyword) = ALL.into_iter().find(|own| own.code() == Some(code)) {
            let rows = field(&mut source, keyword, version, &mut starts)?;
            if mesh.fields.insert(keyword, rows).is_some() {
                let what = format!("{}: need it once, got it twice", keyword.name());
                return Err(Error::at_byte(start, what));
            }
        } else {
            skipped.push(code.to_string());
        }
        if next == 0 {
            break;
        }
        if !(source.at..=size).contains(&next) {
            let what = format!("next block: need one after {}, got {next}", source.at);
            return Err(Error::at_byte(start + 4, what));
        }
        source.skip_to(next)?;
    }
    if !skipped.is_empty() {
        skipped.truncate(8);
        let text = format!("fields of other kinds were skipped: {}", skipped.join(", "));
        notes.push(Note::new("mesh-fields-skipped", text));
    }
    let places = Places::Bytes { starts: &starts };
    check::check(&mut mesh, &places)?;
    neighbours::check(&mut mesh, &places, &mut notes)?;
    Ok((mesh, notes))
}

fn field(
    source: &mut Source<impl Read>,
    keyword: Keyword,
    version: i32,
    starts: &mut Vec<(Keyword, usize, usize)>,
) -> Result<Rows> {
    let at = source.at;
    let count = source.i32()?;
    let (reals, integers) = (keyword.reals(), keyword.integers().len());
    let real_size = if version == 1 { 4 } else { 8 };
    let row_size = reals * real_size + integers * 4;
    let room = (source.size - source.at) / row_size as u64;
    let wanted = count as u32;
    let count = usize::try_from(count).ok().filter(|count| *count as u64 <= room);
    let count = count.ok_or_else(|| {
        Error::at_byte(at, format!("{}: need {wanted} rows, got room for {room}", keyword.name()))
    })?;
    starts.push((keyword, source.at as usize, row_size));
    let order = source.order;
    let whole = |word: &[u8; 4]| match order {
        Order::Little => u32::from_le_bytes(*word),
        Order::Big => u32::from_be_bytes(*word),
    };
    let single = |word: &[u8; 4]| f64::from(f32::from_bits(whole(word)));
    let double = |word: &[u8; 8]| match order {
        Order::Little => f64::from_le_bytes(*word),
        Order::Big => f64::from_be_bytes(*word),
    };
    let mut rows = Rows {
        reals: Vec::with_capacity(count * reals),
        integers: Vec::with_capacity(count * integers),
        count,
    };
    let mut left = count * row_size;
    while left > 0 {
        let length = left.min(PIECE / row_size * row_size);
        let piece = source.piece(length)?;
        left -= length;
        if reals == 0 {
            // One array, and most of a file.
            rows.integers.extend(piece.as_chunks().0.iter().map(|word| whole(word) as i32));
            continue;
        }
        for row in piece.chunks_exact(row_size) {
            let (head, tail) = row.split_at(reals * real_size);
            match real_size {
                4 => rows.reals.extend(head.as_chunks().0.iter().map(single)),
                _ => rows.reals.extend(head.as_chunks().0.iter().map(double)),
            }
            rows.integers.extend(tail.as_chunks().0.iter().map(|word| whole(word) as i32));
        }
    }
    Ok(rows)
}

/// Numbers put into bytes.
struct Bytes {
    bytes: Vec<u8>,
    order: Order,
}

impl Bytes {
    fn u32(&mut self, value: u32) {
        self.bytes.extend(match self.order {
            Order::Little => value.to_le_bytes(),
            Order::Big => value.to_be_bytes(),
        });
    }

    fn u64(&mut self, value: u64) {
        self.bytes.extend(match self.order {
            Order::Little => value.to_le_bytes(),
            Order::Big => value.to_be_bytes(),
        });
    }

    /// Many numbers of one kind, by the bytes of each.
    fn all<T: Copy, const N: usize>(&mut self, values: &[T], bytes: impl Fn(T) -> [u8; N]) {
        let start = self.bytes.len();
        self.bytes.resize(start + N * values.len(), 0);
        let places = self.bytes[start..].as_chunks_mut().0;
        places.iter_mut().zip(values).for_each(|(place, value)| *place = bytes(*value));
    }

    fn whole(&mut self, values: &[i32]) {
        match self.order {
            Order::Little => self.all(values, i32::to_le_bytes),
            Order::Big => self.all(values, i32::to_be_bytes),
        }
    }

    fn real(&mut self, values: &[f64], is_single: bool) {
        match (self.order, is_single) {
            (Order::Little, true) => self.all(values, |value| (value as f32).to_le_bytes()),
            (Order::Big, true) => self.all(values, |value| (value as f32).to_be_bytes()),
            (Order::Little, false) => self.all(values, f64::to_le_bytes),
            (Order::Big, false) => self.all(values, f64::to_be_bytes),
        }
    }

    /// A place in the file: of 64 bits in version 3.
    fn place(&mut self, place: u64, version: u32) {
        match version {
            3 => self.u64(place),
            _ => self.u32(place as u32),
        }
    }
}

pub(super) fn write(mesh: &Mesh, order: Order, out: &mut impl Write) -> Result<Vec<Note>> {
    let is_single = mesh.is_single();
    let real_size: u64 = if is_single { 4 } else { 8 };
    let (fields, textual): (Vec<_>, Vec<_>) =
        mesh.fields.iter().partition(|(keyword, _)| keyword.code().is_some());
    let size = |rows: &Rows| rows.reals.len() as u64 * real_size + rows.integers.len() as u64 * 4;
    let total: u64 = 32 + fields.iter().map(|(_, rows)| 16 + size(rows)).sum::<u64>();
    let version: u32 = match (is_single, u32::try_from(total)) {
        (_, Err(_)) => 3,
        (true, _) => 1,
        (false, _) => 2,
    };
    if version == 3 && is_single {
        return Err(ErrorKind::CannotHold("meshb: need at most 4 GiB".to_owned()).into());
    }
    let head: u64 = if version == 3 { 12 } else { 8 };
    let mut bytes = Bytes { bytes: Vec::new(), order };
    bytes.u32(1);
    bytes.u32(version);
    bytes.u32(DIMENSION as u32);
    let mut at = 8 + head + 4;
    bytes.place(at, version);
    bytes.u32(3);
    for (keyword, rows) in fields {
        let integers = keyword.integers().len();
        let reals = keyword.reals();
        at += head + 4 + size(rows);
        bytes.u32(keyword.code().unwrap_or(0) as u32);
        bytes.place(at, version);
        bytes.u32(rows.count as u32);
        // One array where there are no real numbers, and a good many of its rows at a time.
        let step = if reals == 0 { PIECE / (4 * integers.max(1)) } else { 1 };
        for row in (0..rows.count).step_by(step) {
            let end = rows.count.min(row + step);
            bytes.real(&rows.reals[row * reals..end * reals], is_single);
            bytes.whole(&rows.integers[row * integers..end * integers]);
            if bytes.bytes.len() >= PIECE {
                out.write_all(&bytes.bytes)?;
                bytes.bytes.clear();
            }
        }
    }
    bytes.u32(END as u32);
    bytes.place(0, version);
    out.write_all(&bytes.bytes)?;
    let names: Vec<&str> = textual.iter().map(|(keyword, _)| keyword.name()).collect();
    Ok(match names[..] {
        [] => Vec::new(),
        _ => {
            let text = format!("meshb has no place for {}: left out", names.join(", "));
            vec![Note::new("mesh-fields-left-out", text)]
        }
    })
}
