@_exported import RigModel
