/// What a fault does to a journey. Faults that share an effect may show one and the same cause.
package enum FaultEffect: String, Sendable, Hashable, CaseIterable {
    /// The Bluetooth link ends, whoever ends it.
    case link
    /// The Wi-Fi link ends.
    case network
    /// The accessory begins anew.
    case restart
    case packet, person, app

    /// What happens, as the beginning of a sentence: `the link ends`.
    var clause: String {
        switch self {
        case .link: "the link ends"
        case .network: "the Wi-Fi link ends"
        case .restart: "the accessory starts again"
        case .packet: "a packet is late, lost or doubled"
        case .person: "the person does not go on"
        case .app: "the app is suspended or ends"
        }
    }

    /// The fewest effects that some faults have. Of effects that all faults share, the one that the fewest other faults have
    /// says most.
    ///
    /// - Parameter hasWiFi: Whether the journey uses Wi-Fi.
    static func all(of cells: [TrialOrder.Cell], hasWiFi: Bool) -> [FaultEffect] {
        let effects = cells.map { cell in
            FaultKind(rawValue: cell.fault)?.effects(at: cell.moment.layer, hasWiFi: hasWiFi) ?? []
        }
        func breadth(_ effect: FaultEffect) -> Int {
            FaultKind.allCases.count { $0.effects(at: .attribute, hasWiFi: hasWiFi).contains(effect) }
        }
        var left = effects.filter { !$0.isEmpty }
        var chosen: [FaultEffect] = []
        while !left.isEmpty {
            let most = FaultEffect.allCases.max { one, other in
                func rank(_ effect: FaultEffect) -> (Int, Int) {
                    (left.count { $0.contains(effect) }, -breadth(effect))
                }
                return rank(one) < rank(other)
            }
            guard let most else { break }
            chosen.append(most)
            left.removeAll { $0.contains(most) }
        }
        return chosen
    }

    /// The same as the beginning of a sentence: `the link ends, or the app is suspended or ends`.
    static func clause(of cells: [TrialOrder.Cell], hasWiFi: Bool) -> String {
        all(of: cells, hasWiFi: hasWiFi).map(\.clause).joined(separator: ", or ")
    }
}

extension FaultKind {
    /// What it does to a journey at a moment.
    ///
    /// - Parameter hasWiFi: Whether the journey uses Wi-Fi: otherwise nothing happens to a network.
    package func effects(at layer: Moment.Layer, hasWiFi: Bool) -> Set<FaultEffect> {
        let both: Set<FaultEffect> = hasWiFi ? [.link, .network] : [.link]
        return switch self {
        case .packetDropped, .packetDoubled, .packetHeld: [.packet]
        case .linkLost: layer == .wifi ? [.network] : [.link]
        case .outOfRange: both
        case .bluetoothOff: [.link]
        case .wifiOff, .networkGone, .hostapdKilled: [.network]
        case .personCancels, .personWaits: [.person]
        case .appSuspended: [.app]
        case .appEnded: [.app, .link]
        case .programKilled: [.link, .restart]
        case .powerCut: both.union([.restart])
        case .bluetoothdKilled: [.link]
        }
    }

    /// In two or three words, for a list of faults: `link lost`.
    package var words: String {
        switch self {
        case .packetDropped: "packet lost"
        case .packetDoubled: "packet doubled"
        case .packetHeld: "packet late"
        case .linkLost: "link lost"
        case .outOfRange: "out of range"
        case .bluetoothOff: "Bluetooth off"
        case .wifiOff: "Wi-Fi off"
        case .personCancels: "the person cancels"
        case .personWaits: "the person waits"
        case .appSuspended: "app suspended"
        case .appEnded: "app ended"
        case .programKilled: "program killed"
        case .powerCut: "power cut"
        case .bluetoothdKilled: "bluetoothd killed"
        case .hostapdKilled: "hostapd killed"
        case .networkGone: "network gone"
        }
    }
}
