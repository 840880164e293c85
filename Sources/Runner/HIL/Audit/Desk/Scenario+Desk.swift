import Foundation
import HILAudit
import HILBluetoothHost
import HILPhone
import HILRecord
import HILTiming
import HostRadio
import RadioModel
import RigModel

extension Scenario {
    /// The journey of somebody who has a device on the desk and no app for it: the phone connects, discovers, and reads what
    /// anybody may read. An audit of the device attacks between two of these.
    ///
    /// - Parameter title: What it is; nil where nobody reads it.
    package static func onTheDesk(_ title: String? = nil) -> Scenario {
        Scenario(
            title ?? "a device on the desk", .audits(.undeclared), .withoutAccessoryBoard, .budget(.seconds(60))
        ) { lab in
            guard let device = lab.attack.device else { throw RadioError.invalid("no device is named") }
            try await DeskVisit(lab, device).make()
        }
    }
}

/// What a phone does with a device that it has not set up.
@MainActor
private struct DeskVisit {
    private let lab: Lab
    private let device: AuditedDevice
    private var address: DeviceAddress { device.address.address }

    init(_ lab: Lab, _ device: AuditedDevice) { (self.lab, self.device) = (lab, device) }

    func make() async throws {
        lab.recorder.record(.onAir(address, device.name ?? "the device"))
        try await lab.step("hear", within: .seconds(20)) { try await self.hear() }
        let services = try await lab.step("connect and discover", within: .seconds(30)) {
            try await self.lab.phone.radio.connect(self.address)
            return try await self.lab.phone.radio.discoverEverything(of: self.address)
        }
        let count = try await lab.step("read", within: .seconds(30)) { try await self.read(services) }
        lab.recorder.record(.note(text: "\(count) of the values of \(services.count) services can be read by anybody"))
        try await lab.phone.radio.disconnect(address)
    }

    private func hear() async throws {
        let mark = lab.phone.log.mark
        try await lab.phone.radio.startDiscovery()
        let heard = try? await lab.phone.log.first(
            EventPattern<PhoneEvent, Advertisement>.advertisement(of: .address(address)), since: mark,
            within: .seconds(15))
        try await lab.phone.radio.stopDiscovery()
        if heard != nil { return }
        try lab.requireUnchangedAddress(of: device)
        throw RadioError.connectionFailed("it is not heard at \(address)")
    }

    /// Reads values as they are, and asks for no better protection.
    ///
    /// - Returns: How many were given.
    private func read(_ services: [GATTService]) async throws -> Int {
        var given = 0
        for value in services.flatMap(\.characteristics) where value.properties.contains(.read) {
            let request = ATTPDU.readRequest(handle: value.id.handle)
            let answer = try await lab.phone.bluetooth.raw.request(Data(request.bytes), of: address)
            if case .readResponse? = try? ATTPDU.decode(Array(answer)) { given += 1 }
        }
        return given
    }
}

extension Lab {
    /// Devices that are heard, the nearest first, by their names or their address.
    ///
    /// - Throws: `TimedOut` if none is heard.
    package func search(
        for target: RecordedAccessory.Target, within limit: Duration = .seconds(20)
    ) async throws -> [(device: AuditedDevice, signal: Int)] {
        let pattern = EventPattern<PhoneEvent, Advertisement>.advertisement(of: target)
        let mark = phone.log.mark
        try await phone.radio.startDiscovery()
        do {
            _ = try await phone.log.first(pattern, since: mark, within: limit)
            // Others of this name are heard as well.
            try await clock.sleep(for: .seconds(3))
        } catch {
            try? await phone.radio.stopDiscovery()
            throw error
        }
        try await phone.radio.stopDiscovery()
        var found: [(device: AuditedDevice, signal: Int)] = []
        for heard in phone.log.all(pattern, since: mark).reversed()
        where !found.contains(where: { $0.device.address.address == heard.address }) {
            guard let known = await hostController?.known(heard.address) else { continue }
            found.append((AuditedDevice(name: heard.name, address: known.address), heard.rssi ?? -127))
        }
        return found.sorted { $0.signal > $1.signal }
    }

    /// Ends a check that has lost a device because its address has changed, which is not the device's fault.
    ///
    /// - Throws: `RigLacks` if its address is one that changes.
    func requireUnchangedAddress(of device: AuditedDevice) throws {
        guard device.address.isResolvablePrivate else { return }
        let lack = RigLacks(
            "out of reach: its private address \(device.address.address) has changed, and nobody else may be attacked; "
                + "audit it once more by its name")
        recorder.recordOnce(lack)
        throw lack
    }
}
