#pragma once

#include <stddef.h>
#include <stdint.h>

// libFuzzer's entry point for programs with their own main function.
int LLVMFuzzerRunDriver(int *count, char ***arguments, int (*one)(const uint8_t *data, size_t size));
