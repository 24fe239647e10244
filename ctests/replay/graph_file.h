/* Reads a graph that was recorded from a runtime. Lines of text:
     # comment
     tensor <index> <bytes> <allocation type>
     node <in-place flags> i <tensors...> o <tensors...> t <tensors...>
     inputs <tensors...>          outputs <tensors...>          variables <tensors...>
     expect arena <bytes>         expect persistent <bytes>
   Tensors come in the order of their indices and before they are used; -1 is an absent tensor. */
#ifndef TFLITE_ARENA_CTESTS_GRAPH_FILE_H
#define TFLITE_ARENA_CTESTS_GRAPH_FILE_H

#include "network.h"

typedef struct {
  Network network; /* described, not built */
  bool expects_arena, expects_persistent;
  size_t arena, persistent;
} GraphFile;

/* Whether the file was read; a message with path and line number goes to stderr when not. */
bool graph_file_read(const char *path, GraphFile *file);

#endif
