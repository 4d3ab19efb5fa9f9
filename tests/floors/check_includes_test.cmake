# SPDX-License-Identifier: Apache-2.0
# cmake -D WORK=<scratch folder> -P check_includes_test.cmake
# A check that finds nothing may also be one that sees nothing.
cmake_minimum_required(VERSION 3.24)
include(${CMAKE_CURRENT_LIST_DIR}/expect.cmake)

# expect(<what the check must say, "" for nothing> <file> <include>...): in a tree that is right but for <file>.
function(expect message file)
  file(REMOVE_RECURSE "${WORK}")
  file(WRITE "${WORK}/sim/kernel/kernel.hpp" "#include <systemc>\n")
  file(WRITE "${WORK}/sim/kernel/fair_share.hpp" "#include <vector>\n")
  file(WRITE "${WORK}/engines/engine.hpp" "#include \"sim/kernel/kernel.hpp\"\n")
  file(WRITE "${WORK}/scheduler/scheduler.hpp" "#include \"engines/engine.hpp\"\n")
  file(WRITE "${WORK}/api/d3d12/d3d12.hpp" "#include <directx/d3d12.h>\n")
  list(TRANSFORM ARGN REPLACE "(.+)" "  # include \\1 // why\n" OUTPUT_VARIABLE lines)
  list(JOIN lines "" text)
  file(WRITE "${WORK}/${file}" "${text}")
  expect_of(includes "${message}" "${file} with ${ARGN}")
endfunction()

expect("" api/machine.cpp "\"scheduler/scheduler.hpp\"" "\"api/d3d12/d3d12.hpp\"" "<string>")
expect("" engines/copy_cost.hpp "\"sim/kernel/fair_share.hpp\"")
expect("no such file" engines/copy_engine.cpp "\"engine.hpp\"")
expect("in quotes" scheduler/state/context.cpp "<engines/engine.hpp>")
expect("in quotes" scheduler/state/context.cpp "<fenceline/engines/engine.hpp>")
expect("api/d3d12/d3d12.hpp alone" api/d3d12/device/device.hpp "<directx/d3d12.h>")
expect("api/d3d12/d3d12.hpp alone" engines/command/command.hpp "<d3d12.h>")
expect("without SystemC" engines/copy_cost.hpp "<systemc>")
expect("without SystemC" engines/engine_config.cpp "\"engines/engine.hpp\"")
expect("without SystemC" api/machine.hpp "\"engines/engine.hpp\"")
expect("" api/hardware.hpp "\"engines/engine.hpp\"")
expect("" api/public/extend.hpp "\"engines/engine.hpp\"")
expect("without SystemC" api/public/fenceline.hpp "\"engines/engine.hpp\"")
expect("scheduler/policies/policy.cpp -> engines/engine.hpp -> sim/kernel/kernel.hpp -> <systemc>" scheduler/policies/policy.cpp
       "\"engines/engine.hpp\"")
