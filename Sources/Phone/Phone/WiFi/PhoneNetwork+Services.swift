import Foundation
import HostRadio
import RadioModel

/// Services, names and incoming connections on the joined network, for apps.
extension PhoneNetwork {
    /// Looks for services, also while the phone is on no network.
    ///
    /// - Throws: `RadioError`, here and below.
    package func browse(
        _ type: String, domain: String?, readingText readsText: Bool
    ) async throws -> any RadioBrowser {
        let browser = try await noted("looking for \(type)") {
            try await $0.radio.browse(type, domain: domain, readingText: readsText)
        }
        return NotedBrowser(browser, of: type, notes: searches, on: phone)
    }

    package func place(of service: BonjourName) async throws -> NetworkPlace {
        try await noted("finding out where \(service) is") { try await $0.radio.place(of: service) }
    }

    package func address(ofHost name: String) async throws -> String {
        try await noted("finding out where \(name) is") { try await $0.radio.address(ofHost: name) }
    }

    package func publish(_ service: BonjourService, renaming isRenamed: Bool) async throws -> any RadioPublication {
        try await noted("offering “\(service.name)” (\(service.type))") {
            try await $0.radio.publish(service, renaming: isRenamed)
        }
    }

    package func listen(
        at port: UInt16, by transport: InternetTransport = .tcp
    ) async throws -> any RadioListener {
        try await noted("listening for connections") { try await $0.radio.listen(at: port, by: transport) }
    }

    /// Whether an address is on the network that the phone has joined, and so no router lies between.
    ///
    /// The networks of a rig have masks of 24 bits.
    package func isLocal(_ address: String) -> Bool {
        guard let link else { return false }
        func network(_ address: String) -> [Substring] { Array(address.split(separator: ".").prefix(3)) }
        return network(address) == network(link.address)
    }

    /// Whether datagrams to an address are for several hosts: by multicast (RFC 5771) or by broadcast.
    func isForSeveral(_ address: String) -> Bool {
        let octets = address.split(separator: ".").compactMap { UInt8($0) }
        guard octets.count == 4 else { return false }
        return 224...239 ~= octets[0] || octets[3] == 255 && (isLocal(address) || octets.allSatisfy { $0 == 255 })
    }

    private func noted<Value: Sendable>(
        _ what: String, _ body: (Phone) async throws -> Value
    ) async throws -> Value {
        let phone = phone
        do { return try await body(phone) } catch {
            phone.note(error, during: what, by: "Wi-Fi")
            throw error
        }
    }
}
