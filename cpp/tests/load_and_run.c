/* A C program, without the C++ library, that loads a runtime as an interpreter loads an extension module. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
  void *runtime = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  void (*run)(void);
  if (runtime == NULL) {
    fprintf(stderr, "load_and_run RUNTIME: %s\n", argc == 2 ? dlerror() : "one argument");
    return 1;
  }
  *(void **)&run = dlsym(runtime, "fake_runtime_run");
  if (run == NULL) return 1;
  run();
  return 0;
}
