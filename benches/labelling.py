#!/usr/bin/env python3
"""Answers of `condyle label` to tasks of unlabelled tracks, for the scorer that made the tasks.

    labelling.py make DATA TASKS 3            the scorer of the tasks, which is not part of this repository
    benches/labelling.py TASKS ANSWERS [--condyle PROGRAM] [--only NAME,NAME]
    labelling.py score TASKS ANSWERS

TASKS holds NAME-subject.trc and NAME-SEED.trc. Every subject is fitted, and its labels are given to every recording.
Tasks whose names begin with x have the subject of somebody else: labels are asked for all the same (--anyway). What
is refused has no answer, which scores nothing.
"""

import argparse
import pathlib
import resource
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def run(command):
    """What a command prints, or why it does not."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else None, done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tasks", type=pathlib.Path)
    parser.add_argument("answers", type=pathlib.Path)
    parser.add_argument("--condyle", default=ROOT / "target/release/condyle")
    parser.add_argument("--only", default="", help="names of tasks")
    args = parser.parse_args()
    args.answers.mkdir(parents=True, exist_ok=True)
    wanted = set(filter(None, args.only.split(",")))
    for recorded in sorted(args.tasks.glob("*-subject.trc")):
        name = recorded.name.removesuffix("-subject.trc")
        if wanted and name not in wanted:
            continue
        subject = args.answers / f"{name}.subject"
        fitted, why = run([args.condyle, "fit", recorded, "-o", subject, "--force"])
        if fitted is None:
            print(f"{name}: {why.strip()}")
            continue
        for task in sorted(args.tasks.glob(f"{name}-[0-9]*.trc")):
            out = args.answers / task.name
            command = [args.condyle, "label", task, "--subject", subject, "-o", out, "--force", "--json"]
            answer, why = run(command + (["--anyway"] if name.startswith("x") else []))
            if answer is None:
                print(f"{task.stem}: {why.strip()}")
                continue
            (args.answers / f"{task.stem}.json").write_text(answer)
    print(f"{resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime:.1f} s of processor")
    return 0


if __name__ == "__main__":
    sys.exit(main())
