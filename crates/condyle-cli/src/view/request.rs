//! The head of a request, and whether it may be answered.

use std::io::{self, BufRead};
use std::net::{IpAddr, SocketAddr};

/// A head longer than this is none of a browser's.
const MOST_HEAD_BYTES: u64 = 16 << 10;

/// What a browser asks for.
#[derive(Debug, Default, PartialEq)]
pub struct Head {
    pub method: String,
    pub path: String,
    host: Vec<String>,
    origin: Option<String>,
    /// Where browsers say the request comes from: this page, another site, or the user.
    fetch_site: Option<String>,
    /// The type of what follows the head, and how long it is.
    pub content_type: String,
    pub content_length: Option<u64>,
}

/// Why a request is not answered: a status and a word.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Refusal(pub u16, pub &'static str);

const BAD: Refusal = Refusal(400, "bad request");
const TOO_LONG: Refusal = Refusal(431, "the head of the request is too long");
const MISDIRECTED: Refusal = Refusal(421, "another host is meant");
const FOREIGN: Refusal = Refusal(403, "asked from another site");
const METHOD: Refusal = Refusal(405, "need GET or HEAD");

impl Head {
    /// Reads a head; whatever follows it is left alone.
    ///
    /// # Errors
    /// The connection breaks, or nobody speaks for too long.
    pub fn read(from: impl BufRead) -> io::Result<Result<Self, Refusal>> {
        let mut lines = Lines { from: from.take(MOST_HEAD_BYTES) };
        let Some(first) = lines.next()? else { return Ok(Err(lines.refusal())) };
        let words: Vec<&str> = first.split(' ').collect();
        let [method, path, "HTTP/1.1" | "HTTP/1.0"] = words[..] else { return Ok(Err(BAD)) };
        let mut head = Self { method: method.to_owned(), path: path.to_owned(), ..Self::default() };
        loop {
            let Some(line) = lines.next()? else { return Ok(Err(lines.refusal())) };
            if line.is_empty() {
                return Ok(Ok(head));
            }
            let Some((name, value)) = line.split_once(':') else { return Ok(Err(BAD)) };
            let value = value.trim().to_ascii_lowercase();
            match name.to_ascii_lowercase().as_str() {
                "host" => head.host.push(value),
                "origin" => head.origin = Some(value),
                "sec-fetch-site" => head.fetch_site = Some(value),
                "content-type" => head.content_type = value,
                "content-length" => head.content_length = value.parse().ok(),
                _ => {}
            }
        }
    }

    /// Whether it may be answered by a server at this address, which takes something or not.
    ///
    /// A page of another site can have a browser send requests here, under its own name if its name server says that
    /// it lives here. So the host must be an address of this machine or `localhost`, and the origin this very server.
    pub fn check(&self, address: SocketAddr, is_taking: bool) -> Result<(), Refusal> {
        let is_known = match self.method.as_str() {
            "GET" | "HEAD" => true,
            "PUT" => is_taking,
            _ => false,
        };
        if !is_known {
            return Err(METHOD);
        }
        let [host] = self.host.as_slice() else { return Err(BAD) };
        if !is_own(host, address) {
            return Err(MISDIRECTED);
        }
        let is_foreign = match &self.origin {
            Some(origin) => origin.strip_prefix("http://") != Some(host.as_str()),
            None => false,
        };
        let is_from_elsewhere = match self.fetch_site.as_deref() {
            Some(site) => !matches!(site, "same-origin" | "none"),
            None => false,
        };
        if is_foreign || is_from_elsewhere {
            return Err(FOREIGN);
        }
        Ok(())
    }
}

/// Whether a host is this server by its address or as `localhost`, never by another name.
fn is_own(host: &str, address: SocketAddr) -> bool {
    let Some((name, port)) = host.rsplit_once(':') else { return false };
    if port.parse() != Ok(address.port()) {
        return false;
    }
    let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    match bare.parse::<IpAddr>() {
        Ok(ip) => ip == address.ip() || ip.is_loopback() || address.ip().is_unspecified(),
        Err(_) => name == "localhost",
    }
}

/// Lines of a head, without their ends.
struct Lines<R> {
    from: io::Take<R>,
}

impl<R: BufRead> Lines<R> {
    /// The next line; `None` where there is none that is whole and plain.
    fn next(&mut self) -> io::Result<Option<String>> {
        let mut bytes = Vec::new();
        self.from.read_until(b'\n', &mut bytes)?;
        let line = bytes.strip_suffix(b"\n").map(|line| line.strip_suffix(b"\r").unwrap_or(line));
        let is_plain = |byte: &u8| (0x20..0x7f).contains(byte);
        let line = line.filter(|line| line.iter().all(is_plain));
        Ok(line.map(|line| String::from_utf8_lossy(line).into_owned()))
    }

    fn refusal(&self) -> Refusal {
        if self.from.limit() == 0 { TOO_LONG } else { BAD }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Result<String, u16> {
        let address = "127.0.0.1:8000".parse().unwrap();
        let head = Head::read(text.as_bytes()).unwrap().map_err(|refusal| refusal.0)?;
        head.check(address, false).map_err(|refusal| refusal.0)?;
        Ok(head.path)
    }

    #[test]
    fn what_this_page_asks_is_answered() {
        let head = |more: &str| format!("GET /a HTTP/1.1\r\nHost: 127.0.0.1:8000\r\n{more}\r\n");
        assert_eq!(check(&head("")), Ok("/a".into()));
        assert_eq!(check(&head("Origin: http://127.0.0.1:8000\r\nX-A: b\r\n")), Ok("/a".into()));
        assert_eq!(check(&head("Sec-Fetch-Site: same-origin\r\n")), Ok("/a".into()));
        assert_eq!(check(&head("Sec-Fetch-Site: none\r\n")), Ok("/a".into()));
        assert_eq!(check("HEAD /a HTTP/1.0\nhost: localhost:8000\n\n"), Ok("/a".into()));
        assert_eq!(check("GET /a HTTP/1.1\r\nHost: [::1]:8000\r\n\r\n"), Ok("/a".into()));
    }

    #[test]
    fn another_name_that_leads_here_is_refused() {
        let host = |host: &str| check(&format!("GET /a HTTP/1.1\r\nHost: {host}\r\n\r\n"));
        for name in
            ["evil.example:8000", "127.0.0.1.evil.example:8000", "evil.example", "localhost", ""]
        {
            assert_eq!(host(name), Err(421), "{name}");
        }
        assert_eq!(host("127.0.0.1:8001"), Err(421));
        assert_eq!(host("192.168.0.7:8000"), Err(421));
        assert_eq!(check("GET /a HTTP/1.1\r\n\r\n"), Err(400));
        assert_eq!(host("localhost:8000\r\nHost: evil.example"), Err(400));
    }

    #[test]
    fn another_site_is_refused() {
        let more = |more: &str| {
            check(&format!("GET /a HTTP/1.1\r\nHost: localhost:8000\r\n{more}\r\n\r\n"))
        };
        for origin in
            ["http://evil.example", "null", "https://localhost:8000", "http://localhost:8001"]
        {
            assert_eq!(more(&format!("Origin: {origin}")), Err(403), "{origin}");
        }
        assert_eq!(more("Sec-Fetch-Site: cross-site"), Err(403));
        assert_eq!(more("Sec-Fetch-Site: same-site"), Err(403));
    }

    #[test]
    fn what_is_no_request_is_refused() {
        assert_eq!(check(""), Err(400));
        assert_eq!(check("GET /a\r\n\r\n"), Err(400));
        assert_eq!(check("GET /a b HTTP/1.1\r\nHost: localhost:8000\r\n\r\n"), Err(400));
        assert_eq!(check("GET /a HTTP/1.1\r\nHost localhost\r\n\r\n"), Err(400));
        assert_eq!(check("GET /a HTTP/1.1\r\nHost: localhost:8000\r\n"), Err(400));
        assert_eq!(check("GET /\0 HTTP/1.1\r\nHost: localhost:8000\r\n\r\n"), Err(400));
        assert_eq!(check("POST /a HTTP/1.1\r\nHost: localhost:8000\r\n\r\n"), Err(405));
        let long = format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(20_000));
        assert_eq!(check(&long), Err(431));
    }
}
