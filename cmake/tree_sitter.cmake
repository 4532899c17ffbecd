# tree_sitter::core and tree_sitter::python, static libraries built from the source packages under .deps/
# (setup/source-packages.txt pins them).

set(core "${TRITONRL_DEPS}/tree-sitter/tree_sitter/core/lib")
set(python "${TRITONRL_DEPS}/tree-sitter-python/src")
foreach(file "${core}/src/lib.c" "${python}/parser.c" "${python}/scanner.c")
  if(NOT EXISTS "${file}")
    message(FATAL_ERROR "The tree-sitter sources are not there (${file} is missing). Run `make setup`; on a machine "
                        "without package registries, unpack the archive that `make bundle` makes elsewhere.")
  endif()
endforeach()

# C as C was: its mismatched function types are no findings of ours. AddressSanitizer stays on.
set(quiet -w -fno-sanitize=undefined)

add_library(tree_sitter_core STATIC "${core}/src/lib.c")
add_library(tree_sitter::core ALIAS tree_sitter_core)
target_include_directories(tree_sitter_core SYSTEM PUBLIC "${core}/include")
target_include_directories(tree_sitter_core PRIVATE "${core}/src")
target_compile_definitions(tree_sitter_core PRIVATE _POSIX_C_SOURCE=200112L _DEFAULT_SOURCE)
target_compile_options(tree_sitter_core PRIVATE ${quiet})

# The grammar includes some of the core's private headers as "tree_sitter/...h".
set(headers "${PROJECT_BINARY_DIR}/generated/tree_sitter_grammar")
foreach(header parser.h array.h alloc.h ts_assert.h)
  configure_file("${core}/src/${header}" "${headers}/tree_sitter/${header}" COPYONLY)
endforeach()

add_library(tree_sitter_python STATIC "${python}/parser.c" "${python}/scanner.c")
add_library(tree_sitter::python ALIAS tree_sitter_python)
target_include_directories(tree_sitter_python PRIVATE "${headers}")
target_link_libraries(tree_sitter_python PUBLIC tree_sitter_core)
target_compile_options(tree_sitter_python PRIVATE ${quiet})
