# iosweep: one file, out of tree (build/<variant>/), quiet unless V=1.
#   CC=clang  CFLAGS=...  SAN=address,undefined | SAN=thread  WERROR=1  V=1  PREFIX=/usr/local  DESTDIR=  TAG=name
PREFIX  ?= /usr/local
bindir   = $(DESTDIR)$(PREFIX)/bin
datadir  = $(DESTDIR)$(PREFIX)/share/iosweep
docdir   = $(DESTDIR)$(PREFIX)/share/doc/iosweep

VERSION := 0.1.0
SAN     ?=
TAG     ?=
WERROR  ?=
V       ?=
Q       := $(if $(V),,@)
say      = $(if $(V),@:,@printf '  %-7s %s\n' $(1) $(2))

comma   := ,
variant := $(if $(SAN),san-$(subst $(comma),-,$(SAN)),release)
variant := $(variant)$(if $(findstring clang,$(CC)),-clang)
B       := build/$(variant)$(TAG)

PKGS    := jansson liburing sqlite3 blkid libxxhash
PKG_CONFIG ?= pkg-config
goals   := $(or $(MAKECMDGOALS),all)
ifneq ($(filter-out help clean uninstall,$(goals)),)
missing := $(foreach p,$(PKGS),$(if $(shell $(PKG_CONFIG) --exists $(p) 2>/dev/null && echo y),,$(p)))
ifneq ($(strip $(missing)),)
$(error missing libraries: $(strip $(missing)). On Debian: apt-get install pkg-config libjansson-dev liburing-dev libaio-dev libsqlite3-dev libblkid-dev libxxhash-dev)
endif
ifeq ($(shell printf '\043include <libaio.h>\nint main(void){return io_queue_init(1,0);}' | $(CC) -x c - -o /dev/null -laio 2>/dev/null && echo y),)
$(error missing library: libaio. On Debian: apt-get install libaio-dev)
endif
PKG_CFLAGS := $(shell $(PKG_CONFIG) --cflags $(PKGS))
PKG_CFLAGS += -DLIBURING_VERSION='"$(shell $(PKG_CONFIG) --modversion liburing)"'
PKG_LIBS   := $(shell $(PKG_CONFIG) --libs $(PKGS)) -laio
ifneq ($(shell $(PKG_CONFIG) --exists xlsxwriter 2>/dev/null && echo y),) # optional: export --format xlsx
PKG_CFLAGS += -DWITH_XLSX $(shell $(PKG_CONFIG) --cflags xlsxwriter)
PKG_LIBS   += $(filter-out -lz,$(shell $(PKG_CONFIG) --libs xlsxwriter)) # which brings zlib; its package does not bring zlib's
endif
endif

is_gcc  := $(if $(findstring clang,$(shell $(CC) --version 2>/dev/null)),,y)
CFLAGS  ?= -O2 -g
WARN    := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes \
           -Wold-style-definition -Wwrite-strings -Wcast-qual -Wundef -Wvla -Wformat=2 \
           -Wimplicit-fallthrough -Wswitch-enum -Wpointer-arith -Wdouble-promotion -Wnull-dereference
WARN    += $(if $(is_gcc),-Wlogical-op -Wduplicated-cond -Wduplicated-branches)
OURS    := -std=gnu17 -D_GNU_SOURCE -Isrc -DIOSWEEP_VERSION='"$(VERSION)"' -fno-common -pthread $(WARN) $(if $(WERROR),-Werror) \
           $(if $(SAN),-fsanitize=$(SAN) -fno-omit-frame-pointer -fno-sanitize-recover=all) $(PKG_CFLAGS)
LINK    := -pthread $(if $(SAN),-fsanitize=$(SAN))
LIBS    := $(PKG_LIBS) -lm

src     := $(sort $(wildcard src/*/*.c))
obj     := $(src:src/%.c=$B/src/%.o)
tests   := $(sort $(wildcard tests/unit/test_*.c))
testbin := $(tests:tests/unit/%.c=$B/tests/%)
fuzzers := $(patsubst tests/fuzz/%.c,%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
benchbin := $(patsubst tests/bench/%.c,$B/bench/%,$(sort $(wildcard tests/bench/*.c)))
support := $(patsubst tests/support/%.c,$B/tests/support/%.o,$(sort $(wildcard tests/support/*.c)))

.PHONY: all check unit unit-programs bench bench-programs replay fuzz install uninstall clean help layers tidy cppcheck format reference FORCE
.SECONDARY:
all: $B/iosweep $(if $(filter release,$(variant)$(TAG)),build/iosweep) ## build the program: build/iosweep

build/iosweep: $B/iosweep
	$(Q)ln -sf $(variant)/iosweep $@

# Changed flags rebuild everything: the stamp changes only when its text does.
$B/.build-config: FORCE
	$(Q)mkdir -p $B
	$(Q)printf '%s\n' '$(CC) $(subst ','\'',$(OURS)) $(CFLAGS) $(CPPFLAGS) $(LDFLAGS)' | cmp -s - $@ || \
	  printf '%s\n' '$(CC) $(subst ','\'',$(OURS)) $(CFLAGS) $(CPPFLAGS) $(LDFLAGS)' > $@

$B/src/%.o: src/%.c $B/.build-config
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(OURS) -MMD -MP $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

$B/src/cmd/report_page.o: src/cmd/report.css src/cmd/report.js # which it has in it
$B/src/fio/job_script.o: src/fio/job_script.sh

$B/libcore.a: $(obj)
	$(call say,AR,$@)
	$(Q)rm -f $@
	$(Q)$(AR) rcs $@ $^

$B/iosweep: $B/src/main.o $B/libcore.a
	$(call say,LD,$@)
	$(Q)$(CC) $(LINK) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$B/tests/support/%.o: tests/support/%.c $B/.build-config
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(OURS) -Itests -MMD -MP $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

# A test program names the symbols it wraps in a line "wrap: a b c" of its own source.
$B/tests/%: tests/unit/%.c $(support) $B/libcore.a $B/.build-config
	$(call say,TEST,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(OURS) -Itests -MMD -MP $(CPPFLAGS) $(CFLAGS) $(LINK) $(LDFLAGS) -o $@ $< $(support) $B/libcore.a \
	  $$(sed -n 's/.*wrap: \(.*\)$$/\1/p' $< | tr ' ' '\n' | sed -n 's/^\([a-z_0-9]\{1,\}\)$$/-Wl,--wrap=\1/p') -lcmocka $(LIBS)

# Helpers of the end-to-end tests; libfuse3 is for one of them alone, which is left out without it.
have_fuse := $(shell $(PKG_CONFIG) --exists fuse3 2>/dev/null && echo y)
tools := $(patsubst tests/tools/%.c,$B/tests/%,$(filter-out $(if $(have_fuse),,%/fusefile.c),$(sort $(wildcard tests/tools/*.c))))
$(tools): $B/tests/%: tests/tools/%.c $B/libcore.a $B/.build-config
	$(call say,TOOL,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(OURS) $(if $(findstring fuse,$@),$$($(PKG_CONFIG) --cflags fuse3)) -MMD -MP $(CPPFLAGS) $(CFLAGS) $(LINK) $(LDFLAGS) -o $@ $< \
	  $(if $(findstring fuse,$@),$$($(PKG_CONFIG) --libs fuse3)) $B/libcore.a $(LIBS)

unit-programs: $(testbin) $(tools)

unit: $(testbin) all ## build and run the unit tests
	$(Q)scripts/run-unit.sh $(testbin)

# A fuzz target with libFuzzer where SAN says so, else with a main() that runs it over the files named.
corpus_fuzz_config := tests/fuzz/corpus/config configs tests/golden
corpus_fuzz_db     := tests/fuzz/corpus/db
corpus_fuzz_job    := tests/fuzz/corpus/job
corpus_fuzz_hist   := tests/fuzz/corpus/hist
corpus_fuzz_units  := tests/fuzz/corpus/units
corpus_fuzz_import := tests/fixtures/fio tests/fuzz/corpus/import
corpus_fuzz_where  := tests/fuzz/corpus/where
fuzz_main := $(if $(findstring fuzzer,$(SAN)),-fsanitize=fuzzer,tests/fuzz/replay.c)
$B/fuzz/%: tests/fuzz/%.c tests/fuzz/replay.c $B/libcore.a $B/.build-config
	$(call say,FUZZ,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(OURS) -Itests $(CPPFLAGS) $(CFLAGS) $(LINK) $(LDFLAGS) -o $@ $< $(fuzz_main) $B/libcore.a $(LIBS)

replay: $(fuzzers:%=replay-%) ## run the fuzz targets once over their corpora
replay-%: $B/fuzz/%
	$(Q)find $(corpus_$*) -type f -print0 | xargs -0 $< >$B/fuzz/$*.log || { cat $B/fuzz/$*.log; exit 1; }

FUZZ_SECONDS ?= 60
fuzz: $(fuzzers:%=run-%) ## fuzz each target for FUZZ_SECONDS (clang)
run-%: FORCE
	$(Q)$(MAKE) --no-print-directory CC=clang SAN=fuzzer-no-link,address,undefined build/san-fuzzer-no-link-address-undefined-clang/fuzz/$*
	$(Q)mkdir -p build/fuzz/$*
	$(Q)build/san-fuzzer-no-link-address-undefined-clang/fuzz/$* -max_total_time=$(FUZZ_SECONDS) -timeout=10 -rss_limit_mb=1024 \
	  -artifact_prefix=build/fuzz/$*- -print_final_stats=1 build/fuzz/$* $(corpus_$*)

check: unit layers replay $(tools) ## unit, golden, end-to-end and tree tests (no root needed)
	$(Q)IOSWEEP=$(abspath $B/iosweep) scripts/run-e2e.sh

layers: ## no module includes one above it
	$(Q)scripts/check-layers.sh

reference: all ## write the README's reference tables anew from the tables in src/model
	$(Q)scripts/gen-reference.sh

# What scripts/bench.sh measures with; libfuse3 is for these alone.
$B/bench/%: tests/bench/%.c $B/libcore.a $B/.build-config
	$(call say,BENCH,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(OURS) -Itests -MMD -MP $(CPPFLAGS) $(CFLAGS) $(LINK) $(LDFLAGS) $(if $(findstring fuse,$@),$$($(PKG_CONFIG) --cflags fuse3)) -o $@ $< \
	  $B/libcore.a $(LIBS) $(if $(findstring fuse,$@),$$($(PKG_CONFIG) --libs fuse3))

# What scripts/prove-methods.sh runs.
$B/bench/prove_methods: tests/bench/prove_methods.c $B/tests/support/behaviour.o $B/libcore.a $B/.build-config
	$(call say,BENCH,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(OURS) -Itests -MMD -MP $(CPPFLAGS) $(CFLAGS) $(LINK) $(LDFLAGS) -o $@ $< $B/tests/support/behaviour.o $B/libcore.a $(LIBS)

bench-programs: all $(benchbin)

bench: ## iosweep beside fio, about 12 minutes; BENCH=--quick: 4 (as root more is measured)
	$(Q)scripts/bench.sh $(BENCH)

install: $B/iosweep ## install under $(DESTDIR)$(PREFIX)
	install -d '$(bindir)' '$(datadir)/scripts' '$(datadir)/configs/sim' '$(docdir)'
	install -m 755 $B/iosweep '$(bindir)/iosweep'
	install -m 644 $(wildcard scripts/*.gp) scripts/rows.awk '$(datadir)/scripts/'
	install -m 644 $(wildcard configs/*.json) '$(datadir)/configs/'
	install -m 644 $(wildcard configs/sim/*.json) '$(datadir)/configs/sim/'
	install -m 644 README.md LICENSE '$(docdir)/'

uninstall: ## remove what install put there
	rm -f '$(bindir)/iosweep'
	rm -rf '$(datadir)' '$(docdir)'
	@if [ -n '$(DESTDIR)' ] && [ -d '$(DESTDIR)$(PREFIX)' ]; then cd '$(DESTDIR)' && \
	  for d in bin share/doc share; do rmdir -p --ignore-fail-on-non-empty '.$(PREFIX)'/$$d 2>/dev/null || :; done; fi

tidy: ## clang-tidy over src/
	$(Q)printf '%s\n' $(src) src/main.c | xargs -P 2 -n 4 sh -c 'clang-tidy --quiet "$$@" -- -std=gnu17 -D_GNU_SOURCE -Isrc -DIOSWEEP_VERSION=\"0\" $(PKG_CFLAGS)' tidy

# It does not know scope cleanup (leaks), char arrays inside structs (uninitvar), nor that a loop is the limit check.
cppcheck: ## cppcheck over src/
	$(Q)cppcheck --quiet --std=c11 -j 2 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
	  --suppress=memleak --suppress=resourceLeak --suppress=uninitvar --suppress=arrayIndexThenCheck --suppress=missingIncludeSystem --suppress=preprocessorErrorDirective -D_GNU_SOURCE -DIOSWEEP_VERSION='"0"' -Isrc src

format: ## clang-format all C files
	$(Q)clang-format -i $$(git ls-files 'src/*.[ch]' 'tests/*.[ch]')

clean: ## remove build/
	rm -rf build

help: ## this text
	@sed -n 's/^\([a-z][a-z_-]*\):.*## \(.*\)/  \1\t\2/p' Makefile | expand -t 14

-include $(obj:.o=.d) $(testbin:=.d) $(tools:=.d) $(benchbin:=.d) $(support:.o=.d) $B/src/main.d
