# Project-wide compiler settings and the two helpers that every folder uses:
#
#   mobilegl_library(NAME [DEPS lib...])   static, position independent, hidden; all *.cpp of the calling folder
#   mobilegl_unit_test(NAME [DEPS lib...]) a GoogleTest program from the sources given or all *.cpp of the calling folder

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

add_library(mobilegl_options INTERFACE)
target_compile_options(mobilegl_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wimplicit-fallthrough -Werror
  -fno-math-errno -fno-semantic-interposition -ftls-model=initial-exec)
target_compile_definitions(mobilegl_options INTERFACE
  $<$<CONFIG:Debug>:MOBILEGL_DEBUG=1> MOBILEGL_VERSION="${PROJECT_VERSION}")
target_include_directories(mobilegl_options INTERFACE ${PROJECT_SOURCE_DIR}/src)
if(MOBILEGL_SANITIZE)
  target_compile_options(mobilegl_options INTERFACE -fsanitize=${MOBILEGL_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(mobilegl_options INTERFACE -fsanitize=${MOBILEGL_SANITIZE})
endif()

function(mobilegl_library name)
  cmake_parse_arguments(arg "" "" "DEPS;SOURCES" ${ARGN})
  if(NOT arg_SOURCES)
    file(GLOB arg_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  endif()
  if(arg_SOURCES)
    add_library(${name} STATIC ${arg_SOURCES})
    target_link_libraries(${name} PUBLIC mobilegl_options ${arg_DEPS})
  else()
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE mobilegl_options ${arg_DEPS})
  endif()
endfunction()

function(mobilegl_unit_test name)
  cmake_parse_arguments(arg "" "" "DEPS;SOURCES" ${ARGN})
  if(NOT arg_SOURCES)
    file(GLOB arg_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  endif()
  if(arg_SOURCES)
    add_executable(${name} ${arg_SOURCES})
    target_link_libraries(${name} PRIVATE mobilegl_options ${arg_DEPS} GTest::gtest_main GTest::gmock)
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES TIMEOUT 300 LABELS "unit;sanitize")
  endif()
endfunction()
