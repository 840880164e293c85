import RadioModel

/// How to connect as an LE central.
///
/// Source: Core Specification 6.0, Vol 4, Part E, 7.8.12 and 7.8.66.
package struct LEConnectionRequest: Sendable, Hashable {
    /// The device to connect to; nil for any one of the filter accept list.
    package var peer: PeerAddress?
    package var ownAddress = OwnAddress.random
    /// Time between the beginnings of two scans for the device, in units of 0.625 ms.
    package var scanInterval: UInt16 = 0x60
    /// Duration of a scan, in units of 0.625 ms; at most `scanInterval`.
    package var scanWindow: UInt16 = 0x30
    /// The parameters of the link.
    package var parameters: ConnectionParameters
    /// The expected length of connection events, in units of 0.625 ms.
    package var eventLength: ClosedRange<UInt16> = 0...0
    /// The PHYs for an extended request.
    package var phys: LEPHYSet = .oneMegabit

    package init(to peer: PeerAddress?, parameters: ConnectionParameters) {
        self.peer = peer
        self.parameters = parameters
    }

    /// The address for a request that goes by the filter accept list.
    private static let nobody = [UInt8](repeating: 0, count: 7)

    /// 1 if the filter accept list has the devices.
    fileprivate var filter: UInt8 { peer == nil ? 1 : 0 }

    /// The kind of the address, and the address.
    fileprivate var peerField: [UInt8] {
        guard let peer else { return LEConnectionRequest.nobody }
        var bytes: [UInt8] = []
        bytes.append(peer: peer)
        return bytes
    }
}

/// Commands for LE connections.
extension HCICommand {
    /// Connects (7.8.12).
    package static func leCreateConnection(_ request: LEConnectionRequest) -> HCICommand {
        HCICommand(.leCreateConnection) {
            $0.append(uint16: request.scanInterval)
            $0.append(uint16: request.scanWindow)
            $0.append(request.filter)
            $0.append(contentsOf: request.peerField)
            $0.append(request.ownAddress.rawValue)
            $0.append(connection: request.parameters)
            $0.append(range: request.eventLength)
        }
    }

    /// Connects by legacy or extended advertisements (7.8.66).
    package static func leExtendedCreateConnection(_ request: LEConnectionRequest) -> HCICommand {
        HCICommand(.leExtendedCreateConnection) {
            let phys = request.phys.intersection([.oneMegabit, .twoMegabit, .coded])
            $0.append(request.filter)
            $0.append(request.ownAddress.rawValue)
            $0.append(contentsOf: request.peerField)
            $0.append(phys.rawValue)
            for _ in 0..<phys.count {
                $0.append(uint16: request.scanInterval)
                $0.append(uint16: request.scanWindow)
                $0.append(connection: request.parameters)
                $0.append(range: request.eventLength)
            }
        }
    }

    /// Gives up a connection that is not made yet, legacy or extended (7.8.13).
    package static var leCreateConnectionCancel: HCICommand { HCICommand(.leCreateConnectionCancel) }
}
