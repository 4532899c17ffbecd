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
    set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} --expt-relaxed-constexpr")
    set(CMAKE_CUDA_FLAGS_RELEASE "-O3 -DNDEBUG")
    set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)  # the one that libtorch loads
  else()
    message(STATUS "nvcc was not found: .cu files are left out")
  endif()
endif()
