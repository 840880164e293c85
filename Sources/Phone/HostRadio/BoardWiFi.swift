import BoardProtocol
import Foundation
import RadioModel

/// The Wi-Fi of a host board, reached through its agent.
public final class BoardWiFi: WiFiRadio {
    public let events: AsyncStream<RadioEvent>
    let board: BoardClient
    private let pump: Task<Void, Never>

    /// - Parameter board: A connected host board whose radios are powered.
    public init(_ board: BoardClient) {
        self.board = board
        let (events, continuation) = AsyncStream<RadioEvent>.makeStream()
        self.events = events
        pump = Task {
            // The log ends with an error when the agent is lost.
            var events = board.events.events().makeAsyncIterator()
            while let event = try? await events.next() {
                guard case .radio(let event) = event, event.isOfWiFi else { continue }
                continuation.yield(event)
            }
            continuation.finish()
        }
    }

    deinit { pump.cancel() }

    public func setWiFiPower(_ isOn: Bool) async throws { try await perform(.setWiFiPower(isOn)) }
    public func discoverWiFiAware(_ isOn: Bool) async throws { try await perform(.discoverWiFiAware(isOn)) }
    public func leaveWiFi() async throws { try await perform(.leaveWiFi) }

    public func scanWiFi(forHidden ssid: String?) async throws -> [WiFiNetwork] {
        let result = try await board.ask(ssid.map { .scanForHidden(ssid: $0) } ?? .scanWiFi)
        guard case .networks(let networks) = result else { throw unexpected(result, to: "scanWiFi") }
        return networks
    }

    public func joinWiFi(_ credentials: WiFiCredentials) async throws -> WiFiLink {
        let result = try await board.ask(.joinWiFi(credentials), within: .seconds(45))
        guard case .link(let link) = result else { throw unexpected(result, to: "joinWiFi") }
        return link
    }

    public func exchange(_ request: Data, with address: String, port: UInt16) async throws -> Data {
        let result = try await board.ask(.exchange(address: address, port: port, request: request))
        guard case .value(let value) = result else { throw unexpected(result, to: "exchange") }
        return value
    }

    public func openStream(
        to address: String, port: UInt16, by transport: InternetTransport
    ) async throws -> any RadioStream {
        let result = try await board.ask(.openStream(address: address, port: port, by: transport))
        guard case .number(let number) = result else { throw unexpected(result, to: "openStream") }
        return BoardStream(number, on: board)
    }

    private func perform(_ command: BoardCommand) async throws {
        let result = try await board.ask(command)
        guard case .done = result else { throw unexpected(result, to: command.name) }
    }

    private func unexpected(_ result: BoardResult, to command: String) -> RadioError {
        .rig("the host board answered \(command) with \(result)")
    }
}

extension RadioEvent {
    /// An agent may be another program: only these events come from a board.
    fileprivate var isOfWiFi: Bool {
        switch self {
        case .wifiLost, .wifiPower, .wifiAware: true
        default: false
        }
    }
}
