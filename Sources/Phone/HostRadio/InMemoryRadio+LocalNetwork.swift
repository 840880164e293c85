import Foundation
import HILTiming
import RadioModel
import Synchronization

/// Services, names and incoming connections without a network: the test says what others offer, and connects.
extension InMemoryRadio {
    /// What the phone knows and offers on its network.
    struct LocalNetwork {
        var services: [BonjourName: (place: NetworkPlace, text: [Data])] = [:]
        var hosts: [String: String] = [:]
        var browsers: [InMemoryBrowser] = []
        var listeners: [UInt16: InMemoryListener] = [:]
        var offered: [BonjourService] = []
    }

    /// Adds a service of another device, or changes it.
    package func addService(_ service: BonjourService, at address: String = "192.0.2.1") {
        let name = BonjourName(name: service.name, type: service.type)
        let browsers = state.withLock { state in
            state.local.services[name] = (NetworkPlace(address: address, port: service.port), service.text)
            return state.local.browsers
        }
        for browser in browsers { browser.add(name, service.text) }
    }

    package func removeService(_ name: String, type: String) {
        let name = BonjourName(name: name, type: type)
        let browsers = state.withLock { state in
            state.local.services[name] = nil
            return state.local.browsers
        }
        for browser in browsers { browser.remove(name) }
    }

    /// Adds a host, such as `lamp.local`.
    package func addHost(_ name: String, at address: String = "192.0.2.1") {
        state.withLock { $0.local.hosts[name] = address }
    }

    /// The services that the phone offers.
    package var offeredServices: [BonjourService] { state.withLock { $0.local.offered } }

    /// Connects to a port of the phone; nil if it does not listen there.
    package func connect(toPort port: UInt16, from peer: NetworkPlace) -> InMemoryStream? {
        guard let listener = state.withLock({ $0.local.listeners[port] }) else { return nil }
        let stream = InMemoryStream(port: port, by: listener.transport)
        state.withLock { $0.streams.append(stream) }
        listener.accepted.append((stream, peer))
        return stream
    }

    package func browse(_ type: String, domain: String?, readingText readsText: Bool) async throws -> any RadioBrowser {
        let browser = InMemoryBrowser(type, readingText: readsText)
        let known = state.withLock { state in
            state.local.browsers.append(browser)
            return state.local.services
        }
        for (name, service) in known { browser.add(name, service.text) }
        return browser
    }

    package func place(of service: BonjourName) async throws -> NetworkPlace {
        guard let place = state.withLock({ $0.local.services[service]?.place }) else {
            throw RadioError.noAnswer("nobody offers \(service)")
        }
        return place
    }

    package func address(ofHost name: String) async throws -> String {
        guard let address = state.withLock({ $0.local.hosts[name] }) else {
            throw RadioError.noAnswer("nobody is called \(name)")
        }
        return address
    }

    package func publish(_ service: BonjourService, renaming isRenamed: Bool) async throws -> any RadioPublication {
        var service = service
        let isTaken = state.withLock { state in
            state.local.services[BonjourName(name: service.name, type: service.type)] != nil
        }
        if isTaken {
            guard isRenamed else { throw RadioError.invalid("somebody else offers a service of this name") }
            service.name += " (2)"
        }
        state.withLock { [service] in $0.local.offered.append(service) }
        return InMemoryPublication(service, on: self)
    }

    package func listen(at port: UInt16, by transport: InternetTransport) async throws -> any RadioListener {
        try state.withLock { state in
            let number = port == 0 ? 49_152 + UInt16(state.local.listeners.count) : port
            guard state.local.listeners[number] == nil else {
                throw RadioError.streamFailed(code: EADDRINUSE, reason: "the port \(number) is in use")
            }
            let listener = InMemoryListener(port: number, by: transport) { [weak self] in
                self?.state.withLock { _ = $0.local.listeners.removeValue(forKey: number) }
            }
            state.local.listeners[number] = listener
            return listener
        }
    }
}

private let ended = RadioError.streamFailed(code: ECONNABORTED, reason: "it was closed")

final class InMemoryBrowser: RadioBrowser {
    private let type: String
    private let readsText: Bool
    private let log = EventLog<BonjourChange>()
    private let seen = Mutex(0)

    init(_ type: String, readingText readsText: Bool) { (self.type, self.readsText) = (type, readsText) }

    func add(_ name: BonjourName, _ text: [Data]) {
        log.append(name.type == type ? .found(name, text: readsText ? text : nil) : .otherType(name.type))
    }

    func remove(_ name: BonjourName) { if name.type == type { log.append(.lost(name)) } }

    func changes() async throws -> [BonjourChange] {
        let change = try await log.first(from: seen.withLock { $0 })
        seen.withLock { $0 = change.next }
        return [change.event]
    }

    func close() { log.finish(throwing: ended) }
}

private final class InMemoryPublication: RadioPublication {
    private let service: Mutex<BonjourService>
    private let radio: InMemoryRadio
    private let names = EventLog<String>()

    init(_ service: BonjourService, on radio: InMemoryRadio) {
        self.service = Mutex(service)
        self.radio = radio
        names.append(service.name)
    }

    func registeredName(after known: Int) async throws -> String { try await names.first(from: known).event }

    func setText(_ text: [Data]) async throws {
        try radio.state.withLock { state in
            guard let index = state.local.offered.firstIndex(of: service.withLock { $0 }) else { throw ended }
            service.withLock { $0.text = text }
            state.local.offered[index].text = text
        }
    }

    func close() {
        names.finish(throwing: ended)
        radio.state.withLock { state in state.local.offered.removeAll { $0 == service.withLock { $0 } } }
    }
}

final class InMemoryListener: RadioListener {
    let port: UInt16
    let transport: InternetTransport
    let accepted = EventLog<(InMemoryStream, NetworkPlace)>()
    private let seen = Mutex(0)
    private let closed: @Sendable () -> Void

    init(port: UInt16, by transport: InternetTransport, closed: @escaping @Sendable () -> Void) {
        (self.port, self.transport, self.closed) = (port, transport, closed)
    }

    func accept() async throws -> (stream: any RadioStream, peer: NetworkPlace) {
        let next = try await accepted.first(from: seen.withLock { $0 })
        seen.withLock { $0 = next.next }
        return (next.event.0, next.event.1)
    }

    func close() {
        closed()
        accepted.finish(throwing: ended)
    }
}
