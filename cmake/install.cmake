# `cmake --install build --prefix DIR`: the program, the libraries and their headers, so that
# another project can say find_package(espalier) and link espalier::espalier.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(espalier_headers ${CMAKE_INSTALL_INCLUDEDIR}/espalier)
set(espalier_config ${CMAKE_INSTALL_LIBDIR}/cmake/espalier)

foreach(folder kernels radix grammar frontend_lang runtime)
  target_include_directories(${folder} INTERFACE $<INSTALL_INTERFACE:${espalier_headers}>)
  install(DIRECTORY ${folder} DESTINATION ${espalier_headers} FILES_MATCHING PATTERN "*.h")
endforeach()

add_library(embedded INTERFACE)
target_link_libraries(embedded INTERFACE runtime)
target_compile_features(embedded INTERFACE cxx_std_20)
set_target_properties(embedded PROPERTIES EXPORT_NAME espalier)

install(TARGETS embedded kernels radix grammar frontend_lang runtime EXPORT espalier
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS espalier RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(EXPORT espalier NAMESPACE espalier:: FILE espalier-targets.cmake
  DESTINATION ${espalier_config})
configure_package_config_file(cmake/espalier-config.cmake.in
  ${CMAKE_BINARY_DIR}/espalier-config.cmake INSTALL_DESTINATION ${espalier_config})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/espalier-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/espalier-config.cmake
  ${CMAKE_BINARY_DIR}/espalier-config-version.cmake cmake/libraries.cmake
  DESTINATION ${espalier_config})
