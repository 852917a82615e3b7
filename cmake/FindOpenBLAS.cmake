# The serial variant of OpenBLAS, whose LAPACK core/solve/lapack.c calls. Defines the targets OpenBLAS::OpenBLAS, and
# OpenBLAS::archive where there is the static library too; and OpenBLAS_RPATH.
#
# Why serial: the variant with threads took 35 ms for a 5 ms factorization on a busy machine, and parallel work here is
# done over independent problems. All variants share one soname, libopenblas.so.0; which file answers is decided by the
# system's alternatives, often the one with threads. So we link the serial file by its path and put its folder into
# DT_RPATH (-Wl,--disable-new-dtags in CMakeLists.txt). Where the folder does not exist at run time the alternatives
# decide as usual. LD_LIBRARY_PATH cannot override it.
#
# Why an archive: loading the shared library relocates its tables of kernels, 13 million instructions before main().
# The program takes the few routines that it calls from the archive. The archive needs libgfortran, which stays shared
# (its licence has an exception, that of libquadmath which it needs has none).
set(OpenBLAS_hints)
foreach(folder IN ITEMS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE} /usr/lib64 /usr/lib)
    list(APPEND OpenBLAS_hints ${folder}/openblas-serial)
endforeach()
find_library(OpenBLAS_LIBRARY openblas PATHS ${OpenBLAS_hints} NO_DEFAULT_PATH)
find_library(OpenBLAS_LIBRARY openblas) # other systems: whatever there is
find_library(OpenBLAS_ARCHIVE libopenblas.a PATHS ${OpenBLAS_hints} NO_DEFAULT_PATH)
find_library(OpenBLAS_FORTRAN NAMES gfortran libgfortran.so.5)
mark_as_advanced(OpenBLAS_LIBRARY OpenBLAS_ARCHIVE OpenBLAS_FORTRAN)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenBLAS REQUIRED_VARS OpenBLAS_LIBRARY
    REASON_FAILURE_MESSAGE "On Debian: libopenblas-serial-dev")

if(OpenBLAS_FOUND)
    get_filename_component(OpenBLAS_RPATH ${OpenBLAS_LIBRARY} DIRECTORY)
    if(NOT OpenBLAS_RPATH MATCHES "openblas-serial$")
        message(WARNING "The serial OpenBLAS was not found; using ${OpenBLAS_LIBRARY}.")
        set(OpenBLAS_RPATH "")
    endif()
    if(NOT TARGET OpenBLAS::OpenBLAS)
        add_library(OpenBLAS::OpenBLAS UNKNOWN IMPORTED)
        set_target_properties(OpenBLAS::OpenBLAS PROPERTIES IMPORTED_LOCATION ${OpenBLAS_LIBRARY})
    endif()
    if(OpenBLAS_ARCHIVE AND OpenBLAS_FORTRAN AND NOT TARGET OpenBLAS::archive)
        add_library(OpenBLAS::archive STATIC IMPORTED)
        set_target_properties(OpenBLAS::archive PROPERTIES IMPORTED_LOCATION ${OpenBLAS_ARCHIVE}
            INTERFACE_LINK_LIBRARIES "${OpenBLAS_FORTRAN};m")
    endif()
endif()
