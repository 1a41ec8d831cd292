"""What the command line and the library have, Python has: by comparing the lists."""

from __future__ import annotations

import inspect
import json
import re
import subprocess
from typing import Any, Callable, Dict, Set, Tuple

import pytest

import condyle
from condyle import _condyle, _options
from conftest import ROOT

#: Options that are about terminals and files, and why a function has no keyword for them.
OF_TERMINALS = {
    "help": "help() and the pages of docs",
    "json": "answers are objects",
    "force": "a keyword of every write",
    "quiet": "nothing is printed",
    "verbose": "nothing is printed",
    "output": "what a function returns has write",
}
READING = set(inspect.signature(_options.reading).parameters)
JOB = set(inspect.signature(_options.job).parameters)

#: The function of each command, and where its options are that are no keywords of it: a name in condyle, or `-` and why
#: there is none.
COMMANDS: Dict[str, Tuple[Any, Dict[str, str]]] = {
    "run": (
        condyle.run,
        {
            "mot-model": "Performer.write", "weight-kg": "Performer.write", "each": "- one recording a call",
            "physics": "Performer.write", "urdf": "Performer.write", "mujoco": "Performer.write",
            "figure": "figure", "segments": "Performer.write", "norm": "gait",
        },
    ),
    "fit": (condyle.fit, {}),
    "solve": (condyle.solve, {"mot-model": "Performer.write", "angles": "Performer.write", "out-units": "Performer.write"}),
    "groups": (condyle.groups, {"write-plan": "Plan.toml"}),
    "fill": (condyle.fill, {}),
    "label": (condyle.label, {}),
    "gait": (condyle.gait, {"mot-model": "Performer.write", "each": "- one recording a call"}),
    "simulate": (condyle.simulate, {"to": "Trial.write", "describe": "describe"}),
    "ik": (condyle.ik, {"effectors": "Reacher.reach", "rate": "Trial.from_markers"}),
    "centre": (condyle.centre, {"marker": "Trial.markers", "in": "Segment.positions_m"}),
    "pivot": (
        condyle.pivot,
        {
            "tool": "Trial.bodies",
            "reference": "- poses of the tool in the frame of the reference: NumPy multiplies them",
            "reference-shape": "- the same",
        },
    ),
    "scale": (condyle.scale, {}),
    "convert": (
        condyle.read,
        {
            "markers": "Trial.with_markers", "frames": "Trial.with_frames", "out-up": "Trial.with_up",
            "out-units": "Trial.with_unit", "rate": "Trial.resampled", "to": "Trial.write",
        },
    ),
    "hand": (condyle.hand.track, {}),
    "hand calibrate": (condyle.hand.calibrate, {}),
    "figure": (condyle.figure, {"motion": "Figure.write", "rate": "Figure.write"}),
    "analyse": (condyle.analyse, {"mot-model": "Performer.write"}),
    "skin": (condyle.skin, {"frame": "Skin.write", "blending": "Skin.write"}),
    "blend": (condyle.blend, {}),
    "batch": (condyle.map, {}),
}
#: Commands whose functions take arrays, or trials that are read already: how a file is read is said to `read`.
READ_BEFORE = {"ik", "centre", "pivot", "scale"}
#: Commands that Python needs no function for, and why.
NOT_FOR_PYTHON = {
    "info": "it prints what a Trial says of itself",
    "plot": "pictures: notebooks show a small one, matplotlib draws the arrays",
    "view": "a program in a browser",
    "report": "a page for people",
    "demo": "a page for people",
    "reproduce": "the laboratory, no part of the library",
    "completions": "for shells",
    "help": "help() and the pages of docs",
}


def help_of(program: str, command: str) -> str:
    return subprocess.run([program, *command.split(), "--help"], capture_output=True, text=True, check=True).stdout


def listed_commands(program: str, command: str) -> Set[str]:
    """The commands that a help page lists."""
    pages = help_of(program, command).split("Commands:")[1:]
    return set(re.findall(r"^  ([a-z]+)", pages[0].split("Options:")[0], re.M)) if pages else set()


def long_options(program: str, command: str) -> Set[str]:
    # Options are set in by six places; what wrapped is set in farther.
    return set(re.findall(r"^(?:  -\w, |      )--([a-z][a-z0-9-]*)", help_of(program, command), re.M))


def keywords(function: Callable[..., Any]) -> Set[str]:
    """The names that a function takes, those behind its ** included: `**reading`, `**options`."""
    parameters = inspect.signature(function).parameters.values()
    own = {own.name for own in parameters if own.kind != own.VAR_KEYWORD}
    for rest in (own.name for own in parameters if own.kind == own.VAR_KEYWORD):
        if function is condyle.simulate:
            own |= set(inspect.signature(_options.simulation).parameters)
        elif function is condyle.read or rest == "reading":
            own |= READING
        else:
            own |= READING | JOB
    return own


def is_there(where: str) -> bool:
    """Whether a name in condyle leads somewhere; `-` and a reason do."""
    if where.startswith("- "):
        return len(where) > 3
    found: Any = condyle
    for part in where.split("."):
        if not hasattr(found, part) and part not in getattr(found, "__annotations__", {}):
            return False
        found = getattr(found, part, None)
    return True


def test_every_command_is_a_function(program: str) -> None:
    commands = listed_commands(program, "")
    assert len(commands) > 20
    # `batch` hands over to Python.
    pages = (commands & set(COMMANDS)) - {"batch"}
    deeper = {f"{own} {below}" for own in pages for below in listed_commands(program, own) - {"help"}}
    found = (commands | deeper) - set(NOT_FOR_PYTHON)
    assert found == set(COMMANDS)
    assert set(NOT_FOR_PYTHON) <= commands, "reasons for commands that are gone"


@pytest.mark.parametrize("command", sorted(set(COMMANDS) - {"batch"}))
def test_every_option_of_a_command_is_a_keyword(program: str, command: str) -> None:
    function, elsewhere = COMMANDS[command]
    options = long_options(program, command)
    assert "help" in options
    said = {option.replace("_", "-") for option in keywords(function) | (READING if command in READ_BEFORE else set())}
    missing = options - set(OF_TERMINALS) - said - set(elsewhere)
    assert not missing, f"neither keywords nor elsewhere: {sorted(missing)}"
    gone = set(elsewhere) - options
    assert not gone, f"no option any more: {sorted(gone)}"
    for option, where in elsewhere.items():
        assert is_there(where), f"--{option}: {where}"


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
        assert is_there(where), f"{function}: {where}"
