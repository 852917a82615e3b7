# KLU and LDL, sparse LU and L D L^T of SuiteSparse (LGPL, linked dynamically). Debian's package has neither CMake nor pkg-config files.
# Defines the target KLU::KLU; its headers are included as <klu.h>.
find_path(KLU_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse)
set(KLU_parts)
foreach(part klu amd colamd btf ldl suitesparseconfig)
    find_library(KLU_${part}_LIBRARY ${part})
    mark_as_advanced(KLU_${part}_LIBRARY)
    list(APPEND KLU_parts KLU_${part}_LIBRARY)
endforeach()
mark_as_advanced(KLU_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(KLU REQUIRED_VARS KLU_INCLUDE_DIR ${KLU_parts}
    REASON_FAILURE_MESSAGE "On Debian: libsuitesparse-dev")

if(KLU_FOUND AND NOT TARGET KLU::KLU)
    add_library(KLU::KLU INTERFACE IMPORTED)
    set_target_properties(KLU::KLU PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${KLU_INCLUDE_DIR})
    foreach(part IN LISTS KLU_parts)
        set_property(TARGET KLU::KLU APPEND PROPERTY INTERFACE_LINK_LIBRARIES ${${part}})
    endforeach()
endif()
