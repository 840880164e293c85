import RadioModel

/// A GATT procedure as a pure state machine: one ATT request after the other, then a result.
///
/// A procedure has no time-outs: a request without an answer comes back as ``GATTFailure/timedOut(_:)``.
///
/// Source: Core Specification 6.0, Vol 3, Part G, 4.
package protocol GATTProcedure: Sendable {
    /// The first request, or the result of a procedure without requests. It is called once, before
    /// ``take(_:mtu:)``.
    ///
    /// - Parameter mtu: The MTU of the bearer now, in bytes.
    mutating func start(mtu: Int) -> GATTStep

    /// Takes the answer to the last request.
    ///
    /// - Parameter mtu: The MTU of the bearer now, in bytes. It may have grown since the request.
    mutating func take(_ answer: Result<ATTPDU, GATTFailure>, mtu: Int) -> GATTStep

    /// Whether the server keeps pieces of a write. Pieces of another write would join them.
    var hasPreparedWrites: Bool { get }

    /// Knowledge of the server, which only grows. It holds after a failure of the procedure too.
    var findings: [GATTFinding] { get }
}

extension GATTProcedure {
    package var hasPreparedWrites: Bool { false }

    package var findings: [GATTFinding] { [] }
}

/// The next step of a procedure.
package enum GATTStep: Sendable, Hashable {
    /// - Parameter for: The purpose of the request, for people: `reading 2A19`.
    case request(ATTPDU, for: String)
    case done(GATTResult)

    static func failed(_ failure: GATTFailure) -> GATTStep { .done(.failed(failure)) }
}

/// The result of a procedure.
package enum GATTResult: Sendable, Hashable {
    case services([DiscoveredService])
    case included([IncludedService])
    case characteristics([DiscoveredCharacteristic])
    case descriptors([GATTDescriptor])
    case value([UInt8])
    /// Values with their handles, or several values of a Read Multiple Variable Request.
    case values([HandleValue])
    /// The MTU of the bearer after its exchange, in bytes.
    case mtu(Int)
    /// The answer to a single request.
    case pdu(ATTPDU)
    /// Success without a value.
    case done
    case failed(GATTFailure)
}

/// Knowledge of the server, for the ``GATTTable``.
package enum GATTFinding: Sendable, Hashable {
    case services([DiscoveredService])
    /// All primary services, or all secondary ones.
    case allServices([DiscoveredService], isPrimary: Bool)
    case included([IncludedService], by: UInt16)
    /// - Parameter isAll: Whether the service has no other characteristics.
    case characteristics([DiscoveredCharacteristic], of: UInt16, isAll: Bool)
    /// - Parameter ofValue: The handle of the characteristic's value.
    case descriptors([GATTDescriptor], ofValue: UInt16)
    /// The server indicates changes of its services from now on.
    case subscribedToServiceChanged
}
