# Short commands for the whole product: `make hil` is all that a newcomer needs.

# Patterns of the scenarios to run; all by default.
SCENARIOS ?=
# More options for `hil run`, for example OPTIONS="--tag smoke".
OPTIONS ?=
# The boards of a bench, by their SSH names; local is this machine, ACCESSORY=none a device without a login, and HOST=hand a
# phone in your hand.
HOST ?=
ACCESSORY ?=
# The home's network on it: ROUTER=HOST/INTERFACE, a further board, or network:NAME.
ROUTER ?=
# Or a rig by name: virtual, HOST,ACCESSORY, or labgrid:PLACE.
RIG ?= $(if $(HOST),$(HOST)$(comma)$(or $(ACCESSORY),none)$(ROUTER:%=$(comma)home=%))
comma := ,

HIL := .build/debug/hil
# The records of the unit tests, which `hil rules` reads.
TESTS := .build/tests
# The Python packages of the tests: a second receiver of notifications, an accessory over Bumble, and readers of workflow files
# and of JUnit.
PYTHON := .build/tests-python
LABGRID := .build/tests-labgrid
# The linter and the formatter of JavaScript and CSS.
OXC := .build/tests-oxc
# The options by which Fixtures/Setup/build builds the programs of boards.
STATIC := --quiet --configuration release --static-swift-stdlib -Xswiftc -gnone -Xswiftc -use-ld=lld

# What `make lint` checks: our own sources, and those of the examples.
LINTED := Package.swift Scenarios Sources Tests \
    $(foreach part,Package.swift Scenarios Sources Tests,$(wildcard Fixtures/Examples/*/$(part)))
# The code of the page, and of its tests. The formatter's settings are in .editorconfig, the linter's in .oxlintrc.json.
WEB := Sources/Runner/Reports/Page/Web Tests/Support/PageScripts

.PHONY: hil nightly test test-rig test-bench check docs install uninstall test-long bench third-party lint lint-web format setup native build packages test-packages clean clean-cache help
.DEFAULT_GOAL := help

# So that commands proposed by hil can be typed unchanged.
hil: export HIL_STARTED_BY := make
# make exits with 2 on any failure, so the exit code of hil run is kept.
hil: ## run the scenarios (SCENARIOS="pattern …" for some of them); results/exit-code has the exit code of hil run
	@mkdir -p results && echo 2 >results/exit-code
	@$(MAKE) --no-print-directory $(if $(filter-out virtual,$(RIG)),build,setup)
	@echo "$(HIL) run $(SCENARIOS) $(RIG:%=--rig %) $(OPTIONS)"
	@code=0; $(HIL) run $(SCENARIOS) $(RIG:%=--rig %) $(OPTIONS) || code=$$?; echo $$code >results/exit-code; [ $$code = 0 ] || \
	    echo "hil run exited with $$code, also in results/exit-code ($(HIL) run --help explains it); make exits with 2"; \
	exit $$code

# The packages of the tests' programs in Python; pip checks the hashes. Each list is complete.
$(PYTHON): Tests/Support/SecondReceiver/requirements.txt Tests/Programs/Trials/HostStacks/requirements.txt Tests/Support/Workflows/requirements.txt \
    Tests/Support/JUnitReader/requirements.txt | packages
	@rm -rf $@ $@.partial
	python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --require-hashes --no-deps \
	    --only-binary=:all: --target $@.partial $(foreach list,$^,--requirement $(list))
	@mv $@.partial $@ && touch $@

# labgrid for its tests: its list is separate, because users get it as well.
$(LABGRID): Fixtures/Labgrid/requirements.txt | packages
	@rm -rf $@ $@.partial
	python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --require-hashes --no-deps \
	    --only-binary=:all: --target $@.partial --requirement $<
	@mv $@.partial $@ && touch $@

# The tools for the code of the page: Debian has none that reads today's JavaScript.
$(OXC): Tests/Support/PageScripts/requirements.txt | packages
	@rm -rf $@ $@.partial
	python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --require-hashes --no-deps \
	    --only-binary=:all: --target $@.partial --requirement $<
	@mv $@.partial $@ && touch $@

# With HIL_TESTS=all a test that lacks something fails; otherwise it is skipped.
TEST := Fixtures/Setup/run-tests
# What the programs of the tests need.
TESTED := native test-packages $(PYTHON) $(LABGRID)
# For trials of hours, which report their own progress.
SWIFT_TEST := swift test --skip-build --quiet --disable-xctest --experimental-maximum-parallelization-width 8
CHANGED := git ls-files --modified --others --exclude-standard --

test: packages ## run the unit tests, compile the articles, and lint what changed: 2 to 5 minutes; needs no boards
	@Fixtures/Setup/build tests
	@echo "running the unit tests: 2 to 4 minutes on 2 cores"
	@$(TEST) unit --skip '^(RigTests|BenchTests)\.'
	@files=$$($(CHANGED) '*.swift'); [ -z "$$files" ] || swift format lint --strict --parallel $$files
	@[ -z "$$($(CHANGED) $(WEB))" ] || $(MAKE) --no-print-directory lint-web

test-rig: $(TESTED) ## run the tests that need boards or a browser, and the smoke scenarios: 6 to 12 minutes
	@Fixtures/Setup/build tests
	@echo "running the tests on virtual boards: 5 to 11 minutes on 2 cores"
	@HIL_TESTS=all $(TEST) rig --filter '^RigTests\.'
	$(HIL) run --tag smoke

# The disk of the boards over SSH comes from Debian's servers, while the compiler computes. StockBench builds it if this fails.
BUILD_TESTS := { Tests/Programs/Probe/StockBoards/build >/dev/null 2>&1 & }; code=0; Fixtures/Setup/build tests || code=$$?; wait; exit $$code

test-bench: $(TESTED) ## run the tests on two boards over SSH: 5 to 10 minutes
	@$(BUILD_TESTS)
	@echo "running the tests on two boards over SSH: 5 to 10 minutes on 2 cores"
	@HIL_TESTS=all $(TEST) bench --filter '^BenchTests\.'

# What CI runs. Here no test is skipped because a tool is missing.
check: lint $(TESTED) ## run lint, all tests and the smoke scenarios, and check that every rule is covered: 11 to 40 minutes
	@$(BUILD_TESTS)
	@echo "running the unit tests: 2 to 4 minutes on 2 cores"
	@HIL_TESTS=all $(TEST) unit --skip '^(RigTests|BenchTests)\.'
	@$(MAKE) --no-print-directory test-rig
	@$(MAKE) --no-print-directory test-bench
	$(HIL) rules --check

# Five rounds of what `hil list` shows are more than 500 runs.
test-long: native test-packages $(PYTHON) $(LABGRID) ## fuzz each reader for a minute and each layer of the phone's Bluetooth host, kill 200 processes of runs at random moments, run the examples, and all scenarios on both kinds of boards, with Debian 12, on two agents alone and 500 on the virtual rig (four hours)
	@Fixtures/Setup/install-packages Fixtures/Setup/packages-long
	@Fixtures/Setup/build tests
	@echo "feeding broken bytes to every reader: about 20 minutes"
	HIL_TESTS=all HIL_FUZZ_SECONDS=60 $(SWIFT_TEST) --filter FuzzTests
	@echo "sending 10 million packets and actions to each layer of the phone's Bluetooth host: about 10 minutes"
	HIL_TESTS=all HIL_FUZZ_PDUS=10000000 HIL_FUZZ_SEED=$$(date +%s) $(SWIFT_TEST) --filter FuzzCampaignTests
	@echo "connecting 1,000 times, notifying 6,000 values on three rigs, losing a link 900 times in a pairing: about 10 minutes"
	HIL_TESTS=all HIL_TRIALS=1 $(SWIFT_TEST) --filter TrialTests
	@echo "attacking the weak accessories and their hardened twins: about 15 minutes"
	HIL_TESTS=all HIL_TRIALS=1 $(SWIFT_TEST) --filter "(Audit(Reach)?|OutsidePackage)Tests"
	@echo "looking for seeded faults on the pages of runs in Chromium: about a minute"
	HIL_TESTS=all HIL_BROWSER=1 $(SWIFT_TEST) --filter SeededFaultsTests
	@echo "killing processes of runs at random moments: about 15 minutes"
	HIL_TESTS=all HIL_KILLS=200 $(SWIFT_TEST) --filter RandomKillTests
	@echo "running 17 scenarios on late machines, in four ways and on both kinds of boards: about 15 minutes"
	HIL_TESTS=all HIL_LATE=1 $(SWIFT_TEST) --filter LateMachineTests
	@echo "running 1,000 cases on native boards: about 15 minutes"
	HIL_TESTS=all HIL_CASES=1000 $(SWIFT_TEST) --filter RunnerMemoryTests
	@echo "running every scenario on native boards and on QEMU's, which must agree: about 13 minutes"
	HIL_TESTS=all HIL_COMPARED=all $(SWIFT_TEST) --filter RunOnBothTests
	@echo "pairing with the host stacks of others, those in C only if HIL_HOST_STACKS names their sources: 1 to 3 minutes"
	HIL_TESTS=all HIL_INTEROP=1 $(SWIFT_TEST) --filter HostStackInteropTests
	@echo "exploring ten faulty apps and accessories, and the same mended: about 50 minutes"
	HIL_TESTS=all HIL_EXPLORATIONS=2min $(SWIFT_TEST) --filter ExploreTests
	@echo "running on a virtual machine with emulated virtualisation: about 4 minutes"
	HIL_TESTS=all HIL_KVM=1 $(SWIFT_TEST) --filter EmulatedKVMTests
	@echo "looking for branches on secrets in the release build of our ML-KEM: about 3 minutes"
	swift build $(STATIC) --product hil-secret-flow
	HIL_TESTS=all HIL_VALGRIND=1 $(SWIFT_TEST) --filter SecretFlowTests
	@echo "building images of other systems, and running on them: about 5 minutes"
	HIL_TESTS=all HIL_SYSTEMS=1 $(SWIFT_TEST) --filter ProgramTests
	$(HIL) run --accessory debian12
	@echo "running 10,000 cases on 1,000 places of a coordinator whose boards answer at once: about 3 minutes"
	HIL_TESTS=all HIL_PLACES=1000 $(SWIFT_TEST) --filter ManyPlacesTests
	@echo "running on stock boards over SSH, with injected failures and 50 kills: about 80 minutes"
	HIL_TESTS=all HIL_TRIALS=1 HIL_STOCK_BOARDS=qemu HIL_BENCH_BAD_LUCK=1 HIL_BENCH_KILLS=50 $(SWIFT_TEST) --filter '^BenchTests\.'
	@echo "building the examples and running their scenarios: about 15 minutes"
	HIL_TESTS=all HIL_EXAMPLES=all $(SWIFT_TEST) --filter ExampleTests
	@echo "running every scenario on rigs with only two agents, and skipping what needs more: about 5 minutes"
	.build/debug/hil-trials two-agents run
	$(HIL) run --repeat 5

# RIG=labgrid:kind=hil takes all benches with these tags; the default is the virtual rig. More: Fixtures/Nightly/nightly.
nightly: export HIL_STARTED_BY := make
nightly: setup ## run everything with retries on all benches (RIG=labgrid:kind=hil FIRMWARE=label), and compare with the last good run
	@RIG="$(RIG)" Fixtures/Nightly/nightly || { echo "exit code $$? (results/exit-code); make exits with 2"; exit 2; }

bench: native ## measure speed and memory (Fixtures/Benchmarks/README.md)
	@echo "building the benchmarks: about 3 minutes, once"
	swift build $(STATIC) --product hil-core-bench
	swift build --quiet --product hil-bench
	.build/debug/hil-bench

# The modules for apps, and the program of the plugin AppleSources.
third-party: packages ## type-check third-party sources: SOURCES=FOLDER has the checkouts of Tests/Support/ThirdPartySources/list.tsv
	@for target in AccessoryNotifications CommonCrypto CryptoKit HILSelectors HILURLLoading NetworkExtension OSLog QuartzCore SwiftUI \
	    SystemConfiguration; do \
	    swift build --quiet --target $$target || exit 1; done
	@swift build --quiet --product hil-sources
	@Tests/Support/ThirdPartySources/type-check "$(SOURCES)"

docs: build ## build the documentation into .build/docs, a static site with all articles and the reference
	@Fixtures/Documentation/build .build/docs

lint: lint-web ## check format and style
	swift format lint --strict --parallel --recursive $(LINTED)

lint-web: $(OXC)
	@$(OXC)/bin/oxfmt --check $(WEB)
	@$(OXC)/bin/oxlint --deny-warnings $(WEB)

format: $(OXC) ## bring the sources into the format that `make lint` checks
	swift format --in-place --parallel --recursive $(LINTED)
	@$(OXC)/bin/oxfmt $(WEB)

setup: packages ## install, build and fetch what is missing; nothing if all is there
	@Fixtures/Setup/build hil image rig
	$(HIL) setup

native: setup ## build the kernel of native boards, which run without emulation (5 to 13 minutes on 2 cores, once)
	$(HIL) kernel build

# Where `make install` puts hil.
PREFIX ?= $(HOME)/.local

install: build ## put the command hil on the path, with completions and its manual page (PREFIX=~/.local)
	@for folder in bin share/bash-completion/completions share/zsh/site-functions share/fish/vendor_completions.d \
	    share/man/man1; do mkdir -p "$(PREFIX)/$$folder"; done
	@sed "s|@CHECKOUT@|$(CURDIR)|" Fixtures/Launcher/hil >"$(PREFIX)/bin/hil.new"
	@chmod 755 "$(PREFIX)/bin/hil.new" && mv "$(PREFIX)/bin/hil.new" "$(PREFIX)/bin/hil"
	@$(HIL) completions bash >"$(PREFIX)/share/bash-completion/completions/hil"
	@$(HIL) completions zsh >"$(PREFIX)/share/zsh/site-functions/_hil"
	@$(HIL) completions fish >"$(PREFIX)/share/fish/vendor_completions.d/hil.fish"
	@$(HIL) manual >"$(PREFIX)/share/man/man1/hil.1"
	@echo "hil is in $(PREFIX)/bin"; \
	    case ":$$PATH:" in *":$(PREFIX)/bin:"*) ;; *) echo "this folder is not on your PATH: add it, and start a new shell" ;; esac

uninstall: ## remove what make install installed (PREFIX=~/.local)
	@rm -f "$(PREFIX)/bin/hil" "$(PREFIX)/share/bash-completion/completions/hil" "$(PREFIX)/share/zsh/site-functions/_hil" \
	    "$(PREFIX)/share/fish/vendor_completions.d/hil.fish" "$(PREFIX)/share/man/man1/hil.1"

build: packages
	@Fixtures/Setup/build

test-packages:
	@Fixtures/Setup/install-packages Fixtures/Setup/packages-test

packages:
	@Fixtures/Setup/install-packages

clean: ## remove what was built and all results
	rm -rf .build results

# Only the cache's own files: if HIL_CACHE names a folder with other files, they must stay.
clean-cache: ## empty the cache: board image, native kernel, snapshots, RootCanal
	@cache=$${HIL_CACHE:-$${XDG_CACHE_HOME:-$$HOME/.cache}/hil}; echo "emptying $$cache"; \
	for kind in accelerator agent digest image labgrid native nativefailure nativeprobe payload rootcanal snapshot uses; do \
	    rm -rf "$$cache/$$kind"-* "$$cache/$$kind.lock" "$$cache/$$kind.log" "$$cache/$$kind.logs"; \
	done; rmdir "$$cache" 2>/dev/null || true

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile
