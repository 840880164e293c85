import RadioModel

// The bonded peers behind their private addresses.
extension AddressBook {
    /// How many addresses are kept with the identity behind them.
    package var recentCount: Int { resolved.count }

    /// The identity addresses of the bonded peers, the oldest bond first.
    package var identities: [PeerAddress] { peers.map(\.address) }

    /// Adds a bonded peer, or replaces its key.
    package mutating func add(_ peer: DeviceIdentity) {
        forget(peer.address)
        peers.append(peer)
        // Addresses of an unknown device may be this peer's.
        resolved.removeAll { _, identity in identity == nil }
    }

    /// Forgets a peer: its bond was deleted.
    package mutating func forget(_ identity: PeerAddress) {
        peers.removeAll { $0.address == identity }
        lastHeard[identity] = nil
        resolved.removeAll { _, known in known == identity }
    }

    /// Who is behind an address that was heard: the identity address of a bonded peer, otherwise the address itself.
    ///
    /// The address is kept as the last one of this peer.
    package mutating func resolve(_ address: PeerAddress) -> PeerAddress {
        guard let identity = identity(behind: address) else { return address }
        lastHeard[identity] = address
        return identity
    }

    /// Where a device was heard last: the private address of a bonded peer, otherwise the address itself.
    package func currentAddress(of device: PeerAddress) -> PeerAddress { lastHeard[device] ?? device }

    /// Whether a device may be at another address than where it was heard last: a bonded one with private addresses.
    package func changesAddress(_ device: PeerAddress) -> Bool {
        peers.contains { $0.address == device } && lastHeard[device] != device
    }

    private mutating func identity(behind address: PeerAddress) -> PeerAddress? {
        guard let privateAddress = ResolvablePrivateAddress(address) else {
            return peers.contains { $0.address == address } ? address : nil
        }
        if let known = resolved.use(address) { return known }
        let identity = peers.first { privateAddress.isMade(with: $0.resolvingKey) }?.address
        resolved.set(address, identity)
        return identity
    }
}
