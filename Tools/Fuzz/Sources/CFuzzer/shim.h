#pragma once

#include <stddef.h>
#include <stdint.h>

// libFuzzer's way in for programs that have a main function of their own.
int LLVMFuzzerRunDriver(int *count, char ***arguments, int (*one)(const uint8_t *data, size_t size));
