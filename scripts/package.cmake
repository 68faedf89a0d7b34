# `cpack -G DEB` in a build folder: Debian packages of what `cmake --install` brings (docs/guide/first-run.md): hepta, and
# hepta-bench, without which `hepta bench` and `hepta tune` say that it is missing.
set(CPACK_PACKAGE_NAME hepta)
set(CPACK_COMPONENTS_ALL hepta)
if(HEPTA_BENCH)
  list(APPEND CPACK_COMPONENTS_ALL bench)
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_HEPTA_PACKAGE_NAME hepta)
set(CPACK_DEBIAN_BENCH_PACKAGE_NAME hepta-bench)
set(CPACK_DEBIAN_BENCH_PACKAGE_DEPENDS "hepta (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_BENCH_DESCRIPTION "measurements of a reservoir simulator
hepta-bench is what the commands bench and tune of hepta start: they measure
its parts on a machine, and find the fastest launch shapes of a GPU.")
set(CPACK_PACKAGE_VENDOR "The hepta authors")
set(HEPTA_MAINTAINER "The hepta authors <hepta@example.org>" CACHE STRING "Name and address in a package: who made it")
set(CPACK_PACKAGE_CONTACT ${HEPTA_MAINTAINER})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "two-phase reservoir simulator")
set(CPACK_PACKAGE_DESCRIPTION
"hepta simulates the flow of oil and water in a reservoir on structured grids,
fully implicitly, with wells, on all cores of a CPU or on an NVIDIA GPU. It
reads its own decks and Eclipse ones, and writes HDF5, CSV, ParaView's and
Eclipse's files.")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/scripts/debian.cmake)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_HEPTA_PACKAGE_RECOMMENDS "python3, python3-h5py, python3-numpy, python3-matplotlib")
set(CPACK_DEBIAN_HEPTA_PACKAGE_SUGGESTS "paraview, xvfb, xauth, python3-pandas, python3-xarray")
if(HEPTA_HAVE_MPI) # whose mpirun starts several ranks: the one that the program was built with
  if("${MPI_C_LIBRARIES}" MATCHES "mpich")
    string(APPEND CPACK_DEBIAN_HEPTA_PACKAGE_SUGGESTS ", mpich")
  else()
    string(APPEND CPACK_DEBIAN_HEPTA_PACKAGE_SUGGESTS ", openmpi-bin")
  endif()
endif()
# Packages are made of what has been built; nothing else is built for them.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
include(CPack)
