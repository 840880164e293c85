// Lets the test process outlive what it writes to, as each of our programs does in its first lines: a test that writes to a
// program which has ended gets an error. Without this the signal SIGPIPE would end all tests, and it would depend on their
// order. The tests are one process, so that it is enough if one of their targets depends on this one.
