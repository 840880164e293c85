// Empty. If a file imports both Testing and UIKit, the compiler also imports this module, and would stop without it:
// Swift for Linux names it, but lacks it. On Apple's systems it attaches images to tests.
