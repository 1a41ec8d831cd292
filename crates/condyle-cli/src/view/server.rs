//! A server for one browser on this machine: it hands out the app and the opened files. It takes
//! nothing but the film that was asked for.

use std::io::{self, BufReader, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::Context;

use super::request::{Head, Refusal};
use super::served::Table;

/// Where script, style and connections may come from: this server, and nothing in the page itself.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; \
    style-src 'self'; img-src 'self' data: blob:; media-src blob:; connect-src 'self' blob:; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";
/// A browser opens six connections; whoever opens so many more is none.
const MOST_CONNECTIONS: usize = 64;
/// Who says or takes nothing for so long is gone.
const PATIENCE: Duration = Duration::from_secs(20);

const NOT_FOUND: Refusal = Refusal(404, "not found");
/// The path that a capture is sent to, and its most bytes.
pub const CAPTURE: &str = "capture";
const MOST_CAPTURED_BYTES: u64 = 2 << 30;

const NOT_TAKEN: Refusal = Refusal(413, "need a capture of a stated length, once");
const BUSY: Refusal = Refusal(503, "too many connections");

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    table: Table,
    /// What every path begins with: who does not know it is not answered.
    token: String,
    address: SocketAddr,
    connections: AtomicUsize,
    /// Where the one capture goes that is asked for.
    capture: Mutex<Option<SyncSender<Captured>>>,
    is_taking: bool,
}

/// What the page sent: a film, or why there is none.
pub struct Captured {
    pub content_type: String,
    pub body: Vec<u8>,
}

impl Server {
    /// Listens at an address of this machine; port 0 is any that is free.
    ///
    /// # Errors
    /// The port is taken, or there is no randomness for the token.
    pub fn bind(
        ip: IpAddr,
        port: u16,
        table: Table,
        capture: Option<SyncSender<Captured>>,
    ) -> anyhow::Result<Self> {
        let wanted = SocketAddr::new(ip, port);
        let listener = TcpListener::bind(wanted).with_context(|| wanted.to_string())?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            table,
            token: token()?,
            address,
            connections: AtomicUsize::new(0),
            is_taking: capture.is_some(),
            capture: Mutex::new(capture),
        });
        Ok(Self { listener, address, shared })
    }

    /// What a browser opens.
    pub fn url(&self) -> String {
        let ip = match self.address.ip() {
            ip if ip.is_unspecified() => IpAddr::from([127, 0, 0, 1]),
            ip => ip,
        };
        format!("http://{}/{}/", SocketAddr::new(ip, self.address.port()), self.shared.token)
    }

    /// Answers until the process ends.
    pub fn run(self) {
        for stream in self.listener.incoming() {
            // A connection that broke before it was taken is nobody's loss.
            let Ok(stream) = stream else { continue };
            let shared = self.shared.clone();
            let others = shared.connections.fetch_add(1, Ordering::AcqRel);
            let serve = move || {
                // Nor is one that breaks meanwhile.
                let _ = shared.serve(&stream, others >= MOST_CONNECTIONS);
                shared.connections.fetch_sub(1, Ordering::AcqRel);
            };
            if thread::Builder::new().spawn(serve).is_err() {
                self.shared.connections.fetch_sub(1, Ordering::AcqRel);
            }
        }
    }
}

/// 128 bits that nobody guesses.
pub fn token() -> anyhow::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| anyhow::anyhow!("random numbers: {error}"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

impl Shared {
    /// Answers one request and closes.
    fn serve(&self, stream: &TcpStream, is_busy: bool) -> io::Result<()> {
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        if is_busy {
            return refuse(stream, BUSY);
        }
        let mut from = BufReader::new(stream);
        let head = match Head::read(&mut from)? {
            Ok(head) => head,
            Err(refusal) => return refuse(stream, refusal),
        };
        if let Err(refusal) = head.check(self.address, self.is_taking) {
            return refuse(stream, refusal);
        }
        if head.method == "PUT" {
            return self.take(stream, &head, from);
        }
        let Some(served) = self.below_token(&head.path).and_then(|path| self.table.find(path))
        else {
            return refuse(stream, NOT_FOUND);
        };
        match served.read() {
            Ok((body, kind)) => answer(stream, (200, "OK"), kind, &body, head.method == "HEAD"),
            // The file is gone, or nobody may read it any more.
            Err(error) => {
                let text = error.to_string();
                answer(stream, (500, "Error"), "text/plain; charset=utf-8", text.as_bytes(), false)
            }
        }
    }

    /// Takes the one capture that is asked for; only then is anything taken.
    fn take(&self, stream: &TcpStream, head: &Head, from: impl Read) -> io::Result<()> {
        if self.below_token(&head.path) != Some(CAPTURE) {
            return refuse(stream, NOT_FOUND);
        }
        let length = head.content_length.filter(|length| *length <= MOST_CAPTURED_BYTES);
        let mut slot = self.capture.lock().unwrap_or_else(PoisonError::into_inner);
        let (Some(length), true) = (length, slot.is_some()) else {
            return refuse(stream, NOT_TAKEN);
        };
        let mut body = Vec::new();
        from.take(length).read_to_end(&mut body)?;
        if (body.len() as u64) < length {
            return refuse(stream, NOT_TAKEN);
        }
        answer(stream, (200, "OK"), "text/plain; charset=utf-8", b"taken", false)?;
        let content_type = head.content_type.clone();
        // Whoever waited for it may have lost patience.
        let _ = slot.take().map(|sender| sender.send(Captured { content_type, body }));
        Ok(())
    }

    /// A path without the token, if it begins with it. A wrong token takes as long as the right one.
    fn below_token<'a>(&self, path: &'a str) -> Option<&'a str> {
        let (token, below) = path.strip_prefix('/')?.split_once('/')?;
        let (token, own) = (token.as_bytes(), self.token.as_bytes());
        let differences = token.iter().zip(own).fold(0, |sum, (a, b)| sum | (a ^ b));
        (token.len() == own.len() && differences == 0).then_some(below)
    }
}

fn refuse(stream: &TcpStream, Refusal(status, text): Refusal) -> io::Result<()> {
    answer(stream, (status, "Refused"), "text/plain; charset=utf-8", text.as_bytes(), false)?;
    // Closed with something unread, a connection is reset, and the answer with it.
    let _ = stream.shutdown(std::net::Shutdown::Write);
    stream.set_read_timeout(Some(Duration::from_millis(200)))?;
    let mut left = stream.take(64 << 10);
    let _ = io::copy(&mut left, &mut io::sink());
    Ok(())
}

fn answer(
    mut stream: &TcpStream,
    (status, reason): (u16, &str),
    kind: &str,
    body: &[u8],
    is_head: bool,
) -> io::Result<()> {
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status} {reason}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\
         Content-Security-Policy: {POLICY}\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
         Cross-Origin-Resource-Policy: same-origin\r\nCross-Origin-Opener-Policy: same-origin\r\n\
         Cache-Control: no-store\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes())?;
    if !is_head {
        stream.write_all(body)?;
    }
    stream.flush()
}
