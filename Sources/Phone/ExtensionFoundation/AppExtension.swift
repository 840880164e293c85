@_exported import Foundation
import HILPhone
@_exported import Observation

/// A part of an app that the phone launches separately.
///
/// On iOS, each extension runs in its own process. Here, the app lists its types in `extensions`, and the phone makes
/// them.
public protocol AppExtension: HostableExtension {
    /// Called once for each launch of the extension.
    init()
}

extension AppExtension {
    /// The entry point for `@main`. It only prints a hint and exits with status 64 (`EX_USAGE`).
    ///
    /// An extension is not a program here: the phone launches it together with its app.
    public static func main() {
        let line = "\(Self.self) is an app extension: list it in its app's extensions and launch the app on a phone\n"
        FileHandle.standardError.write(Data(line.utf8))
        exit(64)
    }

    /// Short for ``AppExtensionPoint/Bind`` inside an extension.
    public typealias Bind = AppExtensionPoint.Bind
    /// Short for ``AppExtensionPoint/Identifier`` inside an extension.
    public typealias Identifier = AppExtensionPoint.Identifier
    /// Another name of ``AppExtensionPoint/Capabilities`` inside an extension, which Apple's article uses.
    public typealias Implementing = AppExtensionPoint.Capabilities
}

/// The part of the system that an extension extends, and the features that it implements.
public struct AppExtensionPoint: Sendable {
    /// The name of the extension point; nil if the extension does not give it.
    public let identifier: Identifier?
    /// The capabilities that the extension implements.
    package let capabilities: Capabilities

    package init(identifier: Identifier?, capabilities: Capabilities = Capabilities([])) {
        self.identifier = identifier
        self.capabilities = capabilities
    }

    /// The name of an extension point, such as `com.apple.accessory-data-provider`.
    public struct Identifier: Sendable, Hashable, CustomStringConvertible {
        public let description: String

        public init(_ name: String) {
            description = name
        }
    }

    /// Something that an extension can do. Its identifier is a text.
    ///
    /// Source: ExtensionFoundation, iOS 26.2.
    public protocol Capability: Identifiable where ID == String {}

    /// The capabilities that an extension implements. Source: ExtensionFoundation, iOS 26.2.
    public struct Capabilities: @unchecked Sendable {  // Nobody changes the list; the phone reads it.
        package let list: [any Capability]

        /// Makes the list from capabilities, one per line.
        public init(@Builder _ builder: () -> Capabilities) {
            self = builder()
        }

        package init(_ list: [any Capability]) {
            self.list = list
        }

        /// Builds the list of capabilities, one per line.
        @resultBuilder public struct Builder {
            public static func buildBlock<each T: Capability>(_ capabilities: repeat each T) -> Capabilities {
                var list: [any Capability] = []
                for capability in repeat each capabilities { list.append(capability) }
                return Capabilities(list)
            }
        }
    }

    /// Another name of ``Capabilities``, which Apple's article uses.
    public typealias Implementing = Capabilities

    /// Builds an extension point from an ``Identifier`` and ``Capabilities``.
    @resultBuilder public enum Bind {
        public static func buildExpression(_ identifier: Identifier) -> AppExtensionPoint {
            AppExtensionPoint(identifier: identifier)
        }
        public static func buildExpression(_ capabilities: Capabilities) -> AppExtensionPoint {
            AppExtensionPoint(identifier: nil, capabilities: capabilities)
        }
        public static func buildBlock(_ parts: AppExtensionPoint...) -> AppExtensionPoint {
            AppExtensionPoint(
                identifier: parts.lazy.compactMap(\.identifier).first,
                capabilities: Capabilities(parts.flatMap(\.capabilities.list)))
        }
    }
}
