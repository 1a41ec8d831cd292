//! Pictures of a figure: points and the lines between them, seen from a side.

mod draw;
mod limb;
mod png;
mod scene;
mod stick;
mod view;

pub use draw::strip;
pub use limb::Limb;
pub use png::{from_svg, to_terminal};
pub use scene::{Dot, Scene};
pub use stick::Stick;
pub use view::{Heading, View};
