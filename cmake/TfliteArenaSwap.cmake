# tflite_arena_swap(TARGET)
#
# Takes arena_planner.cc and simple_memory_arena.cc out of a target that builds TensorFlow Lite from source, and puts this
# planner in: the adapter's sources, which are compiled with the target's own options and against its own headers, our headers of
# the two names before all others, and the C library. Call it when the target has all of its sources. What else the target lists
# stays, simple_memory_arena_debug_dump.cc too: our classes call the dumper that it defines.
#
#   TFLITE_ARENA_LIBRARY   the C library, libtflite_arena.a; if it is not named, the one that scripts/build.sh makes in this
#                          source tree, which the build calls if it is not there
cmake_minimum_required(VERSION 3.18)
include_guard(GLOBAL)

get_filename_component(TFLITE_ARENA_ROOT "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
set(TFLITE_ARENA_ROOT "${TFLITE_ARENA_ROOT}" CACHE INTERNAL "The source tree of tflite-arena")
set(TFLITE_ARENA_LIBRARY "${TFLITE_ARENA_ROOT}/build/release/libtflite_arena.a" CACHE FILEPATH
    "The C library, libtflite_arena.a")

function(tflite_arena_swap target)
  if(NOT TARGET ${target})
    message(FATAL_ERROR "tflite_arena_swap(${target}): there is no such target (yet)")
  endif()
  get_target_property(aliased ${target} ALIASED_TARGET)
  if(aliased)
    set(target ${aliased})
  endif()
  get_target_property(swapped ${target} TFLITE_ARENA_SWAPPED)
  if(swapped)
    message(FATAL_ERROR "tflite_arena_swap(${target}): the target has been swapped already")
  endif()
  set_property(TARGET ${target} PROPERTY TFLITE_ARENA_SWAPPED TRUE)

  foreach(file arena_planner.cc simple_memory_arena.cc)
    tflite_arena_take_out(${target} ${file})
  endforeach()

  include("${TFLITE_ARENA_ROOT}/cpp/sources.cmake")
  set(ours ${plain_sources} ${planner_sources} ${linked_sources})
  list(TRANSFORM ours PREPEND "${TFLITE_ARENA_ROOT}/cpp/")
  target_sources(${target} PRIVATE ${ours})
  # Each is compiled by itself, as names and macros of upstream's files are no concern of ours: without their precompiled headers,
  # and, as it has an include directory of its own, in no unity build.
  set_source_files_properties(${ours} TARGET_DIRECTORY ${target} PROPERTIES
    INCLUDE_DIRECTORIES "${TFLITE_ARENA_ROOT}/include" SKIP_PRECOMPILE_HEADERS ON)
  target_include_directories(${target} BEFORE PUBLIC "$<BUILD_INTERFACE:${TFLITE_ARENA_ROOT}/cpp/overlay>")
  tflite_arena_link_library(${target})
endfunction()

# tflite_arena_take_out(TARGET FILE): takes the one source of this name out.
function(tflite_arena_take_out target file)
  string(REPLACE "." "\\." name "${file}")
  get_target_property(sources ${target} SOURCES)
  if(NOT sources)
    set(sources)
  endif()
  set(found ${sources})
  list(FILTER found INCLUDE REGEX "(^|/)${name}$")
  list(FILTER sources EXCLUDE REGEX "(^|/)${name}$")
  list(REMOVE_DUPLICATES found)

  if(sources MATCHES "(^|[;/:,])${name}>")
    message(FATAL_ERROR "tflite_arena_swap(${target}): ${file} is in a generator expression, out of which it cannot be taken")
  endif()
  list(LENGTH found count)
  if(count EQUAL 0)
    message(FATAL_ERROR "tflite_arena_swap(${target}): upstream's ${file} was looked for and is not among the target's sources. "
                        "If another target compiles it, swap that one")
  elseif(count GREATER 1)
    message(FATAL_ERROR "tflite_arena_swap(${target}): which ${file} is upstream's? The target has ${found}")
  endif()

  set_property(TARGET ${target} PROPERTY SOURCES ${sources})
  # Sources that are PUBLIC would be compiled by those who link the target, too.
  get_target_property(public_sources ${target} INTERFACE_SOURCES)
  if(public_sources)
    list(FILTER public_sources EXCLUDE REGEX "(^|/)${name}$")
    set_property(TARGET ${target} PROPERTY INTERFACE_SOURCES ${public_sources})
  endif()
endfunction()

# tflite_arena_link_library(TARGET): links the C library, and sees to it that it is there by then.
function(tflite_arena_link_library target)
  if(TFLITE_ARENA_LIBRARY STREQUAL "${TFLITE_ARENA_ROOT}/build/release/libtflite_arena.a")
    tflite_arena_build_target(${target})
    add_dependencies(${target} tflite_arena_build)
  elseif(NOT EXISTS "${TFLITE_ARENA_LIBRARY}")
    message(FATAL_ERROR "tflite_arena_swap(${target}): TFLITE_ARENA_LIBRARY=${TFLITE_ARENA_LIBRARY} is missing")
  endif()

  # What target_link_libraries(PRIVATE) does, which fails on a target that was linked without such a keyword before.
  set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES "${TFLITE_ARENA_LIBRARY}")
  set_property(TARGET ${target} APPEND PROPERTY INTERFACE_LINK_LIBRARIES "$<LINK_ONLY:${TFLITE_ARENA_LIBRARY}>")
endfunction()

# tflite_arena_build_target(TARGET): a target that makes the library if there is none. One that is there is left as it is:
# whoever works on it says when to build it. TARGET is only for the message.
function(tflite_arena_build_target target)
  if(TARGET tflite_arena_build)
    return()
  endif()
  find_program(TFLITE_ARENA_CARGO cargo DOC "Needed to build the C library of tflite-arena")
  if(NOT TFLITE_ARENA_CARGO AND NOT EXISTS "${TFLITE_ARENA_LIBRARY}")
    message(FATAL_ERROR "tflite_arena_swap(${target}): ${TFLITE_ARENA_LIBRARY} is missing, and so is Cargo, with which it would "
                        "be built. Install Rust, or name a library with TFLITE_ARENA_LIBRARY")
  endif()
  add_custom_command(OUTPUT "${TFLITE_ARENA_LIBRARY}" COMMAND "${TFLITE_ARENA_ROOT}/scripts/build.sh" --libraries
    COMMENT "Building the C library of tflite-arena" VERBATIM)
  add_custom_target(tflite_arena_build DEPENDS "${TFLITE_ARENA_LIBRARY}")
endfunction()
