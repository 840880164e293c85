import BoardProtocol
import Foundation
import RadioModel

/// The Wi-Fi of a host board, reached through its agent.
package final class BoardWiFi: WiFiRadio {
    package let events: AsyncStream<RadioEvent>
    let board: BoardClient
    private let pump: Task<Void, Never>

    /// - Parameter board: A connected host board whose radios are powered.
    package init(_ board: BoardClient) {
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

    package func setWiFiPower(_ isOn: Bool) async throws { try await board.ask { .station(.setPower(isOn, $0)) } }
    package func leaveWiFi() async throws { try await board.ask { .station(.leave($0)) } }

    package func discoverWiFiAware(_ isOn: Bool) async throws {
        try await board.ask { .station(.discoverWiFiAware(isOn, $0)) }
    }

    package func scanWiFi(forHidden ssid: String?) async throws -> [WiFiNetwork] {
        try await board.ask { .station(.scan(hidden: ssid, $0)) }
    }

    package func joinWiFi(_ credentials: WiFiCredentials) async throws -> WiFiLink {
        try await board.ask(within: .seconds(45)) { .station(.join(credentials, $0)) }
    }

    package func exchange(_ request: Data, with address: String, port: UInt16) async throws -> Data {
        try await board.ask { .station(.exchange(address: address, port: port, request: request, $0)) }
    }

    package func openStream(
        to address: String, port: UInt16, by transport: InternetTransport
    ) async throws -> any RadioStream {
        let number = try await board.ask {
            .station(.openStream(address: address, port: port, by: transport, $0))
        }
        return BoardStream(number, on: board)
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
