// The part of SwiftUI for files without views: an app's managers import it for `@Observable` and `@Published`.
@_exported import Combine
@_exported import Foundation
@_exported import Observation
@_exported import UIKit

/// Views have no screen here.
@available(*, unavailable, message: "SwiftUI's views are not simulated: leave files with views out of the target")
public protocol View {}

/// Apps are launched by the phone.
@available(*, unavailable, message: "SwiftUI's apps are not simulated: leave this file out of the target")
public protocol App {}

/// Scenes have no screen here.
@available(*, unavailable, message: "SwiftUI's scenes are not simulated: leave this file out of the target")
public protocol Scene {}

/// Runs the body: nothing moves where there is no screen.
public func withAnimation<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }
