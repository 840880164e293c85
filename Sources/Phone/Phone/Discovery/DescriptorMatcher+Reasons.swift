import Foundation
import RadioModel

/// Why a descriptor does not match an advertisement or a network.
extension DescriptorMatcher {
    /// The criteria that an advertisement does not meet, and how many it meets. None if the descriptor asks for no
    /// Bluetooth.
    func reasons(against advertisement: Advertisement, signals: [Int], policy: HostPolicy) -> (
        reasons: [String], held: Int
    ) {
        guard descriptor.usesBluetooth else { return ([], 0) }
        var reasons: [String] = []
        var held = 0
        func check(_ reason: String?) {
            if let reason { reasons.append(reason) } else { held += 1 }
        }
        if let wanted = descriptor.serviceUUID { check(service(wanted, in: advertisement)) }
        if let wanted = descriptor.companyIdentifier { check(company(wanted, in: advertisement)) }
        if let wanted = descriptor.nameSubstring { check(name(wanted, in: advertisement)) }
        if descriptor.range == .immediate { check(range(signals, policy)) }
        return (reasons, held)
    }

    /// The service that the descriptor asks for, if the device does not list it.
    func unlisted(by advertisement: Advertisement) -> NearMiss.Unlisted? {
        guard let wanted = descriptor.serviceUUID, !advertisement.listed.contains(wanted) else { return nil }
        return NearMiss.Unlisted(services: [wanted], device: advertisement.address)
    }

    private func service(_ wanted: BluetoothUUID, in advertisement: Advertisement) -> String? {
        let data = advertisement.serviceData[wanted]
        let listed = advertisement.listed
        guard listed.contains(wanted) else {
            let heard = listed.map(\.namedText).sorted().joined(separator: ", ")
            return "it advertises \(heard.isEmpty ? "no service" : "the service \(heard)"), wanted \(wanted.namedText)"
        }
        return blob(
            descriptor.serviceDataBlob, descriptor.serviceDataMask, against: data, "service data of \(wanted.namedText)"
        )
    }

    private func company(_ wanted: UInt16, in advertisement: Advertisement) -> String? {
        func text(_ company: UInt16) -> String { "0x" + Hex.text([UInt8(company >> 8), UInt8(company & 0xFF)]) }
        guard let data = advertisement.manufacturerData[wanted] else {
            let heard = advertisement.manufacturerData.keys.sorted().map(text).joined(separator: ", ")
            return "it has \(heard.isEmpty ? "no manufacturer data" : "manufacturer data of \(heard)"), "
                + "wanted that of \(text(wanted))"
        }
        return blob(
            descriptor.manufacturerDataBlob, descriptor.manufacturerDataMask, against: data, "manufacturer data")
    }

    private func blob(_ blob: Data?, _ mask: Data?, against data: Data?, _ what: String) -> String? {
        guard let blob, let mask else { return nil }
        let wanted = "wanted \(NearMiss.bytes(blob)) under mask \(NearMiss.bytes(mask))"
        guard let data else { return "it has no \(what), \(wanted)" }
        if matchesBlob(of: what.hasPrefix("service"), Array(data)) { return nil }
        return "\(what) \(NearMiss.bytes(data)), \(wanted)"
    }

    private func name(_ wanted: String, in advertisement: Advertisement) -> String? {
        guard let name = advertisement.name else { return "it advertises no name, wanted one with “\(wanted)”" }
        var subject = PatternSubject(name)
        if subject.contains(TextPattern(wanted, options: descriptor.nameCompareOptions)) { return nil }
        var folded = PatternSubject(name)
        let insensitive = NSString.CompareOptions.caseInsensitive.rawValue
        let why =
            if folded.contains(TextPattern(wanted, options: insensitive)) {
                " in the same case"
            } else if wanted.hasPrefix(name), !name.isEmpty { ", which begins with it: it may be cut off" } else {
                ""
            }
        return "the name “\(name)”, wanted one with “\(wanted)”\(why)"
    }

    private func range(_ signals: [Int], _ policy: HostPolicy) -> String? {
        let mean = signals.isEmpty ? nil : signals.reduce(0, +) / signals.count
        if signals.count >= policy.immediateReports, let mean, mean >= policy.immediateSignal { return nil }
        let heard = mean.map { "\(NearMiss.decibels($0)) on average of \(signals.count)" } ?? "no signal strength"
        return "\(heard), wanted \(NearMiss.decibels(policy.immediateSignal)) for immediate range"
    }

    /// Why a network is not the one that a descriptor without Bluetooth asks for; nil if it asks for none.
    func reason(against network: WiFiNetwork) -> String? {
        guard !descriptor.usesBluetooth else { return nil }
        if let ssid = descriptor.ssid { return NearMiss.name(network.ssid, wanted: ssid) }
        return descriptor.ssidPrefix.flatMap { NearMiss.name(network.ssid, wanted: $0, isPrefix: true) }
    }
}

extension Advertisement {
    /// The services that it lists or has data of.
    fileprivate var listed: Set<BluetoothUUID> { Set(serviceUUIDs).union(serviceData.keys) }
}

extension NearMiss {
    /// The difference between two names of networks, which are bytes; nil if there is none.
    package static func name(_ heard: String, wanted: String, isPrefix: Bool = false) -> String? {
        let beginning = isPrefix ? "one that begins with " : ""
        if heard.isEmpty { return "its name is hidden, wanted \(beginning)“\(wanted)”" }
        if isPrefix ? heard.utf8.starts(with: wanted.utf8) : heard.isSameSSID(as: wanted) { return nil }
        var reason = "its name is “\(heard)”, wanted \(beginning)“\(wanted)”"
        let plain = { (text: String) in text.lowercased().filter { !$0.isWhitespace } }
        if plain(heard) == plain(wanted) || heard == wanted {
            // They look alike, but only to people.
            reason += " (bytes \(bytes(heard.utf8)), wanted \(bytes(wanted.utf8)))"
        }
        return reason
    }
}

extension WiFiNetwork {
    /// The network, for people: `“Lamp-7” (02:00:00:00:00:B0, −48 dBm, wpa2)`.
    var heardAs: String {
        let name = ssid.isEmpty ? "a hidden network" : "“\(ssid)”"
        return "\(name) (\(bssid), \(NearMiss.decibels(signal)), \(security))"
    }
}
