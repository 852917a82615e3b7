# LAPACKE on the serial variant of OpenBLAS. Defines the target LapackeOpenBLAS::LapackeOpenBLAS (headers <lapacke.h> and
# <cblas.h>) and LapackeOpenBLAS_RPATH.
#
# Why serial: the variant with threads took 35 ms for a 5 ms factorization on a busy machine, and parallel work here is
# done over independent problems. All variants share one soname, libopenblas.so.0, and LAPACKE itself asks for
# libblas.so.3 and liblapack.so.3; which file answers is decided by the system's alternatives, often the one with
# threads. So we link the serial file by its path and put its folder into DT_RPATH: unlike DT_RUNPATH (hence
# -Wl,--disable-new-dtags in CMakeLists.txt) it also serves the libraries that our libraries load. Where the folder does
# not exist at run time the alternatives decide as usual. LD_LIBRARY_PATH cannot override it.
set(LapackeOpenBLAS_hints)
foreach(folder IN ITEMS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE} /usr/lib64 /usr/lib)
    list(APPEND LapackeOpenBLAS_hints ${folder}/openblas-serial)
endforeach()
find_library(LapackeOpenBLAS_OPENBLAS_LIBRARY openblas PATHS ${LapackeOpenBLAS_hints} NO_DEFAULT_PATH)
find_library(LapackeOpenBLAS_OPENBLAS_LIBRARY openblas) # other systems: whatever there is
find_library(LapackeOpenBLAS_LAPACKE_LIBRARY lapacke)
find_path(LapackeOpenBLAS_LAPACKE_INCLUDE_DIR lapacke.h)
find_path(LapackeOpenBLAS_CBLAS_INCLUDE_DIR cblas.h
    HINTS /usr/include/${CMAKE_LIBRARY_ARCHITECTURE}/openblas-serial /usr/include/openblas)
mark_as_advanced(LapackeOpenBLAS_OPENBLAS_LIBRARY LapackeOpenBLAS_LAPACKE_LIBRARY LapackeOpenBLAS_LAPACKE_INCLUDE_DIR
    LapackeOpenBLAS_CBLAS_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LapackeOpenBLAS
    REQUIRED_VARS LapackeOpenBLAS_LAPACKE_LIBRARY LapackeOpenBLAS_OPENBLAS_LIBRARY LapackeOpenBLAS_LAPACKE_INCLUDE_DIR
        LapackeOpenBLAS_CBLAS_INCLUDE_DIR
    REASON_FAILURE_MESSAGE "On Debian: liblapacke-dev libopenblas-serial-dev")

if(LapackeOpenBLAS_FOUND)
    get_filename_component(LapackeOpenBLAS_RPATH ${LapackeOpenBLAS_OPENBLAS_LIBRARY} DIRECTORY)
    if(NOT LapackeOpenBLAS_RPATH MATCHES "openblas-serial$")
        message(WARNING "The serial OpenBLAS was not found; using ${LapackeOpenBLAS_OPENBLAS_LIBRARY}.")
        set(LapackeOpenBLAS_RPATH "")
    endif()
    if(NOT TARGET LapackeOpenBLAS::LapackeOpenBLAS)
        add_library(LapackeOpenBLAS::LapackeOpenBLAS INTERFACE IMPORTED)
        set_target_properties(LapackeOpenBLAS::LapackeOpenBLAS PROPERTIES
            INTERFACE_INCLUDE_DIRECTORIES
                "${LapackeOpenBLAS_LAPACKE_INCLUDE_DIR};${LapackeOpenBLAS_CBLAS_INCLUDE_DIR}"
            INTERFACE_LINK_LIBRARIES "${LapackeOpenBLAS_LAPACKE_LIBRARY};${LapackeOpenBLAS_OPENBLAS_LIBRARY}")
        if(LapackeOpenBLAS_RPATH)
            # The same folder answers the linker when it follows LAPACKE's own needs.
            set_property(TARGET LapackeOpenBLAS::LapackeOpenBLAS PROPERTY
                INTERFACE_LINK_OPTIONS "LINKER:-rpath-link,${LapackeOpenBLAS_RPATH}")
        endif()
    endif()
endif()
