# torch::libtorch, for the training half: the libraries and headers of the torch that TRITONRL_TORCH_PYTHON imports.
# TRITONRL_TORCH_CUDA says whether they hold kernels for GPUs. Without torch the target is missing, and so is all above it.

set(TRITONRL_TORCH_PYTHON "${PROJECT_SOURCE_DIR}/.venv/bin/python" CACHE FILEPATH "The Python whose torch is built against")
set(TRITONRL_TORCH_ROOT "")
set(TRITONRL_TORCH_CUDA OFF)

function(tritonrl_find_torch)
  execute_process(
    COMMAND "${TRITONRL_TORCH_PYTHON}" -c
            "import importlib.util as u; s = u.find_spec('torch'); print(s.submodule_search_locations[0] if s else '', end='')"
    OUTPUT_VARIABLE root
    RESULT_VARIABLE status
    ERROR_QUIET)
  if(NOT status EQUAL 0 OR NOT EXISTS "${root}/include/ATen/ATen.h")
    message(STATUS "torch was not found by ${TRITONRL_TORCH_PYTHON}: what needs it is left out")
    return()
  endif()
  set(TRITONRL_TORCH_ROOT "${root}" PARENT_SCOPE)
  if(EXISTS "${root}/lib/libtorch_cuda.so")
    set(TRITONRL_TORCH_CUDA ON PARENT_SCOPE)
  endif()
endfunction()

# Not find_package(Torch): with a CUDA wheel it asks for the whole toolkit, and we call neither of its languages.
function(tritonrl_add_libtorch)
  set(libraries "${TRITONRL_TORCH_ROOT}/lib/libtorch_cpu.so" "${TRITONRL_TORCH_ROOT}/lib/libc10.so")
  if(TRITONRL_TORCH_CUDA)
    list(APPEND libraries "${TRITONRL_TORCH_ROOT}/lib/libtorch_cuda.so" "${TRITONRL_TORCH_ROOT}/lib/libc10_cuda.so")
  endif()
  # at::parallel_for is a template with OpenMP inside; its threads must be those of torch's own libgomp.
  file(GLOB openmp "${TRITONRL_TORCH_ROOT}/lib/libgomp*.so*" "${TRITONRL_TORCH_ROOT}/../torch.libs/libgomp*.so*")
  if(NOT openmp)
    set(openmp gomp)
  endif()
  add_library(torch::libtorch INTERFACE IMPORTED GLOBAL)
  # After the system's headers: the wheel carries an fmt of its own.
  target_compile_options(torch::libtorch INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-idirafter ${TRITONRL_TORCH_ROOT}/include>"
                                                   "$<$<COMPILE_LANGUAGE:CXX>:-fopenmp>")
  # mold 1.10 makes a start of the read-only part that does not fit a page where the only thread-local is a byte, as
  # ATen's headers have one; the loader then refuses the program.
  target_link_options(torch::libtorch INTERFACE -Wl,-z,norelro)
  # libtorch_cuda registers its operators when it is loaded; nothing of ours names a symbol of it.
  target_link_libraries(torch::libtorch INTERFACE -Wl,--no-as-needed ${libraries} ${openmp} -Wl,--as-needed)
endfunction()

tritonrl_find_torch()
if(TRITONRL_TORCH_ROOT AND NOT TRITONRL_VERIFY_ONLY)
  if(TRITONRL_SANITIZE OR TRITONRL_FUZZ)
    message(STATUS "libtorch is built without sanitizers: what needs it is left out")
  else()
    tritonrl_add_libtorch()
  endif()
endif()
