# How every library, program and test of Handreset is built: one place for the standard and the warnings.

add_library(handreset_options INTERFACE)
target_compile_features(handreset_options INTERFACE cxx_std_20)
target_include_directories(handreset_options INTERFACE "${CMAKE_SOURCE_DIR}")
target_compile_options(handreset_options INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wno-missing-field-initializers -Wno-psabi)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 sees overlaps in std::string's operator+ that are not there, in optimised builds (its bug 105651).
  target_compile_options(handreset_options INTERFACE -Wno-restrict)
  if(HANDRESET_SANITIZE)
    # Code that the sanitizers have added confuses it here; the other builds look.
    target_compile_options(handreset_options INTERFACE -Wno-maybe-uninitialized)
  endif()
endif()
if(HANDRESET_WERROR)
  target_compile_options(handreset_options INTERFACE -Werror)
endif()
if(HANDRESET_SANITIZE)
  target_compile_options(handreset_options INTERFACE
    -fsanitize=${HANDRESET_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(handreset_options INTERFACE -fsanitize=${HANDRESET_SANITIZE})
endif()
target_compile_definitions(handreset_options INTERFACE
  QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_FOREACH QT_NO_KEYWORDS QT_DISABLE_DEPRECATED_BEFORE=0x060400)

# A warm ccache builds a tree in a tenth of the time; with these two settings clones of it share what they built.
# Another launcher, or none (an empty one), can be named as ever with CMAKE_CXX_COMPILER_LAUNCHER.
find_program(HANDRESET_CCACHE ccache)
if(HANDRESET_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}" CCACHE_NOHASHDIR=1
    "${HANDRESET_CCACHE}")
endif()

# moc 6.4 cannot parse GCC 12's <concepts>; it needs nothing of it, so let it think that it has read it.
set(CMAKE_AUTOMOC_MOC_OPTIONS -D_GLIBCXX_CONCEPTS)

find_program(HANDRESET_MOLD mold)
if(HANDRESET_MOLD)
  target_link_options(handreset_options INTERFACE -fuse-ld=mold)
endif()

# handreset_library(name SOURCES a.cpp … LINKS lib … [PRIVATE_LINKS lib …]): a static library of one room. It may
# include only what it links. Where it names Qt itself, its sources may have Q_OBJECT and a .qrc among them.
function(handreset_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS;PRIVATE_LINKS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC handreset_options ${ARG_LINKS} PRIVATE ${ARG_PRIVATE_LINKS})
  if("${ARG_LINKS};${ARG_PRIVATE_LINKS}" MATCHES "Qt6::")
    set_target_properties(${name} PROPERTIES AUTOMOC ON AUTORCC ON)
  endif()
endfunction()

# handreset_test(tst_name [SOURCES …] LINKS … [LABELS …] [TIMEOUT seconds]): one Qt Test program for one unit, run by
# ctest, never with a display and never on the user's own folders. Without SOURCES it is tst_name.cpp. Labels that
# tests/run knows: slow (left out by --fast), nosanitize (left out under the sanitizers).
function(handreset_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;LINKS;LABELS" ${ARGN})
  if(NOT ARG_SOURCES)
    set(ARG_SOURCES ${name}.cpp)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  set_target_properties(${name} PROPERTIES AUTOMOC ON)
  target_link_libraries(${name} PRIVATE handreset_options Qt6::Test ${ARG_LINKS})
  target_compile_definitions(${name} PRIVATE HANDRESET_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  add_test(NAME ${name} COMMAND ${name})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  set(user "${CMAKE_BINARY_DIR}/user/${name}")
  file(MAKE_DIRECTORY "${user}/run")
  file(CHMOD "${user}/run" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  set(environment QT_QPA_PLATFORM=offscreen LC_ALL=C.UTF-8 "XDG_DATA_HOME=${user}/data" "XDG_CONFIG_HOME=${user}/config"
    "XDG_STATE_HOME=${user}/state" "XDG_RUNTIME_DIR=${user}/run")
  set_tests_properties(${name} PROPERTIES
    ENVIRONMENT "${environment}" TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}")
endfunction()
