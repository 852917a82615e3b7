"""Builds roberval._binding: the C library as Python sees it, by cffi. The compiler checks every struct and function against the headers.

    python3 make_binding.py --include DIR --library DIR --out DIR [--runpath TEXT] [--site DIR]

setup.py builds it by `ffibuilder` with the folders of the environment variables ROBERVAL_INCLUDE and ROBERVAL_LIBRARY.
"""
from __future__ import annotations

import argparse
import os
import pathlib
import shutil
import sys
import sysconfig

import cffi

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import declarations  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]

#: What the binding adds to the headers.
OWN = """
typedef struct RbvPyWatch { void *call; double next; bool stopped; } RbvPyWatch;
bool rbv_py_watch(void *watch, double share);
const char *rbv_py_spell(const char *option);
typedef struct RbvPyStudy { RbvPyWatch watch; RbvStudyFolder *folder; } RbvPyStudy;
bool rbv_py_study_next(void *study, int64_t *variant);
RbvStatus rbv_py_study_row(void *study, const RbvStudyRow *row);
bool rbv_py_study_go_on(void *study);
int rbv_py_inverse(const RbvTree *, RbvTreeWorkspace *, const double *q, const double *v, const double *a, double *tau);
void free(void *);
extern "Python" bool rbv_py_ask(void *call, double share);
extern "Python" bool rbv_py_option(void *study, const char *analysis, const char *name, const char *value, RbvOptions *options,
                                   char *why, size_t size);
extern "Python" double rbv_py_function(void *context, const double *x, double *gradient, double *hessian);
"""

SOURCE = r"""
#define _POSIX_C_SOURCE 200809L
#include <roberval/roberval.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The progress function of all analyses: asks Python some twenty times a second, for signals and for the caller. */
typedef struct RbvPyWatch {
    void *call;   /* handle of the Python object */
    double next;  /* [s] when Python is asked again */
    bool stopped;
} RbvPyWatch;

static bool rbv_py_ask(void *call, double share);

static bool rbv_py_watch(void *watch, double share) {
    RbvPyWatch *w = watch;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double t = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    if (!w->stopped && t >= w->next) {
        w->next = t + 0.05;
        w->stopped = !rbv_py_ask(w->call, share);
    }
    return !w->stopped;
}

/* A run of a study: its rows go to the folder. */
typedef struct RbvPyStudy {
    RbvPyWatch watch;
    RbvStudyFolder *folder;
} RbvPyStudy;

static bool rbv_py_study_next(void *study, int64_t *variant) {
    return rbv_study_folder_next(((RbvPyStudy *)study)->folder, variant);
}

static RbvStatus rbv_py_study_row(void *study, const RbvStudyRow *row) {
    return rbv_study_folder_row(((RbvPyStudy *)study)->folder, row);
}

static bool rbv_py_study_go_on(void *study) {
    RbvPyStudy *s = study;
    RbvStudyProgress done = rbv_study_folder_progress(s->folder);
    return rbv_py_watch(&s->watch, done.all > 0 ? (double)done.done / (double)done.all : 0);
}

/* rbv_tree_inverse of one sample. -1: tau overlaps what is read. */
static int rbv_py_inverse(const RbvTree *tree, RbvTreeWorkspace *workspace, const double *q, const double *v, const double *a,
                          double *tau) {
    int32_t nq = rbv_tree_q_count(tree), nv = rbv_tree_v_count(tree);
    const double *end = tau + nv;
    if ((tau < q + nq && q < end) || (tau < v + nv && v < end) || (tau < a + nv && a < end))
        return -1;
    return rbv_tree_inverse(tree, workspace, NULL, q, v, a, NULL, tau, NULL);
}

/* Options of the library as keyword arguments: "inverse.method" is "method". */
static const char *rbv_py_spell(const char *option) {
    static const char *const words[][2] = {
        {"recording", "record"}, {"start_at_equilibrium", "start='statics'"}, {"reactions.eliminated", "redundant"},
        {"check.along_motion", "motion=True"}, {"inverse.prescribed", "motion"}, {"inverse.reactions", "reaction"},
        {"modes.count", "modes"}, {"overrides", "set"}, {"folders", "path"}, {"along", "follow"}, {"view.only", "only"}};
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
        if (strcmp(words[k][0], option) == 0)
            return words[k][1];
    const char *dot = strrchr(option, '.');
    return dot ? dot + 1 : option;
}
"""


def builder(include: str, library: str, runpath: str) -> cffi.FFI:
    """The builder of the extension module."""
    ffi = cffi.FFI()
    # declarations.without_const is why types of pointers may differ by const
    ffi.cdef(declarations.of_folder(pathlib.Path(include)) + OWN)
    ffi.set_source("roberval._binding", SOURCE, include_dirs=[include], library_dirs=[library], libraries=["roberval"],
                   extra_compile_args=["-std=c17", "-O2", "-Wno-incompatible-pointer-types"], extra_link_args=[f"-Wl,-rpath,{runpath}"])
    return ffi


def site(prefix: pathlib.Path) -> pathlib.Path:
    """The package without its module, in the folder below `prefix` where this Python looks; that folder."""
    name = "dist-packages" if "dist-packages" in sysconfig.get_path("platlib") else "site-packages"
    folder = prefix / f"lib/python{sys.version_info[0]}.{sys.version_info[1]}" / name / "roberval"
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted((ROOT / "python/roberval").iterdir()):
        if path.suffix == ".py" or path.name == "py.typed":
            shutil.copy(path, folder)
    return folder


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--include", default=str(ROOT / "include"))
    parser.add_argument("--library", default=str(ROOT / "build/release"))
    parser.add_argument("--out", default=str(ROOT / "build/python"), help="folder of the intermediate files")
    parser.add_argument("--runpath", help="where the module looks for the library; default: --library")
    parser.add_argument("--site", help="folder that becomes PREFIX: the whole package is put below it, for this Python")
    a = parser.parse_args()
    library = str(pathlib.Path(a.library).resolve())
    made = builder(a.include, library, a.runpath or library).compile(tmpdir=a.out, verbose=False)
    folder = ROOT / "python/roberval"
    if a.site:
        folder = site(pathlib.Path(a.site))
    target = folder / pathlib.Path(made).name
    partial = target.with_suffix(".new")
    partial.write_bytes(pathlib.Path(made).read_bytes())
    partial.chmod(0o755)
    os.replace(partial, target)
    return 0


if __name__ == "__main__":
    sys.exit(main())
