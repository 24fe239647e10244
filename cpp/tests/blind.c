// Preloaded: nobody gets a handle to what is loaded already.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

void *dlopen(const char *file, int flags) {
  if (flags & RTLD_NOLOAD) return NULL;
  void *(*next)(const char *, int);
  *(void **)&next = dlsym(RTLD_NEXT, "dlopen");
  return next(file, flags);
}
