/* network_parse and network_print: the tests' notation for a network. */
#include <stdlib.h>
#include <string.h>

#include "network.h"

static void bad_text(const char *statement) {
  fprintf(stderr, "the test's network has a bad statement: \"%s\"\n", statement);
  exit(2);
}

/* Cuts the next piece that none of `separators` is in off *rest; NULL at the end. The pieces lie in
   one writable buffer, so nothing is copied. (strtok cannot be nested, strtok_r is not C.) */
static char *next_piece(char **rest, const char *separators) {
  char *piece = *rest + strspn(*rest, separators);
  if (*piece == '\0') return NULL;
  char *end = piece + strcspn(piece, separators);
  *rest = *end == '\0' ? end : end + 1;
  *end = '\0';
  return piece;
}

static void add_named(const Network *network, Ids *ids, char *names) {
  for (char *name; (name = next_piece(&names, ", \t")) != NULL;) {
    ids_add(ids, strcmp(name, "_") == 0 ? -1 : network_id(network, name));
  }
}

static void parse_tensors(Network *network, char *statement) {
  char *colon = strchr(statement, ':');
  if (colon == NULL) bad_text(statement);
  *colon = '\0';
  char *marks;
  size_t bytes = (size_t)strtoull(colon + 1, &marks, 10);
  if (marks == colon + 1) bad_text(statement);

  int32_t type = TFLITE_ARENA_ALLOCATION_TYPE_ARENA_RW;
  bool in = false, out = false, variable = false;
  for (char *mark; (mark = next_piece(&marks, " \t")) != NULL;) {
    if (strcmp(mark, "in") == 0) {
      in = true;
    } else if (strcmp(mark, "out") == 0) {
      out = true;
    } else if (strcmp(mark, "var") == 0) {
      variable = true;
    } else if (strcmp(mark, "persistent") == 0) {
      type = TFLITE_ARENA_ALLOCATION_TYPE_ARENA_RW_PERSISTENT;
    } else if (strcmp(mark, "custom") == 0) {
      type = TFLITE_ARENA_ALLOCATION_TYPE_CUSTOM;
    } else if (strcmp(mark, "const") == 0) {
      type = TFLITE_ARENA_ALLOCATION_TYPE_MMAP_RO;
    } else if (strcmp(mark, "dynamic") == 0) {
      type = TFLITE_ARENA_ALLOCATION_TYPE_DYNAMIC;
    } else {
      bad_text(mark);
    }
  }
  for (char *name; (name = next_piece(&statement, ", \t")) != NULL;) {
    int32_t id = network_add_tensor(network, name, bytes, type);
    if (in) ids_add(&network->inputs, id);
    if (out) ids_add(&network->outputs, id);
    if (variable) ids_add(&network->variables, id);
  }
}

static void parse_node(Network *network, char *statement, char *arrow) {
  NetworkNode *node = network_add_node(network, 0);
  *arrow = '\0';
  add_named(network, &node->inputs, statement);
  char *rest = arrow + 2;
  char *outputs = next_piece(&rest, " \t");
  if (outputs != NULL) add_named(network, &node->outputs, outputs);
  for (char *word; (word = next_piece(&rest, " \t")) != NULL;) {
    char *end = word;
    if (strcmp(word, "R") == 0) {
      node->flags = 5;
    } else if (strcmp(word, "S") == 0) {
      node->flags = 4;
    } else if (strcmp(word, "M") == 0) {
      node->flags = 12;
    } else if (strcmp(word, "tmp") == 0) {
      char *temporaries = next_piece(&rest, " \t");
      if (temporaries == NULL) bad_text(word);
      add_named(network, &node->temporaries, temporaries);
    } else {
      node->flags = strtoull(word, &end, 10);
      if (*end != '\0') bad_text(word);
    }
  }
}

Network network_parse(const char *text) {
  Network network;
  memset(&network, 0, sizeof network);
  size_t length = strlen(text) + 1;
  char *copy = malloc(length);
  if (copy == NULL) bad_text(text);
  memcpy(copy, text, length);
  char *rest = copy;
  for (char *statement; (statement = next_piece(&rest, ";\n")) != NULL;) {
    if (statement[strspn(statement, " \t")] == '\0') continue;
    char *arrow = strstr(statement, "->");
    if (arrow != NULL) {
      parse_node(&network, statement, arrow);
    } else {
      parse_tensors(&network, statement);
    }
  }
  free(copy);
  return network;
}

static void print_ids(const Network *network, const Ids *ids, FILE *file) {
  for (size_t i = 0; i < ids->count; i++) {
    int32_t id = ids->items[i];
    fprintf(file, "%s%s", i == 0 ? "" : ",", id < 0 ? "_" : network->tensors[id].name);
  }
}

void network_print(const Network *network, FILE *file) {
  static const char *const types[] = {" none", " const", "", " persistent", " dynamic",
                                      " persistent_ro", " custom", " variant"};
  for (size_t i = 0; i < network->num_tensors; i++) {
    const NetworkTensor *tensor = &network->tensors[i];
    int32_t id = (int32_t)i;
    fprintf(file, "%s:%zu%s%s%s%s\n", tensor->name, tensor->bytes,
            types[tensor->allocation_type & 7], ids_contain(&network->inputs, id) ? " in" : "",
            ids_contain(&network->outputs, id) ? " out" : "",
            ids_contain(&network->variables, id) ? " var" : "");
  }
  for (size_t i = 0; i < network->num_nodes; i++) {
    const NetworkNode *node = &network->nodes[i];
    print_ids(network, &node->inputs, file);
    fprintf(file, " -> ");
    print_ids(network, &node->outputs, file);
    if (node->flags != 0) fprintf(file, " %llu", (unsigned long long)node->flags);
    if (node->temporaries.count > 0) {
      fprintf(file, " tmp ");
      print_ids(network, &node->temporaries, file);
    }
    fputc('\n', file);
  }
}
