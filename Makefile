# The short way to everything. The build itself is CMake's (CMakePresets.json); results are in build/<preset>/.
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
.DEFAULT_GOAL := help
.PHONY: help demo test bench install coverage fuzz rooms clean packages packages-extra release

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1	\2/p' Makefile | expand -t 18

packages:
	@tools/install-packages packages.txt
packages-extra:
	@tools/install-packages packages.txt packages-extra.txt

release: packages
	@echo "== building build/release"
	cmake --preset release -DCMAKE_INSTALL_PREFIX='$(PREFIX)'
	cmake --build --preset release

demo: packages ## build the program (build/release/roberval) and solve the example press with it, into out/demo
	@echo "== building build/release/roberval"
	cmake --preset release
	cmake --build --preset release --target roberval_cli
	@echo "== examples/demo.sh"
	@ROBERVAL=build/release/roberval examples/demo.sh

test: packages ## build with sanitizers (dev) and optimised with asserts (checked), run all tests on both
	@echo "== dev: gcc, sanitizers, warnings are errors"
	cmake --workflow --preset dev
	@echo "== checked: optimised, with asserts"
	cmake --workflow --preset checked

bench: release ## build optimised and run every program of bench/
	@for program in build/release/bench/*; do \
	    [ -f "$$program" ] && [ -x "$$program" ] || continue; \
	    echo "== $$program"; "$$program" || exit 1; \
	done

install: release ## install program, libraries, headers and package files below PREFIX (/usr/local); DESTDIR works
	cmake --install build/release

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
