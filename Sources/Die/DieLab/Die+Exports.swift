// Scenarios about dice use these types.
@_exported import DieProtocol
