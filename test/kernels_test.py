#!/usr/bin/python3
"""Kernels of OpenBLAS: never those of processors without AVX2 where the processor has it, and those that the user names. OpenBLAS itself says which, if OPENBLAS_VERBOSE is 2."""
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "py"))
import cli  # noqa: E402

FLAGS = set(re.search(r"^flags\s*:(.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)[1].split()) if os.uname().machine == "x86_64" else set()
FAST = {"Haswell", "Zen", "Excavator", "SkylakeX", "Cooperlake", "SapphireRapids"}


def cores(**environment):
    """What OpenBLAS has chosen, one after the other."""
    plain = {k: v for k, v in os.environ.items() if not k.startswith("OPENBLAS_")}
    done = subprocess.run([cli.BINARY, "--version"], capture_output=True, text=True, env=dict(plain, OPENBLAS_VERBOSE="2", **environment), check=True)
    return re.findall(r"Core: (\w+)", done.stdout + done.stderr)


@unittest.skipUnless({"avx2", "fma"} <= FLAGS, "a processor without AVX2")
@unittest.skipUnless(cores(), "OpenBLAS of one kind of processor")
class Kernels(unittest.TestCase):
    def test_are_those_of_the_processor(self):
        self.assertIn(cores()[-1], FAST)

    def test_stay_what_the_user_names(self):
        for name in ("Prescott", "Haswell"):
            self.assertEqual(cores(OPENBLAS_CORETYPE=name), [name])


if __name__ == "__main__":
    cli.main()
