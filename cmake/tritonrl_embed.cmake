# tritonrl_embed(MODULE FILE VARIABLE): the bytes of FILE (relative to the calling folder) as
# tritonrl::MODULE::VARIABLE, a std::string_view, declared in the header "MODULE/FILE.h".
#   tritonrl_embed(analysis data/torch_ops.toml kTorchOps)  ->  #include "analysis/data/torch_ops.toml.h"
function(tritonrl_embed module file variable)
  string(REGEX REPLACE "^tritonrl_" "" module "${module}")
  set(input "${CMAKE_CURRENT_SOURCE_DIR}/${file}")
  set(output "${PROJECT_BINARY_DIR}/generated/${module}/${file}")
  set(script "${PROJECT_SOURCE_DIR}/cmake/embed_file.cmake")
  if(NOT EXISTS "${input}")
    message(FATAL_ERROR "tritonrl_embed: there is no file ${input}.")
  endif()
  add_custom_command(
    OUTPUT "${output}.h" "${output}.cpp"
    COMMAND "${CMAKE_COMMAND}" -D "INPUT=${input}" -D "OUTPUT=${output}" -D "HEADER=${module}/${file}.h" -D
            "NAMESPACE=tritonrl::${module}" -D "VARIABLE=${variable}" -P "${script}"
    DEPENDS "${input}" "${script}"
    COMMENT "Embedding ${module}/${file}"
    VERBATIM)
  target_sources(tritonrl_${module} PRIVATE "${output}.cpp" "${output}.h")
endfunction()
