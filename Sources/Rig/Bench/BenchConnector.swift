import BoardProtocol
import HILPOSIX
import RadioModel
import RigModel

/// Connects workers to benches.
package struct BenchConnector: RigConnector {
    package init() {}

    package var kind: String { BenchRigs.kind }

    package func connect(to endpoint: RigEndpoint) async throws -> RigConnection {
        let name = endpoint.addresses["bench"] ?? "without a name"
        return try await RigFailure.doing("connecting to bench \(name)") {
            // The agents have just been started.
            async let host = host(of: endpoint)
            async let accessory = accessory(of: endpoint)
            var connection = RigConnection(
                endpoint.description, host: try await host, accessory: try await accessory)
            connection.home = try await home(of: endpoint)
            if endpoint.addresses[BoardRole.accessory.rawValue] == nil { connection.absence = absence }
            return connection
        }
    }

    private func home(of endpoint: RigEndpoint) async throws -> BenchHomeConnection? {
        if let name = endpoint.addresses["homeNetwork"] {
            let file = RealHomeFile(path: try endpoint.address("homeNetworkFile"))
            return .network(try file.home(named: name))
        }
        guard let radio = endpoint.addresses["homeRadio"].flatMap({ DeviceAddress($0) }) else { return nil }
        guard let path = endpoint.addresses[HeldBench.homePart] else { return .radio(radio) }
        return .board(try await BoardClient.connect(to: path, role: .host, within: .seconds(60)), radio: radio)
    }

    private func host(of endpoint: RigEndpoint) async throws -> BoardClient {
        if let path = endpoint.addresses[BoardRole.host.rawValue] {
            return try await BoardClient.connect(to: path, role: .host, within: .seconds(60))
        }
        return try await AbsentBoard.connect("the phone is in a person's hand: there is no host board", role: .host)
    }

    private func accessory(of endpoint: RigEndpoint) async throws -> BoardClient {
        if let path = endpoint.addresses[BoardRole.accessory.rawValue] {
            return try await BoardClient.connect(to: path, role: .accessory, within: .seconds(60))
        }
        return try await AbsentBoard.connect(absence)
    }

    private var absence: String { "the bench has no accessory board: its accessory is a device" }
}
