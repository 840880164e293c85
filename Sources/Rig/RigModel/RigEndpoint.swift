/// How another process reaches a running rig, and what that rig has.
package struct RigEndpoint: Sendable, Hashable, Codable {
    /// What the rig has.
    package var description: RigDescription
    /// The addresses of its parts. Only the connector of the same kind knows the names: `air` is the path of a socket,
    /// for example.
    package var places: [String: String]

    package init(_ description: RigDescription, places: [String: String]) {
        self.description = description
        self.places = places
    }

    /// The address of a part.
    ///
    /// - Throws: ``RigFailure`` if it is missing, because another version of the program made this endpoint.
    package func place(_ name: String) throws(RigFailure) -> String {
        if let place = places[name] { return place }
        throw RigFailure(
            "connecting to the \(description.kind) rig", "nothing says where its “\(name)” is",
            remedy: "build all programs anew, by `make build`")
    }
}
