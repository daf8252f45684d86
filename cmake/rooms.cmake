# Seconds after which a test counts as hung. Wide on purpose: on a machine that has other work a test
# takes ten times as long, and what is too slow is found by bench_*, which counts and compares.
set(HK_TEST_TIMEOUT 1200)

# Rooms that start threads, and those whose code runs in them. The thread sanitizer has nothing to see in
# the others, which read, plan and write before and after.
set(HK_THREADED_ROOMS base model plan native fmi engine record api)

# hk_room(NAME [FOLDERS folder...] [DEPS room...] [LIBS lib...]): one static library per folder of
# src/, with the folders inside it that are named, and one test program per file NAME_test.c beside
# its source.
function(hk_room name)
  cmake_parse_arguments(ROOM "" "" "FOLDERS;DEPS;LIBS" ${ARGN})
  set(dir ${PROJECT_SOURCE_DIR}/src/${name})
  list(TRANSFORM ROOM_FOLDERS PREPEND ${dir}/)
  list(TRANSFORM ROOM_FOLDERS APPEND /*.c OUTPUT_VARIABLE inner_sources)
  list(TRANSFORM ROOM_FOLDERS APPEND /*_test.c OUTPUT_VARIABLE inner_tests)
  file(GLOB sources CONFIGURE_DEPENDS ${dir}/*.c ${inner_sources})
  file(GLOB tests CONFIGURE_DEPENDS ${dir}/*_test.c ${inner_tests})
  if(tests)
    list(REMOVE_ITEM sources ${tests})
  endif()
  if(NOT sources)
    add_library(hk_${name} INTERFACE)
    set(kind INTERFACE)
  else()
    add_library(hk_${name} STATIC ${sources})
    set(kind PUBLIC)
    set_property(GLOBAL APPEND PROPERTY HK_ROOMS ${name}) # for the library: package.cmake
  endif()
  target_include_directories(hk_${name} ${kind} ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
  foreach(dep IN LISTS ROOM_DEPS)
    target_link_libraries(hk_${name} ${kind} hk_${dep})
  endforeach()
  target_link_libraries(hk_${name} ${kind} ${ROOM_LIBS})
  if(sources AND HK_SANITIZE STREQUAL "thread" AND NOT name IN_LIST HK_THREADED_ROOMS)
    target_compile_options(hk_${name} PRIVATE -fno-sanitize=all -O0)
  endif()
  foreach(test IN LISTS tests)
    get_filename_component(stem ${test} NAME_WE)
    hk_test(${test} NAME ${name}_${stem} LIBS hk_${name})
  endforeach()
endfunction()

# hk_test(FILE.c [NAME name] [LIBS lib...] [LABELS label...] [OPTIMISED]): a cmocka program known to ctest.
# What is tested is optimised; the tests themselves need not be, and compile in a third of the time. OPTIMISED
# is for those that compute much themselves.
function(hk_test file)
  if(NOT HK_TESTS)
    return()
  endif()
  cmake_parse_arguments(TEST "OPTIMISED" "NAME" "LIBS;LABELS" ${ARGN})
  get_filename_component(stem ${file} NAME_WE)
  get_filename_component(room ${file} DIRECTORY)
  get_filename_component(room ${room} NAME)
  if(NOT TEST_NAME)
    set(TEST_NAME ${room}_${stem})
  endif()
  if(NOT TEST_LABELS)
    set(TEST_LABELS unit)
  endif()
  add_executable(${TEST_NAME} ${file})
  if(TEST_OPTIMISED)
    target_compile_options(${TEST_NAME} PRIVATE -O1)
  elseif(HK_SANITIZE OR CMAKE_BUILD_TYPE STREQUAL Release)
    target_compile_options(${TEST_NAME} PRIVATE -O0)
  endif()
  target_include_directories(${TEST_NAME} PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
  target_link_libraries(${TEST_NAME} PRIVATE ${TEST_LIBS} PkgConfig::CMOCKA)
  set_target_properties(${TEST_NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  add_test(NAME ${TEST_NAME} COMMAND ${TEST_NAME})
  set_tests_properties(${TEST_NAME} PROPERTIES LABELS "${TEST_LABELS}" TIMEOUT ${HK_TEST_TIMEOUT})
endfunction()
