//! What a C3D file says beside its samples: named groups of typed arrays, kept as they are.

/// A named group of parameters: `POINT`, `FORCE_PLATFORM`, `MANUFACTURER`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Group {
    /// The name in the file's own spelling.
    pub name: String,
    /// Free text.
    pub description: String,
    /// Whether the file asks programs not to change it.
    pub locked: bool,
    /// The parameters in file order.
    pub parameters: Vec<Parameter>,
}

/// One typed array of a group.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Parameter {
    /// The name in the file's own spelling.
    pub name: String,
    /// Free text.
    pub description: String,
    /// Whether the file asks programs not to change it.
    pub locked: bool,
    /// The lengths of the dimensions, the fastest-varying first; empty for a scalar.
    ///
    /// For text the first dimension is the length of each string in bytes.
    pub dimensions: Vec<u8>,
    /// The values in file order.
    pub data: ParameterData,
}

/// The values of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum ParameterData {
    /// Raw text bytes, as long as the product of the dimensions.
    Text(Vec<u8>),
    /// Single bytes.
    Byte(Vec<u8>),
    /// 16-bit integers as stored; some producers mean them unsigned.
    Integer(Vec<i16>),
    /// 32-bit floats.
    Real(Vec<f32>),
}

impl Default for ParameterData {
    fn default() -> Self {
        Self::Text(Vec::new())
    }
}

impl Parameter {
    /// A parameter that holds one 16-bit integer; values above 32,767 wrap and are read unsigned.
    pub fn integer(name: &str, value: u16) -> Self {
        Self::with(name, Vec::new(), ParameterData::Integer(vec![value.cast_signed()]))
    }

    /// A parameter that holds one float.
    pub fn real(name: &str, value: f32) -> Self {
        Self::with(name, Vec::new(), ParameterData::Real(vec![value]))
    }

    /// A parameter that holds a list of strings, padded with blanks to the longest.
    ///
    /// At most 255 strings of at most 127 bytes: longer ones are cut at a character boundary.
    pub fn strings<S: AsRef<str>>(name: &str, strings: &[S]) -> Self {
        let strings = &strings[..strings.len().min(255)];
        let cut = |s: &S| {
            let s = s.as_ref();
            let end = (0..=s.len().min(127)).rev().find(|&end| s.is_char_boundary(end));
            s.as_bytes()[..end.unwrap_or(0)].to_vec()
        };
        let mut rows: Vec<Vec<u8>> = strings.iter().map(cut).collect();
        let width = rows.iter().map(Vec::len).max().unwrap_or(0);
        rows.iter_mut().for_each(|row| row.resize(width, b' '));
        let dimensions = vec![width as u8, rows.len() as u8];
        Self::with(name, dimensions, ParameterData::Text(rows.concat()))
    }

    /// A parameter from its parts, with no description.
    pub fn with(name: &str, dimensions: Vec<u8>, data: ParameterData) -> Self {
        Self { name: name.to_owned(), dimensions, data, ..Self::default() }
    }

    /// The strings of a text parameter with trailing blanks and NULs removed; empty for numbers.
    ///
    /// Text that is not UTF-8 is read as Latin-1, which old producers wrote.
    pub fn to_strings(&self) -> Vec<String> {
        let ParameterData::Text(bytes) = &self.data else { return Vec::new() };
        let width = match self.dimensions.as_slice() {
            [] => 1,
            [width, ..] => usize::from(*width),
        };
        if width == 0 {
            // No byte backs these strings: only a plain list of them is believed.
            let rows = match self.dimensions.as_slice() {
                [_, rows] => usize::from(*rows),
                _ => 0,
            };
            return vec![String::new(); rows];
        }
        bytes.chunks(width).map(text_from_bytes).collect()
    }

    /// The numbers of a parameter, integers taken as signed; empty for text.
    pub fn to_numbers(&self) -> Vec<f64> {
        match &self.data {
            ParameterData::Text(_) => Vec::new(),
            ParameterData::Byte(values) => values.iter().map(|&v| f64::from(v)).collect(),
            ParameterData::Integer(values) => values.iter().map(|&v| f64::from(v)).collect(),
            ParameterData::Real(values) => values.iter().map(|&v| f64::from(v)).collect(),
        }
    }

    /// The first number, integers taken as unsigned: for counts, which are never negative.
    pub fn first_count(&self) -> Option<f64> {
        match &self.data {
            ParameterData::Text(_) => None,
            ParameterData::Byte(values) => values.first().map(|&v| f64::from(v)),
            ParameterData::Integer(values) => values.first().map(|&v| f64::from(v.cast_unsigned())),
            ParameterData::Real(values) => values.first().map(|&v| f64::from(v)),
        }
    }
}

/// Text of a fixed-width field: UTF-8 if it is, else Latin-1; trailing blanks and NULs removed.
pub(crate) fn text_from_bytes(bytes: &[u8]) -> String {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&b| char::from(b)).collect(),
    };
    text.trim_end_matches([' ', '\0']).to_owned()
}

/// The parameter `GROUP:NAME`, letter case ignored.
pub fn find<'a>(groups: &'a [Group], group: &str, name: &str) -> Option<&'a Parameter> {
    groups
        .iter()
        .filter(|g| g.name.eq_ignore_ascii_case(group))
        .flat_map(|g| &g.parameters)
        .find(|p| p.name.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_come_back_without_padding() {
        let parameter = Parameter::strings("LABELS", &["A", "LONGER", ""]);
        assert_eq!(parameter.dimensions, [6, 3]);
        assert_eq!(parameter.to_strings(), ["A", "LONGER", ""]);
    }

    #[test]
    fn strings_of_no_width_cannot_multiply() {
        let empty = |dimensions| Parameter::with("A", dimensions, ParameterData::Text(vec![]));
        assert_eq!(empty(vec![0, 3]).to_strings().len(), 3);
        assert_eq!(empty(vec![0, 255, 255, 255, 255, 255, 255]).to_strings().len(), 0);
        assert_eq!(empty(vec![0]).to_strings().len(), 0);
    }

    #[test]
    fn counts_above_32767_are_unsigned() {
        assert_eq!(Parameter::integer("FRAMES", 40_000).first_count(), Some(40_000.0));
    }
}
