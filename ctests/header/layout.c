/* The layouts that programs are compiled against, on x86-64. All asserts are compile time; the
   program checks only that the numbers of statuses are those of upstream's. */
#include <stddef.h>

#include "check.h"
#include "tflite_arena.h"

#define SIZE(type, size) _Static_assert(sizeof(type) == (size), #type)
#define FIELD(type, field, offset) \
  _Static_assert(offsetof(type, field) == (offset), #type "." #field)

#if defined(__x86_64__)
SIZE(TfliteArenaStatus, 4);
SIZE(TfliteArenaAllocationType, 4);
SIZE(TfliteArenaStrategy, 4);
SIZE(TfliteArenaInplace, 8);

SIZE(TfliteArenaIntList, 16);
FIELD(TfliteArenaIntList, data, 0);
FIELD(TfliteArenaIntList, size, 8);

SIZE(TfliteArenaNode, 56);
FIELD(TfliteArenaNode, inputs, 0);
FIELD(TfliteArenaNode, outputs, 16);
FIELD(TfliteArenaNode, temporaries, 32);
FIELD(TfliteArenaNode, inplace_operator, 48);

SIZE(TfliteArenaTensorView, 48);
FIELD(TfliteArenaTensorView, base, 0);
FIELD(TfliteArenaTensorView, count, 8);
FIELD(TfliteArenaTensorView, stride, 16);
FIELD(TfliteArenaTensorView, bytes_offset, 24);
FIELD(TfliteArenaTensorView, allocation_type_offset, 32);
FIELD(TfliteArenaTensorView, data_offset, 40);

SIZE(TfliteArenaGraphInfo, 64);
FIELD(TfliteArenaGraphInfo, struct_size, 0);
FIELD(TfliteArenaGraphInfo, context, 8);
FIELD(TfliteArenaGraphInfo, tensors, 16);
FIELD(TfliteArenaGraphInfo, num_execution_nodes, 24);
FIELD(TfliteArenaGraphInfo, node, 32);
FIELD(TfliteArenaGraphInfo, inputs, 40);
FIELD(TfliteArenaGraphInfo, outputs, 48);
FIELD(TfliteArenaGraphInfo, variables, 56);

/* The layout of upstream's TfLiteAllocator. */
SIZE(TfliteArenaAllocator, 32);
FIELD(TfliteArenaAllocator, data, 0);
FIELD(TfliteArenaAllocator, allocate, 8);
FIELD(TfliteArenaAllocator, reallocate, 16);
FIELD(TfliteArenaAllocator, deallocate, 24);

SIZE(TfliteArenaPlannerOptions, 48);
FIELD(TfliteArenaPlannerOptions, struct_size, 0);
FIELD(TfliteArenaPlannerOptions, preserve_all_tensors, 8);
FIELD(TfliteArenaPlannerOptions, strategy, 12);
FIELD(TfliteArenaPlannerOptions, tensor_alignment, 16);
FIELD(TfliteArenaPlannerOptions, subgraph_index, 24);
FIELD(TfliteArenaPlannerOptions, allocator, 32);
FIELD(TfliteArenaPlannerOptions, preserve_inputs, 40);
FIELD(TfliteArenaPlannerOptions, replace_range, 44);

SIZE(TfliteArenaMemoryPlannerOptions, 64);
FIELD(TfliteArenaMemoryPlannerOptions, struct_size, 0);
FIELD(TfliteArenaMemoryPlannerOptions, strategy, 8);
FIELD(TfliteArenaMemoryPlannerOptions, alignment, 16);
FIELD(TfliteArenaMemoryPlannerOptions, capacity, 24);
FIELD(TfliteArenaMemoryPlannerOptions, steps, 32);
FIELD(TfliteArenaMemoryPlannerOptions, order, 40);
FIELD(TfliteArenaMemoryPlannerOptions, place, 48);
FIELD(TfliteArenaMemoryPlannerOptions, user, 56);

SIZE(TfliteArenaMemoryBuffer, 32);
FIELD(TfliteArenaMemoryBuffer, size, 0);
FIELD(TfliteArenaMemoryBuffer, alignment, 8);
FIELD(TfliteArenaMemoryBuffer, offset, 16);
FIELD(TfliteArenaMemoryBuffer, first_node, 24);
FIELD(TfliteArenaMemoryBuffer, last_node, 28);

SIZE(TfliteArenaAlloc, 16);
FIELD(TfliteArenaAlloc, offset, 0);
FIELD(TfliteArenaAlloc, size, 8);

SIZE(TfliteArenaPlanInfo, 64);
FIELD(TfliteArenaPlanInfo, num_nodes, 0);
FIELD(TfliteArenaPlanInfo, num_tensors, 8);
FIELD(TfliteArenaPlanInfo, placed_tensors, 16);
FIELD(TfliteArenaPlanInfo, arena_needed, 24);
FIELD(TfliteArenaPlanInfo, persistent_needed, 32);
FIELD(TfliteArenaPlanInfo, naive, 40);
FIELD(TfliteArenaPlanInfo, lower_bound, 48);
FIELD(TfliteArenaPlanInfo, padding, 56);

SIZE(TfliteArenaTensorPlan, 32);
FIELD(TfliteArenaTensorPlan, arena, 0);
FIELD(TfliteArenaTensorPlan, root, 4);
FIELD(TfliteArenaTensorPlan, offset, 8);
FIELD(TfliteArenaTensorPlan, size, 16);
FIELD(TfliteArenaTensorPlan, first_node, 24);
FIELD(TfliteArenaTensorPlan, last_node, 28);

SIZE(TfliteArenaTensorRecord, 56);
FIELD(TfliteArenaTensorRecord, tensor, 0);
FIELD(TfliteArenaTensorRecord, allocation_type, 4);
FIELD(TfliteArenaTensorRecord, bytes, 8);
FIELD(TfliteArenaTensorRecord, arena, 16);
FIELD(TfliteArenaTensorRecord, root, 20);
FIELD(TfliteArenaTensorRecord, offset, 24);
FIELD(TfliteArenaTensorRecord, size, 32);
FIELD(TfliteArenaTensorRecord, first_node, 40);
FIELD(TfliteArenaTensorRecord, last_node, 44);
FIELD(TfliteArenaTensorRecord, previous, 48);

SIZE(TfliteArenaEventKind, 4);
SIZE(TfliteArenaEvent, 72);
FIELD(TfliteArenaEvent, struct_size, 0);
FIELD(TfliteArenaEvent, kind, 8);
FIELD(TfliteArenaEvent, status, 12);
FIELD(TfliteArenaEvent, first_node, 16);
FIELD(TfliteArenaEvent, last_node, 20);
FIELD(TfliteArenaEvent, arena, 24);
FIELD(TfliteArenaEvent, before, 32);
FIELD(TfliteArenaEvent, after, 40);
FIELD(TfliteArenaEvent, arena_size, 48);
FIELD(TfliteArenaEvent, arena_persist_size, 56);
FIELD(TfliteArenaEvent, text, 64);

/* The layout of upstream's ArenaAllocWithUsageInterval. */
SIZE(TfliteArenaAllocWithUsageInterval, 32);
FIELD(TfliteArenaAllocWithUsageInterval, offset, 0);
FIELD(TfliteArenaAllocWithUsageInterval, size, 8);
FIELD(TfliteArenaAllocWithUsageInterval, tensor, 16);
FIELD(TfliteArenaAllocWithUsageInterval, first_node, 20);
FIELD(TfliteArenaAllocWithUsageInterval, last_node, 24);
#endif

int main(void) {
  /* What a runtime's own code means by these numbers. */
  CHECK_INT(TFLITE_ARENA_STATUS_OK, 0);
  CHECK_INT(TFLITE_ARENA_STATUS_ERROR, 1);
  CHECK_INT(TFLITE_ARENA_ALLOCATION_TYPE_MEM_NONE, 0);
  CHECK_INT(TFLITE_ARENA_ALLOCATION_TYPE_MMAP_RO, 1);
  CHECK_INT(TFLITE_ARENA_ALLOCATION_TYPE_ARENA_RW, 2);
  CHECK_INT(TFLITE_ARENA_ALLOCATION_TYPE_ARENA_RW_PERSISTENT, 3);
  CHECK_INT(TFLITE_ARENA_ALLOCATION_TYPE_DYNAMIC, 4);
  CHECK_INT(TFLITE_ARENA_ALLOCATION_TYPE_PERSISTENT_RO, 5);
  CHECK_INT(TFLITE_ARENA_ALLOCATION_TYPE_CUSTOM, 6);
  CHECK_INT(TFLITE_ARENA_ALLOCATION_TYPE_VARIANT_OBJECT, 7);
  CHECK_INT(TFLITE_ARENA_INPLACE_DATA_UNMODIFIED, 1);
  CHECK_INT(TFLITE_ARENA_INPLACE_CORRESPONDING_OUTPUT, 2);
  CHECK_INT(TFLITE_ARENA_INPLACE_INPUT0_SHARED, 4);
  CHECK_INT(TFLITE_ARENA_INPLACE_INPUT1_SHARED, 8);
  CHECK_INT(TFLITE_ARENA_INPLACE_INPUT2_SHARED, 16);
  return check_finish();
}
