/* An allocator for arenas that keeps a ledger: what is out, that blocks come back with the size and
   alignment they went with, and a quota on the bytes that are out at once. */
#ifndef TFLITE_ARENA_CTESTS_LEDGER_H
#define TFLITE_ARENA_CTESTS_LEDGER_H

#include "tflite_arena.h"

enum { LEDGER_BLOCKS = 16 };

typedef struct {
  void *memory;  /* what malloc gave */
  void *block;   /* what the library got */
  size_t bytes, alignment;
} LedgerBlock;

typedef struct {
  size_t quota;      /* bytes that may be out at once; SIZE_MAX at first */
  size_t out;        /* bytes that are out */
  size_t misalign;   /* added to each new block's address: a broken allocator */
  size_t allocations, reallocations, refusals, mistakes;
  LedgerBlock blocks[LEDGER_BLOCKS];
} Ledger;

void ledger_init(Ledger *ledger);

/* With and without a reallocate callback. Both borrow the ledger. */
TfliteArenaAllocator ledger_allocator(Ledger *ledger);
TfliteArenaAllocator ledger_allocator_without_reallocate(Ledger *ledger);

/* Checks that everything came back, and in the way it went. */
void ledger_check_settled(const Ledger *ledger);

#endif
