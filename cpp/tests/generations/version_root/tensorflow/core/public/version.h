#pragma once
#define TF_MAJOR_VERSION 2
#if FAKE_GENERATION >= 9
#define TF_MINOR_VERSION 16
#else
#define TF_MINOR_VERSION 15
#endif
