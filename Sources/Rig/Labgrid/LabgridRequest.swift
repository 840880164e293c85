/// The places of a labgrid coordinator that a run requests: `--rig labgrid:…`.
package struct LabgridRequest: Sendable, Hashable {
    /// Why a text is not a valid request.
    package struct Mistake: Error, Hashable, CustomStringConvertible {
        package let description: String
    }

    /// One place, or any place that has all these tags.
    package enum Wanted: Sendable, Hashable {
        /// By its name, or by an alias of it.
        case place(String)
        case tags([String: String])
    }

    /// The prefix of the text.
    package static let prefix = "labgrid:"
    /// The default address of the coordinator.
    package static let standardCoordinator = "127.0.0.1:20408"
    /// The default port of a named coordinator.
    private static let standardPort = 20408

    package let wanted: Wanted

    package init(_ wanted: Wanted) { self.wanted = wanted }

    /// Reads `labgrid:PLACE`, or `labgrid:NAME=VALUE,…` for the tags of a place.
    package init(parsing text: String) throws(Mistake) {
        let usage = "a place of labgrid is labgrid:PLACE, or tags as in labgrid:kind=hil,site=berlin"
        guard text.hasPrefix(LabgridRequest.prefix) else { throw Mistake(description: "\(usage), not “\(text)”") }
        let rest = text.dropFirst(LabgridRequest.prefix.count)
        guard !rest.isEmpty, rest.utf8.count <= 1000, !rest.unicodeScalars.contains(where: { $0.value < 0x21 }) else {
            throw Mistake(description: usage)
        }
        guard rest.contains("=") else {
            wanted = .place(String(rest))
            return
        }
        var tags: [String: String] = [:]
        for part in rest.split(separator: ",", omittingEmptySubsequences: false) {
            // The same pattern as in labgrid (remote/common.py, TAG_KEY).
            guard let match = part.wholeMatch(of: /([a-z][a-z0-9_]+)=([^=]+)/) else {
                throw Mistake(description: "“\(part)” is not a tag: \(usage)")
            }
            guard tags.updateValue(String(match.2), forKey: String(match.1)) == nil else {
                throw Mistake(description: "the tag \(match.1) occurs twice: \(usage)")
            }
        }
        wanted = .tags(tags)
    }

    /// The address of the coordinator.
    ///
    /// - Parameters:
    ///   - named: The address on a command line; nil for none.
    ///   - environment: `LG_COORDINATOR` has it, as for labgrid's own client.
    /// - Returns: `HOST:PORT`.
    package static func coordinator(named: String?, environment: [String: String]) throws(Mistake) -> String {
        let found = named ?? environment["LG_COORDINATOR"].flatMap { $0.isEmpty ? nil : $0 } ?? standardCoordinator
        let isWhole = found.wholeMatch(of: /([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.%a-z]+\])(:\d{1,5})?/)
        guard let isWhole else {
            throw Mistake(description: "the address of a coordinator is HOST or HOST:PORT, not “\(found)”")
        }
        return isWhole.2 == nil ? "\(found):\(standardPort)" : found
    }
}

extension LabgridRequest {
    /// The requested places: those with the tags, or the one with the name, or else the one with that alias.
    package func chosen(of places: [LabgridPlace]) -> [LabgridPlace] {
        switch wanted {
        case .tags(let tags): places.filter { place in tags.allSatisfy { place.tags[$0.key] == $0.value } }
        case .place(let name):
            Array((places.filter { $0.name == name } + places.filter { $0.aliases.contains(name) }).prefix(1))
        }
    }
}

extension LabgridRequest: CustomStringConvertible {
    package var description: String {
        switch wanted {
        case .place(let name): LabgridRequest.prefix + name
        case .tags(let tags):
            LabgridRequest.prefix + tags.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: ",")
        }
    }
}
