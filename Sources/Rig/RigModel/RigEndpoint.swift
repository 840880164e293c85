/// How another process reaches a rig that runs, and what that rig has.
package struct RigEndpoint: Sendable, Hashable, Codable {
    /// What the rig has.
    package var description: RigDescription
    /// Where its parts are. Only the connector of its kind knows these names: `air` is the path of a socket, for example.
    package var places: [String: String]

    package init(_ description: RigDescription, places: [String: String]) {
        self.description = description
        self.places = places
    }

    /// One of its places.
    ///
    /// - Throws: ``RigFailure`` where it is not there: another version of the kind made this endpoint.
    package func place(_ name: String) throws(RigFailure) -> String {
        if let place = places[name] { return place }
        throw RigFailure(
            "connecting to the \(description.kind) rig", "nothing says where its “\(name)” is",
            remedy: "build all programs anew, by `make build`")
    }
}
