//! Names and attributes of XML elements.

use quick_xml::events::BytesStart;

/// The name of an element without its prefix.
pub(crate) fn local_name(element: &BytesStart<'_>) -> String {
    let name = element.local_name();
    let name: &str = name.as_ref();
    name.to_owned()
}

/// The value of an attribute, without escapes.
pub(crate) fn attribute(element: &BytesStart<'_>, wanted: &str) -> Option<String> {
    let mut attributes = element.attributes();
    // Looking for doubles takes the square of their number.
    let found = attributes.with_checks(false).flatten().find(|attribute| {
        let key: &str = attribute.key.as_ref();
        key == wanted
    })?;
    let value: &str = found.value.as_ref();
    let plain = quick_xml::escape::unescape(value);
    Some(plain.map_or_else(|_| value.to_owned(), |plain| plain.into_owned()))
}
