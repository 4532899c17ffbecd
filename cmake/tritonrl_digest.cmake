# tritonrl_digest(MODULE VARIABLE HEADER INPUT...): the SHA-256, in hexadecimal, of the names and bytes of all files in
# the inputs (folders and files, relative to the repository), as tritonrl::MODULE::VARIABLE, a std::string_view, in the
# header "MODULE/HEADER". Built again when one of the files changes, comes or goes.
function(tritonrl_digest module variable header)
  set(output "${PROJECT_BINARY_DIR}/generated/${module}/${header}")
  set(script "${PROJECT_SOURCE_DIR}/cmake/digest_files.cmake")
  set(files "")
  foreach(input IN LISTS ARGN)
    if(IS_DIRECTORY "${PROJECT_SOURCE_DIR}/${input}")
      file(GLOB_RECURSE found CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${input}/*")
      list(FILTER found EXCLUDE REGEX "/__pycache__/")
    else()
      set(found "${PROJECT_SOURCE_DIR}/${input}")
    endif()
    list(APPEND files ${found})
  endforeach()
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" -D "ROOT=${PROJECT_SOURCE_DIR}" -D "FILES=${files}" -D "OUTPUT=${output}" -D
            "NAMESPACE=tritonrl::${module}" -D "VARIABLE=${variable}" -P "${script}"
    DEPENDS ${files} "${script}"
    COMMENT "Digesting ${ARGN}"
    VERBATIM)
  target_sources(tritonrl_${module} PRIVATE "${output}")
endfunction()
