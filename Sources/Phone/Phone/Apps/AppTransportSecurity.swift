import Foundation

/// To which hosts an app may speak HTTP without TLS: App Transport Security (W14).
///
/// Source: Apple, “NSAppTransportSecurity” and “NSAllowsLocalNetworking” of the information property list. Addresses need no
/// exception, since those that this phone reaches are on its local network.
package struct AppTransportSecurity: Sendable, Hashable {
    static let key = "NSAppTransportSecurity"

    /// A domain under `NSExceptionDomains` that allows HTTP without TLS.
    struct Exception: Sendable, Hashable {
        var domain: String
        var includesSubdomains: Bool
    }

    /// `NSAllowsArbitraryLoads`, which the system ignores beside `NSAllowsLocalNetworking`.
    var allowsArbitraryLoads = false
    /// `NSAllowsLocalNetworking`.
    var allowsLocalNetworking = false
    var exceptions: [Exception] = []

    init() {}

    /// Reads the value of the key.
    ///
    /// - Parameters:
    ///   - value: The value of `NSAppTransportSecurity`; nil if the list has none.
    ///   - path: The path of the property list, for errors.
    /// - Throws: ``AppBundleError``, with the key.
    init(_ value: Any?, path: String) throws {
        let settings = try Self.dictionary(value, Self.key, path)
        let local = "NSAllowsLocalNetworking"
        allowsLocalNetworking = try Self.flag(settings[local], local, path)
        let arbitrary = "NSAllowsArbitraryLoads"
        allowsArbitraryLoads = try Self.flag(settings[arbitrary], arbitrary, path) && settings[local] == nil
        let domains = "NSExceptionDomains"
        for (domain, value) in try Self.dictionary(settings[domains], domains, path) {
            let exception = try Self.dictionary(value, "“\(domain)” under \(domains)", path)
            let insecure = "NSExceptionAllowsInsecureHTTPLoads"
            guard try Self.flag(exception[insecure], insecure, path) else { continue }
            let subdomains = "NSIncludesSubdomains"
            exceptions.append(
                Exception(
                    domain: domain.lowercased(),
                    includesSubdomains: try Self.flag(exception[subdomains], subdomains, path)))
        }
        exceptions.sort { $0.domain < $1.domain }
    }

    /// Whether the app may speak HTTP without TLS to a host, by name.
    package func allowsInsecureLoads(from host: String) -> Bool {
        let host = host.lowercased()
        let exception = exceptions.contains {
            $0.domain == host || $0.includesSubdomains && host.hasSuffix(".\($0.domain)")
        }
        let isLocal = !host.contains(".") || host.hasSuffix(".local") || host.hasSuffix(".local.")
        return exception || allowsArbitraryLoads || isLocal && allowsLocalNetworking
    }

    private static func dictionary(_ value: Any?, _ key: String, _ path: String) throws -> [String: Any] {
        guard let value else { return [:] }
        guard let dictionary = value as? [String: Any] else {
            throw AppBundleError.wrongType(path: path, key: key, expected: "a dictionary")
        }
        return dictionary
    }

    private static func flag(_ value: Any?, _ key: String, _ path: String) throws -> Bool {
        guard let value else { return false }
        guard let flag = value as? Bool else {
            throw AppBundleError.wrongType(path: path, key: key, expected: "a Boolean")
        }
        return flag
    }
}
