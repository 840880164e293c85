// Empty. Where a file imports both Testing and UIKit, the compiler imports this module as well, and would stop without it:
// Swift for Linux names it and does not have it. Its part on Apple's systems is to attach images to tests.
