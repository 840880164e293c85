import Foundation
import HILTiming
import RadioModel

/// A request to a peripheral's attribute server that is under way.
struct OpenRequest: Sendable {
    let number: Int
    /// The request as a noun phrase: `write of 01 02 to 4C410002-… of Lamp 7`.
    let what: String
    let began: ContinuousClock.Instant
}

/// The requests of apps to peripherals, in words.
extension PhoneBluetooth {
    /// The requests that no peripheral has answered yet, the oldest first:
    /// `write of 01 02 to 4C410002-… of Lamp 7 not answered for 4.8 s`.
    public var unanswered: [String] {
        openRequests.map { "\($0.what) not answered for \((ContinuousClock.now - $0.began).short)" }
    }

    /// A value that a peripheral has notified or indicated, in words: `notified by Lamp 7, colour (4C410002): 01 02`.
    public func words(forValue value: Data, of characteristic: CharacteristicID, by device: DeviceAddress) -> String {
        let peripheral = phone.identifiers.identifier(of: device)
        return
            "notified by \(name(of: peripheral)), \(name(of: characteristic.handle, on: peripheral)): \(Hex.spaced(value))"
    }

    private func name(of peripheral: UUID) -> String {
        heardName(of: peripheral) ?? phone.identifiers.address(of: peripheral)?.description ?? "a peripheral"
    }

    private func name(of handle: UInt16, on peripheral: UUID) -> String {
        attributeName(handle, of: peripheral)?.namedText ?? "handle \(handle)"
    }

    /// A request in words, with the names of its peripheral and its attribute.
    func words(for request: GATTRequest, to peripheral: UUID) -> String {
        let who = name(of: peripheral)
        func attribute(_ handle: UInt16) -> String { name(of: handle, on: peripheral) }
        switch request {
        case .services: return "discovery of the services of \(who)"
        case .characteristics, .includedServices, .descriptors: return "discovery on \(who)"
        case .read(let id): return "read of \(attribute(id.handle)) of \(who)"
        case .write(let id, let value, let withResponse):
            return
                "write \(withResponse ? "" : "without response ")of \(Hex.spaced(value)) to \(attribute(id.handle)) of \(who)"
        case .setNotifying(let id, let isOn):
            return "\(isOn ? "subscription to" : "end of the subscription to") \(attribute(id.handle)) of \(who)"
        case .readDescriptor(let id): return "read of the descriptor \(attribute(id.handle)) of \(who)"
        case .writeDescriptor(let id, let value):
            return "write of \(Hex.spaced(value)) to the descriptor \(attribute(id.handle)) of \(who)"
        case .signal: return "reading of the signal of \(who)"
        case .openChannel(let port): return "opening of L2CAP channel \(port) to \(who)"
        }
    }
}

extension GATTAnswer {
    /// The outcome of a request, for the log; nil if the log does not need it.
    var outcome: String? {
        switch self {
        case .services(_, .success(let services)): "\(services.count) services"
        case .services(_, .failure(let why)), .value(_, .failure(let why)), .descriptorValue(_, .failure(let why)),
            .channel(_, .failure(let why)):
            "\(why)"
        case .value(_, .success(let value)), .descriptorValue(_, .success(let value)): Hex.spaced(value)
        case .written(_, let failure), .notifying(_, _, let failure), .descriptorWritten(_, let failure):
            failure.map { "\($0)" } ?? "done"
        case .sent: "sent"
        case .channel(_, .success): "open"
        case .characteristics, .includedServices, .descriptors, .signal, .servicesChanged: nil
        }
    }
}
