# Programs for scripts that are run by hand: benches (where Google Benchmark is found), and
# the conformance scripts' tools. None is built unless asked for.
if(NOT ESPALIER_TESTS)
  return()
endif()
find_package(benchmark QUIET)
if(benchmark_FOUND)
  add_executable(kernels_bench EXCLUDE_FROM_ALL tests/bench/kernels_bench.cc)
  target_link_libraries(kernels_bench PRIVATE kernels benchmark::benchmark)
  add_executable(radix_bench EXCLUDE_FROM_ALL tests/bench/radix_bench.cc)
  target_link_libraries(radix_bench PRIVATE radix benchmark::benchmark)
  add_executable(tokenizer_bench EXCLUDE_FROM_ALL tests/bench/tokenizer_bench.cc)
  target_link_libraries(tokenizer_bench PRIVATE runtime benchmark::benchmark_main)
endif()

add_executable(dequantize_dump EXCLUDE_FROM_ALL tests/conformance/dequantize_dump.cc)
target_link_libraries(dequantize_dump PRIVATE kernels)
add_executable(regex_dump EXCLUDE_FROM_ALL tests/conformance/regex_dump.cc)
target_link_libraries(regex_dump PRIVATE grammar)
