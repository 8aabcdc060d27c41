# Two commands: `make run` and `make test`. Everything they need goes into .venv.
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SPARK := .venv-spark
INSTALLED := $(VENV)/.installed
KILLS ?= 10
LOADER_KILLS ?= 250
export HF_HUB_OFFLINE = 1
export PYTHONDONTWRITEBYTECODE = 1

.PHONY: run test soak bench spark lint docs clean

run: $(INSTALLED)
	$(BIN)/mathpinpoint run

test: $(INSTALLED)
	$(BIN)/python -m pytest --numprocesses=2 --dist=loadfile --no-loadscope-reorder

# Runs killed at ten random moments, where the suite has three, and the loader of replies killed 200 times and more.
soak: $(INSTALLED)
	MATHPINPOINT_LOADER_KILLS=$(LOADER_KILLS) $(BIN)/python -m pytest tests/python/clients/test_kill.py -s
	MATHPINPOINT_KILLS=$(KILLS) $(BIN)/python -m pytest tests/python/e2e/test_kill.py

# One benchmark beside its peers: make bench NAME=extraction
bench: $(INSTALLED)
	@test -f "benchmarks/$(NAME)/__main__.py" || { echo "Name a benchmark: make bench NAME=<one of: $$(cd benchmarks && ls -d */ | tr -d / | xargs)>"; exit 2; }
	@if [ -f benchmarks/$(NAME)/requirements.txt ]; then $(BIN)/python -m pip install --quiet --disable-pip-version-check \
		-c requirements.txt -r benchmarks/$(NAME)/requirements.txt; fi
	PYTHONPATH=benchmarks $(BIN)/python benchmarks/$(NAME)

# The same models on Spark, in an environment of its own, compared with DuckDB table by table.
spark:
	@if $(MAKE) --silent $(SPARK)/.installed; \
		then $(SPARK)/bin/python tests/oracle/spark_parity.py "$${MATHPINPOINT_HOME:-build}"; \
		else echo "Spark skipped: requirements-spark.txt could not be installed (see above)."; fi

$(SPARK)/.installed: requirements-spark.txt requirements.txt
	$(PYTHON) -m venv $(SPARK)
	$(SPARK)/bin/python -m pip install --quiet --disable-pip-version-check -r requirements-spark.txt
	touch $@

lint: $(INSTALLED)
	$(BIN)/ruff check python tests benchmarks
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
