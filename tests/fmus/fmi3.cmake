# FMUs of FMI 3.0. probe3.fmu behaves, like probe.fmu; feedthrough3.fmu has every type and shape.
include(feedthrough3.cmake)

set(probes3 "")
# hk_probe3(NAME [TOKEN token] [FLAGS capability=\"..\"] [VARIABLES xml] [LACKS definition]
#           [arguments of hk_add_fmu...])
function(hk_probe3 name)
  cmake_parse_arguments(PROBE "" "TOKEN;FLAGS;VARIABLES;LACKS" "" ${ARGN})
  if(NOT PROBE_TOKEN)
    set(PROBE_TOKEN "{b3a7c0de-0000-4000-8000-000000000003}")
  endif()
  if(NOT PROBE_FLAGS)
    set(PROBE_FLAGS "canHandleVariableCommunicationStepSize=\"true\"")
  endif()
  configure_file(probe3.xml.in ${name}.xml @ONLY)
  set(rest rest3.c)
  if(PROBE_LACKS)
    set(rest "")
    list(APPEND PROBE_UNPARSED_ARGUMENTS DEFINES ${PROBE_LACKS})
  endif()
  hk_add_fmu(${name} SOURCES probe3.c ${rest} DESCRIPTION ${CMAKE_CURRENT_BINARY_DIR}/${name}.xml
             RESOURCES resources LIBS m ${PROBE_UNPARSED_ARGUMENTS})
  set(probes3 ${probes3} ${name}_fmu PARENT_SCOPE)
endfunction()

hk_probe3(probe3)
hk_probe3(probe3_fixed_step FLAGS "canHandleVariableCommunicationStepSize=\"false\"")
hk_probe3(probe3_wrong_token TOKEN "{another}")
hk_probe3(probe3_rude TOKEN "{another}" DEFINES PROBE_ANY_TOKEN PROBE_RUDE_START
          PROBE_VERSION="2.0")
hk_probe3(probe3_no_dostep LACKS PROBE_NO_DOSTEP)
hk_probe3(probe3_no_binary LACKS PROBE_NO_BINARY)
hk_probe3(probe3_clock FLAGS "hasEventMode=\"true\"" VARIABLES
  "    <Clock name=\"tick\" valueReference=\"60\" causality=\"input\" intervalVariability=\"triggered\"/>")

function(hk_feedthrough3)
  hk_describe_feedthrough(feedthrough3.xml)
  hk_add_fmu(feedthrough3 SOURCES feedthrough3.c rest3.c
             DESCRIPTION ${CMAKE_CURRENT_BINARY_DIR}/feedthrough3.xml)
endfunction()
hk_feedthrough3()

if(TARGET fmi_fmi3_unit_test)
  target_compile_definitions(fmi_fmi3_unit_test PRIVATE HK_FMU_DIR="${HK_FMU_DIR}")
  add_dependencies(fmi_fmi3_unit_test ${probes3} feedthrough3_fmu)
endif()

foreach(test feedthrough3 run3)
  hk_test(${CMAKE_CURRENT_SOURCE_DIR}/${test}_test.c LIBS hk_engine hk_fmi hk_native hk_check)
  target_compile_definitions(fmus_${test}_test PRIVATE HK_FMU_DIR="${HK_FMU_DIR}")
  add_dependencies(fmus_${test}_test probe3_fmu feedthrough3_fmu)
endforeach()
