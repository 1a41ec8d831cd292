#!/usr/bin/env python3
"""Ends a run at each of its steps in the file system, one after the other, and runs again.

Each step is a call that opens, locks, writes, syncs, renames or removes; strace kills the run before it, or lets the disk
be full from it on. `--after` does the same to a second run, whose first was killed at a random step. Every rerun must end
well, with the same files as an undisturbed run and no others. The random moments of `faults` hardly ever hit what this
finds: a run that was killed halfway and whose rerun then had no room.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

CALLS = "openat,flock,fsync,rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,write,chmod,fchmod,ftruncate"
# What can fail for want of room.
TAKES_ROOM = {"openat", "fsync", "rename", "renameat", "renameat2", "link", "linkat", "mkdir", "write"}
FAULTS = {"kill": "signal=KILL", "interrupt": "signal=INT", "full": "error=ENOSPC"}
# Differ from run to run: when it was made and how long it took.
NOT_COMPARED = {"run.json", ".condyle-lock"}


def run(program, out, fault=None, trace="trace.txt"):
    words = [program, "run", "in.c3d", "-o", out, "--quiet"]
    if fault is not None:
        words = ["strace", "-f", "-qq", "-o", trace, "-e", f"trace={CALLS}", *fault, *words]
    # One thread: the steps come in the same order every time.
    return subprocess.run(words, capture_output=True, text=True, env={**os.environ, "RAYON_NUM_THREADS": "1"})


def contents(folder):
    """What is in a folder of results; of what may differ the name alone."""
    files = Path(folder).iterdir()
    return {file.name: b"" if file.name in NOT_COMPARED else file.read_bytes() for file in files}


def steps(program):
    """Every step from the first in the folder of results on: the call, and the how-manieth of its kind it is."""
    run(program, "counted", [])
    lines = Path("trace.txt").read_text().splitlines()
    first = next(index for index, line in enumerate(lines) if '"counted' in line)
    seen, found = {}, []
    for index, line in enumerate(lines):
        call = line.split(maxsplit=1)[1].split("(")[0]
        seen[call] = seen.get(call, 0) + 1
        if index >= first:
            found.append((call, seen[call]))
    return found


def at(step, fault):
    call, count = step
    lasting = "+" if fault == "full" else ""
    return ["-e", f"inject={call}:{FAULTS[fault]}:when={count}{lasting}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, required=True, help="the program condyle")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if shutil.which("strace") is None:
        print("skipped: steps: need strace, got none")
        return 0
    program, rng = str(options.program.resolve()), random.Random(options.seed)
    wrong = 0
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        made = [program, "simulate", "-o", "one", "--quiet", "--markers", "clusters", "--seconds", "1", "--rate", "20"]
        subprocess.run(made, check=True)
        Path("one/recording.c3d").rename("in.c3d")
        whole_run = run(program, "whole")
        if whole_run.returncode != 0:
            print(f"WRONG  the undisturbed run failed: {whole_run.stderr}")
            return 1
        whole, every = contents("whole/in"), steps(program)
        for fault in FAULTS:
            for is_after in (False, True):
                ended = 0
                for step in every:
                    if fault == "full" and step[0] not in TAKES_ROOM:
                        continue
                    shutil.rmtree("out", ignore_errors=True)
                    if is_after:
                        run(program, "out", at(rng.choice(every), "kill"))
                    ended += run(program, "out", at(step, fault)).returncode != 0
                    again = run(program, "out")
                    if again.returncode != 0 or contents("out/in") != whole:
                        wrong += 1
                        print(f"WRONG  {fault} at {step}: {again.stderr.strip() or sorted(contents('out/in'))}")
                after = ", after a run that was killed" if is_after else ""
                print(f"{fault}{after}: {ended} runs ended early", flush=True)
        os.chdir("/")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
