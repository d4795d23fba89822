#if !CommandLine
    #error("the program airframe needs the package trait CommandLine, and Logging for what it exports")
#endif
