# hk_add_fmu(NAME SOURCES file... DESCRIPTION modelDescription.xml [IDENTIFIER id] [RESOURCES dir]
#            [DEFINES definition...] [LIBS lib...] [LINK_OPTIONS option...]):
# compiles the sources to a shared library and packs ${CMAKE_BINARY_DIR}/fmus/NAME.fmu, as part of
# the target `all` (the target is NAME_fmu, the library NAME_so). The name of the library is the
# modelIdentifier of the description; give IDENTIFIER only if the description is written during the
# build and cannot be read yet. The same inputs give the same archive.
#
# An FMU is a guest: it exports what its sources mark as visible (FMI functions are marked by
# src/fmi/fmi2_export.h), and it has no sanitizers in it, so that any importer can load it.
set(HK_FMU_DIR ${CMAKE_BINARY_DIR}/fmus)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set(HK_FMU_PLATFORM linux64)
else()
  set(HK_FMU_PLATFORM ${CMAKE_SYSTEM_PROCESSOR}-linux)
endif()

function(hk_add_fmu name)
  cmake_parse_arguments(FMU "" "DESCRIPTION;IDENTIFIER;RESOURCES" "SOURCES;DEFINES;LIBS;LINK_OPTIONS"
                        ${ARGN})
  if(NOT FMU_SOURCES OR NOT FMU_DESCRIPTION OR FMU_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "hk_add_fmu(${name}): SOURCES and DESCRIPTION are needed")
  endif()
  get_filename_component(description ${FMU_DESCRIPTION} ABSOLUTE)
  set(id "${FMU_IDENTIFIER}")
  set(platform ${HK_FMU_PLATFORM})
  if(NOT id)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${description})
    file(READ ${description} text)
    if(NOT text MATCHES "modelIdentifier[ \t\r\n]*=[ \t\r\n]*[\"']([A-Za-z_0-9.-]+)[\"']")
      message(FATAL_ERROR "hk_add_fmu(${name}): no modelIdentifier in ${description}")
    endif()
    set(id ${CMAKE_MATCH_1})
    if(text MATCHES "fmiVersion[ \t\r\n]*=[ \t\r\n]*[\"']3" AND platform STREQUAL linux64)
      set(platform x86_64-linux) # FMI 3.0 has other names for platforms
    endif()
  endif()

  if(NOT TARGET hk_pack)
    add_executable(hk_pack ${PROJECT_SOURCE_DIR}/tools/pack.c)
    target_link_libraries(hk_pack PRIVATE hk_format)
    set_target_properties(hk_pack PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tools)
  endif()
  set(stage ${HK_FMU_DIR}/${name})
  add_library(${name}_so MODULE ${FMU_SOURCES})
  target_include_directories(${name}_so PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
  target_compile_definitions(${name}_so PRIVATE ${FMU_DEFINES})
  target_compile_options(${name}_so PRIVATE -fno-sanitize=all)
  target_link_options(${name}_so PRIVATE -fno-sanitize=all ${FMU_LINK_OPTIONS})
  target_link_libraries(${name}_so PRIVATE ${FMU_LIBS})
  set_target_properties(${name}_so PROPERTIES
    PREFIX "" SUFFIX ".so" OUTPUT_NAME ${id}
    LIBRARY_OUTPUT_DIRECTORY ${stage}/binaries/${platform})

  # The files are named one by one: their order, and with it the archive, does not depend on the
  # file system.
  set(members modelDescription.xml binaries/${platform}/${id}.so)
  set(resources "")
  set(copy_resources "")
  if(FMU_RESOURCES)
    get_filename_component(from ${FMU_RESOURCES} ABSOLUTE)
    file(GLOB_RECURSE resources CONFIGURE_DEPENDS RELATIVE ${from} ${from}/*)
    list(SORT resources)
    foreach(file IN LISTS resources)
      list(APPEND members resources/${file})
    endforeach()
    list(TRANSFORM resources PREPEND ${from}/)
    set(copy_resources COMMAND ${CMAKE_COMMAND} -E copy_directory ${from} ${stage}/resources)
  endif()
  set(fmu ${HK_FMU_DIR}/${name}.fmu)
  add_custom_command(
    OUTPUT ${fmu}
    COMMAND ${CMAKE_COMMAND} -E copy ${description} ${stage}/modelDescription.xml
    ${copy_resources}
    COMMAND hk_pack ${fmu} ${stage} ${members}
    DEPENDS ${description} ${resources} ${name}_so hk_pack
    COMMENT "Packing ${name}.fmu" VERBATIM)
  add_custom_target(${name}_fmu ALL DEPENDS ${fmu})
endfunction()

# hk_export_fmu(NAME TYPE FMI PLUGIN target | SOURCES file... [HEADERS file...] [OPTIONS option...]):
# ${CMAKE_BINARY_DIR}/fmus/NAME.fmu by `hocket export` from the type TYPE of a plugin target or of C
# files, for FMI 1, 2 or 3, as part of the target `all` (the target is NAME_fmu). OPTIONS go to
# `hocket export`; HEADERS are what the sources include, so that a change of them counts. Of hocket itself the
# rooms count that make an FMU, not the whole program, which changes with every edit. A plugin takes the
# sanitizers of this build with it; sources do not. So what another build of the same tree has exported from
# sources (HK_FMUS_FROM) is taken from there, unless ALWAYS is given: a few exports are made under sanitizers.
function(hk_export_fmu name type fmi)
  cmake_parse_arguments(FMU "ALWAYS" "PLUGIN" "SOURCES;HEADERS;OPTIONS" ${ARGN})
  set(fmu ${HK_FMU_DIR}/${name}.fmu)
  if(HK_FMUS_FROM AND FMU_SOURCES AND NOT FMU_ALWAYS)
    add_custom_command(OUTPUT ${fmu} COMMAND ${CMAKE_COMMAND} -E copy ${HK_FMUS_FROM}/${name}.fmu ${fmu}
      DEPENDS ${HK_FMUS_FROM}/${name}.fmu VERBATIM)
    add_custom_target(${name}_fmu ALL DEPENDS ${fmu})
    return()
  endif()
  set(from ${FMU_SOURCES})
  if(FMU_PLUGIN)
    set(from $<TARGET_FILE:${FMU_PLUGIN}>)
  endif()
  add_custom_command(
    OUTPUT ${fmu}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${HK_FMU_DIR}
    COMMAND ${CMAKE_COMMAND} -E env CC=${CMAKE_C_COMPILER} $<TARGET_FILE:hocket> export ${from}
            --type ${type} --fmi ${fmi} -o ${fmu} --quiet ${FMU_OPTIONS}
    DEPENDS hk_export hk_native ${PROJECT_SOURCE_DIR}/src/cli/verb_export.c
            ${FMU_PLUGIN} ${FMU_SOURCES} ${FMU_HEADERS}
    COMMENT "Exporting ${name}.fmu" VERBATIM)
  add_custom_target(${name}_fmu ALL DEPENDS ${fmu})
endfunction()
