import HILCSSL

/// The protocols that one side speaks over TLS (ALPN). Source: RFC 7301.
final class ApplicationProtocols: Sendable {
    /// The names, in order of preference.
    private let names: [[UInt8]]

    /// - Throws: ``TLSFailure`` if a name is empty or has more than 255 bytes.
    init(_ names: [String]) throws(TLSFailure) {
        for name in names where !(1...255).contains(name.utf8.count) {
            throw TLSFailure(
                .violation,
                "beginning TLS: the name of a protocol (ALPN) has \(name.utf8.count) bytes; it must have 1 to 255")
        }
        self.names = names.map { Array($0.utf8) }
    }

    /// Lets a client offer them. Returns false if OpenSSL refuses.
    func offer(in session: OpaquePointer) -> Bool {
        guard !names.isEmpty else { return true }
        let list = names.flatMap { [UInt8($0.count)] + $0 }
        return SSL_set_alpn_protos(session, list, UInt32(list.count)) == 0
    }

    /// Lets a server choose the first of them that the client offers. This object has to outlive the context.
    func choose(in context: OpaquePointer) {
        guard !names.isEmpty else { return }
        let own = Unmanaged.passUnretained(self).toOpaque()
        SSL_CTX_set_alpn_select_cb(
            context,
            { _, chosen, length, offered, size, own in
                guard let own, let chosen, let length, let offered else { return SSL_TLSEXT_ERR_ALERT_FATAL }
                let protocols = Unmanaged<ApplicationProtocols>.fromOpaque(own).takeUnretainedValue()
                let list = UnsafeBufferPointer(start: offered, count: Int(size))
                guard let place = protocols.choice(of: list), !place.isEmpty else { return SSL_TLSEXT_ERR_ALERT_FATAL }
                chosen.pointee = offered + place.lowerBound
                length.pointee = UInt8(place.count)
                return SSL_TLSEXT_ERR_OK
            }, own)
    }

    /// The place of the chosen name in a client's list, in which each name comes after its length; nil for none.
    private func choice(of offered: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        var places: [Range<Int>] = []
        var next = 0
        while next < offered.count {
            let place = next + 1..<next + 1 + Int(offered[next])
            guard place.upperBound <= offered.count else { return nil }
            places.append(place)
            next = place.upperBound
        }
        return names.lazy.compactMap { name in places.first { offered[$0].elementsEqual(name) } }.first
    }
}
