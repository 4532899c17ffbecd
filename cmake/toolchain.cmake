# Language level, flags, compiler cache and linker: what every target of ours is built with.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release or Debug" FORCE)
endif()
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_C_FLAGS_DEBUG "-O1 -g")
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g -D_GLIBCXX_ASSERTIONS")

set(TRITONRL_SANITIZE "" CACHE STRING "Sanitizers for the whole tree, as -fsanitize= takes them")
option(TRITONRL_FUZZ "Build the libFuzzer targets in fuzz/ (needs Clang)" OFF)

if(TRITONRL_SANITIZE)
  set(sanitize -fsanitize=${TRITONRL_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_compile_options(${sanitize})
  add_link_options(${sanitize})
endif()
if(TRITONRL_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "The fuzz targets need Clang's libFuzzer; configure with --preset fuzz.")
  endif()
  # Third-party C code is instrumented too: the grammar's branches guide the fuzzer.
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # Tables of a few hundred entries as a std::array.
  add_compile_options(-fbracket-depth=2048)
endif()

find_program(TRITONRL_CCACHE ccache)
if(TRITONRL_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER "${TRITONRL_CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${TRITONRL_CCACHE}")
endif()
find_program(TRITONRL_MOLD mold)
if(TRITONRL_MOLD)
  # GCC before 12.1 does not know the flag.
  include(CheckLinkerFlag)
  check_linker_flag(CXX -fuse-ld=mold TRITONRL_MOLD_WORKS)
  if(TRITONRL_MOLD_WORKS)
    add_link_options(-fuse-ld=mold)
  endif()
endif()

# Warnings reach our own targets only: third-party code is built without them.
# Clang counts sign changes as conversions, and reports libstdc++'s own use of deprecated functions in std::stable_sort.
set(warnings -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  list(APPEND warnings -Wno-sign-conversion -Wno-deprecated-declarations)
endif()
if(TRITONRL_WERROR)
  list(APPEND warnings -Werror)
endif()
add_library(tritonrl_warnings INTERFACE)
target_compile_options(tritonrl_warnings INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${warnings}>")

# #include "tritonrl_version.h"
configure_file("${CMAKE_CURRENT_LIST_DIR}/tritonrl_version.h.in" "${PROJECT_BINARY_DIR}/generated/tritonrl_version.h"
               @ONLY)
