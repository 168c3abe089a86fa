# The one entry. Everything lands in build/; `make help` lists what there is.

BUILD := build
PYTHON := /usr/bin/python3
CMAKE := cmake
JOBS ?= $(shell nproc)
# A checkout elsewhere compiles to the same objects: ccache may take them from one another.
export CCACHE_BASEDIR := $(CURDIR)
export CCACHE_NOHASHDIR := true
# Narrows `make test` (a ctest -R expression) and `make piglit` (a piglit -t expression).
FILTER ?=

.PHONY: help setup build run test controls release asan tsan format tidy draw-cost piglit install clean

help:
	@echo 'make setup        install the Debian packages that are missing (tools/setup/packages.txt)'
	@echo 'make build        set up when needed, then build into $(BUILD)/'
	@echo 'make run          build, then draw the example scene through MobileGL and compare it with the host'
	@echo 'make test         build, then run every test (FILTER=regex for some)'
	@echo 'make controls     build, then break each mechanism on purpose and see a test red (FILTER=regex for some)'
	@echo 'make release      optimised build into $(BUILD)-release/'
	@echo 'make asan tsan    builds under sanitizers into $(BUILD)-asan/ and $(BUILD)-tsan/'
	@echo 'make draw-cost    instructions, records and bytes per draw of the rd12 frame'
	@echo 'make piglit       piglit on the host and on MobileGL (FILTER=regex)'
	@echo 'make install      into PREFIX (default /usr/local), under DESTDIR when set'
	@echo 'make format tidy  clang-format in place; clang-tidy over the build'

setup:
	@tools/setup/setup.sh

# A warm build asks dpkg once and says nothing when all is there.
.PHONY: ensure-setup
ensure-setup:
	@tools/setup/setup.sh --check >/dev/null 2>&1 || tools/setup/setup.sh

define build_preset
	@test -f $(1)/build.ninja || $(CMAKE) --preset $(2)
	@$(CMAKE) --build $(1) -j$(JOBS)
endef

build: ensure-setup
	$(call build_preset,$(BUILD),dev)

release: ensure-setup
	$(call build_preset,$(BUILD)-release,release)

asan: ensure-setup
	$(call build_preset,$(BUILD)-asan,asan)

tsan: ensure-setup
	$(call build_preset,$(BUILD)-tsan,tsan)

run: build
	@$(PYTHON) examples/run.py $(BUILD)

test: build
	@cd $(BUILD) && ctest --output-on-failure -j$(JOBS) $(if $(FILTER),-R '$(FILTER)')

# The host's pictures first: what scenarios are compared with.
controls: build
	@$(PYTHON) tests/scenario/run_arm.py --build $(BUILD) --arm host >/dev/null
	@$(PYTHON) tests/controls/controls.py --build $(BUILD) --filter '$(FILTER)'

draw-cost: release
	@$(PYTHON) tools/bench/draw_cost.py $(BUILD)-release

piglit: build
	@$(PYTHON) tests/conformance/piglit.py $(BUILD) '$(FILTER)'

PREFIX ?= /usr/local
install: release
	@DESTDIR='$(DESTDIR)' $(CMAKE) --install $(BUILD)-release --prefix '$(PREFIX)'

format: ensure-setup
	@git ls-files -co --exclude-standard '*.h' '*.cpp' '*.c' | xargs -r clang-format -i

tidy: build
	@git ls-files 'src/*.cpp' 'tools/*.cpp' | xargs -r -P$(JOBS) -n4 clang-tidy -quiet -p $(BUILD)

clean:
	rm -rf $(BUILD) $(BUILD)-release $(BUILD)-asan $(BUILD)-tsan
