//! A page that needs nothing but itself: HTML with its style and its charts inside.

mod axis;
mod chart;
mod draw;
mod shares;
mod sortable;
mod table;

pub use axis::{Axis, Scale};
pub use chart::{Chart, Guide, Ink, Mark, Series};
pub use shares::Share;
pub use sortable::{Cell, Sortable};
pub use table::{Table, Tone};

use std::fmt::Write;

/// What made a page.
const GENERATOR: &str = "<meta name=\"generator\" content=\"Condyle\">";
const STYLE: &str = include_str!("style.css");

/// A page in the making, written from top to bottom.
pub struct Page {
    html: String,
    charts: usize,
}

impl Page {
    /// Begins a page; the title is its heading too.
    pub fn new(title: &str) -> Self {
        let title = escaped(title);
        let html = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             {GENERATOR}\n<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
        );
        Self { html, charts: 0 }
    }

    /// A heading that can be linked to.
    pub fn heading(&mut self, anchor: &str, text: &str) {
        let (anchor, text) = (escaped(anchor), escaped(text));
        self.push(format_args!("<h2 id=\"{anchor}\">{text}</h2>\n"));
    }

    /// A heading within a part.
    pub fn subheading(&mut self, text: &str) {
        self.push(format_args!("<h3>{}</h3>\n", escaped(text)));
    }

    /// A list.
    pub fn list<'a>(&mut self, entries: impl IntoIterator<Item = &'a str>) {
        self.push(format_args!("<ul>\n"));
        for entry in entries {
            self.push(format_args!("<li>{}</li>\n", escaped(entry)));
        }
        self.push(format_args!("</ul>\n"));
    }

    /// A picture that is already SVG.
    pub fn figure(&mut self, svg: &str, caption: &str) {
        let caption = escaped(caption);
        self.push(format_args!(
            "<figure>\n<div class=\"strip\">{svg}</div><figcaption>{caption}</figcaption>\n</figure>\n"
        ));
    }

    /// A figure that moves: its data as JSON, and the script that draws it.
    pub fn moving(&mut self, data: &str, script: &str) {
        // A name in the data cannot end the element that holds it.
        let data = data.replace('<', "\\u003c");
        self.push(format_args!(
            "<figure class=\"moving\">\n<canvas id=\"moving\" tabindex=\"0\" aria-label=\"the figure in motion\"></canvas>\n\
             <div><button id=\"moving-play\" type=\"button\">Play</button>\
             <input id=\"moving-time\" type=\"range\" min=\"0\" max=\"0\" value=\"0\" aria-label=\"time\">\
             <span id=\"moving-clock\"></span>\
             <label><input id=\"moving-markers\" type=\"checkbox\" checked> markers</label></div>\n\
             <figcaption>Drag to turn, wheel to zoom.</figcaption>\n</figure>\n\
             <script id=\"moving-data\" type=\"application/json\">{data}</script>\n<script>\n{script}</script>\n"
        ));
    }

    /// A paragraph.
    pub fn paragraph(&mut self, text: &str) {
        self.push(format_args!("<p>{}</p>\n", escaped(text)));
    }

    /// Links to headings of this page, as (anchor, text).
    pub fn contents(&mut self, entries: &[(&str, &str)]) {
        self.push(format_args!("<nav><ol>\n"));
        for (anchor, text) in entries {
            let (anchor, text) = (escaped(anchor), escaped(text));
            self.push(format_args!("<li><a href=\"#{anchor}\">{text}</a></li>\n"));
        }
        self.push(format_args!("</ol></nav>\n"));
    }

    /// A table.
    pub fn table(&mut self, table: &Table) {
        table.write(&mut self.html);
    }

    /// A table that is shown when asked for, and on paper.
    pub fn details(&mut self, summary: &str, table: &Table) {
        self.push(format_args!("<details><summary>{}</summary>\n", escaped(summary)));
        table.write(&mut self.html);
        self.push(format_args!("</details>\n"));
    }

    /// Things with a sentence each, and a bar of two parts that are called so.
    pub fn shares(&mut self, all: &[Share], parts: [&str; 2]) {
        shares::write(all, parts, &mut self.html);
    }

    /// A table that sorts by the column whose head is clicked.
    pub fn sortable(&mut self, table: &Sortable) {
        table.write(&mut self.html);
    }

    /// Whether a text is a page of ours under this title.
    pub fn is_titled(html: &str, title: &str) -> bool {
        html.contains(GENERATOR) && html.contains(&format!("<title>{}</title>", escaped(title)))
    }

    /// Charts, side by side where they are small and there is room.
    pub fn charts(&mut self, charts: &[Chart]) {
        if charts.is_empty() {
            return;
        }
        self.push(format_args!("<div class=\"figures\">\n"));
        for chart in charts {
            let class = if chart.is_small { "small" } else { "wide" };
            let caption = escaped(&chart.caption);
            self.push(format_args!("<figure class=\"{class}\">\n"));
            self.charts += 1;
            draw::write(chart, self.charts, &mut self.html);
            self.push(format_args!("<figcaption>{caption}</figcaption>\n</figure>\n"));
        }
        self.push(format_args!("</div>\n"));
    }

    /// The whole page.
    pub fn finish(mut self) -> String {
        self.html.push_str("</body>\n</html>\n");
        self.html
    }

    fn push(&mut self, text: std::fmt::Arguments) {
        // Writing to a string does not fail.
        let _ = self.html.write_fmt(text);
    }
}

/// Text that is only text, whatever is in it.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            letter => safe.push(letter),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text() {
        let mut page = Page::new("a < b");
        page.paragraph("<script>\"&\"</script>");
        let html = page.finish();
        assert!(html.contains("<h1>a &lt; b</h1>"), "{html}");
        assert!(html.contains("<p>&lt;script&gt;&quot;&amp;&quot;&lt;/script&gt;</p>"), "{html}");
    }
}
