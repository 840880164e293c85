// Every scenario in this folder uses a die.
@_exported import DieLab
