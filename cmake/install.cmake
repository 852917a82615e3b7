# cmake --install: the program with its manual page and completions, the headers, both libraries (static and shared), files for pkg-config and find_package(Roberval), documentation and examples;
# a Debian package of the same. The target `installed` builds what is needed for it, and no more.
set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Roberval)
add_custom_target(installed DEPENDS roberval_static roberval_shared roberval_arrays_static roberval_arrays_shared)
if(TARGET roberval_cli)
    add_dependencies(installed roberval_cli)
    install(TARGETS roberval_cli RUNTIME)
    if(TARGET roberval_mpi)
        add_dependencies(installed roberval_mpi)
        install(TARGETS roberval_mpi RUNTIME)
    endif()
    install(FILES docs/roberval.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(FILES completions/roberval.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME roberval)
    install(FILES completions/_roberval DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
    install(FILES completions/roberval.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
install(DIRECTORY include/roberval TYPE INCLUDE FILES_MATCHING PATTERN "*.h")
foreach(kind static shared arrays_static arrays_shared)
    install(TARGETS roberval_${kind} EXPORT roberval_${kind})
    install(EXPORT roberval_${kind} NAMESPACE Roberval:: FILE Roberval-${kind}.cmake DESTINATION ${config_folder})
endforeach()

configure_package_config_file(cmake/RobervalConfig.cmake.in RobervalConfig.cmake INSTALL_DESTINATION ${config_folder})
write_basic_package_version_file(RobervalConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/RobervalConfig.cmake ${PROJECT_BINARY_DIR}/RobervalConfigVersion.cmake
    cmake/FindKLU.cmake cmake/FindOpenBLAS.cmake DESTINATION ${config_folder})

# roberval.pc and roberval-arrays.pc find themselves (${pcfiledir}), so that the installed tree may be moved.
file(RELATIVE_PATH pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" pc_prefix ${pc_prefix})
set(pc_openblas ${OpenBLAS_LIBRARY})
foreach(library roberval roberval-arrays)
    configure_file(cmake/${library}.pc.in ${library}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${library}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

# Pages keep their places beside each other, so that the links between them lead somewhere.
# The Python package, where `make install PYTHON=...` has built it.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/build/python/site/ DESTINATION . OPTIONAL)
install(FILES LICENSE README.md CHANGELOG.md CONTRIBUTING.md TYPE DOC)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.png" PATTERN "*.yaml" PATTERN "*.in.md" EXCLUDE)
install(DIRECTORY examples/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples USE_SOURCE_PERMISSIONS)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The Roberval developers <roberval@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
include(CPack)
