// SPDX-License-Identifier: Apache-2.0
#include "api/hlsl/static_buffers.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <iterator>
#include <random>
#include <string>

using fenceline::d3d12::without_static_buffers;

TEST_CASE("static buffers: their variables stand by themselves, in the same lines and columns", "[hlsl]") {
  CHECK(without_static_buffers("cbuffer b\n{\n  static float a = 1;\n};\nfloat4 f;") ==
        "         \n \n  static float a = 1;\n ;\nfloat4 f;");
  CHECK(without_static_buffers("cbuffer b : register(b1) { static float2 a[2] = { float2(1, 2), float2(3, 4) }; }") ==
        "                           static float2 a[2] = { float2(1, 2), float2(3, 4) };  ");
  CHECK(without_static_buffers("tbuffer t { static const int a = 1; static int b = 2; }") ==
        "            static const int a = 1; static int b = 2;  ");
}

TEST_CASE("static buffers: what is none stays as it is", "[hlsl]") {
  for (const std::string text : {
           "cbuffer b { float a; }",
           "cbuffer b { static float a = 1; float c; }",
           "cbuffer b { float c; static float a = 1; }",
           "cbuffer b { }",
           "cbuffer b;",
           "// cbuffer b { static float a = 1; }",
           "/* cbuffer b { static float a = 1; } */ float f;",
           "#define X cbuffer b { static float a = 1; }\nfloat f;",
           "float my_cbuffer; static float a = 1;",
           "cbuffer b { static float a = 1;",
           "cbuffer b { static float a = { 1;",
           "\"cbuffer b { static float a = 1; }\"",
           "cbuffer",
           "",
       }) {
    INFO(text);
    CHECK(without_static_buffers(text) == text);
  }
}

TEST_CASE("static buffers: comments between their words do not hide them, nor make one", "[hlsl]") {
  CHECK(without_static_buffers("cbuffer/*{*/b{/*;*/static float a = 1;// }\n}") ==
        "              /*;*/static float a = 1;// }\n ");
  const std::string text = "cbuffer b { /* static */ float a; }";
  CHECK(without_static_buffers(text) == text);
}

TEST_CASE("static buffers: any text keeps its length and its lines", "[hlsl]") {
  std::mt19937 random(11);
  const char* const words[] = {"cbuffer ", "{",  "}",  "static ", "float a;", "\n", "//",
                               "/*",       "*/", "\"", "#",       ";",        "= 1"};
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (unsigned left = random() % 20; left > 0; --left) text += words[random() % std::size(words)];
    const std::string result = without_static_buffers(text);
    INFO(text);
    REQUIRE(result.size() == text.size());
    REQUIRE(std::count(result.begin(), result.end(), '\n') == std::count(text.begin(), text.end(), '\n'));
  }
}
