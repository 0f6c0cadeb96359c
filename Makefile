# The two commands of the README, and what they are made of.

CARGO ?= cargo

.PHONY: demo test fmt lint unit doc deny features package coverage findings reverse-testing bench fuzz

## Run the built-in claims study and print the verdict; everything stays in tribunal-demo.
demo:
	$(CARGO) run --quiet --release --package tribunal-cli -- demo

## Everything that must pass: formatting, lints, all tests, documentation.
test: fmt lint unit doc

fmt:
	$(CARGO) fmt --all --check

# The second line has the tests that `--all-targets` leaves out, since `cargo test` does not run them. Always the whole workspace:
# one package by itself has other features of its dependencies, which would all be compiled again.
lint:
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	$(CARGO) clippy --workspace --test coverage --test claims_study_full --locked -- -D warnings

unit:
	$(CARGO) test --workspace --locked

doc:
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --locked

## Licences, duplicates and sources of dependencies (deny.toml).
deny:
	@$(CARGO) deny --version > /dev/null 2>&1 || { echo "make deny needs cargo-deny: cargo install cargo-deny --locked"; exit 1; }
	$(CARGO) deny --workspace check licenses bans sources

## That the library compiles without learners, without Parquet and without both; takes some minutes, for most of what it depends on
## is checked again for each.
features:
	$(CARGO) check --package tribunal --no-default-features --all-targets --locked
	$(CARGO) check --package tribunal --no-default-features --features learners --all-targets --locked
	$(CARGO) check --package tribunal --no-default-features --features parquet --all-targets --locked

## What would be published, each crate built from its package alone.
package:
	$(CARGO) package --workspace --locked

## How often 95 % intervals hold a known truth, by simulation; takes some minutes and writes docs/coverage.md.
coverage:
	TRIBUNAL_WRITE_COVERAGE=1 $(CARGO) test --release --locked --workspace --test coverage -- --nocapture

## What the claims study must find, on ten scenarios with all 27 learners; takes some minutes.
findings:
	$(CARGO) test --release --locked --workspace --test claims_study_full -- --nocapture

## How well `tribunal select` chooses: the experiments of Fan and Davidson (2006) and more, on public tables. Takes hours from the
## start, goes on where it was stopped, and writes examples/reverse-testing/RESULTS.md; make reverse-testing DATA=FOLDER.
DATA ?= ../shared/data

reverse-testing:
	@test -d "$(DATA)" || { echo "make reverse-testing needs the tables that examples/reverse-testing/README.md lists, in DATA=FOLDER"; exit 1; }
	$(CARGO) build --quiet --release --locked --package tribunal-cli
	python3 examples/reverse-testing/run.py --binary target/release/tribunal --data "$(DATA)"

## Benchmarks beside their peers; see benches/README.md.
bench:
	benches/run

## A fuzz target under libFuzzer, which follows coverage: make fuzz TARGET=csv SECONDS=600. Needs a C++ compiler and, once,
## the crate libfuzzer-sys. The same targets run for some seconds each, without coverage, in `make test`.
TARGET ?= csv
SECONDS ?= 60
COVERAGE = -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
	-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
	-Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1 --cfg fuzzing

fuzz:
	$(CARGO) run --quiet --locked --package tribunal-fuzz --bin write_seeds -- $(TARGET) fuzz/corpus/$(TARGET)
	mkdir -p fuzz/artifacts/$(TARGET)
	cd fuzz && RUSTFLAGS="$(COVERAGE)" $(CARGO) build --release --target $$(rustc --print host-tuple)
	cd fuzz && TRIBUNAL_FUZZ_TARGET=$(TARGET) target/$$(rustc --print host-tuple)/release/tribunal-libfuzzer \
		corpus/$(TARGET) -artifact_prefix=artifacts/$(TARGET)/ -max_total_time=$(SECONDS) -rss_limit_mb=3000 -timeout=30
