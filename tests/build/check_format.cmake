# Fails when a C++ file is not as .clang-format would have it; run with cmake -P.
cmake_minimum_required(VERSION 3.25)

set(files "")
foreach(folder src apps tests fuzz bench)
  file(GLOB_RECURSE found "${ROOT}/${folder}/*.h" "${ROOT}/${folder}/*.cpp" "${ROOT}/${folder}/*.cu")
  list(APPEND files ${found})
endforeach()
if(files)
  execute_process(COMMAND "${CLANG_FORMAT}" --dry-run -Werror ${files} RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "run `make format`")
  endif()
endif()
