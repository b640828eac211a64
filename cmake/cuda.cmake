# CUDA is optional: found or skipped, in one line. The kernels' sources always compile for
# the emulator (kernels/cuda/README.md), which needs the host's compiler only.
find_program(ESPALIER_NVCC nvcc HINTS ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES bin)
if(ESPALIER_NVCC)
  message(STATUS "CUDA: found ${ESPALIER_NVCC}; the test kernels.cuda_compile compiles the kernels with it, the program runs on the CPU")
else()
  message(STATUS "CUDA: not found, building for the CPU")
endif()

# kernels_emulated: kernels/cuda by the host's compiler, for tests. Boost.Context unwinds a
# stopped fiber by an exception, hence not one of the libraries that have none.
function(espalier_emulated_kernels)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/kernels/cuda/emulate/*.cc
    ${CMAKE_SOURCE_DIR}/kernels/cuda/*.cu)
  add_library(kernels_emulated STATIC EXCLUDE_FROM_ALL ${sources})
  target_link_libraries(kernels_emulated PUBLIC kernels Boost::context)
  target_compile_options(kernels_emulated PRIVATE -Wno-unknown-pragmas)  # nvcc's unroll
  foreach(source ${sources})
    if(source MATCHES "\\.cu$")
      set_source_files_properties(${source} PROPERTIES LANGUAGE CXX)
    endif()
  endforeach()
endfunction()
