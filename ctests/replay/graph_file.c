#include "graph_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *path;
  size_t line;
  char *rest; /* of the line */
} Reader;

static bool malformed(const Reader *reader, const char *what) {
  fprintf(stderr, "%s:%zu: %s\n", reader->path, reader->line, what);
  return false;
}

/* The next word of the line, or NULL. */
static char *next_word(Reader *reader) {
  char *word = reader->rest + strspn(reader->rest, " \t\r\n");
  if (*word == '\0') return NULL;
  char *end = word + strcspn(word, " \t\r\n");
  reader->rest = *end == '\0' ? end : end + 1;
  *end = '\0';
  return word;
}

static bool read_number(Reader *reader, uint64_t *number) {
  char *word = next_word(reader);
  if (word == NULL) return malformed(reader, "a number is missing");
  char *end;
  errno = 0;
  unsigned long long value = strtoull(word, &end, 10);
  if (!isdigit((unsigned char)word[0]) || *end != '\0' || errno != 0) {
    return malformed(reader, "not a number");
  }
  *number = value;
  return true;
}

/* A tensor index that was declared, or -1. */
static bool read_id(Reader *reader, const Network *network, const char *word, Ids *ids) {
  char *end;
  long id = strtol(word, &end, 10);
  if (*end != '\0' || end == word) return malformed(reader, "not a tensor index");
  if (id < -1 || id >= (long)network->num_tensors) return malformed(reader, "no such tensor");
  ids_add(ids, (int32_t)id);
  return true;
}

static bool read_ids(Reader *reader, const Network *network, Ids *ids) {
  for (char *word; (word = next_word(reader)) != NULL;) {
    if (!read_id(reader, network, word, ids)) return false;
  }
  return true;
}

static bool read_tensor(Reader *reader, Network *network) {
  uint64_t index, bytes, type;
  if (!read_number(reader, &index) || !read_number(reader, &bytes) || !read_number(reader, &type)) {
    return false;
  }
  if (index != network->num_tensors) return malformed(reader, "tensors are out of order");
  if (index >= INT32_MAX || bytes > SIZE_MAX || type > INT32_MAX) {
    return malformed(reader, "number too large");
  }
  network_add_tensor(network, NULL, (size_t)bytes, (int32_t)type);
  return true;
}

static bool read_node(Reader *reader, Network *network) {
  uint64_t flags;
  if (!read_number(reader, &flags)) return false;
  NetworkNode *node = network_add_node(network, flags);
  Ids *list = NULL;
  for (char *word; (word = next_word(reader)) != NULL;) {
    if (strcmp(word, "i") == 0) {
      list = &node->inputs;
    } else if (strcmp(word, "o") == 0) {
      list = &node->outputs;
    } else if (strcmp(word, "t") == 0) {
      list = &node->temporaries;
    } else if (list == NULL) {
      return malformed(reader, "expected i, o or t");
    } else if (!read_id(reader, network, word, list)) {
      return false;
    }
  }
  return true;
}

static bool read_expectation(Reader *reader, GraphFile *file) {
  char *of = next_word(reader);
  uint64_t bytes;
  if (of == NULL) return malformed(reader, "expect what?");
  bool arena = strcmp(of, "arena") == 0;
  if (!arena && strcmp(of, "persistent") != 0) return malformed(reader, "unknown expectation");
  if (!read_number(reader, &bytes)) return false;
  if (arena) {
    file->expects_arena = true;
    file->arena = (size_t)bytes;
  } else {
    file->expects_persistent = true;
    file->persistent = (size_t)bytes;
  }
  return true;
}

static bool read_line(Reader *reader, GraphFile *file) {
  char *word = next_word(reader);
  Network *network = &file->network;
  if (word == NULL || word[0] == '#') return true;
  bool good;
  if (strcmp(word, "tensor") == 0) {
    good = read_tensor(reader, network);
  } else if (strcmp(word, "node") == 0) {
    good = read_node(reader, network);
  } else if (strcmp(word, "inputs") == 0) {
    good = read_ids(reader, network, &network->inputs);
  } else if (strcmp(word, "outputs") == 0) {
    good = read_ids(reader, network, &network->outputs);
  } else if (strcmp(word, "variables") == 0) {
    good = read_ids(reader, network, &network->variables);
  } else if (strcmp(word, "expect") == 0) {
    good = read_expectation(reader, file);
  } else {
    return malformed(reader, "unknown word");
  }
  if (good && next_word(reader) != NULL) return malformed(reader, "too many words");
  return good;
}

/* The whole file as one string; NULL when it cannot be read. */
static char *read_all(const char *path) {
  FILE *stream = fopen(path, "rb");
  if (stream == NULL) return NULL;
  size_t room = 4096, length = 0;
  char *text = malloc(room);
  while (text != NULL) {
    length += fread(text + length, 1, room - 1 - length, stream);
    if (length < room - 1) break;
    room *= 2;
    char *larger = realloc(text, room);
    if (larger == NULL) free(text);
    text = larger;
  }
  if (text != NULL) text[length] = '\0';
  bool bad = ferror(stream) != 0;
  fclose(stream);
  if (!bad) return text;
  free(text);
  return NULL;
}

bool graph_file_read(const char *path, GraphFile *file) {
  memset(file, 0, sizeof *file);
  char *text = read_all(path);
  if (text == NULL) {
    fprintf(stderr, "%s: cannot be read\n", path);
    return false;
  }
  Reader reader = {path, 0, text};
  bool good = true;
  for (char *line = text; good && *line != '\0';) {
    char *end = line + strcspn(line, "\n");
    char *next = *end == '\0' ? end : end + 1;
    *end = '\0';
    reader.line++;
    reader.rest = line;
    good = read_line(&reader, file);
    line = next;
  }
  if (good && file->network.num_tensors == 0) good = malformed(&reader, "no tensors");
  free(text);
  if (!good) network_free(&file->network);
  return good;
}
