//! Pictures as PNG, and in the terminal.

use std::io::{self, Write};

use anyhow::Context;
use base64::Engine;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// Pixels of a PNG for one of the drawing.
const SHARPNESS: f32 = 2.0;
/// A picture is never wider or higher than this.
const MAX_PIXELS: f32 = 16_000.0;

/// A drawing as PNG.
pub fn from_svg(svg: &str) -> anyhow::Result<Vec<u8>> {
    let mut options = Options::default();
    options.fontdb_mut().load_system_fonts();
    let tree = Tree::from_str(svg, &options).context("the picture cannot be drawn")?;
    let size = tree.size();
    let zoom = SHARPNESS.min(MAX_PIXELS / size.width().max(size.height()));
    let pixels = |length: f32| (length * zoom).ceil() as u32;
    let mut pixmap =
        Pixmap::new(pixels(size.width()), pixels(size.height())).context("the picture is empty")?;
    resvg::render(&tree, Transform::from_scale(zoom, zoom), &mut pixmap.as_mut());
    pixmap.encode_png().context("the picture cannot be encoded")
}

/// How a terminal shows pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Protocol {
    /// kitty, Ghostty, Konsole.
    Kitty,
    /// iTerm2, WezTerm, mintty, VS Code.
    Iterm,
}

/// The protocol that the terminal says it knows, by its variables.
fn protocol(variable: impl Fn(&str) -> Option<String>) -> Option<Protocol> {
    let is = |name: &str, part: &str| variable(name).is_some_and(|value| value.contains(part));
    if is("TERM", "kitty") || is("TERM", "ghostty") || is("KITTY_WINDOW_ID", "") {
        return Some(Protocol::Kitty);
    }
    let programs = ["iTerm", "WezTerm", "mintty", "vscode"];
    programs.iter().any(|program| is("TERM_PROGRAM", program)).then_some(Protocol::Iterm)
}

/// Shows a PNG in the terminal; `false` if it cannot show pictures.
pub fn to_terminal(png: &[u8], out: &mut impl Write) -> io::Result<bool> {
    let Some(protocol) = protocol(|name| std::env::var(name).ok()) else { return Ok(false) };
    let text = base64::engine::general_purpose::STANDARD.encode(png);
    match protocol {
        Protocol::Iterm => {
            writeln!(out, "\x1b]1337;File=inline=1;size={};width=auto:{text}\x07", png.len())?;
        }
        Protocol::Kitty => {
            // In pieces of at most 4,096 characters, all but the last announcing more.
            let mut rest = text.as_str();
            let mut control = "a=T,f=100,";
            while !rest.is_empty() {
                let (piece, after) = rest.split_at(rest.len().min(4096));
                let more = u8::from(!after.is_empty());
                write!(out, "\x1b_G{control}m={more};{piece}\x1b\\")?;
                (rest, control) = (after, "");
            }
            writeln!(out)?;
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_is_known_by_its_variables() {
        let with = |name: &'static str, value: &'static str| {
            protocol(|asked| (asked == name).then(|| value.to_owned()))
        };
        assert_eq!(with("TERM", "xterm-kitty"), Some(Protocol::Kitty));
        assert_eq!(with("TERM_PROGRAM", "WezTerm"), Some(Protocol::Iterm));
        assert_eq!(with("TERM", "xterm-256color"), None);
    }

    #[test]
    fn a_drawing_becomes_a_picture() {
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"4\" height=\"3\">\
                   <rect width=\"4\" height=\"3\" fill=\"red\"/></svg>";
        let png = from_svg(svg).unwrap();
        let picture = Pixmap::decode_png(&png).unwrap();
        assert_eq!((picture.width(), picture.height()), (8, 6));
        assert_eq!(picture.pixel(3, 3).unwrap().red(), 255);
        assert!(from_svg("no picture").is_err());
    }
}
