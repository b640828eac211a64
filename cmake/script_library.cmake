# The modules that the script language has in its own words (frontend_lang/script/library):
# their texts as one generated source of frontend_lang.
set(library_folder ${CMAKE_SOURCE_DIR}/frontend_lang/script/library)
file(GLOB library_files CONFIGURE_DEPENDS ${library_folder}/*.py)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${library_files})
set(library_rows "")
foreach(library_file ${library_files})
  file(READ ${library_file} library_text)
  get_filename_component(library_name ${library_file} NAME)
  string(REGEX REPLACE "\\.py$" "" library_name ${library_name})
  string(APPEND library_rows "    {\"${library_name}\", R\"espalier(${library_text})espalier\"},\n")
endforeach()
file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/generated/library_text.cc CONTENT
"// Generated from frontend_lang/script/library.
#include \"frontend_lang/script/library/library.h\"

namespace espalier::script {

std::span<const LibraryFile> LibraryFiles() {
  static constexpr LibraryFile kFiles[] = {
${library_rows}  };
  return kFiles;
}

}  // namespace espalier::script
")
target_sources(frontend_lang PRIVATE ${CMAKE_BINARY_DIR}/generated/library_text.cc)
