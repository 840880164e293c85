/// An ATT bearer: the client half and the server half of one link, which share its MTU and its end.
///
/// Source: Core Specification 6.0, Vol 3, Part F, 3.2.11.
package struct AttributeBearer: Sendable {
    package enum Output: Sendable, Hashable {
        case client(AttributeClient.Output)
        case server(AttributeServer.Output)
    }

    /// Requests and commands go through it. Received PDUs and times go through the bearer.
    package var client: AttributeClient
    /// Answers, notifications and indications go through it. Received PDUs and times go through the bearer.
    package var server: AttributeServer

    package init(
        client: AttributeClient.Configuration = .init(), server: AttributeServer.Configuration = .init()
    ) {
        self.client = AttributeClient(client)
        self.server = AttributeServer(server)
    }

    /// The longest PDU, in bytes.
    package var mtu: Int { client.mtu }

    /// Takes a PDU of the peer, for either half.
    package mutating func receive(
        _ bytes: [UInt8], at now: Duration, in database: inout AttributeDatabase
    ) -> [Output] {
        let clientOutputs = client.receive(bytes, at: now)
        server.mtu = client.mtu
        let serverOutputs = server.receive(bytes, at: now, in: &database)
        client.mtu = server.mtu
        return clientOutputs.map(Output.client) + serverOutputs.map(Output.server)
    }

    /// The next time-out of either half.
    package var deadline: Duration? { [client.deadline, server.deadline].compactMap { $0 }.min() }

    /// A time-out of one half ends both: Vol 3, Part F, 3.3.3.
    package mutating func advance(to now: Duration) -> [Output] {
        var outputs = client.advance(to: now).map(Output.client)
        if let reason = client.end { server.linkEnded(because: reason) }
        outputs += server.advance(to: now).map(Output.server)
        if let reason = server.end { outputs += client.linkEnded(because: reason).map(Output.client) }
        return outputs
    }

    /// - Returns: The failure of each request without an answer.
    package mutating func linkEnded(because reason: String) -> [Output] {
        server.linkEnded(because: reason)
        return client.linkEnded(because: reason).map(Output.client)
    }
}
