"""Many recordings on the cores of this machine; a client of any Dask cluster does the same elsewhere."""

import tempfile
from pathlib import Path

import condyle


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        walks = Path(folder) / "walks"
        walks.mkdir()
        for seed in range(3):
            made = condyle.simulate(routine="walk", seconds=2, rate=50, markers="plug-in-gait", seed=seed)
            made.trial.write(walks / f"walk-{seed}.c3d")
        for outcome in condyle.map(str(walks / "*.c3d"), Path(folder) / "skeletons"):
            print(outcome.url, outcome.status, outcome.joints)


if __name__ == "__main__":
    try:
        main()
    except condyle.Error as error:
        if error.code != "missing-library":
            raise
        print(f"skipped: {error}")
