// What a scenario about a die writes with.
@_exported import DieProtocol
