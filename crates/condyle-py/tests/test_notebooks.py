"""The notebooks of the documentation run from a clean kernel; as a program, their code for type checkers.

    python crates/condyle-py/tests/test_notebooks.py FOLDER   # a module a notebook
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import List

FOLDER = Path(__file__).resolve().parents[3] / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
#: What notebooks may need and a clean environment may not have.
OPTIONAL = {"matplotlib", "pandas", "polars"}


def code(notebook: Path) -> str:
    """The cells of code, one after the other."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return "\n".join("".join(cell["source"]) + "\n" for cell in cells if cell["cell_type"] == "code")


def write_modules(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for notebook in NOTEBOOKS:
        (folder / f"{notebook.stem}.py").write_text(code(notebook), encoding="utf-8")


if __name__ == "__main__":
    write_modules(Path(sys.argv[1]))
    sys.exit()

import pytest  # noqa: E402


def missing(notebook: Path) -> List[str]:
    """Libraries that it imports and that are not here."""
    import ast
    import importlib.util

    nodes = list(ast.walk(ast.parse(code(notebook))))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}
    tops = {name.split(".")[0] for name in names} & OPTIONAL
    if "condyle.map(" in code(notebook):
        tops |= {"distributed", "fsspec", "pyarrow"}
    if ".to_pandas(" in code(notebook):
        tops.add("pandas")
    return sorted(name for name in tops if importlib.util.find_spec(name) is None)


def test_the_five_are_there_without_outputs() -> None:
    names = ["figure_of_the_thesis", "first_skeleton", "gait_angles", "live", "many"]
    assert [notebook.stem for notebook in NOTEBOOKS] == names
    for notebook in NOTEBOOKS:
        for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
            assert not cell.get("outputs") and cell.get("execution_count") is None, notebook


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_a_notebook_runs(notebook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    gone = missing(notebook)
    if gone:
        pytest.skip(f"need {', '.join(gone)}")
    monkeypatch.setenv("CONDYLE_TRIALS", "12")
    book = nbformat.read(notebook, as_version=4)
    nbformat.validate(book)
    nbclient.NotebookClient(book, timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [output for cell in book.cells if cell.cell_type == "code" for output in cell.outputs]
    said = "".join(output.get("text", "") for output in shown)
    drawn = [output.data for output in shown if "data" in output]
    expected = {
        "first_skeleton": lambda: "<circle" in drawn[0]["text/html"] and "flexion" in said,
        "gait_angles": lambda: "cadence" in said and "<table" in drawn[0]["text/html"],
        "many": lambda: "12 {'done'}\n12 {'up-to-date'}\n240 frames" in said,
        "live": lambda: "left knee" in said and "<circle" in drawn[-1]["text/html"],
        "figure_of_the_thesis": lambda: "sc-gdk" in said and any("image/png" in own for own in drawn),
    }
    assert expected[notebook.stem](), said
