# The cuda preset: the CUDA language where nvcc is found, so that .cu files are compile-checked.

option(TRITONRL_CUDA "Compile .cu files where nvcc is found" OFF)

if(TRITONRL_CUDA AND NOT TRITONRL_VERIFY_ONLY)
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    if(NOT CMAKE_CUDA_ARCHITECTURES)
      set(CMAKE_CUDA_ARCHITECTURES 90)
    endif()
    enable_language(CUDA)
    set(CMAKE_CUDA_STANDARD 20)
  else()
    message(STATUS "nvcc was not found: .cu files are left out")
  endif()
endif()
