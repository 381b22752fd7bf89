# Each target sets up what it needs and no more, also on a bare machine: see tools/setup.sh.

NEED := @tools/setup.sh
PY := @.venv/bin/python
FOR_TESTS := dev compiler display redis postgres nginx openssl engine

.DEFAULT_GOAL := help

# Tests start some hundred processes and read three hundred modules in each worker: kept as bytecode
# they start in half the time, also where the environment asks for none to be kept.
test test-long coverage-map: export PYTHONDONTWRITEBYTECODE :=

.PHONY: help
help: ## List the targets
	@sed -nE 's/^([a-z0-9-]+):.*## (.*)/\1\t\2/p' $(MAKEFILE_LIST) | awk -F '\t' '{ printf "%-13s %s\n", $$1, $$2 }'

.PHONY: setup
setup: ## Prepare this machine for all of the targets below
	$(NEED) $(FOR_TESTS)

.PHONY: run
run: ## Play on this machine (HEADLESS=1: without a screen, a few touches and a picture)
	$(NEED) run display
	$(PY) -m services.standalone run $(if $(HEADLESS),--headless)

.PHONY: serve
serve: ## Serve the phones in this house: one address, TLS (PORT=8443)
	$(NEED) run nginx
	$(PY) -m services.standalone home $(if $(PORT),--port "$(PORT)")

.PHONY: demo
demo: ## Follow a match between two agents (FORMAT=json; STACK=compose)
	$(NEED) run
	$(PY) -m services.standalone demo --format "$(or $(FORMAT),text)" --stack "$(or $(STACK),local)"

# Three workers keep two processors busy: one of them mostly waits for whole systems to start.
.PHONY: test
test: ## Run the tests, without those that take over a minute
	$(NEED) $(FOR_TESTS)
	$(PY) -m pytest -n 3 -m "not long" --report test

.PHONY: test-long
test-long: ## Run the tests that take over a minute
	$(NEED) $(FOR_TESTS)
	$(PY) -m pytest -m long --report test-long

.PHONY: lint
lint: ## Check style, types, imports, contracts, generated code and pins
	$(NEED) dev
	$(PY) -m tools.lint

.PHONY: coverage-map
coverage-map: ## Check that each assigned field failure and each ruling has a passing test
	$(NEED) $(FOR_TESTS)
	$(PY) -m tools.coverage_map

.PHONY: proto
proto: ## Generate proto/gen again (ACCEPT_BREAKING=1: and accept an incompatible contract)
	$(NEED) dev
	$(PY) -m tools.proto generate $(if $(ACCEPT_BREAKING),--accept-breaking)

.PHONY: words
words: ## Bring the catalogues of all languages up to date, and compile them
	$(NEED) dev
	$(PY) -m tools.words

.PHONY: pins
pins: ## Write the lock files again from the .in files (UPGRADE=1: newest versions)
	$(NEED) dev
	@UPGRADE="$(UPGRADE)" tools/pins.sh

.PHONY: up
up: ## Build and start all services in containers
	$(NEED) python openssl engine
	$(PY) deploy/compose.py up

.PHONY: down
down: ## Stop and remove the containers (VOLUMES=1: with their data)
	$(NEED) python engine
	$(PY) deploy/compose.py down $(if $(VOLUMES),--volumes)

.PHONY: backup
backup: ## Copy all matches and players into FILE (STACK=compose)
	$(NEED) run
	$(PY) $(if $(filter compose,$(STACK)),deploy/compose.py,-m services.standalone) backup "$(FILE)"

.PHONY: restore
restore: ## Bring back what `make backup` wrote into FILE (STACK=compose)
	$(NEED) run
	$(PY) $(if $(filter compose,$(STACK)),deploy/compose.py,-m services.standalone) restore "$(FILE)"

.PHONY: chaos
chaos: ## Kill PART=rules|matchmaking|ai|worker|redis in mid-match (STACK=compose)
	$(NEED) run
	$(PY) -m services.standalone chaos --part "$(PART)" --stack "$(or $(STACK),local)"

.PHONY: leakcheck
leakcheck: ## Look for secrets in all that reaches a seat (PAIRS=n of each variant)
	$(NEED) dev
	$(PY) -m tests.leakcheck $(if $(PAIRS),--pairs "$(PAIRS)")

.PHONY: compile
compile: ## Compile the games' kernels into build/compiled/
	$(NEED) dev compiler
	$(PY) -m tools.compile

.PHONY: bench
bench: ## Measure how fast engine and services are
	$(NEED) dev compiler bench
	$(PY) -m tests.bench

.PHONY: statistics
statistics: ## Count how 100 000 random matches of each variant end, for docs/statistics.md
	$(NEED) dev compiler
	$(PY) -m tools.statistics

.PHONY: arena
arena: ## Play the levels of opponents against each other, for docs/levels.md (JOBS=n MINUTES=n)
	$(NEED) dev compiler
	$(PY) -m tools.arena $(if $(JOBS),--jobs "$(JOBS)") $(if $(MINUTES),--minutes "$(MINUTES)")

.PHONY: arena-peers
arena-peers: ## Play the top levels against others' bots and optimal play (JOBS=n MINUTES=n)
	$(NEED) dev compiler bench
	$(PY) -m tests.peers.exact $(if $(JOBS),--jobs "$(JOBS)") $(if $(MINUTES),--minutes "$(MINUTES)")
	$(PY) -m tests.peers $(if $(JOBS),--jobs "$(JOBS)") $(if $(MINUTES),--minutes "$(MINUTES)")

.PHONY: crosscheck
crosscheck: ## Play the rules against a second implementation (GAMES=n)
	$(NEED) dev
	$(PY) -m tests.crosscheck $(if $(GAMES),--games "$(GAMES)")

.PHONY: mobile-stage
mobile-stage: ## Put together what the phone gets, in build/mobile/
	$(NEED) python
	$(PY) mobile/stage.py

.PHONY: apk
apk: ## Build the app for Android, where its SDK can be downloaded
	$(NEED) dev
	$(PY) -m tools.apk

.PHONY: first-start
first-start: ## Measure the way from a first start, without a network, to playing: seconds, touches
	$(NEED) run display
	$(PY) -m tools.first_start

.PHONY: e2e-two-apps
e2e-two-apps: ## Two apps play by touch; one is killed, one turned and cut off: equal histories
	$(NEED) dev display
	$(PY) -m tests.two_apps

.PHONY: shots
shots: ## Take a picture of every screen and board, in build/shots/ (see --help of tests.shots)
	$(NEED) dev display
	$(PY) -m tests.shots

.PHONY: clean
clean: ## Remove what building and testing made (.venv and saved matches stay)
	@rm -rf build .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	@find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +
