# The library, and everything that `cmake --install` puts under the prefix: the program, libhocket
# shared and static, the headers, a CMake package, a pkg-config file, completions and documents.
# What is installed finds itself by relative paths, so the prefix can be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
include(${CMAKE_CURRENT_LIST_DIR}/package/hocketPlugin.cmake)

# Raised when a change of the ABI cannot be avoided; tests/package/abi_test.py tells.
set(HK_SOVERSION 0)

file(READ ${PROJECT_SOURCE_DIR}/include/hk/version.h text)
set(version "")
foreach(part MAJOR MINOR PATCH)
  string(REGEX MATCH "HK_VERSION_${part} ([0-9]+)" unused "${text}")
  list(APPEND version ${CMAKE_MATCH_1})
endforeach()
list(JOIN version "." version)
if(NOT version STREQUAL PROJECT_VERSION)
  message(FATAL_ERROR "include/hk/version.h says ${version}, CMakeLists.txt ${PROJECT_VERSION}")
endif()

# A component or plugin needs the headers and no library.
add_library(hocket_headers INTERFACE)
target_include_directories(hocket_headers INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)

# All rooms but the command line and its tools, as they are: their symbols are hidden, and what the public headers
# declare is exported.
get_property(rooms GLOBAL PROPERTY HK_ROOMS)
list(REMOVE_ITEM rooms cli tool)
list(TRANSFORM rooms REPLACE "(.+)" "$<TARGET_OBJECTS:hk_\\1>" OUTPUT_VARIABLE objects)
add_library(hocket_shared SHARED ${objects})
add_library(hocket_static STATIC ${objects})
# By file name: who links the shared library need not know what it stands on.
target_link_libraries(hocket_shared PUBLIC hocket_headers
  PRIVATE ${EXPAT_LIBRARIES} ${ZLIB_LIBRARIES} ${CMAKE_THREAD_LIBS_INIT} ${CMAKE_DL_LIBS} m)
target_link_libraries(hocket_static
  PUBLIC hocket_headers EXPAT::EXPAT ZLIB::ZLIB Threads::Threads ${CMAKE_DL_LIBS} m)
set_target_properties(hocket_shared hocket_static PROPERTIES
  OUTPUT_NAME hocket LINKER_LANGUAGE C
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set_target_properties(hocket_shared PROPERTIES
  VERSION ${PROJECT_VERSION} SOVERSION ${HK_SOVERSION} EXPORT_NAME hocket)
set_target_properties(hocket_headers PROPERTIES EXPORT_NAME headers)
add_library(hocket::headers ALIAS hocket_headers)
add_library(hocket::hocket ALIAS hocket_shared)
add_library(hocket::hocket_static ALIAS hocket_static)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/hocket)
install(TARGETS hocket_shared hocket_headers EXPORT hocketTargets)
install(TARGETS hocket_static EXPORT hocketStaticTargets)
install(EXPORT hocketTargets NAMESPACE hocket:: DESTINATION ${package})
install(EXPORT hocketStaticTargets NAMESPACE hocket:: DESTINATION ${package})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/hk DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/package/hocketConfig.cmake.in
  ${CMAKE_BINARY_DIR}/package/hocketConfig.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/package/hocketConfigVersion.cmake
  COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_BINARY_DIR}/package/hocketConfig.cmake
  ${CMAKE_BINARY_DIR}/package/hocketConfigVersion.cmake
  ${CMAKE_CURRENT_LIST_DIR}/package/hocketPlugin.cmake
  ${CMAKE_CURRENT_LIST_DIR}/package/hocketNote.cmake
  ${PROJECT_SOURCE_DIR}/src/base/cflags.def DESTINATION ${package})

# The tree itself is a package, too, for projects of those who do not install: -Dhocket_DIR=build/package
export(EXPORT hocketTargets NAMESPACE hocket:: FILE ${CMAKE_BINARY_DIR}/package/hocketTargets.cmake)
export(EXPORT hocketStaticTargets NAMESPACE hocket::
  FILE ${CMAKE_BINARY_DIR}/package/hocketStaticTargets.cmake)
foreach(file ${CMAKE_CURRENT_LIST_DIR}/package/hocketPlugin.cmake
        ${CMAKE_CURRENT_LIST_DIR}/package/hocketNote.cmake ${PROJECT_SOURCE_DIR}/src/base/cflags.def)
  configure_file(${file} ${CMAKE_BINARY_DIR}/package COPYONLY)
endforeach()

# From lib/pkgconfig back to the prefix.
file(RELATIVE_PATH to_prefix "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
configure_file(${CMAKE_CURRENT_LIST_DIR}/package/hocket.pc.in ${CMAKE_BINARY_DIR}/package/hocket.pc
  @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/package/hocket.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/LICENSE
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs ${PROJECT_SOURCE_DIR}/examples
  DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN CMakeLists.txt EXCLUDE PATTERN *_test.c EXCLUDE)

# hk_install_completions(): where each shell looks for the completions of `hocket`.
function(hk_install_completions)
  set(outputs "")
  foreach(shell bash zsh fish)
    set(output ${CMAKE_BINARY_DIR}/package/completion.${shell})
    add_custom_command(OUTPUT ${output} COMMAND hocket completion ${shell} > ${output}
      DEPENDS hocket VERBATIM)
    list(APPEND outputs ${output})
  endforeach()
  add_custom_target(completions ALL DEPENDS ${outputs})
  install(FILES ${CMAKE_BINARY_DIR}/package/completion.bash RENAME hocket
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${CMAKE_BINARY_DIR}/package/completion.zsh RENAME _hocket
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${CMAKE_BINARY_DIR}/package/completion.fish RENAME hocket.fish
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endfunction()
