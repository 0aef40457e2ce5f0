# Contributors need two commands: `make demo` and `make test`. Both check their prerequisites first; if one is missing,
# they print how to install it and stop. With MAPPINGKIT_INSTALL=1 they install it.
.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo test docs bench faults format fuzz sanitize

help: ## Show this list
	@sed -n 's/^\([a-z]*\):.*## /make \1	/p' Makefile

demo: ## Build the tools and show in a minute what they do
	@scripts/prerequisites
	@scripts/quietly "Compile seed-db and the catalog for release" \
		sh -c 'swift build -c release --product seed-db && swift build -c release --product catalog'
	@scripts/demo .build/release

test: ## Check formatting, build without a warning, run all tests
	@scripts/prerequisites tests
	@scripts/test

docs: ## Build the documentation into .build/docs, and count documented symbols
	@scripts/prerequisites
	@scripts/quietly "Compile" swift build
	@scripts/docs "$$(swift build --show-bin-path)"

bench: ## Compare speed and memory with other libraries; settings in Benchmarks/README.md
	@scripts/prerequisites
	@Benchmarks/run

faults: ## Send requests into network faults and print the outcomes; ROWS="F11 F14" for some
	@scripts/prerequisites
	@scripts/faults $(ROWS)

format: ## Format all Swift sources in place
	swift format -i -r --parallel Sources Tests Examples Package.swift Benchmarks/Sources Benchmarks/Package.swift

fuzz: ## Give random inputs to all readers and writers of texts, SECONDS=600 each
	@scripts/prerequisites
	@scripts/fuzz $(or $(SECONDS),600)

sanitize: ## Run all tests under the address and the thread sanitizer
	@scripts/prerequisites tests
	@scripts/sanitize
