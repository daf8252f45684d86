# hk_embed(TARGET NAME FOLDER file...): makes the files, named relative to FOLDER, part of the
# target, as the table
#     extern const hk_embedded hk_embedded_NAME[];   /* base/embed.h; ends with a NULL name */
# in the order given. FOLDER is relative to the root of the source tree. The table is written again
# when one of the files changes.
#
# This file is also the script that writes it: cmake -DNAME= -DFOLDER= -DOUT= -P embed.cmake file...
if(CMAKE_SCRIPT_MODE_FILE)
  set(arrays "")
  set(rows "")
  set(number 0)
  set(last ${CMAKE_ARGC})
  math(EXPR last "${last} - 1")
  set(seen OFF)
  foreach(i RANGE ${last})
    set(file "${CMAKE_ARGV${i}}")
    if(NOT seen)
      if(file STREQUAL "--")
        set(seen ON)
      endif()
      continue()
    endif()
    file(READ ${FOLDER}/${file} hex HEX)
    # One line of text per line of C: sixteen bytes.
    string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," hex "${hex}")
    string(APPEND arrays "static const char file_${number}[] = {\n${hex}'\\0'};\n")
    string(APPEND rows
           "    {\"${file}\", file_${number}, sizeof file_${number} - 1},\n")
    math(EXPR number "${number} + 1")
  endforeach()
  file(WRITE ${OUT}
"/* Written by cmake/embed.cmake. */
#include \"base/embed.h\"

extern const hk_embedded hk_embedded_${NAME}[];
${arrays}const hk_embedded hk_embedded_${NAME}[] = {
${rows}    {NULL, NULL, 0},
};
")
  return()
endif()

set(HK_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})
function(hk_embed target name folder)
  set(from ${PROJECT_SOURCE_DIR}/${folder})
  set(out ${CMAKE_BINARY_DIR}/embedded/${name}.c)
  set(files ${ARGN})
  list(TRANSFORM files PREPEND ${from}/ OUTPUT_VARIABLE paths)
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DNAME=${name} -DFOLDER=${from} -DOUT=${out} -P ${HK_EMBED_SCRIPT}
            -- ${files}
    DEPENDS ${paths} ${HK_EMBED_SCRIPT}
    COMMENT "Embedding ${name}" VERBATIM)
  target_sources(${target} PRIVATE ${out})
endfunction()
