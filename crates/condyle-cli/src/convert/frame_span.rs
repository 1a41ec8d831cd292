//! A stretch of frames as the command line says it.

/// The first and the last frame to keep, counted from 1; `None` for an open end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameSpan {
    pub first: Option<usize>,
    pub last: Option<usize>,
}

/// Reads `A:B`, `A:`, `:B` or `A`.
pub fn frame_span(text: &str) -> Result<FrameSpan, String> {
    let wrong = || format!("need A:B, A:, :B or A with frames counted from 1, got '{text}'");
    let end = |text: &str| match text {
        "" => Ok(None),
        text => text.parse().ok().filter(|&frame| frame > 0).map(Some).ok_or_else(wrong),
    };
    let (first, last) = text.split_once(':').unwrap_or((text, text));
    let span = FrameSpan { first: end(first)?, last: end(last)? };
    match span {
        FrameSpan { first: None, last: None } => Err(wrong()),
        FrameSpan { first: Some(first), last: Some(last) } if first > last => {
            Err(format!("need the first frame before the last, got {first} after {last}"))
        }
        span => Ok(span),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_spans_of_frames_with_open_ends() {
        let span = |first, last| Ok(FrameSpan { first, last });
        assert_eq!(frame_span("3:7"), span(Some(3), Some(7)));
        assert_eq!(frame_span("3:"), span(Some(3), None));
        assert_eq!(frame_span(":7"), span(None, Some(7)));
        assert_eq!(frame_span("3"), span(Some(3), Some(3)));
        assert!(frame_span("7:3").unwrap_err().contains("got 7 after 3"));
        for wrong in ["", ":", "0", "0:4", "7:3", "a:b", "1:2:3", "-1:4"] {
            assert!(frame_span(wrong).is_err(), "{wrong}");
        }
    }
}
