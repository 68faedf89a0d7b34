# Writes OUTPUT, the C constant hepta_commit: what `git describe` says of SOURCE, "unknown" without git or repository. The file
# is left alone where it says so already.
set(commit "")
if(GIT)
  execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --dirty --abbrev=12
                  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(commit STREQUAL "")
  set(commit "unknown")
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT
  "extern const char hepta_commit[];\nconst char hepta_commit[] = \"${commit}\";\n")
