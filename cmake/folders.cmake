# espalier_library(<folder> [PRIVATE_ERRORS]): one static library from all sources of
# the folder. A file named *_<isa>.cc is compiled for that instruction set and chosen
# at run time. PRIVATE_ERRORS: no exceptions, no RTTI.
set(espalier_isa_flags_avx2 -mavx2 -mfma -mf16c)
# GCC 12 warns of its own AVX-512 header.
set(espalier_isa_flags_avx512vnni ${espalier_isa_flags_avx2} -mavx512f -mavx512bw -mavx512vl
    -mavx512vnni -Wno-maybe-uninitialized)

set(espalier_uses_kernels Threads::Threads)
set(espalier_uses_radix kernels Boost::headers)
set(espalier_uses_grammar kernels nlohmann_json::nlohmann_json PkgConfig::UTF8PROC)
set(espalier_uses_frontend_lang kernels Boost::context OpenSSL::SSL nlohmann_json::nlohmann_json
    fmt::fmt PkgConfig::UTF8PROC PkgConfig::PCRE2)
set(espalier_uses_runtime kernels radix grammar frontend_lang nlohmann_json::nlohmann_json
    fmt::fmt CLI11::CLI11 PkgConfig::UTF8PROC)

function(espalier_library folder)
  cmake_parse_arguments(arg "PRIVATE_ERRORS" "" "" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.cc)
  list(FILTER sources EXCLUDE REGEX "/main\\.cc$|/kernels/cuda/")
  add_library(${folder} STATIC ${sources})
  target_link_libraries(${folder} PUBLIC ${espalier_uses_${folder}})
  if(arg_PRIVATE_ERRORS)
    target_compile_options(${folder} PRIVATE -fno-exceptions -fno-rtti)
  endif()
  foreach(source ${sources})
    if(source MATCHES "_(avx2|avx512vnni)\\.cc$")
      set_source_files_properties(${source} PROPERTIES
        COMPILE_OPTIONS "${espalier_isa_flags_${CMAKE_MATCH_1}}")
    endif()
  endforeach()
endfunction()

function(espalier_executable)
  if(EXISTS ${CMAKE_SOURCE_DIR}/runtime/cli/main.cc)
    add_executable(espalier runtime/cli/main.cc)
    target_link_libraries(espalier PRIVATE runtime)
  endif()
endfunction()
