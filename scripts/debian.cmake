# Run by cpack on the files of a package (scripts/package.cmake): what Debian keeps in other places than others.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
file(GLOB share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*/usr/share)
set(doc ${share}/doc/hepta)
file(RENAME ${doc}/LICENSE ${doc}/copyright)
file(RENAME ${share}/zsh/site-functions ${share}/zsh/vendor-completions)
execute_process(COMMAND date -R OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
file(WRITE ${doc}/changelog "hepta (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * See CHANGELOG.md.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
execute_process(COMMAND gzip -9n ${doc}/changelog COMMAND_ERROR_IS_FATAL ANY)
