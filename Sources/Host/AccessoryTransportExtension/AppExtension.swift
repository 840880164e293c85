@_exported import Foundation
import Phone

/// A part of an app that the phone launches by itself.
///
/// On iOS each runs in a process of its own. Here the app lists the types in its `extensions`, and the phone makes them.
public protocol AppExtension: HostableExtension {
    /// Made once for each launch.
    init()
}

extension AppExtension {
    /// What `@main` starts. The phone launches extensions together with their app, so that there is nothing to start.
    public static func main() {
        let line = "\(Self.self) is an app extension: list it in its app's extensions and launch the app on a phone\n"
        FileHandle.standardError.write(Data(line.utf8))
        exit(64)
    }

    /// The name, within an extension, of ``AppExtensionPoint/Identifier``.
    public typealias Identifier = AppExtensionPoint.Identifier
    /// The name, within an extension, of ``AppExtensionPoint/Implementing``.
    public typealias Implementing = AppExtensionPoint.Implementing
}

/// The place in the system that an extension is made for, and what it does there.
public struct AppExtensionPoint: Sendable {
    /// The name of the point; nil if the extension names none.
    public let identifier: Identifier?
    /// What the extension implements there.
    let features: [any AccessoryFeature]

    /// The name of an extension point, such as `com.apple.accessory-data-provider`.
    public struct Identifier: Sendable, Hashable, CustomStringConvertible {
        public let description: String

        public init(_ name: String) {
            description = name
        }
    }

    /// Lists the features that an extension implements.
    public struct Implementing: Sendable {
        let features: [any AccessoryFeature]

        public init(@Features _ features: () -> [any AccessoryFeature]) {
            self.features = features()
        }

        /// Lists features, one a line.
        @resultBuilder public enum Features {
            public static func buildBlock(_ features: any AccessoryFeature...) -> [any AccessoryFeature] { features }
        }
    }

    /// Binds an extension to its point: an ``Identifier``, and what it is ``Implementing``.
    @resultBuilder public enum Bind {
        public static func buildExpression(_ identifier: Identifier) -> AppExtensionPoint {
            AppExtensionPoint(identifier: identifier, features: [])
        }
        public static func buildExpression(_ implementing: Implementing) -> AppExtensionPoint {
            AppExtensionPoint(identifier: nil, features: implementing.features)
        }
        public static func buildBlock(_ parts: AppExtensionPoint...) -> AppExtensionPoint {
            AppExtensionPoint(
                identifier: parts.lazy.compactMap(\.identifier).first, features: parts.flatMap(\.features))
        }
    }
}
