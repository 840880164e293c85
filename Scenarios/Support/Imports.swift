// All scenarios of this folder are about a die.
@_exported import DieLab
