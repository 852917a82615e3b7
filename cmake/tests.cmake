# What ctest runs. A new test is a new file; nothing is listed here.
#   test/NAME_test.c    one cmocka program, linked with the static library, sees src/ and test/
#   test/NAME_test.py   one script; environment: ROBERVAL (the program) and ROBERVAL_SOURCE (this folder)
#   test/support/*.c    helpers shared by the C tests
#   test/preload/*.c    libraries that Python tests hand to the program by LD_PRELOAD (not with sanitizers, which have their own)
#   examples/c/*.c      built against the shared library and run in examples/
# Labels: `unit` of the programs in C, `program` of the scripts, `check` of what reads the sources alone; a script says with a line "# ctest: smoke" that it is
# quick and touches much (`make test` runs it with sanitizers as well), with "# ctest: slow" that only `make test-all` runs it, with "# ctest: long" that it is
# among the longest and starts first, so that no processor waits for it at the end; a program says "/* ctest: long */". With "# ctest: polar", "# ctest: natural"
# a script is run once more with the program in those coordinates, as NAME@polar, NAME@natural (ROBERVAL_COORDINATES tells it so); with "polar-slow", "natural-slow" that is slow, and left to the optimised build. The targets unit_tests and
# program_tests build what each needs. docs/testing.md tells which run where.
# Tests run in build/<preset>/test, so that what they write stays out of the sources.
pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)
set(test_folder ${PROJECT_BINARY_DIR}/test)
file(MAKE_DIRECTORY ${test_folder})
# Exit code 99 for what the sanitizers find: the program itself uses small ones, and tests expect those.
set(test_environment "ROBERVAL_SOURCE=${PROJECT_SOURCE_DIR}" "PYTHONDONTWRITEBYTECODE=1"
    "UBSAN_OPTIONS=print_stacktrace=1:exitcode=99" "ASAN_OPTIONS=exitcode=99:strict_string_checks=1"
    "LSAN_OPTIONS=exitcode=99")
if(TARGET roberval_cli)
    list(APPEND test_environment "ROBERVAL=$<TARGET_FILE:roberval_cli>")
endif()

# TIMEOUT is for a test that hangs: a machine may be busy, and tests limit processor time where time matters.
function(register name labels folder)
    add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY ${folder})
    set_tests_properties(${name} PROPERTIES ENVIRONMENT "${test_environment}" TIMEOUT 3600 LABELS "${labels}")
    if("long" IN_LIST labels)
        set_tests_properties(${name} PROPERTIES COST 100)
    endif()
endfunction()
# The same test with the program in other coordinates, NAME@KIND (see below).
function(register_in kind name labels folder)
    list(FILTER test_environment EXCLUDE REGEX "^ROBERVAL=")
    list(APPEND test_environment "ROBERVAL=$<TARGET_FILE:roberval_${kind}>" "ROBERVAL_COORDINATES=${kind}")
    register(${name}@${kind} "${labels};${kind}" ${folder} ${ARGN})
endfunction()
add_custom_target(unit_tests)
add_custom_target(program_tests)

register(rooms check ${test_folder} ${RBV_PYTHON} ${PROJECT_SOURCE_DIR}/tools/check-rooms)
register(rooms_self_test check ${test_folder} ${RBV_PYTHON} ${PROJECT_SOURCE_DIR}/tools/check-rooms --self-test)
register(docs program ${test_folder} ${RBV_PYTHON} ${PROJECT_SOURCE_DIR}/tools/make-docs --check)
register(docs_self_test check ${test_folder} ${RBV_PYTHON} ${PROJECT_SOURCE_DIR}/tools/make-docs --self-test)
register(pictures program ${test_folder} ${RBV_PYTHON} ${PROJECT_SOURCE_DIR}/tools/make-pictures --check)

file(GLOB support_sources CONFIGURE_DEPENDS test/support/*.c)
list(FILTER support_sources EXCLUDE REGEX "_kind|broken_")
if(support_sources)
    add_library(test_support STATIC ${support_sources})
    target_include_directories(test_support PUBLIC src test)
    target_link_libraries(test_support PUBLIC roberval_static PkgConfig::CMOCKA m)
endif()
# The program in other coordinates than absolute ones, whatever is asked for: polar ones, whose rates are no body twists (in the plane; absolute ones else), and natural ones. Tests hold for them as they stand.
set(other_coordinates polar natural)
if(TARGET roberval_cli)
    foreach(kind IN LISTS other_coordinates)
        add_executable(roberval_${kind} ${cli_sources} test/support/${kind}_kind.c)
        target_include_directories(roberval_${kind} PRIVATE src test)
        target_link_options(roberval_${kind} PRIVATE -Wl,--wrap=rbv_coordinates_kind)
        target_link_libraries(roberval_${kind} PRIVATE test_support roberval_static m)
        add_dependencies(program_tests roberval_${kind})
    endforeach()
    # The program with a mistake in the kernel of one method of inverse dynamics: that method alone fails.
    set(broken_newton rbv_newton_system_fill)
    foreach(method newton)
        add_executable(roberval_broken_${method} ${cli_sources} test/support/broken_${method}.c)
        target_include_directories(roberval_broken_${method} PRIVATE src)
        target_link_options(roberval_broken_${method} PRIVATE -Wl,--wrap=${broken_${method}})
        target_link_libraries(roberval_broken_${method} PRIVATE roberval_static m)
        add_dependencies(program_tests roberval_broken_${method})
    endforeach()
endif()
file(GLOB c_tests CONFIGURE_DEPENDS test/*_test.c)
foreach(source IN LISTS c_tests)
    get_filename_component(name ${source} NAME_WE)
    add_executable(${name} ${source})
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${test_folder})
    target_include_directories(${name} PRIVATE src test)
    target_compile_definitions(${name} PRIVATE "RBV_SOURCE_DIR=\"${PROJECT_SOURCE_DIR}\"")
    target_link_libraries(${name} PRIVATE $<TARGET_NAME_IF_EXISTS:test_support> roberval_static PkgConfig::CMOCKA m)
    add_dependencies(unit_tests ${name})
    file(STRINGS ${source} own REGEX "^/\\* ctest: ")
    string(REGEX REPLACE "/\\* ctest: (.*) \\*/" "\\1" own "${own}")
    register(${name}.c "unit;${own}" ${test_folder} ${name})
endforeach()

file(GLOB preloads CONFIGURE_DEPENDS test/preload/*.c)
if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT RBV_SANITIZE AND NOT RBV_FUZZ)
    foreach(source IN LISTS preloads)
        get_filename_component(name ${source} NAME_WE)
        add_library(preload_${name} MODULE ${source})
        set_target_properties(preload_${name} PROPERTIES PREFIX "" OUTPUT_NAME ${name} LIBRARY_OUTPUT_DIRECTORY ${test_folder} C_VISIBILITY_PRESET default)
        add_dependencies(program_tests preload_${name})
        target_link_libraries(preload_${name} PRIVATE ${CMAKE_DL_LIBS})
    endforeach()
    list(APPEND test_environment "ROBERVAL_PRELOAD=${test_folder}")
endif()

if(TARGET roberval_cli)
    add_dependencies(program_tests roberval_cli roberval_shared)
    register(man program ${test_folder} ${RBV_PYTHON} ${PROJECT_SOURCE_DIR}/tools/make-man --check)
    file(GLOB python_tests CONFIGURE_DEPENDS test/*_test.py)
    foreach(source IN LISTS python_tests)
        get_filename_component(name ${source} NAME)
        file(STRINGS ${source} own REGEX "^# ctest: ")
        string(REGEX REPLACE "# ctest: " "" own "${own}")
        string(REPLACE " " ";" own "${own}")
        foreach(kind IN LISTS other_coordinates)
            if("${kind}" IN_LIST own)
                register_in(${kind} ${name} program ${test_folder} ${RBV_PYTHON} ${source})
            elseif("${kind}-slow" IN_LIST own AND NOT RBV_SANITIZE)
                register_in(${kind} ${name} "program;slow" ${test_folder} ${RBV_PYTHON} ${source})
            endif()
            list(REMOVE_ITEM own ${kind} ${kind}-slow)
        endforeach()
        register(${name} "program;${own}" ${test_folder} ${RBV_PYTHON} ${source})
    endforeach()

    # Acceptance cases live beside the repository; test/acceptance.txt names those that must pass.
    set(acceptance ${PROJECT_SOURCE_DIR}/../shared/acceptance)
    if(EXISTS ${acceptance}/run)
        register(acceptance program ${test_folder} ${PROJECT_SOURCE_DIR}/tools/run-acceptance $<TARGET_FILE:roberval_cli>
            ${acceptance})
        register_in(polar acceptance program ${test_folder} ${PROJECT_SOURCE_DIR}/tools/run-acceptance $<TARGET_FILE:roberval_polar>
            ${acceptance})
    endif()
endif()

file(GLOB example_sources CONFIGURE_DEPENDS examples/c/*.c)
foreach(source IN LISTS example_sources)
    get_filename_component(name ${source} NAME_WE)
    add_executable(example_${name} ${source})
    set_target_properties(example_${name} PROPERTIES
        OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/examples)
    target_link_libraries(example_${name} PRIVATE roberval_shared m)
    add_dependencies(unit_tests example_${name})
    register(examples/c/${name}.c unit ${PROJECT_SOURCE_DIR}/examples example_${name})
endforeach()
