# Gantry's one Makefile; `make help` lists the targets. Sources are found by folder, so a new file needs no line here:
# x.c is built into its folder's library, x_test.c is a Criterion program, x_tsan.c a plain program for the thread
# sanitizer, x_fuzz.c a libFuzzer target, x_bench.c a measurement. A library without sources is left out.
#
# Variables and targets: scripts/make_help.txt.
CC          = gcc
BUILD       = build
RANDOM_PROGRAMS ?= 120
OPERATIONS ?= 5
PREFIX      = /usr/local
LLVM_CONFIG = llvm-config-19
ONEDNN_DIR  = $(or $(GANTRY_CACHE),$(HOME)/.cache/gantry)/onednn/3.2
CLANG       = clang-19
VERSION     = 0.1.0

LIB  = $(BUILD)/lib
BIN  = $(BUILD)/bin
OBJ  = $(BUILD)/obj
GEN  = $(BUILD)/gen

# In the code that a sanitizer adds gcc sees faults which are none, so warnings are the plain build's to give.
WARNINGS = $(if $(SANITIZE),-w,$(all_warnings))
all_warnings = -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes
# The address sanitizer finds what these three check, which would cost a quarter of the build.
redundant_checks = $(if $(findstring address,$(SANITIZE)),-fno-sanitize=null$(comma)object-size$(comma)pointer-overflow)
comma = ,
# Generated kernels have no type in front of their code, which is what clang's check of called functions reads.
SANITIZE_FLAGS = $(if $(SANITIZE),-fsanitize=$(SANITIZE) $(redundant_checks) -fno-sanitize-recover=all -fno-omit-frame-pointer \
                 $(if $(findstring clang,$(CC)),-fno-sanitize=function))
CFLAGS   = -O2 -g
# A sanitizer checks more than glibc's checked functions, and replaces some of them; those need an optimized build.
FORTIFY  = $(if $(SANITIZE)$(filter -O0,$(CFLAGS)),,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
# Builds in different folders give equal bytes.
reproducible = -ffile-prefix-map=$(CURDIR)=.
ALL_CFLAGS = -std=c11 -D_GNU_SOURCE -fPIC -fstack-protector-strong $(FORTIFY) -ffunction-sections -fdata-sections $(CFLAGS) \
             $(reproducible) $(SANITIZE_FLAGS) -I. -Iinclude -I$(GEN)
LDFLAGS  = $(SANITIZE_FLAGS) -Wl,--as-needed,-z,relro,-z,now,-z,noexecstack
LIBRARY  = @mkdir -p $(@D); echo "LINK $@"; $(CC) -shared $(LDFLAGS) -Wl,--gc-sections,-rpath,'$$ORIGIN' -Wl,-soname,$(@F) -L$(LIB)

comma = ,
# A file that a recipe's shell has written beside its target takes its place if it differs; several makes may do so at once.
replace = if cmp -s $@.$$$$ $@; then rm $@.$$$$; else mv $@.$$$$ $@; fi

# ---- sources -------------------------------------------------------------------------------------------------------
not_library = %_test.c %_tsan.c %_fuzz.c %_bench.c
sources = $(filter-out $(not_library),$(wildcard $(addsuffix /*.c,$(1))))
objects = $(patsubst %.c,$(OBJ)/%.o,$(1))
everywhere = $(wildcard */*$(1) */*/*$(1) */*/*/*$(1) */*/*/*/*$(1))

core_dirs   = base memory hostoffload/passes hostoffload/transfer runtime compiler $(call folders,analysis driver export frontend ir kernel_ir lower model passes plan program schedule) devices $(host_dirs) report plugin plugin/ffi
host_dirs   = devices/host $(filter-out devices/host/kernels,$(patsubst %/,%,$(wildcard devices/host/*/)))
folders     = $(foreach name,$(1),compiler/$(name) $(patsubst %/,%,$(wildcard compiler/$(name)/*/ compiler/$(name)/*/*/)))
core_src    = $(filter-out plugin/loader.c,$(call sources,$(core_dirs)))
protos      = $(wildcard $(addsuffix /*.proto,$(call folders,frontend)))
proto_obj   = $(protos:%.proto=$(OBJ)/%.pb-c.o)
codegen_src = $(call sources,$(call folders,codegen))
kernels_src = $(call sources,devices/host/kernels)
net_src     = $(call sources,devices/host/net/ucx)
# devices/devices.def lists the devices; those with a choice have a plugin file, the first one's without its name.
device_rows  = $(shell sed -n 's/^DEVICE.\([a-z0-9_]*\), *"$(1)".*/\1/p' devices/devices.def)
device_names = $(foreach name,$(call device_rows,.*),$(if $(call sources,devices/$(name)),$(name)))
plugin_names = gantry $(addprefix gantry,$(wordlist 2,99,$(call device_rows,[A-Z].*)))
base_src    = $(call sources,base)
tool_src    = $(call sources,tools)
conformance_src = $(call sources,conformance)
# What mutates and tries programs links the core.
mutating_src = conformance/mutate.c conformance/byte_mutator.c conformance/program_mutator.c conformance/program_trial.c
conformance_main = conformance/runner.c conformance/corpus_run.c conformance/mutate.c conformance/job_worker.c
# `gantry cts`: its programs and lists of expectations are part of it.
cts_src     = $(call sources,conformance/cts conformance/rules) conformance/process_usage.c
cts_files   = $(wildcard conformance/programs/*.mlir conformance/programs/*.mlirbc conformance/programs/*.pb conformance/programs/rules/*.mlirbc \
              conformance/programs/semantics/*.mlir conformance/programs/semantics/*.mlirbc conformance/expected/cts/*.txt)
cts_parts   = $(call objects,$(cts_src)) $(OBJ)/cts_embedded.o
mutant_src  = $(call sources,conformance/mutants)
mutant      = $(BUILD)/test/mutant.so

generated   = $(GEN)/version.h $(protos:%.proto=$(GEN)/%.pb-c.h)
core        = $(LIB)/libgantry.so
devices     = $(device_names:%=$(LIB)/libgantry_%.so)
codegen     = $(if $(codegen_src),$(LIB)/libgantry_codegen.so)
kernels     = $(if $(kernels_src),$(LIB)/libgantry_kernels.so)
net         = $(if $(net_src),$(LIB)/libgantry_net.so)
plugins     = $(if $(wildcard plugin/loader.c),$(plugin_names:%=$(LIB)/pjrt_c_api_%_plugin.so))
libraries   = $(core) $(codegen) $(kernels) $(net) $(devices) $(plugins)
corpus_files = build/corpus/.unpacked
binaries    = $(if $(tool_src),$(BIN)/gantry) $(if $(conformance_src),$(BIN)/gantry_conformance $(BIN)/gantry_corpus)

.PHONY: all demo demo_tpu test full jax_suite torch_suite check random unit abi clang clang_sources includes symbols asan tsan fuzz bench \
        bench_tail bench_models bench_llm scaling wheel install uninstall clients golden conformance \
        conformance_hidden tpu_truth tpu_data auto_sharding \
        conformance_asan conformance_tsan cts mutants mutate corpus corpus_tpu corpus_isa repeat formats operations \
        functions symbolic_shapes special_values function_pairs narrow_programs mistakes interrupt own_cpu platform_cpu host_memory \
        several_processes loggp_simgrid bench_hosts fault_drill sharded jax jax_newest torch_kernels wheel_test readme versions install_test tsan_programs \
        sanitized plugin_tests programs coverage coverage_programs fuzz_programs format format-check env-table \
        semantics compile_commands clean deps help jax_suite_newest packages_suite \
        profile_tools xla_plugin FORCE
.SECONDARY:
.DELETE_ON_ERROR:
all: $(libraries) $(binaries) $(corpus_files)
# The corpus, an archive for each group, unpacked where all builds read it.
$(corpus_files): $(wildcard conformance/corpus/*.tar.gz)
	@rm -rf $(@D) && mkdir -p $(@D) && for group in $^; do tar -xzf $$group --no-same-owner -C $(@D); done && touch $@

# ---- libraries -----------------------------------------------------------------------------------------------------
# The core: every internal name is exported under one version, for the libraries beside it; they are never global.
# A host's symbol without a version would still take over a call between our libraries, so those calls go by names that
# no host has: the linker's --wrap makes `name` into `__wrap_name` in the callers, and the core defines both.
$(core): $(call objects,$(core_src)) $(proto_obj) $(GEN)/gantry.map $(GEN)/core.names
	$(LIBRARY) -o $@ $(filter %.o,$^) -Wl,-Bsymbolic,--version-script=$(GEN)/gantry.map \
	    $$(sed 's/.*/-Wl,--defsym=__wrap_&=&/' $(GEN)/core.names) -l:libprotobuf-c.a -lcjson -lhwloc -ldl -lpthread -lm

device_src = $(call sources,$(device_names:%=devices/%))
callers    = $(call objects,$(device_src) $(codegen_src) $(kernels_src) $(net_src))
core_calls = -lgantry $$(sed 's/^/-Wl,--wrap=/' $(GEN)/core.names)
$(GEN)/core.names: $(call objects,$(core_src)) $(callers)
	@scripts/core_names.sh $(words $(callers)) $(callers) $(call objects,$(core_src)) > $@.$$$$ && $(replace)

$(devices): $(LIB)/libgantry_%.so: $(GEN)/gantry.map $(GEN)/core.names | $(core)
	$(LIBRARY) -o $@ $(filter %.o,$^) -Wl,-Bsymbolic,--version-script=$(GEN)/gantry.map,--no-as-needed $(core_calls) -lm
$(foreach name,$(device_names),$(eval $(LIB)/libgantry_$(name).so: $(call objects,$(call sources,devices/$(name)))))

# LLVM, statically, with the C++ runtime it needs: nothing of either is visible outside. Its allocations go through
# compiler/codegen/link/llvm_memory.c; what glibc before 2.36 does not have is in glibc_functions.c beside it.
codegen_libs = $(addprefix -Wl$(comma)--wrap=,malloc calloc realloc aligned_alloc posix_memalign arc4random _dl_find_object) \
               $(shell $(LLVM_CONFIG) --link-static --ldflags --libs x86 orcjit passes) -l:libz.a -l:libzstd.a \
               -static-libgcc -l:libstdc++.a -ldl -lm -lpthread
$(LIB)/libgantry_codegen.so: $(call objects,$(codegen_src)) $(GEN)/codegen.map $(GEN)/core.names | $(core)
	$(LIBRARY) -o $@ $(filter %.o,$^) -Wl,--version-script=$(GEN)/codegen.map,--exclude-libs,ALL \
	    -Wl,-Bsymbolic,--discard-all,--wrap=__cxa_atexit $(core_calls) $(codegen_libs)

onednn_cflags = -isystem $(ONEDNN_DIR)/include
$(call objects,$(kernels_src)) $(LIB)/libgantry_kernels.so: | $(ONEDNN_DIR)/lib/libdnnl.so.3
$(ONEDNN_DIR)/lib/libdnnl.so.3:
	scripts/onednn.sh
$(LIB)/libgantry_kernels.so: $(call objects,$(kernels_src)) $(GEN)/kernels.map $(GEN)/core.names | $(core)
	@mkdir -p $(@D); cp $(ONEDNN_DIR)/lib/libdnnl.so.3 $(@D)/
	$(LIBRARY) -o $@ $(filter %.o,$^) -Wl,-Bsymbolic,--version-script=$(GEN)/kernels.map \
	    $(core_calls) $(kernels_libs)
# OpenBLAS is linked in, so that no other BLAS of the process, or of the system, is called in its place; blas.c replaces
# three of its functions (see blas.h).
blas_wrapped = blas_memory_alloc blas_memory_free getenv
kernels_libs = -L$(LIB) -l:libdnnl.so.3 $(blas_wrapped:%=-Wl,--wrap=%) -Wl,--exclude-libs,ALL $(openblas_dir)/libopenblas.a -l:libgfortran.so.5 -lgomp -lm
openblas_dir = $(firstword $(wildcard /usr/lib/*/openblas-serial))

# UCX, statically and hidden; what it sees of the process is in ucx_process.c, and its transports register themselves.
ucx_libs = $(addprefix -Wl$(comma)--wrap=,getenv socket accept close stderr stdout stdin environ __environ __curbrk in6addr_loopback in6addr_any \
               ucs_fatal_error_format ucs_fatal_error_message ucp_request_send_state_ff ucs_socket_recv_nb ucs_socket_send \
               ucs_socket_send_nb ucs_socket_sendv_nb) -Wl,--exclude-libs,ALL -Wl,--whole-archive,-l:libuct.a,--no-whole-archive -l:libucp.a -l:libuct.a -l:libucs.a -l:libucm.a \
           -Wl,--undefined=ucs_init -ldl -lrt -lm -lpthread
$(LIB)/libgantry_net.so: $(call objects,$(net_src)) $(GEN)/net.map $(GEN)/core.names | $(core)
	$(LIBRARY) -o $@ $(filter %.o,$^) -Wl,-Bsymbolic,--version-script=$(GEN)/net.map $(core_calls) $(ucx_libs)

# The two files that clients open: the loader only, one exported name.
$(plugins): $(OBJ)/plugin/loader.o $(OBJ)/base/library_file.o plugin/loader.map
	$(LIBRARY) -o $@ $(filter %.o,$^) -Wl,-Bsymbolic,--version-script=plugin/loader.map -ldl

# ---- programs: they know Gantry by its C ABI only ------------------------------------------------------------------
$(BIN)/gantry: $(call objects,$(tool_src) memory/numa.c memory/machine.c $(base_src)) $(cts_parts)
$(BIN)/gantry_conformance: $(call objects,$(filter-out conformance/corpus% conformance/job_worker.c $(mutating_src),$(conformance_src)) tools/abi.c $(base_src))
$(BIN)/gantry_corpus: $(call objects,$(filter conformance/corpus% conformance/test_context.c,$(conformance_src)) tools/abi.c $(base_src))
$(BIN)/%:
	@mkdir -p $(@D)
	@echo "LINK $@"; $(CC) $(LDFLAGS) -o $@ $^ -lcjson -lhwloc -ldl -lpthread -lm

# ---- objects and generated files -----------------------------------------------------------------------------------
$(OBJ)/%.pb-c.o: $(GEN)/%.pb-c.c
	@mkdir -p $(@D)
	@echo "CC $<"; $(CC) $(ALL_CFLAGS) -w -c -o $@ $<
$(OBJ)/%.o: %.c | $(generated)
	@mkdir -p $(@D)
	@echo "CC $<"; $(CC) $(ALL_CFLAGS) $(WARNINGS) $(extra_cflags) $(test_cflags) -MMD -MP -c -o $@ $<
# A test is compiled as often as it runs, so that takes longer with optimization.
test_cflags = $(if $(filter %_test.o,$@),-O0 -U_FORTIFY_SOURCE)
# The thread sanitizer watches the code whose data threads share. What one compilation has to itself, a third of the code, is
# taken from the plain build, unless TSAN_COMPILER is set. (The solver's library is one for all compilations.)
unshared = $(filter-out %/solve,$(call folders,frontend analysis passes model schedule export plan kernel_ir))
ifeq ($(SANITIZE)$(TSAN_COMPILER),thread)
$(call objects,$(call sources,$(unshared))): $(OBJ)/%.o: $(PLAIN_OBJ)/%.o
	@mkdir -p $(@D); cp $< $@
endif
$(OBJ)/compiler/codegen/%.o: extra_cflags = -isystem $(shell $(LLVM_CONFIG) --includedir)
# Loops over many elements, which run in every program that sorts: optimized as generated code is. Their time depends on where
# they begin in a cache line (a sort of 1 Mi s8: 1.8 or 2.1 ms), so that is the same whatever else is linked.
$(OBJ)/compiler/codegen/routines/%.o: extra_cflags = $(if $(filter -O2,$(CFLAGS)),-O3 -falign-functions=64)
# Loops over the numbers of vectors in Pallas kernels.
$(addprefix $(OBJ)/devices/host/kernel_machine/kernel_,lanes.o move.o reduce.o matrix.o shadow.o): extra_cflags = $(if $(filter -O2,$(CFLAGS)),-O3)
# Its vectors, wider than some registers, are arguments of inlined functions only.
$(OBJ)/devices/host/thin/thin_integer_code_test.o: extra_cflags = -Wno-psabi
$(OBJ)/devices/host/kernels/%.o: extra_cflags = $(onednn_cflags) -isystem $(openblas_dir:/usr/lib/%=/usr/include/%)
# With COVERAGE set, these folders count what runs, also in processes that are killed.
covered_dirs = report plugin plugin/ffi runtime memory $(call folders,frontend)
ifdef COVERAGE
coverage_flags = -fprofile-instr-generate -fcoverage-mapping -mllvm -runtime-counter-relocation
covered = $(call objects,$(call sources,$(covered_dirs)))
$(covered): private CC = $(CLANG)
$(covered): private extra_cflags = $(coverage_flags)
$(core) $(plugins): private CC = $(CLANG) -fprofile-instr-generate
endif
ifndef BUILT
-include $(shell find $(OBJ) -name '*.d' 2>/dev/null)
endif

$(GEN)/cts_embedded.c: $(cts_files) scripts/embed.sh
	@mkdir -p $(@D)
	@echo "EMBED $@"; scripts/embed.sh $(cts_files) > $@
$(OBJ)/cts_embedded.o: $(GEN)/cts_embedded.c
	@mkdir -p $(@D)
	@$(CC) $(ALL_CFLAGS) $(WARNINGS) -c -o $@ $<

$(GEN)/%.pb-c.c $(GEN)/%.pb-c.h &: %.proto
	@mkdir -p $(GEN)
	@echo "PROTO $<"; protoc-c --c_out=$(GEN) $<

# Internal names carry the version, so libraries of different versions do not bind to each other.
maps = plugin/gantry.map compiler/codegen/codegen.map devices/host/kernels/kernels.map devices/host/net/ucx/net.map
$(foreach map,$(maps),$(eval $(GEN)/$(notdir $(map)): $(map)))
$(GEN)/%.map: Makefile
	@mkdir -p $(@D)
	@sed 's/GANTRY_VERSION/GANTRY_$(VERSION)/' $(filter %.map,$^) > $@.$$$$ && $(replace)

# The build's identity is a hash of its sources, so equal sources give equal bytes wherever they are built.
$(GEN)/version.h: FORCE
	@mkdir -p $(@D)
	@scripts/version.sh $(VERSION) $(LLVM_CONFIG) > $@.$$$$ && $(replace)

# ---- tests ---------------------------------------------------------------------------------------------------------
unit_tests  = $(patsubst %.c,$(BUILD)/test/%,$(filter-out compiler/codegen/% compiler/schedule/% conformance/%,$(call everywhere,_test.c))) $(codegen_tests)
plugin_tests = $(patsubst %.c,$(BUILD)/test/%,$(filter conformance/%,$(call everywhere,_test.c)))
tsan_tests  = $(patsubst %.c,$(BUILD)/test/%,$(call everywhere,_tsan.c))
benches     = $(patsubst %.c,$(BUILD)/test/%,$(call everywhere,_bench.c))
fuzzers     = $(patsubst %.c,$(BUILD)/test/%,$(call everywhere,_fuzz.c))
# A program links its folder's library; where that shows its interface only, the objects themselves.
part = $(word 2,$(subst /, ,$(patsubst devices/host/%,devices/%,$(patsubst $(BUILD)/test/%,%,$@))))
beside_core = $(if $(filter $(device_names),$(part)),$(LIB)/libgantry_$(part).so) \
              $(if $(filter $(BUILD)/test/runtime/%,$@),$(LIB)/libgantry_null.so) \
              $(if $(filter codegen kernels,$(part)),$(call objects,$($(part)_src)) $($(part)_libs)) \
              $(if $(filter schedule,$(part)),$(call objects,$(codegen_src)) $(codegen_libs))
beside_test = $(if $(filter $(BUILD)/test/tools/%,$@),$(tool_parts)) \
              $(if $(filter $(BUILD)/test/tools/% $(BUILD)/test/report/% $(BUILD)/test/plugin/% $(BUILD)/test/conformance/%,$@),-lcjson) \
              $(if $(filter $(BUILD)/test/conformance/cts/%,$@),$(cts_parts) $(OBJ)/tools/abi.o -lcjson,\
              $(if $(filter $(BUILD)/test/conformance/% $(BUILD)/test/bench/%,$@),$(test_context_parts)))
test_context_parts = $(call objects,$(filter-out $(conformance_main),$(conformance_src)) tools/abi.c)
tool_parts  = $(call objects,$(filter-out tools/gantry.c tools/cmd_%,$(tool_src)))
test_main   = $(if $(filter %_test,$@),$(criterion))$(if $(filter %_fuzz,$@),$(fuzz_main))
fuzz_main   = $(OBJ)/scripts/fuzz_replay.o
# Loading the libgit2 that Criterion needs takes longer than most tests, and each test is a process of its own.
git2       := $(shell objdump -p "$$($(CC) -print-file-name=libcriterion.so 2>/dev/null)" 2>/dev/null | sed -n 's/^ *NEEDED *\(libgit2\.so.*\)/\1/p')
git2_stub   = $(git2:%=$(BUILD)/test/%)
criterion   = $(if $(git2),-Wl$(comma)--no-as-needed $(git2_stub) -Wl$(comma)--as-needed$(comma)-rpath$(comma)$(abspath $(BUILD)/test)) $(quiet_fork) -lcriterion
quiet_fork  = $(if $(findstring address,$(SANITIZE)),$(OBJ)/scripts/quiet_fork.o)
$(git2_stub): $(OBJ)/scripts/git2_stub.o
	@mkdir -p $(@D)
	@echo "LINK $@"; $(CC) -shared $(LDFLAGS) -Wl,-soname,$(@F) -o $@ $<

$(BUILD)/test/%: $(OBJ)/%.o $(OBJ)/scripts/fuzz_replay.o $(GEN)/gantry.map $(git2_stub) $(quiet_fork) | $(libraries)
	@mkdir -p $(@D)
	@echo "LINK $@"; $(CC) $(LDFLAGS) -Wl,--allow-shlib-undefined,-rpath,$(abspath $(LIB)) -o $@ $< $(beside_test) \
	    $(beside_core) $(core) $(test_main) -ldl -lpthread -lm

# Each program that holds LLVM is large, so the tests of code generation, and of the schedules that it emits, are one.
codegen_test_src = $(wildcard $(addsuffix /*_test.c,$(call folders,codegen schedule)))
codegen_tests    = $(if $(codegen_test_src),$(BUILD)/test/compiler/codegen/every_test)
$(BUILD)/test/compiler/codegen/every_test: $(call objects,$(codegen_test_src) $(codegen_src)) $(GEN)/gantry.map $(git2_stub) $(quiet_fork) | $(libraries)
	@mkdir -p $(@D); echo "LINK $@"
	@$(CC) $(LDFLAGS) -Wl,--allow-shlib-undefined,-rpath,$(abspath $(LIB)) -o $@ $(filter-out $(quiet_fork),$(filter %.o,$^)) $(codegen_libs) $(core) $(criterion)

all_tests = $(BUILD)/test/conformance/mutate $(BUILD)/test/conformance/job_worker $(unit_tests) $(plugin_tests) $(tsan_tests) $(benches) $(fuzzers)
$(patsubst %.c,$(BUILD)/test/%,$(codegen_test_src)) $(filter $(BUILD)/test/compiler/codegen/%,$(benches) $(fuzzers)): $(call objects,$(codegen_src))
$(filter $(BUILD)/test/devices/host/kernels/%,$(all_tests)): $(call objects,$(kernels_src))
$(filter $(BUILD)/test/tools/%,$(all_tests)): $(tool_parts)
$(filter $(BUILD)/test/conformance/% $(BUILD)/test/bench/%,$(all_tests)): $(test_context_parts)
$(filter $(BUILD)/test/conformance/cts/%,$(all_tests)): $(cts_parts) $(OBJ)/tools/abi.o

# Before every commit. A fuzz target replays its seeds here as a plain program.
# Its tiers find everything built, so that none has to read which source includes what.
check: all $(unit_tests) $(fuzzers)
	@BUILT=1 scripts/tiers.sh unit symbols includes format-check abi
unit: all $(unit_tests) $(fuzzers)
	@GANTRY_VERIFY=1 GANTRY_LIB=$(abspath $(LIB)) scripts/unit.sh $(unit_tests) $(fuzzers)
# All that `make test` runs in the plain build.
programs: all $(unit_tests) $(plugin_tests) $(fuzzers) $(mutant) $(BUILD)/test/conformance/mutate $(BUILD)/test/conformance/job_worker
# Tests that open the plugins and take longer: no part of `make check`.
plugin_tests: all $(plugin_tests)
	@GANTRY_VERIFY=1 GANTRY_LIB=$(abspath $(LIB)) scripts/unit.sh $(plugin_tests)
symbols: all
	@CC=$(CC) scripts/symbols.sh $(LIB) $(BIN)
includes:
	@scripts/env_table.py --check
	@scripts/make_help.py --check
	@scripts/semantics.py --check
	@scripts/includes.py
abi:
	@CC=$(CC) scripts/abi.py
# Each source, tests included, has no warning with clang either. No object is written.
clang_objects = $(call objects,plugin/loader.c $(core_src) $(codegen_src) $(kernels_src) $(net_src) $(tool_src) $(conformance_src) \
                $(foreach kind,test tsan fuzz bench,$(call everywhere,_$(kind).c)))
clang:
	@$(MAKE) --no-print-directory -k BUILD=$(BUILD)/clang CC=$(CLANG) CFLAGS='-O0 -fsyntax-only' clang_sources
clang_sources: $(clang_objects)
	@echo "$(words $^) passed, 0 failed"
golden: all $(unit_tests)
	GANTRY_GOLDEN=write GANTRY_LIB=$(abspath $(LIB)) scripts/unit.sh $(filter %golden_test,$(unit_tests))

# The unit and plugin tests again, rebuilt with the sanitizers of addresses and of undefined behavior; the concurrency
# programs under the thread sanitizer.
# Line numbers are all that their reports need.
sanitize_cflags = -O1 -g1
# gcc 12's sanitizer guesses from its address how large a library's thread-local storage is, and crashes when it is wrong.
asan_options = ASAN_OPTIONS=intercept_tls_get_addr=0
asan:
	@$(asan_options) GANTRY_TEST_AGAIN=1 GANTRY_TEST_TIMEOUT=$${GANTRY_TEST_TIMEOUT:-900} $(MAKE) --no-print-directory BUILD=$(BUILD)/asan SANITIZE=address,undefined CFLAGS='$(sanitize_cflags)' sanitized
# The tests of code generation take 230 s then: `make full` runs them; the emitters run sanitized in conformance_asan, too.
sanitized_tests = $(filter-out $(if $(filter all,$(ASAN_DEVICE)),,$(codegen_tests)),$(unit_tests)) $(plugin_tests) $(fuzzers) \
                  $(BUILD)/test/memory/space_tsan
sanitized: all $(sanitized_tests)
	@GANTRY_VERIFY=1 GANTRY_LIB=$(abspath $(LIB)) scripts/unit.sh $(sanitized_tests)
tsan: all
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/tsan PLAIN_OBJ=$(OBJ) SANITIZE=thread CFLAGS='$(sanitize_cflags)' tsan_programs
tsan_programs: $(libraries) $(tsan_tests)
	@TSAN_OPTIONS=suppressions=$(CURDIR)/scripts/tsan_suppressions.txt GANTRY_LIB=$(abspath $(LIB)) \
	    GANTRY_TEST_SECONDS=$${GANTRY_TEST_SECONDS:-10} GANTRY_TEST_TIMEOUT=$${GANTRY_TEST_TIMEOUT:-1200} \
	    scripts/unit.sh $(tsan_tests)
# The suite on the CPU device, under the thread sanitizer: a child ends at its first report.
conformance_tsan:
	@TSAN_OPTIONS=suppressions=$(CURDIR)/scripts/tsan_suppressions.txt:halt_on_error=1 \
	    $(MAKE) --no-print-directory BUILD=$(BUILD)/tsan_all TSAN_COMPILER=1 SANITIZE=thread CFLAGS='$(sanitize_cflags)' cts
cts: all
	@$(BIN)/gantry cts $(LIB)/pjrt_c_api_gantry_plugin.so --strict --jobs 2
# Lines and branches that the unit tests, the plugin tests and the conformance suites reach.
coverage:
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/coverage COVERAGE=1 coverage_programs
coverage_tests = $(filter $(addprefix $(BUILD)/test/,report/% plugin/% runtime/% memory/% compiler/% conformance/% tools/%), \
                   $(filter-out $(codegen_tests) $(BUILD)/test/compiler/codegen/%,$(unit_tests) $(plugin_tests) $(fuzzers)))
coverage_programs: all $(coverage_tests)
	@GANTRY_VERIFY=1 scripts/coverage.sh $(BUILD) "$(covered_dirs)" $(coverage_tests)
fuzz:
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/fuzz CC=$(CLANG) SANITIZE=address,undefined,fuzzer-no-link \
	    CFLAGS='-O1 -g' fuzz_main=-fsanitize=fuzzer fuzz_programs
fuzz_programs: all $(fuzzers)
	@GANTRY_LIB=$(abspath $(LIB)) scripts/fuzz.sh $(fuzzers)

# What the others need first; then the longest first, so that they end together.
test_tiers = programs -- unit symbols clang includes format-check abi asan+conformance_asan jax tsan repeat special_values function_pairs narrow_programs \
             conformance jax_newest random mutants operations sharded wheel_test+readme corpus_isa mutate mistakes functions symbolic_shapes corpus corpus_tpu \
             plugin_tests interrupt conformance_hidden formats install_test own_cpu platform_cpu host_memory several_processes torch_kernels

# ---- the README's two commands, and the rest -----------------------------------------------------------------------
deps:
	@scripts/deps.sh
demo: deps
	@$(MAKE) --no-print-directory all
	@"$$(scripts/python_env.sh)" python/demo.py $(LIB)/pjrt_c_api_gantry_plugin.so
demo_tpu: all
	@"$$(scripts/python_env.sh)" python/demo.py $(LIB)/pjrt_c_api_gantrytpu_plugin.so --tpu
	@"$$(scripts/python_env.sh)" python/demo.py $(LIB)/pjrt_c_api_gantrytpu_plugin.so --tpu --bf16
test: deps
	@scripts/tiers.sh $(test_tiers)
# Everything of `make test`, with more of what is bounded there by time: hours. JAX_TESTS: the folder `tests` of a checkout
# of JAX at the client's version; JAX_NEWEST_TESTS: at version 0.11.0, whose tests also run on the newest JAX.
FUZZ_MINUTES = 5
full: deps
	@RANDOM_PROGRAMS=2000 JAX_SHARE=1 ASAN_DEVICE=all SPECIAL_SHARE=1 NARROW_PROGRAMS=1000 SHARDED_PROGRAMS=2000 REPEAT_TIMES=200 ISAS='baseline avx2 avx512 avx512_bf16' CORPUS_VERSIONS=1 GANTRY_TEST_OPERATIONS=100000 GANTRY_TEST_FAULTS=8 COUNT=1000000 GANTRY_TEST_COMPILES=30000 GANTRY_TEST_EXECUTIONS=1000000 GANTRY_TEST_SECONDS=600 FUZZ_SECONDS=$$(($(FUZZ_MINUTES) * 60)) GANTRY_TEST_TIER_TIMEOUT=36000 \
	    scripts/tiers.sh $(test_tiers) fault_drill conformance_tsan fuzz clients xla_plugin packages_suite profile_tools auto_sharding $(if $(JAX_TESTS),jax_suite) $(if $(JAX_NEWEST_TESTS),jax_suite_newest)
# Programs drawn now, with the shardings of `gantry plan --auto` beside those that experts would write.
auto_sharding: all
	@"$$(scripts/python_env.sh)" scripts/auto_sharding.py $(BIN)/gantry --count $(or $(AUTO_PROGRAMS),20)
# What libtpu's compiler says of programs that are drawn now, beside gantry plan's figures; needs no TPU.
tpu_truth: all
	@scripts/tpu_truth.sh $(or $(TPU_PROGRAMS),60) $(BUILD)/tpu_truth
# The same of the programs in a data file, to which TPU_ROWS adds.
tpu_data: all
	@scripts/tpu_data.sh $(or $(TPU_ROWS),0) $(BUILD)/tpu_data
jax_suite: all
	@"$$(scripts/python_env.sh scripts/jax_suite_requirements.txt)" conformance/clients/jax/jax_suite.py \
	    --tests $(or $(JAX_TESTS),$(error JAX_TESTS is not set)) \
	    --plugin $(LIB)/pjrt_c_api_gantry_plugin.so
	@"$$(scripts/python_env.sh scripts/jax_suite_requirements.txt)" conformance/clients/jax/jax_suite.py \
	    --tests $(JAX_TESTS) --devices 8 --plugin $(LIB)/pjrt_c_api_gantry_plugin.so
	@"$$(scripts/python_env.sh scripts/jax_suite_requirements.txt)" conformance/clients/jax/jax_suite.py \
	    --tests $(JAX_TESTS) --platform tpu --files memories_test --plugin $(LIB)/pjrt_c_api_gantrytpu_plugin.so
	@for devices in 1 4; do "$$(scripts/python_env.sh scripts/jax_suite_requirements.txt)" conformance/clients/jax/pallas_suite.py \
	    --tests $(JAX_TESTS)/pallas --devices $$devices --plugin $(LIB)/pjrt_c_api_gantrytpu_plugin.so || exit 1; done
# One test in JAX_NEWEST_SAMPLE of each file, from the test JAX_NEWEST_OFFSET on.
JAX_NEWEST_SAMPLE ?= 1
JAX_NEWEST_OFFSET ?= 0
jax_suite_newest: all
	@for client in 0.11 newest; do for devices in 1 8; do \
	    "$$(scripts/python_env.sh scripts/jax_suite_$${client}_requirements.txt)" conformance/clients/jax/jax_suite.py --beside \
	        --tests $(or $(JAX_NEWEST_TESTS),$(error JAX_NEWEST_TESTS is not set)) --devices $$devices \
	        --sample $(JAX_NEWEST_SAMPLE) --offset $(JAX_NEWEST_OFFSET) --plugin $(LIB)/pjrt_c_api_gantry_plugin.so || failed=1; done; done; exit $${failed:-0}
# The suites of packages built on JAX: one test in PACKAGES_SAMPLE, drawn by PACKAGES_SEED.
PACKAGES_SAMPLE ?= 40
PACKAGES_SEED ?= 1
packages_suite: all
	@"$$(scripts/python_env.sh scripts/packages_suite_requirements.txt)" conformance/clients/packages/packages_suite.py \
	    --sample $(PACKAGES_SAMPLE) --seed $(PACKAGES_SEED) --plugin $(LIB)/pjrt_c_api_gantry_plugin.so
# What xprof's tools make of profiles.
profile_tools: all
	@PYTHONPATH=python "$$(scripts/python_env.sh scripts/profile_requirements.txt)" conformance/clients/jax/profile_tools.py
torch_suite: all
	@"$$(scripts/python_env.sh scripts/torch_suite_requirements.txt)" conformance/clients/torch_xla/torch_suite.py \
	    --tests $(or $(TORCH_TESTS),$(error TORCH_TESTS is not set)) --plugin $(LIB)/pjrt_c_api_gantry_plugin.so
conformance: all
	@scripts/conformance.sh $(BIN) $(LIB) $(CONFORMANCE_DEVICE)
# The suites about buffers on a device whose memory the host does not address, and which does not compute.
conformance_hidden: all
	@GANTRY_DEVICE=null $(BIN)/gantry_conformance $(LIB)/pjrt_c_api_gantry_plugin.so buffers transfer layouts misuse stress \
	    --expected conformance/expected/conformance_hidden.txt
	@GANTRY_DEVICE=null $(BIN)/gantry cts $(LIB)/pjrt_c_api_gantry_plugin.so --strict --area memories --area upload --area download \
	    --area buffers --area events --expected conformance/expected/cts_hidden.txt
# The suite on plugins that break one of its rules each.
mutants: all $(mutant)
	@scripts/mutants.py $(BIN)/gantry $(abspath $(mutant)) $(LIB)/pjrt_c_api_gantry_plugin.so
# COUNT mutated programs, options and executables: always a status. Each depends on its number and on MUTATE_SEED only.
COUNT ?= 3000
MUTATE_SEED ?= 1
# A folder with folders of further programs, such as Pallas kernels; GANTRY_DEVICE=tpu compiles and runs these.
MUTATE_FOLDER ?=
mutate: all $(BUILD)/test/conformance/mutate
	@GANTRY_LIB=$(abspath $(LIB)) $(BUILD)/test/conformance/mutate $(COUNT) $(MUTATE_SEED) 0 $(MUTATE_FOLDER)
$(mutant): $(call objects,$(mutant_src)) plugin/loader.map
	$(LIBRARY) -o $@ $(filter %.o,$^) -Wl,-Bsymbolic,--version-script=plugin/loader.map -ldl -lpthread -lm
# With one CPU device; on all devices in `make full`.
ASAN_DEVICE ?= cpu
conformance_asan:
	@CONFORMANCE_DEVICE=$(ASAN_DEVICE) $(asan_options) $(MAKE) --no-print-directory BUILD=$(BUILD)/asan SANITIZE=address,undefined CFLAGS='$(sanitize_cflags)' conformance
corpus: all
	@GANTRY_VERIFY=1 scripts/corpus.py $(BIN)/gantry_corpus $(abspath $(LIB))/pjrt_c_api_gantry_plugin.so conformance/expected/corpus.txt
# On the TPU model, in plain f32: the same results as on the CPU.
corpus_tpu: all
	@GANTRY_TPU_NUMERICS=f32 scripts/corpus.py $(BIN)/gantry_corpus $(abspath $(LIB))/pjrt_c_api_gantrytpu_plugin.so conformance/expected/corpus.txt
# The corpora with code and libraries narrowed to what other processors have.
ISAS ?= baseline avx2 avx512
isa_tests = $(filter $(foreach folder,attention fft kernels thin tiles top_k,$(BUILD)/test/devices/host/$(folder)%) \
            $(BUILD)/test/compiler/passes/library/library_step%,$(unit_tests))
corpus_isa: all $(isa_tests)
	@GANTRY_LIB=$(abspath $(LIB)) scripts/corpus_isa.sh "$(ISAS)" $(BIN)/gantry_corpus $(abspath $(LIB))/pjrt_c_api_gantry_plugin.so \
	    conformance/expected/corpus.txt $(isa_tests)
# XLA's CPU plugin through the same ABI: the rules, and the results of the corpus.
xla_plugin: all
	@scripts/xla_plugin.sh $(BIN)
formats: all
	@"$$(scripts/python_env.sh)" scripts/formats.py $(BIN)/gantry $(abspath $(LIB))/pjrt_c_api_gantry_plugin.so
operations: all
	@"$$(scripts/python_env.sh)" conformance/clients/jax/operations.py $(LIB)/pjrt_c_api_gantry_plugin.so \
	    --every $(OPERATIONS)
functions: all
	@"$$(scripts/python_env.sh)" conformance/clients/jax/functions.py $(BIN)/gantry \
	    $(abspath $(LIB))/pjrt_c_api_gantry_plugin.so
symbolic_shapes: all
	@for script in symbolic_shapes bounded_sizes; do "$$(scripts/python_env.sh)" conformance/clients/jax/$$script.py \
	    $(BIN)/gantry $(abspath $(LIB))/pjrt_c_api_gantry_plugin.so || exit 1; done
interrupt: all
	@PYTHONPATH=python JAX_PLATFORMS=gantry "$$(scripts/python_env.sh)" conformance/clients/jax/interrupt.py
own_cpu: all
	@PYTHONPATH=python "$$(scripts/python_env.sh)" conformance/clients/jax/own_cpu.py
platform_cpu: all
	@PYTHONPATH=python "$$(scripts/python_env.sh)" conformance/clients/jax/platform_cpu.py $(LIB)/pjrt_c_api_gantry_plugin.so
several_processes: all
	@PYTHONPATH=python "$$(scripts/python_env.sh)" conformance/clients/jax/several_processes.py
loggp_simgrid:
	@"$$(scripts/python_env.sh)" conformance/simgrid/loggp_simgrid.py
bench_hosts: all $(BUILD)/test/conformance/job_worker
	@PYTHONPATH=python "$$(scripts/python_env.sh)" bench/hosts.py
# Processes that are killed, stopped, late or cut off, at random: DRILL_SEED. Each drill takes about a second.
DRILL_SECONDS ?= 60
DRILL_SEED ?= 1
fault_drill: all $(BUILD)/test/conformance/job_worker
	@scripts/fault_drill.py $(BUILD)/test/conformance/job_worker $(LIB)/pjrt_c_api_gantry_plugin.so --seconds $(DRILL_SECONDS) --seed $(DRILL_SEED)
host_memory: all
	@PYTHONPATH=python JAX_PLATFORMS=gantry GANTRY_PINNED_HOST_MEMORY=4M "$$(scripts/python_env.sh)" conformance/clients/jax/host_memory.py
# Mistakes that users make with JAX: each gets a message that helps.
mistakes: all
	@PYTHONPATH=python "$$(scripts/python_env.sh)" conformance/clients/jax/mistakes.py
# Numbers beside JAX's own CPU: at infinities, NaN, zeros and edges of domains, one row in SPECIAL_SHARE; all pairs of
# functions there, together and apart; and random programs of bf16 and f16.
SPECIAL_SHARE ?= 8
special_values: all
	@"$$(scripts/python_env.sh)" conformance/clients/jax/special_values.py $(LIB)/pjrt_c_api_gantry_plugin.so --share $(SPECIAL_SHARE)
function_pairs: all
	@"$$(scripts/python_env.sh)" conformance/clients/jax/function_pairs.py $(LIB)/pjrt_c_api_gantry_plugin.so --share $$(($(SPECIAL_SHARE) * 2))
NARROW_PROGRAMS ?= 20
narrow_programs: all
	@"$$(scripts/python_env.sh)" conformance/clients/jax/narrow_programs.py $(LIB)/pjrt_c_api_gantry_plugin.so --count $(NARROW_PROGRAMS)
JAX_SHARE ?= 8
jax: all
	@conformance/clients/jax/run.sh $(LIB) --share $(JAX_SHARE)
# The Pallas kernels of torch_xla on one device, where an environment with torch_xla exists; `clients` runs all of its cases.
torch_kernels: all
	@conformance/clients/torch_xla/run.sh $(LIB) --filter '^custom_kernels$$'
# Its cases again on the newest JAX, which needs a newer Python than Debian 12 has. NEWEST_CASES: a regular expression.
NEWEST_CASES ?= ^(calls|core|runtime)
jax_newest: all
	@scripts/jax_newest.sh $(LIB) '$(NEWEST_CASES)'
random: all
	@"$$(scripts/python_env.sh)" conformance/clients/jax/random_programs.py $(LIB)/pjrt_c_api_gantry_plugin.so \
	    --count $(RANDOM_PROGRAMS)
# Random programs partitioned over eight devices, beside the same programs on one.
SHARDED_PROGRAMS ?= 120
sharded: all
	@PYTHONPATH=python JAX_PLATFORMS=gantry GANTRY_CPU_DEVICES=8 "$$(scripts/python_env.sh)" \
	    conformance/clients/jax/sharded_programs.py --count $(SHARDED_PROGRAMS)
# Every library-backed operation and parallel kernel again and again, from one thread and from many.
REPEAT_TIMES ?= 3
repeat: all
	@"$$(scripts/python_env.sh)" conformance/clients/jax/repeat.py $(LIB)/pjrt_c_api_gantry_plugin.so --times $(REPEAT_TIMES)
clients: all
	@scripts/clients.sh $(LIB)
bench: all $(benches)
	@GANTRY_LIB=$(abspath $(LIB)) scripts/bench.sh $(LIB) $(benches)
# Snippets beside JAX's own CPU: which rows are slower, and what takes the time. A build is compared with another by
# TAIL_ARGS='--baseline PLUGIN.so'. TAIL_ARGS=--predict compares the expected time of executions with the measured one.
bench_tail: all
	@"$$(scripts/python_env.sh)" bench/tail.py $(LIB)/pjrt_c_api_gantry_plugin.so --json build/tail.json $(TAIL_ARGS)
# Language models with quantized and other weights, also in PyTorch and ONNX Runtime (the environment of bench_models) and in llama.cpp,
# which is built. bench/llm_chart.py draws build/llm.json.
# LLM_ARGS: as '--sides gantry,xla --sizes tiny --only decode --limit 600'.
bench_llm: all
	@"$$(scripts/python_env.sh)" bench/llm.py $(LIB)/pjrt_c_api_gantry_plugin.so --json build/llm.json $(LLM_ARGS)
# Whole models beside PyTorch and ONNX Runtime, which need an environment of 7 GB. MODELS_ARGS: as '--only GPT --cores 1'.
bench_models: all
	@"$$(scripts/python_env.sh)" bench/whole_models.py $(LIB)/pjrt_c_api_gantry_plugin.so \
	    --torch "$$(scripts/python_env.sh bench/whole_models_requirements.txt)" --json build/models.json $(MODELS_ARGS)
# How the cost of a compilation grows with the size of the program. SCALING_ARGS: as '--only chain --to 10000 --peer'.
scaling: all
	@"$$(scripts/python_env.sh)" bench/scaling.py $(BIN)/gantry $(LIB)/pjrt_c_api_gantry_plugin.so $(SCALING_ARGS)
wheel: deps
	@$(MAKE) --no-print-directory all
	@$(MAKE) --no-print-directory $(BUILD)/dist/.built
	@ls $(BUILD)/dist/gantry_pjrt-*.whl
wheel_files = README.md LICENSE scripts/licenses.py scripts/wheel_requirements.txt $(shell find python -name '*.py' -not -path '*/build/*')
$(BUILD)/dist/.built: $(libraries) $(binaries) $(wheel_files) $(if $(PROJECT_URL),FORCE)
	@"$$(scripts/python_env.sh scripts/wheel_requirements.txt)" python/build_wheel.py --version $(VERSION) --lib $(LIB) --bin $(BIN) --out $(BUILD)/dist \
	    --url "$(PROJECT_URL)"
	@touch $@
# Every command of the README, as it is written.
readme: wheel
	@scripts/readme_test.py
wheel_test: wheel
	@scripts/wheel_test.sh $(BUILD)/dist
# A table: what works with each version of each client (scripts/versions.txt), on the wheel. VERSIONS: only those whose
# name the regular expression finds, as 'jax 0.6'. Those with PyTorch need 7 GB each: GANTRY_TORCH=1 makes their environments.
versions: wheel
	@scripts/versions.py $(BUILD)/dist/gantry_pjrt-*.whl --only '$(VERSIONS)'
install_test: all
	@scripts/clients.sh $(LIB) c
install: all
	@DESTDIR=$(DESTDIR) scripts/install.sh install $(BUILD) $(PREFIX)
uninstall:
	@DESTDIR=$(DESTDIR) scripts/install.sh uninstall $(BUILD) $(PREFIX)
env-table:
	@scripts/env_table.py
semantics:
	@scripts/semantics.py
format:
	@scripts/format.sh
format-check:
	@scripts/format.sh --check
clean:
	rm -rf $(BUILD)
# For editors and clangd.
compile_commands:
	@scripts/compile_commands.py
help:
	@scripts/make_help.py
