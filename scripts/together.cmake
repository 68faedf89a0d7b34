# hepta_together(OUT SOURCE ...): for each source, by its path from the root, an entry "SOURCE;GROUP" (scripts/together.py);
# without Python each source is a group.
find_program(HEPTA_PYTHON3 NAMES python3)
function(hepta_together out)
  set(lines "")
  if(HEPTA_PYTHON3)
    execute_process(COMMAND ${HEPTA_PYTHON3} ${CMAKE_SOURCE_DIR}/scripts/together.py ${CMAKE_SOURCE_DIR} ${ARGN}
      OUTPUT_VARIABLE lines OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    string(REPLACE "\n" ";" lines "${lines}")
  else()
    foreach(source IN LISTS ARGN)
      string(REPLACE "/" "_" group ${source})
      list(APPEND lines ${source} ${group})
    endforeach()
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/scripts/together.py)
  set(${out} "${lines}" PARENT_SCOPE) # SOURCE GROUP SOURCE GROUP ...
endfunction()

# hepta_compile_together(TARGET SOURCE ...): does so where HEPTA_TOGETHER is set; sources by their whole paths.
function(hepta_compile_together target)
  if(NOT HEPTA_TOGETHER)
    return()
  endif()
  set(sources ${ARGN})
  list(FILTER sources EXCLUDE REGEX "^${CMAKE_BINARY_DIR}/") # which are made there
  list(TRANSFORM sources REPLACE "^${CMAKE_SOURCE_DIR}/" "")
  hepta_together(groups ${sources})
  while(groups)
    list(POP_FRONT groups source group)
    set_property(SOURCE ${CMAKE_SOURCE_DIR}/${source} PROPERTY UNITY_GROUP ${group})
  endwhile()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  target_compile_definitions(${target} PRIVATE _GNU_SOURCE=)
endfunction()
