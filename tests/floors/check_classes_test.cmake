# SPDX-License-Identifier: Apache-2.0
# cmake -D WORK=<scratch folder> -P check_classes_test.cmake
# A check that finds nothing may also be one that sees nothing.
cmake_minimum_required(VERSION 3.24)
include(${CMAKE_CURRENT_LIST_DIR}/expect.cmake)

# expect(<what the check must say, "" for nothing> <class> <how many private functions it has>)
function(expect message class functions)
  file(REMOVE_RECURSE "${WORK}")
  set(text "namespace fenceline {\nstruct Small {\n  int many() const;\n};\n\nclass ${class} {\n public:\n")
  foreach(i RANGE 1 30)
    string(APPEND text "  void public${i}_do(int a);\n")
  endforeach()
  string(APPEND text " private:\n  struct Part {\n    int sum() const;\n  };\n  std::function<void(int)> told_;\n")
  foreach(i RANGE 1 ${functions})
    string(APPEND text "  static std::vector<int> do_${i}_it(std::uint32_t a,\n                               int b);\n")
  endforeach()
  string(APPEND text "  int number_ = 0;\n};\n}  // namespace fenceline\n")
  file(WRITE "${WORK}/engines/some.hpp" "${text}")
  expect_of(classes "${message}" "${class} with ${functions}")
endfunction()

expect("" Plain 20)
expect("expected at most 20 private functions of Plain, found 21" Plain 21)
expect("" Engine 15)
expect("expected at most 15 private functions of Engine, found 16" Engine 16)
expect("" ShortcutDispatcher 36)

# Overloads are one function, in sources as in headers.
file(REMOVE_RECURSE "${WORK}")
set(text "namespace fenceline {\nclass Table {\n private:\n")
foreach(i RANGE 1 30)
  string(APPEND text "  int row_of(Kind${i} kind) { return ${i}; }\n")
endforeach()
file(WRITE "${WORK}/api/table.cpp" "${text}};\n}  // namespace fenceline\n")
expect_of(classes "" "30 overloads")
string(REGEX REPLACE "row_of\\(Kind([0-9]+) kind" "row_\\1_of(Kind kind" text "${text}")
file(WRITE "${WORK}/api/table.cpp" "${text}};\n}  // namespace fenceline\n")
expect_of(classes "expected at most 20 private functions of Table, found 30" "30 functions of a class in a source")
