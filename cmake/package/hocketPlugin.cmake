# hocket_add_plugin(NAME source...): a plugin NAME.so with native components (hk/unit.h) for systems
# that name it as source="NAME.so#type" with type="application/x-hocket-plugin". It exports
# hk_plugin, and needs no library of hocket.
function(hocket_add_plugin name)
  if(NOT ARGN)
    message(FATAL_ERROR "hocket_add_plugin(${name}): no sources")
  endif()
  add_library(${name} MODULE ${ARGN})
  target_link_libraries(${name} PRIVATE hocket::headers)
  set_target_properties(${name} PROPERTIES PREFIX "" SUFFIX ".so" C_VISIBILITY_PRESET hidden)
endfunction()
