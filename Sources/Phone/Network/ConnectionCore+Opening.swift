import HILPhone
import HostRadio
import RadioModel
import Synchronization

/// Opening a connection: the network, the person's permission, the peer's address.
extension ConnectionCore {
    /// The path to the peer; unsatisfied without a network, or without the permission that the peer needs.
    var path: NWPath { NWPath(phone.network.link, required: interface, isDenied: permission == .denied) }

    /// The permission for the local network, as far as the peer needs it (W8). The person is not asked for it here.
    private var permission: LocalNetworkAccess.Answer {
        guard isLocal, !isAccepted else { return .allowed }
        let answer = phone.localNetworkAccess.answer(for: app)
        guard answer == .undetermined else { return answer }
        if isOfExtension { return phone.policy.extensionsUseLocalNetworkUnasked ? .allowed : .denied }
        return app.isInForeground ? .undetermined : .denied
    }

    /// Whether the person would have to be asked first, or is asked now.
    var needsAnswer: Bool { path.status == .satisfied && permission == .undetermined }

    /// Whether the peer is on the joined network itself.
    private var isLocal: Bool {
        switch endpoint {
        case .service: true
        case .hostPort(.name(let name, _), _): NWEndpoint.isLocal(name)
        case .hostPort(.ipv4(let address), _):
            phone.policy.asksForAddresses && phone.network.isLocal(address.debugDescription)
        case .hostPort(.ipv6, _): false
        }
    }

    func linkChanged() {
        shared.withLock { shared in
            guard shared.state == .ready, let handler = shared.handlers.onViability else { return }
            let isViable = path.status == .satisfied
            call(shared.handlers) { handler(isViable) }
        }
        retry()
    }

    /// Tries to connect again if the connection is waiting.
    func retry() {
        let isWaiting = shared.withLock { shared in
            guard case .waiting = shared.state else { return false }
            enter(.preparing, &shared)
            return true
        }
        if isWaiting { attempt() }
    }

    func permissionChanged() {
        let wasAsked = shared.withLock { shared in
            defer { shared.isAsking = false }
            return shared.isAsking && shared.state == .preparing
        }
        if wasAsked { attempt() } else { linkChanged() }
    }

    func attempt() {
        let number = shared.withLock {
            $0.attempt += 1
            return $0.attempt
        }
        let limit = timeout.map { timeout in
            Task { [weak self, clock = phone.clock] in
                try await clock.sleep(for: timeout)
                self?.wait(.posix(.ETIMEDOUT), ending: number)
            }
        }
        Task {
            defer { limit?.cancel() }
            do {
                guard path.status == .satisfied else { throw denial }
                guard isAllowed() else { return }
                open(try await connect(number), number)
            } catch { wait(error as? NWError ?? NWError(error), ending: number) }
        }
    }

    /// Asks the person for the permission if it is undetermined. Their answer then begins another attempt.
    private func isAllowed() -> Bool {
        guard permission == .undetermined else { return true }
        shared.withLock { $0.isAsking = true }
        guard phone.localNetworkAccess.request(for: app) != .undetermined else { return false }
        // The person has answered meanwhile. Whoever is first begins the next attempt.
        permissionChanged()
        return false
    }

    private func connect(_ attempt: Int) async throws -> any RadioStream {
        if let accepted = shared.withLock({ $0.stream }) { return accepted }
        let place = try await place()
        shared.withLock { if $0.attempt == attempt { $0.place = place } }
        if transport == .udp {
            guard tls == nil else { throw NWError.posix(.EOPNOTSUPP) }
            guard phone.localNetworkAccess.allowsDatagrams(to: place.address, by: app) else {
                throw NWError.posix(.EHOSTUNREACH)
            }
        }
        let stream = try await phone.network.openStream(to: place.address, port: place.port, by: transport)
        guard let tls else { return stream }
        let isWanted = shared.withLock { shared in
            guard shared.state == .preparing, shared.attempt == attempt else { return false }
            shared.opening = stream
            return true
        }
        defer { shared.withLock { if $0.attempt == attempt { $0.opening = nil } } }
        do {
            guard isWanted else { throw NWError.posix(.ECANCELED) }
            return try await SecureStream(over: stream, tls, to: endpoint, for: app, on: phone)
        } catch {
            stream.close()
            throw error
        }
    }

    private func place() async throws -> NetworkPlace {
        do {
            switch endpoint {
            case .service(let name, let type, let domain, _):
                let name = BonjourName(name: name, type: NWEndpoint.plainType(type), domain: domain)
                return try await phone.network.place(of: name)
            case .hostPort(.name(let name, _), let port):
                guard NWEndpoint.isLocal(name) else { throw NWError.noSuchRecord }
                return NetworkPlace(address: try await phone.network.address(ofHost: name), port: port.rawValue)
            case .hostPort(.ipv4(let address), let port):
                return NetworkPlace(address: address.debugDescription, port: port.rawValue)
            case .hostPort(.ipv6, _): throw NWError.posix(.EHOSTUNREACH)
            }
        } catch { throw error as? NWError ?? NWError(bonjour: error) }
    }

    /// Why there is no path.
    private var denial: NWError {
        guard case .service = endpoint, permission == .denied, phone.network.link != nil else {
            return .posix(.ENETDOWN)
        }
        return .policyDenied
    }

    /// Ends an attempt without a connection.
    private func wait(_ error: NWError, ending attempt: Int) {
        let stream = shared.withLock { shared -> (any RadioStream)? in
            guard shared.state == .preparing, shared.attempt == attempt else { return nil }
            shared.attempt += 1
            enter(.waiting(error), &shared)
            defer { shared.opening = nil }
            return shared.opening
        }
        stream?.close()
        // The phone may have joined a network while this attempt failed because there was none.
        if error == .posix(.ENETDOWN) || error == .policyDenied, path.status == .satisfied { retry() }
    }
}
