# The short way to everything. The build itself is CMake's (CMakePresets.json); results are in build/<preset>/.
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
QUIETLY = tools/quietly
# Configure a preset and build targets of it.
build = sh -c 'cmake --preset $(1) && cmake --build --preset $(1) --target $(2)'
.DEFAULT_GOAL := help
PYTHON ?= /usr/bin/python3
.PHONY: help demo format test test-all test-rounding python wheel web bench install uninstall coverage fuzz rooms clean packages packages-format packages-mpi packages-extra release

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1	\2/p' Makefile | expand -t 18

packages:
	@tools/install-packages packages.txt
packages-format:
	@tools/install-packages packages.txt packages-format.txt
packages-mpi:
	@tools/install-packages packages.txt packages-mpi.txt
packages-extra:
	@tools/install-packages packages.txt packages-extra.txt

release: packages ## build program and libraries for use (build/release)
	@$(QUIETLY) "building build/release" $(call build,release,installed)

demo: packages ## build the same (about a minute on two cores) and solve the example press with it, into out/demo
	@echo "The first build takes about a minute on two cores, later ones what has changed."
	@$(QUIETLY) "building build/release" $(call build,release,installed)
	@ROBERVAL=build/release/roberval examples/demo.sh

test: packages ## tests for everyone, 4 minutes on two cores: those in C with sanitizers, the others on an optimised build with asserts
	@echo "Builds twice and tests: 4 minutes on two idle cores the first time, later 2 and a half."
	@$(QUIETLY) "building build/dev: sanitizers, warnings are errors" $(call build,dev,unit_tests roberval_cli)
	@$(QUIETLY) "building build/checked: optimised, with asserts" $(call build,checked,program_tests)
	@echo "== unit tests, and a few of the program, with sanitizers"
	@ROBERVAL_QUICK=1 ctest --preset dev -L '^(unit|smoke)$$' -LE slow
	@echo "== all others, optimised, with asserts"
	@ROBERVAL_QUICK=1 ctest --preset checked -L '^(program|check|optimised)$$' -LE '^(slow|smoke)$$'

test-all: packages-format packages-mpi ## every test on the optimised build, with more random instances, all but the longest with sanitizers, and the Python package: somewhat over an hour on two cores
	@echo "Builds twice and runs every test optimised, all but the longest with sanitizers: somewhat over an hour on two idle cores."
	@$(QUIETLY) "building build/dev: sanitizers, warnings are errors" $(call build,dev,all)
	@$(QUIETLY) "building build/checked: optimised, with asserts" $(call build,checked,all)
	@echo "== with sanitizers, without what takes long and what runs once more in other coordinates"
	@ROBERVAL_QUICK=1 ctest --preset dev -LE '^(check|natural|joint|polar)$$'
	@echo "== everything optimised, with asserts"
	@ROBERVAL_MORE=1 ctest --preset checked
	@$(MAKE) --no-print-directory test-rounding
	@$(MAKE) --no-print-directory python
	@echo "== the page of report, where node is here"
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory web; else web/check; fi

python: packages ## build the Python package in the source tree, test it and check its types: 3 minutes on two cores
	@tools/install-packages packages-python.txt
	@$(QUIETLY) "building build/release" $(call build,release,installed)
	@mkdir -p build/python
	@$(QUIETLY) "building python/roberval/_binding" $(PYTHON) python/binding/make_binding.py
	@echo "== the Python package"
	@$(PYTHON) -m pytest -q -p no:cacheprovider -W ignore python/tests
	@cd python && $(PYTHON) -m mypy --strict --cache-dir ../build/python/mypy roberval
	@for script in examples/python/*.py; do \
	    MYPYPATH=python $(PYTHON) -m mypy --strict --no-error-summary --ignore-missing-imports --follow-imports=silent --cache-dir build/python/mypy $$script || exit 1; done

wheel: packages ## sdist and wheel of the Python package, with the C libraries it needs, into build/python/dist
	@tools/install-packages packages-python.txt
	@$(QUIETLY) "building build/release" $(call build,release,installed)
	@cd python && ROBERVAL_INCLUDE='$(CURDIR)/include' ROBERVAL_LIBRARY='$(CURDIR)/build/release' ../tools/quietly "building the wheel" $(PYTHON) -m build --no-isolation --outdir ../build/python/dist .
	@rm -rf python/build python/*.egg-info

ACCEPTANCE = $(wildcard ../shared/acceptance)
# What programs for x86-64-v3 need of the processor; "yes" or nothing.
FUSED = $(shell for flag in avx2 fma bmi1 bmi2 f16c movbe abm; do grep -qw "$$flag" /proc/cpuinfo || exit 0; done; echo yes)
test-rounding: packages ## examples, acceptance cases and pages under other kernels of OpenBLAS, compilers' options and orders: 8 to 10 minutes on two cores
	@$(QUIETLY) "building build/checked: optimised, with asserts" $(call build,checked,installed)
	@$(QUIETLY) "building build/rounding-plain: little optimised" $(call build,rounding-plain,installed)
	@$(if $(FUSED),$(QUIETLY) "building build/rounding-fused: with AVX2 and fused multiplication" $(call build,rounding-fused,installed),echo "no build/rounding-fused: this processor has no AVX2 or FMA")
	@echo "== what hangs on rounding"
	@tools/test-rounding build/checked/roberval $(if $(ACCEPTANCE),--acceptance $(ACCEPTANCE)) --built plain=build/rounding-plain/roberval $(if $(FUSED),--built fused=build/rounding-fused/roberval)

format: packages-format ## bring all C into the form of .clang-format
	@git ls-files -co --exclude-standard '*.c' '*.h' | xargs clang-format-14 -i
	@tools/house

web: ## check that the built page of report fits its sources, and test it in a browser: 2 minutes; needs node and npm
	@tools/install-packages packages-web.txt || true
	@web/check --test

bench: release ## build optimised and run every program of bench/
	@$(QUIETLY) "building build/release/bench" $(call build,release,bench)
	@for program in build/release/bench/*; do \
	    [ -f "$$program" ] && [ -x "$$program" ] || continue; \
	    echo "== $$program"; "$$program" || exit 1; \
	done

# A Python given by the caller: `make install PYTHON=python3` installs the package for it.
PYTHON_GIVEN = $(filter command environment,$(firstword $(origin PYTHON)))
install: release ## install program, manual page, completions, libraries, headers, docs, examples below PREFIX (/usr/local), with PYTHON=python3 the Python package; DESTDIR works
	@rm -rf build/python/site && mkdir -p build/python
	@$(if $(PYTHON_GIVEN),$(QUIETLY) "building the Python package" $(PYTHON) python/binding/make_binding.py --site build/python/site --runpath '$$ORIGIN/../../..:$$ORIGIN/../../../$(shell gcc -print-multiarch)')
	@cmake --install build/release --prefix '$(PREFIX)' >/dev/null
	@[ -n "$(DESTDIR)" ] || [ "$$(id -u)" -ne 0 ] || ldconfig
	@echo "Installed below $(DESTDIR)$(PREFIX): the manual is 'man roberval', examples are in $(DESTDIR)$(PREFIX)/share/doc/roberval."

uninstall: ## remove what `make install` has put there, with the same PREFIX and DESTDIR
	@tools/uninstall build/release '$(PREFIX)'

coverage: packages-extra ## run the tests counting executed lines; report in build/coverage/report/index.html
	@find build/coverage -name '*.gcda' -delete 2>/dev/null || true
	cmake --workflow --preset coverage
	@mkdir -p build/coverage/report
	gcovr --root . --object-directory build/coverage --filter src/ --exclude-throw-branches --print-summary \
	    --html-details build/coverage/report/index.html

fuzz: packages-extra ## replay the fuzz corpora, then search for FUZZ_SECONDS (60) per target; findings in build/fuzz/findings
	cmake --preset fuzz
	cmake --build --preset fuzz
	@mkdir -p build/fuzz/findings
	@for program in build/fuzz/fuzz/*_fuzz; do \
	    [ -x "$$program" ] || continue; \
	    name=$$(basename "$$program" _fuzz); mkdir -p "build/fuzz/corpus/$$name"; \
	    echo "== $$name"; \
	    "$$program" -max_total_time=$(FUZZ_SECONDS) -timeout=10 -print_final_stats=1 \
	        -artifact_prefix=build/fuzz/findings/ "build/fuzz/corpus/$$name" "fuzz/corpus/$$name" || exit 1; \
	done

rooms: ## check the include order of the rooms, file lengths and public comments
	@/usr/bin/python3 tools/check-rooms

clean: ## remove build/ and out/
	rm -rf build out
