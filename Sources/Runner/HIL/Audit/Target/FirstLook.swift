import HILBluetoothHost
import HILTiming
import RadioModel
import RigModel

/// What somebody finds out about an accessory who passes by: what it advertises, and what of it is for paired phones.
///
/// Nothing of it is changed: a write is prepared without a value, and cancelled.
struct FirstLook: Sendable {
    /// An advertisement with a service or a company's data.
    let advertisement: Advertisement
    /// Why an owner pairs, as the end of a sentence: `FF01 is for paired phones`; nil if nothing asks for it.
    let reasonToPair: String?

    /// How long it may take until a picker could show it.
    private static let limit = Duration.seconds(20)

    /// An address of its own: what a stranger does with the accessory does not concern it.
    private static let address = DeviceAddress(bytes: [0x02, 0, 0, 0, 0x07, 0xB0])

    /// - Throws: ``NoTarget`` if a picker cannot show it; ``StackFailure`` if it takes no link.
    @MainActor
    static func take(in lab: Lab) async throws -> FirstLook {
        guard lab.hostController == nil else {
            let lack = RigLacks(
                "who passes by needs a controller beside the phone's, which a bench does not have: audit a scenario that "
                    + "switches the accessory on")
            lab.recorder.recordOnce(lack)
            throw lack
        }
        let passerBy = try await Stranger.appear(
            in: lab, with: .attacker, near: Bystanders(near: lab), at: address, attacks: false)
        do {
            let look = try await take(by: passerBy)
            await passerBy.leave()
            return look
        } catch {
            await passerBy.leave()
            throw error
        }
    }

    @MainActor
    private static func take(by passerBy: Stranger) async throws -> FirstLook {
        let heard: Discovery
        do { heard = try await passerBy.hear(within: limit) { $0.advertisement.hasKey } } catch is TimedOut {
            throw NoTarget(
                passerBy.events.contains { if case .heard(let some) = $0 { some.isConnectable } else { false } })
        }
        let device = heard.device.address
        // Who passes by pairs with nobody: Pairing Failed, Pairing Not Supported (Core Specification 6.0, Vol 3, Part H, 3.5.5).
        let received = await passerBy.watchPairing { code, _ in
            code == .pairingRequest ? [SMPCommand.Code.pairingFailed.rawValue, 0x05] : nil
        }
        try await passerBy.connect(to: device)
        let closed = try await closed(of: device, to: passerBy)
        await passerBy.disconnect(from: device)
        let reason =
            if received.codes.contains(.securityRequest) {
                "it asks for it as soon as it is connected"
            } else if let first = closed.first {
                "\(first)\(closed.count > 1 ? " and \(closed.count - 1) more are" : " is") for paired phones"
            } else { String?.none }
        return FirstLook(advertisement: heard.advertisement, reasonToPair: reason)
    }

    /// The characteristics that are refused to somebody without a key.
    @MainActor
    private static func closed(of device: DeviceAddress, to passerBy: Stranger) async throws -> [String] {
        var closed: [String] = []
        for value in try await AttributeMap.read(of: device, by: passerBy).values {
            var requests: [ATTPDU] = []
            if value.isReadable { requests.append(.readRequest(handle: value.handle)) }
            for handle in [value.isWritable || value.takesCommands ? value.handle : nil, value.configuration] {
                if let handle { requests.append(.prepareWriteRequest(AttributeWrite(handle, []))) }
            }
            for request in requests {
                let answer = try await passerBy.request(request, of: device)
                if case .prepareWriteRequest = request {
                    _ = try await passerBy.request(.executeWriteRequest(commits: false), of: device)
                }
                guard answer.wantsKey else { continue }
                closed.append(value.uuid.namedText)
                break
            }
        }
        return closed
    }
}

/// Why no owner can set an accessory up with a picker.
struct NoTarget: Error, CustomStringConvertible {
    let description: String

    /// - Parameter isHeard: Whether it advertises at all.
    init(_ isHeard: Bool) {
        description =
            isHeard
            ? "it advertises neither a service nor a company's data, so that no picker shows it: "
                + "audit a scenario whose app finds it in another way"
            : "nothing advertises that takes a connection: if the accessory waits for a button or a command, "
                + "audit a scenario that does it"
    }
}

extension Advertisement {
    /// Whether a picker can find it.
    fileprivate var hasKey: Bool { serviceUUID != nil || company != nil }

    /// A service that it lists, or has data for.
    var serviceUUID: BluetoothUUID? {
        serviceUUIDs.first ?? serviceData.keys.min { $0.description < $1.description }
    }

    /// The company of its data.
    var company: UInt16? { manufacturerData.keys.min() }
}

extension ATTPDU {
    /// Whether the answer asks for a key, or a better one.
    fileprivate var wantsKey: Bool {
        guard case .errorResponse(_, _, let error) = self else { return false }
        return AttributeAccess.Answer.refused(error.code).protection != nil
    }
}
