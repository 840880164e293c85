@_exported import Foundation

@_exported import func UIKit.CACurrentMediaTime
@_exported import class UIKit.CALayer
