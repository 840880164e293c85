import BoardProtocol
import Foundation
import HILTiming
import RadioModel
import RigModel

/// Offers a virtual air's faults, distance, radios and capture as the facets of a rig.
package struct AirFacets: AirControl, DistanceControl, AdapterControl, HostStackControl, PhoneControllerControl,
    Sendable
{
    /// Sends a request to the air and returns its answer. Throws if the air refuses.
    package typealias Ask = @Sendable (AirRequest) async throws -> AirReply

    private let ask: Ask

    package init(ask: @escaping Ask) { self.ask = ask }

    /// The facets of the air that this client is connected to.
    package init(_ client: AirClient) { self.init { try await client.ask($0, within: $0.timeLimit) } }

    /// The capture facet of the same air.
    package var capture: any CaptureControl { AirCapture(ask: ask) }

    package func arm(_ fault: AirFault, firings: Int) async throws -> Int {
        guard case .armed(let number) = try await ask(.arm(fault, firings: firings)) else {
            throw RigFailure("arming the fault “\(fault)”", on: "the air", "it returned no number for the fault")
        }
        return number
    }

    package func disarm(_ number: Int) async throws -> Int {
        guard case .disarmed(let fired) = try await ask(.disarm(number)) else {
            throw RigFailure("disarming a fault", on: "the air", "it does not report how often the fault fired")
        }
        return fired
    }

    package func add(_ station: AirStation) async throws { _ = try await ask(.add(station)) }

    package func remove(_ address: DeviceAddress) async throws { _ = try await ask(.remove(address)) }

    package func set(metres: Double?) async throws { _ = try await ask(.setDistance(metres: metres)) }

    package func set(metres: Double?, ofHomeFrom board: BoardRole) async throws {
        _ = try await ask(.setHome(metres: metres, from: board))
    }

    package func walk(along path: [AirWaypoint]) async throws { _ = try await ask(.move(path)) }

    package func attach(_ radio: AirRadio, to board: BoardRole, adapter: AdapterID) async throws -> DeviceAddress {
        _ = try await ask(.attach(board, radio, adapter: adapter))
        return AirAddress.of(radio, on: board, adapter: adapter)
    }

    package func detach(_ radio: AirRadio, from board: BoardRole, adapter: AdapterID) async throws {
        _ = try await ask(.detach(board, radio, adapter: adapter))
    }

    package func silence(_ radio: AirRadio, of board: BoardRole) async throws {
        _ = try await ask(.silence(board, radio))
    }

    package func attachStack(at address: DeviceAddress?) async throws -> HostStackPort {
        try await port(of: .attachStack(address: address))
    }

    package func attachPhone() async throws -> HostStackPort { try await port(of: .attachPhone) }

    package func detachPhone() async throws { _ = try await ask(.detachStack(.phone)) }

    private func port(of request: AirRequest) async throws -> HostStackPort {
        guard case .stack(let port) = try await ask(request) else {
            throw RigFailure(
                "making a controller for a host stack", on: "the air", "it does not report the socket's path")
        }
        return port
    }

    package func detachStack(_ adapter: AdapterID) async throws { _ = try await ask(.detachStack(adapter)) }
}

/// The capture that a virtual air writes.
private struct AirCapture: CaptureControl {
    let ask: AirFacets.Ask

    func start(into path: String) async throws { _ = try await ask(.startCapture(path: path)) }

    func soFar() async throws -> [UInt8] {
        // The air writes its packets to the file right after it answers. Once it answers a second time, the packets
        // up to the first answer are in the file.
        _ = try await status()
        guard let path = try await status().capturePath else {
            throw RigFailure("reading the capture", on: "the air", "it no longer captures")
        }
        guard let file = FileManager.default.contents(atPath: path) else {
            throw RigFailure("reading the capture", "\(path) is gone")
        }
        return [UInt8](file)
    }

    /// Ends the capture. It is incomplete if it has no packets although a board sent frames to its Bluetooth radio.
    func stop() async throws {
        guard case .captured(let packets) = try await ask(.stopCapture) else {
            throw RigFailure("ending the capture", on: "the air", "it does not report the captured packets")
        }
        guard packets == 0 else { return }
        let count = try await status().links.reduce(0) { $0 + ($1.radio == .bluetooth ? $1.framesFromBoard : 0) }
        if count > 0 {
            throw RigFailure("ending the capture", "it has no packets, although the boards sent \(count) frames")
        }
    }

    private func status() async throws -> AirStatus {
        guard case .status(let status) = try await ask(.status) else {
            throw RigFailure("asking for the status", on: "the air", "it answered something else")
        }
        return status
    }
}
