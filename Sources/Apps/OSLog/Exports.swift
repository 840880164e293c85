// As on Apple's systems: `Logger` and its types come with either module.
@_exported import os
