# The commands for people. Each does the set-up that it needs: on a fresh machine too, and in seconds when all is there.
.DEFAULT_GOAL := help
.PHONY: help demo test soak build bench setup bundle lint format clean

JOBS ?= $(shell nproc)
SOAK_SECONDS ?= 120
PROGRAM := build/bin/tritonrl
TARGET ?= tritonrl
export PYTHON TORCH_BUILD TORCH_PIP_ARGS

# Ninja where it is there; CMake's own default otherwise.
ifneq ($(shell command -v ninja),)
export CMAKE_GENERATOR ?= Ninja
endif

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: ## Train a small model that writes kernels: teacher, SFT, RL, evaluation, report
	setup/setup.sh test
	$(MAKE) --no-print-directory compile
	apps/demo.sh $(PROGRAM)

test: ## Set up everything, build, run every test
	setup/setup.sh test
	$(MAKE) --no-print-directory compile TARGET=all
	ctest --preset release -j $(JOBS) --no-label-summary

soak: ## The long ones: every test under ASan and TSan with SOAK=1, fuzzing for SOAK_SECONDS a target, conformance, kills
	setup/setup.sh tools
	$(MAKE) --no-print-directory campaigns

build: ## The program, at build/bin/tritonrl
	setup/setup.sh build
	$(MAKE) --no-print-directory compile

# After set-up, in a make of its own: only then is it known which tools are there.
.PHONY: compile campaigns
compile:
	cmake --preset release $(CMAKE_ARGS)
	cmake --build --preset release -j $(JOBS) --target $(TARGET)

campaigns:
	$(MAKE) --no-print-directory compile TARGET=all
	SOAK=1 tests/sanitizers.sh debug $(JOBS)
	SOAK=1 tests/sanitizers.sh tsan $(JOBS)
	fuzz/run.sh $(SOAK_SECONDS) $(JOBS)
	env -u PYTHON tests/conformance/run.sh
	$(or $(wildcard .venv/bin/python),python3) tests/verify/kill_loop.py
	$(or $(wildcard .venv/bin/python),python3) tests/rl/kill_loop.py

bench: ## Benchmarks, with their results
	setup/setup.sh test
	$(MAKE) --no-print-directory compile
	env -u PYTHON bench/run.sh

setup: ## Everything that building and testing need, nothing built
	setup/setup.sh test

bundle: ## One archive from which another machine builds offline
	setup/setup.sh test
	setup/bundle.sh build/tritonrl-bundle.tar.gz

CPP_FILES = $(shell find src apps harness/native tests fuzz bench -name '*.h' -o -name '*.cpp' -o -name '*.cu')
# No part of the release build; clang-tidy takes the flags of the files nearest to them.
UNBUILT_FILES = $(wildcard bench/*.cpp fuzz/*.cpp)

lint: ## clang-format and clang-tidy over the tree
	setup/setup.sh tools
	$(MAKE) --no-print-directory compile TARGET=all
	clang-format-19 --dry-run -Werror $(CPP_FILES)
	run-clang-tidy-19 -quiet -j $(JOBS) -p build -warnings-as-errors='*' '$(CURDIR)/(src|apps|harness/native|tests)/.*'
	clang-tidy-19 --quiet -p build -warnings-as-errors='*' $(UNBUILT_FILES)

format: ## Format the tree in place
	setup/setup.sh tools
	clang-format-19 -i $(CPP_FILES)

clean: ## Leave nothing: neither builds nor what set-up fetched
	rm -rf build .venv .deps runs/demo
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
