//! Sums of terms as the knowledge file writes them: `-L + 3 k`, `knee/2 + r`.

/// A coefficient and what it multiplies; `None` for a plain number.
pub(super) type Term<'a> = (f64, Option<&'a str>);

/// Reads a sum of terms.
///
/// A term is a number, a name, or both with or without `*` between them, and may be divided by a number.
///
/// # Errors
/// What was needed and what was found instead.
pub(super) fn terms(text: &str) -> Result<Vec<Term<'_>>, String> {
    let mut rest = text.trim_start();
    let mut terms = Vec::new();
    while !rest.is_empty() || terms.is_empty() {
        let mut sign = 1.0;
        if let Some(after) = rest.strip_prefix('-') {
            (sign, rest) = (-1.0, after.trim_start());
        } else if let Some(after) = rest.strip_prefix('+') {
            rest = after.trim_start();
        } else if !terms.is_empty() {
            return Err(format!("need '+' or '-' before '{rest}'"));
        }
        let (number, after) = number(rest);
        rest = after.strip_prefix('*').unwrap_or(after).trim_start();
        let (name, after) = name(rest);
        rest = after;
        if number.is_none() && name.is_none() {
            return Err(format!("need a number or a name, got '{rest}'"));
        }
        let mut coefficient = sign * number.unwrap_or(1.0);
        if let Some(after) = rest.strip_prefix('/') {
            let (divisor, after) = self::number(after.trim_start());
            let divisor = divisor.filter(|divisor| *divisor != 0.0);
            coefficient /=
                divisor.ok_or_else(|| format!("need a number to divide by in '{text}'"))?;
            rest = after;
        }
        terms.push((coefficient, name));
    }
    Ok(terms)
}

/// A number at the beginning of a text, and what follows it.
fn number(text: &str) -> (Option<f64>, &str) {
    let is_part = |c: char| c.is_ascii_digit() || c == '.';
    let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
    match text[..end].parse() {
        Ok(number) => (Some(number), text[end..].trim_start()),
        Err(_) => (None, text),
    }
}

/// A name at the beginning of a text, and what follows it.
fn name(text: &str) -> (Option<&str>, &str) {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
    let is_name = text.starts_with(|c: char| c.is_ascii_alphabetic());
    if is_name { (Some(&text[..end]), text[end..].trim_start()) } else { (None, text) }
}

#[cfg(test)]
mod tests {
    use super::terms;

    #[test]
    fn reads_sums_of_terms() {
        assert_eq!(terms("-L + 3 k"), Ok(vec![(-1.0, Some("L")), (3.0, Some("k"))]));
        assert_eq!(terms("knee/2+r"), Ok(vec![(0.5, Some("knee")), (1.0, Some("r"))]));
        assert_eq!(
            terms("0.24 mid.asis.x - 9"),
            Ok(vec![(0.24, Some("mid.asis.x")), (-9.0, None)])
        );
        assert_eq!(terms("0.5*H"), Ok(vec![(0.5, Some("H"))]));
        assert_eq!(terms("0"), Ok(vec![(0.0, None)]));
    }

    #[test]
    fn says_what_is_wrong() {
        for wrong in ["", "3 k L", "+", "L /", "L / 0", "3 ! k", "= 3"] {
            assert!(terms(wrong).is_err(), "{wrong}");
        }
    }
}
