# Run by cpack on the files of a package (scripts/package.cmake): what Debian keeps in other places than others.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
execute_process(COMMAND date -R OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  set(share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${component}/usr/share)
  set(name hepta)
  if(component STREQUAL "hepta")
    file(RENAME ${share}/doc/hepta/LICENSE ${share}/doc/hepta/copyright)
    file(RENAME ${share}/zsh/site-functions ${share}/zsh/vendor-completions)
    set(copyright ${share}/doc/hepta/copyright)
  else()
    set(name hepta-${component})
    file(COPY ${copyright} DESTINATION ${share}/doc/${name})
  endif()
  file(WRITE ${share}/doc/${name}/changelog "${name} (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * See CHANGELOG.md.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
  execute_process(COMMAND gzip -9n ${share}/doc/${name}/changelog COMMAND_ERROR_IS_FATAL ANY)
endforeach()
