import Foundation
import FoundationNetworking
import HILPhone
import Network

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

    /// The codes by which Foundation on Linux reports that a connection has failed: one and the same for most causes. All
    /// other codes say what happened at the session itself.
    private static let vague: Set<URLError.Code> = [
        .networkConnectionLost, .unknown, .cannotConnectToHost, .cannotFindHost, .badServerResponse,
    ]

    /// An error of a request with the code of an iPhone.
    ///
    /// - Parameter url: Where the request goes now, if the error does not say.
    static func explain(_ error: any Error, of url: URL?) -> any Error {
        guard let error = error as? URLError, vague.contains(error.code), let url = error.failingURL ?? url,
            let failure = Phone.currentIfAny?.part(LoadingConnections.self).failure(of: url)
        else { return error }
        return URLError(failure.code, userInfo: error.userInfo)
    }
}
