//! Pictures of a figure: points and the lines between them, seen from a side.

mod colour;
mod draw;
mod png;
mod scene;
mod solids;
mod view;

pub use draw::strip;
pub use png::{from_svg, to_terminal};
pub use scene::{Dot, Scene, spread};
pub use solids::solids;
pub use view::{Heading, View};
