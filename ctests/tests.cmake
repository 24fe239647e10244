# Which tests there are.

# Programs as users write them, in C99 and in C++17.
arena_test(plan_and_execute_c SOURCES plan_and_execute.c)
set_target_properties(plan_and_execute_c_body PROPERTIES C_STANDARD 99)
arena_test(plan_and_execute_cc SOURCES plan_and_execute.cc)

# The known cases, by their ids.
file(GLOB cases CONFIGURE_DEPENDS cases/*.c)
foreach(case ${cases})
  get_filename_component(name ${case} NAME_WE)
  arena_test(case_${name} SOURCES ${case})
endforeach()

# Upstream's behaviour, by kind; docs/compat.md says which test shows what.
file(GLOB behaviours CONFIGURE_DEPENDS behaviour/*.c)
foreach(behaviour ${behaviours})
  get_filename_component(name ${behaviour} NAME_WE)
  arena_test(behaviour_${name} SOURCES ${behaviour})
endforeach()

arena_test(shadow_catches SOURCES shadow_catches.c)
set(random_count)
if(TFLITE_ARENA_VALGRIND)
  set(random_count 100)
endif()
arena_test(random_buffers SOURCES random_buffers.c)
arena_test(random_graphs SOURCES random_graphs.c ARGUMENTS ${random_count})

# NULL, garbage, refused memory.
arena_test(garbage
  SOURCES garbage/garbage.c garbage/graph.c garbage/graph_info.c garbage/memory_planner.c garbage/options.c
          garbage/planner.c garbage/resizable_aligned_buffer.c garbage/simple_memory_arena.c)
target_compile_definitions(garbage_body PRIVATE EXPORTED_SYMBOLS="${CMAKE_CURRENT_SOURCE_DIR}/exported_symbols.txt")
arena_test(allocator SOURCES memory/allocator.c)

# Tests that count or refuse what the library asks the C library for.
foreach(name out_of_memory same_input_twice)
  arena_test(${name} SOURCES memory/${name}.c)
  target_sources(${name}_static PRIVATE memory/failing_malloc.c)
  target_compile_definitions(${name}_static PRIVATE FAILING_MALLOC_WRAP)
  foreach(function malloc calloc realloc posix_memalign aligned_alloc free)
    target_link_options(${name}_static PRIVATE -Wl,--wrap=${function})
  endforeach()
  if(TFLITE_ARENA_SANITIZE OR TFLITE_ARENA_VALGRIND)
    # Both put a malloc of their own before the program's; only --wrap works beside them.
    set_target_properties(${name}_shared PROPERTIES EXCLUDE_FROM_ALL TRUE)
    set_tests_properties(${name}_shared PROPERTIES DISABLED TRUE)
  endif()
  target_sources(${name}_shared PRIVATE memory/failing_malloc.c)
endforeach()

# With -fno-builtin its calls into libm stay calls.
arena_test(beside_other_libraries SOURCES beside_other_libraries.c)
target_compile_options(beside_other_libraries_body PRIVATE -fno-builtin)
foreach(kind static shared)
  target_link_libraries(beside_other_libraries_${kind} PRIVATE m)
endforeach()

# The header by itself.
arena_test(layout SOURCES header/layout.c)
foreach(standard c99 c11 c++17)
  string(REPLACE "++" "xx" name header_${standard})
  if(standard STREQUAL "c++17")
    arena_test(${name} SOURCES header/main.cc header/other.cc)
  else()
    arena_test(${name} SOURCES header/main.c header/other.c)
    string(REPLACE "c" "" number ${standard})
    set_target_properties(${name}_body PROPERTIES C_STANDARD ${number})
  endif()
endforeach()

# Graphs recorded from real models. The program is run from its fixed place by others, too.
arena_test(replay_small SOURCES replay/replay_recorded.c replay/graph_file.c
           ARGUMENTS ${CMAKE_CURRENT_SOURCE_DIR}/replay/small.graph)
set_target_properties(replay_small_static PROPERTIES
  OUTPUT_NAME replay_recorded RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/ctests)
set(scripts ${CMAKE_CURRENT_SOURCE_DIR}/scripts)
add_test(NAME replay_tells_good_from_bad
  COMMAND ${scripts}/check_replay.sh $<TARGET_FILE:replay_small_static> ${CMAKE_CURRENT_SOURCE_DIR}/replay)
file(GLOB recorded CONFIGURE_DEPENDS recorded/*.graph)
if(recorded)
  foreach(kind static shared)
    add_test(NAME replay_recorded_${kind} COMMAND ${runner} $<TARGET_FILE:replay_small_${kind}> ${recorded})
  endforeach()
endif()

# What the libraries show and need.
set(exports ${CMAKE_CURRENT_SOURCE_DIR}/exported_symbols.txt)
set(imports ${CMAKE_CURRENT_SOURCE_DIR}/imported_symbols.txt)
add_test(NAME exports_shared COMMAND ${scripts}/check_exports.sh ${exports} ${header} ${shared_library})
add_test(NAME exports_static COMMAND ${scripts}/check_exports.sh ${exports} ${header} ${static_library})
add_test(NAME imports_shared COMMAND ${scripts}/check_imports.sh ${imports} ${shared_library})
add_test(NAME imports_static COMMAND ${scripts}/check_imports.sh ${imports} ${static_library} ${exports})
add_test(NAME symbol_checks_can_fail
  COMMAND ${scripts}/check_symbols_selftest.sh ${exports} ${imports} ${header} ${shared_library}
          ${static_library})
set(soname libtflite_arena.so.0.1)
add_test(NAME static_and_shared_are_two
  COMMAND ${scripts}/check_linkage.sh $<TARGET_FILE:plan_and_execute_c_static>
          $<TARGET_FILE:plan_and_execute_c_shared> ${soname})
set(asan off)
if(TFLITE_ARENA_SANITIZE MATCHES "address")
  set(asan on)
endif()
add_test(NAME sanitizer_as_asked
  COMMAND ${scripts}/check_sanitizer.sh ${asan} $<TARGET_FILE:plan_and_execute_c_static>)

# The libraries as they are installed. How the harness itself is built makes no difference to that.
if(NOT TFLITE_ARENA_SANITIZE AND NOT TFLITE_ARENA_VALGRIND)
  get_filename_component(profile ${static_library} DIRECTORY)
  get_filename_component(profile ${profile} NAME)
  add_test(NAME installed COMMAND ${scripts}/check_install.sh ${profile} ${soname})
endif()

# The README's program does what the README says.
add_test(NAME readme_program
  COMMAND ${scripts}/check_readme.sh ${CMAKE_CURRENT_SOURCE_DIR}/../README.md ${TFLITE_ARENA_INCLUDE_DIR} ${static_library})

# What the documents say is there is there: upstream's methods, and the tests that show its behaviour.
set(docs ${CMAKE_CURRENT_SOURCE_DIR}/../docs)
set(overlay ${CMAKE_CURRENT_SOURCE_DIR}/../cpp/overlay)
set(test_folders ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/../cpp/tests)
add_test(NAME every_method_has_its_function COMMAND ${scripts}/check_mirror.sh ${docs}/abi.md ${exports} ${overlay})
add_test(NAME named_tests_exist COMMAND ${scripts}/check_named_tests.sh ${docs}/compat.md ${test_folders})
add_test(NAME document_checks_can_fail
  COMMAND ${scripts}/check_docs_selftest.sh ${docs}/abi.md ${exports} ${overlay} ${docs}/compat.md ${test_folders})
