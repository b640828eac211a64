# The programs of `bench programs` (runtime/cli/bench/workloads): their texts as one generated
# source of runtime.
set(workload_folder ${CMAKE_SOURCE_DIR}/runtime/cli/bench/workloads)
file(GLOB workload_files CONFIGURE_DEPENDS ${workload_folder}/*.sgl)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${workload_files})
set(workload_rows "")
foreach(workload_file ${workload_files})
  file(READ ${workload_file} workload_text)
  get_filename_component(workload_name ${workload_file} NAME_WE)
  string(APPEND workload_rows
         "    {\"${workload_name}\", R\"espalier(${workload_text})espalier\"},\n")
endforeach()
file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/generated/workload_texts.cc CONTENT
"// Generated from runtime/cli/bench/workloads.
#include \"runtime/cli/bench/workload_texts.h\"

namespace espalier {

std::span<const WorkloadText> WorkloadTexts() {
  static constexpr WorkloadText kTexts[] = {
${workload_rows}  };
  return kTexts;
}

}  // namespace espalier
")
target_sources(runtime PRIVATE ${CMAKE_BINARY_DIR}/generated/workload_texts.cc)
