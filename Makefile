.PHONY: setup demo test test-thread test-address lint format docs manual walk conformance bench bench-check endure fuzz clean

setup:
	@Tools/scripts/setup
	@Tools/scripts/setup-peers

demo:
	@Tools/scripts/demo $(ARGS)

test:
	@Tools/scripts/test $(ARGS)

test-thread:
	@Tools/scripts/sanitize thread $(ARGS)

test-address:
	@Tools/scripts/sanitize address $(ARGS)

lint:
	@Tools/scripts/lint

format:
	@Tools/scripts/format

docs:
	@Tools/scripts/docs

manual:
	@Tools/scripts/manual

walk:
	@Tools/scripts/walk

conformance:
	@Tools/scripts/conformance $(ARGS)

bench:
	@Tools/scripts/bench $(ARGS)

bench-check:
	@Tools/scripts/bench-check $(ARGS)

endure:
	@Tools/scripts/endure $(ARGS)

fuzz:
	@Tools/scripts/fuzz $(ARGS)

clean:
	@Tools/scripts/clean
