#include "benchmark.h"

#include <dirent.h>
#include <malloc.h>
#include <stdio.h>
#include <unistd.h>

static size_t entries(const char *path) {
    DIR *folder = opendir(path);
    if (!folder) return 0;
    size_t count = 0;
    while (readdir(folder)) count++;
    closedir(folder);
    // Excludes "." and "..".
    return count - 2;
}

static size_t resident_kibibytes(void) {
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file) return 0;
    unsigned long size = 0, resident = 0;
    if (fscanf(file, "%lu %lu", &size, &resident) != 2) resident = 0;
    fclose(file);
    return resident * (size_t)sysconf(_SC_PAGESIZE) / 1024;
}

struct benchmark_holdings benchmark_holdings(void) {
    struct mallinfo2 memory = mallinfo2();
    return (struct benchmark_holdings){
        // Excludes the descriptor of the folder that is being read.
        .descriptors = entries("/proc/self/fd") - 1,
        .threads = entries("/proc/self/task"),
        .resident_kibibytes = resident_kibibytes(),
        .allocated_bytes = memory.uordblks + memory.hblkhd,
    };
}
