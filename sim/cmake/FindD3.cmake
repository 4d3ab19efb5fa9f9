# SPDX-License-Identifier: Apache-2.0
# find_package(D3): modules of the D3 library as distributions install them for Node.js (Debian: node-d3-zoom,
# node-d3-array, node-d3-scale). D3_SCRIPTS and D3_CHART_SCRIPTS list what pages are made with, in the order in which they must stand.
set(D3_MISSING)

# d3_scripts(LIST MODULE...): LIST gets the script of each module, D3_MISSING those that are not there.
macro(d3_scripts list)
  set(${list})
  foreach(module ${ARGN})
    find_file(D3_${module}_SCRIPT d3-${module}.min.js
      PATHS /usr/share/nodejs/d3-${module}/dist /usr/lib/node_modules/d3-${module}/dist
            /usr/local/lib/node_modules/d3-${module}/dist /usr/share/javascript/d3-${module}
      HINTS ${D3_ROOT}/d3-${module}/dist
      NO_DEFAULT_PATH)
    mark_as_advanced(D3_${module}_SCRIPT)
    if(D3_${module}_SCRIPT)
      list(APPEND ${list} ${D3_${module}_SCRIPT})
    else()
      list(APPEND D3_MISSING d3-${module}.min.js)
    endif()
  endforeach()
endmacro()

d3_scripts(D3_SCRIPTS dispatch color interpolate selection ease timer transition drag zoom array)
# Charts need scales, whose numbers they write themselves, and nothing that moves.
d3_scripts(D3_CHART_SCRIPTS array collection color interpolate scale selection)
set(D3_HAS_ALL TRUE)
set(reason)
if(D3_MISSING)
  set(D3_HAS_ALL FALSE)
  list(JOIN D3_MISSING ", " reason)
  set(reason "not found: ${reason}. Debian has them in node-d3-zoom, node-d3-array and node-d3-scale, elsewhere set D3_ROOT")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(D3 REQUIRED_VARS D3_SCRIPTS D3_HAS_ALL REASON_FAILURE_MESSAGE "${reason}")
