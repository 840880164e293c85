import Foundation
import FoundationNetworking
import HILPhone

// The parts of Apple's URL loading that Foundation on Linux lacks.

extension URLSessionConfiguration {
    /// Where the values below are kept: copies of the configuration have it too, and nothing else reads it here.
    private subscript(setting: String, default standard: Bool) -> Bool {
        get { connectionProxyDictionary?[setting] as? Bool ?? standard }
        set { connectionProxyDictionary = (connectionProxyDictionary ?? [:]).merging([setting: newValue]) { $1 } }
    }

    /// Whether a request waits for a network, as long as its timeout allows, instead of failing at once.
    ///
    /// The session of a request is not known here: one configuration that waits makes all sessions of the running app
    /// wait.
    public var waitsForConnectivity: Bool {
        get { self[#function, default: false] }
        set {
            self[#function, default: false] = newValue
            guard newValue, let phone = Phone.currentIfAny, let app = phone.app else { return }
            phone.part(LoadingConnections.self).letWait(app)
        }
    }

    /// Whether a session may use a network that costs. It decides nothing: this phone's Wi-Fi costs nothing.
    public var allowsExpensiveNetworkAccess: Bool {
        get { self[#function, default: true] }
        set { self[#function, default: true] = newValue }
    }

    /// Whether a session may use a network in Low Data Mode. It decides nothing: this phone has no such mode.
    public var allowsConstrainedNetworkAccess: Bool {
        get { self[#function, default: true] }
        set { self[#function, default: true] = newValue }
    }
}

extension URLRequest {
    @available(*, unavailable, message: "a request on Linux has no room for it: set it for the session's configuration")
    public var allowsExpensiveNetworkAccess: Bool {
        get { true }
        set {}
    }

    @available(*, unavailable, message: "a request on Linux has no room for it: set it for the session's configuration")
    public var allowsConstrainedNetworkAccess: Bool {
        get { true }
        set {}
    }

    @available(*, unavailable, message: "URLSession on Linux does not speak HTTP/3")
    public var assumesHTTP3Capable: Bool {
        get { false }
        set {}
    }
}

extension URLError {
    /// Why a network must not be used.
    public enum NetworkUnavailableReason: Int, Sendable, Hashable {
        case cellular, expensive, constrained
    }

    /// Always nil: this phone has only Wi-Fi, which every request may use.
    public var networkUnavailableReason: NetworkUnavailableReason? { nil }
}

extension URLSession {
    @available(*, unavailable, message: "Foundation on Linux does not give a body byte by byte: use data(for:)")
    public func bytes(
        for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (AsyncStream<UInt8>, URLResponse) { fatalError("unavailable") }

    @available(*, unavailable, message: "Foundation on Linux does not give a body byte by byte: use data(from:)")
    public func bytes(
        from url: URL, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (AsyncStream<UInt8>, URLResponse) { fatalError("unavailable") }
}
