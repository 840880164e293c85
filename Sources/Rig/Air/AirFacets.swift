import BoardProtocol
import Foundation
import HILTiming
import RadioModel
import RigModel

/// Offers a virtual air's faults, distance, radios and capture as the facets of a rig.
package struct AirFacets: AirControl, DistanceControl, AdapterControl, HostStackControl, PhoneControllerControl,
    Sendable
{
    private let client: AirClient

    /// The facets of the air that this client is connected to.
    package init(_ client: AirClient) { self.client = client }

    /// The capture facet of the same air.
    package var capture: any CaptureControl { AirCapture(client: client) }

    package func arm(_ fault: AirFault, firings: Int) async throws -> Int {
        try await client.ask { .arm(fault, firings: firings, $0) }
    }

    package func disarm(_ number: Int) async throws -> Int { try await client.ask { .disarm(number, $0) } }

    package func add(_ station: AirStation) async throws { try await client.ask { .add(station, $0) } }

    package func remove(_ address: DeviceAddress) async throws { try await client.ask { .remove(address, $0) } }

    package func set(metres: Double?) async throws { try await client.ask { .setDistance(metres: metres, $0) } }

    package func set(metres: Double?, ofHomeFrom board: BoardRole) async throws {
        try await client.ask { .setHome(metres: metres, from: board, $0) }
    }

    package func walk(along path: [AirWaypoint]) async throws { try await client.ask { .move(path, $0) } }

    package func attach(_ radio: AirRadio, to board: BoardRole, adapter: AdapterID) async throws -> DeviceAddress {
        try await client.ask { .attach(board, radio, adapter: adapter, $0) }
        return AirAddress.of(radio, on: board, adapter: adapter)
    }

    package func detach(_ radio: AirRadio, from board: BoardRole, adapter: AdapterID) async throws {
        try await client.ask { .detach(board, radio, adapter: adapter, $0) }
    }

    package func silence(_ radio: AirRadio, of board: BoardRole) async throws {
        try await client.ask { .silence(board, radio, $0) }
    }

    package func attachStack(at address: DeviceAddress?) async throws -> HostStackPort {
        try await client.ask { .attachStack(address: address, $0) }
    }

    package func attachPhone() async throws -> HostStackPort { try await client.ask { .attachPhone($0) } }

    package func detachPhone() async throws { try await client.ask { .detachStack(.phone, $0) } }

    package func detachStack(_ adapter: AdapterID) async throws { try await client.ask { .detachStack(adapter, $0) } }
}

/// The capture that a virtual air writes.
private struct AirCapture: CaptureControl {
    let client: AirClient

    func start(into path: String) async throws { try await client.ask { .startCapture(path: path, $0) } }

    func soFar() async throws -> [UInt8] {
        // The air writes its packets to the file right after it answers. Once it answers a second time, the packets
        // up to the first answer are in the file.
        _ = try await client.status()
        guard let path = try await client.status().capturePath else {
            throw RigFailure("reading the capture", on: "the air", "it no longer captures")
        }
        guard let file = FileManager.default.contents(atPath: path) else {
            throw RigFailure("reading the capture", "\(path) is gone")
        }
        return [UInt8](file)
    }

    /// Ends the capture. It is incomplete if it has no packets although a board sent frames to its Bluetooth radio.
    func stop() async throws {
        guard try await client.ask({ .stopCapture($0) }) == 0 else { return }
        let count = try await client.status().links.reduce(0) { $0 + ($1.radio == .bluetooth ? $1.framesFromBoard : 0) }
        if count > 0 {
            throw RigFailure("ending the capture", "it has no packets, although the boards sent \(count) frames")
        }
    }
}
