// Nothing to call: the library works by being loaded first. sigsuspend.c says how.
