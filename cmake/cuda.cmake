# CUDA is optional: found or skipped, in one line.
include(CheckLanguage)
check_language(CUDA)
if(CMAKE_CUDA_COMPILER)
  message(STATUS "CUDA: found ${CMAKE_CUDA_COMPILER}; this version has no CUDA kernels yet, building for the CPU")
else()
  message(STATUS "CUDA: not found, building for the CPU")
endif()
