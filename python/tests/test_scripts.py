"""The worked scripts of examples/python print what their texts say."""
from __future__ import annotations

import os
import re
import subprocess
import sys

import conftest
import pytest

SCRIPTS = sorted((conftest.EXAMPLES / "python").glob("*.py"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda p: p.stem)
def test_a_script_prints_what_its_text_says(script):
    text = script.read_text(encoding="utf-8")
    if "scipy" in text:
        pytest.importorskip("scipy")
    expected = re.search(r"prints\n\n((?:    .*\n)+)\"\"\"", text).group(1)
    environment = dict(os.environ, PYTHONPATH=str(conftest.ROOT / "python"))
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [line[4:] for line in expected.splitlines()]


def test_there_are_six():
    assert len(SCRIPTS) == 6
