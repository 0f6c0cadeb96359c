# The two commands of the README, and what they are made of.

CARGO ?= cargo

.PHONY: demo test fmt lint unit doc coverage findings bench

## Run the built-in claims study and print the verdict; everything stays in tribunal-demo.
demo:
	$(CARGO) run --quiet --release --package tribunal-cli -- demo

## Everything that must pass: formatting, lints, all tests, documentation.
test: fmt lint unit doc

fmt:
	$(CARGO) fmt --all --check

lint:
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	$(CARGO) clippy --package tribunal-eval --test coverage --locked -- -D warnings
	$(CARGO) clippy --package tribunal --test claims_study_full --locked -- -D warnings

unit:
	$(CARGO) test --workspace --locked

doc:
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --locked

## How often 95 % intervals hold a known truth, by simulation; takes some minutes.
coverage:
	$(CARGO) test --release --locked --package tribunal-eval --test coverage -- --nocapture

## What the claims study must find, on ten scenarios with all 27 learners; takes some minutes.
findings:
	$(CARGO) test --release --locked --package tribunal --test claims_study_full -- --nocapture

## Benchmarks beside their peers; see benches/README.md.
bench:
	benches/run
