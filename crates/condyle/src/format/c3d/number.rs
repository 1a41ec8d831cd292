//! Numbers as the three families of machines store them.

use crate::trial::Processor;

/// A number as a 32-bit float, where that is finite.
pub(super) fn single(number: f64) -> Option<f32> {
    Some(number as f32).filter(|single| single.is_finite())
}

/// A 16-bit unsigned integer.
pub(super) fn u16_from(processor: Processor, bytes: [u8; 2]) -> u16 {
    match processor {
        Processor::Intel | Processor::Dec => u16::from_le_bytes(bytes),
        Processor::Mips => u16::from_be_bytes(bytes),
    }
}

/// A 32-bit float.
pub(super) fn f32_from(processor: Processor, bytes: [u8; 4]) -> f32 {
    match processor {
        Processor::Intel => f32::from_le_bytes(bytes),
        Processor::Dec => f32_from_vax(bytes),
        Processor::Mips => f32::from_be_bytes(bytes),
    }
}

/// The bytes of a 16-bit unsigned integer.
pub(super) fn u16_to(processor: Processor, value: u16) -> [u8; 2] {
    match processor {
        Processor::Intel | Processor::Dec => value.to_le_bytes(),
        Processor::Mips => value.to_be_bytes(),
    }
}

/// The bytes of a 32-bit float.
pub(super) fn f32_to(processor: Processor, value: f32) -> [u8; 4] {
    match processor {
        Processor::Intel => value.to_le_bytes(),
        Processor::Dec => vax_from_f32(value),
        Processor::Mips => value.to_be_bytes(),
    }
}

/// The IEEE value of a VAX F float.
///
/// VAX stores the high 16-bit word first, each word little-endian, with the exponent biased by 128
/// and the fraction as 0.1f: four times the IEEE value of the same bits. Exponent zero is zero.
#[inline(always)]
pub(super) fn f32_from_vax(bytes: [u8; 4]) -> f32 {
    let bits = u32::from_le_bytes(bytes).rotate_left(16);
    let exponent = (bits >> 23) & 0xff;
    if exponent > 2 {
        f32::from_bits(bits - (2 << 23))
    } else if exponent == 0 {
        0.0
    } else {
        f32::from_bits(bits) * 0.25
    }
}

/// The VAX F float nearest to an IEEE value; too large or not finite becomes the largest.
fn vax_from_f32(value: f32) -> [u8; 4] {
    const LARGEST: u32 = 0x7fff_ffff;
    let bits = value.to_bits();
    let exponent = (bits >> 23) & 0xff;
    let vax = match exponent {
        0 => (value * 4.0).to_bits(),
        253.. => (bits & 0x8000_0000) | LARGEST,
        _ => bits + (2 << 23),
    };
    // What is still below the smallest exponent has no VAX form but zero.
    let vax = if (vax >> 23) & 0xff == 0 { 0 } else { vax };
    vax.rotate_left(16).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_the_vax_floats_of_the_manual() {
        assert_eq!(f32_from_vax([0x80, 0x40, 0, 0]), 1.0);
        assert_eq!(f32_from_vax([0x80, 0xc0, 0, 0]), -1.0);
        assert_eq!(f32_from_vax([0, 0, 0, 0]), 0.0);
        assert_eq!(f32_from_vax([0x49, 0x41, 0xdb, 0x0f]), std::f32::consts::PI * 4.0 / 4.0);
    }

    proptest! {
        #[test]
        fn every_machine_returns_what_it_was_given(
            value in (-1e30f32..1e30).prop_filter("VAX range", |v| v.abs() > 1e-30 || *v == 0.0),
            word: u16,
        ) {
            for processor in [Processor::Intel, Processor::Dec, Processor::Mips] {
                prop_assert_eq!(f32_from(processor, f32_to(processor, value)), value);
                prop_assert_eq!(u16_from(processor, u16_to(processor, word)), word);
            }
        }

        #[test]
        fn no_vax_bit_pattern_is_infinite_or_nan(bytes: [u8; 4]) {
            prop_assert!(f32_from_vax(bytes).is_finite());
        }
    }
}
