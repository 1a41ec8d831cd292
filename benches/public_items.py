#!/usr/bin/env python3
"""Lists the public items of the library by module, from what `cargo doc` wrote.

    cargo doc -p condyle --no-deps && benches/public_items.py [--check]

Writes docs/public-items.md; with --check it only says whether that is as it should be, and exits 1 if not.
The folder of the documentation is $CARGO_TARGET_DIR/doc, or target/doc.
"""

import os
import re
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "public-items.md"
KINDS = {"struct": "types", "enum": "types", "trait": "traits", "fn": "functions", "constant": "constants", "type": "types"}


def items(html):
    """For every module its items by kind, in the order of rustdoc's list."""
    found = defaultdict(lambda: defaultdict(list))
    for link, name in re.findall(r'<li><a href="([^"]+)">([^<]+)</a></li>', html):
        kind = re.search(r"(\w+)\.[^./]+\.html$", link)
        if kind and kind[1] in KINDS:
            module, _, item = name.rpartition("::")
            found[module or "condyle"][KINDS[kind[1]]].append(item)
    return found


def main():
    folder = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "doc" / "condyle" / "all.html"
    if not folder.exists():
        print(f"{folder}: need the documentation, got none: cargo doc -p condyle --no-deps", file=sys.stderr)
        return 2
    found = items(folder.read_text())
    count = sum(len(names) for kinds in found.values() for names in kinds.values())
    lines = [
        "# Public items of the library",
        "",
        f"{count} items by module, written by `benches/public_items.py`. What is not here may change without notice; "
        "what is here is what `cargo semver-checks --baseline-rev` compares with the last tagged version.",
        "",
        "| module | types and traits | functions and constants |",
        "|---|---|---|",
    ]
    for module in sorted(found):
        kinds = found[module]
        left = ", ".join(f"`{name}`" for name in sorted(kinds["types"] + kinds["traits"]))
        right = ", ".join(f"`{name}`" for name in sorted(kinds["functions"] + kinds["constants"]))
        lines.append(f"| `{module}` | {left} | {right} |")
    page = "\n".join(lines) + "\n"
    if "--check" in sys.argv[1:]:
        is_same = PAGE.exists() and PAGE.read_text() == page
        print("docs/public-items.md is as it should be" if is_same else "docs/public-items.md is out of date")
        return 0 if is_same else 1
    PAGE.write_text(page)
    print(f"{PAGE.relative_to(ROOT)}: {count} items")
    return 0


if __name__ == "__main__":
    sys.exit(main())
