# Test FMUs of FMI 1.0: probe1.fmu behaves and its parameter `fault` asks for what can be chosen at
# run time; the others differ in what cannot.
set(probes1 "")
# hk_probe1(NAME [GUID guid] [FLAGS capability=\"..\"] [ANNOTATIONS element] [of hk_add_fmu...])
function(hk_probe1 name)
  cmake_parse_arguments(PROBE "" "GUID;FLAGS;ANNOTATIONS" "" ${ARGN})
  if(NOT PROBE_GUID)
    set(PROBE_GUID "{8d8dfd2f-3a3d-4ab0-9d4b-0c6f2a3b9c11}")
  endif()
  configure_file(probe1.xml.in ${name}.xml @ONLY)
  hk_add_fmu(${name} SOURCES probe1.c DESCRIPTION ${CMAKE_CURRENT_BINARY_DIR}/${name}.xml
             ${PROBE_UNPARSED_ARGUMENTS})
  set(probes1 ${probes1} ${name}_fmu PARENT_SCOPE)
endfunction()

set(own_state "<VendorAnnotations><Tool name=\"hocket\"><Annotation name=\"state\" value=\"true\"/></Tool></VendorAnnotations>")
hk_probe1(probe1 ANNOTATIONS "${own_state}")
hk_probe1(probe1_plain FLAGS "canBeInstantiatedOnlyOncePerProcess=\"true\"" DEFINES PROBE_NO_STATE)
hk_probe1(probe1_lies ANNOTATIONS "${own_state}" DEFINES PROBE_NO_STATE PROBE_RUDE_START)
hk_probe1(probe1_wrong_guid GUID "{another}")

if(TARGET fmi_fmi1_unit_test)
  target_compile_definitions(fmi_fmi1_unit_test PRIVATE HK_FMU_DIR="${HK_FMU_DIR}")
  add_dependencies(fmi_fmi1_unit_test ${probes1} probe_fmu)
endif()
