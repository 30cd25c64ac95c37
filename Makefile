# Two commands matter: `make run` and `make test`. Each sets up what it needs.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready

.PHONY: setup run test soak bench pictures golden format lock clean

setup: $(STAMP)

$(STAMP): requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed; found: $$($(PYTHON) --version 2>&1). Name another one: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || \
		{ echo "Python's venv module is missing. On Debian or Ubuntu: sudo apt install python3-venv"; exit 1; }
	@test -x $(BIN)/python && $(BIN)/python -c '' 2>/dev/null || $(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r requirements.lock
	@$(BIN)/python -c 'import sys; from PIL import features; sys.exit(not features.check("fribidi"))' || \
		echo "Note: without libfribidi names in Arabic or Thai are drawn in the wrong order. On Debian or Ubuntu: sudo apt install libfribidi0"
	@touch $@

run: setup
	@$(BIN)/python -m playground.run

test: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n auto --dist loadfile

# A thousand worlds by seed, three hands each (an hour on two cores).
soak: setup
	$(BIN)/python -m tests.simulate --seeds 1-1000 --hands 3

bench: setup
	@$(BIN)/python -m tests.bench

# The README's screenshots, and every picture at the sizes of a phone.
pictures: setup
	$(BIN)/python -m tests.screenshots
	$(BIN)/python -m tests.render.contact

# The pictures that tests compare with, after a change that was meant and looked at.
golden: setup
	$(BIN)/python -m tests.render.golden

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# For developers who change pyproject.toml: pins every dependency, with hashes, for all platforms.
lock:
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		pyproject.toml --group dev -o requirements.lock

clean:
	rm -rf $(VENV) var .pytest_cache .mypy_cache .ruff_cache .hypothesis
