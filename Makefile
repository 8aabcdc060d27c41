# Two commands: `make run` and `make test`. Everything they need goes into .venv.
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
KILLS ?= 10
export HF_HUB_OFFLINE = 1
export PYTHONDONTWRITEBYTECODE = 1

.PHONY: run test soak lint docs clean

run: $(INSTALLED)
	$(BIN)/mathpinpoint run

test: $(INSTALLED)
	$(BIN)/python -m pytest

# What takes minutes: runs killed at ten random moments, two at once, the reference profile, rounds, diff, training.
soak: $(INSTALLED)
	MATHPINPOINT_KILLS=$(KILLS) $(BIN)/python -m pytest -m long

lint: $(INSTALLED)
	$(BIN)/ruff check python tests
	$(BIN)/lint-imports

docs: $(INSTALLED)
	$(BIN)/python -m mathpinpoint.audit.docs

$(INSTALLED): requirements.txt pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	touch $@

clean:
	rm -rf build target logs
