# Benches: built where Google Benchmark is found, run by hand.
find_package(benchmark QUIET)
if(benchmark_FOUND AND ESPALIER_TESTS)
  add_executable(kernels_bench EXCLUDE_FROM_ALL tests/bench/kernels_bench.cc)
  target_link_libraries(kernels_bench PRIVATE kernels benchmark::benchmark)
endif()
