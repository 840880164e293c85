import Foundation
import HILPhone
import HILTiming
import HostRadio
import PeripheralModel
import RadioModel

extension Lab {
    /// Records an accessory that is on the air as a declaration: the phone listens, connects, and reads everything that
    /// may be read. It pairs if something needs that, as the phone's person does it, and forgets the accessory at the end.
    /// Nothing of the accessory is changed.
    ///
    /// `hil record` writes the result as Swift. No app of the phone should use the accessory meanwhile.
    ///
    /// - Throws: `TimedOut` if no such accessory is heard; `RadioError` if it cannot be
    ///   connected to, or is lost.
    public func record(_ target: RecordedAccessory.Target) async throws -> RecordedAccessory {
        try await AccessoryRecorder(phone).record(target)
    }
}

/// Records an accessory with the phone's radio.
struct AccessoryRecorder: Sendable {
    /// How long an accessory is listened to after it was heard first, so that the scan response and advertisements in
    /// turn are heard.
    private static let listening = Duration.seconds(2)
    /// How long to wait for the first advertisement.
    private static let search = Duration.seconds(20)

    let phone: Phone
    private let clock: any Clock<Duration>

    init(_ phone: Phone, clock: any Clock<Duration> = ContinuousClock()) {
        self.phone = phone
        self.clock = clock
    }

    func record(_ target: RecordedAccessory.Target) async throws -> RecordedAccessory {
        guard let probing = phone.radio as? any AttributeProbing else {
            throw RadioError.unsupported("this radio cannot find out what an accessory allows")
        }
        let radio = phone.radio
        let mark = phone.log.mark
        let heard = try await listen(for: target)
        let device = heard.address
        var findings: AccessoryFindings
        do {
            try await radio.connect(device)
            findings = AccessoryFindings(advertisement: heard, services: try await radio.discoverEverything(of: device))
            try await radio.disconnect(device)
            for access in try await probing.probe(device, findings.wanted) { findings.accesses[access.handle] = access }
            try await radio.connect(device)
            if findings.needsPairing { findings.pairing = await pair(device) }
            if case .failed = findings.pairing {
                // A pairing that fails ends the link, sooner or later.
                try? await radio.disconnect(device)
                try await radio.connect(device)
            }
            try await read(&findings, of: device)
        } catch {
            try? await radio.forget(device)
            throw error
        }
        findings.hasPrivateAddress = phone.log.contains(.addressChanged(of: device), since: mark)
        try await radio.forget(device)
        return findings.recording
    }

    /// The last advertisement of the accessory, which has the fields of all before it.
    private func listen(for target: RecordedAccessory.Target) async throws -> Advertisement {
        let mark = phone.log.mark
        try await phone.radio.startDiscovery()
        do {
            let pattern = EventPattern<PhoneEvent, Advertisement>.advertisement(of: target)
            let first = try await phone.log.first(pattern, since: mark, within: Self.search, clock: clock).value
            try await clock.sleep(for: Self.listening)
            try await phone.radio.stopDiscovery()
            let whole = EventPattern<PhoneEvent, Advertisement>.advertisement(of: .address(first.address))
            return phone.log.last(whole, since: mark) ?? first
        } catch {
            try? await phone.radio.stopDiscovery()
            throw error
        }
    }

    private func pair(_ device: DeviceAddress) async -> AccessoryFindings.Pairing {
        let mark = phone.log.mark
        do {
            let bond = try await phone.radio.pair(device)
            var pairing = phone.log.last(.pairingQuestion, since: mark) ?? .justWorks
            pairing.hasSecureConnections = bond.isSecureConnections
            return .paired(pairing, bond)
        } catch { return .failed("\(error)") }
    }

    private func read(_ findings: inout AccessoryFindings, of device: DeviceAddress) async throws {
        let isPaired = if case .paired = findings.pairing { true } else { false }
        func read(_ handle: UInt16, _ body: () async throws -> Data) async throws {
            guard isPaired || !findings.isProtected(handle) else { return }
            do { findings.values[handle] = .value(try await body()) } catch RadioError.attribute(let code) {
                findings.values[handle] = .refused(code)
            }
        }
        for characteristic in findings.services.flatMap(\.characteristics) {
            if characteristic.properties.contains(.read) {
                try await read(characteristic.id.handle) { try await phone.radio.read(characteristic.id, of: device) }
            }
            for descriptor in characteristic.descriptors
            where findings.accesses[descriptor.id.handle]?.reading ?? .unknown != .unknown {
                try await read(descriptor.id.handle) { try await phone.radio.read(descriptor.id, of: device) }
            }
        }
    }
}

extension EventPattern where Event == PhoneEvent, Value == Advertisement {
    static func advertisement(of target: RecordedAccessory.Target) -> Self {
        Self("\(target)") { event in
            guard case .radio(.advertisement(let heard)) = event.kind else { return nil }
            return switch target {
            case .named(let name): heard.name == name ? heard : nil
            case .address(let address): heard.address == address ? heard : nil
            }
        }
    }
}

extension EventPattern where Event == PhoneEvent, Value == Void {
    fileprivate static func addressChanged(of device: DeviceAddress) -> Self {
        Self("another address of \(device)") {
            if case .radio(.addressChanged(device, _)) = $0.kind { () } else { nil }
        }
    }
}

extension EventPattern where Event == PhoneEvent, Value == PeripheralPairing {
    /// What the phone asked its person, which shows how the accessory pairs.
    fileprivate static var pairingQuestion: Self {
        Self("a question during pairing") {
            switch $0.kind {
            case .radio(.confirmPasskey): .numericComparison
            case .radio(.enterPasskey): .showsPasskey
            case .radio(.showPasskey): .entersPasskey
            default: nil
            }
        }
    }
}
