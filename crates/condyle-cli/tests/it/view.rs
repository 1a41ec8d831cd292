//! `condyle view` serves the app and the opened files on this machine, to who knows the address, and nothing else.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

/// The app as far as a server knows it.
fn put_app(folder: &Path) {
    let files = [
        ("index.html", "<!doctype html><script type=\"module\" src=\"./app.js\"></script>"),
        ("app.js", "const app = 1;"),
        ("whole.js", "const app = 1;"),
        ("app.css", "p { color: red }"),
        ("worker.js", "const worker = 1;"),
        ("condyle_wasm.wasm", "module"),
        ("source.map", "not for anyone"),
    ];
    for (name, text) in files {
        fs::write(folder.join(name), text).unwrap();
    }
}

/// A server, ended when it is dropped.
struct Server {
    child: Child,
    address: SocketAddr,
    token: String,
    folder: tempfile::TempDir,
}

/// What was answered.
struct Answer {
    status: u16,
    head: String,
    body: Vec<u8>,
}

fn view(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_condyle"));
    command.arg("view").current_dir(folder).env("CONDYLE_WORKBENCH", folder.join("app"));
    command
}

/// A folder with the app, a recording to open and a file that nobody may see.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("app")).unwrap();
    put_app(&folder.path().join("app"));
    fs::write(folder.path().join("walk.c3d"), "a recording").unwrap();
    fs::write(folder.path().join("secret.txt"), "a secret").unwrap();
    folder
}

impl Server {
    fn new() -> Self {
        let folder = folder();
        let mut child = view(folder.path())
            .args(["walk.c3d", "--no-open"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut url = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
        let rest = url.trim().strip_prefix("http://").unwrap();
        let (address, token) = rest.trim_end_matches('/').split_once('/').unwrap();
        Self { child, address: address.parse().unwrap(), token: token.to_owned(), folder }
    }

    /// Sends some bytes as they are; nothing where the connection was just closed.
    fn send(&self, bytes: &[u8]) -> Option<Answer> {
        let mut stream = TcpStream::connect(self.address).unwrap();
        // Who refuses may close before everything is said.
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut all = Vec::new();
        let _ = stream.read_to_end(&mut all);
        let end = all.windows(4).position(|window| window == b"\r\n\r\n")?;
        let head = String::from_utf8(all[..end].to_vec()).unwrap();
        let status = head.split(' ').nth(1)?.parse().ok()?;
        Some(Answer { status, head, body: all[end + 4..].to_vec() })
    }

    fn ask(&self, method: &str, path: &str, more: &str) -> Answer {
        let host = self.address;
        let text = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\n{more}\r\n");
        self.send(text.as_bytes()).unwrap()
    }

    /// What a path below the token gives.
    fn get(&self, path: &str) -> Answer {
        self.ask("GET", &format!("/{}/{path}", self.token), "")
    }

    /// Everything in its folder.
    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let mut all = BTreeMap::new();
        for folder in [self.folder.path().to_owned(), self.folder.path().join("app")] {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_file() {
                    all.insert(path.display().to_string(), fs::read(&path).unwrap());
                }
            }
        }
        all
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

#[test]
fn the_app_and_the_files_are_there_each_with_its_type() {
    let server = Server::new();
    let wanted = [
        ("", "text/html; charset=utf-8", "<!doctype"),
        ("index.html", "text/html; charset=utf-8", "<!doctype"),
        ("app.js", "text/javascript; charset=utf-8", "const app"),
        ("app.css", "text/css; charset=utf-8", "p {"),
        ("worker.js", "text/javascript; charset=utf-8", "const worker"),
        ("condyle_wasm.wasm", "application/wasm", "module"),
        ("files/0", "application/octet-stream", "a recording"),
    ];
    for (path, kind, begins) in wanted {
        let answer = server.get(path);
        assert_eq!(answer.status, 200, "{path}");
        assert!(answer.head.contains(&format!("Content-Type: {kind}\r\n")), "{}", answer.head);
        assert!(answer.body.starts_with(begins.as_bytes()), "{path}");
    }
    let list: serde_json::Value = serde_json::from_slice(&server.get("files.json").body).unwrap();
    let file = &list["files"][0];
    assert_eq!(
        (&file["name"], &file["url"], &file["bytes"]),
        (&"walk.c3d".into(), &"files/0".into(), &11.into())
    );
    let head = server.ask("HEAD", &format!("/{}/app.js", server.token), "");
    assert!(head.head.contains("Content-Length: 14") && head.body.is_empty());
}

#[test]
fn it_listens_on_this_machine_alone() {
    let server = Server::new();
    assert!(server.address.ip().is_loopback());
    // Where the machine has another address, nobody answers there.
    if let Some(other) = other_address() {
        assert!(TcpStream::connect(SocketAddr::new(other, server.address.port())).is_err());
    }
}

/// Another address of this machine, found without sending anything.
fn other_address() -> Option<std::net::IpAddr> {
    let socket = std::net::UdpSocket::bind("0.0.0.0:0").ok()?;
    socket.connect("192.0.2.1:9").ok()?;
    let ip = socket.local_addr().ok()?.ip();
    (!ip.is_loopback() && !ip.is_unspecified()).then_some(ip)
}

#[test]
fn without_the_token_there_is_nothing() {
    let server = Server::new();
    assert_eq!(server.token.len(), 32);
    let wrong = format!("{:032x}", 1);
    let short = &server.token[..31];
    for path in [
        "/",
        "/app.js",
        "/files/0",
        "//files/0",
        &format!("/{wrong}/files/0"),
        &format!("/{short}/"),
    ] {
        let answer = server.ask("GET", path, "");
        assert_eq!(answer.status, 404, "{path}");
        assert!(!answer.body.windows(6).any(|window| window == b"record"), "{path}");
    }
    // Each has another.
    assert_ne!(Server::new().token, server.token);
}

#[test]
fn no_path_leads_out_of_the_opened_files() {
    let server = Server::new();
    let paths = [
        "../secret.txt",
        "files/../../secret.txt",
        "files/..%2f..%2fsecret.txt",
        "%2e%2e/secret.txt",
        "..%5csecret.txt",
        "/etc/passwd",
        "//etc/passwd",
        "files/1",
        "files/00",
        "files/0/",
        "files/",
        "walk.c3d",
        "secret.txt",
        "app/../../secret.txt",
        "source.map",
        "app.js?x",
        "app.js#x",
        "app.js%00",
    ];
    for path in paths {
        let answer = server.get(path);
        assert_eq!(answer.status, 404, "{path}");
        assert_eq!(answer.body, b"not found", "{path}");
    }
}

#[test]
fn other_sites_and_names_that_lead_here_are_refused() {
    let server = Server::new();
    let path = format!("/{}/files/0", server.token);
    for more in [
        "Origin: http://evil.example\r\n",
        "Origin: null\r\n",
        "Sec-Fetch-Site: cross-site\r\n",
        "Sec-Fetch-Site: same-site\r\nSec-Fetch-Mode: no-cors\r\n",
    ] {
        assert_eq!(server.ask("GET", &path, more).status, 403, "{more}");
    }
    for host in ["evil.example", "localhost.evil.example", "127.0.0.1"] {
        let port = server.address.port();
        let text = format!("GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n");
        let answer = server.send(text.as_bytes()).unwrap();
        let wanted = if host == "127.0.0.1" { 200 } else { 421 };
        assert_eq!(answer.status, wanted, "{host}");
    }
}

#[test]
fn pages_may_run_nothing_that_comes_with_data() {
    let server = Server::new();
    for path in ["", "app.js", "files/0", "nothing"] {
        let head = server.get(path).head;
        let policy = head.lines().find_map(|line| line.strip_prefix("Content-Security-Policy: "));
        let policy = policy.unwrap();
        assert!(policy.starts_with("default-src 'none'; script-src 'self' 'wasm-unsafe-eval';"));
        assert!(!policy.contains("unsafe-inline") && !policy.contains("'unsafe-eval'"), "{policy}");
        for wanted in [
            "X-Content-Type-Options: nosniff",
            "Cross-Origin-Resource-Policy: same-origin",
            "Referrer-Policy: no-referrer",
            "Cache-Control: no-store",
        ] {
            assert!(head.contains(wanted), "{path}: {wanted}");
        }
        assert!(!head.contains("Access-Control-Allow"));
    }
}

#[test]
fn two_hundred_bad_requests_change_nothing() {
    let server = Server::new();
    let before = server.files();
    let path = format!("/{}/files/0", server.token);
    let host = server.address;
    let mut random = 1_u64;
    let mut next = || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 33) as usize
    };
    for round in 0..200 {
        let bytes: Vec<u8> = match round % 8 {
            0 => (0..next() % 4000).map(|_| next() as u8).collect(),
            1 => format!("PUT {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 5\r\n\r\nhello").into(),
            2 => format!("DELETE {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").into(),
            3 => format!("GET /{} HTTP/1.1\r\nHost: {host}\r\n\r\n", "../".repeat(next() % 99)).into(),
            4 => format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nX: {}\r\n\r\n", "y".repeat(20_000)).into(),
            5 => format!("POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 99999999999999999999\r\n\r\n").into(),
            6 => format!("GET {path} HTTP/9.9\r\nHost: {host}\r\n\r\n").into(),
            _ => format!("GET {path} HTTP/1.1\r\n\0: \r\n").into(),
        };
        if let Some(answer) = server.send(&bytes) {
            assert!((400..500).contains(&answer.status), "{round}: {}", answer.head);
        }
    }
    // Nor does one who opens many connections and says nothing.
    let silent: Vec<_> = (0..50).map(|_| TcpStream::connect(server.address).unwrap()).collect();
    assert_eq!(server.get("files/0").body, b"a recording");
    drop(silent);
    assert!(server.files() == before);
}

fn failed(folder: &Path, args: &[&str]) -> String {
    let output = view(folder).args(args).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{args:?}");
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn what_is_wrong_is_said_before_anything_is_served() {
    let folder = folder();
    assert!(failed(folder.path(), &["missing.c3d", "--no-open"]).contains("missing.c3d"));
    assert!(failed(folder.path(), &[".", "--no-open"]).contains("need a file"));
    let own = TcpStream::connect(Server::new().address);
    drop(own);
    fs::remove_file(folder.path().join("app/app.js")).unwrap();
    let error = failed(folder.path(), &["walk.c3d", "--no-open"]);
    assert!(error.contains("CONDYLE_WORKBENCH: need a folder with app.js"), "{error}");
}

#[test]
fn without_the_workbench_it_says_how_to_build_it() {
    let folder = folder();
    let alone = folder.path().join("condyle");
    fs::copy(env!("CARGO_BIN_EXE_condyle"), &alone).unwrap();
    let output: Output = Command::new(alone)
        .args(["view", "--no-open"])
        .current_dir(folder.path())
        .env_remove("CONDYLE_WORKBENCH")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("cargo run --release -p condyle-workbench"), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
}

#[test]
fn a_saved_page_has_everything_in_it_and_runs_nothing_else() {
    let folder = folder();
    let save = |more: &[&str]| {
        view(folder.path()).args(["walk.c3d", "--save", "walk.html"]).args(more).output().unwrap()
    };
    assert!(save(&[]).status.success());
    let page = fs::read_to_string(folder.path().join("walk.html")).unwrap();
    let nonce = page.split("'nonce-").nth(1).unwrap().split('\'').next().unwrap();
    // Nothing is fetched, and only what bears the number is run.
    assert!(!page.contains(" src=") && !page.contains(" href=") && !page.contains("unsafe-inline"));
    assert!(
        page.contains(&format!(
            "<script type=\"module\" nonce=\"{nonce}\">const app = 1;</script>"
        ))
    );
    assert!(page.contains(&format!("<style nonce=\"{nonce}\">p {{ color: red }}</style>")));
    assert!(page.contains("class=\"condyle-file\" data-name=\"walk.c3d\">H4sI"));
    assert!(
        page.contains("id=\"condyle-wasm\">H4sI") && page.contains("id=\"condyle-worker\">H4sI")
    );
    // It is there already.
    assert_eq!(save(&[]).status.code(), Some(1));
    assert!(save(&["--force"]).status.success());
}

#[test]
fn a_picture_is_drawn_without_a_browser() {
    let folder = tempfile::tempdir().unwrap();
    let condyle = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_condyle"));
        command
            .args(args)
            .current_dir(folder.path())
            .env_remove("CONDYLE_WORKBENCH")
            .output()
            .unwrap()
    };
    let made = ["simulate", "-o", "made", "--seconds", "2", "--rate", "50"];
    assert!(condyle(&made).status.success());
    let walk = fs::read_dir(folder.path().join("made")).unwrap();
    let walk = walk
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some_and(|e| e == "c3d"));
    let walk = walk.unwrap().display().to_string();
    let picture = |name: &str, frames: &str| {
        let args = ["view", &walk, "--capture", name, "--view", "oblique", "--frames", frames];
        let output = condyle(&args);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        fs::read(folder.path().join(name)).unwrap()
    };
    let (early, late) = (picture("early.png", "1:10"), picture("late.png", "80:99"));
    assert!(early.starts_with(b"\x89PNG") && early != late);
    let beyond = condyle(&["view", &walk, "--capture", "b.png", "--frames", "90:900"]);
    assert!(String::from_utf8_lossy(&beyond.stderr).contains("need 1 to 100"));
}

/// A page that sends what it is asked for, in the place of Chromium: reads the list, and puts a film.
#[cfg(unix)]
#[test]
fn a_film_is_taken_once_from_the_page_that_was_asked_for_it() {
    use std::os::unix::fs::PermissionsExt;

    let folder = folder();
    let browser = folder.path().join("browser");
    let script = "#!/bin/sh\nfor url; do :; done\n\
        curl -s \"${url}files.json\" > list.json\n\
        put() { curl -s -o /dev/null -w '%{http_code} ' -X PUT -H \"Content-Type: $1\" --data-binary \"$2\" \"$url$3\"; }\n\
        { put video/webm no files/0; put video/webm film capture; put video/webm again capture; } > codes.txt\n\
        sleep 20\n";
    if Command::new("curl").arg("--version").output().is_err() {
        println!("skipped: no curl");
        return;
    }
    fs::write(&browser, script).unwrap();
    fs::set_permissions(&browser, fs::Permissions::from_mode(0o755)).unwrap();
    let output = view(folder.path())
        .args(["walk.c3d", "--capture", "walk.webm", "--frames", "5:20", "--view", "top"])
        .env("CONDYLE_CHROMIUM", &browser)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(fs::read(folder.path().join("walk.webm")).unwrap(), b"film");
    let list: serde_json::Value =
        serde_json::from_slice(&fs::read(folder.path().join("list.json")).unwrap()).unwrap();
    let wanted = serde_json::json!({
        "kind": "webm", "view": "top", "frames": [4, 20], "to": "capture"
    });
    assert_eq!(list["capture"], wanted);
    assert_eq!(fs::read(folder.path().join("walk.c3d")).unwrap(), b"a recording");
}
