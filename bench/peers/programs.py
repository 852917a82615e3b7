"""The programs of bench/peers: their packages, their build, and the machine that they run on."""
import os
import platform
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parent.parent


def install():
    lists = [str(HERE / "packages.txt"), str(TOP / "packages.txt")]
    subprocess.run([str(TOP / "tools" / "install-packages"), *lists], check=True)


def build(folder, wanted, source=None, simbody=None):
    """Those of the wanted programs (what they are called: their files) that could be built."""
    folder.mkdir(parents=True, exist_ok=True)
    options = [f"-DPEERS_ROBERVAL_SOURCE={source.resolve()}"] if source else []
    options += [f"-DPEERS_SIMBODY_RELEASE={simbody.resolve()}"] if simbody else []
    configured = subprocess.run(["cmake", "-S", str(HERE), "-B", str(folder), "-G", "Ninja", *options], capture_output=True, text=True)
    for line in configured.stdout.splitlines():
        if "is skipped" in line:
            print(line.lstrip("- "))
    if configured.returncode:
        sys.exit(configured.stderr)
    built = subprocess.run(["cmake", "--build", str(folder), "--", "-k", "0"], capture_output=True, text=True)
    if built.returncode:
        print("\n".join(line for line in built.stdout.splitlines() if "error" in line or "FAILED" in line)[:2000])
    return {name: folder / program for name, program in wanted.items() if (folder / program).exists()}


def machine():
    cpu = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    query = ["dpkg-query", "-W", "-f", "${Package} ${Version}, ", "libsimbody-dev", "libmujoco-dev", "liborocos-kdl-dev", "libdart-dev",
             "libbullet-dev"]
    versions = subprocess.run(query, capture_output=True, text=True)
    compiler = subprocess.run(["c++", "--version"], capture_output=True, text=True).stdout.splitlines()
    load = os.getloadavg()[0]
    return (f"{platform.node()}: {cpu[1] if cpu else platform.machine()}, {os.cpu_count()} cores, load {load:.1f}; "
            f"{versions.stdout}{compiler[0] if compiler else ''}")
