"""Runs the cells of docs/tour.ipynb and stores what they print and draw. Needs nbclient and ipykernel."""

from pathlib import Path

import nbformat
from nbclient import NotebookClient

PATH = Path(__file__).resolve().parents[1] / "docs" / "tour.ipynb"


def main() -> None:
    """Runs the notebook in place, without times and machine names in its metadata."""
    notebook = nbformat.read(PATH, as_version=4)
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(PATH.parent)}}).execute()
    for cell in notebook.cells:
        cell.metadata = {}
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    nbformat.write(notebook, PATH)


if __name__ == "__main__":
    main()
