# Third-party libraries under one name each, from the system or else from a bundle unpacked into .deps/:
#   CLI11::CLI11  tomlplusplus::tomlplusplus  nlohmann_json::nlohmann_json  fmt::fmt  spdlog::spdlog
#   GTest::gtest_main  GTest::gmock;  optional: OpenSSL::Crypto  benchmark::benchmark  seccomp::seccomp
#   utf8proc::utf8proc  pcre2::pcre2  CURL::libcurl

set(TRITONRL_DEPS "${PROJECT_SOURCE_DIR}/.deps" CACHE PATH "Where set-up or a bundle put sources of dependencies")
find_package(Threads REQUIRED)

# The headers under .deps/NAME/include as TARGET; an error that says what to do when they are not there.
function(tritonrl_bundled_headers target name header)
  set(include "${TRITONRL_DEPS}/${name}/include")
  if(NOT EXISTS "${include}/${header}")
    message(FATAL_ERROR "${name} was found neither on the system nor under .deps/. Run `make setup`; on a machine "
                        "without package registries, unpack the archive that `make bundle` makes elsewhere.")
  endif()
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} SYSTEM INTERFACE "${include}")
  message(STATUS "${name}: from .deps/")
endfunction()

find_package(CLI11 2.1 QUIET)
if(NOT TARGET CLI11::CLI11)
  tritonrl_bundled_headers(CLI11::CLI11 cli11 CLI/CLI.hpp)
endif()

find_package(tomlplusplus 3.0 QUIET)
if(NOT TARGET tomlplusplus::tomlplusplus)
  tritonrl_bundled_headers(tomlplusplus::tomlplusplus tomlplusplus toml++/toml.h)
endif()

find_package(nlohmann_json 3.10 QUIET)
if(NOT TARGET nlohmann_json::nlohmann_json)
  tritonrl_bundled_headers(nlohmann_json::nlohmann_json nlohmann-json nlohmann/json.hpp)
endif()

# A pair: each spdlog knows only the fmt of its time, so both come from the same place.
find_package(fmt 9 QUIET)
find_package(spdlog 1.10 QUIET)
if(NOT TARGET fmt::fmt OR NOT TARGET spdlog::spdlog)
  tritonrl_bundled_headers(tritonrl_bundled_fmt fmt fmt/format.h)
  target_compile_definitions(tritonrl_bundled_fmt INTERFACE FMT_HEADER_ONLY)
  tritonrl_bundled_headers(tritonrl_bundled_spdlog spdlog spdlog/spdlog.h)
  target_compile_definitions(tritonrl_bundled_spdlog INTERFACE SPDLOG_FMT_EXTERNAL)
  target_link_libraries(tritonrl_bundled_spdlog INTERFACE tritonrl_bundled_fmt Threads::Threads)
  add_library(fmt::fmt ALIAS tritonrl_bundled_fmt)
  add_library(spdlog::spdlog ALIAS tritonrl_bundled_spdlog)
endif()

find_package(OpenSSL QUIET COMPONENTS Crypto)
find_package(benchmark QUIET)
find_package(CURL 7.85 QUIET)
if(NOT TARGET CURL::libcurl)
  message(STATUS "libcurl 7.85 or later was not found: commands that ask an endpoint are left out")
endif()

# tritonrl_optional_library(TARGET FOLDER HEADER LIBRARY): TARGET where both are found, on the system or in a bundle, which
# holds the static library: machines with a GPU often lack it. These have no CMake package of their own.
function(tritonrl_optional_library target folder header library)
  string(TOUPPER "TRITONRL_${folder}" name)
  find_path(${name}_INCLUDE ${header} HINTS "${TRITONRL_DEPS}/${folder}/include")
  find_library(${name}_LIBRARY NAMES ${library} HINTS "${TRITONRL_DEPS}/${folder}/lib")
  if(${name}_INCLUDE AND ${name}_LIBRARY)
    add_library(${target} INTERFACE IMPORTED GLOBAL)
    target_include_directories(${target} SYSTEM INTERFACE "${${name}_INCLUDE}")
    target_link_libraries(${target} INTERFACE "${${name}_LIBRARY}")
  endif()
endfunction()

tritonrl_optional_library(seccomp::seccomp libseccomp seccomp.h seccomp)
tritonrl_optional_library(utf8proc::utf8proc libutf8proc utf8proc.h utf8proc)
tritonrl_optional_library(pcre2::pcre2 libpcre2 pcre2.h pcre2-8)

# Missing GoogleTest leaves the C++ tests out instead of failing the build.
function(tritonrl_find_googletest)
  find_package(GTest 1.11 QUIET)
  if(TARGET GTest::gtest_main AND TARGET GTest::gmock)
    set_target_properties(GTest::gtest GTest::gtest_main GTest::gmock PROPERTIES IMPORTED_GLOBAL TRUE)
    return()
  endif()
  set(sources "${TRITONRL_DEPS}/googletest")
  if(NOT EXISTS "${sources}/googletest/src/gtest-all.cc")
    message(STATUS "GoogleTest was found neither on the system nor under .deps/: C++ tests are left out")
    return()
  endif()
  message(STATUS "googletest: from .deps/")
  add_library(tritonrl_bundled_gtest STATIC EXCLUDE_FROM_ALL "${sources}/googletest/src/gtest-all.cc"
                                            "${sources}/googlemock/src/gmock-all.cc")
  target_include_directories(tritonrl_bundled_gtest SYSTEM PUBLIC "${sources}/googletest/include"
                                                                  "${sources}/googlemock/include")
  target_include_directories(tritonrl_bundled_gtest PRIVATE "${sources}/googletest" "${sources}/googlemock")
  target_link_libraries(tritonrl_bundled_gtest PUBLIC Threads::Threads)
  target_compile_options(tritonrl_bundled_gtest PRIVATE -w)
  add_library(tritonrl_bundled_gtest_main STATIC EXCLUDE_FROM_ALL "${sources}/googlemock/src/gmock_main.cc")
  target_link_libraries(tritonrl_bundled_gtest_main PUBLIC tritonrl_bundled_gtest)
  add_library(GTest::gtest ALIAS tritonrl_bundled_gtest)
  add_library(GTest::gmock ALIAS tritonrl_bundled_gtest)
  add_library(GTest::gtest_main ALIAS tritonrl_bundled_gtest_main)
endfunction()
