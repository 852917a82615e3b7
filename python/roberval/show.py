"""Results for people: notebooks, pandas, matplotlib. Libraries are imported where they are needed."""
from __future__ import annotations

import difflib
import html as html_text
import shutil
from typing import TYPE_CHECKING, Any, List, Optional, Sequence

import numpy as np

if TYPE_CHECKING:  # pragma: no cover
    from .result import Result

COLOURS = {"free": "#888888", "unique": "#1a7f37", "compliance": "#0969da", "unsure": "#9a6700", "not unique": "#cf222e"}


def nearest(name: str, names: List[str]) -> Optional[str]:
    """The name most like a misspelt one."""
    found = difflib.get_close_matches(name, names, 1)
    return found[0] if found else None


def page_width() -> int:
    """Width of the terminal in characters."""
    return max(60, min(200, shutil.get_terminal_size((100, 24)).columns))


def html(result: "Result") -> str:
    """A table of columns with their ranges; verdicts are colours."""
    rows = []
    for name in result:
        column = result[name]
        values = np.asarray(column)
        if name == "time" and len(result) > 1:
            continue
        good = values[np.isfinite(values)]
        cells = [f"{v:.6g}" for v in (values[0], good.min(), good.max())] if good.size else ["-"] * 3
        colour = COLOURS.get(column.verdict, "inherit")
        rows.append(f"<tr><td>{html_text.escape(name)}</td><td>{html_text.escape(column.unit)}</td>"
                    + "".join(f"<td>{cell}</td>" for cell in cells)
                    + f'<td style="color:{colour}">{html_text.escape(column.verdict)}</td></tr>')
    notes = "".join(f"<li>{html_text.escape(note)}</li>" for note in result.notes)
    head = "<tr><th>column</th><th>unit</th><th>first</th><th>min</th><th>max</th><th>verdict</th></tr>"
    return f"<table>{head}{''.join(rows)}</table>" + (f"<ul>{notes}</ul>" if notes else "")


def has_samples(result: "Result") -> None:
    """ValueError: the result has none."""
    if len(result.index) == 0:
        raise ValueError("this result has no samples: .verdicts, .mobility and so on hold what it has")


def to_pandas(result: "Result") -> Any:
    """A DataFrame of a result."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError("to_pandas needs pandas (Debian: python3-pandas)") from error
    names = list(result)
    has_samples(result)
    frame = pandas.DataFrame({name: np.array(result[name]) for name in names[1:]},
                             index=pandas.Index(np.array(result.index), name=names[0] if names else None))
    frame.attrs["units"] = {name: result[name].unit for name in names}
    frame.attrs["verdicts"] = dict(result.verdicts)
    return frame


def plot(result: "Result", columns: Sequence[str], ax: Any) -> Any:
    """Curves of columns over column 0."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("plot needs matplotlib (Debian: python3-matplotlib)") from error
    if not columns:
        raise ValueError("plot wants names of columns, such as 'motor.effort'")
    chosen = []
    for name in columns:
        found = result[name]
        chosen += found if isinstance(found, list) else [found]
    if not chosen:
        raise ValueError(f"no column fits {', '.join(columns)}")
    has_samples(result)
    if ax is not None and not hasattr(ax, "fill_between"):
        raise TypeError(f"ax must be axes of matplotlib, not {ax!r}")
    if ax is None:
        ax = plt.figure().add_subplot()
    x = np.asarray(result.index)
    for column in chosen:
        y = np.asarray(column)
        named = f"{column.name} [{column.unit}]" if column.unit else column.name
        line = ax.plot(x, y, "-" if len(x) > 1 else "o", label=named)[0]
        if column.verdict == "not unique":
            line.set_label(line.get_label() + " (not unique)")
            ax.fill_between(x, y, 0, facecolor="none", edgecolor=line.get_color(), hatch="//", linewidth=0, alpha=0.5,
                            where=column.verdicts == "not unique")
    units = sorted({column.unit for column in chosen})
    if len(x) > 1:
        ax.set_xlabel(f"{result.index.name} [{result.index.unit}]" if result.index.unit else result.index.name)
    if len(units) == 1 and units[0]:
        ax.set_ylabel(f"[{units[0]}]")
    ax.legend()
    return ax
