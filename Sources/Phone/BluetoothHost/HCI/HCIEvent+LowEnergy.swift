import RadioModel

extension HCIEvent {
    /// An LE event: its code, then its parameters.
    static func lowEnergy(_ meta: inout PacketReader) throws(Malformed) -> HCIEvent {
        let number = try meta.uint8()
        guard let code = LECode(rawValue: number) else {
            return .unknown(code: Code.leMeta.rawValue, [number] + meta.remainder())
        }
        var reader = PacketReader(meta.remainder(), of: code.name)
        switch code {
        case .advertisingReport: return .advertisingReports(try reader.legacyReports())
        case .directedAdvertisingReport: return .advertisingReports(try reader.directedReports())
        case .extendedAdvertisingReport: return .advertisingReports(try reader.extendedReports())
        case .connectionComplete, .enhancedConnectionComplete, .enhancedConnectionCompleteV2:
            return .leConnectionComplete(try reader.connection(code))
        case .scanTimeout: return .scanTimeout
        case .scanRequestReceived:
            let set = try reader.uint8()
            return .scanRequestReceived(set: set, scanner: try reader.peer().address)
        case .advertisingSetTerminated:
            let (status, set, handle) = (try reader.status(), try reader.uint8(), try reader.handle())
            return .advertisingSetTerminated(
                AdvertisingSetEnd(set: set, status: status, handle: status.isSuccess ? handle : nil))
        default: return try link(code, &reader)
        }
    }

    /// An event about one link.
    private static func link(_ code: LECode, _ reader: inout PacketReader) throws(Malformed) -> HCIEvent {
        // These events have no status.
        let isStatusFirst =
            ![.longTermKeyRequest, .remoteConnectionParameterRequest, .dataLengthChange, .channelSelectionAlgorithm]
            .contains(code)
        let status = try isStatusFirst ? reader.status() : .success
        let handle = try reader.handle()
        switch code {
        case .connectionUpdateComplete:
            return .leConnectionUpdateComplete(
                LEConnectionUpdate(
                    handle: handle, status: status, interval: try reader.uint16(), latency: try reader.uint16(),
                    timeout: try reader.uint16()))
        case .readRemoteFeaturesComplete:
            return .leRemoteFeatures(handle, status: status, LEFeatures(rawValue: try reader.uint64()))
        case .longTermKeyRequest:
            let random = try reader.uint64()
            return .longTermKeyRequest(handle, random: random, diversifier: try reader.uint16())
        case .remoteConnectionParameterRequest:
            return .remoteParameterRequest(
                handle,
                ConnectionParameters(
                    shortestInterval: try reader.uint16(), longestInterval: try reader.uint16(),
                    latency: try reader.uint16(), timeout: try reader.uint16()))
        case .dataLengthChange: return .dataLengthChange(handle, try reader.dataLength())
        case .phyUpdateComplete:
            let tx = try reader.phy()
            return .phyUpdateComplete(handle, status: status, tx: tx, rx: try reader.phy())
        default: return .channelSelectionAlgorithm(handle, number: try reader.uint8())
        }
    }
}

extension PacketReader {
    /// The kind of an address, and the address. The address is nil if it is anonymous or its kind unknown.
    ///
    /// `isResolved` tells whether it is an identity that the controller found for a private address.
    mutating func peer() throws(Malformed) -> (address: PeerAddress?, isResolved: Bool) {
        let (kind, address) = (try uint8(), try self.address())
        // 0xFE: a random address for this device that the controller could not resolve.
        guard kind <= 3 || kind == 0xFE else { return (nil, false) }
        return (PeerAddress(address, isRandom: kind == 0xFE || kind & 1 == 1), kind == 2 || kind == 3)
    }

    /// An address that is all zeros if there is none.
    private mutating func optionalAddress() throws(Malformed) -> DeviceAddress? {
        let address = try self.address()
        return address.bytes.allSatisfy { $0 == 0 } ? nil : address
    }

    fileprivate mutating func connection(_ code: HCIEvent.LECode) throws(Malformed) -> LEConnectionComplete {
        let (status, handle, role) = (try self.status(), try self.handle(), try uint8())
        let (peer, isResolved) = try self.peer()
        let isEnhanced = code != .connectionComplete
        let localPrivate = try isEnhanced ? optionalAddress() : nil
        let peerPrivate = try isEnhanced ? optionalAddress() : nil
        var link = LEConnectionComplete(
            handle: handle, status: status, role: role == 0 ? .central : .peripheral, peer: peer,
            isResolved: isResolved, localPrivateAddress: localPrivate, peerPrivateAddress: peerPrivate,
            interval: try uint16(), latency: try uint16(), timeout: try uint16(), advertisingSet: nil)
        // The clock accuracy of the central.
        _ = try uint8()
        if code == .enhancedConnectionCompleteV2 {
            let set = try uint8()
            link.advertisingSet = set == 0xFF ? nil : set
        }
        return link
    }
}
