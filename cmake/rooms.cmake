# Seconds after which a test counts as hung. Wide on purpose: on a machine that has other work a test
# takes ten times as long, and what is too slow is found by bench_*, which counts and compares.
set(HK_TEST_TIMEOUT 1200)

# Tests that take longest begin first, then those in Python, then all others: so the processors are busy to the end.
set(HK_LONG_TESTS nodes_life parent_ends nodes_verb export_source_test house_optional build_build_test fuse_same nodes_same
    fuse_bad cli_doc_commands export_fmpy_test prove_spin math_same_bytes gen_story zoo cli_bad_input nodes_states nodes_whole
    plugins_build doors auv_environment play_states auv_simulations build_tool_test auv_same_bytes auv_acceptance
    export_shell_test build_log_test explore chart_fmu auv_told)

# Rooms that start threads, and those whose code runs in them. The thread sanitizer has nothing to see in
# the others, which read, plan and write before and after.
set(HK_THREADED_ROOMS base model plan native ecs world fmi chart isolate engine record api)

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
    if(HK_OBJECTS_FROM)
      set_target_properties(hk_${name} PROPERTIES
        C_COMPILER_LAUNCHER "sh;${PROJECT_SOURCE_DIR}/cmake/take_object.sh;${HK_OBJECTS_FROM}")
    endif()
  endif()
  foreach(test IN LISTS tests)
    get_filename_component(stem ${test} NAME_WE)
    hk_test(${test} NAME ${name}_${stem} LIBS hk_${name})
  endforeach()
endfunction()

# hk_test_labels(DEFAULT): TEST_LABELS of the caller: DEFAULT if it has none; what is TEST_PLAIN is slow with sanitizers.
macro(hk_test_labels default)
  if(NOT TEST_LABELS)
    set(TEST_LABELS ${default})
  endif()
  if(TEST_PLAIN AND HK_SANITIZE)
    set(TEST_LABELS slow)
  endif()
endmacro()

# hk_test(FILE.c [NAME name] [LIBS lib...] [LABELS label...] [OPTIMISED] [PLAIN]): a cmocka program known to ctest.
# What is tested is optimised; the tests themselves need not be, and compile in a third of the time. OPTIMISED
# is for those that compute much themselves. PLAIN: as for hk_python_test.
function(hk_test file)
  if(NOT HK_TESTS)
    return()
  endif()
  cmake_parse_arguments(TEST "OPTIMISED;PLAIN" "NAME" "LIBS;LABELS" ${ARGN})
  get_filename_component(stem ${file} NAME_WE)
  get_filename_component(room ${file} DIRECTORY)
  get_filename_component(room ${room} NAME)
  if(NOT TEST_NAME)
    set(TEST_NAME ${room}_${stem})
  endif()
  hk_test_labels(unit)
  add_executable(${TEST_NAME} ${file})
  set_target_properties(${TEST_NAME} PROPERTIES HK_IS_TEST ON)
  if(TEST_OPTIMISED)
    target_compile_options(${TEST_NAME} PRIVATE -O1)
  elseif(HK_SANITIZE OR CMAKE_BUILD_TYPE STREQUAL Release)
    target_compile_options(${TEST_NAME} PRIVATE -O0)
  endif()
  if(HK_SANITIZE MATCHES "undefined") # it looks at what is tested; in assertions of tests it takes a third of the time
    target_compile_options(${TEST_NAME} PRIVATE -fno-sanitize=undefined)
  endif()
  target_include_directories(${TEST_NAME} PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
  target_link_libraries(${TEST_NAME} PRIVATE ${TEST_LIBS} PkgConfig::CMOCKA)
  target_link_options(${TEST_NAME} PRIVATE ${HK_QUICK_LINK})
  set_target_properties(${TEST_NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  add_test(NAME ${TEST_NAME} COMMAND ${TEST_NAME})
  set_tests_properties(${TEST_NAME} PROPERTIES LABELS "${TEST_LABELS}" TIMEOUT ${HK_TEST_TIMEOUT})
endfunction()

# hk_plugin_parts(NAME PLUGIN): an archive of what a plugin is compiled from, as it is, for tests and plugins of tests
# that need some of it. Nothing is compiled twice.
function(hk_plugin_parts name plugin)
  add_library(${name} STATIC EXCLUDE_FROM_ALL $<TARGET_OBJECTS:${plugin}>)
  target_include_directories(${name} INTERFACE $<TARGET_PROPERTY:${plugin},SOURCE_DIR> ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(${name} INTERFACE m)
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE C)
endfunction()

# hk_test_plugin(NAME OUTPUT_NAME PARTS source...): a plugin for tests alone, of a few sources and an archive. It has
# no note of what it is made of, so it cannot be fused.
function(hk_test_plugin name output parts)
  add_library(${name} MODULE ${ARGN})
  hocket_plugin_flags(flags)
  target_compile_options(${name} PRIVATE ${flags})
  target_link_libraries(${name} PRIVATE ${parts})
  set_target_properties(${name} PROPERTIES PREFIX "" SUFFIX ".so" OUTPUT_NAME ${output})
endfunction()

# hk_slow_test(NAME COMMAND word...): what NAME does, with all that it leaves out, as NAME_slow: ./dev test --all.
# The environment says so: HK_SLOW=1, and no walk is thinned.
function(hk_slow_test name command)
  if(HK_SANITIZE) # the plain build looks at all of it
    return()
  endif()
  add_test(NAME ${name}_slow COMMAND ${ARGN})
  set_tests_properties(${name}_slow PROPERTIES LABELS slow TIMEOUT 7200 SKIP_RETURN_CODE 77
                       ENVIRONMENT "HK_SLOW=1;HK_THIN=1")
endfunction()

# hk_python_test(NAME FILE.py [ARGS word...] [LABELS label...] [SLOW] [PLAIN]): a test written in Python, on the built
# program; SLOW: and NAME_slow. PLAIN: it says much about what hocket computes, and calls no code of ours in a new
# way. With sanitizers it has the label slow (single methods: @plain of tests/support/hocket_case.py).
function(hk_python_test name file)
  if(NOT HK_TESTS OR NOT HK_PYTHON)
    return()
  endif()
  cmake_parse_arguments(TEST "SLOW;PLAIN" "" "ARGS;LABELS" ${ARGN})
  hk_test_labels(cli)
  set(command ${HK_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/${file} --hocket $<TARGET_FILE:hocket> ${TEST_ARGS})
  add_test(NAME ${name} COMMAND ${command})
  set_tests_properties(${name} PROPERTIES LABELS "${TEST_LABELS}" TIMEOUT ${HK_TEST_TIMEOUT} SKIP_RETURN_CODE 77
                       ENVIRONMENT "HK_THIN=${HK_THIN};HK_SANITIZE=${HK_SANITIZE}")
  set(cost 1)
  if(name IN_LIST HK_LONG_TESTS)
    set(cost 2)
  endif()
  set_tests_properties(${name} PROPERTIES COST ${cost})
  if(TEST_SLOW)
    hk_slow_test(${name} COMMAND ${command})
  endif()
endfunction()

# hk_collect(RET PROPERTY): the values of a property of directories, of this one and all below it.
function(hk_collect ret property)
  set(waiting ${PROJECT_SOURCE_DIR})
  set(found "")
  while(waiting)
    list(POP_FRONT waiting directory)
    get_property(values DIRECTORY ${directory} PROPERTY ${property})
    get_property(below DIRECTORY ${directory} PROPERTY SUBDIRECTORIES)
    list(APPEND found ${values})
    list(APPEND waiting ${below})
  endwhile()
  set(${ret} ${found} PARENT_SCOPE)
endfunction()

# hk_add_room_targets(): a target tests_of_ROOM for the first word of the names of tests: the test programs of that
# room; and if there are tests that are not programs of their own, all that they may look at, without other tests.
function(hk_add_room_targets)
  hk_collect(targets BUILDSYSTEM_TARGETS)
  hk_collect(tests TESTS)
  set(material "")
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    get_target_property(apart ${target} EXCLUDE_FROM_ALL)
    get_target_property(is_test ${target} HK_IS_TEST)
    if(NOT apart AND NOT is_test AND NOT type STREQUAL "INTERFACE_LIBRARY")
      list(APPEND material ${target})
    endif()
  endforeach()
  foreach(test IN LISTS tests)
    string(REGEX REPLACE "_.*" "" room ${test})
    list(APPEND rooms ${room})
    if(TARGET ${test})
      list(APPEND needs_of_${room} ${test})
    else()
      list(APPEND needs_of_${room} ${material})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES rooms)
  foreach(room IN LISTS rooms)
    list(REMOVE_DUPLICATES needs_of_${room})
    add_custom_target(tests_of_${room} DEPENDS ${needs_of_${room}})
  endforeach()
endfunction()
