import Foundation
import FoundationNetworking
import HILPhone
import Network

/// Requests whose errors have the codes of an iPhone.
///
/// Foundation on Linux gives one code for all hosts that are not reached. Swift prefers these methods to those of
/// Foundation that have a delegate as well. Publishers have them, too. Tasks with a closure or a delegate keep Foundation's
/// codes.
extension URLSession {
    /// Loads a request. See ``LoadingFailure`` for the codes of its errors.
    public func data(for request: URLRequest) async throws -> (Data, URLResponse) {
        try await explained(request.url) { try await self.data(for: request, delegate: nil) }
    }

    public func data(from url: URL) async throws -> (Data, URLResponse) {
        try await explained(url) { try await self.data(from: url, delegate: nil) }
    }

    public func upload(for request: URLRequest, from body: Data) async throws -> (Data, URLResponse) {
        try await explained(request.url) { try await self.upload(for: request, from: body, delegate: nil) }
    }

    private func explained<Value>(_ url: URL?, _ body: () async throws -> Value) async throws -> Value {
        do { return try await body() } catch let error as URLError { throw error.explained(url) }
    }
}

extension URLError {
    /// The error with the code of an iPhone.
    ///
    /// - Parameter url: What was loaded.
    package func explained(_ url: URL?) -> URLError {
        // These say what happened at the session itself.
        guard ![.timedOut, .cancelled, .badURL, .unsupportedURL].contains(code), let url,
            let failure = Phone.currentIfAny?.part(LoadingConnections.self).failure(of: url)
        else { return self }
        return URLError(failure.code, userInfo: userInfo)
    }
}

/// Why a request has failed.
enum LoadingFailure: Sendable, Equatable {
    /// The host was not reached, for this reason.
    case notReached(NWError)
    /// The connection was lost before the answer was complete.
    case lost

    /// The code that an iPhone gives.
    var code: URLError.Code {
        switch self {
        // Also without permission for the local network.
        case .notReached(.posix(.ENETDOWN)): .notConnectedToInternet
        case .notReached(.posix(.ETIMEDOUT)): .timedOut
        case .notReached(.dns(let code)):
            code == DNSServiceErrorType(kDNSServiceErr_PolicyDenied) ? .notConnectedToInternet : .cannotFindHost
        case .notReached: .cannotConnectToHost
        case .lost: .networkConnectionLost
        }
    }
}
