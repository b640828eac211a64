# Targets format, format_check and tidy, with Debian's clang 16 (clang 14 fails on parts of C++20).
find_program(ESPALIER_CLANG_FORMAT clang-format-16)
find_program(ESPALIER_RUN_CLANG_TIDY run-clang-tidy-16)
file(GLOB_RECURSE lint_files CONFIGURE_DEPENDS
  ${CMAKE_SOURCE_DIR}/kernels/*.h ${CMAKE_SOURCE_DIR}/kernels/*.cc
  ${CMAKE_SOURCE_DIR}/radix/*.h ${CMAKE_SOURCE_DIR}/radix/*.cc
  ${CMAKE_SOURCE_DIR}/grammar/*.h ${CMAKE_SOURCE_DIR}/grammar/*.cc
  ${CMAKE_SOURCE_DIR}/frontend_lang/*.h ${CMAKE_SOURCE_DIR}/frontend_lang/*.cc
  ${CMAKE_SOURCE_DIR}/runtime/*.h ${CMAKE_SOURCE_DIR}/runtime/*.cc
  ${CMAKE_SOURCE_DIR}/tests/*.h ${CMAKE_SOURCE_DIR}/tests/*.cc)
if(ESPALIER_CLANG_FORMAT)
  add_custom_target(format COMMAND ${ESPALIER_CLANG_FORMAT} -i ${lint_files})
  add_custom_target(format_check COMMAND ${ESPALIER_CLANG_FORMAT} --dry-run -Werror ${lint_files})
endif()
if(ESPALIER_RUN_CLANG_TIDY)
  add_custom_target(tidy
    COMMAND ${ESPALIER_RUN_CLANG_TIDY} -quiet -p ${CMAKE_BINARY_DIR}
            "${CMAKE_SOURCE_DIR}/(kernels|radix|grammar|frontend_lang|runtime)/.*")
endif()
