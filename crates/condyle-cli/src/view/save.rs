//! The workbench and its recordings as one page that needs nothing else.
//!
//! Scripts and style stand in the page under a number that only they have, so that nothing else in it is run: names and
//! contents of files are data. The module, the worker and the recordings are compressed, as the browser can undo it.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use condyle_page::page::escaped;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::pack;
use super::served;
use super::server;

/// The page.
///
/// # Errors
/// A file cannot be read, or the app is not as it is built.
pub fn page(app: &Path, recordings: &[PathBuf]) -> anyhow::Result<String> {
    let text = |name: &str| {
        let path = app.join(name);
        fs::read_to_string(&path).with_context(|| path.display().to_string())
    };
    let nonce = server::token()?;
    let (script, worker) = (text("whole.js")?, text("worker.js")?);
    let style = if app.join("app.css").is_file() { text("app.css")? } else { String::new() };
    let module = app.join("condyle_wasm.wasm");
    let module = fs::read(&module).with_context(|| module.display().to_string())?;

    let mut data = String::new();
    block(&mut data, "id=\"condyle-wasm\"", &module)?;
    block(&mut data, "id=\"condyle-worker\"", worker.as_bytes())?;
    for path in recordings {
        let bytes = fs::read(path).with_context(|| path.display().to_string())?;
        let name = escaped(&served::name(path));
        let bytes = pack::packed(&bytes).unwrap_or(bytes);
        block(&mut data, &format!("class=\"condyle-file\" data-name=\"{name}\""), &bytes)?;
        if let Some(skeleton) = served::skeleton_of(path) {
            let bytes = fs::read(&skeleton).with_context(|| skeleton.display().to_string())?;
            block(&mut data, &format!("class=\"condyle-skeleton\" data-name=\"{name}\""), &bytes)?;
        }
    }
    let policy = format!(
        "default-src 'none'; script-src 'nonce-{nonce}' 'wasm-unsafe-eval'; worker-src blob:; \
         style-src 'nonce-{nonce}'; img-src data: blob:; media-src blob:; connect-src blob:; base-uri 'none'; \
         form-action 'none'"
    );
    let title = recordings.first().map_or_else(|| "Condyle".to_owned(), |path| served::name(path));
    let script = inside(&script, "script")?;
    let style = inside(&style, "style")?;
    Ok(format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"dark light\">\n<title>{}</title>\n\
         <style nonce=\"{nonce}\">{style}</style>\n</head>\n<body>\n<div id=\"app\"></div>\n{data}\
         <script type=\"module\" nonce=\"{nonce}\">{script}</script>\n</body>\n</html>\n",
        escaped(&title)
    ))
}

/// Bytes as text that no browser runs.
fn block(page: &mut String, attributes: &str, bytes: &[u8]) -> anyhow::Result<()> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(bytes)?;
    let packed = STANDARD.encode(packed.finish()?);
    writeln!(page, "<script type=\"application/octet-stream\" {attributes}>{packed}</script>")?;
    Ok(())
}

/// Code as it may stand in an element: its end may not be in it, nor what makes a browser look further for it.
fn inside(code: &str, element: &str) -> anyhow::Result<String> {
    let lower = code.to_ascii_lowercase();
    match element {
        // In a string or a pattern a stroke may have a backslash before it.
        "script" => Ok(code.replace("</script", "<\\/script").replace("<!--", "\\x3c!--")),
        _ => {
            ensure!(!lower.contains(&format!("</{element}")), "app.css: need style, got its end");
            Ok(code.to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_contents_of_files_are_data() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::write(&path, text).unwrap();
            path
        };
        at("whole.js", "const end = \"</script>\"; // <!-- ");
        at("worker.js", "0");
        at("app.css", "p { color: red }");
        at("condyle_wasm.wasm", "module");
        #[cfg(unix)]
        let name = "\"><script>alert(1)<!--.c3d".replace('/', "");
        #[cfg(not(unix))]
        let name = "a & b.c3d".to_owned();
        let recording = at(&name, "</script><script>alert(2)</script>");
        let page = page(folder.path(), &[recording]).unwrap();
        assert!(!page.contains("alert(2)") && !page.contains("<script>"));
        assert_eq!(page.matches("</script>").count(), 4, "{page}");
        assert_eq!(page.matches("<!--").count(), 0);
        assert!(page.contains("const end = \"<\\/script>\""));
        assert!(!page.contains("src="));
    }
}
