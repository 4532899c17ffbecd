# How tests and fuzz targets join the build.

if(TRITONRL_TESTS)
  tritonrl_find_googletest()
  include(GoogleTest)
endif()

# tritonrl_test(NAME SOURCES file... [DEPENDS module...] [LINKS third-party target...] [LABELS label...])
# makes the GoogleTest program NAME_tests and one CTest entry for each of its tests.
# Without DEPENDS it tests module NAME. Tests run in the repository root.
function(tritonrl_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;DEPENDS;LINKS;LABELS")
  if(NOT arg_DEPENDS)
    set(arg_DEPENDS ${name})
  endif()
  if(NOT TARGET GTest::gtest_main)
    return()
  endif()
  tritonrl_program(${name}_tests SOURCES ${arg_SOURCES} DEPENDS ${arg_DEPENDS} LINKS ${arg_LINKS} GTest::gmock
                   GTest::gtest_main)
  target_compile_definitions(${name}_tests PRIVATE TRITONRL_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                                   TRITONRL_PROGRAM="${PROJECT_BINARY_DIR}/bin/tritonrl")
  gtest_discover_tests(
    ${name}_tests
    TEST_PREFIX ${name}.
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
    DISCOVERY_MODE PRE_TEST
    PROPERTIES LABELS "${name};${arg_LABELS}" TIMEOUT 600)
endfunction()

# tritonrl_pytest(NAME FILE [LABELS label...]): a pytest file as one CTest entry, where pytest is there.
# It finds the build through TRITONRL_BUILD_DIR and the program through TRITONRL_PROGRAM.
function(tritonrl_pytest name file)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "LABELS")
  if(NOT TRITONRL_PYTHON)
    return()
  endif()
  add_test(
    NAME ${name}
    COMMAND "${TRITONRL_PYTHON}" -m pytest -q -p no:cacheprovider "${file}"
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(
    ${name}
    PROPERTIES
      LABELS "pytest;${arg_LABELS}"
      TIMEOUT 900
      SKIP_RETURN_CODE 5 # a file skipped as a whole
      ENVIRONMENT
      "TRITONRL_BUILD_DIR=${PROJECT_BINARY_DIR};TRITONRL_PROGRAM=${PROJECT_BINARY_DIR}/bin/tritonrl;PYTHONDONTWRITEBYTECODE=1")
endfunction()

# tritonrl_fuzz(NAME SOURCES file... [DEPENDS module...]): a libFuzzer program, in the fuzz preset only.
function(tritonrl_fuzz name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;DEPENDS")
  tritonrl_program(${name} SOURCES ${arg_SOURCES} DEPENDS ${arg_DEPENDS})
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
endfunction()
