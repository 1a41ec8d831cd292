//! A list whose entries have a bar of two parts.

use std::fmt::Write;

use super::escaped;
use super::table::Tone;

/// An entry: a name, a sentence about it, and a share.
#[derive(Debug, Clone, PartialEq)]
pub struct Share {
    /// What it is.
    pub name: String,
    /// What there is to say.
    pub text: String,
    /// How the sentence sounds.
    pub tone: Tone,
    /// The first part, 0 to 1.
    pub share: f64,
}

pub(super) fn write(all: &[Share], parts: [&str; 2], html: &mut String) {
    let [one, other] = parts.map(escaped);
    html.push_str("<ul class=\"share-list\">\n");
    for own in all {
        let percent = (100.0 * own.share).clamp(0.0, 100.0).round();
        let _ = writeln!(
            html,
            "<li><b>{}</b><span class=\"{}\">{}</span><span class=\"two\" role=\"img\" aria-label=\"{percent} % {one}, the \
             rest {other}\" title=\"{percent} % {one}, {} % {other}\"><i style=\"width:{percent}%\"></i></span></li>",
            escaped(&own.name),
            own.tone.class(),
            escaped(&own.text),
            100.0 - percent,
        );
    }
    html.push_str("</ul>\n");
}
