/* NULL and garbage for the buffer. */
#include "shadow.h"
#include "sweep.h"

static void sweep_null_buffer(void) {
  check_situation("%s", "no buffer");
  bool moved = false;
  void *data = UNTOUCHED_POINTER;
  size_t size = UNTOUCHED_SIZE;
  SWEPT(tflite_resizable_aligned_buffer_destroy, NULL);
  CHECK_REFUSED(SWEPT(tflite_resizable_aligned_buffer_resize, NULL, 8, &moved));
  CHECK_REFUSED(SWEPT(tflite_resizable_aligned_buffer_release, NULL));
  CHECK_REFUSED(SWEPT(tflite_resizable_aligned_buffer_get_ptr, NULL, &data));
  CHECK_REFUSED(SWEPT(tflite_resizable_aligned_buffer_get_size, NULL, &size));
  CHECK_REFUSED(SWEPT(tflite_resizable_aligned_buffer_get_alignment, NULL, &size));
  CHECK(SWEPT(tflite_resizable_aligned_buffer_last_error, NULL) != NULL);
  CHECK(!moved && data == UNTOUCHED_POINTER && size == UNTOUCHED_SIZE);
}

static void sweep_create(void) {
  CHECK_REFUSED(SWEPT(tflite_resizable_aligned_buffer_create, 64, 0, NULL, NULL));
  for (size_t i = 0; i < NUM_BAD_ALIGNMENTS; i++) {
    check_situation("buffer of alignment %zu", bad_alignments[i]);
    TfliteArenaResizableAlignedBuffer *buffer = UNTOUCHED_POINTER;
    CHECK_REFUSED(tflite_resizable_aligned_buffer_create(bad_alignments[i], 0, NULL, &buffer));
    CHECK_POINTER(buffer, UNTOUCHED_POINTER);
  }
}

/* Sizes that no machine has: refused, and the 100 bytes that are there stay. */
static void sweep_sizes(TfliteArenaResizableAlignedBuffer *buffer) {
  static const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 63, SIZE_MAX - 64, SIZE_MAX / 2 + 1,
                                 SIZE_MAX / 2};
  void *data = NULL;
  CHECK_OK(tflite_resizable_aligned_buffer_get_ptr(buffer, &data));
  pattern_write(data, 100, 1);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    check_situation("%zu bytes", sizes[i]);
    bool moved = false;
    CHECK_REFUSED(tflite_resizable_aligned_buffer_resize(buffer, sizes[i], &moved));
    CHECK(!moved);
    void *now = NULL;
    size_t size = 0;
    CHECK_OK(tflite_resizable_aligned_buffer_get_ptr(buffer, &now));
    CHECK_OK(tflite_resizable_aligned_buffer_get_size(buffer, &size));
    CHECK_POINTER(now, data);
    CHECK_SIZE(size, 100);
    CHECK_SIZE(pattern_compare(data, 100, 1), 100);
  }
}

void sweep_resizable_aligned_buffer(void) {
  sweep_null_buffer();
  sweep_create();
  check_situation("%s", "buffer");
  TfliteArenaResizableAlignedBuffer *buffer = NULL;
  CHECK_OK(tflite_resizable_aligned_buffer_create(64, INT32_MAX, NULL, &buffer));
  bool moved = false;
  CHECK_OK(tflite_resizable_aligned_buffer_resize(buffer, 0, &moved));
  CHECK(!moved); /* there was nothing and there is nothing */
  CHECK_OK(tflite_resizable_aligned_buffer_resize(buffer, 100, &moved));
  CHECK(moved);
  CHECK_REFUSED(tflite_resizable_aligned_buffer_resize(buffer, 200, NULL));
  CHECK_REFUSED(tflite_resizable_aligned_buffer_get_ptr(buffer, NULL));
  CHECK_REFUSED(tflite_resizable_aligned_buffer_get_size(buffer, NULL));
  CHECK_REFUSED(tflite_resizable_aligned_buffer_get_alignment(buffer, NULL));
  sweep_sizes(buffer);

  check_situation("%s", "buffer afterwards");
  size_t size = 0;
  CHECK_OK(tflite_resizable_aligned_buffer_get_alignment(buffer, &size));
  CHECK_SIZE(size, 64);
  CHECK_OK(tflite_resizable_aligned_buffer_resize(buffer, 1000, &moved));
  CHECK_OK(tflite_resizable_aligned_buffer_get_size(buffer, &size));
  CHECK_SIZE(size, 1000);
  CHECK_OK(tflite_resizable_aligned_buffer_resize(buffer, 10, &moved));
  CHECK(!moved);
  CHECK_OK(tflite_resizable_aligned_buffer_get_size(buffer, &size));
  CHECK_SIZE(size, 1000); /* it never shrinks */
  CHECK_OK(tflite_resizable_aligned_buffer_release(buffer));
  CHECK_OK(tflite_resizable_aligned_buffer_release(buffer));
  tflite_resizable_aligned_buffer_destroy(buffer);
}
