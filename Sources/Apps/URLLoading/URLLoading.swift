import Foundation
import Glibc
import HILPOSIX
import HILPhone
import Network
import Synchronization

/// Brings what an app's `URLSession` sends and receives onto the phone's network (W13).
///
/// `URLSession` on Linux is libcurl, which asks the environment for a proxy. Here that is a SOCKS server in the same
/// process, at a socket without a name: its file is deleted once it is open. An app reaches nothing else of this
/// machine.
///
/// Found by its name: see ``HILPhone/LinkedService``.
final class URLLoading: LinkedService {
    /// The variables by which libcurl finds a proxy. For HTTP it reads only the one in lower case.
    private static let variables = [
        "http_proxy", "https_proxy", "HTTPS_PROXY", "ws_proxy", "wss_proxy", "all_proxy", "ALL_PROXY",
    ]
    /// The variables that name hosts to ask without a proxy. Empty would count as not set; this value names no host.
    private static let exceptions = ["no_proxy", "NO_PROXY"]

    static func start() throws {
        _ = ProtocolHook.isInstalled
        let socket = try UnixSocket.listenNameless()
        for variable in variables { OwnEnvironment.set(variable, to: "socks5h://localhost\(socket.path)") }
        for variable in exceptions { OwnEnvironment.set(variable, to: "-") }
        Task.detached {
            await acceptConnections(on: socket.listener) { client in
                guard UnixSocket.peerProcess(of: client) == getpid(), let phone = Phone.currentIfAny,
                    let app = phone.app,
                    (try? client.setNonBlocking()) != nil
                else { return }
                let loading = phone.part(LoadingConnections.self).add(client, of: app)
                Task.detached { await loading.run() }
            }
            withExtendedLifetime(socket) {}
        }
    }
}

/// The connections of the running app's URL sessions.
final class LoadingConnections: PhoneComponent {
    private unowned let phone: Phone
    private let connections = Mutex<[ObjectIdentifier: LoadingConnection]>([:])
    /// Why the last request to each host failed, by `host:port`.
    private let failures = Mutex<[String: LoadingFailure]>([:])
    /// The app whose sessions wait for a network.
    private let waiting = Mutex<RunningApp?>(nil)

    init(phone: Phone) { self.phone = phone }

    func add(_ client: Descriptor, of app: RunningApp) -> LoadingConnection {
        let connection = LoadingConnection(client, of: app, on: phone) { [weak self] ended in
            self?.connections.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(ended)) }
        }
        connections.withLock { $0[ObjectIdentifier(connection)] = connection }
        return connection
    }

    /// Keeps why a request to a host failed; nil once the host has answered.
    func keep(_ failure: LoadingFailure?, of host: NWEndpoint.Host, _ port: NWEndpoint.Port) {
        failures.withLock { $0["\(host.debugDescription.lowercased()):\(port.rawValue)"] = failure }
    }

    /// Why the last request to the host of a URL failed.
    func failure(of url: URL) -> LoadingFailure? {
        guard let host = url.host?.lowercased() else { return nil }
        let port = url.port ?? (url.scheme == "https" ? 443 : 80)
        return failures.withLock { $0["\(host):\(port)"] }
    }

    /// From now on, requests of an app wait for a network instead of failing at once.
    func letWait(_ app: RunningApp) { waiting.withLock { $0 = app } }

    func waits(_ app: RunningApp) -> Bool { waiting.withLock { $0 === app } }

    /// An app that has ended gets nothing more: its connections to hosts end, and its sessions wait for ever.
    func ended(_ app: RunningApp) {
        waiting.withLock { if $0 === app { $0 = nil } }
        for connection in connections.withLock({ $0.values.filter { $0.app === app } }) { connection.leave() }
    }
}
