import Foundation
import HILTiming
import RadioModel

/// A request to a peripheral's attribute server that is under way.
struct OpenRequest: Sendable {
    let number: Int
    /// The request as a noun phrase: `write of 01 02 to 4C410002-… of Lamp 7`.
    let what: String
    /// The handle of its attribute; nil if it is not about one.
    let handle: UInt16?
    let began: ContinuousClock.Instant
}

/// The requests of apps to peripherals, in words.
extension PhoneBluetooth {
    /// The requests that no peripheral has answered yet, the oldest first:
    /// `write of 01 02 to 4C410002-… of Lamp 7 (handle 18) not answered for 4.8 s`.
    package var unanswered: [String] {
        openRequests.map { request in
            let place = request.handle.map { " (handle \($0))" } ?? ""
            return "\(request.what)\(place) not answered for \((ContinuousClock.now - request.began).short)"
        }
    }

    /// A value that a peripheral has notified or indicated, in words: `notified by Lamp 7, colour (4C410002): 01 02`.
    package func words(forValue value: Data, of characteristic: CharacteristicID, by device: DeviceAddress) -> String {
        let peripheral = phone.identifiers.identifier(of: device)
        return
            "notified by \(name(of: peripheral)), \(name(of: characteristic.handle, on: peripheral)): \(Hex.withText(value))"
    }

    /// The name by which the person knows a device: what it says of itself, or else its address.
    func name(of device: DeviceAddress) -> String { name(of: phone.identifiers.identifier(of: device)) }

    func name(of peripheral: UUID) -> String {
        heardName(of: peripheral) ?? phone.identifiers.address(of: peripheral)?.description ?? "a peripheral"
    }

    func name(of handle: UInt16, on peripheral: UUID) -> String {
        attributeName(handle, of: peripheral)?.namedText ?? "handle \(handle)"
    }

    /// The system's own request for the name of a peripheral.
    func words(forNameOf peripheral: UUID) -> String {
        "reading of the name (2A00) of \(name(of: peripheral))"
    }

    /// A request in words, with the names of its peripheral and its attribute.
    func words(for request: GATTRequest, to peripheral: UUID) -> String {
        let who = name(of: peripheral)
        func attribute(_ handle: UInt16) -> String { name(of: handle, on: peripheral) }
        switch request {
        case .services(let wanted):
            let which = wanted.map { " " + $0.map(\.namedText).joined(separator: ", ") } ?? ""
            return "discovery of the services\(which) of \(who)"
        case .characteristics(let service, _):
            return "discovery of the characteristics in \(attribute(service)) of \(who)"
        case .includedServices(let service, _):
            return "discovery of the services included in \(attribute(service)) of \(who)"
        case .descriptors(let id): return "discovery of the descriptors of \(attribute(id.handle)) of \(who)"
        case .read(let id): return "read of \(attribute(id.handle)) of \(who)"
        case .write(let id, let value, let withResponse):
            return
                "write \(withResponse ? "" : "without response ")of \(Hex.withText(value)) to \(attribute(id.handle)) of \(who)"
        case .setNotifying(let id, let isOn):
            return "\(isOn ? "subscription to" : "end of the subscription to") \(attribute(id.handle)) of \(who)"
        case .readDescriptor(let id): return "read of the descriptor \(attribute(id.handle)) of \(who)"
        case .writeDescriptor(let id, let value):
            return "write of \(Hex.withText(value)) to the descriptor \(attribute(id.handle)) of \(who)"
        case .signal: return "reading of the signal of \(who)"
        case .openChannel(let port): return "opening of L2CAP channel \(port) to \(who)"
        }
    }
}

extension GATTRequest {
    /// The handle of the attribute that it is about; nil if it is not about one.
    var handle: UInt16? {
        switch self {
        case .services, .signal, .openChannel: nil
        case .characteristics(let service, _), .includedServices(let service, _): service
        case .read(let id), .write(let id, _, _), .setNotifying(let id, _), .descriptors(let id): id.handle
        case .readDescriptor(let id), .writeDescriptor(let id, _): id.handle
        }
    }
}

extension GATTAnswer {
    /// The attributes that it names, by handle.
    var names: [(handle: UInt16, uuid: BluetoothUUID)] {
        switch self {
        case .services(_, .success(let services)), .includedServices(_, _, .success(let services)):
            services.map { ($0.handle, $0.uuid) }
        case .characteristics(_, _, .success(let found)): found.map { ($0.id.handle, $0.uuid) }
        case .descriptors(_, .success(let descriptors)): descriptors.map { ($0.id.handle, $0.uuid) }
        default: []
        }
    }

    /// The outcome of a request, for the log; nil if the log does not need it.
    var outcome: String? {
        switch self {
        case .services(_, .success(let services)): "\(services.count) services"
        case .services(_, .failure(let why)), .characteristics(_, _, .failure(let why)),
            .includedServices(_, _, .failure(let why)), .descriptors(_, .failure(let why)),
            .value(_, .failure(let why)), .descriptorValue(_, .failure(let why)), .channel(_, .failure(let why)):
            "\(why)"
        case .value(_, .success(let value)), .descriptorValue(_, .success(let value)): Hex.withText(value)
        case .written(_, let failure), .notifying(_, _, let failure), .descriptorWritten(_, let failure):
            failure.map { "\($0)" } ?? "done"
        case .sent: "sent"
        case .channel(_, .success): "open"
        case .characteristics, .includedServices, .descriptors, .signal, .servicesChanged: nil
        }
    }
}
