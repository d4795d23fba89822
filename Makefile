.PHONY: setup demo test lint format docs bench fuzz clean

setup:
	@Tools/scripts/setup
	@Tools/scripts/setup-peers

demo:
	@Tools/scripts/demo $(ARGS)

test:
	@Tools/scripts/test $(ARGS)

lint:
	@Tools/scripts/lint

format:
	@Tools/scripts/format

docs:
	@Tools/scripts/docs

bench:
	@Tools/scripts/bench $(ARGS)

fuzz:
	@Tools/scripts/fuzz $(ARGS)

clean:
	@Tools/scripts/clean
