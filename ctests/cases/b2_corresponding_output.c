/* B2: with flag 2 input n may share with output n only. */
#include "check.h"
#include "network.h"
#include "shadow.h"

static bool overlap(const Network *network, const char *one, const char *other) {
  const char *a = network_data_of(network, one), *b = network_data_of(network, other);
  size_t a_bytes = network->tensors[network_id(network, one)].bytes;
  size_t b_bytes = network->tensors[network_id(network, other)].bytes;
  return a < b + b_bytes && b < a + a_bytes;
}

/* a and b are read for the last time by node 2, so only the flags decide. */
static Network two_in_two_out(int flags) {
  char text[128];
  snprintf(text, sizeof text,
           "x:64 in; a,b,o0,o1:64; z:64 out; x->a; x->b; a,b->o0,o1 %d; o0,o1->z", flags);
  Network network = network_of(text);
  network_execute(&network);
  network_check_pointers(&network);
  CHECK(shadow_is_clean(&network));
  return network;
}

int main(void) {
  check_situation("%s", "input 1 with its output");
  Network second = two_in_two_out(10); /* 2 | 8 */
  CHECK(!overlap(&second, "o0", "b"));
  CHECK(!overlap(&second, "o0", "a"));
  CHECK(!overlap(&second, "o1", "a"));
  network_free(&second);

  check_situation("%s", "input 0 with its output");
  Network first = two_in_two_out(6); /* 2 | 4 */
  CHECK(!overlap(&first, "o1", "a"));
  CHECK(!overlap(&first, "o1", "b"));
  CHECK(!overlap(&first, "o0", "b"));
  network_free(&first);

  check_situation("%s", "both");
  Network both = two_in_two_out(14); /* 2 | 4 | 8 */
  CHECK(!overlap(&both, "o0", "b"));
  CHECK(!overlap(&both, "o1", "a"));
  CHECK(!overlap(&both, "o0", "o1"));
  network_free(&both);

  check_situation("%s", "without the flag input 1 shares with output 0");
  Network plain = two_in_two_out(8);
  CHECK_POINTER(network_data_of(&plain, "o0"), network_data_of(&plain, "b"));
  network_free(&plain);
  return check_finish();
}
