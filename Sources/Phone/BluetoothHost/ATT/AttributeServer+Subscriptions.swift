import RadioModel

/// Notifications and indications, and who asked for them.
///
/// Source: Core Specification 6.0, Vol 3, Part F, 3.4.7; Part G, 3.3.3.3, 4.10 and 4.11.
extension AttributeServer {
    /// A value on its way to a client that must confirm it.
    struct Indication: Sendable {
        let value: HandleValue
        /// The descriptor by which the client subscribed.
        let configurationHandle: UInt16
        let isServiceChanged: Bool
    }

    /// The subscription of the client.
    ///
    /// - Parameter handle: The handle of the characteristic's value.
    package func subscription(of handle: UInt16, in database: AttributeDatabase) -> ClientConfiguration {
        database.configurationHandle(ofValue: handle).flatMap { configurations[$0] } ?? []
    }

    /// Brings the subscriptions of a bonded client back. Descriptors that are no longer there are left out.
    package mutating func restore(
        _ saved: [UInt16: ClientConfiguration], in database: AttributeDatabase
    ) -> [Output] {
        saved.sorted { $0.key < $1.key }.flatMap { handle, saved in
            guard case .configuration(let owner, let supported)? = database.attribute(at: handle)?.content else {
                return [Output]()
            }
            return configure(handle, ofValue: owner, saved.intersection(supported))
        }
    }

    mutating func configure(_ handle: UInt16, ofValue owner: UInt16, _ new: ClientConfiguration) -> [Output] {
        guard new != configurations[handle] ?? [] else { return [] }
        configurations[handle] = new.isEmpty ? nil : new
        return [.subscribed(handle: owner, notifies: new.contains(.notifies), indicates: new.contains(.indicates))]
    }

    /// Sends a value, cut to the MTU, to a client that has subscribed.
    package func notify(_ value: [UInt8], of handle: UInt16, in database: AttributeDatabase) -> [Output] {
        guard end == nil, subscription(of: handle, in: database).contains(.notifies) else { return [] }
        guard !isChangeUnaware else { return [.unsent(handle: handle, AttributeServer.unawareText)] }
        return reply(.notification(HandleValue(handle, Array(value.prefix(mtu - 3)))))
    }

    /// Sends a value, cut to the MTU, to a client that has subscribed, when it has confirmed all earlier ones.
    package mutating func indicate(
        _ value: [UInt8], of handle: UInt16, at now: Duration, in database: AttributeDatabase
    ) -> [Output] {
        guard end == nil, let descriptor = database.configurationHandle(ofValue: handle),
            configurations[descriptor]?.contains(.indicates) == true
        else { return [] }
        let isServiceChanged = database.attribute(at: handle)?.type == AttributeType.serviceChanged
        guard isServiceChanged || !isChangeUnaware else {
            return [.unsent(handle: handle, AttributeServer.unawareText)]
        }
        guard indications.count < configuration.indicationQueueLimit else {
            return [.unsent(handle: handle, "\(indications.count) indications wait for confirmations")]
        }
        indications.append(
            Indication(
                value: HandleValue(handle, value), configurationHandle: descriptor, isServiceChanged: isServiceChanged))
        return sendIndication(at: now)
    }

    private static let unawareText = "the client does not know of the change of the database"

    private mutating func sendIndication(at now: Duration) -> [Output] {
        var outputs: [Output] = []
        while unconfirmed == nil, !indications.isEmpty {
            let next = indications.removeFirst()
            let handle = next.value.handle
            guard configurations[next.configurationHandle]?.contains(.indicates) == true else {
                outputs.append(.unsent(handle: handle, "the client has unsubscribed"))
                continue
            }
            unconfirmed = (next, now + configuration.confirmationLimit)
            outputs += reply(.indication(HandleValue(handle, Array(next.value.value.prefix(mtu - 3)))))
        }
        return outputs
    }

    mutating func receiveConfirmation(_ bytes: [UInt8], at now: Duration) -> [Output] {
        guard bytes.count == 1 else {
            return [.violation("Handle Value Confirmation of \(bytes.count) bytes: \(Hex.spaced(bytes))")]
        }
        guard let (indication, _) = unconfirmed else {
            return [.violation("Handle Value Confirmation without an indication")]
        }
        unconfirmed = nil
        if indication.isServiceChanged { awareness = .aware }
        return [.confirmed(handle: indication.value.handle)] + sendIndication(at: now)
    }
}

extension AttributeServer {
    /// When the outstanding indication times out.
    package var deadline: Duration? { unconfirmed?.deadline }

    package mutating func advance(to now: Duration) -> [Output] {
        guard let (indication, deadline) = unconfirmed, deadline <= now else { return [] }
        let limit = configuration.confirmationLimit.components.seconds
        let handle = HandleRange.text(indication.value.handle)
        let text = "Handle Value Indication, handle \(handle), had no confirmation within \(limit) s"
        linkEnded(because: text)
        return [.linkMustEnd(text)]
    }
}
