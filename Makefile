# Works with GNU make 3.81 (macOS) and later.
PYTHON ?= python3
VENV ?= .venv
PYTEST_ARGS ?=
BENCH_ARGS ?=
WORKERS ?= 2

PY := $(VENV)/bin/python
STAMP := $(VENV)/.installed
# torch is named in the install command itself. Left to the dependencies of stable-baselines3, pip
# may pick another build of it, gigabytes larger.
TORCH := $(shell sed -n 's/^\(torch==[^ ;]*\).*/\1/p' constraints.txt)

.DEFAULT_GOAL := help
.PHONY: help install demo test test-long golden lint format format-check types check docs bench bench-check bench-docs clean

help: ## List the targets
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' Makefile

install: $(STAMP) ## Create .venv and install everything, pinned (instant when up to date)

$(PY):
	@command -v "$(PYTHON)" >/dev/null 2>&1 && "$(PYTHON)" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' || { \
	  echo "error: Python 3.11, 3.12 or 3.13 is needed, and '$(PYTHON)' is not one of them." \
	       "Name one, for example: make install PYTHON=python3.12" >&2; exit 1; }
	"$(PYTHON)" -m venv "$(VENV)"

$(STAMP): pyproject.toml constraints.txt | $(PY)
	@echo "installing into $(VENV): a few minutes the first time"
	@"$(PY)" -m pip install -q --disable-pip-version-check -c constraints.txt -e '.[all]' $(TORCH)
	@touch "$@"

demo: install ## Train for a moment and watch the result play
	"$(PY)" -m training.demo

test: install ## Run the tests (extra arguments: PYTEST_ARGS='-k name')
	"$(PY)" -m pytest -n $(WORKERS) --dist loadfile $(PYTEST_ARGS)

test-long: install ## Run the long tests, which `make test` leaves out
	"$(PY)" -m pytest -m long $(PYTEST_ARGS)

golden: install ## Play the golden games anew and show what changes (say why in the commit)
	"$(PY)" -m tests.golden.regenerate

lint: install ## Check style and likely mistakes
	"$(PY)" -m ruff check .

format: install ## Format the code and apply the safe fixes
	"$(PY)" -m ruff format .
	"$(PY)" -m ruff check --fix .

format-check: install ## Check the formatting without changing files
	"$(PY)" -m ruff format --check .

types: install ## Check the types
	"$(PY)" -m mypy

check: lint format-check types ## All checks that run no tests

docs: install ## Regenerate docs/observation.md, docs/actions.md and docs/rules.md
	"$(PY)" -m bohnanza_env.docs

bench: install ## Decisions a second, beside other projects where they are installed
	"$(PY)" -m benchmarks.run $(BENCH_ARGS)

bench-check: install ## Is anything slower than benchmarks/accepted.json says? (BENCH_ARGS=--cold)
	"$(PY)" -m benchmarks.check $(BENCH_ARGS)

bench-docs: install ## Measure everything and write the tables of docs/performance.md (minutes)
	"$(PY)" -m benchmarks.run --update $(BENCH_ARGS)
	"$(PY)" -m benchmarks.components --update
	"$(PY)" -m benchmarks.scaling --update
	"$(PY)" -m benchmarks.vector --update

clean: ## Remove caches and build outputs (keeps .venv)
	rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -not -path './.venv*' -prune -exec rm -rf {} +
