# Makes one man page. A line `@OPTIONS verb@` stands for the options of that verb.
get_filename_component(name ${OUTPUT} NAME)
file(READ ${PAGE} text)
if(text MATCHES "@OPTIONS ([a-z]+)@")
  set(verb ${CMAKE_MATCH_1})
  execute_process(COMMAND ${HOCKET} help --scdoc ${verb} OUTPUT_VARIABLE options
                  COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "@OPTIONS ${verb}@\n" "${options}" text "${text}")
endif()
file(WRITE ${OUTPUT}.scd "${text}")
execute_process(COMMAND ${SCDOC} INPUT_FILE ${OUTPUT}.scd OUTPUT_FILE ${OUTPUT}
                RESULT_VARIABLE failed)
if(failed)
  file(REMOVE ${OUTPUT})
  message(FATAL_ERROR "scdoc rejects ${PAGE} (with its options: ${OUTPUT}.scd)")
endif()
