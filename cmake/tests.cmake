# One test program a folder, <folder>_test, from tests/<folder>/*_test.cc.
option(ESPALIER_TESTS "Build the tests" ON)
espalier_executable()
if(NOT ESPALIER_TESTS)
  return()
endif()
find_package(GTest REQUIRED)
include(GoogleTest)

# A quarter of a cold build compiles tests; the libraries under test keep their own level.
set(test_flags $<$<CONFIG:Release>:-O1>)

foreach(folder kernels radix grammar frontend_lang runtime)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/${folder}/*_test.cc)
  if(sources)
    add_executable(${folder}_test ${sources})
    target_compile_options(${folder}_test PRIVATE ${test_flags})
    target_link_libraries(${folder}_test PRIVATE ${folder} GTest::gmock GTest::gtest_main)
    gtest_discover_tests(${folder}_test TEST_PREFIX ${folder}. DISCOVERY_TIMEOUT 60
      PROPERTIES TIMEOUT 300)
  endif()
endforeach()
target_link_libraries(kernels_test PRIVATE kernels_emulated)
foreach(folder grammar runtime)  # the oracle of patterns
  target_link_libraries(${folder}_test PRIVATE PkgConfig::RE2)
endforeach()

# The small programs of the script tests print the same under CPython.
find_package(Python3 COMPONENTS Interpreter QUIET)
if(Python3_Interpreter_FOUND)
  add_test(NAME frontend_lang.cpython COMMAND ${Python3_EXECUTABLE}
    ${CMAKE_SOURCE_DIR}/tests/frontend_lang/cpython.py --check)
endif()

if(Python3_Interpreter_FOUND AND ESPALIER_NVCC)
  add_test(NAME kernels.cuda_compile COMMAND ${Python3_EXECUTABLE}
    ${CMAKE_SOURCE_DIR}/tests/kernels/cuda_compile.py ${ESPALIER_NVCC})
  set_tests_properties(kernels.cuda_compile PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 900)
endif()

add_test(NAME rules.layering
  COMMAND ${CMAKE_COMMAND} -DROOT=${CMAKE_SOURCE_DIR} -P ${CMAKE_SOURCE_DIR}/tests/layering.cmake)

# tests/fuzz/<name>_fuzz.cc with its corpus: replayed as a test, or a libFuzzer binary.
file(GLOB fuzzers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/fuzz/*_fuzz.cc)
foreach(source ${fuzzers})
  get_filename_component(name ${source} NAME_WE)
  set(corpus ${CMAKE_SOURCE_DIR}/tests/fuzz/corpus/${name})
  if(ESPALIER_FUZZ)
    add_executable(${name} ${source})
    target_compile_options(${name} PRIVATE -fsanitize=fuzzer)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  else()
    add_executable(${name} ${source} tests/fuzz/replay_main.cc)
    target_compile_options(${name} PRIVATE ${test_flags})
    add_test(NAME fuzz.${name} COMMAND ${name} ${corpus})
  endif()
  # The library of the folder it includes, so that a leaf's target builds without the rest.
  file(STRINGS ${source} includes REGEX "^#include \"(grammar|frontend_lang|runtime)/")
  list(GET includes 0 include)
  string(REGEX REPLACE "^#include \"([a-z_]+)/.*" "\\1" folder "${include}")
  target_link_libraries(${name} PRIVATE ${folder})
endforeach()

# The real binary against the golden files; exit 77 says "skipped".
find_package(Python3 COMPONENTS Interpreter)
if(TARGET espalier AND Python3_FOUND)
  foreach(what flags generate jsonl chat run url serve serve_manners serve_fields serve_streams
      serve_abuse cache_tree serve_programs server_reports embeddings tour readme examples bench grammar_tools complete
      user_reports
      user_schemas)
    add_test(NAME e2e.${what} COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tests/e2e/${what}.py)
    set_tests_properties(e2e.${what} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600
      ENVIRONMENT ESPALIER_BINARY=$<TARGET_FILE:espalier>)
  endforeach()
  add_test(NAME e2e.installed
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tests/e2e/installed.py)
  set_tests_properties(e2e.installed PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600
    ENVIRONMENT ESPALIER_BUILD=${CMAKE_BINARY_DIR})
  add_test(NAME e2e.clients
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tests/e2e/clients_set_up.py)
  set_tests_properties(e2e.clients PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 900
    ENVIRONMENT "ESPALIER_BUILD=${CMAKE_BINARY_DIR};ESPALIER_BINARY=$<TARGET_FILE:espalier>")
  add_test(NAME conformance.ratchet
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tests/conformance/ratchet.py)
  set_tests_properties(conformance.ratchet PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 900
    ENVIRONMENT ESPALIER_BINARY=$<TARGET_FILE:espalier>)
  foreach(what tokens chat exact fast greedy)
    add_test(NAME golden.${what} COMMAND ${Python3_EXECUTABLE}
      ${CMAKE_SOURCE_DIR}/tests/golden/check_golden.py $<TARGET_FILE:espalier> ${what})
    set_tests_properties(golden.${what} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600)
  endforeach()
endif()

add_test(NAME e2e.launcher
  COMMAND bash ${CMAKE_SOURCE_DIR}/tests/e2e/launcher_test.sh ${CMAKE_SOURCE_DIR}/espalier)
