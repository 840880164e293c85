// What a scenario writes with: `import HIL` is enough for everything that is not the app's.
@_exported import BoardProtocol
@_exported import Foundation
@_exported import Phone
@_exported import RadioModel
@_exported import RigModel
@_exported import Timing
