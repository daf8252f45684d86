# hocket_add_plugin(NAME source...): a plugin NAME.so with native components (hk/unit.h) for systems
# that name it as source="NAME.so#type" with type="application/x-hocket-plugin". It exports
# hk_plugin, needs no library of hocket, has the flags of cflags.def, and carries a note that says
# what it was compiled from, by what and how. Sources may be C and C++. Definitions, folders and options that
# the target gets later are in the note, those of single files are not.
cmake_policy(PUSH)
cmake_policy(VERSION 3.20)

# The words of cflags.def. A build for debugging keeps its own level of optimisation, which changes no
# result.
function(hocket_plugin_flags ret)
  set(file ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/cflags.def)
  if(NOT EXISTS ${file}) # in the tree that hocket is built from
    set(file ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../src/base/cflags.def)
  endif()
  file(STRINGS ${file} lines REGEX "^HK_CFLAG")
  set(flags "")
  foreach(line IN LISTS lines)
    if(line MATCHES "^HK_CFLAG\\(\"(.*)\"\\)$")
      list(APPEND flags ${CMAKE_MATCH_1})
    elseif(line MATCHES "^HK_CFLAG_LIBM\\((.*)\\)$")
      set(function -fno-builtin-${CMAKE_MATCH_1})
      list(APPEND flags ${function} ${function}f ${function}l)
    endif()
  endforeach()
  list(TRANSFORM flags REPLACE "^-O2$" "$<$<NOT:$<CONFIG:Debug>>:-O2>")
  set(${ret} ${flags} PARENT_SCOPE)
endfunction()

# What the script that writes the note must know, for each language.
function(hocket_note_input name file)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" config)
  set(text "set(FOLDER [==[${CMAKE_CURRENT_SOURCE_DIR}]==])\n")
  string(APPEND text "set(BUILT [==[${CMAKE_CURRENT_BINARY_DIR}]==])\n")
  foreach(language C CXX)
    separate_arguments(words UNIX_COMMAND
      "${CMAKE_${language}_FLAGS} ${CMAKE_${language}_FLAGS_${config}}")
    separate_arguments(first UNIX_COMMAND "${CMAKE_${language}_COMPILER_ARG1}")
    string(APPEND text
      "set(${language}_COMPILER [==[${CMAKE_${language}_COMPILER};${first}]==])\n"
      "set(${language}_FLAGS [==[${words}]==])\n"
      "set(${language}_STANDARD [==[$<TARGET_PROPERTY:${name},${language}_STANDARD>]==])\n"
      "set(${language}_EXTENSIONS [==[$<TARGET_PROPERTY:${name},${language}_EXTENSIONS>]==])\n")
  endforeach()
  string(APPEND text
    "set(SOURCES [==[$<TARGET_PROPERTY:${name},SOURCES>]==])\n"
    "set(OPTIONS [==[$<TARGET_PROPERTY:${name},COMPILE_OPTIONS>]==])\n"
    "set(DEFINES [==[$<TARGET_PROPERTY:${name},COMPILE_DEFINITIONS>]==])\n"
    "set(INCLUDES [==[$<TARGET_PROPERTY:${name},INCLUDE_DIRECTORIES>]==])\n"
    "set(HOCKET [==[$<TARGET_PROPERTY:hocket::headers,INTERFACE_INCLUDE_DIRECTORIES>]==])\n")
  file(GENERATE OUTPUT ${file}_$<COMPILE_LANGUAGE>.cmake CONTENT "${text}" TARGET ${name})
endfunction()

function(hocket_add_note name)
  get_property(several GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(several)
    message(STATUS "${name} carries no note of how it is compiled: a tree for several "
                   "configurations has several answers")
    return()
  endif()
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/hocket_notes)
  set(unit ${folder}/${name}.c)
  if(NOT C IN_LIST languages)
    set(unit ${folder}/${name}.cpp)
  endif()
  set(inputs "")
  foreach(language IN LISTS languages)
    if(language STREQUAL C OR language STREQUAL CXX)
      list(APPEND inputs ${folder}/${name}_${language}.cmake)
    endif()
  endforeach()
  hocket_note_input(${name} ${folder}/${name})
  set(script ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/hocketNote.cmake)
  add_custom_command(
    OUTPUT ${unit}
    COMMAND ${CMAKE_COMMAND} -DIN=${folder}/${name} -DOUT=${unit} -DDEPFILE=${unit}.d -P ${script}
    DEPENDS ${ARGN} ${inputs} ${script}
    DEPFILE ${unit}.d
    COMMENT "Noting what ${name} is made of" VERBATIM)
  set_source_files_properties(${unit} PROPERTIES COMPILE_OPTIONS -w)
  target_sources(${name} PRIVATE ${unit})
endfunction()

function(hocket_add_plugin name)
  if(NOT ARGN)
    message(FATAL_ERROR "hocket_add_plugin(${name}): no sources")
  endif()
  add_library(${name} MODULE ${ARGN})
  target_link_libraries(${name} PRIVATE hocket::headers m)
  hocket_plugin_flags(flags)
  target_compile_options(${name} PRIVATE ${flags})
  set_target_properties(${name} PROPERTIES PREFIX "" SUFFIX ".so"
    C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  hocket_add_note(${name} ${ARGN})
endfunction()
cmake_policy(POP)
