# espalier_precompile(<target> [<header>...]): the headers that most sources read, and those
# named, are parsed once a target: a fifth of a cold build's time. Where ccache is found they
# are not: its results are good in any build folder, and a precompiled header only in its
# own. A source still includes all that it uses. GCC 12 then warns of std::string's own
# operator+ (PR105651): those warnings are left to the builds without.
if(ESPALIER_CCACHE)
  set(espalier_precompile_default OFF)
else()
  set(espalier_precompile_default ON)
endif()
option(ESPALIER_PRECOMPILE "Parse common headers once a target" ${espalier_precompile_default})

set(espalier_common_headers
  <algorithm> <array> <cmath> <cstddef> <cstdint> <deque> <functional> <iostream> <map> <memory>
  <optional> <span> <sstream> <string> <string_view> <tuple> <unordered_map> <utility> <variant>
  <vector>)

function(espalier_precompile target)
  if(ESPALIER_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE ${espalier_common_headers} ${ARGN})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-stringop-overflow)
    endif()
  endif()
endfunction()
