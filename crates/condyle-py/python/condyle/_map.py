"""Thousands of recordings: the main job on a Dask cluster, from and to wherever fsspec reaches."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import posixpath
import re
import sys
import time
import uuid
from typing import Any, Dict, Iterable, Iterator, List, NamedTuple, Optional, Tuple, Union

from . import _steps
from ._errors import Error, argument
from ._frames import need
from ._options import PathLike
from ._subject import Subject
from ._trial import read

#: Tasks that wait for every worker thread: enough to keep it busy, few enough to keep the scheduler small.
WAITING = 4
#: A task takes about so long: recordings that take less go together, so that a cluster is not busy with passing them on,
#: and outcomes still come as they finish.
TASK_S = 0.2
#: So many recordings go together at most.
TOGETHER = 64
#: Tasks have so many names, one after another: Dask remembers 100,000 names of tasks that are long gone.
NAMES = 4096
#: A cluster of our own keeps so many lines of each of its logs.
LOG_LINES = 100


class Outcome(NamedTuple):
    """How one recording went."""

    url: str
    status: str
    """``done``, ``up-to-date`` or ``failed``."""
    error: Optional[str] = None
    kind: Optional[str] = None
    frames: int = 0
    rate_hz: float = 0.0
    markers: int = 0
    performers: int = 0
    joints: int = 0
    median_sd_m: Optional[float] = None
    notes: int = 0
    seconds: float = 0.0
    files: Tuple[str, ...] = ()


def _fs(url: str, storage: Optional[Dict[str, Any]]) -> Tuple[Any, str]:
    fsspec = need("fsspec", "cluster")
    fs, path = fsspec.core.url_to_fs(url, **(storage or {}))
    return fs, path


def _is_local(fs: Any) -> bool:
    protocol = fs.protocol if isinstance(fs.protocol, (tuple, list)) else (fs.protocol,)
    return "file" in protocol


def _put(fs: Any, path: str, content: bytes) -> None:
    """Writes a file whole or not at all: object stores do, folders by a new name."""
    if not _is_local(fs):
        fs.pipe_file(path, content)
        return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    temporary = os.path.join(os.path.dirname(path), f".condyle-{uuid.uuid4().hex}")
    try:
        with open(temporary, "wb") as out:
            out.write(content)
        os.replace(temporary, path)
    except BaseException:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise


def _plain_name(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "_", text) or "_"


def trial_name(url: str) -> str:
    """A name for a recording that no other has: its file's, and a few letters of its address."""
    stem = posixpath.splitext(posixpath.basename(url.replace(os.sep, "/")))[0]
    return f"{_plain_name(stem)}-{hashlib.sha256(url.encode()).hexdigest()[:8]}"


def _state(fs: Any, path: str) -> str:
    """What tells one content of a file from another without reading it."""
    info = fs.info(path)
    known = ("size", "mtime", "ETag", "etag", "LastModified", "md5Hash")
    return json.dumps({name: str(info[name]) for name in known if name in info}, sort_keys=True)


def one(
    url: str,
    out: Optional[str],
    key: str,
    options: Dict[str, Any],
    storage: Optional[Dict[str, Any]],
    force: bool,
) -> Outcome:
    """One recording, wherever a worker is; whatever goes wrong is an outcome."""
    start = time.perf_counter()
    try:
        outcome = _one(url, out, key, options, storage, force)
    except Exception as error:  # noqa: BLE001
        kind = error.kind if isinstance(error, Error) else type(error).__name__
        text = str(error) or type(error).__name__
        outcome = Outcome(url, "failed", error=text if url in text else f"{url}: {text}", kind=kind)
    return outcome._replace(seconds=time.perf_counter() - start)


def several(
    urls: List[str],
    out: Optional[str],
    key: str,
    options: Dict[str, Any],
    storage: Optional[Dict[str, Any]],
    force: bool,
) -> List[Outcome]:
    """Some recordings, one after another."""
    return [one(url, out, key, options, storage, force) for url in urls]


class _Pace:
    """How many recordings go together, from how long the last ones took; at most twice as many as before."""

    def __init__(self) -> None:
        self.together = 1

    def saw(self, outcomes: List[Outcome]) -> None:
        each = sum(outcome.seconds for outcome in outcomes) / max(len(outcomes), 1)
        wanted = TOGETHER if each <= TASK_S / TOGETHER else int(TASK_S / each)
        self.together = max(1, min(wanted, 2 * len(outcomes), TOGETHER))


class _Target:
    """Where the files of one recording go, and whether they are there."""

    def __init__(self, out: str, storage: Optional[Dict[str, Any]], name: str, wanted: str) -> None:
        self.fs, self.root = _fs(out, storage)
        self.name, self.wanted = name, wanted
        self.record = posixpath.join(self.root, "done", f"{name}.json")
        self.files: List[str] = []

    def before(self) -> Optional[Outcome]:
        """What came of the same content with the same options."""
        found = _record(self.fs, self.record)
        if found.get("key") != self.wanted:
            return None
        own = found["outcome"]
        return Outcome(**{**own, "status": "up-to-date", "files": tuple(own["files"])})

    def put(self, kind: str, performer: str, file: str, content: bytes) -> None:
        """Writes a file of a performer."""
        path = posixpath.join(self.root, kind, f"performer={performer}", f"trial={self.name}", file)
        _put(self.fs, path, content)
        self.files.append(path)

    def finish(self, outcome: Outcome) -> Outcome:
        """Says that all is there: last, so that what is recorded is there."""
        outcome = outcome._replace(files=tuple(self.files))
        text = json.dumps({"key": self.wanted, "outcome": outcome._asdict()})
        _put(self.fs, self.record, text.encode())
        return outcome


def _one(
    url: str, out: Optional[str], key: str, options: Dict[str, Any], storage: Optional[Dict[str, Any]], force: bool
) -> Outcome:
    fs, path = _fs(url, storage)
    target = None
    if out is not None:
        wanted = hashlib.sha256(f"{key}\n{_state(fs, path)}".encode()).hexdigest()
        target = _Target(out, storage, trial_name(url), wanted)
        before = None if force else target.before()
        if before is not None:
            return before
    reading, rest = _steps._split(options)
    trial = read(path if _is_local(fs) else fs.cat_file(path), **reading)
    trial.name = url
    result = _steps.run(trial, **rest)
    joints = [joint.sd_m for performer in result.performers for joint in performer.subject.joints.values()]
    outcome = Outcome(
        url=url,
        status="done",
        frames=trial.frames,
        rate_hz=trial.rate_hz,
        markers=len(trial.labels),
        performers=len(result.performers),
        joints=len(joints),
        median_sd_m=sorted(joints)[len(joints) // 2] if joints else None,
        notes=len(result.notes),
    )
    if target is None:
        return outcome
    for place, performer in enumerate(result.performers):
        who = _plain_name(performer.name) if performer.name else f"performer-{place + 1}"
        target.put("motion", who, "motion.parquet", performer.to_bytes("parquet"))
        target.put("subjects", who, "subject.json", performer.subject.to_json().encode())
    return target.finish(outcome)


def _record(fs: Any, path: str) -> Dict[str, Any]:
    try:
        return dict(json.loads(fs.cat_file(path)))
    except (FileNotFoundError, ValueError):
        return {}


def _write_summary(out: str, storage: Optional[Dict[str, Any]], rows: List[Outcome]) -> None:
    """One row a recording, those of earlier runs of the same data set included."""
    pyarrow = need("pyarrow", "cluster")
    parquet = need("pyarrow.parquet", "cluster")
    fs, root = _fs(out, storage)
    path = posixpath.join(root, "summary.parquet")
    by_url: Dict[str, Dict[str, Any]] = {}
    if fs.exists(path):
        old = parquet.read_table(pyarrow.BufferReader(fs.cat_file(path))).to_pylist()
        by_url.update({row["url"]: row for row in old})
    for row in rows:
        own = {**row._asdict(), "files": list(row.files)}
        if row.status == "up-to-date":
            own["status"] = "done"
        by_url[row.url] = own
    schema = pyarrow.schema(
        [
            ("url", pyarrow.string()), ("status", pyarrow.string()), ("error", pyarrow.string()),
            ("kind", pyarrow.string()), ("frames", pyarrow.int64()), ("rate_hz", pyarrow.float64()),
            ("markers", pyarrow.int64()), ("performers", pyarrow.int64()), ("joints", pyarrow.int64()),
            ("median_sd_m", pyarrow.float64()), ("notes", pyarrow.int64()), ("seconds", pyarrow.float64()),
            ("files", pyarrow.list_(pyarrow.string())),
        ]
    )
    table = pyarrow.Table.from_pylist([by_url[url] for url in sorted(by_url)], schema=schema)
    sink = pyarrow.BufferOutputStream()
    parquet.write_table(table, sink)
    _put(fs, path, sink.getvalue().to_pybytes())


class _Progress:
    """A line on the terminal, or below a notebook's cell."""

    def __init__(self, is_shown: bool) -> None:
        self.is_shown, self.done, self.failed, self.last = is_shown, 0, 0, 0.0

    def advance(self, outcome: Outcome) -> None:
        self.done += 1
        self.failed += outcome.status == "failed"
        now = time.monotonic()
        if self.is_shown and now - self.last > 0.2:
            self.last = now
            self.show()

    def show(self, end: str = "") -> None:
        if self.is_shown:
            print(f"\r{self.done} recordings done, {self.failed} failed", end=end, file=sys.stderr, flush=True)


def expand(urls: Union[str, PathLike, Iterable[PathLike]], storage: Optional[Dict[str, Any]] = None) -> Iterator[str]:
    """The recordings that are meant: addresses as they are, patterns with ``*`` as what they match."""
    several = [urls] if isinstance(urls, (str, os.PathLike)) else urls
    for url in several:
        text = os.fspath(url)
        if any(sign in text for sign in "*?["):
            fs, path = _fs(text, storage)
            found = sorted(fs.glob(path))
            if not found:
                raise argument(f"{text}: need a recording that the pattern matches, got none")
            yield from found if _is_local(fs) else (fs.unstrip_protocol(own) for own in found)
        else:
            yield text


def map(
    urls: Union[str, PathLike, Iterable[PathLike]],
    out: Optional[PathLike] = None,
    *,
    client: Any = None,
    subject: Union[Subject, PathLike, None] = None,
    storage: Optional[Dict[str, Any]] = None,
    force: bool = False,
    progress: Optional[bool] = None,
    **options: Any,
) -> Iterator[Outcome]:
    """Runs the main job on recordings, as many at once as a Dask cluster has threads; outcomes as they finish.

    ``urls`` are paths, patterns, or addresses that fsspec knows (``s3://``, ``gs://``, ``https://``), as many as there
    are: they are taken one by one. ``out`` is where a data set goes: ``motion/performer=…/trial=…/motion.parquet``, the
    subjects beside it, and ``summary.parquet`` with a row a recording. A recording that is there already, from the same
    content with the same options, is not done again. ``client`` is a ``dask.distributed.Client``; without one a
    ``LocalCluster`` is started for this call, whose processes begin by importing the script that calls: guard it by
    ``if __name__ == "__main__":``. ``storage`` goes to fsspec. Other options are those of :func:`run`.

    One that fails is an outcome and stops no other. Nothing half-written is ever left under a name of its own.
    """
    if subject is not None and not isinstance(subject, Subject):
        subject = Subject.read(subject)
    key = _steps.key(subject=subject, **options)
    # Here, where it is asked, and not when the first outcome is taken.
    distributed = need("distributed", "cluster")
    given = {**options, "subject": subject} if subject is not None else dict(options)
    target = None if out is None else os.fspath(out)
    shown = sys.stderr.isatty() if progress is None else progress
    return _outcomes(distributed, expand(urls, storage), target, key, given, storage, force, client, _Progress(shown))


def _outcomes(
    distributed: Any,
    urls: Iterator[str],
    out: Optional[str],
    key: str,
    options: Dict[str, Any],
    storage: Optional[Dict[str, Any]],
    force: bool,
    client: Any,
    progress: _Progress,
) -> Iterator[Outcome]:
    own = None
    if client is None:
        # The library computes on one thread: a process each, so that none can take others with it.
        lengths = {f"distributed.admin.{log}-length": LOG_LINES for log in ("log", "low-level-log")}
        with need("dask", "cluster").config.set(lengths):
            own = distributed.LocalCluster(threads_per_worker=1, dashboard_address="127.0.0.1:0")
        client = distributed.Client(own)
    rows: List[Outcome] = []
    pending: Dict[Tuple[str, int], Tuple[Any, List[str]]] = {}
    try:
        threads = max(sum(client.nthreads().values()), 1)
        pace = _Pace()
        run = f"condyle-{uuid.uuid4().hex}"
        names = ((run, place) for place in itertools.cycle(range(max(NAMES, 16 * WAITING * threads))))

        def submit(some: List[str]) -> Any:
            name = next(own for own in names if own not in pending)
            future = client.submit(several, some, out, key, options, storage, force, key=name)
            pending[name] = (future, some)
            return future

        def following() -> List[Any]:
            some = list(itertools.islice(urls, pace.together))
            return [submit(some)] if some else []

        finished = distributed.as_completed([own for _ in range(WAITING * threads) for own in following()])
        for future in finished:
            _, some = pending.pop(future.key)
            try:
                outcomes = list(future.result())
            except Exception as error:  # noqa: BLE001
                if len(some) > 1:
                    # One of them ended its workers: the others are not to go with it.
                    finished.update([submit([url]) for url in some])
                    continue
                (url,) = some
                outcomes = [Outcome(url, "failed", error=f"{url}: {error}", kind=type(error).__name__)]
            else:
                pace.saw(outcomes)
            future.release()
            finished.update(following())
            if out is not None:
                rows.extend(outcomes)
            for outcome in outcomes:
                progress.advance(outcome)
                yield outcome
    finally:
        if pending:
            client.cancel([future for future, _ in pending.values()])
        if rows and out is not None:
            _write_summary(out, storage, rows)
        progress.show("\n")
        if own is not None:
            client.close()
            own.close()
