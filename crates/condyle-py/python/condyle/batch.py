"""``python -m condyle.batch``, which ``condyle batch`` calls: thousands of recordings from the command line."""

from __future__ import annotations

import argparse
import inspect
import json
import sys
from typing import Any, Dict, List, Optional

from . import Error, _options, map
from ._frames import need


def _value(text: str) -> Any:
    """A number where it is one."""
    try:
        return int(text)
    except ValueError:
        try:
            return float(text)
        except ValueError:
            return text


def parser() -> argparse.ArgumentParser:
    """Every option of the main job and of reading, by the names that functions have."""
    made = argparse.ArgumentParser(
        prog="condyle batch",
        description="The main job on thousands of recordings, on the cores of this machine or on a Dask cluster.",
        epilog="condyle batch 's3://lab/walks/*.c3d' -o s3://lab/skeletons --scheduler tcp://head:8786",
    )
    made.add_argument("urls", nargs="+", metavar="URL", help="recordings: paths, patterns, or what fsspec knows (s3, gs, http)")
    made.add_argument("-o", "--output", required=True, metavar="URL", help="where the data set goes")
    made.add_argument("--scheduler", metavar="ADDRESS", help="the scheduler of a Dask cluster; one of this machine's cores without")
    made.add_argument("--subject", metavar="SUBJECT.json", help="use this subject instead of fitting one")
    made.add_argument("--storage", metavar="JSON", default="{}", help="options of the storage, for fsspec")
    made.add_argument("-f", "--force", action="store_true", help="do again what is up to date")
    made.add_argument("--json", action="store_true", help="print a JSON object a recording, as they finish")
    for function in (_options.job, _options.reading):
        for name, parameter in inspect.signature(function).parameters.items():
            flag = "--" + name.replace("_", "-")
            if parameter.default is False:
                made.add_argument(flag, action="store_true", default=argparse.SUPPRESS)
            else:
                made.add_argument(flag, type=_value, default=argparse.SUPPRESS, metavar="VALUE")
    return made


def main(words: Optional[List[str]] = None) -> int:
    """0 if all went well, 1 if one did not, 2 if the command line is wrong."""
    options: Dict[str, Any] = vars(parser().parse_args(words))
    urls, output, scheduler = options.pop("urls"), options.pop("output"), options.pop("scheduler")
    is_json, subject, force = options.pop("json"), options.pop("subject"), options.pop("force")
    try:
        storage = json.loads(options.pop("storage"))
    except ValueError as error:
        print(f"error: --storage: need JSON, got {error}", file=sys.stderr)
        return 2
    failed = count = 0
    client = None
    try:
        if scheduler is not None:
            client = need("distributed", "cluster").Client(scheduler)
        for outcome in map(urls, output, client=client, subject=subject, storage=storage, force=force, **options):
            count += 1
            failed += outcome.status == "failed"
            if is_json:
                print(json.dumps(outcome._asdict()), flush=True)
            elif outcome.error:
                print(f"\rerror: {outcome.error}", file=sys.stderr)
    except Error as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\rinterrupted: what is done stays; the same command goes on from there", file=sys.stderr)
        return 1
    print(f"{count - failed} of {count} recordings done, in {output}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
