// Nothing to call: the library works by being loaded first. calls.c says how.
