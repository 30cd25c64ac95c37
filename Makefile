# Two commands matter: `make run` and `make test`. Each sets up what it needs.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready

.PHONY: setup run test coverage mutate fuzz soak bench pictures golden voices contract texts format lock clean licences

setup: $(STAMP)

$(STAMP): requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed; found: $$($(PYTHON) --version 2>&1). Name another one: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || \
		{ echo "Python's venv module is missing. On Debian or Ubuntu: sudo apt install python3-venv"; exit 1; }
	@test -x $(BIN)/python && $(BIN)/python -c '' 2>/dev/null || $(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r requirements.lock
	@ln -sf ../../deploy/mahjong-bot $(BIN)/mahjong-bot
	@$(BIN)/python -c 'import sys; from PIL import features; sys.exit(not features.check("fribidi"))' || \
		echo "Note: without libfribidi names in Arabic or Thai are drawn in the wrong order. On Debian or Ubuntu: sudo apt install libfribidi0"
	@touch $@

run: setup
	@$(BIN)/python -m playground.run

# The types are checked beside the tests, the last of which wait for processes more than they compute; what is wrong with
# them is told below the tests.
test: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@mkdir -p var
	@$(BIN)/mypy >var/types.txt 2>&1 & types=$$!; \
		$(BIN)/python -m pytest -n auto --dist loadfile; tests=$$?; \
		wait $$types; types=$$?; \
		cat var/types.txt; \
		test $$tests -eq 0 && test $$types -eq 0

# Bad input at every entrance, ten minutes in all (FUZZ_MINUTES: as many others).
fuzz: setup
	FUZZ_MINUTES=$${FUZZ_MINUTES:-10} $(BIN)/python -m pytest -p no:xdist tests/fuzz

# How much of the rules and of what is kept the tests go through, by branches; fails under pyproject.toml's `fail_under`.
# Besides their own tests: what plays records again, forgets people, teaches, and fills the disk.
coverage: setup
	rm -rf var/coverage
	$(BIN)/python -m coverage run -m pytest -n auto --dist loadfile tests/mahjong tests/independent tests/data \
		tests/operate tests/handlers/test_rules_pages.py tests/test_faults/test_disk.py tests/test_admin.py \
		tests/test_learning.py tests/test_me_conduct.py tests/test_rules_conduct.py tests/test_upkeep.py
	$(BIN)/python -m coverage combine --quiet
	$(BIN)/python -m coverage report

# What settles and claims, changed in every small way: do the tests notice? (docs/mutation.md; ten minutes to half an hour.)
# In a copy of its own and with programs of its own, under var/mutate.
mutate: setup
	@test -x var/mutate/venv/bin/mutmut || { $(BIN)/python -m venv --clear var/mutate/venv && \
		for list in requirements.lock tests/mutation/mutmut.txt; do var/mutate/venv/bin/python -m pip install \
			--quiet --disable-pip-version-check --require-hashes --no-deps -r $$list || exit 1; done; }
	@mkdir -p var/mutate/tree
	@git ls-files -z --cached --others --exclude-standard | tar --null -T - -cf - | tar -xf - -C var/mutate/tree
	cd var/mutate/tree && ../venv/bin/mutmut run
	@cd var/mutate/tree && ../venv/bin/python -m tests.mutation

# A thousand worlds by seed, three hands each (twenty minutes to an hour on two cores).
soak: setup
	$(BIN)/python -m tests.simulate --seeds 1-1000 --hands 3

bench: setup
	@$(BIN)/python -m tests.bench

# Every picture at the sizes of a phone, and the README's screenshots.
pictures: setup
	$(BIN)/python -m tests.render.contact
	$(BIN)/python -m tests.screenshots

# The pictures that tests compare with, after a change that was meant and looked at.
golden: setup
	$(BIN)/python -m tests.render.golden

# The Mandarin clips anew; needs Debian's espeak-ng and opus-tools, which nothing else does.
voices: setup
	$(BIN)/python -m data.voice.make

# The list of what the bot uses of the Bot API, after a change that was meant.
contract: setup
	$(BIN)/python -m pytest -n auto --dist loadfile --write-contract

# The catalogues' entries in order by key; nothing else of them is touched.
texts: setup
	$(BIN)/python -m tests.catalogues

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# For developers who change pyproject.toml: pins every dependency, with hashes, for all platforms; and once more those
# alone that the bot itself needs.
lock:
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		pyproject.toml --group dev -o requirements.lock
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		pyproject.toml --constraints requirements.lock -o requirements-run.lock

# Whose work the bot is made with, after `make lock` and `make setup`.
licences: setup
	$(BIN)/python -m tests.licences

clean:
	rm -rf $(VENV) var .pytest_cache .mypy_cache .ruff_cache .hypothesis
