// No functions to call: the library works by being preloaded, as sigsuspend.c explains.
