// A scenario needs only `import HIL`, and the modules of its app.
@_exported import BoardProtocol
@_exported import Foundation
@_exported import HILPhone
@_exported import HILTLS
@_exported import HILTiming
@_exported import PeripheralModel
@_exported import RadioModel
@_exported import RigModel
