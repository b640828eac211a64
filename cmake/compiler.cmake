# Flags of every target. -ffp-contract=off: every fma is written as one, so all
# instruction sets give the same bits.
add_compile_options(-Wall -Wextra -Wno-missing-field-initializers -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-Wno-restrict)  # GCC 12 warns of std::string's own operator+ (PR105651)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  add_compile_options(-Wthread-safety)  # of kernels/base/mutex.h
endif()
if(ESPALIER_WERROR)
  add_compile_options(-Werror)
endif()
if(ESPALIER_SANITIZE)
  add_compile_options(-fsanitize=${ESPALIER_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all)
  # The check of virtual calls needs RTTI, which kernels is built without.
  add_compile_options(-fno-sanitize=vptr)
  add_link_options(-fsanitize=${ESPALIER_SANITIZE})
endif()
if(ESPALIER_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)  # libFuzzer sees the edges of all of it
endif()
include_directories(${CMAKE_SOURCE_DIR})

find_program(ESPALIER_CCACHE ccache)
if(ESPALIER_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${ESPALIER_CCACHE})
endif()
