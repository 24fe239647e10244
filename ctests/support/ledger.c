#include "ledger.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

void ledger_init(Ledger *ledger) {
  memset(ledger, 0, sizeof *ledger);
  ledger->quota = SIZE_MAX;
}

static LedgerBlock *find(Ledger *ledger, const void *block) {
  for (size_t i = 0; i < LEDGER_BLOCKS; i++) {
    if (ledger->blocks[i].block == block) return &ledger->blocks[i];
  }
  return NULL;
}

static bool over_quota(Ledger *ledger, size_t more) {
  bool over = ledger->out > ledger->quota || more > ledger->quota - ledger->out;
  if (over) ledger->refusals++;
  return over;
}

static void *allocate(void *data, size_t bytes, size_t alignment) {
  Ledger *ledger = data;
  if (over_quota(ledger, bytes) || bytes > SIZE_MAX / 4) return NULL;
  LedgerBlock *entry = find(ledger, NULL); /* a free line of the ledger */
  char *memory = malloc(bytes + 2 * alignment);
  if (entry == NULL || memory == NULL) {
    ledger->mistakes++;
    free(memory);
    return NULL;
  }
  size_t past = (size_t)((uintptr_t)memory % alignment);
  char *block = memory + (past == 0 ? 0 : alignment - past) + ledger->misalign;
  const LedgerBlock lent = {memory, block, bytes, alignment};
  *entry = lent;
  ledger->out += bytes;
  ledger->allocations++;
  return block;
}

static LedgerBlock *entry_for(Ledger *ledger, void *block, size_t bytes, size_t alignment) {
  LedgerBlock *entry = block == NULL ? NULL : find(ledger, block);
  if (entry == NULL || entry->bytes != bytes || entry->alignment != alignment) ledger->mistakes++;
  return entry;
}

static void deallocate(void *data, void *block, size_t bytes, size_t alignment) {
  Ledger *ledger = data;
  LedgerBlock *entry = entry_for(ledger, block, bytes, alignment);
  if (entry == NULL) return;
  ledger->out -= entry->bytes;
  free(entry->memory);
  memset(entry, 0, sizeof *entry);
}

/* Always moves, so that a library that goes on using the old block is found out. */
static void *reallocate(void *data, void *block, size_t old_bytes, size_t new_bytes,
                        size_t alignment) {
  Ledger *ledger = data;
  LedgerBlock *entry = entry_for(ledger, block, old_bytes, alignment);
  if (entry == NULL || over_quota(ledger, new_bytes > old_bytes ? new_bytes - old_bytes : 0)) {
    return NULL;
  }
  ledger->out -= old_bytes; /* the old block is no longer the caller's */
  void *moved = allocate(data, new_bytes, alignment);
  ledger->out += old_bytes;
  if (moved == NULL) return NULL;
  memcpy(moved, block, old_bytes < new_bytes ? old_bytes : new_bytes);
  deallocate(data, block, old_bytes, alignment);
  ledger->reallocations++;
  return moved;
}

TfliteArenaAllocator ledger_allocator(Ledger *ledger) {
  const TfliteArenaAllocator allocator = {ledger, allocate, reallocate, deallocate};
  return allocator;
}

TfliteArenaAllocator ledger_allocator_without_reallocate(Ledger *ledger) {
  const TfliteArenaAllocator allocator = {ledger, allocate, NULL, deallocate};
  return allocator;
}

void ledger_check_settled(const Ledger *ledger) {
  CHECK_SIZE(ledger->out, 0);
  CHECK_SIZE(ledger->mistakes, 0);
  for (size_t i = 0; i < LEDGER_BLOCKS; i++) CHECK_POINTER(ledger->blocks[i].block, NULL);
}
