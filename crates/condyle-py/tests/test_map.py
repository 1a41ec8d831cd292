"""Many recordings: failures, resuming, interruption, and an object store."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Iterator, List

import pytest

import condyle

distributed = pytest.importorskip("distributed")
pytest.importorskip("fsspec")


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    cluster = distributed.LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address="127.0.0.1:0")
    with cluster, distributed.Client(cluster) as client:
        yield client


@pytest.fixture
def folder(walk_file: Path, tmp_path: Path) -> Path:
    """Four recordings, and one that is broken in their middle."""
    made = tmp_path / "in"
    made.mkdir()
    for name in ("a", "b", "d", "e"):
        shutil.copy(walk_file, made / f"{name}.c3d")
    (made / "c.c3d").write_bytes(walk_file.read_bytes()[:700])
    return made


def statuses(outcomes: Any) -> List[str]:
    return sorted(outcome.status for outcome in outcomes)


def test_one_failure_stops_no_other_and_a_second_run_does_what_is_missing(
    client: Any, folder: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    first = list(condyle.map(str(folder / "*.c3d"), out, client=client))
    assert statuses(first) == ["done"] * 4 + ["failed"]
    failed = next(outcome for outcome in first if outcome.status == "failed")
    assert "c.c3d" in failed.url and "c.c3d" in str(failed.error) and failed.kind
    assert statuses(condyle.map(str(folder / "*.c3d"), out, client=client)) == ["failed"] + ["up-to-date"] * 4
    shutil.copy(folder / "a.c3d", folder / "c.c3d")
    assert statuses(condyle.map(str(folder / "*.c3d"), out, client=client)) == ["done"] + ["up-to-date"] * 4
    # Other options are another run.
    assert statuses(condyle.map(str(folder / "*.c3d"), out, client=client, smooth="off")) == ["done"] * 5
    assert statuses(condyle.map([folder / "a.c3d"], out, client=client, smooth="off", force=True)) == ["done"]


def test_the_data_set_has_partitions_and_a_summary(client: Any, folder: Path, tmp_path: Path, solved: condyle.Result) -> None:
    dataset = pytest.importorskip("pyarrow.dataset")
    parquet = pytest.importorskip("pyarrow.parquet")
    out = tmp_path / "out"
    list(condyle.map(str(folder / "*.c3d"), out, client=client))
    motion = dataset.dataset(out / "motion", partitioning="hive").to_table()
    assert motion.num_rows == 4 * solved.trial.frames
    assert {"performer", "trial"} <= set(motion.column_names)
    summary = parquet.read_table(out / "summary.parquet").to_pylist()
    assert len(summary) == 5 and sum(row["status"] == "failed" for row in summary) == 1
    assert all(row["joints"] == len(solved.joints) for row in summary if row["status"] == "done")


def test_addresses_are_taken_one_by_one(client: Any, folder: Path) -> None:
    taken = 0

    def addresses() -> Iterator[Path]:
        nonlocal taken
        for _ in range(1000):
            taken += 1
            yield folder / "a.c3d"

    outcomes = condyle.map(addresses(), client=client)
    next(outcomes)
    # Eight that wait, and at most two at once after the first.
    assert taken <= 10
    outcomes.close()


def test_an_interrupted_run_leaves_no_half_file_and_goes_on(client: Any, folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    (folder / "c.c3d").unlink()
    outcomes = condyle.map(str(folder / "*.c3d"), out, client=client)
    with pytest.raises(KeyboardInterrupt):
        for _ in outcomes:
            outcomes.throw(KeyboardInterrupt)
    for path in out.rglob("*"):
        assert not path.name.startswith(".condyle-")
        if path.suffix == ".json":
            json.loads(path.read_text())
        elif path.suffix == ".parquet":
            assert path.read_bytes()[:4] == path.read_bytes()[-4:] == b"PAR1"
    again = statuses(condyle.map(str(folder / "*.c3d"), out, client=client))
    assert len(again) == 4 and set(again) <= {"done", "up-to-date"} and "up-to-date" in again


def test_small_recordings_go_together_and_none_is_lost(client: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from condyle import _map

    # Names of tasks come round again, and one that waits keeps its own.
    monkeypatch.setattr(_map, "NAMES", 1)
    monkeypatch.setattr(_map, "TOGETHER", 2)
    sizes: List[int] = []
    submit = client.submit

    def watched(function: Any, some: List[str], *rest: Any, **options: Any) -> Any:
        sizes.append(len(some))
        return submit(function, some, *rest, **options)

    monkeypatch.setattr(client, "submit", watched)
    broken = folder / "c.c3d"
    urls = [broken if place % 60 else folder / "a.c3d" for place in range(300)]
    outcomes = list(condyle.map(iter(urls), client=client, smooth="off"))
    assert sorted(outcome.url for outcome in outcomes) == sorted(map(str, urls))
    assert statuses(outcomes) == ["done"] * 5 + ["failed"] * 295
    assert sum(sizes) == 300 and 1 < max(sizes) <= _map.TOGETHER


def test_a_task_that_cannot_be_done_takes_no_other_recording_with_it(
    client: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from condyle import _map

    def fragile(urls: List[str], *rest: Any) -> List[condyle.Outcome]:
        if any("c.c3d" in url for url in urls):
            raise MemoryError("too large")
        return [condyle.Outcome(url, "done") for url in urls]

    monkeypatch.setattr(_map, "several", fragile)
    urls = [folder / f"{'abcde'[place % 5]}.c3d" for place in range(200)]
    outcomes = list(condyle.map(urls, client=client))
    assert statuses(outcomes) == ["done"] * 160 + ["failed"] * 40
    assert {outcome.kind for outcome in outcomes if outcome.status == "failed"} == {"MemoryError"}
    assert all("c.c3d" in outcome.url for outcome in outcomes if outcome.status == "failed")


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_a_signal_from_the_keyboard_leaves_no_half_file(folder: Path, tmp_path: Path) -> None:
    """The whole of it: a program with a cluster of its own, interrupted as Ctrl-C does it."""
    out = tmp_path / "out"
    words = [sys.executable, "-m", "condyle.batch", *[str(folder / "a.c3d")] * 200, "-o", str(out), "--force"]
    program = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        deadline = time.monotonic() + 120
        while not any((out / "done").glob("*.json")):
            assert program.poll() is None and time.monotonic() < deadline
            time.sleep(0.05)
        program.send_signal(signal.SIGINT)
        _, error = program.communicate(timeout=120)
    finally:
        if program.poll() is None:
            os.killpg(program.pid, signal.SIGKILL)
    assert program.returncode == 1 and "interrupted: what is done stays" in error, error
    assert not [path for path in out.rglob("*") if path.name.startswith(".condyle-")]
    for path in (out / "done").iterdir():
        json.loads(path.read_text())


def test_memory_is_as_good_as_a_folder(client: Any, walk_file: Path) -> None:
    fsspec = pytest.importorskip("fsspec")
    store = fsspec.filesystem("memory")
    store.pipe_file("/lab/walk.c3d", walk_file.read_bytes())
    (outcome,) = condyle.map("memory://lab/*.c3d", "memory://out", client=client)
    assert outcome.status == "done" and store.exists("/out/summary.parquet")
    assert statuses(condyle.map("memory://lab/*.c3d", "memory://out", client=client)) == ["up-to-date"]


def test_the_command_line_does_the_same(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from condyle import batch

    (folder / "c.c3d").unlink()
    words = [str(folder / "*.c3d"), "-o", str(tmp_path / "out"), "--json", "--smooth", "off"]
    assert batch.main(words) == 0
    assert len([json.loads(line) for line in capsys.readouterr().out.splitlines()]) == 4
    assert batch.main([*words[:3], "--by", "smell"]) == 1
    assert "by: need any of" in capsys.readouterr().err


def test_what_is_wrong_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(condyle.ArgumentError, match="by: need"):
        condyle.map(["a.c3d"], by="smell")
    with pytest.raises(condyle.ArgumentError, match="need a recording that the pattern matches, got none"):
        list(condyle.map(str(tmp_path / "*.c3d")))
