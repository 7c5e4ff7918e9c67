// Nothing to call: late.c defines functions of libarchive and Graphviz, which their own headers declare.
