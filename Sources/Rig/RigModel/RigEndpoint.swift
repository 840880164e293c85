/// How another process reaches a running rig, and the capabilities of that rig.
package struct RigEndpoint: Sendable, Hashable, Codable {
    /// The capabilities of the rig.
    package var description: RigDescription
    /// The addresses of its parts. Only the connector of the same kind knows the names: `air` is the path of a socket,
    /// for example.
    package var addresses: [String: String]

    package init(_ description: RigDescription, addresses: [String: String]) {
        self.description = description
        self.addresses = addresses
    }

    /// The address of a part.
    ///
    /// - Throws: ``RigFailure`` if it is missing, because another version of the program made this endpoint.
    package func address(_ name: String) throws(RigFailure) -> String {
        if let address = addresses[name] { return address }
        throw RigFailure(
            "connecting to the \(description.kind) rig", "the address of its “\(name)” is missing",
            remedy: "rebuild all programs with `make build`")
    }
}
