# SPDX-License-Identifier: Apache-2.0
# cmake -D WORK=<scratch folder> -P check_rooms_test.cmake
# A check that finds nothing may also be one that sees nothing.
cmake_minimum_required(VERSION 3.24)
include(${CMAKE_CURRENT_LIST_DIR}/expect.cmake)

function(fresh_tree)
  file(REMOVE_RECURSE "${WORK}")
  file(WRITE "${WORK}/sim/log.hpp" "#include <vector>\n")
  file(WRITE "${WORK}/engines/memory/memory.hpp" "#include \"sim/log.hpp\"\n")
  file(WRITE "${WORK}/engines/engine.hpp" "#include \"engines/memory/memory.hpp\"\n")
  file(WRITE "${WORK}/engines/engine.cpp" "#include \"engines/engine.hpp\"\n")
  file(WRITE "${WORK}/api/d3d12/event.hpp" "")
  file(WRITE "${WORK}/api/d3d12/event.cpp" "#include \"api/d3d12/host/host.hpp\"\n")
  file(WRITE "${WORK}/api/d3d12/host/host.hpp" "")
endfunction()

# expect(<what the check must say, "" for nothing>): of the tree as it is.
function(expect message)
  expect_of(rooms "${message}" "the tree")
endfunction()

# tree_with(<file> <text> <message>): a tree that is right but for that file.
function(tree_with file text message)
  fresh_tree()
  file(WRITE "${WORK}/${file}" "${text}")
  expect("${message}")
endfunction()

fresh_tree()
expect("")
tree_with(engines/memory/l2.cpp "#include \"sim/log.hpp\"\n" "")
tree_with(api/d3d12/host/clock.cpp "#include \"api/d3d12/event.hpp\"\n" "")  # a door
tree_with(engines/cellar/l2.cpp "" "engines/cellar is no room")
tree_with(engines/memory/l2.cpp "#include \"engines/engine.hpp\"\n" "engines stands above engines/memory")
tree_with(sim/log.cpp "#include \"sim/text/utf8.hpp\"\n" "sim/text stands above sim")
tree_with(api/d3d12/host/clock.cpp "#include \"api/d3d12/device/device.hpp\"\n" "stands above api/d3d12/host")

# By way of sources, too: the two files of a name are one thing.
fresh_tree()
file(WRITE "${WORK}/sim/slots.hpp" "#include \"sim/log.hpp\"\n")
file(WRITE "${WORK}/sim/log.cpp" "#include \"sim/log.hpp\"\n#include \"sim/numbered.hpp\"\n")
file(WRITE "${WORK}/sim/numbered.hpp" "#include \"sim/slots.hpp\"\n")
expect(": a circle of includes")

string(REPEAT "\n" 400 lines)
tree_with(sim/long.cpp "${lines}" "")
tree_with(sim/long.cpp "${lines}\n" "sim/long.cpp: expected at most 400 lines, found 401")

string(REPEAT "\n" 400 lines)
tree_with(tests/sim/bench.hpp "${lines}" "")
tree_with(tests/sim/bench.hpp "${lines}\n" "tests/sim/bench.hpp: expected at most 400 lines, found 401")

tree_with(tests/sim/log_test.cpp "" "tests/sim/log_test.cpp: expected to be named in tests/sim/CMakeLists.txt")
file(WRITE "${WORK}/tests/sim/CMakeLists.txt" "  SOURCES\n    event_log_test.cpp log_test.cppx\n")
expect("tests/sim/log_test.cpp: expected to be named in tests/sim/CMakeLists.txt")
file(WRITE "${WORK}/tests/sim/CMakeLists.txt" "  SOURCES\n    channel_test.cpp log_test.cpp\n  LINKS sim)\n")
expect("")

fresh_tree()
foreach(i RANGE 1 29)
  file(WRITE "${WORK}/sim/file${i}.hpp" "")
endforeach()
expect("")
file(WRITE "${WORK}/sim/file30.hpp" "")
expect("sim: expected at most 30 files, found 31")
