"""What the command line and the library have, Python has: by comparing the lists."""

from __future__ import annotations

import inspect
import json
import re
import subprocess
from typing import Any, Callable, Dict, Set

import pytest

import condyle
from condyle import _condyle, _options
from conftest import ROOT

#: Options that are about terminals and files, which Python has other words for.
OF_TERMINALS = {"help", "json", "force", "quiet", "output", "verbose"}
READING = set(inspect.signature(_options.reading).parameters)
JOB = set(inspect.signature(_options.job).parameters)

#: The function of each command, and its options that are said otherwise in Python.
COMMANDS: Dict[str, Any] = {
    "run": (
        condyle.run,
        {
            "mot-model": "Performer.write", "weight-kg": "Performer.write", "each": "one recording a call",
            "physics": "Performer.write", "urdf": None, "mujoco": None,
            "figure": None, "segments": None, "norm": None,
        },
    ),
    "fit": (condyle.fit, {}),
    "solve": (condyle.solve, {"mot-model": "Performer.write", "angles": "Performer.write", "out-units": "Performer.write"}),
    "groups": (condyle.groups, {"write-plan": "Plan.toml"}),
    "fill": (condyle.fill, {}),
    "label": (condyle.label, {}),
    "gait": (condyle.gait, {"mot-model": "Performer.write", "each": "one recording a call"}),
    "simulate": (condyle.simulate, {"to": "Trial.write", "describe": "describe", "end-joint-ratio": None, "palm-hides-tips": None}),
    "ik": (condyle.ik, {"effectors": "the names of targets", "rate": "Trial.from_markers"}),
    "centre": (condyle.centre, {"marker": "arrays", "in": None, "known-centre": None, "known-radius": None}),
    "pivot": (condyle.pivot, {"tool": "arrays", "reference": None, "reference-shape": None}),
    "scale": (condyle.scale, {}),
    "convert": (
        condyle.Trial,
        {
            "markers": "Trial.with_markers", "frames": "Trial.with_frames", "out-up": "Trial.with_up",
            "out-units": "Trial.with_unit", "rate": "Trial.resampled", "to": "Trial.write",
        },
    ),
}
#: Commands that draw or report for people who have no Python.
NOT_FOR_PYTHON = {"info", "plot", "report", "demo", "reproduce", "completions", "help", "batch", "view"}
#: Commands that Python does not have yet.
NOT_YET = {"analyse", "blend", "figure", "hand", "skin"}


def long_options(program: str, command: str) -> Set[str]:
    text = subprocess.run([program, command, "--help"], capture_output=True, text=True, check=True).stdout
    # Options are set in by six places; what wrapped is set in farther.
    return set(re.findall(r"^(?:  -\w, |      )--([a-z][a-z0-9-]*)", text, re.M))


def keywords(function: Callable[..., Any]) -> Set[str]:
    """The names that a function takes, those behind its ** included."""
    own = {name for name, own in inspect.signature(function).parameters.items() if own.kind != own.VAR_KEYWORD}
    takes_rest = any(own.kind == own.VAR_KEYWORD for own in inspect.signature(function).parameters.values())
    if not takes_rest:
        return own
    return own | (set(inspect.signature(_options.simulation).parameters) if function is condyle.simulate else READING | JOB)


def test_every_command_is_a_function(program: str) -> None:
    text = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
    listed = text.split("Commands:")[1].split("Options:")[0]
    commands = set(re.findall(r"^  ([a-z]+)", listed, re.M))
    assert commands - NOT_FOR_PYTHON - NOT_YET == set(COMMANDS)


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_option_of_a_command_is_a_keyword(program: str, command: str) -> None:
    function, otherwise = COMMANDS[command]
    said = {option.replace("_", "-") for option in keywords(function) | READING}
    missing = long_options(program, command) - OF_TERMINALS - said
    assert missing <= set(otherwise), sorted(missing - set(otherwise))
    gone = set(otherwise) - long_options(program, command)
    assert not gone, f"no option any more: {sorted(gone)}"


def changed_fields(text: str, default: str) -> Set[str]:
    own, usual = json.loads(text), json.loads(default)
    return {name for name in own if own[name] != usual[name]}


def test_every_field_of_the_job_can_be_said(tmp_path: Any) -> None:
    (tmp_path / "plan.toml").write_text("x")
    said = _options.job(
        by="motion", plan=tmp_path / "plan.toml", root="head", soft_tissue=5, knowledge="none", weights={"A": 0.5},
        height_m=1.8, performer="JOE", frames="triads", fill="all", max_gap=0.2, smooth=6, zero_frame=3,
        keep_orientations=True, anyway=True,
    )  # fmt: skip
    fields = set(json.loads(_condyle.default_options()))
    assert changed_fields(said, _condyle.default_options()) == fields - {"subject"}


def test_every_field_of_reading_can_be_said() -> None:
    said = _options.reading(
        units="mm", up="y", rate=100, skeleton="a.asf", keep_invalid=True, columns=["a"], left_handed=True, scale=2,
        set="coco17",
    )  # fmt: skip
    assert changed_fields(said, _condyle.default_read_options()) == set(json.loads(_condyle.default_read_options()))


def test_every_function_of_the_library_is_reached_or_said_to_be_missing() -> None:
    """docs/public-items.md against a list beside this file: `function: where it is in Python`, or `-` and why not."""
    text = (ROOT / "docs" / "public-items.md").read_text()
    functions: Set[str] = set()
    for module, _, second in re.findall(r"^\| `([\w:]+)` \| (.*?) \| (.*?) \|$", text, re.M):
        functions |= {f"{module}::{name}" for name in re.findall(r"`([a-z_0-9]+)`", second)}
    assert len(functions) > 100
    lines = [line for line in (ROOT / "crates/condyle-py/tests/functions.txt").read_text().splitlines() if line]
    listed = dict(line.split(": ", 1) for line in lines if not line.startswith("#"))
    assert set(listed) == functions, sorted(set(listed) ^ functions)
    for function, where in listed.items():
        if where.startswith("- "):
            continue
        found: Any = condyle
        for part in where.split("."):
            assert hasattr(found, part), f"{function}: {where}"
            found = getattr(found, part)
