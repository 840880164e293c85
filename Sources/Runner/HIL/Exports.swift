// A scenario needs only `import HIL`, and the modules of its app. What is public below is what scenarios name, and no more
// (Fixtures/PublicSurface/names.txt), so that whole modules are exported: a list of names here would be a second one.
@_exported import BoardProtocol
@_exported import Foundation
@_exported import HILPhone
@_exported import HILTLS
@_exported import HILTiming
@_exported import PeripheralModel
@_exported import RadioModel
@_exported import RigModel
